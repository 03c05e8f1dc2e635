// ---- State: it is the address, so every view can be linked to ----

const DEFAULT_EDITION = (judging.find(({ id }) => id === "rfc9309") ?? judging.at(-1) ?? editions.at(-1)).id;
const NO_FILTER = { edition: DEFAULT_EDITION, q: "", kind: "", status: "", clause: "", impl: "" };
const FILTERED = ["matrix", "cases"];

/** Reads `#view/argument?filter=…`. */
function parse(hash) {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const [view, ...rest] = path.split("/");
  let argument = rest.join("/");
  try { argument = decodeURIComponent(argument); } catch { /* somebody's own address */ }
  const filter = { ...NO_FILTER };
  for (const [key, value] of new URLSearchParams(query)) if (key in filter) filter[key] = value;
  if (!editions.some(({ id }) => id === filter.edition)) filter.edition = DEFAULT_EDITION;
  return { view: view || "matrix", argument, filter };
}

/** Writes it. */
function address(view, argument = "", filter = {}) {
  const query = new URLSearchParams(Object.entries({ ...NO_FILTER, ...filter }).filter(([key, value]) => value !== NO_FILTER[key]));
  const path = argument ? `${view}/${encodeURIComponent(argument).replaceAll("%2F", "/")}` : view;
  return `#${path}${query.size ? `?${query}` : ""}`;
}

let state = parse(location.hash);
const edition = () => editions.find(({ id }) => id === state.filter.edition);
const toCase = (row) => address("case", row.id, state.filter);
const hasRows = (clause) => rows.some(({ clauseId }) => clauseId === clause.id);
const toClause = (clause, of = edition()) => address("cases", "", { edition: of.judged ? of.id : state.filter.edition, clause: clause.id });
const toImplementation = (one) => address("implementation", one.key);

/** The implementations that are looked at: all, where none is named. */
function chosen() {
  const keys = state.filter.impl ? state.filter.impl.split(",").map((key) => { try { return decodeURIComponent(key); } catch { return key; } }) : [];
  const found = implementations.filter(({ key }) => keys.includes(key));
  return found.length ? found : implementations;
}

const implFilter = (of) => (of.length === implementations.length ? "" : of.map(({ key }) => encodeURIComponent(key)).join(","));

const STATUS_FILTERS = [
  ["", "Any result"],
  ["pass", "As demanded"],
  ["failure", "Not as demanded"],
  ["new", "… and on no list of known failures"],
  ["known", "… but known"],
  ["crash", "Crashed"],
  ["timeout", "Took too long"],
  ["error", "Failed, or gave no answer"],
  ["unspecified", "Left open by the edition"],
  ["not-supported", "Not supported"],
  ["not-run", "Not run"],
  ["differ", "Answers differ"],
];

function hasStatus(verdict, wanted) {
  if (!verdict) return wanted === "not-run";
  const id = statuses[verdict.status].id;
  switch (wanted) {
    case "failure": return verdict.failed;
    case "new": return verdict.failed && !verdict.known;
    case "known": return verdict.known;
    case "error": return id === "error" || id === "protocol-error";
    default: return id === wanted;
  }
}

/** Whether a row has the result that is looked for, in any implementation that is looked at. */
function rowHasStatus(row, of, column, wanted) {
  if (!wanted) return true;
  if (row.expected[column] === null) return false;
  if (wanted === "differ") {
    const answered = of.map((one) => verdictOf(one, row, column)).filter((verdict) => verdict && !hasStatus(verdict, "not-supported"));
    return new Set(answered.map(({ got }) => got)).size > 1;
  }
  return of.some((one) => hasStatus(verdictOf(one, row, column), wanted));
}

/** The rows that the filter lets through, whatever came of them. */
function rowsFound() {
  const { q, kind, clause } = state.filter;
  const terms = q.toLowerCase().split(/\s+/).filter(Boolean);
  const column = edition().column;
  return rows.filter((row) =>
    (row.expected[column] !== null || !judging.length) &&
    (!kind || kind.includes(row.clauseId[0])) &&
    (!clause || row.clauseId === clause) &&
    terms.every((term) => haystack(row).includes(term)));
}
