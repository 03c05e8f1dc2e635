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

/** What a cell shows: the outcome of its clause or, where there is none, why. */
function heat(counts) {
  const outcome = outcomeOf(counts);
  if (!counts.sum) return "absent";
  if (outcome === "undecided") return counts.missing ? "missing" : "flaky";
  if (outcome !== "inapplicable") return outcome;
  return counts.unspecified >= counts.unsupported ? "unspecified" : "not-supported";
}

const HEAT_LABELS = { absent: "", kept: "", unspecified: "○", "not-supported": "–", missing: "?", flaky: "~" };

/** The number of inputs that decide the outcome of a cell: rows as they are written or, where none of them fails, rewritten files. */
function heatLabel(kind, { violations, departures, rewrittenViolations, rewrittenDepartures }) {
  if (kind === "violated") return violations ? grouped(violations) : `+${grouped(rewrittenViolations)}`;
  if (kind === "departed") return departures ? grouped(departures) : `+${grouped(rewrittenDepartures)}`;
  return HEAT_LABELS[kind];
}

/** The word for a cell, for readers who do not see its colour. */
function heatWord(kind, counts) {
  if (kind === "kept") return "yes";
  if (kind === "departed") return "departures";
  if (kind !== "violated") return "";
  return counts.violations && isLikeStub(counts) ? "no" : "partly";
}

/** A cell with the number of failing inputs. Its accessible name starts with the visible label, as WCAG 2.5.3 recommends. */
function heatCell(implementation, counts, description, href) {
  const kind = heat(counts);
  const cell = h("td", { class: `heat ${kind}${counts.faults ? " crashed" : ""}` });
  if (kind === "absent") return cell;
  const label = heatLabel(kind, counts);
  const name = [/\d/.test(label) && label, heatWord(kind, counts), description].filter(Boolean).join(": ");
  cell.append(h("a", { href, title: description, "aria-label": name, "data-name": implementation.key }, h("span", {}, label), counts.faults ? h("span", { class: "fault", "aria-hidden": "true" }, "!") : null));
  // The root makes few failures visible among many rows.
  if (kind === "violated") cell.style.setProperty("--share", Math.sqrt(counts.judged ? counts.violations / counts.judged : 0).toFixed(2));
  return cell;
}

/** The numbers of violations and of departures from recommendations, where there are some. */
function failureCounts({ violations, departures }) {
  return [violations && plural(violations, "violation"), departures && plural(departures, "departure")].filter(Boolean);
}

function describeCounts(counts, subject) {
  const parts = [];
  if (counts.judged) parts.push(`${grouped(counts.pass)} of ${plural(counts.judged, "row")} as expected in ${currentEdition().id}`);
  if (counts.fail) parts.push(failureCounts(counts).join(", "));
  if (counts.rewritten) parts.push(`+${grouped(counts.rewritten)} when rewritten`);
  if (counts.faults) parts.push(`crashed or timed out on ${plural(counts.faults, "row")}`);
  if (counts.byRuling && counts.fail && isLikeStub(counts)) parts.push("no better than a stub that gives one verdict to every query");
  if (counts.unspecified) parts.push(`${counts.unspecified} not specified`);
  if (counts.flaky) parts.push(`${counts.flaky} flaky`);
  if (counts.unsupported) parts.push(`${counts.unsupported} not supported`);
  if (counts.missing) parts.push(`${counts.missing} not run`);
  return `${subject}: ${parts.join("; ") || "no rows"}`;
}

function clauseCell(implementation, clauseId, counts) {
  const description = describeCounts(counts, `${implementation.key}, ${clauseId}`);
  return heatCell(implementation, counts, description, address("cases", "", { clause: clauseId, impl: implementationFilter([implementation]) }));
}

/** The matrix of an edition and some implementations. Filters for rows hide its lines, and change no score. */
let builtMatrix = null;

/** What is above the matrix. The matrix itself, of more than a thousand cells, follows after the next frame. */
function startMatrix(key, chosen, edition) {
  const standings = rank(chosen, edition);
  const ranking = rankingView(standings, edition);
  return {
    key, edition, chosen,
    judged: [...standings.ranked, ...standings.reference].map(({ implementation }) => implementation),
    head: [h("h1", {}, "Which robots.txt parsers follow the specification?"), resultSentence(standings, edition), rowsByClause(edition).size ? ranking.view : null, introduction(edition)],
    sort: ranking.sort,
    lines: null, view: null,
  };
}

