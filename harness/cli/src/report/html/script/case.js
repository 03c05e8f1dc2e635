// ---- The panel of a case ----

const panel = document.getElementById("panel");

function button(label, action, attributes = {}) {
  return h("button", { type: "button", onclick: action, ...attributes }, label);
}

/** A command to repeat something, and a button that copies it. */
function command(words) {
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      // A page from a file may not use the clipboard: the words are selected instead.
      getSelection().selectAllChildren(copy.previousElementSibling);
      return;
    }
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  }, { class: "quiet", "aria-label": `Copy: ${words}` });
  return h("div", { class: "command" }, h("code", {}, ...shown(words)), copy);
}

/** A word as a POSIX shell reads it. */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function fileView(row, column) {
  if (!row.file) return null;
  const deciding = new Set(whyOf(row, column)?.lines ?? []);
  const list = h("ol", { class: "file", tabindex: "0", "aria-label": "The file, with the deciding lines marked" });
  let last = 0;
  for (const line of row.file.lines) {
    if (line.number > last + 1) list.append(h("li", { class: "gap" }, `… ${plural(line.number - last - 1, "line")}`));
    last = line.number;
    const decides = deciding.has(line.number);
    list.append(h("li", { class: decides ? "decides" : null },
      h("span", { class: "number" }, line.number),
      h("code", {}, decides ? h("mark", {}, ...escaped(line.text)) : escaped(line.text), line.end ? h("span", { class: "escape" }, line.end) : null),
      decides ? h("span", { class: "hidden" }, "decides") : null));
  }
  const size = `${plural(row.file.octets, "octet")}, ${plural(row.file.count, "line")}`;
  return [h("h3", {}, row.kind === "grammar" ? "The file" : "robots.txt", h("small", {}, row.file.count ? size : "an empty file")), row.file.count ? list : null];
}

/** What an edition says, and why. */
function saying(row, one) {
  const expected = expectedOf(row, one.column);
  const why = whyOf(row, one.column);
  const cited = [...new Set([...row.clauses.filter(({ sections: of }) => of[one.column]), ...(why?.clauses ?? [])])];
  return h("tr", { class: one === edition() ? "current" : null },
    h("th", { scope: "row" }, h("a", { href: address("edition", one.id) }, one.id)),
    h("td", {}, expectation(expected)),
    h("td", {}, expected === null ? "this row is none of this edition's" : [
      why?.open.map(({ question: open, answers }) => h("div", { class: "open" }, h("b", {}, open.id), ": ", prose(open.asks),
        answers.length ? h("ul", {}, answers.map(([answer, gives]) => h("li", {}, h("code", {}, answer), " gives ", expectation(gives)))) : null)),
      why?.open.length ? null : why?.sentences.map((sentence) => h("div", {}, ...prose(sentence))),
      h("div", { class: "cited" }, cited.map((clause) => h("span", {}, h("a", { href: toClause(clause, one) }, clause.id), clause.sections[one.column] ? ` ${clause.sections[one.column]}` : ""))),
    ]));
}

/** What an implementation answered. */
function answered(row, one) {
  const found = judging.map((of) => [of, verdictOf(one, row, of.column)]).filter(([, verdict]) => verdict);
  const got = [...new Set(found.map(([, verdict]) => verdict.got))];
  const current = found.find(([of]) => of === edition())?.[1];
  const reasons = [...new Set(found.map(([, verdict]) => verdict.reason).filter(Boolean))];
  const isKnown = found.some(([, verdict]) => verdict.known);
  const parted = one.parted.get(row.index) ?? [];
  return h("tr", {},
    h("th", { scope: "row" }, h("a", { href: toImplementation(one) }, ...shown(one.key))),
    h("td", {},
      got.length === 0 ? h("span", { class: "answer none" }, "not asked") : got.length === 1 ? expectation(got[0]) : ["as ", edition().id, ": ", expectation(current?.got ?? null)],
      reasons.map((reason) => h("div", { class: "reason" }, "Known: ", ...lines(reason))),
      isKnown && !reasons.length ? h("div", { class: "reason" }, "Known; the events do not say why.") : null,
      parted.length ? h("details", { class: "parted" }, h("summary", {}, `otherwise in ${plural(parted.length, "rewriting")}`),
        h("ul", {}, parted.map(({ variant, outcome }) => h("li", {}, h("code", {}, variant.id), " ", expectation(asVerdict(outcome.find(Boolean) ?? null)?.got ?? null))))) : null),
    judging.map((of) => h("td", { class: of === edition() ? "current" : null }, mark(verdictOf(one, row, of.column)))));
}

