// ---- The cases, row by row ----

const PAGE_OF_ROWS = 100;
/** The rows that are drawn at once, which fill a screen. The others follow after the next frame. */
const ROWS_AT_ONCE = 8;
/** How long the others wait while the reader types, in milliseconds. */
const TYPING = 300;
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

/**
 * The weight of a row in the list: by how many implementations violate the edition, then by how many depart from its
 * recommendations, then by how many are flaky. Where there are none, 0, or -1 where none supports the query, apart from
 * the reference, which supports all.
 */
function weigh(row, chosen, edition) {
  const counts = emptyCounts();
  let [isJudged, isSupported] = [false, false];
  for (const implementation of chosen) {
    if (!judgementOf(implementation, row, edition)) continue;
    const { result } = resultOf(implementation, row, edition);
    counts[result] += 1;
    if (isReference(implementation)) continue;
    isJudged = true;
    isSupported ||= result !== "unsupported";
  }
  const weight = [counts.violations, counts.departures, counts.flaky].reduce((sum, count) => sum * (implementations.length + 1) + count);
  return weight || (isJudged && !isSupported ? -1 : 0);
}

/** The weights of all rows, by edition and implementations. The other filters do not change them. */
const weights = new Map();
function rowOrder(chosen, edition) {
  const key = `${edition.id} ${implementationFilter(chosen)}`;
  if (!weights.has(key)) weights.set(key, rows.map((row) => weigh(row, chosen, edition)));
  return weights.get(key);
}

/** The results in the order in which a column starts with them. */
const SEVERITY = ["violations", "departures", "flaky", "missing", "unspecified", "pass", "unsupported"];

/** Compares rows by the chosen column: their ids, their expectations, or the results of an implementation. */
function compareRows(edition) {
  const { column, isDescending } = sorting();
  const implementation = implementations.find(({ key }) => column === `result:${key}`);
  const of = implementation ? (row) => SEVERITY.indexOf(resultOf(implementation, row, edition).result)
    : { row: ({ id }) => id, expected: ({ expectedText }) => expectedText[edition.id] }[column];
  return (a, b) => (of ? (isDescending ? -1 : 1) * compare(of(a), of(b)) : 0);
}

/** The rows that pass the filter, results included, in the order of the list. */
function filteredCases() {
  const chosen = chosenImplementations();
  const edition = currentEdition();
  const found = filteredRows().filter((row) => rowHasStatus(row, chosen, edition, state.filter.status));
  const order = rowOrder(chosen, edition);
  const byColumn = compareRows(edition);
  // Rows that none fails, and those that none supports, stay last.
  const part = ({ index }) => Math.min(order[index], 1);
  return found.sort((a, b) => part(b) - part(a) || byColumn(a, b) || order[b.index] - order[a.index]);
}

/** The implementations in the order of the ranking, in which the matrix has them. */
function inRankOrder(chosen, edition) {
  const { ranked, reference, elsewhere } = rank(chosen, edition);
  const inOrder = [...ranked, ...reference].map(({ implementation }) => implementation);
  return [...new Set([...inOrder, ...elsewhere.map(({ implementation }) => implementation), ...chosen])];
}

/** The table of rows of an edition and some implementations. A filter selects other lines of its body. */
let builtList = null;

function buildList(key, chosen, edition) {
  const columns = inRankOrder(chosen, edition);
  const table = tableOf({ class: "matrix cases", role: "grid", "aria-label": "Rows" },
    [sortHeading("row", "Row", { class: "corner" }), sortHeading("expected", `Expected in ${edition.id}`, { class: "expected" }),
      columns.map((implementation) => {
        const heading = sortHeading(`result:${implementation.key}`, visible(implementation.key), { title: [implementation.name, implementation.version].filter(Boolean).join(" ") });
        heading.append(...[faultMark(implementation)].filter(isShown));
        return heading;
      })]);
  table.style.setProperty("--columns", columns.length);
  addArrowKeys(table);
  const more = button("", () => builtList.showMore(), { class: "more" });
  /** The line of a row, which stays the same while the filter changes. */
  const lineOf = once((row) => h("tr", {},
    h("th", { scope: "row" }, h("a", { tabindex: "-1" }, visible(row.id)), h("span", { class: "query" }, queryLine(row))),
    h("td", { class: "expected" }, answerLabel(row.expectedText[edition.id])),
    columns.map((implementation) => h("td", {}, resultMark(judgementOf(implementation, row, edition))))));
  return { key, lineOf, body: table.tBodies[0], more, view: [scrolling(table, "Rows"), more] };
}

