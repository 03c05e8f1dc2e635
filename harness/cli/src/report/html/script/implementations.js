// ---- Implementations, and a profile of each ----

function implementationsView() {
  count("");
  replace(head, h("h1", {}, "Implementations"), h("p", { class: "lede" }, "How much of each edition an implementation follows, and how often two of them answer alike. Follow a name to its profile: which answer it gives to which question."));
  if (!implementations.length) return [nothing()];
  return [h("ul", { class: "cards" }, implementations.map(card)), implementations.length > 1 ? agreement() : null];
}

function card(one) {
  return h("li", {}, h("h2", {}, h("a", { href: toImplementation(one) }, ...shown(one.name))), about(one), scores(one));
}

function about(one) {
  const parts = [one.version, one.language].filter(Boolean).map((part) => h("span", {}, ...shown(part)));
  return h("p", { class: "facts-line" }, parts, one.homepage ? outside(one.homepage, "home page", `Home page of ${one.name}`) : null, one.finished ? null : h("strong", {}, "was not asked everything"));
}

function scores(one) {
  return h("ul", { class: "by-edition" }, judging.map((of) => {
    const counts = tally(one, rows, of.column);
    return h("li", {}, h("a", { href: address("cases", "", { edition: of.id, impl: implFilter([one]), status: counts.fail ? "failure" : "" }) }, of.id), scoreBar(counts, `${one.key}, ${of.id}`), h("span", { class: "share" }, share(counts)));
  }));
}

/** How often two implementations give the same answer, of the rows to which both give one. */
function agreement() {
  const column = edition().column;
  const answers = implementations.map((one) => rows.map((row) => {
    const outcome = one.rows[row.index];
    const verdict = outcome < 0 ? null : raw.outcomes[outcome][column];
    return verdict && verdict[0] !== status["not-supported"] && verdict[0] !== status["not-run"] ? verdict[1] : -1;
  }));
  const alike = (a, b) => {
    let both = 0;
    let same = 0;
    answers[a].forEach((got, at) => {
      if (got < 0 || answers[b][at] < 0) return;
      both += 1;
      same += got === answers[b][at] ? 1 : 0;
    });
    return [same, both];
  };
  const table = h("table", { class: "matrix heatmap" },
    h("thead", {}, h("tr", {}, h("td", {}), names(implementations))),
    h("tbody", {}, implementations.map((one, a) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: "rowhead" }, ...shown(one.key))), implementations.map((other, b) => {
      if (a === b) return h("td", { class: "heat same" });
      const [same, both] = alike(a, b);
      const shade = h("td", { class: "heat shade", title: `${one.key} and ${other.key}: ${same} of ${both} rows alike` }, both ? String(Math.floor((same / both) * 100)) : "–");
      shade.style.setProperty("--share", both ? Math.max(0, (same / both - 0.5) * 2) : 0);
      return shade;
    })))));
  roving(table);
  return [h("h2", {}, "Who answers like whom"), h("p", {}, "Per cent of the rows to which both give an answer, and it is the same one; the answers of the reference are those of ", edition().id, "."), scrolling(table, "Who answers like whom")];
}

function implementationView() {
  const one = implementations.find(({ key }) => key === state.argument);
  count("");
  if (!one) {
    replace(head, h("h1", {}, "No such implementation"));
    return [h("p", {}, "These results have none that is called ", h("code", {}, ...shown(state.argument)), ". ", h("a", { href: address("implementations") }, "All implementations"))];
  }
  replace(head, h("p", { class: "crumbs" }, h("a", { href: address("implementations") }, "Implementations")), h("h1", {}, ...shown(one.name)), about(one), scores(one));
  return [likely(one), trouble(one), weakest(one), profile(one)];
}

/** What makes many rows fail: to be mended first. */
function likely(one) {
  if (!one.likely.length) return null;
  const item = ({ observed, advice, evidence, of, rows: failing, example }) => {
    const row = example ? rowById.get(example.split("~")[0]) : null;
    return h("li", {}, h("strong", {}, ...prose(observed)), `: ${plural(evidence, of)} bear it out. `, ...prose(advice),
      failing ? [` ${plural(failing, "row")} may fail for it`, row ? [", such as ", h("a", { href: toCase(row) }, ...shown(row.id))] : null, "."] : null);
  };
  return h("section", { class: "trouble likely" }, h("h2", {}, one.likely.length === 1 ? "Likely cause" : "Likely causes"), h("ul", {}, one.likely.map(item)));
}

