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
function doubtView({ question, outcomes }) {
  const items = Object.entries(outcomes).map(([answer, expected]) => h("li", {}, h("code", {}, answer), " gives ", answerLabel(describeExpected(expected))));
  return h("div", { class: "doubt" }, h("b", {}, question), ": ", prose(questionById.get(question).asks), items.length ? h("ul", {}, items) : null);
}

/** What an edition expects, and why. */
function expectationRow(row, edition) {
  const { id } = edition;
  const { doubts = [], sentences = [], clauses: applied = [] } = row.check?.reasons?.[id] ?? {};
  const cited = new Set([...row.clauses.filter(({ sections }) => sections[id]), ...applied.map((clause) => clauseById.get(clause))]);
  return h("tr", { class: edition === currentEdition() ? "current" : null },
    h("th", { scope: "row" }, h("a", { href: address("edition", id) }, id)),
    h("td", {}, row.expected[id] ? [answerLabel(row.expectedText[id]), levelMark(row.check?.levels?.[id])] : h("span", { class: "answer none" }, "no expectation")),
    h("td", {}, !row.expected[id] ? "The row is not part of this edition." : [
      doubts.map(doubtView),
      doubts.length ? null : sentences.map((sentence) => h("div", {}, prose(sentence))),
      h("div", { class: "cited" }, [...cited].map((clause) => h("span", {}, h("a", { href: clauseAddress(clause, edition) }, clause.id), ` ${clause.sections[id] ?? ""}${levelMark(clause.levels?.[id])}`))),
    ]));
}

/** The answer of an implementation, and its result in each edition. */
function answerRow(row, implementation) {
  const edition = currentEdition();
  const judgements = Object.values(judgementsOf(implementation, row));
  const texts = new Set(judgements.map(({ text }) => text));
  const reasons = new Set(judgements.map(({ known }) => known).filter(Boolean));
  const variants = divergentVariants(implementation, row);
  const variantItem = ({ id, judgements: of }) => h("li", {}, h("code", {}, id), " ", answerLabel((of[edition.id] ?? Object.values(of)[0]).text));
  return h("tr", {},
    h("th", { scope: "row" }, h("a", { href: implementationAddress(implementation) }, visible(implementation.key))),
    h("td", {},
      texts.size > 1 ? ["read as ", edition.id, ": "] : null, answerLabel(texts.size > 1 ? judgementOf(implementation, row, edition)?.text : [...texts][0]),
      [...reasons].map((reason) => h("div", { class: "reason" }, "Known: ", visibleLines(reason))),
      variants.length ? h("details", { class: "variants" }, h("summary", {}, `different in ${plural(variants.length, "variant")}`), h("ul", {}, variants.map(variantItem))) : null),
    judgingEditions.map((of) => h("td", { class: of === edition ? "current" : null }, resultMark(judgementOf(implementation, row, of)))));
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
  return [
    h("h3", {}, "Commands"),
    command(`robotspec run ${subject} --edition ${edition.id} ${withoutVariants}--filter ${quoted(`id:${id}`)}`),
    failing.isBuiltIn ? null : h("p", { class: "note" }, "Write the command of the adapter of ", visible(failing.key), " between the quotes."),
    command(`robotspec cases show ${quoted(id)}`),
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

function rowPanel(row, close) {
  const { check } = row;
  const edition = currentEdition();
  const [before, after] = neighbours(row);
  const step = (to, label, name) => (to ? h("a", { class: "button quiet", href: rowAddress(to), "aria-label": name, title: name }, label) : null);
  const { title, source } = check ? suiteById.get(check.suite) : {};
  const editionHeadings = judgingEditions.map((of) => h("th", { scope: "col", class: of === edition ? "current" : null }, of.id));
  const region = (label, table) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
  const expectations = tableOf({ class: "plain expectations" }, ["Edition", "Expects", "Why"].map(heading), editions.map((of) => expectationRow(row, of)));
  expectations.tHead.className = "hidden";
  return [
    h("div", { class: "panel-head" },
      h("h2", { id: "panel-title", tabindex: "-1" }, visible(row.id)),
      h("div", { class: "buttons" }, step(before, "←", "Previous row"), step(after, "→", "Next row"), close)),
    check ? h("p", { class: "source" }, prose(title), h("small", {}, prose(source))) : null,
    check?.about ? h("p", { class: "about" }, prose(check.about)) : null,
    h("p", { class: "query" }, queryLine(row), " ", edition.id, " expects ", answerLabel(row.expectedText[edition.id] ?? "no answer"), "."),
    row.clauses.map((clause) => h("p", { class: "clause" }, h("a", { href: clauseAddress(clause) }, h("code", {}, clause.id)), " ", prose(clause.statement))),
    check ? [filesView(check), queryView(check)] : null,
    h("h3", {}, "Answers of the implementations"),
    region("Answers of the implementations", tableOf({ class: "plain answers" }, [heading("Implementation"), heading("Answer"), editionHeadings], failingFirst(row).map((implementation) => answerRow(row, implementation)))),
    h("h3", {}, "Expectations of the editions"),
    region("Expectations of the editions", expectations),
    commands(row),
  ];
}

function showRow() {
  const row = rowById.get(state.argument);
  const close = button("Close", () => panel.close(), { class: "quiet" });
  replace(panel, row ? rowPanel(row, close) : [
    h("div", { class: "panel-head" }, h("h2", { id: "panel-title", tabindex: "-1" }, "Unknown row"), close),
    h("p", {}, "These results have no row ", h("code", {}, visible(state.argument)), "."),
  ]);
  // While the page loads, the panel opens without animation.
  panel.classList.toggle("slides", document.readyState === "complete");
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  panel.querySelector("#panel-title").focus();
}

panel.addEventListener("close", () => {
  if (state.view === "case") location.hash = address(under.view, under.argument, under.filter);
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