function commands(row) {
  const own = row.case !== null;
  const fails = (one) => verdictOf(one, row, edition().column)?.failed;
  const parts = (one) => one.parted.has(row.index);
  const failing = chosen().find(fails) ?? chosen().find(parts) ?? chosen()[0];
  // What parts only when it is rewritten shows in a variant.
  const alone = (one) => (!fails(one) && parts(one) ? "" : "--no-variants ");
  const repeat = (one) => `robotspec run ${one.builtIn ? quoted(one.name) : "--adapter '…'"} --edition ${edition().id} ${alone(one)}--filter ${quoted(`id:${row.id}`)}`;
  const fact = (label) => row.facts.find(([name]) => name === label)?.[1] ?? "";
  return [
    h("h3", {}, "Again"),
    own && failing ? command(repeat(failing)) : null,
    own && failing && !failing.builtIn ? h("p", { class: "note" }, "Put the command of ", ...shown(failing.key), "'s adapter between the quotes.") : null,
    own ? command(`robotspec cases show ${quoted(row.id)}`) : null,
    own && row.kind === "match" ? [command(`robotspec check --edition ${edition().id} --agent ${quoted(fact("agent"))} --url ${quoted(fact("URL"))} --explain robots.txt`), h("p", { class: "note" }, "The last one reads the file above, saved as robots.txt.")] : null,
    own ? null : h("p", { class: "note" }, "This row is not in the suite inside this robotspec, so its file and what is asked cannot be shown."),
  ];
}

/** The rows before and after this one, among those that the filter shows. */
function neighbours(row) {
  const found = casesFound();
  const at = found.indexOf(row);
  return at < 0 ? [null, null] : [found[at - 1], found[at + 1]];
}

/** The implementations, those first that are wrong. */
function failingFirst(row) {
  const fails = (one) => verdictOf(one, row, edition().column)?.failed;
  return [...implementations.filter(fails), ...implementations.filter((one) => !fails(one))];
}

function showCase() {
  const row = rowById.get(state.argument);
  const close = button("Close", () => panel.close(), { class: "quiet" });
  if (!row) {
    replace(panel, h("div", { class: "panel-head" }, h("h2", { id: "panel-title" }, "No such row"), close),
      h("p", {}, "These results have no row ", h("code", {}, ...shown(state.argument)), "."));
  } else {
    const [before, after] = neighbours(row);
    const step = (to, label, says) => (to ? h("a", { class: "button quiet", href: toCase(to), "aria-label": says, title: says }, label) : null);
    replace(panel,
      h("div", { class: "panel-head" },
        h("h2", { id: "panel-title", tabindex: "-1" }, ...shown(row.id)),
        h("div", { class: "buttons" }, step(before, "←", "The row before"), step(after, "→", "The row after"), close)),
      row.case ? h("p", { class: "source" }, ...prose(row.case.suite.title), h("small", {}, ...prose(row.case.suite.source))) : null,
      row.case?.about ? h("p", { class: "about" }, ...prose(row.case.about)) : null,
      h("p", { class: "asked" }, question(row), " ", edition().id, " says ", expectation(expectedOf(row, edition().column)), "."),
      row.clauses.map((clause) => h("p", { class: "clause" }, h("a", { href: toClause(clause) }, h("code", {}, clause.id)), " ", ...prose(clause.statement))),
      fileView(row, edition().column),
      row.facts.length ? [h("h3", {}, "Asked"), h("dl", { class: "facts" }, row.facts.map(([label, value]) => [h("dt", {}, label), h("dd", {}, h("code", {}, ...shown(value)))]))] : null,
      h("h3", {}, "What implementations answered"),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What implementations answered" }, h("table", { class: "plain answers" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Implementation"), h("th", { scope: "col" }, "Answer"), judging.map((of) => h("th", { scope: "col", class: of === edition() ? "current" : null }, of.id)))),
        h("tbody", {}, failingFirst(row).map((one) => answered(row, one))))),
      h("h3", {}, "What the editions say"),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "What the editions say" }, h("table", { class: "plain sayings" }, h("thead", { class: "hidden" }, h("tr", {}, ["Edition", "Says", "Why"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, editions.map((one) => saying(row, one))))),
      commands(row));
  }
  // Where the page opens with it, it is there at once.
  panel.classList.toggle("slides", document.readyState === "complete");
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  (panel.querySelector("#panel-title") ?? close).focus();
}

panel.addEventListener("close", () => {
  if (state.view === "case") location.hash = address(under.view, under.argument, under.filter);
});
panel.addEventListener("click", (event) => {
  // The backdrop is the panel itself; its content is in it.
  const { left } = panel.getBoundingClientRect();
  if (event.target === panel && event.clientX < left) panel.close();
});
panel.addEventListener("keydown", (event) => {
  const label = { ArrowLeft: "The row before", ArrowRight: "The row after" }[event.key];
  const scrolls = event.target.closest(".file, .scroll");
  if (label && !scrolls && !event.altKey && !event.metaKey && !event.ctrlKey) panel.querySelector(`[aria-label="${label}"]`)?.click();
});
