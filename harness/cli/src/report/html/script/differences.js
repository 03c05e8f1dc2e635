// ---- The differences between two editions ----

/** The rows for which both editions have an expectation. Only these can be compared. */
const commonRows = (a, b) => rows.filter(({ expectedText }) => expectedText[a.id] && expectedText[b.id]);

/** The rows for which two editions have different expectations. */
const differingRows = (a, b) => commonRows(a, b).filter(({ expectedText }) => expectedText[a.id] !== expectedText[b.id]);

/** A share in per cent, rounded down, so that only a whole is 100 %. */
const percent = (part, whole) => (part === whole ? "100 %" : `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %`);

const inOrder = (...pair) => editions.filter((edition) => pair.includes(edition));

function differencesView() {
  showCount("");
  const ids = state.argument.split("/");
  const pair = editions.filter(({ id }) => ids.includes(id));
  showHead(h("h1", {}, "Differences between editions"), h("p", { class: "lede" }, "The share of rows for which two editions expect different answers, of the rows for which both expect one. Choose a pair for the reasons. A difference between an answer and ", h("i", {}, "unspecified"), " counts."));
  return pair.length === 2 ? [differencesTable(pair), pairView(...pair)] : [differencesTable([])];
}

function differencesTable(pair) {
  const counts = editions.map((a) => editions.map((b) => [differingRows(a, b).length, commonRows(a, b).length]));
  const shareOf = ([count, common]) => (common ? count / common : 0);
  const most = Math.max(...counts.flat().map(shareOf)) || 1;
  const cell = (a, b, [count, common]) => {
    if (a === b || !common) return h("td", { class: "heat same" });
    const isCurrent = pair.includes(a) && pair.includes(b);
    const href = address("differences", inOrder(a, b).map(({ id }) => id).join("/"));
    const shade = h("td", { class: `heat shade warm${isCurrent ? " picked" : ""}` }, h("a", { href, "aria-label": `${a.id} and ${b.id}: ${percent(count, common)}, ${grouped(count)} of ${plural(common, "row")}`, "aria-current": isCurrent ? "true" : null }, percent(count, common)));
    shade.style.setProperty("--share", shareOf([count, common]) / most);
    return shade;
  };
  const label = "Rows for which two editions expect different answers";
  const table = tableOf({ class: "matrix heatmap pairs", role: "grid", "aria-label": label },
    [h("td", {}), editions.map(({ id }) => h("th", { scope: "col" }, h("span", {}, id)))],
    editions.map((a, y) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: "rowhead" }, a.id)), editions.map((b, x) => cell(a, b, counts[y][x])))));
  addArrowKeys(table);
  return scrolling(table, label, "narrow");
}

function pairView(a, b) {
  const { questions: examples } = suite.differences.find(({ editions: pair }) => pair[0] === a.id && pair[1] === b.id);
  const differing = differingRows(a, b);
  const headings = (first) => [first, a.id, b.id].map(heading);
  const questionRow = (question) => {
    const row = rowById.get(examples[question.id]);
    const cell = (edition) => h("td", {}, answerChoices(question, edition), row ? h("div", {}, answerLabel(row.expectedText[edition.id])) : null);
    return h("tr", {}, h("th", { scope: "row" }, question.id, h("span", { class: "statement" }, prose(question.asks)), row ? h("a", { class: "example", href: rowAddress(row) }, visible(row.id)) : null), cell(a), cell(b));
  };
  const differingQuestions = questions.filter(({ id }) => id in examples);
  const onlyIn = (here, there) => {
    const only = clauses.filter((clause) => hasClause(here)(clause) && !hasClause(there)(clause));
    return only.length ? [h("h3", {}, `Only in ${here.id}`), clauseList(only, here)] : null;
  };
  const rowLine = (row) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: rowAddress(row) }, visible(row.id))), [a, b].map(({ id }) => h("td", {}, answerLabel(row.expectedText[id]))));
  return [
    h("h2", {}, `${a.id} and ${b.id}`),
    differingQuestions.length ? scrolling(tableOf({ class: "plain" }, headings("Question"), differingQuestions.map(questionRow)), "Questions") : h("p", { class: "empty" }, "Both editions admit the same answers to every question."),
    onlyIn(a, b), onlyIn(b, a),
    h("h3", {}, `${plural(differing.length, "row")} with different expectations`),
    h("p", {}, `Of the ${plural(commonRows(a, b).length, "row")} for which both editions have an expectation.`),
    h("details", {}, h("summary", {}, "Show the rows"), scrolling(tableOf({ class: "plain" }, headings("Row"), differing.map(rowLine)), "Rows")),
    h("p", { class: "note" }, "The command for this comparison:"),
    command(`robotspec editions diff ${a.id} ${b.id}`),
  ];
}
