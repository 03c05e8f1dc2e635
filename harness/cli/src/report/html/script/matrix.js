// ---- The matrix: implementations by clauses ----

/** The class of a cell. */
function heat({ pass, judged, unspecified, unsupported, sum }) {
  if (!sum) return "absent";
  if (!judged) return unspecified && unspecified >= unsupported ? "unspecified" : unsupported ? "not-supported" : "missing";
  if (pass === judged) return "full";
  const part = pass / judged;
  return part >= 0.9 ? "most" : part >= 0.6 ? "many" : part >= 0.2 ? "some" : "few";
}

const HEAT_LABELS = { absent: "", unspecified: "○", "not-supported": "–", missing: "?", full: "✓" };

const heatLabel = (kind, { pass, judged }) => HEAT_LABELS[kind] ?? String(Math.floor((pass / judged) * 100));

/** The accessible name of a link. It contains the visible label, as WCAG 2.5.3 requires. */
const accessibleName = (label, description) => (/^\d/.test(label) ? `${label} %, ${description}` : description);

/** The numbers of violations and of departures from recommendations, where there are some. */
function failureCounts({ violations, departures }) {
  return [violations && plural(violations, "violation"), departures && plural(departures, "departure")].filter(Boolean);
}

function describeCounts(counts, subject) {
  const parts = [];
  if (counts.judged) parts.push(`${counts.pass} of ${counts.judged} rows as ${currentEdition().id} requires`);
  if (counts.fail) parts.push(failureCounts(counts).join(", "));
  if (counts.fail) parts.push(counts.new ? `${plural(counts.new, "new failure")}` : "all failures are known");
  if (counts.unspecified) parts.push(`${counts.unspecified} not specified`);
  if (counts.flaky) parts.push(`${counts.flaky} flaky`);
  if (counts.unsupported) parts.push(`${counts.unsupported} not supported`);
  if (counts.missing) parts.push(`${counts.missing} not run`);
  return `${subject}: ${parts.join("; ") || "no rows"}`;
}

function clauseCell(implementation, clauseId, counts, isDimmed) {
  const kind = heat(counts);
  const label = heatLabel(kind, counts);
  const classes = `heat ${kind}${counts.new ? " new" : ""}${isDimmed ? " dimmed" : ""}`;
  if (kind === "absent") return h("td", { class: classes });
  const description = describeCounts(counts, `${implementation.key}, ${clauseId}`);
  const href = address("cases", "", { ...state.filter, clause: clauseId, impl: implementationFilter([implementation]) });
  return h("td", { class: classes }, h("a", { href, title: description, "aria-label": accessibleName(label, description) }, label));
}

function matrixView() {
  const chosen = chosenImplementations();
  const edition = currentEdition();
  const wanted = state.filter.status;
  const byClause = Map.groupBy(filteredRows(), ({ clauseId }) => clauseId);
  const otherClauses = [...byClause.keys()].filter((id) => !clauseById.has(id)).map((id) => ({ id, statement: "" }));
  const groups = [...kinds.map(({ id, title }) => ({ title, clauses: clauses.filter(({ kind }) => kind === id) })), { title: "Other suites", clauses: otherClauses }]
    .map(({ title, clauses: group }) => ({
      title,
      clauses: group.filter(({ id }) => byClause.has(id) && (!wanted || byClause.get(id).some((row) => rowHasStatus(row, chosen, edition, wanted)))),
    }))
    .filter((group) => group.clauses.length);
  const shownClauses = groups.flatMap((group) => group.clauses);
  const shownRows = shownClauses.flatMap(({ id }) => byClause.get(id));
  showCount(`${plural(shownClauses.length, "clause")}, ${plural(shownRows.length, "row")}`);
  replace(head, introduction());
  if (!shownClauses.length) return [emptyView()];
  return [scoreboard(chosen, shownRows, edition), h("h2", {}, "Results by clause"), legend(), clauseTable(groups, byClause, chosen, edition, wanted), variantTable(chosen, edition)];
}

function introduction() {
  return [
    h("h1", {}, "How implementations read robots.txt"),
    h("p", { class: "lede" }, `${plural(implementations.length, "implementation")} answered queries about what a crawler may fetch. Their answers are compared with `, h("a", { href: address("edition", currentEdition().id) }, currentEdition().title), ". A row is one query, for example a file, an agent and a URL. The numbers are the percentage of rows that an implementation answers as the edition requires. Rows whose answer the edition does not specify are not counted."),
  ];
}

/** The scores of the implementations, over all rows that are shown. */
function scoreboard(chosen, shownRows, edition) {
  const scored = chosen.map((implementation) => [implementation, tally(implementation, shownRows, edition)]);
  const items = scored.map(([implementation, counts]) => h("li", {},
    h("a", { href: implementationAddress(implementation) }, visible(implementation.name), implementation.version ? h("span", { class: "version" }, visible(implementation.version)) : null),
    scoreBar(counts, implementation.key),
    h("span", { class: "share" }, share(counts)),
    h("span", { class: "failures" }, counts.new ? h("strong", {}, `${counts.new} new`) : counts.fail ? `${counts.fail} known` : "", counts.departures ? ` (${plural(counts.departures, "departure")})` : "")));
  const used = SCORE_PARTS.filter(([key]) => scored.some(([, counts]) => counts[key]));
  return h("section", { class: chosen.length > 8 ? "scores many" : "scores", "aria-label": "Scores" },
    h("ul", {}, items),
    h("p", { class: "key" }, used.map(([key, name]) => h("span", {}, h("i", { class: `part ${key}` }), name))));
}

