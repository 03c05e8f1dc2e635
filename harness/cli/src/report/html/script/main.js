// ---- From the address to what is shown ----

const head = document.getElementById("head");
const view = document.getElementById("view");
const counter = document.getElementById("count");
const count = (says) => { counter.textContent = says; };

const VIEWS = {
  matrix: matrixView, cases: casesView, implementations: implementationsView, implementation: implementationView,
  editions: editionsView, edition: editionView, differences: differencesView,
};
const TABS = { implementation: "implementations", edition: "editions" };

/** What is shown below the panel of a case. */
let under = { view: "matrix", argument: "", filter: state.filter };
let drawn = "";

function render() {
  const isCase = state.view === "case";
  if (isCase) {
    under = { ...under, filter: { ...state.filter } };
    if (!drawn) draw({ ...under });
    showCase();
  } else {
    under = state;
    if (panel.open) panel.close();
    draw(state);
  }
  const title = isCase ? state.argument : [state.argument, { matrix: "Matrix", cases: "Cases" }[state.view]].filter(Boolean).join(" ");
  document.title = `${title || "Report"} · robotspec report`;
}

/** Draws a view, if another is shown. */
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

// The address says what is shown, so this link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});

addEventListener("hashchange", () => {
  const from = state;
  state = parse(location.hash);
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
  try { localStorage.setItem("robotspec-theme", next); } catch { /* it holds until the page is left */ }
  showTheme();
});
showTheme();

// `/` goes to the search, as people are used to.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input,select,textarea,dialog")) return;
  event.preventDefault();
  if (filters.hidden) location.hash = address("cases");
  setTimeout(() => filters.elements.q?.focus());
});

buildFilters();
render();
