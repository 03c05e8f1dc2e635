// ---- The panel of a row ----

const panel = document.getElementById("panel");

const LONGEST_LINE = 400;

/** A file, with the deciding lines marked. */
function fileView(check, key, title, deciding) {
  const bytes = fileBytes(check, key);
  if (bytes === null) return null;
  const excerpt = suite.excerpts[check.id];
  if (excerpt) return [h("h3", {}, title, h("small", {}, `${plural(excerpt.bytes, "byte")}, an excerpt`)), h("pre", { class: "file", tabindex: "0" }, excerpt.lines.map((line) => h("div", {}, visible(line))))];
  const fileLines = splitLines(bytes);
  const lineView = ({ text, end }, index) => {
    const decides = deciding.includes(index + 1);
    const shown = [visibleBytes(text.slice(0, LONGEST_LINE)), text.length > LONGEST_LINE ? `… (${text.length} bytes)` : null];
    const shownEnd = { "\n": null, "\r\n": "\\r\\n", "\r": "\\r", "": "no line end" }[end];
    return h("li", { class: decides ? "decides" : null },
      h("span", { class: "number" }, index + 1),
      h("code", {}, decides ? h("mark", {}, shown) : shown, shownEnd && escapeMark(shownEnd)),
      decides ? h("span", { class: "hidden" }, "decides") : null);
  };
  const size = fileLines.length ? `${plural(bytes.length, "byte")}, ${plural(fileLines.length, "line")}` : "an empty file";
  return [h("h3", {}, title, h("small", {}, size)), fileLines.length ? h("ol", { class: "file", tabindex: "0", "aria-label": `${title}, with the deciding lines marked` }, fileLines.map(lineView)) : null];
}

function filesView(check) {
  const deciding = check.reasons?.[currentEdition().id]?.lines ?? [];
  return [fileView(check, "robots", "robots.txt", deciding), fileView(check, "text", "The file", deciding), fileView(check, "twin", "The other file", [])];
}

function queryView(check) {
  const facts = queryFacts(check);
  return facts.length ? [h("h3", {}, "Query"), h("dl", { class: "facts" }, facts.map(([label, value]) => [h("dt", {}, label), h("dd", {}, h("code", {}, visible(value)))]))] : null;
}

/** A question that makes an answer unspecified, and what each answer to the question leads to. */
function questionView({ question, answers }, edition) {
  const items = answers.map(({ answer, gives }) => h("li", {}, h("code", {}, answer), ": ", answerLabel(describeExpected(gives))));
  return h("div", { class: "doubt" }, `${edition.id} does not decide: `, prose(questionById.get(question).asks), items.length ? h("ul", {}, items) : null);
}

/** The clauses that decide a row in an edition, with links to their sections. */
function citations(row, edition) {
  const applied = row.check?.reasons?.[edition.id]?.clauses ?? [];
  const cited = new Set([...row.clauses.filter(({ sections }) => sections[edition.id]), ...applied.map((clause) => clauseById.get(clause))]);
  return [...cited].map((clause) => h("li", {}, h("a", { href: clauseAddress(clause, edition) }, h("code", {}, clause.id)), " ", prose(clause.statement), " ",
    h("small", {}, sectionLinks(edition.id, clause.sections[edition.id]), levelMark(clause.levels?.[edition.id]))));
}

/** Why an edition expects what it expects. Where the author of a suite expects it, what the reference answers, and why. */
function reasonsView(row, edition) {
  const { questions = [], sentences = [] } = row.check?.reasons?.[edition.id] ?? {};
  const ruling = suite.rulings[row.id]?.[edition.id];
  return [
    ruling ? h("p", { class: "reference" }, "The reference answers ", answerLabel(ruling), ruling === row.expectedText[edition.id] ? ", as the file expects." : ", not as the file expects.") : null,
    questions.length ? questions.map((open) => questionView(open, edition)) : sentences.length ? h("ul", { class: "reasons" }, sentences.map((sentence) => h("li", {}, prose(sentence)))) : null,
  ];
}

/** How strongly an edition asks for the answer to a row. */
function demand(row, edition) {
  const expected = row.expected[edition.id];
  if (!expected) return "has no expectation for this row";
  if (isWhollyUnspecified(expected)) return "does not specify the answer";
  return { should: "recommends", may: "permits" }[row.check?.levels?.[edition.id]] ?? "requires";
}

