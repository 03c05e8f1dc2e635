// ---- Editions: their clauses, and what they leave open ----

function editionsView() {
  count("");
  replace(head, h("h1", {}, "Editions"), h("p", { class: "lede" }, "The documents that have specified robots.txt, oldest first. A text with holes: where a reader has to choose there is a question, and an edition that admits several answers leaves it open."));
  const open = (of) => questions.filter(({ answers }) => answers[of.column].length > 1).length;
  const said = (of) => {
    const found = rows.filter((row) => row.expected[of.column] !== null);
    const left = found.filter((row) => text(row.expected[of.column]) === "unspecified").length;
    return [found.length - left, left];
  };
  return [h("ul", { class: "cards" }, editions.map((of) => {
    const [decided, left] = said(of);
    return h("li", {}, h("h2", {}, h("a", { href: address("edition", of.id) }, of.id)), h("p", {}, of.title),
      bar([[decided, "pass", "rows decided"], [left, "open", "rows left open"]], of.id),
      h("p", { class: "facts-line" }, h("span", {}, plural(clauses.filter(({ sections: sectionsOf }) => sectionsOf[of.column]).length, "clause")), h("span", {}, `${plural(open(of), "question")} of ${questions.length} left open`), h("span", {}, `${left} of ${plural(decided + left, "row")} left open`)));
  })), h("p", {}, h("a", { href: address("differences") }, "Where two editions part"))];
}

function editionView() {
  const of = editions.find(({ id }) => id === state.argument);
  count("");
  if (!of) {
    replace(head, h("h1", {}, "No such edition"));
    return [h("p", {}, h("a", { href: address("editions") }, "All editions"))];
  }
  const open = questions.filter(({ answers }) => answers[of.column].length > 1);
  const decided = questions.filter(({ answers }) => answers[of.column].length === 1);
  const has = clauses.filter(({ sections: sectionsOf }) => sectionsOf[of.column]);
  replace(head, h("p", { class: "crumbs" }, h("a", { href: address("editions") }, "Editions")), h("h1", {}, of.id), h("p", { class: "lede" }, of.title, ". ", `${plural(has.length, "clause")}, ${plural(open.length, "open question")}.`));
  const openRows = rows.filter((row) => row.expected[of.column] !== null && text(row.expected[of.column]) === "unspecified");
  const turning = new Map();
  for (const row of openRows) for (const { question: asked } of whyOf(row, of.column)?.open ?? []) turning.set(asked.place, [...(turning.get(asked.place) ?? []), row]);
  const most = Math.max(1, ...[...turning.values()].map(({ length }) => length));
  return [
    h("h2", {}, "What it leaves open"),
    h("ul", { class: "questions" }, open.map((asked) => questionItem(asked, of, turning.get(asked.place) ?? [], most))),
    h("details", {}, h("summary", {}, `${plural(decided.length, "question")} that it decides`), h("ul", { class: "questions" }, decided.map((asked) => questionItem(asked, of, [], most)))),
    h("h2", {}, "Its clauses"),
    kinds.map(({ letter, title }) => {
      const group = has.filter(({ kind }) => kind === letter);
      return group.length ? [h("h3", {}, title), h("dl", { class: "clauses" }, group.map((clause) => h("div", {},
        h("dt", {}, hasRows(clause) ? h("a", { href: toClause(clause, of) }, clause.id) : clause.id),
        h("dd", {}, ...prose(clause.statement), h("small", {}, clause.sections[of.column], clause.google ? " · Google's own" : "", clause.untestable ? ` · not tested: ${clause.untestable}` : "")))))] : null;
    }),
  ];
}

function questionItem(asked, of, turning, most) {
  const length = h("span", { class: "length" });
  length.style.inlineSize = `${(turning.length / most) * 100}%`;
  return h("li", {},
    h("b", {}, asked.id), " ", ...prose(asked.asks),
    h("div", {}, asked.answers[of.column].map((answer) => [h("code", { class: "choice" }, answer), " "])),
    turning.length ? h("div", { class: "turning" }, h("span", { class: "rod" }, length), h("span", {}, plural(turning.length, "row"), " turn on it, such as ", h("a", { href: address("case", turning[0].id, { edition: of.judged ? of.id : state.filter.edition }) }, turning[0].id))) : null,
    h("div", { class: "note" }, ...prose(asked.because)));
}
