// ---- The answers of the editions ----

const groupsView = document.getElementById("groups");
const summary = document.getElementById("summary");
const asked = document.getElementById("asked");
const lintView = document.getElementById("lint");

/** The most lines that a list shows. */
const SHOWN_LINES = 20;
const SHOWN_FINDINGS = 50;
/** How many characters of a URL the sentence above the answers has. */
const SHOWN_URL = 60;

const shortened = (url) => (url.length > SHOWN_URL ? `${url.slice(0, SHOWN_URL)}…` : url);

const rulingLabel = (ruling) => h("span", { class: `answer ${ruling}` }, ruling);

/** The edition of a group whose words are shown: the selected one, or RFC 9309, or the newest. */
const leadOf = ({ editions: of }) => [state.edition, FIRST_EDITION].find((edition) => of.includes(edition)) ?? of.at(-1);

const isSelected = ({ editions: of }) => of.includes(state.edition);

function editionButton(id) {
  return button(id, () => select({ edition: id }), { class: "chip", "aria-pressed": String(id === state.edition), "data-key": `edition ${id}` });
}

/** A line of the file, which a click selects in the text field. */
function lineButton({ line, row, text: shown }, key) {
  return button([h("span", { class: "number" }, line), h("code", {}, shown || "(empty)")], () => goToRow(row), { class: "line", "data-key": `${key} ${line}`, title: "Show the line in the file" });
}

function deciding({ lines: all }, key) {
  if (!all.length) return null;
  const shown = all.slice(0, SHOWN_LINES);
  return h("div", { class: "deciding" }, shown.map((line) => lineButton(line, key)), all.length > shown.length ? h("p", { class: "note" }, `and ${plural(all.length - shown.length, "more line")}`) : null);
}

function questionView({ question, asks, because, supposing = [], answers }) {
  return h("div", { class: "doubt" },
    h("p", {}, h("code", {}, question), ": ", prose(asks), " ", h("small", {}, prose(because))),
    supposing.length ? h("p", { class: "note" }, "supposing ", supposing.map((choice, index) => [index ? ", " : "", h("code", {}, choice)])) : null,
    h("ul", { class: "outcomes" }, answers.map(({ answer, meaning, gives }) => h("li", {}, rulingLabel(gives.ruling), h("span", {}, h("code", {}, answer), ": ", prose(meaning))))));
}

function citationView({ clause, statement, section, quote, level }, edition) {
  return h("li", {}, h("code", {}, clause), " ", prose(statement), " ",
    h("small", {}, sectionLinks(edition, section), level && level !== "must" ? ` (${level})` : null),
    quote ? h("blockquote", {}, quote) : null);
}

/** Whether the words of the clauses are in sight. */
let hasWords = false;

function groupView(group) {
  const { editions: of, ruling, reasons: { sentences = [], questions = [] }, citations } = group;
  const key = of.join(" ");
  const lead = leadOf(group);
  const words = h("details", { class: "words", open: hasWords },
    h("summary", { "data-key": `words ${key}` }, `The words of ${lead}: `, citations[lead].map(({ clause }, index) => [index ? ", " : "", h("code", {}, clause)])),
    h("ul", {}, citations[lead].map((citation) => citationView(citation, lead))));
  // One choice is for all groups, also after the next change of the input.
  words.firstChild.addEventListener("click", (event) => {
    event.preventDefault();
    hasWords = !hasWords;
    for (const other of groupsView.querySelectorAll(".words")) other.open = hasWords;
  });
  return h("section", { class: `group ${isSelected(group) ? "selected" : ""}`, "aria-label": `${ruling} in ${of.join(", ")}` },
    h("div", { class: "group-head" }, rulingLabel(ruling), h("div", { class: "chips" }, of.map(editionButton))),
    questions.length ? [h("p", { class: "lead" }, "The text admits several answers to a question, and they lead to different verdicts:"), questions.map(questionView), h("p", { class: "lead" }, "In the plainest reading:")] : null,
    h("ul", { class: "sentences" }, sentences.map((sentence) => h("li", {}, prose(sentence)))),
    deciding(group, key),
    words);
}

