// ---- The controls of the filter ----

const filters = document.getElementById("filters");

/** The sentence that names the edition, which stays in sight. */
const judge = document.getElementById("judge");

const option = (value, label, current) => h("option", { value, selected: value === current }, label);
const chips = document.getElementById("chips");
const notices = document.getElementById("notices");
/** The views that depend on the edition and on no other filter. */
const JUDGING = ["implementations", "implementation"];
const boxes = (name) => [...filters.querySelectorAll(`[name="${name}"]`)];

/** Builds the controls once. Afterwards the address sets their values. */
function buildFilters() {
  const { filter } = state;
  const labelled = (label, control, kind = "") => h("label", { class: `field ${kind}` }, h("span", {}, label), control);
  const usedKinds = kinds.filter(({ id }) => rows.some((row) => row.clauseId[0] === id));
  replace(judge, h("span"),
    h("select", { name: "edition", form: "filters", "aria-label": "Edition" }, judgingEditions.map((edition) => option(edition.id, shortTitle(edition), filter.edition))));
  replace(filters,
    labelled("Result", h("select", { name: "status" }, STATUS_FILTERS.map(([value, label]) => option(value, label, filter.status)))),
    labelled("Search", h("input", { name: "q", type: "search", value: filter.q, placeholder: "clause, case, agent, URL, line of a file", autocomplete: "off", spellcheck: "false" }), "wide"),
    h("details", { class: "picker" },
      h("summary", {}, h("span", { id: "picked" }, "")),
      h("fieldset", {},
        h("legend", { class: "hidden" }, "Implementations"),
        h("div", { class: "buttons" }, button("All", () => chooseAll(true)), button("None", () => chooseAll(false))),
        implementations.map((implementation) => h("label", {}, h("input", { type: "checkbox", name: "impl", value: implementation.key, checked: chosenImplementations().includes(implementation) }), visible(implementation.key))))),
    h("button", { type: "reset", class: "quiet" }, "Reset"),
    h("fieldset", { class: "kinds" },
      h("legend", {}, "Kinds of clauses"),
      usedKinds.map(({ id, title }) => h("label", { class: "chip" }, h("input", { type: "checkbox", name: "kind", value: id, checked: filter.kind.includes(id) }), title))));
}

function chooseAll(checked) {
  for (const box of boxes("impl")) box.checked = checked;
  readFilters();
}

/** Moves the values of the controls into the address. */
function readFilters() {
  const checked = (name) => boxes(name).filter((box) => box.checked).map(({ value }) => value);
  const keys = checked("impl");
  const chosen = keys.length ? implementations.filter(({ key }) => keys.includes(key)) : implementations;
  const { edition, q, status } = filters.elements;
  const filter = { ...state.filter, edition: edition.value, q: q.value.trim(), status: status.value, kind: checked("kind").join(""), impl: implementationFilter(chosen) };
  replaceAddress(address(state.view, state.argument, filter));
}

/** Shows another address in place of the current entry of the history. */
function replaceAddress(to) {
  history.replaceState(history.state, "", to);
  state = parseAddress(location.hash);
  render();
}

/** The active filters: what each is, and the filter without it. */
function activeFilters() {
  const { filter } = state;
  const named = namedKeys();
  const without = (key, value) => ({ ...filter, [key]: value });
  const statusName = STATUS_FILTERS.find(([value]) => value === filter.status)?.[1] ?? filter.status;
  return [
    filter.q && [`Search: ${filter.q}`, without("q", "")],
    ...[...filter.kind].map((kind) => [`Kind: ${kinds.find(({ id }) => id === kind)?.title ?? kind}`, without("kind", filter.kind.replace(kind, ""))]),
    filter.clause && [`Clause: ${filter.clause}`, without("clause", "")],
    filter.status && [`Result: ${statusName}`, without("status", "")],
    ...(named.length > 3 ? [[plural(named.length, "implementation"), without("impl", "")]]
      : named.map((key) => [`Implementation: ${key}`, without("impl", named.filter((other) => other !== key).map(encodeURIComponent).join(","))])),
  ].filter(Boolean);
}

/** Shows each active filter as a button that removes it, and reports names that the results do not have. */
function showActiveFilters() {
  const isFiltered = FILTERED.includes(state.view);
  replace(chips, (isFiltered ? activeFilters() : []).map(([label, filter]) => h("li", {},
    button([visible(label), h("span", { "aria-hidden": "true" }, " ×")], () => { replaceAddress(address(state.view, state.argument, filter)); (chips.querySelector("button") ?? document.getElementById("main")).focus(); }, { class: "chip", "aria-label": `Remove the filter: ${label}` }))));
  replace(notices, unknownNames().map(([says, name]) => h("p", {}, `${says} `, h("code", {}, visible(name)), ".")));
}

/** Moves the filter of the address into the controls. */
function showFilters() {
  filters.hidden = !FILTERED.includes(state.view) || !rows.length;
  judge.hidden = ![...FILTERED, ...JUDGING].includes(state.view) || !rows.length;
  document.documentElement.classList.toggle("judged", !judge.hidden);
  showActiveFilters();
  const { filter } = state;
  const { edition, q, status } = filters.elements;
  if (!edition) return;
  edition.value = filter.edition;
  judge.firstChild.textContent = `${plural(contestants().filter((implementation) => isJudgedBy(implementation, currentEdition())).length, "implementation")}, judged by `;
  if (document.activeElement !== q) q.value = filter.q;
  status.value = filter.status;
  const keys = chosenImplementations().map(({ key }) => key);
  // While the reader ticks boxes, no box changes by itself, although all implementations are shown when no box is ticked.
  const isTicking = document.activeElement?.name === "impl" || document.activeElement?.closest?.(".picker .buttons");
  for (const box of boxes("impl")) if (!isTicking || filter.impl) box.checked = keys.includes(box.value);
  for (const box of boxes("kind")) box.checked = filter.kind.includes(box.value);
  document.getElementById("picked").textContent = keys.length === implementations.length ? `All ${plural(keys.length, "implementation")}` : `${keys.length} of ${plural(implementations.length, "implementation")}`;
}

for (const controls of [filters, judge]) controls.addEventListener("input", readFilters);
filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("reset", (event) => {
  event.preventDefault();
  location.hash = address(state.view);
});
// Escape, or a click elsewhere, closes the list of implementations.
document.addEventListener("click", ({ target }) => {
  for (const open of document.querySelectorAll("details.picker[open]")) if (!open.contains(target)) open.open = false;
});
filters.addEventListener("keydown", (event) => {
  const open = filters.querySelector("details.picker[open]");
  if (event.key === "Escape" && open) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});
