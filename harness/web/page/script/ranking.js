// ---- The ranking: the answer to "which implementation follows the text?" ----

/** Parsers that give one answer to every query. A standing near theirs shows no reading of the file. */
const STUBS = [{ ruling: "allow", name: "A stub that always allows" }, { ruling: "disallow", name: "A stub that always disallows" }];

/** What the results under a clause say about it. It stays open where an answer was not given, or given in two ways. */
function outcomeOf({ judged, violations, departures, rewrittenViolations, rewrittenDepartures, flaky, missing }) {
  if (violations || rewrittenViolations) return "violated";
  if (flaky || missing) return "undecided";
  if (departures || rewrittenDepartures) return "departed";
  return judged ? "kept" : "inapplicable";
}

/** The outcomes of a clause, in the order of the parts of a bar. */
const OUTCOMES = [["kept", "kept"], ["departed", "kept, with departures from recommendations"], ["violated", "violated"], ["undecided", "not decided: flaky or not run"], ["inapplicable", "do not apply"]];

/** What is summed over all clauses: the judged rows, those that fail as written and only rewritten, and those with crashes or time-outs. */
const SUMMED = ["judged", "fail", "rewritten", "rewrittenRows", "crashed"];

/** The results of one subject: the clauses with each outcome, those that are kept with or without departures, those that apply, and the sums. */
function standing(countsByClause) {
  const outcomes = Object.fromEntries(OUTCOMES.map(([outcome]) => [outcome, 0]));
  const sums = Object.fromEntries(SUMMED.map((key) => [key, 0]));
  for (const counts of countsByClause.values()) {
    outcomes[outcomeOf(counts)] += 1;
    for (const key of SUMMED) sums[key] += counts[key];
  }
  return { ...outcomes, ...sums, kept: outcomes.kept + outcomes.departed, outcomes, applicable: countsByClause.size - outcomes.inapplicable };
}

/** A standing in words. */
function describeStanding({ kept, applicable, violated, departed, undecided, inapplicable }) {
  const parts = [`${kept} of ${plural(applicable, "clause")} kept`, departed && `${departed} of them with departures`, violated && `${violated} violated`, undecided && `${undecided} not decided`];
  return parts.filter(Boolean).join(", ") + (inapplicable ? `; ${inapplicable} ${inapplicable === 1 ? "does" : "do"} not apply` : "");
}

/** A bar of all clauses of an edition, so that the bars of all implementations are alike. */
const standingBar = ({ outcomes }, label) => bar(OUTCOMES.map(([outcome, name]) => [outcomes[outcome], outcome, name]), label);

/** The results of a stub. It answers only queries about the verdict on a URL, as a command line tool does. */
function stubCounts(ruling, counted, edition) {
  const counts = emptyCounts();
  for (const row of counted) {
    const expected = row.expected[edition.id];
    if (!expected) continue;
    counts.sum += 1;
    if (isWhollyUnspecified(expected)) counts.unspecified += 1;
    else if (expected === "alike" || expected.ruling === ruling) counts.pass += 1;
    else if (expected.ruling) counts[row.check?.levels?.[edition.id] ? "departures" : "violations"] += 1;
    else counts.unsupported += 1;
  }
  return withSums(counts);
}

/** The stubs by edition, those to which it has clauses that apply. */
const stubStandings = once((edition) => STUBS
  .map(({ ruling, name }) => ({ name, ...standing(new Map([...rowsByClause(edition)].map(([id, group]) => [id, stubCounts(ruling, group, edition)]))) }))
  .filter(({ applicable }) => applicable));

/** The edition that judges an implementation: the RFC, or the one that it claims to follow and that alone judges it. */
function ownEdition(implementation) {
  if (implementation.ownEdition === undefined) {
    const judged = implementation.rows.find(Boolean);
    const ids = judged ? Object.keys(record.judgements[judged.judgements]) : [];
    implementation.ownEdition = editions.find(({ id }) => id === (ids.includes(DEFAULT_EDITION) ? DEFAULT_EDITION : ids[0])) ?? null;
  }
  return implementation.ownEdition;
}

const isReference = ({ name, isBuiltIn }) => isBuiltIn && name === "reference";

/** The implementations that are compared with the reference. */
const contestants = once(() => implementations.filter((implementation) => !isReference(implementation)));
const LANGUAGES = { c: "C", "c++": "C++", csharp: "C#", javascript: "JavaScript", php: "PHP", typescript: "TypeScript" };
const languageOf = ({ language }) => (language ? (LANGUAGES[language] ?? language[0].toUpperCase() + language.slice(1)) : "");

