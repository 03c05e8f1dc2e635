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

/** The results of one subject: the clauses with each outcome, those that are kept with or without departures, those that apply, and the rows that fail as written and rewritten. */
function standing(countsByClause) {
  const outcomes = Object.fromEntries(OUTCOMES.map(([outcome]) => [outcome, 0]));
  let [failing, rewritten] = [0, 0];
  for (const counts of countsByClause.values()) {
    outcomes[outcomeOf(counts)] += 1;
    failing += counts.fail;
    rewritten += counts.rewritten;
  }
  return { ...outcomes, kept: outcomes.kept + outcomes.departed, outcomes, failing, rewritten, applicable: countsByClause.size - outcomes.inapplicable };
}

/** A standing in words. */
function describeStanding({ kept, applicable, violated, departed, undecided, inapplicable }) {
  const parts = [`${kept} of ${plural(applicable, "clause")} kept`, violated && `${violated} violated`, departed && plural(departed, "departure"), undecided && `${undecided} not decided`];
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

/** The columns that can be sorted by. Each starts with the best. */
const COLUMNS = [
  { id: "name", title: "Implementation", of: ({ implementation }) => implementation.key.toLowerCase() },
  { id: "kept", title: "Clauses kept", isNumber: true, of: ({ rank }) => rank },
  { id: "violated", title: "Violated", isNumber: true, of: ({ violated }) => violated },
  { id: "departed", title: "Departures", isNumber: true, of: ({ departed }) => departed },
  { id: "inapplicable", title: "Do not apply", isNumber: true, of: ({ inapplicable }) => inapplicable },
  { id: "rows", title: "Failing rows", isNumber: true, of: ({ failing }) => failing },
  { id: "language", title: "Language", of: ({ implementation }) => languageOf(implementation) },
  { id: "edition", title: "Claimed edition", of: ({ implementation }) => editions.indexOf(ownEdition(implementation)) },
];

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
/** Clauses that are not decided count against an implementation, so that a run that was cut off gains nothing. */
const byStanding = (a, b) => (a.applicable === 0) - (b.applicable === 0) || (a.violated + a.undecided) - (b.violated + b.undecided) || a.departed - b.departed || a.failing - b.failing || a.rewritten - b.rewritten;
const byRank = (a, b) => byStanding(a, b) || compare(a.implementation.key, b.implementation.key);

/** How the ranking is sorted: by rank, unless a column is chosen. */
function rankingOrder() {
  const { column, isDescending } = sorting();
  const { id, of } = COLUMNS.find((one) => one.id === column) ?? COLUMNS.find((one) => one.id === "kept");
  return { column: id, isDescending, compare: (a, b) => (isDescending ? -1 : 1) * compare(of(a), of(b)) || byRank(a, b) };
}

/** Whether an edition judges each implementation. */
const judging = once((edition) => once((implementation) => implementation.rows.some((judged) => judged && record.judgements[judged.judgements][edition.id])));
const isJudgedBy = (implementation, edition) => judging(edition)(implementation);

/** Divides implementations into those that are ranked, best first, the reference, and those that another edition judges. */
function rank(chosen, edition) {
  const judged = chosen.filter((implementation) => isJudgedBy(implementation, edition)).map((implementation) => ({ implementation, ...standing(tallyClauses(implementation, edition)) }));
  const ranked = judged.filter(({ implementation }) => !isReference(implementation)).sort(byRank);
  ranked.forEach((entry, index) => { entry.rank = index && !byStanding(ranked[index - 1], entry) ? ranked[index - 1].rank : index + 1; });
  return {
    ranked,
    reference: judged.filter(({ implementation }) => isReference(implementation)),
    elsewhere: chosen.filter((implementation) => !isJudgedBy(implementation, edition) && ownEdition(implementation)),
  };
}

/** The table of the ranked implementations, with the reference and the stubs for comparison; and what sorts it as the address says. */
function rankingView({ ranked, reference, elsewhere }, edition) {
  const stubs = stubStandings(edition);
  const line = ({ implementation, rank = "" }) => {
    const kept = rankingLines(edition)(implementation);
    kept.cells[0].textContent = rank;
    return kept;
  };
  const body = h("tbody");
  const headings = COLUMNS.map(({ id, title, isNumber }) => sortHeading(id, title, { class: isNumber ? "number" : null }));
  const groupTitle = (text) => h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: COLUMNS.length + 1 }, text));
  const table = h("table", { class: "plain ranking", "aria-label": "Ranking" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "Rank"), headings)),
    body,
    reference.length || stubs.length ? h("tbody", { class: "compared" }, groupTitle("For comparison"), reference.map(line), stubs.map(rankingRow)) : null,
    elsewhere.length ? h("tbody", { class: "elsewhere" }, groupTitle(`Not judged by ${edition.id}`), elsewhere.map(elsewhereRow)) : null);
  const used = OUTCOMES.filter(([outcome]) => [...ranked, ...reference, ...stubs].some(({ outcomes }) => outcomes[outcome]));
  const sort = () => {
    const order = rankingOrder();
    replace(body, [...ranked].sort(order.compare).map(line));
    showSorting(table, order);
  };
  return { sort, view: h("div", { class: "scores" }, scrolling(table, "Ranking"),
    h("p", { class: "key" }, used.map(([outcome, name]) => h("span", {}, h("i", { class: `part ${outcome}` }), name)))) };
}

