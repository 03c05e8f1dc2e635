// ---- The implementations, and a profile of each ----

function implementationsView() {
  showCount("");
  showHead(h("h1", {}, "Implementations"), h("p", { class: "lede" }, "The clauses of each edition that an implementation keeps, and how often two implementations agree. The profile of an implementation lists its readings of the texts."));
  if (!implementations.length) return [emptyView()];
  later(view, implementationsInSteps());
  return [];
}

/** The cards, those in sight first, then how often implementations agree. */
function* implementationsInSteps() {
  const cards = h("ul", { class: "cards" });
  replace(view, cards);
  for (const implementation of implementations) {
    cards.append(card(implementation));
    if (cards.childElementCount % CARDS_AT_ONCE === 0) yield;
  }
  yield;
  if (implementations.length > 1) view.append(...agreement());
}

const CARDS_AT_ONCE = 8;

function card(implementation) {
  return h("li", {}, h("h2", {}, h("a", { href: implementationAddress(implementation) }, visible(implementation.name)), faultMark(implementation)), factsLine(implementation), editionScores(implementation));
}

function factsLine({ name, version, language, homepage, isComplete }) {
  const parts = [version, languageOf({ language })].filter(Boolean).map((part) => h("span", {}, visible(part)));
  return h("p", { class: "facts-line" }, parts, homepage ? outside(homepage, "home page", `Home page of ${name}`) : null, isComplete ? null : h("strong", {}, "incomplete: some checks were not run"));
}

/** By edition that judged it: the clauses that an implementation keeps. */
function editionScores(implementation) {
  return h("ul", { class: "by-edition" }, judgingEditions.flatMap((edition) => {
    if (!isJudgedBy(implementation, edition)) return [];
    const entry = standing(tallyClauses(implementation, edition));
    const href = address("cases", "", { edition: edition.id, impl: implementationFilter([implementation]), status: entry.failing ? "failure" : "" });
    return h("li", {}, h("a", { href }, edition.id), standingBar(entry, `${implementation.key}, ${edition.id}`), h("span", {}, describeStanding(entry)));
  }));
}

/** A badge with the clauses that an implementation keeps, as Markdown. Only a page on the web has an address to link to. */
function badge(implementation) {
  const { id } = currentEdition();
  const { kept, applicable, violated, departed } = standingIn(currentEdition())(implementation);
  if (!applicable) return null;
  const message = `${id}: ${kept} of ${plural(applicable, "clause")}`;
  const text = encodeURIComponent(message.replaceAll("-", "--"));
  const page = location.protocol === "file:" ? "https://github.com/robotspec/robotspec" : location.href.split("#")[0] + implementationAddress(implementation).replace(/[()]/g, (one) => (one === "(" ? "%28" : "%29"));
  return h("details", { class: "badge" }, h("summary", {}, "Badge to copy"), command(`[![robots.txt, ${message}](https://img.shields.io/badge/robots.txt-${text}-${violated ? "yellow" : departed ? "green" : "brightgreen"})](${page})`));
}

/** How often two implementations agree, of the rows that both answer. */
function agreement() {
  const edition = currentEdition();
  const answers = implementations.map((implementation) => rows.map((row) => {
    const judgement = judgementOf(implementation, row, edition);
    return judgement && ["pass", "fail"].includes(judgement.status) && !isWhollyUnspecified(judgement.expected) ? answerText(judgement) : null;
  }));
  const agree = (a, b) => {
    const both = answers[a].filter((answer, index) => answer !== null && answers[b][index] !== null).length;
    const same = answers[a].filter((answer, index) => answer !== null && answer === answers[b][index]).length;
    return [same, both];
  };
  const cell = (a, b) => {
    if (a === b) return h("td", { class: "heat same" });
    const [same, both] = agree(a, b);
    const shade = h("td", { class: "heat shade", title: `${implementations[a].key} and ${implementations[b].key}: the same answer to ${grouped(same)} of ${plural(both, "row")}` }, both ? String(Math.floor((same / both) * 100)) : "–");
    shade.style.setProperty("--share", both ? Math.max(0, (same / both - 0.5) * 2) : 0);
    return shade;
  };
  const table = tableOf({ class: "matrix heatmap" }, [h("td", {}), implementationHeadings(implementations)],
    implementations.map(({ key }, a) => h("tr", {}, h("th", { scope: "row" }, h("span", { class: "rowhead" }, visible(key))), implementations.map((_, b) => cell(a, b)))));
  addArrowKeys(table);
  return [h("h2", {}, "Agreement"), h("p", {}, `The percentage of rows to which two implementations give the same answer, of the rows that both answer and whose answer ${edition.id} specifies. The answers of the reference are those for ${edition.id}.`), scrolling(table, "Agreement", "narrow")];
}