const counts = (rulings) => ["allow", "disallow", "unspecified"].map((ruling) => [ruling, rulings.filter((other) => other === ruling).length]).filter(([, count]) => count);

/** The rulings of all editions in a sentence. */
function inWords(rulings) {
  const [[first, count], ...rest] = counts(rulings).toSorted(([, a], [, b]) => b - a);
  if (!rest.length) return `${first} in all ${count} editions`;
  return [`${first} in ${plural(count, "edition")}`, ...rest.map(([ruling, number]) => `${ruling} in ${number}`)].join(", ");
}

/** The list of URLs, where there are several. A click selects one. */
function askedView(urls, answers) {
  if (urls.length < 2) return [];
  return urls.map((url, place) => {
    const rulings = Array.isArray(answers[place]) ? answers[place] : null;
    return h("li", {}, button([
      h("code", {}, visible(url)),
      rulings
        ? h("span", { class: "cells", role: "img", "aria-label": inWords(rulings) }, rulings.map((ruling, index) => h("span", { class: `cell ${ruling}`, title: `${EDITIONS[index]}: ${ruling}` }, { allow: "A", disallow: "D", unspecified: "?" }[ruling])))
        : h("span", { class: "note" }, "not a URL"),
    ], () => select({ selected: place }), { class: "asked", "aria-pressed": String(place === state.selected), "data-key": `url ${place}` }));
  });
}

function findingView({ lines, kind, reason }) {
  const more = lines.length - 1;
  return h("li", { class: kind }, h("span", { class: "sign", role: "img", "aria-label": KINDS[kind].name }, KINDS[kind].mark),
    lines.length ? lineButton(lines[0], "lint") : null,
    h("span", { class: "reason" }, prose(reason), more > 0 ? ` (and ${plural(more, "more line")})` : null));
}

function lintListView({ edition, hasGrammar, errors, warnings, notes, findings }) {
  const all = errors + warnings + notes;
  const by = hasGrammar ? edition : `${edition}, which has no grammar`;
  if (!all) return [h("p", { class: "note" }, `Nothing to report about the lines, by ${by}.`)];
  const numbers = [[errors, "error"], [warnings, "warning"], [notes, "note"]].filter(([count]) => count).map(([count, noun]) => plural(count, noun));
  const shown = findings.slice(0, SHOWN_FINDINGS);
  return [
    h("h2", {}, `Lines that do not do what they seem to, by ${by}: ${numbers.join(", ")}`),
    h("ul", { class: "findings" }, shown.map(findingView)),
    all > shown.length ? h("p", { class: "note" }, `and ${all - shown.length} more`) : null,
  ];
}

/** Replaces what is shown, and keeps the focus on the element with the same key. */
function refill(element, ...nodes) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  element.replaceChildren(...nodes.flat(Infinity).filter(isShown));
  if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

function showAnswer(answer, linted, urls) {
  const of = answer.urls[state.selected];
  const about = urls.length > 1 ? `${shortened(urls[state.selected])}: ` : "";
  summary.replaceChildren(...Array.isArray(of) ? [...visible(about), inWords(of)] : [of ? "" : "Write a URL or a path to see the answers."]);
  refill(asked, askedView(urls, answer.urls));
  refill(groupsView,
    answer.remarks.map((remark) => h("p", { class: "remark" }, prose(`${remark[0].toUpperCase()}${remark.slice(1)}.`))),
    of?.error ? h("p", { class: "remark" }, prose(of.error)) : null,
    answer.groups.map(groupView));
  refill(lintView, lintListView(linted));
  const marked = new Map();
  for (const { lines, kind, reason } of linted.findings) for (const { row } of lines) if (!marked.has(row)) marked.set(row, { finding: { kind, reason } });
  for (const { row } of answer.groups.find(isSelected)?.lines ?? []) marked.set(row, { ...marked.get(row), decides: true });
  showMarks(marked, answer.firstLines);
}
