// ---- Data: the two documents of the page, and the rows and implementations that the views show ----

/** Reads the data. It is compressed JSON, in which a number is the place of a value that was written before. pack.rs describes it. */
async function unpack() {
  const compressed = Uint8Array.from(atob(document.getElementById("data").textContent), (byte) => byte.charCodeAt(0));
  const packed = await new Response(new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
  const values = [];
  const noted = (value) => {
    values.push(value);
    return value;
  };
  const read = (value) => {
    if (typeof value === "number") return values[value];
    if (!Array.isArray(value)) return typeof value === "string" ? noted(value) : value;
    const [first, ...rest] = value;
    if (first === -2) return rest[0];
    if (first === -1) return noted(rest.map(read));
    const keys = typeof first === "number" ? values[first] : noted(first);
    return noted(Object.fromEntries(rest.map((part, index) => [keys[index], read(part)])));
  };
  return read(packed);
}

/** A function whose results are kept, by its argument. */
function once(compute) {
  const kept = new Map();
  return (argument) => {
    if (!kept.has(argument)) kept.set(argument, compute(argument));
    return kept.get(argument);
  };
}

const { suite, record } = await unpack();

/** The title of an edition without its date. */
const shortTitle = ({ title }) => title.split(",")[0];

const byId = (list) => new Map(list.map((item) => [item.id, item]));
const { editions, kinds, clauses, questions } = suite;
const judgingEditions = editions.filter(({ id }) => record.editions.includes(id));
const clauseById = byId(clauses);
const questionById = byId(questions);
const suiteById = byId(suite.suites);
const variantById = byId(suite.variants);
const checkById = byId(suite.checks);

/** The statuses of a judgement. */
const STATUSES = {
  pass: { mark: "✓", name: "as expected" },
  fail: { mark: "✗", name: "not as expected", isFailure: true },
  crash: { mark: "!", name: "crash", isFailure: true },
  timeout: { mark: "…", name: "timeout", isFailure: true },
  "protocol-error": { mark: "!", name: "protocol error", isFailure: true },
  error: { mark: "!", name: "error", isFailure: true },
  flaky: { mark: "~", name: "flaky", isFailure: true },
  "not-supported": { mark: "–", name: "not supported" },
  unspecified: { mark: "○", name: "not specified" },
  unanswered: { mark: "!", name: "no answer, and none specified" },
  "not-run": { mark: "?", name: "not run" },
};

/** An answer in words, without the line that a parser names: no edition judges it, so that answers with other lines are the same. */
const answerText = ({ got, text }) => got?.answer?.decided?.verdict ?? text;

const isFailure = (judgement) => Boolean(judgement && STATUSES[judgement.status].isFailure);
/** How an answer is shown that departs only from a recommendation. */
const DEPARTURE = { mark: "△", name: "not as recommended" };

/** Whether an answer departs only from a recommendation. */
const isDeparture = (judgement) => judgement?.status === "fail" && judgement.level !== "must";
const isNewFailure = (judgement) => isFailure(judgement) && judgement.known === undefined;

/** The file of a suite of one's own, whose author wrote the expectations; undefined for the cases of the project. */
const ownFile = ({ check }) => check && suite.files[check.suite];

/** What the editions expect of a row: by the judgements where there are some, because another version may have made them. */
function expectedOf(check, index) {
  const expected = { ...check?.expected };
  for (const { rows: judged } of record.implementations) {
    if (judged[index]) for (const [id, judgement] of Object.entries(record.judgements[judged[index].judgements])) expected[id] = judgement.expected;
  }
  return expected;
}

const rows = record.rows.map(({ id, clause: clauseId }, index) => {
  // A row of a suite that this program does not contain has no check.
  const check = checkById.get(id) ?? null;
  const expected = expectedOf(check, index);
  return {
    index,
    id,
    clauseId,
    check,
    clauses: (check?.clauses ?? [clauseId]).flatMap((cited) => clauseById.get(cited) ?? []),
    expected,
    expectedText: Object.fromEntries(Object.entries(expected).map(([edition, value]) => [edition, describeExpected(value)])),
  };
});
const rowById = byId(rows);

const implementations = record.implementations.map((implementation) => {
  const { name, version } = implementation;
  const isAlone = record.implementations.filter((other) => other.name === name).length === 1;
  // The version distinguishes implementations with the same name.
  return { ...implementation, key: isAlone ? name : `${name} ${version ?? ""}`.trim() };
});

/** The judgements of a row by all editions. */
function judgementsOf(implementation, row) {
  const judged = implementation.rows[row.index];
  return judged ? record.judgements[judged.judgements] : {};
}

/** The judgement of a row by an edition; null where the row was not run. */
function judgementOf(implementation, row, edition) {
  return judgementsOf(implementation, row)[edition.id] ?? null;
}

/** The variants of a row that have another result than the row as it is written, in some edition. */
function divergentVariants(implementation, row) {
  const asWritten = judgementsOf(implementation, row);
  const differs = (judgements) => Object.entries(judgements).some(([id, judgement]) =>
    asWritten[id] && (asWritten[id].status !== judgement.status || answerText(asWritten[id]) !== answerText(judgement)));
  return Object.entries(implementation.rows[row.index]?.variants ?? {})
    .map(([id, place]) => ({ id, judgements: record.judgements[place] }))
    .filter(({ judgements }) => differs(judgements));
}

/** For each variant: how many rows pass as they are written, and how many of these pass in the variant. */
function countVariants(implementation, edition) {
  // Rows with the same results share one object.
  const frequencies = new Map();
  for (const judged of implementation.rows) if (judged) frequencies.set(judged, (frequencies.get(judged) ?? 0) + 1);
  const counts = {};
  for (const [judged, frequency] of frequencies) {
    if (record.judgements[judged.judgements][edition.id]?.status !== "pass") continue;
    for (const [id, place] of Object.entries(judged.variants)) {
      const judgement = record.judgements[place][edition.id];
      if (!judgement) continue;
      counts[id] ??= { judged: 0, pass: 0 };
      counts[id].judged += frequency;
      if (judgement.status === "pass") counts[id].pass += frequency;
    }
  }
  return counts;
}

const COUNTED = ["pass", "violations", "departures", "flaky", "unspecified", "unsupported", "missing", "faults", "sum", "rewrittenViolations", "rewrittenDepartures", "rewrittenRows", "crashed"];
const emptyCounts = () => Object.fromEntries(COUNTED.map((key) => [key, 0]));

/** Adds the sums to counts: the failures, and the rows that count for a score. */
function withSums(counts) {
  counts.fail = counts.violations + counts.departures;
  counts.judged = counts.pass + counts.fail;
  counts.rewritten = counts.rewrittenViolations + counts.rewrittenDepartures;
  return counts;
}

/** What a judgement counts as. An answer that the edition does not specify counts for and against nobody. */
function countsAs(judgement) {
  if (!judgement || judgement.status === "not-run") return "missing";
  // No clause is to blame.
  if (judgement.status === "flaky") return "flaky";
  if (isFailure(judgement)) return isDeparture(judgement) ? "departures" : "violations";
  // The reference passes such rows with the answer that they are not specified.
  if (["unspecified", "unanswered"].includes(judgement.status) || (judgement.status === "pass" && isWhollyUnspecified(judgement.expected))) return "unspecified";
  return judgement.status === "pass" ? "pass" : "unsupported";
}

/** By edition: what each judgement of the record counts as, in the order of the record. Few different judgements occur. */
const results = once(({ id }) => record.judgements.map((judged) => ({ result: countsAs(judged[id]), isFault: ["crash", "timeout"].includes(judged[id]?.status) })));
const NO_RESULT = { result: countsAs(null), isFault: false };

/** What the answer of an implementation to a row counts as. */
function resultOf(implementation, row, edition) {
  const judged = implementation.rows[row.index];
  return judged ? results(edition)[judged.judgements] : NO_RESULT;
}

/** Whether an implementation crashed or timed out on a row, as it is written or rewritten. */
function hasFault(implementation, row, edition) {
  const judged = implementation.rows[row.index];
  return Boolean(judged) && [judged.judgements, ...Object.values(judged.variants)].some((place) => results(edition)[place].isFault);
}

/** Counts the results of rows of an edition. `byRuling` has the rows whose expected verdict is one of two, which a stub may guess. */
function tally(implementation, counted, edition) {
  const counts = emptyCounts();
  counts.byRuling = { allow: [0, 0], disallow: [0, 0] };
  counts.sum = counted.length;
  for (const row of counted) {
    const { result, isFault } = resultOf(implementation, row, edition);
    counts[result] += 1;
    if (isFault) counts.faults += 1;
    const guessed = GUESSED.includes(result) && counts.byRuling[row.expected[edition.id].ruling];
    if (guessed) {
      guessed[0] += result === "pass" ? 1 : 0;
      guessed[1] += 1;
    }
  }
  return counts;
}

const GUESSED = ["pass", "violations", "departures"];

/**
 * The variants of a row that fail in an edition, although the row passes as it is written: what each counts as, and the
 * clause that allows to rewrite the file. If another edition blames the row, its own clause is meant, which is null.
 */
function failingVariants(implementation, row, edition) {
  const judged = implementation.rows[row.index];
  if (!judged) return [];
  // Rows with the same results share one object.
  judged.failing ??= {};
  return judged.failing[edition.id] ??= findFailingVariants(judged, edition);
}

function findFailingVariants({ judgements, variants }, edition) {
  const asWritten = record.judgements[judgements];
  if (isFailure(asWritten[edition.id])) return [];
  const isBlamed = Object.values(asWritten).some(isFailure);
  return Object.entries(variants)
    .map(([id, place]) => ({ id, clauseId: isBlamed ? null : variantById.get(id).clause, result: results(edition)[place].result }))
    .filter(({ result }) => result === "violations" || result === "departures");
}

/** The rows for which an edition has an expectation, and the same by clause. */
const rowsOf = once((edition) => rows.filter(({ expected }) => expected[edition.id] || !judgingEditions.length));
const rowsByClause = once((edition) => Map.groupBy(rowsOf(edition), ({ clauseId }) => clauseId));

/** By edition and implementation: the results of the rows of each clause, and the rewritten files that fail alone. */
const tallies = once((edition) => once((implementation) => {
  const tallied = new Map();
  for (const [id, group] of rowsByClause(edition)) tallied.set(id, tally(implementation, group, edition));
  for (const row of rowsOf(edition)) {
    const variants = failingVariants(implementation, row, edition);
    const counts = tallied.get(row.clauseId);
    counts.rewrittenRows += variants.length ? 1 : 0;
    counts.crashed += hasFault(implementation, row, edition) ? 1 : 0;
    for (const { clauseId, result } of variants) {
      (tallied.get(clauseId) ?? counts)[result === "violations" ? "rewrittenViolations" : "rewrittenDepartures"] += 1;
    }
  }
  tallied.forEach(withSums);
  return tallied;
}));
const tallyClauses = (implementation, edition) => tallies(edition)(implementation);

/** The text that a search looks into. */
function searchText({ id, clauseId, clauses: cited, check }) {
  const parts = [id, clauseId, ...cited.map((clause) => `${clause.id} ${clause.statement}`)];
  if (check) {
    const files = ["robots", "twin", "text"].map((key) => check[key] ?? fileBytes(check, key) ?? "");
    parts.push(check.about ?? "", ...queryFacts(check).map(([, value]) => value), ...files, ...(suite.excerpts[id]?.lines ?? []));
  }
  return parts.join("\n").toLowerCase();
}
