// ---- The editions: their clauses, and the questions that they do not decide ----

const isUndecided = (edition) => ({ answers }) => answers[edition.id].length > 1;
const hasClause = (edition) => ({ sections }) => sections[edition.id];
const unspecifiedRows = (edition) => rows.filter(({ expected }) => expected[edition.id] && isUnspecified(expected[edition.id]));

function editionsView() {
  showCount("");
  showHead(h("h1", {}, "Editions"), h("p", { class: "lede" }, "The documents that have specified robots.txt, oldest first. The texts have gaps. Where a reader has to choose, there is a question; an edition that admits several answers does not decide it."));
  return [h("ul", { class: "cards" }, editions.map((edition) => {
    const all = rows.filter(({ expected }) => expected[edition.id]).length;
    const unspecified = unspecifiedRows(edition).length;
    const facts = [plural(clauses.filter(hasClause(edition)).length, "clause"), `${questions.filter(isUndecided(edition)).length} of ${plural(questions.length, "question")} undecided`, `${unspecified} of ${plural(all, "row")} not specified`];
    return h("li", {}, h("h2", {}, h("a", { href: address("edition", edition.id) }, edition.id)), h("p", {}, edition.title),
      bar([[all - unspecified, "pass", "rows specified"], [unspecified, "unspecified", "rows not specified"]], edition.id),
      h("p", { class: "facts-line" }, facts.map((fact) => h("span", {}, fact))));
  }))];
}

function editionView() {
  const edition = editions.find(({ id }) => id === state.argument);
  showCount("");
  if (!edition) {
    showHead(h("h1", {}, "Unknown edition"));
    return [h("p", {}, h("a", { href: address("editions") }, "All editions"))];
  }
  const undecided = questions.filter(isUndecided(edition));
  const decided = questions.filter((question) => !isUndecided(edition)(question));
  const ownClauses = clauses.filter(hasClause(edition));
  const dependent = {};
  for (const row of unspecifiedRows(edition)) for (const { question } of row.check?.reasons?.[edition.id]?.questions ?? []) (dependent[question] ??= []).push(row);
  const most = Math.max(1, ...Object.values(dependent).map(({ length }) => length));
  const items = (list) => h("ul", { class: "questions" }, list.map((question) => questionItem(question, edition, dependent[question.id] ?? [], most)));
  showHead(h("p", { class: "crumbs" }, h("a", { href: address("editions") }, "Editions")), h("h1", {}, edition.id), h("p", { class: "lede" }, TEXTS[edition.id] ? outside(TEXTS[edition.id], edition.title) : edition.title, ". ", `${plural(ownClauses.length, "clause")}, ${plural(undecided.length, "undecided question")}.`));
  return [
    h("h2", {}, "Undecided questions"),
    items(undecided),
    h("details", {}, h("summary", {}, plural(decided.length, "decided question")), items(decided)),
    h("h2", {}, "Clauses"),
    kinds.map(({ id, title }) => {
      const group = ownClauses.filter(({ kind }) => kind === id);
      return group.length ? [h("h3", {}, title), clauseList(group, edition)] : null;
    }),
  ];
}

/** Clauses with their sections in an edition. */
function clauseList(group, edition) {
  const item = (clause) => {
    const hasRows = rows.some(({ clauseId }) => clauseId === clause.id);
    return h("div", {},
      h("dt", {}, hasRows ? h("a", { href: clauseAddress(clause, edition) }, clause.id) : clause.id),
      h("dd", {}, prose(clause.statement), h("small", {}, sectionLinks(edition.id, clause.sections[edition.id]), clause["google-specific"] ? " · specific to Google" : "", clause.untestable ? ` · not tested: ${clause.untestable}` : "")));
  };
  return h("dl", { class: "clauses" }, group.map(item));
}

const answerChoices = (question, edition) => question.answers[edition.id].map((answer) => [h("code", { class: "choice" }, answer), " "]);

function questionItem(question, edition, dependent, most) {
  const example = () => h("a", { href: address("case", dependent[0].id, { edition: judgingEditions.includes(edition) ? edition.id : state.filter.edition }) }, dependent[0].id);
  return h("li", {},
    h("b", {}, question.id), " ", prose(question.asks),
    h("div", {}, answerChoices(question, edition)),
    dependent.length ? h("div", { class: "dependent" }, rod(dependent.length / most), h("span", {}, dependent.length === 1 ? "1 row depends on it: " : `${plural(dependent.length, "row")} depend on it, for example `, example())) : null,
    h("div", { class: "note" }, prose(question.because)));
}
