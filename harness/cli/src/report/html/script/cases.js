// ---- The cases, row by row ----

const PAGE_OF_ROWS = 100;
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

function casesView() {
  const chosen = chosenImplementations();
  const edition = currentEdition();
  const found = filteredCases();
  showCount(plural(found.length, "row"));
  replace(head, casesHead());
  if (!found.length) return [emptyView()];
  const line = (row) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: rowAddress(row) }, visible(row.id)), h("span", { class: "query" }, queryLine(row))),
    h("td", { class: "expected" }, answerLabel(row.expectedText[edition.id])),
    chosen.map((implementation) => h("td", {}, resultMark(judgementOf(implementation, row, edition)))));
  const table = tableOf({ class: "matrix cases", role: "grid", "aria-label": "Rows" },
    [corner("Row"), h("th", { scope: "col", class: "expected" }, h("span", {}, "Expected by ", edition.id)), implementationHeadings(chosen)]);
  const body = table.tBodies[0];
  let shown = 0;
  /** Shows the next rows, and returns the link of the first. */
  const showMore = () => {
    const first = shown;
    body.append(...found.slice(first, first + PAGE_OF_ROWS).map(line));
    shown = Math.min(first + PAGE_OF_ROWS, found.length);
    for (const link of body.querySelectorAll("a")) link.tabIndex = -1;
    const link = body.rows[first].querySelector("a");
    link.tabIndex = 0;
    more.hidden = shown === found.length;
    more.textContent = `Show ${Math.min(PAGE_OF_ROWS, found.length - shown)} more of ${found.length.toLocaleString("en")}`;
    return link;
  };
  const more = button("", () => showMore().focus(), { class: "more" });
  showMore();
  addArrowKeys(table);
  return [scrolling(table, "Rows"), more];
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
