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
 * How many implementations give another answer than most; -1 where none supports the query, apart from the reference,
 * which supports all.
 */
function dissent(row, chosen, edition) {
  const answers = new Map();
  let [answered, most, isSupported, isJudged] = [0, 0, false, false];
  for (const implementation of chosen) {
    const judgement = judgementOf(implementation, row, edition);
    if (!judgement) continue;
    const isUnsupported = judgement.status === "not-supported";
    if (!isReference(implementation)) {
      isJudged = true;
      isSupported ||= !isUnsupported;
    }
    if (isUnsupported || judgement.status === "not-run") continue;
    const count = (answers.get(judgement.text) ?? 0) + 1;
    answers.set(judgement.text, count);
    answered += 1;
    most = Math.max(most, count);
  }
  return isJudged && !isSupported ? -1 : answered - most;
}

/** The weight of a row in the list. Rows whose answer the edition specifies outweigh all others. */
function weigh(row, chosen, edition) {
  const weight = dissent(row, chosen, edition);
  const expected = row.expected[edition.id];
  return weight >= 0 && expected && !isWhollyUnspecified(expected) ? weight + implementations.length : weight;
}

/** The weights of rows in the list, by edition, for all implementations. */
const weightsOfAll = once((edition) => rows.map((row) => weigh(row, implementations, edition)));

/** The weights for the chosen implementations. The rows that they fail come first. */
function weightsOfChosen(chosen, edition) {
  return rows.map((row) => {
    const weight = weigh(row, chosen, edition);
    const fails = weight >= 0 && chosen.some((implementation) => isFailure(judgementOf(implementation, row, edition)));
    return weight + (fails ? 2 * implementations.length : 0);
  });
}

/** The weights of the last selection. */
let weighed = null;

/**
 * Orders rows: first the failures of the implementations, if some are chosen, then those whose answer the edition
 * specifies, then those on which most implementations disagree, and last those that none supports. The other filters do
 * not change the order.
 */
function rowOrder(chosen, edition) {
  if (chosen.length === implementations.length) return weightsOfAll(edition);
  const key = `${edition.id} ${implementationFilter(chosen)}`;
  if (weighed?.key !== key) weighed = { key, weights: weightsOfChosen(chosen, edition) };
  return weighed.weights;
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
  const weights = rowOrder(chosen, edition);
  const byColumn = compareRows(edition);
  const isLast = ({ index }) => weights[index] < 0;
  return found.sort((a, b) => isLast(a) - isLast(b) || byColumn(a, b) || weights[b.index] - weights[a.index]);
}

/** The implementations in the order of the ranking, in which the matrix has them. */
function inRankOrder(chosen, edition) {
  const { ranked, reference, elsewhere } = rank(chosen, edition);
  const inOrder = [...ranked, ...reference].map(({ implementation }) => implementation);
  return [...inOrder, ...elsewhere, ...chosen.filter((implementation) => !inOrder.includes(implementation) && !elsewhere.includes(implementation))];
}

/** The table of rows of an edition and some implementations. A filter selects other lines of its body. */
let builtList = null;

function buildList(key, chosen, edition) {
  const columns = inRankOrder(chosen, edition);
  const table = tableOf({ class: "matrix cases", role: "grid", "aria-label": "Rows" },
    [sortHeading("row", "Row", { class: "corner" }), sortHeading("expected", `Expected by ${edition.id}`, { class: "expected" }),
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
  const weights = rowOrder(chosen, edition);
  const supported = found.findLastIndex(({ index }) => weights[index] >= 0) + 1;
  const folded = found.length - supported;
  showCount(supported && folded ? `${grouped(folded)} that no implementation supports, of ${plural(found.length, "row")}` : plural(found.length, "row"));
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
    more.textContent = listed === supported ? `Show rows that no implementation supports: ${grouped(folded)}`
      : `Show ${Math.min(PAGE_OF_ROWS, (listed < supported ? supported : found.length) - listed)} more of ${grouped(listed < supported ? supported : found.length)}`;
    return body.rows[first].querySelector("a");
  };
  builtList.showMore = () => {
    const link = showUpTo(listed < supported ? Math.min(supported, listed + PAGE_OF_ROWS) : listed + PAGE_OF_ROWS);
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
  const goal = Math.min(wantedRows > PAGE_OF_ROWS || !supported ? found.length : supported, Math.max(PAGE_OF_ROWS, wantedRows));
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
    return [h("h1", {}, "Cases"), h("p", { class: "lede" }, "A row is one query to all implementations, for example a file, an agent and a URL. The first rows are those whose answer the edition specifies and on which most implementations disagree. ", bold("✓"), " marks the answer that ", edition.id, " requires, and ", bold("✗"), " any other; ", bold("△"), ": the edition only recommends another answer; ", bold("○"), ": the edition does not specify the answer; ", bold("–"), ": the implementation does not support such queries.")];
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
