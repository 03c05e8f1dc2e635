// ---- The cases, row by row ----

const PAGE_OF_ROWS = 100;
/** The rows that are drawn at once while the reader types. The others follow when there is time. */
const ROWS_AT_ONCE = 6;
/** How many rows the list shows, and how many it has to show because the reader went back to it. */
let listed = 0;
let wantedRows = PAGE_OF_ROWS;
const LONGEST_LABEL = 90;

const shorten = (value) => (value.length > LONGEST_LABEL ? `${value.slice(0, LONGEST_LABEL)}…` : value);
const pathOf = (url) => url.replace(/^https?:\/\/example\.com(?=\/)/, "");

/** The query of a row, in a line. */
function queryLine({ check }) {
  if (!check) return "a query of another suite";
  const strong = (value) => h("b", {}, visible(shorten(value)));
  switch (check.op) {
    case "match": return ["may ", strong(check.agent), " fetch ", strong(pathOf(check.url)), "?"];
    case "alike": return ["is the verdict on ", strong(check.agent), " and ", strong(pathOf(check.url)), " the same for both files?"];
    case "scope": return ["does ", strong(check["robots-url"]), " govern ", strong(check.url), "?"];
    case "sitemaps": return ["which sitemaps does the file name?"];
    case "access": return [h("i", {}, visible(shorten(check.visits.map(describeVisit).join("; then "))), ": "), "may ", strong(check.agent), " then fetch ", strong(check.paths.join(" ")), "?"];
    default: return ["does the grammar derive the file?"];
  }
}

/** The rows that pass the filter, results included. Where some implementations are chosen, their failures come first. */
function filteredCases() {
  const chosen = chosenImplementations();
  const edition = currentEdition();
  const found = filteredRows().filter((row) => rowHasStatus(row, chosen, edition, state.filter.status));
  if (chosen.length === implementations.length) return found;
  const fails = (row) => chosen.some((implementation) => isFailure(judgementOf(implementation, row, edition)));
  return [...found.filter(fails), ...found.filter((row) => !fails(row))];
}

/** The table of rows of an edition and some implementations. A search changes only its body. */
let builtList = null;

function buildList(key, chosen, edition) {
  const table = tableOf({ class: "matrix cases", role: "grid", "aria-label": "Rows" },
    [corner("Row"), h("th", { scope: "col", class: "expected" }, h("span", {}, "Expected by ", edition.id)), implementationHeadings(chosen)]);
  table.style.setProperty("--columns", chosen.length);
  addArrowKeys(table);
  const more = button("", () => builtList.showMore(), { class: "more" });
  return { key, body: table.tBodies[0], more, view: [scrolling(table, "Rows"), more] };
}

function casesView() {
  const chosen = chosenImplementations();
  const edition = currentEdition();
  const found = filteredCases();
  showCount(plural(found.length, "row"));
  replace(head, casesHead());
  if (!found.length) return [emptyView()];
  const key = `${edition.id} ${implementationFilter(chosen)}`;
  if (builtList?.key !== key) builtList = buildList(key, chosen, edition);
  const { body, more } = builtList;
  body.replaceChildren();
  listed = 0;
  const line = (row) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: rowAddress(row), tabindex: "-1" }, visible(row.id)), h("span", { class: "query" }, queryLine(row))),
    h("td", { class: "expected" }, answerLabel(row.expectedText[edition.id])),
    chosen.map((implementation) => h("td", {}, resultMark(judgementOf(implementation, row, edition)))));
  /** Shows rows up to a number, and returns the link of the first new one. */
  const showUpTo = (count) => {
    const first = listed;
    body.append(...found.slice(first, count).map(line));
    listed = body.rows.length;
    more.hidden = listed === found.length;
    more.textContent = `Show ${Math.min(PAGE_OF_ROWS, found.length - listed)} more of ${found.length.toLocaleString("en")}`;
    return body.rows[first].querySelector("a");
  };
  builtList.showMore = () => {
    const link = showUpTo(listed + PAGE_OF_ROWS);
    for (const other of body.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    link.tabIndex = 0;
    link.focus();
  };
  const goal = Math.min(found.length, Math.max(PAGE_OF_ROWS, wantedRows));
  const isTyping = document.activeElement === filters.elements.q;
  const firstLink = showUpTo(isTyping ? ROWS_AT_ONCE : goal);
  for (const link of body.closest("table").tHead.querySelectorAll("a")) link.tabIndex = -1;
  firstLink.tabIndex = 0;
  const last = body.lastElementChild;
  const showRest = (before) => {
    // Another search has replaced the rows, or the reader has gone elsewhere.
    if (!before.isConnected || listed >= goal) return;
    showUpTo(Math.min(goal, listed + ROWS_AT_ONCE));
    setTimeout(showRest, 30, before);
  };
  if (isTyping) setTimeout(showRest, 250, last);
  return builtList.view;
}

function casesHead() {
  const edition = currentEdition();
  const { clause: id } = state.filter;
  if (!id) {
    const bold = (mark) => h("b", {}, mark);
    return [h("h1", {}, "Cases"), h("p", { class: "lede" }, "A row is one query to all implementations, for example a file, an agent and a URL. ", bold("✓"), " marks the answer that ", edition.id, " requires, and ", bold("✗"), " any other; ", bold("△"), ": the edition only recommends another answer; ", bold("○"), ": the edition does not specify the answer; ", bold("–"), ": the implementation does not support such queries.")];
  }
  const clause = clauseById.get(id);
  const citing = rows.filter((row) => row.clauseId !== id && row.clauses.includes(clause)).length;
  return [
    h("p", { class: "crumbs" }, h("a", { href: address("cases", "", { ...state.filter, clause: "" }) }, "All cases"), " / ", kinds.find((kind) => kind.id === clause?.kind)?.title ?? "Clause"),
    h("h1", {}, h("code", {}, visible(id))),
    clause ? [h("p", { class: "lede" }, prose(clause.statement)), sectionList(clause)] : null,
    citing ? h("p", {}, "This list has the rows that are reported under this clause. ", h("a", { href: address("cases", "", { edition: state.filter.edition, q: id }) }, citing === 1 ? "1 other row also cites it" : `${citing} other rows also cite it`), ".") : null,
  ];
}

/** The section of each edition that has the clause. */
function sectionList(clause) {
  return h("dl", { class: "sections" }, editions.map(({ id }) => h("div", { class: clause.sections[id] ? "" : "lacking" },
    h("dt", {}, h("a", { href: address("edition", id) }, id)),
    h("dd", {}, sectionLinks(id, clause.sections[id]) ?? "not in this edition", levelMark(clause.levels?.[id])))));
}

/** A mark for a level at which an edition does not require something. */
const levelMark = (level) => (level ? ` (${level})` : "");