/** What a search in real files found about this version of an implementation, where it was asked there. */
const onRealFiles = once((edition) => once(({ name, version }) => record.realFiles?.accuracy.find((one) => one.edition === edition.id && one.implementation === name && (one.version ?? null) === (version ?? null) && one.queries) ?? null));
const shareOf = (found) => (found ? found["wrong-queries"] / found.queries : 2);

/** The columns that can be sorted by, those of which there are results. Each starts with the best. */
const columns = once(() => COLUMNS.filter(({ id }) => id !== "real" || record.realFiles));
const COLUMNS = [
  { id: "name", title: "Implementation", of: ({ implementation }) => implementation.key.toLowerCase() },
  { id: "kept", title: "Clauses kept", isNumber: true, of: ({ rank }) => rank },
  { id: "rows", title: "Rows wrong", isNumber: true, of: ({ fail }) => fail },
  { id: "real", title: "Wrong on real files", isNumber: true, of: ({ real }) => shareOf(real) },
  { id: "crashes", title: "Crashes, time-outs", isNumber: true, of: ({ crashed }) => crashed },
  { id: "violated", title: "Violated", isNumber: true, of: ({ violated }) => violated },
  { id: "departed", title: "With departures", isNumber: true, of: ({ departed }) => departed },
  { id: "inapplicable", title: "Do not apply", isNumber: true, of: ({ inapplicable }) => inapplicable },
  { id: "language", title: "Language", of: ({ implementation }) => languageOf(implementation) },
  { id: "edition", title: "Claimed edition", of: ({ implementation }) => editions.indexOf(ownEdition(implementation)) },
];

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
/** Clauses that are not decided count against an implementation, so that a run that was cut off gains nothing. */
const byStanding = (a, b) => (a.applicable === 0) - (b.applicable === 0) || (a.violated + a.undecided) - (b.violated + b.undecided) || a.departed - b.departed || a.fail - b.fail || a.rewritten - b.rewritten;
const byRank = (a, b) => byStanding(a, b) || compare(a.implementation.key, b.implementation.key);

/** How the ranking is sorted: by rank, unless a column is chosen. */
function rankingOrder() {
  const { column, isDescending } = sorting();
  const { id, of } = columns().find((one) => one.id === column) ?? columns().find((one) => one.id === "kept");
  return { column: id, isDescending, compare: (a, b) => (isDescending ? -1 : 1) * compare(of(a), of(b)) || byRank(a, b) };
}

/** Whether an edition judges each implementation. */
const judging = once((edition) => once((implementation) => implementation.rows.some((judged) => judged && record.judgements[judged.judgements][edition.id])));
const isJudgedBy = (implementation, edition) => judging(edition)(implementation);

/** The standing of an implementation in an edition. */
const standingIn = (edition) => (implementation) => ({ implementation, real: onRealFiles(edition)(implementation), ...standing(tallyClauses(implementation, edition)) });

/** Divides implementations into those that are ranked, best first, the reference, and those that another edition judges. */
function rank(chosen, edition) {
  const judged = chosen.filter((implementation) => isJudgedBy(implementation, edition)).map(standingIn(edition));
  const ranked = judged.filter(({ implementation }) => !isReference(implementation)).sort(byRank);
  ranked.forEach((entry, index) => { entry.rank = index && !byStanding(ranked[index - 1], entry) ? ranked[index - 1].rank : index + 1; });
  return {
    ranked,
    reference: judged.filter(({ implementation }) => isReference(implementation)),
    elsewhere: chosen.filter((implementation) => !isJudgedBy(implementation, edition) && ownEdition(implementation))
      .map((implementation) => standingIn(ownEdition(implementation))(implementation)).sort(byRank),
  };
}

/** The result in a sentence, with the date of the results and the version of the cases. */
function resultSentence({ ranked }, edition) {
  const all = ranked.filter(({ applicable, violated, undecided }) => applicable && !violated && !undecided).length;
  const of = plural(ranked.length, "implementation");
  const says = ranked.length ? `${all || "None"} of ${of} ${all > 1 ? "keep" : "keeps"} every clause of ${shortTitle(edition)} that applies to ${all > 1 ? "them" : "it"}`
    : `${shortTitle(edition)} judges none of these implementations`;
  return h("p", { class: "lede" }, `${says}. Results of `, h("time", { datetime: RUN }, RUN.slice(0, 10)), ", cases of ", document.getElementById("ran-by").textContent, ".");
}

/** The headings of a ranking. */
const headRow = (headings) => h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "Rank"), headings));

