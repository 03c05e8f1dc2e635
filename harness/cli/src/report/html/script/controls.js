// ---- The filter ----

const filters = document.getElementById("filters");

function option(value, label, current) {
  return h("option", { value, selected: value === current }, label);
}

/** Builds the filter once; afterwards it is kept in step with the address. */
function buildFilters() {
  const { filter } = state;
  const labelled = (label, control, kind = "") => h("label", { class: `field ${kind}` }, h("span", {}, label), control);
  replace(filters,
    labelled("Edition", h("select", { name: "edition" }, judging.map(({ id }) => option(id, id, filter.edition)))),
    labelled("Result", h("select", { name: "status" }, STATUS_FILTERS.map(([value, label]) => option(value, label, filter.status)))),
    labelled("Search", h("input", { name: "q", type: "search", value: filter.q, placeholder: "clause, case, agent, URL, line of a file", autocomplete: "off", spellcheck: "false" }), "wide"),
    h("details", { class: "picker" },
      h("summary", {}, h("span", { id: "picked" }, "")),
      h("fieldset", {},
        h("legend", { class: "hidden" }, "Implementations"),
        h("div", { class: "buttons" },
          h("button", { type: "button", onclick: () => pickAll(true) }, "All"),
          h("button", { type: "button", onclick: () => pickAll(false) }, "None")),
        implementations.map((one) => h("label", {}, h("input", { type: "checkbox", name: "impl", value: one.key, checked: chosen().includes(one) }), ...shown(one.key))))),
    h("button", { type: "reset", class: "quiet" }, "Reset"),
    h("fieldset", { class: "kinds" },
      h("legend", {}, "Kinds of clauses"),
      kinds.filter(({ letter }) => rows.some((row) => row.clauseId[0] === letter)).map(({ letter, title }) =>
        h("label", { class: "chip" }, h("input", { type: "checkbox", name: "kind", value: letter, checked: filter.kind.includes(letter) }), title))));
}

function pickAll(checked) {
  for (const box of filters.querySelectorAll('[name="impl"]')) box.checked = checked;
  takeFilters();
}

/** Reads the filter from its controls into the address. */
function takeFilters() {
  const of = (name) => [...filters.querySelectorAll(`[name="${name}"]:checked`)].map(({ value }) => value);
  const keys = of("impl");
  const picked = keys.length ? implementations.filter(({ key }) => keys.includes(key)) : implementations;
  const { edition: id, q, status: wanted } = filters.elements;
  const filter = { ...state.filter, edition: id.value, q: q.value.trim(), status: wanted.value, kind: of("kind").join(""), impl: implFilter(picked) };
  history.replaceState(null, "", address(state.view, state.argument, filter));
  state = parse(location.hash);
  render();
}

/** Shows the filter of the address. */
function showFilters() {
  filters.hidden = !FILTERED.includes(state.view) || !rows.length;
  const { filter } = state;
  const { edition: id, q, status: wanted } = filters.elements;
  if (!id) return;
  id.value = filter.edition;
  if (document.activeElement !== q) q.value = filter.q;
  wanted.value = filter.status;
  const keys = chosen().map(({ key }) => key);
  // Where none is ticked, all are shown: nobody wants to look at nothing.
  const none = document.activeElement?.name === "impl" || document.activeElement?.closest?.(".picker .buttons");
  for (const box of filters.querySelectorAll('[name="impl"]')) if (!none || filter.impl) box.checked = keys.includes(box.value);
  for (const box of filters.querySelectorAll('[name="kind"]')) box.checked = filter.kind.includes(box.value);
  document.getElementById("picked").textContent = keys.length === implementations.length ? `All ${plural(keys.length, "implementation")}` : `${keys.length} of ${plural(implementations.length, "implementation")}`;
}

filters.addEventListener("input", takeFilters);
filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("reset", (event) => {
  event.preventDefault();
  location.hash = address(state.view);
});
// A list that was opened is closed by Escape, and by a click elsewhere.
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