function casesView() {
  const chosen = chosenImplementations();
  const edition = currentEdition();
  const found = filteredCases();
  const order = rowOrder(chosen, edition);
  // A search shows all that it finds.
  const failing = state.filter.q ? 0 : found.findLastIndex(({ index }) => order[index] > 0) + 1;
  const folded = found.length - failing;
  showCount(failing && folded ? `${grouped(folded)} that no selected implementation fails, of ${plural(found.length, "row")}` : plural(found.length, "row"));
  showHead(casesHead());
  if (!found.length) return [emptyView()];
  const key = `${edition.id} ${implementationFilter(chosen)}`;
  if (builtList?.key !== key) builtList = buildList(key, chosen, edition);
  const { body, more, lineOf } = builtList;
  showSorting(body.parentElement, sorting());
  body.replaceChildren();
  listed = 0;
  const line = (row) => {
    const shown = lineOf(row);
    const link = shown.querySelector("a");
    link.href = rowAddress(row);
    link.tabIndex = -1;
    return shown;
  };
  /** Shows rows up to a number, and returns the link of the first new one. */
  const showUpTo = (count) => {
    const first = listed;
    body.append(...found.slice(first, count).map(line));
    listed = body.rows.length;
    more.hidden = listed === found.length;
    more.textContent = listed === failing ? `Show rows that no selected implementation fails: ${grouped(folded)}`
      : `Show ${Math.min(PAGE_OF_ROWS, (listed < failing ? failing : found.length) - listed)} more of ${grouped(listed < failing ? failing : found.length)}`;
    return body.rows[first].querySelector("a");
  };
  builtList.showMore = () => {
    const link = showUpTo(listed < failing ? Math.min(failing, listed + PAGE_OF_ROWS) : listed + PAGE_OF_ROWS);
    for (const other of body.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    link.tabIndex = 0;
    link.focus();
  };
  function* showRest(goal) {
    while (listed < goal) {
      showUpTo(Math.min(goal, listed + ROWS_AT_ONCE));
      yield;
    }
  }
  // A reader who goes back to the list finds the rows that were shown there.
  const goal = Math.min(wantedRows > PAGE_OF_ROWS || !failing ? found.length : failing, Math.max(PAGE_OF_ROWS, wantedRows));
  const firstLink = showUpTo(Math.min(goal, ROWS_AT_ONCE));
  for (const link of body.closest("table").tHead.querySelectorAll("button")) if (link !== document.activeElement) link.tabIndex = -1;
  firstLink.tabIndex = 0;
  // A reader who types on need not wait for rows that the next letter removes.
  if (listed < goal) later(view, showRest(goal), document.activeElement === filters.elements.q ? TYPING : 0);
  return builtList.view;
}

function casesHead() {
  const edition = currentEdition();
  const { clause: id } = state.filter;
  if (!id) {
    const bold = (mark) => h("b", {}, mark);
    return [h("h1", {}, "Cases"), h("p", { class: "lede" }, "A row is one query to all implementations, for example a file, an agent and a URL. The first rows are those that most implementations violate; rows that none fails are folded. ", bold("✓"), " marks the answer that is expected in ", edition.id, ", and ", bold("✗"), " any other; ", bold("△"), ": the edition only recommends another answer; ", bold("○"), ": the edition does not specify the answer; ", bold("–"), ": the implementation does not support such queries.")];
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
