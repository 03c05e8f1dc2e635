// ---- From the address to a view ----

const head = document.getElementById("head");
const view = document.getElementById("view");
const counter = document.getElementById("count");
const showCount = (text) => { counter.textContent = text; };

const VIEWS = {
  matrix: matrixView, cases: casesView, implementations: implementationsView, implementation: implementationView,
  editions: editionsView, edition: editionView, differences: differencesView,
};
const TITLES = { matrix: "Matrix", cases: "Cases" };
const TABS = { implementation: "implementations", edition: "editions" };

/** The view below the panel of a row. */
let under = { view: "matrix", argument: "", filter: state.filter };
let drawn = "";

function render() {
  const isRow = state.view === "case";
  if (isRow) {
    under = { ...under, filter: { ...state.filter } };
    if (!drawn) draw({ ...under });
    showRow();
  } else {
    under = state;
    if (panel.open) panel.close();
    draw(state);
  }
  const title = isRow ? state.argument : [state.argument, TITLES[state.view]].filter(Boolean).join(" ");
  document.title = `${title || "Report"} · robotspec report`;
}

/** Draws a view, unless it is already there. */
function draw(wanted) {
  const key = address(wanted.view, wanted.argument, wanted.filter);
  if (key === drawn) return;
  const before = state;
  state = { ...wanted, view: VIEWS[wanted.view] ? wanted.view : "matrix" };
  showFilters();
  replace(view, VIEWS[state.view]());
  for (const link of document.querySelectorAll("nav a")) {
    const isCurrent = link.dataset.view === (TABS[state.view] ?? state.view);
    if (isCurrent) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    if (FILTERED.includes(link.dataset.view)) link.href = address(link.dataset.view, "", { ...state.filter, clause: "" });
  }
  drawn = key;
  state = before;
}

// The address selects the view, so this link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});

addEventListener("hashchange", () => {
  const from = state;
  state = parseAddress(location.hash);
  render();
  if (state.view !== "case" && (from.view !== state.view || from.argument !== state.argument) && from.view !== "case") {
    scrollTo(0, 0);
    document.getElementById("main").focus({ preventScroll: true });
  }
});

// ---- Light and dark ----

const theme = document.getElementById("theme");
const THEMES = ["auto", "light", "dark"];
const showTheme = () => { theme.textContent = `Theme: ${document.documentElement.dataset.theme}`; };
theme.addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem("robotspec-theme", next); } catch { /* The theme lasts until the page is closed. */ }
  showTheme();
});
showTheme();

// `/` focuses the search, as on many web sites.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input,select,textarea,dialog")) return;
  event.preventDefault();
  if (filters.hidden) location.hash = address("cases");
  setTimeout(() => filters.elements.q?.focus());
});

buildFilters();
render();
