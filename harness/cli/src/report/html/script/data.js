// ---- Data: what the page knows, with places made into things ----

const raw = JSON.parse(document.getElementById("data").textContent);
const text = (place) => raw.texts[place];

const editions = raw.editions.map((edition, column) => ({ ...edition, column }));
const judging = editions.filter((edition) => edition.judged);
const statuses = raw.statuses;
const status = Object.fromEntries(statuses.map(({ id }, place) => [id, place]));
const kinds = raw.kinds.map(([letter, title]) => ({ letter, title }));
const clauses = raw.clauses.map((clause, place) => ({ ...clause, place }));
const clauseById = new Map(clauses.map((clause) => [clause.id, clause]));
const questions = raw.questions.map((question, place) => ({ ...question, place }));

const cases = raw.cases.map((one) => ({ ...one, suite: raw.suites[one.suite], clauses: one.clauses.map((place) => clauses[place]) }));
const files = raw.files.map((file) => ({ ...file, lines: file.lines.map(([number, line, end]) => ({ number, text: text(line), end: text(end) })) }));

const rows = raw.rows.map(([place, suffix, clause, kind, file, facts, expected, reasons], index) => {
  const of = place === null ? null : cases[place];
  const clauseId = text(clause);
  return {
    index,
    id: of ? of.id + suffix : suffix,
    case: of,
    clauseId,
    clauses: of ? of.clauses : clauseById.has(clauseId) ? [clauseById.get(clauseId)] : [],
    kind,
    file: file === null ? null : files[file],
    facts: facts.map(([label, value]) => [label, text(value)]),
    expected: raw.expected[expected],
    reasons: raw.reasons[reasons],
  };
});
const rowById = new Map(rows.map((row) => [row.id, row]));

const implementations = raw.implementations.map((one, index) => {
  const names = raw.implementations.filter((other) => other.name === one.name);
  // Two versions of one implementation are told apart by their version.
  const key = names.length > 1 ? `${one.name} ${one.version ?? ""}`.trim() : one.name;
  return { ...one, index, key, parted: byRow(one.parted) };
});

function byRow(parted) {
  const found = new Map();
  for (const [row, variant, outcome] of parted) {
    if (!found.has(row)) found.set(row, []);
    found.get(row).push({ variant: raw.variants[variant], outcome: raw.outcomes[outcome] });
  }
  return found;
}

/** What an edition expects of a row. */
function expectedOf(row, column) {
  const place = row.expected[column];
  return place === null ? null : text(place);
}

/** Why: the lines, clauses and sentences that decide, and what is left open. */
function whyOf(row, column) {
  const place = row.reasons[column];
  if (place === null) return null;
  const [lines, cited, sentences, open] = raw.why[place];
  return {
    lines,
    clauses: cited.map((clause) => clauses[clause]),
    sentences: sentences.map(text),
    open: open.map(([question, answers]) => ({ question: questions[question], answers: answers.map(([answer, gives]) => [answer, text(gives)]) })),
  };
}

const asVerdict = (written) => written && { status: written[0], got: text(written[1]), known: written[2], reason: written[3] === null ? null : text(written[3]), failed: statuses[written[0]].failure };

/** What an implementation answered to a row, and what an edition makes of it. */
function verdictOf(implementation, row, column) {
  const outcome = implementation.rows[row.index];
  return outcome < 0 ? null : asVerdict(raw.outcomes[outcome][column]);
}

/** Counts what became of rows. */
function tally(implementation, of, column) {
  const counts = { pass: 0, fail: 0, known: 0, open: 0, unsupported: 0, missing: 0, sum: 0 };
  for (const row of of) {
    const outcome = implementation.rows[row.index];
    const verdict = outcome < 0 ? null : raw.outcomes[outcome][column];
    if (row.expected[column] === null) continue;
    counts.sum += 1;
    if (!verdict || verdict[0] === status["not-run"]) counts.missing += 1;
    else if (statuses[verdict[0]].failure) { counts.fail += 1; counts.known += verdict[2] ? 1 : 0; }
    else if (verdict[0] === status.pass) counts.pass += 1;
    else if (verdict[0] === status.unspecified) counts.open += 1;
    else counts.unsupported += 1;
  }
  counts.judged = counts.pass + counts.fail;
  return counts;
}

/** The share that passes, never rounded up to all. */
function share({ pass, judged }) {
  if (!judged) return "–";
  if (pass === judged) return "100 %";
  return `${(Math.floor((pass / judged) * 1000) / 10).toFixed(1)} %`;
}

/** What a row can be found by. */
function haystack(row) {
  row.haystack ??= [row.id, row.case?.about ?? "", row.clauseId, ...row.facts.map(([, value]) => value), ...row.clauses.map(({ id, statement }) => `${id} ${statement}`), fileText(row.file)]
    .join("\n").toLowerCase();
  return row.haystack;
}

function fileText(file) {
  if (!file) return "";
  file.text ??= file.lines.map((line) => line.text).join("\n");
  return file.text;
}
