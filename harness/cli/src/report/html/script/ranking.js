// ---- The ranking: the answer to "which implementation follows the text?" ----

/** Parsers that give one answer to every query. A score near theirs shows no reading of the file. */
const STUBS = [{ ruling: "allow", name: "A stub that always allows" }, { ruling: "disallow", name: "A stub that always disallows" }];

/** Whether a clause is passed: no row fails, and none that was to be judged is missing. */
const isPassed = ({ judged, pass, flaky, missing }) => judged > 0 && pass === judged && !flaky && !missing;

/** The results of one subject: `counts` of all rows, and the number of clauses that are passed in full. */
function standing(countsByClause) {
  const all = [...countsByClause.values()];
  return { counts: sumCounts(all), passed: all.filter(isPassed).length };
}

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
const shareOf = ({ pass, judged }) => (judged ? pass / judged : -1);
const LANGUAGES = { c: "C", "c++": "C++", csharp: "C#", javascript: "JavaScript", php: "PHP", typescript: "TypeScript" };
const languageOf = ({ language }) => (language ? (LANGUAGES[language] ?? language[0].toUpperCase() + language.slice(1)) : "");

/** The columns that can be sorted by. A column of numbers starts with the best. */
const COLUMNS = [
  { id: "name", title: "Implementation", of: ({ implementation }) => implementation.key.toLowerCase() },
  { id: "clauses", title: "Clauses passed", isNumber: true, isDescending: true, of: ({ passed }) => passed },
  { id: "rows", title: "Rows passed", isNumber: true, isDescending: true, of: ({ counts }) => shareOf(counts) },
  { id: "violations", title: "Violations", isNumber: true, of: ({ counts }) => counts.violations },
  { id: "departures", title: "Departures", isNumber: true, of: ({ counts }) => counts.departures },
  { id: "language", title: "Language", of: ({ implementation }) => languageOf(implementation) },
  { id: "edition", title: "Claimed edition", of: ({ implementation }) => editions.indexOf(ownEdition(implementation)) },
];

/** How the ranking is sorted, as long as the page is open. */
const sorting = { column: "clauses", isDescending: true };

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const byScore = (a, b) => b.passed - a.passed || shareOf(b.counts) - shareOf(a.counts);
const byRank = (a, b) => byScore(a, b) || compare(a.implementation.key, b.implementation.key);

function bySorting(a, b) {
  const { of } = COLUMNS.find(({ id }) => id === sorting.column);
  return (sorting.isDescending ? -1 : 1) * compare(of(a), of(b)) || byRank(a, b);
}

/** Divides implementations into those that are ranked, best first, the reference, and those that another edition judges. */
function rank(chosen, results, edition) {
  const isJudged = (implementation) => implementation.rows.some((judged) => judged && record.judgements[judged.judgements][edition.id]);
  const judged = chosen.filter(isJudged).map((implementation) => ({ implementation, ...standing(results.get(implementation)) }));
  const ranked = judged.filter(({ implementation }) => !isReference(implementation)).sort(byRank);
  ranked.forEach((entry, index) => { entry.rank = index && !byScore(ranked[index - 1], entry) ? ranked[index - 1].rank : index + 1; });
  return {
    ranked,
    reference: judged.filter(({ implementation }) => isReference(implementation)),
    elsewhere: chosen.filter((implementation) => !isJudged(implementation) && ownEdition(implementation)),
  };
}

/** The table of the ranked implementations, with the reference and the stubs for comparison. */
function rankingView({ ranked, reference, elsewhere }, byClause, edition) {
  const clauseCount = [...byClause.values()].filter((group) => group.some(({ expected }) => !isWhollyUnspecified(expected[edition.id]))).length;
  const stubs = STUBS.map(({ ruling, name }) => ({ name, ...standing(new Map([...byClause].map(([id, group]) => [id, stubCounts(ruling, group, edition)]))) }))
    .filter(({ counts }) => counts.judged);

  const line = (entry) => rankingRow(entry, clauseCount);
  const body = h("tbody", {}, [...ranked].sort(bySorting).map(line));
  const headings = COLUMNS.map((column) => {
    const sort = () => {
      sorting.isDescending = sorting.column === column.id ? !sorting.isDescending : Boolean(column.isDescending);
      sorting.column = column.id;
      replace(body, [...ranked].sort(bySorting).map(line));
      showSorting();
    };
    return h("th", { scope: "col", class: column.isNumber ? "number" : null }, h("button", { type: "button", class: "sort", onclick: sort }, column.title));
  });
  const showSorting = () => headings.forEach((cell, index) => {
    if (COLUMNS[index].id === sorting.column) cell.setAttribute("aria-sort", sorting.isDescending ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  });
  showSorting();
  const groupTitle = (text) => h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: COLUMNS.length + 1 }, text));
  const table = h("table", { class: "plain ranking", "aria-label": "Ranking" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "Rank"), headings)),
    body,
    reference.length || stubs.length ? h("tbody", { class: "compared" }, groupTitle("For comparison"), reference.map(line), stubs.map(line)) : null,
    elsewhere.length ? h("tbody", { class: "elsewhere" }, groupTitle(`Not judged by ${edition.id}`), elsewhere.map(elsewhereRow)) : null);
  const used = SCORE_PARTS.filter(([key]) => [...ranked, ...reference, ...stubs].some(({ counts }) => counts[key]));
  return h("div", { class: "scores" }, scrolling(table, "Ranking"),
    h("p", { class: "key" }, used.map(([key, name]) => h("span", {}, h("i", { class: `part ${key}` }), name))));
}

const nameCell = (implementation) => h("th", { scope: "row" },
  h("a", { href: implementationAddress(implementation) }, visible(implementation.name)), implementation.version ? [" ", h("span", { class: "version" }, visible(implementation.version))] : null);

function rankingRow({ implementation, name, rank, counts, passed }, clauseCount) {
  const failureLink = (count, status) => (count && implementation
    ? h("a", { href: address("cases", "", { status, impl: implementationFilter([implementation]) }), "aria-label": `${count} ${status}s of ${implementation.key}` }, count.toLocaleString("en"))
    : count.toLocaleString("en"));
  return h("tr", {},
    h("td", { class: "number" }, rank ?? ""),
    implementation ? nameCell(implementation) : h("th", { scope: "row" }, name),
    h("td", { class: "number" }, h("strong", {}, passed), ` of ${clauseCount}`),
    h("td", { class: "number" }, h("div", { class: "rows" }, scoreBar(counts, implementation?.key ?? name), h("span", { class: "share" }, share(counts)))),
    h("td", { class: `number${counts.violations ? " violations" : ""}` }, failureLink(counts.violations, "violation")),
    h("td", { class: "number" }, failureLink(counts.departures, "departure")),
    h("td", {}, implementation ? visible(languageOf(implementation)) : ""),
    h("td", {}, implementation && !isReference(implementation) ? ownEdition(implementation)?.id : ""));
}

/** An implementation that claims another edition, which alone judges it. */
function elsewhereRow(implementation) {
  const own = ownEdition(implementation);
  return h("tr", {}, h("td", {}), nameCell(implementation),
    h("td", { colspan: 4 }, h("a", { href: address("matrix", "", { edition: own.id }) }, `Results in ${own.id}`)),
    h("td", {}, visible(languageOf(implementation))), h("td", {}, own.id));
}
