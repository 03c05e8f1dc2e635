// ---- The matrix: implementations by clauses ----

/** By how much a share has to exceed that of a stub to show that the file was read. */
const MARGIN = 0.05;

/**
 * Whether the results are no better than those of a stub that gives one verdict to every query. The shares of the rows
 * that expect each verdict count equally, so that a stub has one half, however many rows expect its verdict.
 */
function isLikeStub({ pass, judged, byRuling }) {
  const shares = Object.values(byRuling ?? {}).filter(([, of]) => of).map(([passing, of]) => passing / of);
  if (shares.length < 2) return pass / judged <= MARGIN;
  return (shares[0] + shares[1]) / 2 <= 0.5 + MARGIN;
}

/** The class of a cell. */
function heat(counts) {
  const { judged, unspecified, unsupported, flaky, sum } = counts;
  if (!sum) return "absent";
  if (outcomeOf(counts) === "kept") return "yes";
  if (judged) return isLikeStub(counts) ? "no" : "partly";
  if (flaky) return "no";
  return unspecified && unspecified >= unsupported ? "unspecified" : unsupported ? "not-supported" : "missing";
}

const HEAT_LABELS = { absent: "", unspecified: "○", "not-supported": "–", missing: "?" };

const heatLabel = (kind) => HEAT_LABELS[kind] ?? kind;

/** The content of a cell: a word, and the numbers where the cell has the focus or the pointer. */
function heatContent(kind, { pass, judged }) {
  const word = h("span", { class: judged ? "counted" : null }, heatLabel(kind));
  return judged ? [word, h("span", { class: "of", "aria-hidden": "true" }, `${pass} of ${judged}`)] : word;
}

/** The accessible name of a link. It starts with the visible label, as WCAG 2.5.3 recommends. */
const accessibleName = (label, description) => (/^[a-z]/.test(label) ? `${label}: ${description}` : description);

/** The numbers of violations and of departures from recommendations, where there are some. */
function failureCounts({ violations, departures }) {
  return [violations && plural(violations, "violation"), departures && plural(departures, "departure")].filter(Boolean);
}

function describeCounts(counts, subject) {
  const parts = [];
  if (counts.judged) parts.push(`${counts.pass} of ${counts.judged} rows as ${currentEdition().id} requires`);
  if (counts.fail) parts.push(failureCounts(counts).join(", "));
  if (counts.byRuling && counts.fail && isLikeStub(counts)) parts.push("no better than a stub that gives one verdict to every query");
  if (counts.unspecified) parts.push(`${counts.unspecified} not specified`);
  if (counts.flaky) parts.push(`${counts.flaky} flaky`);
  if (counts.unsupported) parts.push(`${counts.unsupported} not supported`);
  if (counts.missing) parts.push(`${counts.missing} not run`);
  return `${subject}: ${parts.join("; ") || "no rows"}`;
}

function clauseCell(implementation, clauseId, counts) {
  const kind = heat(counts);
  const cell = h("td", { class: `heat ${kind}` });
  if (kind === "absent") return cell;
  const description = describeCounts(counts, `${implementation.key}, ${clauseId}`);
  const href = address("cases", "", { clause: clauseId, impl: implementationFilter([implementation]) });
  cell.append(h("a", { href, title: description, "aria-label": accessibleName(heatLabel(kind), description) }, heatContent(kind, counts)));
  return cell;
}

/** The matrix of an edition and some implementations. Filters for rows hide its lines, and change no score. */
let builtMatrix = null;

function buildMatrix(key, chosen, edition) {
  const byClause = Map.groupBy(rowsOf(edition), ({ clauseId }) => clauseId);
  const results = new Map(chosen.map((implementation) => [implementation, tallyClauses(implementation, byClause, edition)]));
  const standings = rank(chosen, results, edition);
  const judged = [...standings.ranked, ...standings.reference].map(({ implementation }) => implementation);
  const otherClauses = [...byClause.keys()].filter((id) => !clauseById.has(id)).map((id) => ({ id, statement: "" }));
  const groups = [...kinds.map(({ id, title }) => ({ title, clauses: clauses.filter(({ kind }) => kind === id) })), { title: "Other suites", clauses: otherClauses }]
    .map(({ title, clauses: group }) => ({ title, clauses: group.filter(({ id }) => byClause.has(id)) }))
    .filter((group) => group.clauses.length);
  const { region, lines } = clauseTable(groups, byClause, judged, results, edition);
  return {
    key, judged, lines,
    head: [introduction(edition), byClause.size ? rankingView(standings, byClause, edition) : null],
    view: [h("h2", {}, "Results by clause"), legend(), region, explanation(), variantTable(judged, edition)],
  };
}

function matrixView() {
  const chosen = chosenImplementations();
  const edition = currentEdition();
  const wanted = state.filter.status;
  const key = `${edition.id} ${implementationFilter(chosen)}`;
  if (builtMatrix?.key !== key) builtMatrix = buildMatrix(key, chosen, edition);
  const { lines, judged } = builtMatrix;
  const byClause = Map.groupBy(filteredRows(), ({ clauseId }) => clauseId);
  let [clauseCount, rowCount] = [0, 0];
  for (const { group, clauseLines } of lines) {
    let isEmpty = true;
    for (const [id, line] of clauseLines) {
      const found = byClause.get(id) ?? [];
      const isListed = found.some((row) => rowHasStatus(row, chosen, edition, wanted));
      line.hidden = !isListed;
      if (!isListed) continue;
      isEmpty = false;
      clauseCount += 1;
      rowCount += found.length;
      judged.forEach((implementation, index) => line.cells[index + 1].classList.toggle("dimmed", Boolean(wanted) && !found.some((row) => rowHasStatus(row, [implementation], edition, wanted))));
    }
    group.hidden = isEmpty;
  }
  showCount(`${plural(clauseCount, "clause")}, ${plural(rowCount, "row")}`);
  replace(head, builtMatrix.head);
  return clauseCount ? builtMatrix.view : [emptyView()];
}