/** Builds the matrix, a kind of clauses at a time. */
function* buildMatrix(matrix) {
  const { edition, judged } = matrix;
  const byClause = rowsByClause(edition);
  const otherClauses = [...byClause.keys()].filter((id) => !clauseById.has(id)).map((id) => ({ id, statement: "" }));
  const groups = [...kinds.map(({ id, title }) => ({ title, clauses: clauses.filter(({ kind }) => kind === id) })), { title: "Other suites", clauses: otherClauses }]
    .map(({ title, clauses: group }) => ({ title, clauses: group.filter(({ id }) => byClause.has(id)) }))
    .filter((group) => group.clauses.length);
  const lines = [];
  for (const group of groups) {
    lines.push(groupLines(group, judged, edition));
    yield;
  }
  const variants = variantTable(judged, edition);
  yield;
  matrix.lines = lines;
  matrix.view = [h("h2", {}, "Results by clause"), legend(), clauseTable(lines, judged), explanation(), variants];
  showLines(matrix);
  replace(view, matrix.view);
}

/** Shows the lines of the clauses with rows that pass the filter. */
function showLines({ lines, judged, chosen, edition }) {
  const wanted = state.filter.status;
  const listed = listedClauses(chosen, edition);
  for (const { group, clauseLines } of lines) {
    for (const [id, line] of clauseLines) {
      const found = listed.get(id);
      line.hidden = !found;
      if (!found) continue;
      judged.forEach((implementation, index) => line.cells[index + 1].classList.toggle("dimmed", Boolean(wanted) && !found.some((row) => rowHasStatus(row, [implementation], edition, wanted))));
    }
    group.hidden = clauseLines.every(([, line]) => line.hidden);
  }
}

/** By clause: the rows that pass the filter, where some implementation has the wanted result. */
function listedClauses(chosen, edition) {
  const byClause = Map.groupBy(filteredRows(), ({ clauseId }) => clauseId);
  return new Map([...byClause].filter(([, found]) => found.some((row) => rowHasStatus(row, chosen, edition, state.filter.status))));
}

function matrixView() {
  const chosen = chosenImplementations();
  const edition = currentEdition();
  const key = `${edition.id} ${implementationFilter(chosen)}`;
  const before = builtMatrix?.view;
  if (builtMatrix?.key !== key) builtMatrix = startMatrix(key, chosen, edition);
  const listed = listedClauses(chosen, edition);
  showCount(`${plural(listed.size, "clause")}, ${plural([...listed.values()].reduce((sum, found) => sum + found.length, 0), "row")}`);
  builtMatrix.sort();
  showHead(builtMatrix.head);
  if (!listed.size) return [emptyView()];
  if (builtMatrix.lines) {
    showLines(builtMatrix);
    return builtMatrix.view;
  }
  later(view, buildMatrix(builtMatrix));
  // The page keeps its height until the new matrix is there.
  return before ?? [];
}

function introduction(edition) {
  return [
    h("p", {}, "The text is ", h("a", { href: address("edition", edition.id) }, edition.title), ". The ranking counts clauses that are violated (an answer breaks what the text requires), then departures (it breaks a recommendation, and the clause counts as kept), then failing rows. A clause does not apply where it leaves the answer open, or where a parser has no function for it."),
    h("p", { class: "foundation" }, foundation(edition), " ", button("Where the data comes from", showSources, { class: "link" })),
  ];
}

/** The editions for which a second evaluator exists. */
const EVALUATED_TWICE = ["rfc9309", "google-2026"];

const PROJECT = "the project’s cases, which are written from the text and judge the reference too";

/** Who wrote the expectations that judge. */
function foundation(edition) {
  const byAuthor = Map.groupBy(rowsOf(edition), (row) => (row.check ? ownFile(row) ?? PROJECT : "suites that this program does not contain"));
  const says = [...byAuthor].map(([author, { length }], index) => [index ? " " : "", length === 1 ? "1 row has its expected answer" : `${grouped(length)} rows have their expected answers`, " from ", visible(author), "."]);
  return [says, byAuthor.has(PROJECT) && EVALUATED_TWICE.includes(edition.id) ? " A second evaluator, which was written from the text alone, agrees with the reference on generated files." : null];
}

/** Shows the last part of the page, which the address cannot name, because it names the view. */
function showSources() {
  const sources = document.getElementById("sources");
  sources.scrollIntoView();
  sources.focus();
}

function explanation() {
  return h("div", { class: "explanation" },
    h("p", {}, "A clause is a statement of the specification, and a row is one query about it, for example a file, an agent and a URL. A violation is an answer that contradicts a requirement (must); a departure contradicts only a recommendation (should). A clause is kept if no row under it, as it is written or rewritten, contradicts a requirement."),
    h("p", {}, "A clause does not apply to an implementation that does not support its queries, or where the edition does not specify the answers. Such rows count neither for nor against an implementation. The filters select which clauses are listed; they change no result."),
    h("p", {}, "A stub that gives the same verdict to every query passes about half of the rows, and the description of a cell says where an implementation does no better than that. The claimed edition is RFC 9309, unless an implementation claims to follow another edition, which alone judges it then."));
}