function implementationView() {
  const implementation = implementations.find(({ key }) => key === state.argument);
  showCount("");
  if (!implementation) {
    showHead(h("h1", {}, "Unknown implementation"));
    return [h("p", {}, "These results have no implementation ", h("code", {}, visible(state.argument)), ". ", h("a", { href: address("implementations") }, "All implementations"))];
  }
  showHead(h("p", { class: "crumbs" }, h("a", { href: address("implementations") }, "Implementations")), h("h1", {}, visible(implementation.name)), factsLine(implementation), editionScores(implementation), badge(implementation));
  later(view, function* showReadings() { view.append(...profile(implementation).filter(isShown)); }());
  return [faultSection(implementation), incidents(implementation), likelyCauses(implementation), failingClauses(implementation)];
}

/** The likely causes of many failures, the first to fix first. */
function likelyCauses({ likelyCauses: causes, otherRows }) {
  if (!causes.length) return null;
  const item = ({ observed, advice, evidence, of, rows: failing, example }) => {
    const row = rows.find(({ id }) => example === id || example?.startsWith(`${id}~`));
    return h("li", {}, h("strong", {}, prose(observed)), `: ${plural(evidence, of)} as evidence. `, prose(advice),
      failing ? [` It explains ${plural(failing, "row")}`, row ? [", for example ", h("a", { href: rowAddress(row) }, visible(row.id))] : null, "."] : null);
  };
  return h("section", { class: "trouble likely" }, h("h2", {}, causes.length === 1 ? "Likely cause" : "Likely causes"), h("ul", {}, causes.map(item), otherRows ? h("li", {}, `${otherRows}.`) : null));
}

/** What happened to the implementation in the run, and entries of its list of known failures that do not hold. */
function incidents({ incidents: texts, staleKnownFailures }) {
  if (!texts.length && !staleKnownFailures.length) return null;
  const frequencies = [...Map.groupBy(texts, (text) => text)].map(([text, same]) => (same.length > 1 ? `${text} (${same.length} times)` : text));
  return h("section", { class: "trouble incidents" }, h("h2", {}, "Incidents"), h("ul", {},
    frequencies.map((text) => h("li", {}, prose(text))),
    staleKnownFailures.map((entry) => h("li", {}, "The list of known failures is out of date: ", prose(entry)))));
}

const CLAUSES_SHOWN = 12;

/** A list of clauses with their numbers of failing inputs, most first, each with a bar where a part of all fails: the long part of it is folded. */
function failingList(counted) {
  const items = counted.toSorted(([, a], [, b]) => b - a).map(([id, , words, href, part]) => h("li", {},
    h("a", { href }, h("code", {}, visible(id)), h("span", { class: "statement" }, prose(clauseById.get(id)?.statement ?? ""))),
    part ? rod(part) : h("span"), h("span", { class: "share" }, words)));
  const rest = items.slice(CLAUSES_SHOWN);
  return [h("ul", { class: "worst" }, items.slice(0, CLAUSES_SHOWN)), rest.length ? h("details", {}, h("summary", {}, `${plural(rest.length, "clause")} more`), h("ul", { class: "worst" }, rest)) : null];
}