function trouble(one) {
  if (!one.incidents.length && !one.stale.length) return null;
  return h("section", { class: "trouble" }, h("h2", {}, "What happened"), h("ul", {}, one.incidents.map((incident) => h("li", {}, ...lines(incident))),
    one.stale.map((entry) => h("li", {}, "The list of known failures is out of date: ", ...shown(entry)))));
}

/** The clauses under which most rows fail. */
function weakest(one) {
  const column = edition().column;
  const byClause = new Map();
  for (const row of rows) if (verdictOf(one, row, column)?.failed) byClause.set(row.clauseId, (byClause.get(row.clauseId) ?? 0) + 1);
  const worst = [...byClause].sort((a, b) => b[1] - a[1]);
  const title = h("h2", {}, `Where it leaves ${edition().id}`);
  if (!worst.length) return [title, h("p", {}, "Nowhere, in the rows that were asked.")];
  const most = worst[0][1];
  const item = ([id, failed]) => {
    const length = h("span", { class: "length" });
    length.style.inlineSize = `${(failed / most) * 100}%`;
    return h("li", {}, h("a", { href: address("cases", "", { edition: state.filter.edition, clause: id, impl: implFilter([one]), status: "failure" }) }, h("code", {}, ...shown(id)), h("span", { class: "statement" }, ...prose(clauseById.get(id)?.statement ?? ""))), h("span", { class: "rod" }, length), h("span", { class: "share" }, plural(failed, "row")));
  };
  return [title, h("ul", { class: "worst" }, worst.slice(0, 12).map(item)), worst.length > 12 ? h("details", {}, h("summary", {}, `${plural(worst.length - 12, "clause")} more`), h("ul", { class: "worst" }, worst.slice(12).map(item))) : null];
}

/** Which answer it gives to which question. */
function profile(one) {
  const told = new Map(one.readings.map((reading) => [reading.question, reading]));
  const open = questions.filter(({ answers }) => new Set(answers.flat()).size > 1);
  const line = (asked) => {
    const reading = told.get(asked.place);
    const fits = reading ? reading.answers.filter(([, agreeing]) => agreeing === reading.rows) : [];
    const mixed = reading && !fits.length;
    const best = reading ? [...reading.answers].sort((a, b) => b[1] - a[1]) : [];
    return h("tr", {},
      h("th", { scope: "row" }, asked.id, h("span", { class: "statement" }, ...prose(asked.asks))),
      h("td", {}, !reading ? h("span", { class: "answer none" }, asked.rows.length ? "not told" : "no row tells it")
        : mixed ? [h("strong", { class: "mixed" }, "two ways"), h("div", { class: "note" }, best.slice(0, 2).map(([answer, agreeing, against], at) => [at ? "; " : "", h("code", {}, answer), ` in ${agreeing} of ${reading.rows}`, against === null ? "" : [", not in ", h("a", { href: toCase(rows[against]) }, rows[against].id)]]))]
        : fits.map(([answer], at) => [at ? " or " : "", h("code", { class: "choice" }, answer)])),
      h("td", { class: "number" }, reading?.rows ?? ""),
      editions.map((of) => h("td", {}, !reading ? "" : reading.breaks.includes(of.column) ? h("span", { class: "mark new", title: "not admitted" }, "✗", h("span", { class: "hidden" }, "not admitted")) : h("span", { class: "mark pass", title: "admitted" }, "✓", h("span", { class: "hidden" }, "admitted")))));
  };
  const knows = one.readings.length;
  return [
    h("h2", {}, "How it reads what the texts leave open"),
    h("p", {}, `Inferred from the rows whose answer turns on one question alone: they tell ${knows} of ${open.length} questions. `, one.builtIn ? ["It is inferred only in part: ", h("code", {}, `robotspec profile ${one.name}`), " asks for more."] : ["It is inferred only in part: ", h("code", {}, "robotspec profile --adapter '…'"), " asks for more."], " The columns say whether an edition admits the answer."),
    knows ? wide("Its profile", h("table", { class: "plain profile" },
      h("thead", {}, h("tr", {}, ["Question", "Its answer", "Rows"].map((name) => h("th", { scope: "col" }, name)), editions.map(({ id }) => h("th", { scope: "col" }, id)))),
      h("tbody", {}, open.filter(({ place }) => told.has(place)).map(line)))) : h("p", { class: "empty" }, "Its answers tell none: it reads each edition as it is written, or was not asked."),
    knows && open.some(({ place }) => !told.has(place)) ? h("p", { class: "note" }, "Not told: ", open.filter(({ place }) => !told.has(place)).map(({ id }) => id).join(", "), ".") : null,
  ];
}