/** The verdict of the selected edition, its reasons, and the answers that were given. */
function verdictView(row, edition) {
  const expected = row.expected[edition.id];
  const isDefinite = expected && !isWhollyUnspecified(expected);
  const answered = implementations.map((implementation) => [implementation, judgementOf(implementation, row, edition)]).filter(([, judgement]) => judgement);
  const groups = [...Map.groupBy(answered, ([, judgement]) => `${judgement.status} ${judgement.level} ${answerText(judgement)}`).values()]
    .sort(([[, a]], [[, b]]) => isFailure(b) - isFailure(a));
  const chosen = chosenImplementations();
  const isChosen = (implementation) => chosen.length < implementations.length && chosen.includes(implementation);
  const nameOf = (implementation) => h(isChosen(implementation) ? "strong" : "span", {}, visible(implementation.key));
  const inEdition = h("a", { href: address("edition", edition.id) }, edition.id);
  return h("section", { class: "verdict", "aria-label": "Verdict" },
    ownFile(row) && expected ? h("p", { class: "requirement" }, h("code", {}, visible(ownFile(row))), " expects ", answerLabel(row.expectedText[edition.id]), " in ", inEdition, ".")
      : h("p", { class: "requirement" }, inEdition, " ", demand(row, edition), isDefinite ? [" ", answerLabel(row.expectedText[edition.id])] : "", "."),
    reasonsView(row, edition),
    h("ul", { class: "cited" }, citations(row, edition)),
    h("dl", { class: "actual" },
      h("div", {}, h("dt", {}, "Expected"), h("dd", {}, expected ? answerLabel(row.expectedText[edition.id]) : "nothing")),
      groups.map((group) => h("div", {}, h("dt", {}, "Actual"), h("dd", {}, resultMark(group[0][1]), " ", answerLabel(answerText(group[0][1])), " ",
        h("span", { class: "by" }, group.map(([implementation], index) => [index ? ", " : "", nameOf(implementation)])))))));
}

/** What another edition expects, and why. */
function expectationRow(row, edition) {
  const { id } = edition;
  return h("tr", {},
    h("th", { scope: "row" }, h("a", { href: address("edition", id) }, id)),
    h("td", {}, row.expected[id] ? [answerLabel(row.expectedText[id]), levelMark(row.check?.levels?.[id])] : h("span", { class: "answer none" }, "no expectation")),
    h("td", {}, row.expected[id] ? [reasonsView(row, edition), h("ul", { class: "cited" }, citations(row, edition))] : "The row is not part of this edition."));
}

/** A reason, with a link to the report that it names at its end. */
function linked(reason) {
  const [, text, issue] = reason.match(/^(.*) \((https:\/\/\S+)\)$/s) ?? [null, reason, null];
  return [prose(text), issue ? [" ", outside(issue, "report", "the report to those who maintain it")] : null];
}

/** The answer of an implementation in the selected edition. */
function answerRow(row, implementation) {
  const edition = currentEdition();
  const judgement = judgementOf(implementation, row, edition);
  const isJudgedElsewhere = Object.keys(judgementsOf(implementation, row)).length > 0;
  const known = judgement?.known;
  const variants = divergentVariants(implementation, row);
  const variantItem = ({ id, judgements: of }) => h("li", {}, h("code", {}, id), " ", answerLabel(answerText(of[edition.id] ?? Object.values(of)[0])));
  return h("tr", {},
    h("th", { scope: "row" }, h("a", { href: implementationAddress(implementation) }, visible(implementation.key))),
    h("td", {}, judgement || !isJudgedElsewhere ? [answerLabel(judgement && answerText(judgement)), judgement?.got?.answer?.decided ? h("small", {}, ` by line ${judgement.got.answer.decided.line}`) : null] : h("span", { class: "answer none" }, `not judged by ${edition.id}`),
      known ? h("div", { class: "reason" }, "Cause, from the list of known failures: ", linked(known)) : null,
      variants.length ? h("details", { class: "variants" }, h("summary", {}, `different in ${plural(variants.length, "variant")}`), h("ul", {}, variants.map(variantItem))) : null),
    h("td", {}, resultMark(judgement)));
}

/** The results of an implementation in the other editions. */
function otherResults(row, implementation, others) {
  return h("tr", {}, h("th", { scope: "row" }, visible(implementation.key)), others.map((edition) => h("td", {}, resultMark(judgementOf(implementation, row, edition)))));
}

/** What the other editions expect, and the results in these, folded. */
function otherEditions(row, region) {
  const others = editions.filter((edition) => edition !== currentEdition());
  const judging = others.filter((edition) => judgingEditions.includes(edition));
  const expectations = tableOf({ class: "plain expectations" }, ["Edition", "Expects", "Why"].map(heading), others.map((of) => expectationRow(row, of)));
  expectations.tHead.className = "hidden";
  return h("details", { class: "others" }, h("summary", {}, "Other editions"),
    region("Expectations of other editions", expectations),
    judging.length ? region("Results in other editions", tableOf({ class: "plain answers" }, [heading("Implementation"), judging.map(({ id }) => heading(id))], failingFirst(row).map((implementation) => otherResults(row, implementation, judging)))) : null);
}

