// ---- The cases: row by row ----

const ROWS_SHOWN = 100;

const MARKS = { pass: "✓", unspecified: "○", "not-supported": "–", "not-run": "?", crash: "!", timeout: "…", error: "!", "protocol-error": "!", fail: "✗" };
const STATUS_NAMES = { pass: "as demanded", fail: "not as demanded", crash: "crashed", timeout: "took too long", "protocol-error": "no answer", error: "failed", "not-supported": "not supported", unspecified: "left open", "not-run": "not run" };

/** A mark for what became of a row. */
function mark(verdict) {
  if (!verdict) return h("span", { class: "mark none", title: "not asked" }, h("span", { class: "hidden" }, "not asked"));
  const { id } = statuses[verdict.status];
  const name = STATUS_NAMES[id] + (verdict.failed ? (verdict.known ? ", known" : ", new") : "");
  const kind = verdict.failed ? (verdict.known ? "known" : "new") : id;
  return h("span", { class: `mark ${kind}`, title: name }, h("span", { "aria-hidden": "true" }, MARKS[id]), h("span", { class: "hidden" }, name));
}

/** What is asked, in a line. */
function question(row) {
  const fact = (label) => row.facts.find(([name]) => name === label)?.[1] ?? "";
  switch (row.kind) {
    case "match": return ["may ", h("b", {}, ...shown(fact("agent"))), " fetch ", h("b", {}, ...shown(clip(pathOf(fact("URL"))))), "?"];
    case "alike": return ["do both files say the same of ", h("b", {}, ...shown(fact("agent"))), " and ", h("b", {}, ...shown(clip(pathOf(fact("URL"))))), "?"];
    case "scope": return ["does ", h("b", {}, ...shown(clip(fact("robots.txt")))), " govern ", h("b", {}, ...shown(clip(fact("URL")))), "?"];
    case "sitemaps": return ["which sitemaps does it name?"];
    case "access": return [h("i", {}, ...shown(clip(row.facts.filter(([name]) => name === "the server").map(([, visit]) => visit).join("; then "))), ": "), "may ", h("b", {}, ...shown(fact("agent"))), " then fetch ", h("b", {}, ...shown(clip(fact("paths")))), "?"];
    case "grammar": return ["does the grammar derive it?"];
    default: return ["asked in somebody else's case"];
  }
}

const clip = (value) => (value.length > 90 ? `${value.slice(0, 90)}…` : value);
const pathOf = (url) => url.replace(/^https?:\/\/example\.com(?=\/)/, "");

/** The rows that are shown: by the filter, and by what came of them. Of some implementations, what fails comes first. */
function casesFound() {
  const of = chosen();
  const column = edition().column;
  const found = rowsFound().filter((row) => rowHasStatus(row, of, column, state.filter.status));
  if (of.length === implementations.length) return found;
  const passes = (row) => !of.some((one) => verdictOf(one, row, column)?.failed);
  return [...found.filter((row) => !passes(row)), ...found.filter(passes)];
}

function casesView() {
  const of = chosen();
  const column = edition().column;
  const found = casesFound();
  count(plural(found.length, "row"));
  replace(head, casesHead(found, of, column));
  if (!found.length) return [nothing()];
  const body = h("tbody", {});
  const line = (row) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: toCase(row) }, ...shown(row.id)), h("span", { class: "asked" }, question(row))),
    h("td", { class: "expected" }, expectation(expectedOf(row, column))),
    of.map((one) => h("td", {}, mark(verdictOf(one, row, column)))));
  const table = h("table", { class: "matrix cases", role: "grid", "aria-label": "Rows" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "corner" }, h("span", {}, "Row")), h("th", { scope: "col", class: "says" }, h("span", {}, edition().id, " says")), names(of))),
    body);
  const more = h("button", { type: "button", class: "more" });
  let next = 0;
  const add = () => {
    const first = next;
    body.append(...found.slice(next, (next += ROWS_SHOWN)).map(line));
    for (const link of body.querySelectorAll("a")) link.tabIndex = -1;
    (body.rows[first]?.querySelector("a") ?? more).tabIndex = 0;
    more.hidden = next >= found.length;
    more.textContent = `Show ${Math.min(ROWS_SHOWN, found.length - next)} more of ${found.length.toLocaleString("en")}`;
    return body.rows[first]?.querySelector("a");
  };
  more.addEventListener("click", () => add()?.focus());
  add();
  roving(table);
  return [scrolling(table, "Rows"), more];
}

function casesHead(found, of, column) {
  const clause = clauseById.get(state.filter.clause);
  if (!state.filter.clause) {
    return [h("h1", {}, "Cases"), h("p", { class: "lede" }, "A row is one question put to all: a file, an agent and a URL, say. ", h("b", {}, "✓"), " is the answer that ", edition().id, " demands, ", h("b", {}, "✗"), " is another; ", h("b", {}, "○"), " where the edition leaves it open, ", h("b", {}, "–"), " where the implementation does not do such things.")];
  }
  const citing = clause ? rows.filter((row) => row.clauseId !== clause.id && row.clauses.includes(clause)).length : 0;
  return [
    h("p", { class: "crumbs" }, h("a", { href: address("cases", "", { ...state.filter, clause: "" }) }, "All cases"), " / ", kinds.find(({ letter }) => letter === clause?.kind)?.title ?? "Clause"),
    h("h1", {}, h("code", {}, ...shown(state.filter.clause))),
    clause ? [h("p", { class: "lede" }, ...prose(clause.statement)), sections(clause)] : null,
    citing ? h("p", {}, "Counted here are the rows that are reported under this clause. ", h("a", { href: address("cases", "", { edition: state.filter.edition, q: clause.id }) }, `${plural(citing, "further row")} cite it too`), ".") : null,
  ];
}

/** Where each edition has a clause. */
function sections(clause) {
  return h("dl", { class: "sections" }, editions.map((one) => h("div", { class: clause.sections[one.column] ? "" : "lacking" },
    h("dt", {}, h("a", { href: address("edition", one.id) }, one.id)),
    h("dd", {}, clause.sections[one.column] ?? "not in this edition"))));
}

/** What is expected, with a colour where it is one of the three answers. */
function expectation(expected) {
  if (expected === null) return h("span", { class: "answer none" }, "not asked");
  const kind = ["allow", "disallow", "unspecified"].includes(expected) ? expected : "other";
  return h("span", { class: `answer ${kind}` }, ...lines(expected));
}
