// ---- Where two editions part ----

/** The rows of which two editions say different things. */
function differing(a, b) {
  return rows.filter((row) => row.expected[a.column] !== null && row.expected[b.column] !== null && row.expected[a.column] !== row.expected[b.column]);
}

function differencesView() {
  count("");
  const [first, second] = state.argument.split("/").map((id) => editions.find((one) => one.id === id));
  const picked = first && second && first !== second ? [first, second].sort((a, b) => a.column - b.column) : null;
  replace(head, h("h1", {}, "Differences between editions"), h("p", { class: "lede" }, "How many rows two editions answer differently; choose a pair to see why. An answer against ", h("i", {}, "left open"), " is a difference too."));
  return [differencesMap(picked), picked ? pair(...picked) : null];
}

function differencesMap(picked) {
  const counts = editions.map((a) => editions.map((b) => (a === b ? 0 : differing(a, b).length)));
  const most = Math.max(1, ...counts.flat());
  const table = h("table", { class: "matrix heatmap pairs", role: "grid", "aria-label": "Rows that two editions answer differently" },
    h("thead", {}, h("tr", {}, h("td", {}), editions.map(({ id }) => h("th", { scope: "col" }, h("span", {}, id))))),
    h("tbody", {}, editions.map((a, y) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: "rowhead" }, a.id)), editions.map((b, x) => {
      if (x === y) return h("td", { class: "heat same" });
      const isPicked = picked && picked.includes(a) && picked.includes(b);
      const shade = h("td", { class: `heat shade warm${isPicked ? " picked" : ""}` }, h("a", { href: address("differences", [a, b].sort((c, d) => c.column - d.column).map(({ id }) => id).join("/")), "aria-label": `${a.id} and ${b.id}: ${plural(counts[y][x], "row")}`, "aria-current": isPicked ? "true" : null }, counts[y][x]));
      shade.style.setProperty("--share", counts[y][x] / most);
      return shade;
    })))));
  roving(table);
  return scrolling(table, "Rows that two editions answer differently");
}

function pair(a, b) {
  const found = raw.differences.find((one) => one.a === a.column && one.b === b.column) ?? { questions: [] };
  const only = (here, there) => clauses.filter(({ sections: of }) => of[here.column] && !of[there.column]);
  const differ = differing(a, b);
  const says = (of, asked, row) => h("td", {}, asked.answers[of.column].map((answer) => [h("code", { class: "choice" }, answer), " "]), row ? h("div", {}, expectation(expectedOf(row, of.column))) : null);
  return [
    h("h2", {}, `${a.id} and ${b.id}`),
    found.questions.length ? wide("Questions", h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, ["Question", a.id, b.id].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.questions.map(([place, example]) => {
        const asked = questions[place];
        const row = example === null ? null : rows[example];
        return h("tr", {}, h("th", { scope: "row" }, asked.id, h("span", { class: "statement" }, ...prose(asked.asks)), row ? h("a", { class: "example", href: toCase(row) }, ...shown(row.id)) : null), says(a, asked, row), says(b, asked, row));
      })))) : h("p", { class: "empty" }, "They answer every question alike."),
    [[a, b], [b, a]].map(([here, there]) => {
      const clausesOnly = only(here, there);
      return clausesOnly.length ? [h("h3", {}, `Only in ${here.id}`), h("dl", { class: "clauses" }, clausesOnly.map((clause) => h("div", {}, h("dt", {}, hasRows(clause) ? h("a", { href: toClause(clause, here) }, clause.id) : clause.id), h("dd", {}, ...prose(clause.statement), h("small", {}, clause.sections[here.column])))))] : null;
    }),
    h("h3", {}, `${plural(differ.length, "row")} that they answer differently`),
    h("details", {}, h("summary", {}, "Show them"), wide("Rows", h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, ["Row", a.id, b.id].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, differ.map((row) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: toCase(row) }, ...shown(row.id))), h("td", {}, expectation(expectedOf(row, a.column))), h("td", {}, expectation(expectedOf(row, b.column))))))))),
    h("p", { class: "note" }, "The same on a terminal:"),
    command(`robotspec editions diff ${a.id} ${b.id}`),
  ];
}