function introduction(edition) {
  return [
    h("h1", {}, "Which implementations follow the robots.txt specification?"),
    h("p", { class: "lede" }, `${plural(implementations.length, "implementation")}, by `, h("a", { href: address("edition", edition.id) }, edition.title),
      ". They are ranked by the clauses that they violate, then by those that they depart from, then by their failing rows."),
  ];
}

function explanation() {
  return h("div", { class: "explanation" },
    h("p", {}, "A clause is a statement of the specification, and a row is one query about it, for example a file, an agent and a URL. A violation is an answer that contradicts a requirement (must); a departure contradicts only a recommendation (should). A clause is kept if no row fails under it, as it is written or rewritten, and departed from if its rows only contradict recommendations."),
    h("p", {}, "A clause does not apply to an implementation that does not support its queries, or where the edition does not specify the answers. Such rows count neither for nor against an implementation. The filters select which clauses are listed; they change no result."),
    h("p", {}, "A stub that gives the same verdict to every query passes about half of the rows, so a clause is a ", h("i", {}, "no"), " where an implementation does no better than that. The claimed edition is RFC 9309, unless an implementation claims to follow another edition, which alone judges it then."));
}

function legend() {
  const sample = (kind, label, meaning) => h("span", {}, h("i", { class: `heat ${kind}` }, label), meaning);
  return h("p", { class: "key" }, sample("yes", "yes", "all rows"), sample("partly", "partly", "some rows"), sample("no", "no", "no more rows than a stub that gives one verdict to every query"),
    sample("unspecified", "○", "the edition does not specify the answers"), sample("not-supported", "–", "not supported"));
}

function implementationHeadings(chosen) {
  return chosen.map((implementation) => h("th", { scope: "col" }, h("a", { href: implementationAddress(implementation), title: [implementation.name, implementation.version].filter(Boolean).join(" ") }, h("span", {}, visible(implementation.key))), faultMark(implementation)));
}

const corner = (label) => h("th", { scope: "col", class: "corner" }, h("span", {}, label));

/** The table of clauses: its region, and the lines by group and clause. */
function clauseTable(groups, byClause, chosen, results, edition) {
  const groupRow = (group) => h("tr", { class: "kind" }, h("th", { scope: "rowgroup" }, h("span", {}, group.title)), chosen.map((implementation) => {
    const entry = standing(new Map(group.clauses.map(({ id }) => [id, results.get(implementation).get(id)])));
    return h("td", { title: `${implementation.key}, ${group.title}: ${describeStanding(entry)}` }, entry.applicable ? `${entry.kept}/${entry.applicable}` : "");
  }));
  const clauseRow = (clause) => h("tr", {},
    h("th", { scope: "row" }, h("a", { href: clauseAddress(clause) }, h("code", {}, visible(clause.id)), clause.statement ? h("span", { class: "statement" }, prose(clause.statement)) : null)),
    chosen.map((implementation) => clauseCell(implementation, clause.id, results.get(implementation).get(clause.id))));
  const lines = groups.map((group) => {
    const clauseLines = group.clauses.map((clause) => [clause.id, clauseRow(clause)]);
    return { group: h("tbody", {}, groupRow(group), clauseLines.map(([, line]) => line)), clauseLines };
  });
  const table = h("table", { class: "matrix", role: "grid", "aria-label": "Implementations by clauses" },
    h("thead", {}, h("tr", {}, corner("Clause"), implementationHeadings(chosen))),
    lines.map(({ group }) => group));
  table.style.setProperty("--columns", chosen.length);
  addArrowKeys(table);
  return { region: scrolling(table, "The matrix"), lines };
}

/** The results where the file is rewritten in a way that changes no answer. */
function variantTable(chosen, edition) {
  const counted = chosen.map((implementation) => [implementation, countVariants(implementation, edition)]);
  const used = suite.variants.filter(({ id }) => counted.some(([, counts]) => counts[id]));
  if (!used.length) return null;
  const cell = (id) => ([implementation, { [id]: counts }]) => {
    if (!counts) return h("td", { class: "heat absent" });
    const kind = heat({ ...counts, sum: counts.judged });
    const label = heatLabel(kind);
    const description = `${implementation.key}, ${id}: of ${plural(counts.judged, "row")} that pass as written, ${counts.pass} pass in this variant`;
    return h("td", { class: `heat ${kind}` }, h("a", { href: implementationAddress(implementation), title: description, "aria-label": accessibleName(label, description) }, heatContent(kind, counts)));
  };
  const table = tableOf({ class: "matrix", role: "grid", "aria-label": "Implementations by variants" },
    [corner("Variant"), implementationHeadings(chosen)],
    used.map(({ id, clause }) => h("tr", {},
      h("th", { scope: "row" }, h("span", { class: "rowhead" }, h("code", {}, id), h("span", { class: "statement" }, VARIANTS[id] ?? clauseById.get(clause)?.statement))),
      counted.map(cell(id)))));
  table.style.setProperty("--columns", chosen.length);
  addArrowKeys(table);
  return [h("h2", {}, "Results with rewritten files"),
    h("p", {}, "Each variant rewrites the file of a row in a way that changes no answer. Of the rows which pass as they are written, the cells state whether all, some or none also pass in the variant."),
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
