// ---- From the address to a view ----

const title = document.getElementById("title");
const head = document.getElementById("head");

/** Shows the title of a view above the sentence that names the edition, and the rest of its head below. */
function showHead(...nodes) {
  const all = nodes.flat(Infinity).filter(isShown);
  const end = all.findIndex(({ tagName }) => tagName === "H1") + 1;
  replace(title, all.slice(0, end));
  replace(head, all.slice(end));
}

const view = document.getElementById("view");
const counter = document.getElementById("count");
const showCount = (text) => { counter.textContent = text; };

const VIEWS = {
  matrix: matrixView, cases: casesView, implementations: implementationsView, implementation: implementationView,
  editions: editionsView, edition: editionView,
};

const TITLES = { matrix: "Matrix", cases: "Cases", implementations: "Implementations", editions: "Editions" };
const TABS = { implementation: "implementations", edition: "editions" };

/** The view below the panel of a row. */
let under = { ...state, view: "matrix", argument: "" };
/** Whether the entry before that of the row in the history is the view below the panel. */
let isOpenedFromView = false;
let drawn = "";

/** What the view of the address is about. */
function subject() {
  const { view: name, argument, filter } = state;
  if (name === "cases" && filter.clause) return filter.clause;
  return argument || TITLES[name];
}

/** Shows the view of the address. Returns whether it draws another view. */
function render() {
  const before = drawn;
  if (state.view === "case") {
    if (!drawn) {
      const { edition, ...filter } = state.filter;
      under = { ...state, view: Object.values(filter).some(Boolean) ? "cases" : "matrix", argument: "" };
      draw(under);
    }
    showRow();
  } else {
    under = state;
    if (panel.open) panel.close();
    draw(state);
  }
  document.title = `${[...new Set([subject(), currentEdition().id])].join(", ")} · robotspec report`;
  return drawn !== before;
}

/** Draws a view, unless it is already there. */
function draw(wanted) {
  const before = state;
  state = wanted;
  const key = [address(wanted.view, wanted.argument, wanted.filter), ...wanted.mistakes].join(" ");
  if (key !== drawn) {
    dropWork(view);
    showFilters();
    replace(view, VIEWS[state.view]());
    for (const link of document.querySelectorAll("nav a")) {
      const isCurrent = link.dataset.view === (TABS[state.view] ?? state.view);
      if (isCurrent) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      link.href = address(link.dataset.view, "", FILTERED.includes(link.dataset.view) ? { ...state.filter, clause: "", sort: "" } : {});
    }
    document.querySelector(".brand").href = address("matrix");
  }
  drawn = key;
  state = before;
}

// ---- The history: an entry keeps how far the reader has scrolled ----

history.scrollRestoration = "manual";
/** What the entry that the browser goes to has kept; null where the entry is new. */
let kept = history.state;
let keeping = 0;

const scrolledRegion = () => view.querySelector(".scroll:not(.fits)");

/** The lines of a table, whose heights are estimates until the lines were in sight. */
const tableLines = () => [...view.querySelectorAll(".matrix tbody tr")];

/** The line in the middle of the screen, if there is one: its place among the lines, and how far it is from the top. */
function middleLine() {
  // To measure lines that are out of sight, the browser would have to lay them out.
  const line = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("#view .matrix tbody tr");
  return line ? [tableLines().indexOf(line), line.getBoundingClientRect().top] : null;
}

function keepPosition() {
  clearTimeout(keeping);
  const region = scrolledRegion();
  history.replaceState({ scroll: scrollY, region: region && [region.scrollLeft, region.scrollTop], rows: listed, line: middleLine() }, "");
}

/** Scrolls to where the reader was in this entry. */
function restorePosition({ scroll, region, line }) {
  finishWork();
  // What is out of sight has its height only once it was laid out.
  view.classList.add("whole");
  scrollTo(0, scroll);
  if (region) scrolledRegion()?.scrollTo(...region);
  const found = line && tableLines()[line[0]];
  if (found) (scrolledRegion() ?? document.scrollingElement).scrollTop += found.getBoundingClientRect().top - line[1];
  requestAnimationFrame(() => setTimeout(() => view.classList.remove("whole")));
}

document.addEventListener("scroll", () => {
  clearTimeout(keeping);
  keeping = setTimeout(keepPosition, 150);
}, { capture: true, passive: true });
document.addEventListener("click", ({ target }) => { if (target.closest?.("a[href^='#']")) keepPosition(); }, { capture: true });
addEventListener("popstate", (event) => {
  clearTimeout(keeping);
  kept = event.state;
});

// The address selects the view, so this link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});

addEventListener("hashchange", () => {
  const wasView = state.view !== "case";
  state = parseAddress(location.hash);
  // A view below the panel of a row has not moved.
  const isUncovered = !wasView && isOpenedFromView;
  isOpenedFromView = state.view === "case" && wasView && !kept;
  wantedRows = kept?.rows ?? PAGE_OF_ROWS;
  const isOther = render();
  if (state.view !== "case") {
    if (kept && (isOther || !isUncovered)) {
      restorePosition(kept);
    } else if (isOther) {
      scrollTo(0, 0);
      document.getElementById("main").focus({ preventScroll: true });
    }
  }
  kept = null;
});

// `/` focuses the search, as on many web sites.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input,select,textarea,dialog")) return;
  event.preventDefault();
  if (filters.hidden) location.hash = address("cases");
  setTimeout(() => filters.elements.q?.focus());
});

buildFilters();
wantedRows = kept?.rows ?? PAGE_OF_ROWS;
render();
finishWork();
if (kept) restorePosition(kept);
kept = null;
document.documentElement.classList.add("ready");

prepare();
