// ---- State: the address holds it, so that every view can be linked to ----

const DEFAULT_EDITION = (judgingEditions.find(({ id }) => id === "rfc9309") ?? judgingEditions.at(-1) ?? editions.at(-1)).id;
const NO_FILTER = { edition: DEFAULT_EDITION, q: "", kind: "", status: "", clause: "", impl: "", sort: "" };
const FILTERED = ["matrix", "cases"];
const VIEW_NAMES = ["matrix", "cases", "implementations", "implementation", "editions", "edition", "case"];
/** When the results were written. It names the run in an address. */
const RUN = document.querySelector(".origin time").dateTime;

/** Decodes a part of an address. An address that was typed may be wrong. */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads `#view/argument?filter=…`. An unknown view or edition is the default one; `mistakes` has a sentence about each and its name. */
function parseAddress(hash) {
  const [path, query = ""] = hash.replace(/^#/, "").split("?");
  const [view, ...rest] = path.split("/");
  const filter = { ...NO_FILTER };
  const values = new URLSearchParams(query);
  for (const [key, value] of values) if (Object.hasOwn(filter, key)) filter[key] = value;
  const isView = !view || VIEW_NAMES.includes(view);
  const isEdition = editions.some(({ id }) => id === filter.edition);
  const run = values.get("run") ?? RUN;
  const mistakes = [
    !isView && ["This page has no view", decode(view)],
    !isEdition && ["These results have no edition", filter.edition],
    run !== RUN && [`These results are of the run of ${RUN}. The address names the run of`, run],
  ].filter(Boolean);
  if (!isEdition) filter.edition = DEFAULT_EDITION;
  return { view: isView && view ? view : "matrix", argument: isView ? decode(rest.join("/")) : "", filter, mistakes };
}

/** Writes an address. The selected edition stays the same unless the filter names another. */
function address(view, argument = "", filter = {}) {
  const whole = { ...NO_FILTER, edition: state.filter.edition, ...filter };
  const query = Object.keys(whole).filter((key) => whole[key] !== NO_FILTER[key]).map((key) => `${key}=${encodeURIComponent(whole[key])}`).join("&");
  const path = argument ? `${view}/${encodeURIComponent(argument).replaceAll("%2F", "/")}` : view;
  return `#${path}${query && `?${query}`}`;
}

let state = parseAddress(location.hash);
const currentEdition = () => editions.find(({ id }) => id === state.filter.edition);
const rowAddress = (row) => address("case", row.id, state.filter);
const implementationAddress = (implementation) => address("implementation", implementation.key);

/** The address of the rows of a clause, in an edition that judged. */
function clauseAddress(clause, edition = currentEdition()) {
  return address("cases", "", { edition: judgingEditions.includes(edition) ? edition.id : state.filter.edition, clause: clause.id });
}

const namedKeys = () => (state.filter.impl ? state.filter.impl.split(",").map(decode) : []);

/** The implementations that the filter names. An empty filter stands for all. */
function chosenImplementations() {
  const keys = namedKeys();
  const found = implementations.filter(({ key }) => keys.includes(key));
  return found.length ? found : implementations;
}

/** What the address names and the results do not have. */
function unknownNames() {
  const missing = namedKeys().filter((name) => !implementations.some(({ key }) => key === name));
  return [...missing.map((name) => ["These results have no implementation", name]), ...state.mistakes];
}

/** The filter that names implementations. */
const implementationFilter = (chosen) => (chosen.length === implementations.length ? "" : chosen.map(({ key }) => encodeURIComponent(key)).join(","));

const STATUS_FILTERS = [
  ["", "Any result"],
  ["pass", "As expected"],
  ["failure", "Not as expected"],
  ["violation", "Violation"],
  ["departure", "Departure from a recommendation"],
  ["new", "Failure that no list of known failures has"],
  ["known", "Failure in a list of known failures"],
  ["crash", "Crash"],
  ["timeout", "Timeout"],
  ["error", "Error or protocol error"],
  ["flaky", "Flaky: two answers"],
  ["unspecified", "Not specified by the edition"],
  ["unanswered", "No answer where none is specified"],
  ["not-supported", "Not supported"],
  ["not-run", "Not run"],
  ["differ", "Implementations disagree"],
];

function hasStatus(judgement, wanted) {
  if (!judgement) return wanted === "not-run";
  switch (wanted) {
    case "failure": return isFailure(judgement);
    case "violation": return isFailure(judgement) && !isDeparture(judgement);
    case "departure": return isDeparture(judgement);
    case "new": return isNewFailure(judgement);
    case "known": return judgement.known !== undefined;
    case "error": return judgement.status === "error" || judgement.status === "protocol-error";
    default: return judgement.status === wanted;
  }
}

/** Whether a row has the wanted result, in any of these implementations. */
function rowHasStatus(row, chosen, edition, wanted) {
  if (!wanted) return true;
  if (!row.expected[edition.id]) return false;
  if (wanted === "differ") {
    const judged = chosen.map((implementation) => judgementOf(implementation, row, edition));
    return new Set(judged.filter((judgement) => judgement && judgement.status !== "not-supported").map(answerText)).size > 1;
  }
  return chosen.some((implementation) => hasStatus(judgementOf(implementation, row, edition), wanted));
}

/** The search before this one: its words, and the rows that have them. */
let lastSearch = { q: "", found: rows };

/** The rows that have all words of a search. A reader who types on only narrows the rows that were found. */
function searchedRows(q) {
  const from = lastSearch.q && q.startsWith(lastSearch.q) ? lastSearch.found : rows;
  const terms = q.toLowerCase().split(/\s+/).filter(Boolean);
  lastSearch = { q, found: from.filter((row) => terms.every((term) => (row.searchText ??= searchText(row)).includes(term))) };
  return lastSearch.found;
}

/** The rows that pass the filter, whatever their results are. */
function filteredRows() {
  const { q, kind, clause, edition } = state.filter;
  return searchedRows(q).filter((row) =>
    (row.expected[edition] || !judgingEditions.length) &&
    (!kind || kind.includes(row.clauseId[0])) &&
    (!clause || row.clauseId === clause));
}