/** The commands that repeat the query. */
function commands(row) {
  const { check, id } = row;
  if (!check) return [h("h3", {}, "Commands"), h("p", { class: "note" }, "This robotspec does not contain the suite of this row, so the page cannot show the file and the query.")];
  const edition = currentEdition();
  const chosen = chosenImplementations();
  const fails = (implementation) => isFailure(judgementOf(implementation, row, edition));
  const hasDivergentVariant = (implementation) => divergentVariants(implementation, row).length > 0;
  const failing = chosen.find(fails) ?? chosen.find(hasDivergentVariant) ?? chosen[0];
  const withoutVariants = fails(failing) || !hasDivergentVariant(failing) ? "--no-variants " : "";
  const subject = failing.isBuiltIn ? quoted(failing.name) : "--adapter '…'";
  const file = ownFile(row);
  return [
    h("h3", {}, "Commands"),
    command(`robotspec run ${subject} ${file ? `--suite ${quoted(file)} ` : ""}--edition ${edition.id} ${withoutVariants}--filter ${quoted(`id:${id}`)}`),
    failing.isBuiltIn ? null : h("p", { class: "note" }, "Write the command of the adapter of ", visible(failing.key), " between the quotes."),
    file ? null : command(`robotspec cases show ${quoted(id)}`),
    check.op === "match" ? [command(`robotspec check --edition ${edition.id} --agent ${quoted(check.agent)} --url ${quoted(check.url)} --explain robots.txt`), h("p", { class: "note" }, "The last command reads the file above, saved as robots.txt.")] : null,
  ];
}

/** The rows before and after this one, among those that the filter shows. */
function neighbours(row) {
  const found = filteredCases();
  const place = found.indexOf(row);
  return place < 0 ? [] : [found[place - 1], found[place + 1]];
}

/** The implementations, those that fail first. */
function failingFirst(row) {
  const fails = (implementation) => isFailure(judgementOf(implementation, row, currentEdition()));
  return [...implementations.filter(fails), ...implementations.filter((implementation) => !fails(implementation))];
}

/** The verdict on a row and its file. */
function rowPanel(row, close) {
  const { check } = row;
  const [before, after] = neighbours(row);
  // The next row replaces the entry of the history, so that going back leads to the list.
  const go = (to) => (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    replaceAddress(rowAddress(to));
  };
  const step = (to, label, name) => (to ? h("a", { class: "button quiet", href: rowAddress(to), onclick: go(to), "aria-label": name, title: name }, label) : null);
  return [
    h("div", { class: "panel-head" },
      h("h2", { id: "panel-title", tabindex: "-1" }, visible(row.id)),
      h("div", { class: "buttons" }, step(before, "←", "Previous row"), step(after, "→", "Next row"), close)),
    h("p", { class: "query" }, queryLine(row)),
    verdictView(row, currentEdition()),
    check?.about ? h("p", { class: "about" }, prose(check.about)) : null,
    check ? [filesView(check), queryView(check), playgroundLink(check)] : null,
  ];
}

/** The answer of each implementation, and what other editions say. */
function* rowDetails(row) {
  const { check } = row;
  const { title, source } = check ? suiteById.get(check.suite) : {};
  const region = (label, table) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
  panel.append(
    h("h3", {}, `Answers, judged by ${currentEdition().id}`),
    region("Answers of the implementations", tableOf({ class: "plain answers" }, ["Implementation", "Answer", "Result"].map(heading), failingFirst(row).map((implementation) => answerRow(row, implementation)))));
  yield;
  panel.append(...[otherEditions(row, region), commands(row), check ? h("p", { class: "source" }, prose(title), h("small", {}, prose(source))) : null].flat(Infinity).filter(isShown));
}

function showRow() {
  const row = rowById.get(state.argument);
  const close = button("Close", () => panel.close(), { class: "quiet" });
  replace(panel, row ? rowPanel(row, close) : [
    h("div", { class: "panel-head" }, h("h2", { id: "panel-title", tabindex: "-1" }, "Unknown row"), close),
    h("p", {}, "These results have no row ", h("code", {}, visible(state.argument)), "."),
  ]);
  dropWork(panel);
  if (row) later(panel, rowDetails(row));
  // While the page loads, the panel opens without animation.
  panel.classList.toggle("slides", document.readyState === "complete");
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  panel.querySelector("#panel-title").focus();
}

panel.addEventListener("close", () => {
  if (state.view !== "case") return;
  if (isOpenedFromView) history.back();
  else replaceAddress(address(under.view, under.argument, under.filter));
});
panel.addEventListener("click", (event) => {
  // A click on the backdrop has the panel as its target, outside of the panel's box.
  const { left } = panel.getBoundingClientRect();
  if (event.target === panel && event.clientX < left) panel.close();
});
panel.addEventListener("keydown", (event) => {
  const label = { ArrowLeft: "Previous row", ArrowRight: "Next row" }[event.key];
  const scrolls = event.target.closest(".file, .scroll");
  if (label && !scrolls && !event.altKey && !event.metaKey && !event.ctrlKey) panel.querySelector(`[aria-label="${label}"]`)?.click();
});