const nameCell = (implementation) => h("th", { scope: "row" },
  h("a", { href: implementationAddress(implementation) }, visible(implementation.name)), faultMark(implementation), implementation.version ? [" ", h("span", { class: "version" }, visible(implementation.version))] : null);

/** By edition and implementation: its line. Only the rank depends on the chosen implementations. */
const rankingLines = once((edition) => once((implementation) => rankingRow({ implementation, ...standing(tallyClauses(implementation, edition)) })));

function rankingRow({ implementation, name, ...entry }) {
  const { kept, applicable, violated, departed, inapplicable, failing, rewritten } = entry;
  const number = (count, of, status, more = null) => h("td", { class: `number${status === "violation" && count ? " violations" : ""}` }, count && implementation
    ? h("a", { href: address("cases", "", { status, impl: implementationFilter([implementation]) }), "aria-label": `${grouped(count)} ${of} of ${implementation.key}` }, grouped(count))
    : grouped(count), more);
  const key = implementation?.key ?? name;
  return h("tr", {},
    h("td", { class: "number" }),
    implementation ? nameCell(implementation) : h("th", { scope: "row" }, name),
    h("td", { class: "number" }, h("div", { class: "standing", title: `${key}: ${describeStanding(entry)}` }, standingBar(entry, key), h("span", {}, h("strong", {}, kept), ` of ${applicable}`))),
    number(violated, "violated clauses", "violation"),
    number(departed, "clauses departed from", "departure"),
    h("td", { class: "number" }, inapplicable),
    number(failing, "failing rows", "failure", rewritten ? h("span", { class: "more-rewritten", title: `${plural(rewritten, "more input")} when the files are rewritten` }, ` +${grouped(rewritten)}`) : null),
    h("td", {}, implementation ? visible(languageOf(implementation)) : ""),
    h("td", {}, implementation && !isReference(implementation) ? ownEdition(implementation)?.id : ""));
}

/** An implementation that claims another edition, which alone judges it. */
function elsewhereRow(implementation) {
  const own = ownEdition(implementation);
  return h("tr", {}, h("td", {}), nameCell(implementation),
    h("td", { colspan: 5 }, h("a", { href: address("matrix", "", { edition: own.id }) }, `Results in ${own.id}`)),
    h("td", {}, visible(languageOf(implementation))), h("td", {}, own.id));
}