/** The clauses under which rows fail as they are written, and those under which only rewritten files fail. */
function failingClauses(implementation) {
  const edition = currentEdition();
  const counted = [...tallyClauses(implementation, edition)].map(([id, counts]) => [id, counts.fail + counts.flaky, counts]);
  const asWritten = counted.filter(([, failing]) => failing).map(([id, failing, { judged, departures, flaky, rewritten }]) => [id, failing, [
    `${grouped(failing)} of ${plural(judged + flaky, "row")}`, rewritten ? ` (+${grouped(rewritten)} when rewritten)` : "",
    departures ? `, ${departures === failing ? (failing === 1 ? "a departure" : "all departures") : plural(departures, "departure")}` : "", flaky ? `, ${flaky} flaky` : "",
  ].join(""), address("cases", "", { edition: state.filter.edition, clause: id, impl: implementationFilter([implementation]), status: "failure" }), failing / (judged + flaky)]);
  const onlyRewritten = counted.filter(([, failing, { rewritten }]) => !failing && rewritten).map(([id, , { rewritten }]) => [id, rewritten, plural(rewritten, "rewritten file"),
    rowAddress(rowFailingRewritten(implementation, id, edition))]);
  return [
    h("h2", {}, `Failures in ${edition.id}`),
    asWritten.length ? failingList(asWritten) : h("p", {}, "None of the judged rows fails as it is written."),
    onlyRewritten.length ? [h("h3", {}, "Only when the file is rewritten"), h("p", {}, "Each of these clauses says that two files mean the same. The rows pass as they are written, and fail with the other file. The links lead to the first of these rows."), failingList(onlyRewritten)] : null,
  ];
}

/** The first row of which a rewritten file fails under a clause. */
function rowFailingRewritten(implementation, id, edition) {
  return rowsOf(edition).find((row) => failingVariants(implementation, row, edition).some(({ clauseId }) => (clauseId ?? row.clauseId) === id));
}

/** The readings of an implementation: its answers to the questions that some edition does not decide as others do. */
function profile(implementation) {
  const isShown = ({ question, rows: count }) => count && isDisputed(questionById.get(question));
  const readings = implementation.readings.filter(isShown);
  const disputed = questions.filter(isDisputed);
  const unknown = disputed.filter(({ id }) => !readings.some(({ question }) => question === id));
  const subject = implementation.isBuiltIn ? implementation.name : "--adapter '…'";
  const mark = (isAdmitted) => (isAdmitted ? namedMark("pass", "admitted", "✓") : namedMark("violation", "not admitted", "✗"));
  const line = (reading) => h("tr", {},
    h("th", { scope: "row" }, reading.question, h("span", { class: "statement" }, prose(questionById.get(reading.question).asks))),
    h("td", {}, readingView(reading)),
    h("td", { class: "number" }, reading.rows),
    editions.map((edition) => h("td", {}, mark(!reading.breaks.includes(edition.id)))));
  return [
    h("h2", {}, "Readings"),
    h("p", {}, `Where the texts admit several answers, or differ, an implementation chooses. ${plural(readings.length, "answer")} to ${plural(disputed.length, "question")} can be inferred from the rows whose outcome depends on one question alone. `, h("code", {}, `robotspec profile ${subject}`), " asks these rows only. The last columns show whether an edition admits the answer."),
    readings.length ? scrolling(tableOf({ class: "plain profile" }, [...["Question", "Answer", "Rows"], ...editions.map(({ id }) => id)].map(heading), readings.map(line)), "Readings")
      : h("p", { class: "empty" }, "No answer can be inferred: the implementation reads each edition as it is written, or the rows were not run."),
    readings.length && unknown.length ? h("p", { class: "note" }, "Unknown: ", unknown.map(({ id }) => id).join(", "), ".") : null,
  ];
}

/** Whether the editions do not all admit the same single answer to a question. */
function isDisputed({ answers }) {
  return new Set(Object.values(answers).flat()).size > 1;
}

/** The answers that explain all rows, those about each subject, or two rows that contradict each other. */
function readingView({ answers, "by-subject": bySubject, examples = [] }) {
  const choices = (ids) => ids.map((id, index) => [index ? " or " : "", h("code", { class: "choice" }, id)]);
  if (bySubject) return Object.entries(bySubject).map(([subject, ids]) => h("div", {}, choices(ids), ": ", h("code", {}, subject)));
  if (answers.length) return choices(answers);
  const item = ({ answers: ids, row }, index) => [index ? "; " : "", ids.length ? choices(ids) : "no answer", " in ", h("a", { href: rowAddress({ id: row }) }, row)];
  return [h("strong", { class: "mixed" }, "inconsistent"), h("div", { class: "note" }, examples.map(item))];
}