function legend() {
  const sample = (kind, label, meaning) => h("span", {}, h("i", { class: `heat ${kind}` }, label), meaning);
  return h("p", { class: "key" }, sample("full", "✓", "all rows"), sample("most", "95", "per cent of the rows, rounded down"), sample("few", "0", "no row"),
    sample("unspecified", "○", "the edition does not specify the answers"), sample("not-supported", "–", "not supported"), sample("few new", "12", "with a failure that is not in a list of known failures"));
}

function implementationHeadings(chosen) {
  return chosen.map((implementation) => h("th", { scope: "col" }, h("a", { href: implementationAddress(implementation), title: [implementation.name, implementation.version].filter(Boolean).join(" ") }, h("span", {}, visible(implementation.key)))));
}

const corner = (label) => h("th", { scope: "col", class: "corner" }, h("span", {}, label));

function clauseTable(groups, byClause, chosen, edition, wanted) {
  const groupRow = (group) => h("tr", { class: "kind" }, h("th", { scope: "rowgroup" }, h("span", {}, group.title)), chosen.map((implementation) => {
    const counts = tally(implementation, group.clauses.flatMap(({ id }) => byClause.get(id)), edition);
    return h("td", { title: describeCounts(counts, `${implementation.key}, ${group.title}`) }, counts.judged ? heatLabel(heat(counts), counts) : "");
  }));
  const clauseRow = (clause) => {
    const found = byClause.get(clause.id);
    const isDimmed = (implementation) => wanted && !found.some((row) => rowHasStatus(row, [implementation], edition, wanted));
    return h("tr", {},
      h("th", { scope: "row" }, h("a", { href: clauseAddress(clause) }, h("code", {}, visible(clause.id)), clause.statement ? h("span", { class: "statement" }, prose(clause.statement)) : null)),
      chosen.map((implementation) => clauseCell(implementation, clause.id, tally(implementation, found, edition), isDimmed(implementation))));
  };
  const table = h("table", { class: "matrix", role: "grid", "aria-label": "Implementations by clauses" },
    h("thead", {}, h("tr", {}, corner("Clause"), implementationHeadings(chosen))),
    groups.map((group) => h("tbody", {}, groupRow(group), group.clauses.map(clauseRow))));
  addArrowKeys(table);
  return scrolling(table, "The matrix");
}

/** The results where the file is rewritten in a way that changes no answer. */
function variantTable(chosen, edition) {
  const counted = chosen.map((implementation) => [implementation, countVariants(implementation, edition)]);
  const used = suite.variants.filter(({ id }) => counted.some(([, counts]) => counts[id]));
  if (!used.length) return null;
  const cell = (id) => ([implementation, { [id]: counts }]) => {
    if (!counts) return h("td", { class: "heat absent" });
    const kind = heat({ ...counts, sum: counts.judged });
    const label = heatLabel(kind, counts);
    const description = `${implementation.key}, ${id}: of ${plural(counts.judged, "row")} that pass as written, ${counts.pass} pass in this variant`;
    return h("td", { class: `heat ${kind}` }, h("a", { href: implementationAddress(implementation), title: description, "aria-label": accessibleName(label, description) }, label));
  };
  const table = tableOf({ class: "matrix", role: "grid", "aria-label": "Implementations by variants" },
    [corner("Variant"), implementationHeadings(chosen)],
    used.map(({ id, clause }) => h("tr", {},
      h("th", { scope: "row" }, h("span", { class: "rowhead" }, h("code", {}, id), h("span", { class: "statement" }, VARIANTS[id] ?? clauseById.get(clause)?.statement))),
      counted.map(cell(id)))));
  addArrowKeys(table);
  return [h("h2", {}, "Results with rewritten files"),
    h("p", {}, "Each variant rewrites the file of a row in a way that changes no answer. The numbers are the percentage of the rows which pass as they are written that also pass in the variant."),
    scrolling(table, "Variants")];
}

const VARIANTS = {
  crlf: "Lines end with CR LF", cr: "Lines end with CR", "no-final-newline": "The last line has no end", bom: "The file starts with a byte order mark",
  "capital-fields": "Field names are in capitals", spaced: "Fields and values have spaces and tabs around them", commented: "Each line has a comment",
  "blank-lines": "Blank lines are added where they end nothing", "reversed-rules": "The rules of each group are in reverse order", "doubled-rules": "Each rule is there twice",
  "reversed-groups": "The groups are in reverse order", "unrelated-group": "A group for another agent precedes the others, and one follows them",
};

function emptyView() {
  return h("div", { class: "empty" }, h("p", {}, rows.length ? "No row passes this filter." : "These results contain no judged checks."),
    rows.length ? h("a", { href: address(state.view, "", { edition: state.filter.edition }), class: "button" }, "Show all rows") : null);
}