/** The table of the ranked implementations, with the reference and the stubs for comparison; what sorts it as the address says; and a table of those that other texts judge. */
function rankingView({ ranked, reference, elsewhere }, edition) {
  const stubs = stubStandings(edition);
  const line = ({ implementation, rank = "", by = edition }) => {
    const kept = rankingLines(by)(implementation);
    kept.cells[0].textContent = rank;
    return kept;
  };
  const body = h("tbody");
  const headings = columns().map(({ id, title, isNumber }) => sortHeading(id, title, { class: isNumber ? "number" : null }));
  const groupTitle = (text) => h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: columns().length + 1 }, text));
  const table = h("table", { class: "plain ranking", "aria-label": "Ranking" },
    headRow(headings),
    body,
    reference.length || stubs.length ? h("tbody", { class: "compared" }, groupTitle("For comparison"), reference.map(line), stubs.map((stub) => rankingRow(stub, edition))) : null);
  // Texts that require other things are not compared in one column.
  const others = h("table", { class: "plain ranking", "aria-label": "Implementations that other texts judge" },
    headRow(columns().map(({ title, isNumber }) => h("th", { scope: "col", class: isNumber ? "number" : null }, title))),
    h("tbody", { class: "elsewhere" }, elsewhere.map(({ implementation }) => line({ implementation, by: ownEdition(implementation) }))));
  const used = OUTCOMES.filter(([outcome]) => [...ranked, ...reference, ...stubs].some(({ outcomes }) => outcomes[outcome]));
  const sort = () => {
    const order = rankingOrder();
    replace(body, [...ranked].sort(order.compare).map(line));
    showSorting(table, order);
  };
  return { sort, view: h("div", { class: "scores" }, scrolling(table, "Ranking"),
    record.realFiles ? h("p", { class: "note" }, "Wrong on real files: the share of wrong answers about files of real sites, as of ", h("time", { datetime: record.realFiles.date }, record.realFiles.date.slice(0, 10)), ". Only answers that the edition decides count.") : null,
    h("p", { class: "key" }, used.map(([outcome, name]) => h("span", {}, h("i", { class: `part ${outcome}` }), name))),
    elsewhere.length ? [h("h2", {}, `Not judged by ${shortTitle(edition)}`), h("p", {}, "The last column names the text that judges each of these implementations."), scrolling(others, "Implementations that other texts judge")] : null) };
}

const nameCell = (implementation) => h("th", { scope: "row" },
  h("a", { href: implementationAddress(implementation) }, visible(implementation.name)), faultMark(implementation), implementation.version ? [" ", h("span", { class: "version" }, visible(implementation.version))] : null);

/** By edition and implementation: its line. Only the rank depends on the chosen implementations. */
const rankingLines = once((edition) => once((implementation) => rankingRow(standingIn(edition)(implementation), edition)));

function realFilesCell(found) {
  if (!found) return h("td", { class: "number" }, h("span", { class: "answer none" }, "not asked"));
  const says = `${grouped(found["wrong-queries"])} of ${plural(found.queries, "answer")} about ${plural(found.inputs, "file")} are wrong${found.unanswered ? `; ${grouped(found.unanswered)} queries have no answer` : ""}`;
  return h("td", { class: "number", title: says }, `${(100 * shareOf(found)).toFixed(2)} %`);
}

function rankingRow({ implementation, name, ...entry }, edition) {
  const { kept, applicable, violated, departed, inapplicable, judged, fail, rewrittenRows, crashed } = entry;
  const number = (count, says, status, more = null) => h("td", { class: `number${status === "violation" && count ? " violations" : ""}` }, count && implementation
    ? h("a", { href: address("cases", "", { edition: edition.id, status, impl: implementationFilter([implementation]) }), "aria-label": `${says} of ${implementation.key}` }, grouped(count))
    : grouped(count), more);
  const only = plural(rewrittenRows, "more row");
  const key = implementation?.key ?? name;
  return h("tr", {},
    h("td", { class: "number" }),
    implementation ? nameCell(implementation) : h("th", { scope: "row" }, name),
    h("td", { class: "number" }, h("div", { class: "standing", title: `${key}: ${describeStanding(entry)}` }, standingBar(entry, key), h("span", {}, h("strong", {}, kept), ` of ${applicable}`))),
    number(fail, plural(fail, "failing row"), "failure", [
      rewrittenRows ? h("span", { class: "more-rewritten", title: `${only} ${rewrittenRows === 1 ? "fails" : "fail"} only when the file is rewritten` }, ` +${grouped(rewrittenRows)}`) : null, ` of ${grouped(judged)}`]),
    record.realFiles ? realFilesCell(entry.real) : null,
    h("td", { class: "number" }, grouped(crashed)),
    number(violated, plural(violated, "violated clause"), "violation"),
    number(departed, plural(departed, "clause kept with departures", "clauses kept with departures"), "departure"),
    h("td", { class: "number" }, inapplicable),
    h("td", {}, implementation ? visible(languageOf(implementation)) : ""),
    h("td", {}, implementation && !isReference(implementation) ? ownEdition(implementation)?.id : ""));
}