function legend() {
  const sample = (kind, label, meaning, share = 0) => {
    const cell = h("i", { class: `heat ${kind}` }, h("span", {}, label));
    cell.style.setProperty("--share", share);
    return h("span", {}, cell, meaning);
  };
  return h("p", { class: "key" }, sample("kept", "", "kept"), sample("violated", "3", "failing rows"), sample("violated", "30", "most rows", 1), sample("violated", "+9", "only rewritten files fail"),
    sample("departed", "4", "only departures from recommendations"), h("span", {}, h("span", { class: "fault" }, "!"), "crashed or timed out"),
    sample("unspecified", "○", "not specified"), sample("not-supported", "–", "not supported"), sample("missing", "?", "not run"));
}

function implementationHeadings(chosen) {
  return chosen.map((implementation) => h("th", { scope: "col" }, h("a", { href: implementationAddress(implementation), title: [implementation.name, implementation.version].filter(Boolean).join(" ") }, h("span", {}, visible(implementation.key))), faultMark(implementation)));
}

const corner = (label) => h("th", { scope: "col", class: "corner" }, h("span", {}, label));

/** Divides the width of a table of results among its columns, of which 27 and their clauses fit a desktop. In rem. */
function setColumns(table, count) {
  table.style.setProperty("--columns", count);
  table.style.setProperty("--column", `${Math.min(4.2, Math.max(2.3, 62 / count)).toFixed(2)}rem`);
}

/** The lines of a kind of clauses. */
function groupLines({ title, clauses: group }, chosen, edition) {
  const countsOf = (implementation, id) => tallyClauses(implementation, edition).get(id);
  const heading = h("tr", { class: "kind" }, h("th", { scope: "rowgroup" }, h("span", {}, title)), chosen.map((implementation) => {
    const entry = standing(new Map(group.map(({ id }) => [id, countsOf(implementation, id)])));
    return h("td", { title: `${implementation.key}, ${title}: ${describeStanding(entry)}` }, entry.applicable ? `${entry.kept}/${entry.applicable}` : "");
  }));
  /** What a card of a clause says, because it has no cells of implementations that keep the clause. */
  const keeping = ({ id }) => {
    const outcomes = chosen.map((implementation) => outcomeOf(countsOf(implementation, id))).filter((outcome) => outcome !== "inapplicable");
    return outcomes.length ? `kept by ${outcomes.filter((outcome) => outcome === "kept" || outcome === "departed").length} of ${outcomes.length}` : "applies to none";
  };
  const clauseLines = group.map((clause) => [clause.id, h("tr", {},
    h("th", { scope: "row" }, h("a", { href: clauseAddress(clause) }, h("code", {}, visible(clause.id)), clause.statement ? h("span", { class: "statement", title: clause.statement }, prose(clause.statement)) : null),
      h("span", { class: "keeping" }, keeping(clause))),
    chosen.map((implementation) => clauseCell(implementation, clause.id, countsOf(implementation, clause.id))))]);
  return { group: h("tbody", {}, heading, clauseLines.map(([, line]) => line)), clauseLines };
}

/** The table of clauses. */
function clauseTable(lines, chosen) {
  const table = h("table", { class: "matrix results", role: "grid", "aria-label": "Implementations by clauses" },
    h("thead", {}, h("tr", {}, corner("Clause"), implementationHeadings(chosen))),
    lines.map(({ group }) => group));
  setColumns(table, chosen.length);
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
    const { judged, pass } = counts;
    const description = `${implementation.key}, ${id}: of ${plural(judged, "row")} that pass as written, ${pass} pass in this variant`;
    return heatCell(implementation, withSums({ ...emptyCounts(), pass, sum: judged, violations: judged - pass }), description, implementationAddress(implementation));
  };
  const table = tableOf({ class: "matrix results", role: "grid", "aria-label": "Implementations by variants" },
    [corner("Variant"), implementationHeadings(chosen)],
    used.map(({ id, clause }) => h("tr", {},
      h("th", { scope: "row" }, h("span", { class: "rowhead" }, h("code", {}, id), h("span", { class: "statement" }, VARIANTS[id] ?? clauseById.get(clause)?.statement))),
      counted.map(cell(id)))));
  setColumns(table, chosen.length);
  addArrowKeys(table);
  return [h("h2", {}, "Results with rewritten files"),
    h("p", {}, "Each variant rewrites the file of a row in a way that changes no answer. The cells state how many of the rows which pass as they are written fail in the variant."),
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
