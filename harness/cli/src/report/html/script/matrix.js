// ---- The matrix: implementations by clauses ----

/** How warm a cell is. */
function heat({ pass, judged, open, unsupported, sum }) {
  if (!sum) return "absent";
  if (!judged) return open >= unsupported && open ? "left-open" : unsupported ? "not-supported" : "missing";
  if (pass === judged) return "full";
  const part = pass / judged;
  return part >= 0.9 ? "most" : part >= 0.6 ? "many" : part >= 0.2 ? "some" : "few";
}

const WORDS = { absent: "", "left-open": "open", "not-supported": "–", missing: "?", full: "✓" };

const percent = (kind, { pass, judged }) => WORDS[kind] ?? String(Math.floor((pass / judged) * 100));

/** The name of a link: who speaks to a page says what is seen there (WCAG 2.5.3). */
const named = (label, says) => (/^\d/.test(label) ? `${label} %, ${says}` : says);

function told(counts, what) {
  const parts = [];
  if (counts.judged) parts.push(`${counts.pass} of ${counts.judged} rows as ${edition().id} demands`);
  if (counts.fail) parts.push(counts.known === counts.fail ? "the others are known" : `${counts.fail - counts.known} on no list of known failures`);
  if (counts.open) parts.push(`${counts.open} left open`);
  if (counts.unsupported) parts.push(`${counts.unsupported} not supported`);
  if (counts.missing) parts.push(`${counts.missing} not run`);
  return `${what}: ${parts.join("; ") || "no row"}`;
}

function cell(one, clauseId, counts, dimmed) {
  const kind = heat(counts);
  const label = percent(kind, counts);
  const isNew = counts.fail > counts.known;
  const classes = `heat ${kind}${isNew ? " new" : ""}${dimmed ? " dimmed" : ""}`;
  if (kind === "absent") return h("td", { class: classes });
  const says = told(counts, `${one.key}, ${clauseId}`);
  const link = address("cases", "", { ...state.filter, clause: clauseId, impl: implFilter([one]) });
  return h("td", { class: classes }, h("a", { href: link, title: says, "aria-label": named(label, says) }, label));
}

function matrixView() {
  const of = chosen();
  const column = edition().column;
  const wanted = state.filter.status;
  const found = rowsFound();
  const byClause = new Map();
  for (const row of found) {
    if (!byClause.has(row.clauseId)) byClause.set(row.clauseId, []);
    byClause.get(row.clauseId).push(row);
  }
  const groups = [...kinds, { letter: "", title: "Other people's cases" }].map((kind) => ({
    ...kind,
    clauses: [...clauses.filter(({ id, kind: letter }) => letter === kind.letter && byClause.has(id)),
      ...(kind.letter ? [] : [...byClause.keys()].filter((id) => !clauseById.has(id)).map((id) => ({ id, statement: "" })))]
      .filter(({ id }) => !wanted || byClause.get(id).some((row) => rowHasStatus(row, of, column, wanted))),
  })).filter((group) => group.clauses.length);
  const counted = groups.reduce((sum, group) => sum + group.clauses.length, 0);
  const rowsShown = groups.flatMap((group) => group.clauses).flatMap(({ id }) => byClause.get(id));
  count(`${plural(counted, "clause")}, ${plural(rowsShown.length, "row")}`);
  replace(head, intro());
  if (!counted) return [nothing()];
  return [scoreboard(of, rowsShown, column), h("h2", {}, "Clause by clause"), legend(), matrixTable(groups, byClause, of, column, wanted), rewrittenTable(of, column)];
}

function intro() {
  return [
    h("h1", {}, "How implementations read robots.txt"),
    h("p", { class: "lede" }, `${plural(implementations.length, "implementation")} ${implementations.length === 1 ? "was" : "were"} asked what crawlers may fetch, and the answers held against `, h("a", { href: address("edition", edition().id) }, edition().title), ". A row is one question: a file, an agent and a URL, say. The numbers are the share of the rows that each one answers as that edition demands, of those where it demands anything: where the text leaves the answer open, nobody is blamed, and nothing is counted."),
  ];
}

/** Who does how well, over all rows that are shown. */
function scoreboard(of, found, column) {
  const scored = of.map((one) => [one, tally(one, found, column)]);
  return h("section", { class: of.length > 8 ? "scores many" : "scores", "aria-label": "Scores" }, h("ul", {}, scored.map(([one, counts]) =>
    h("li", {},
      h("a", { href: toImplementation(one) }, ...shown(one.name), one.version ? h("span", { class: "version" }, ...shown(one.version)) : null),
      scoreBar(counts, one.key),
      h("span", { class: "share" }, share(counts)),
      h("span", { class: "failures" }, counts.fail > counts.known ? h("strong", {}, `${counts.fail - counts.known} new`) : counts.fail ? `${counts.fail} known` : "")))),
  h("p", { class: "key" }, SCORE_PARTS.filter(([key]) => scored.some(([, counts]) => (key === "new" ? counts.fail > counts.known : counts[key]))).map(([, kind, name]) => h("span", {}, h("i", { class: `part ${kind}` }), name))));
}

function legend() {
  const sample = (kind, label, says) => h("span", {}, h("i", { class: `heat ${kind}` }, label), says);
  return h("p", { class: "key" }, sample("full", "✓", "every row"), sample("most", "95", "per cent of the rows, rounded down"), sample("few", "0", "none"),
    sample("left-open", "open", "the edition leaves it open"), sample("not-supported", "–", "not supported"), sample("few new", "12", "with a new failure, which no list knows"));
}

function names(of) {
  return of.map((one) => h("th", { scope: "col" }, h("a", { href: toImplementation(one), title: [one.name, one.version].filter(Boolean).join(" ") }, h("span", {}, ...shown(one.key)))));
}

function matrixTable(groups, byClause, of, column, wanted) {
  const table = h("table", { class: "matrix", role: "grid", "aria-label": "Implementations by clauses" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "corner" }, h("span", {}, "Clause")), names(of))),
    groups.map((group) => h("tbody", {},
      h("tr", { class: "kind" }, h("th", { scope: "rowgroup" }, h("span", {}, group.title)), of.map((one) => {
        const counts = tally(one, group.clauses.flatMap(({ id }) => byClause.get(id)), column);
        return h("td", { title: told(counts, `${one.key}, ${group.title}`) }, counts.judged ? counts.pass === counts.judged ? "✓" : String(Math.floor((counts.pass / counts.judged) * 100)) : "");
      })),
      group.clauses.map((clause) => {
        const found = byClause.get(clause.id);
        return h("tr", {},
          h("th", { scope: "row" }, h("a", { href: toClause(clause) }, h("code", {}, ...shown(clause.id)), clause.statement ? h("span", { class: "statement" }, ...prose(clause.statement)) : null)),
          of.map((one) => cell(one, clause.id, tally(one, found, column), wanted && !found.some((row) => rowHasStatus(row, [one], column, wanted)))));
      }))));
  roving(table);
  return scrolling(table, "The matrix");
}

/** A table that scrolls within itself where it is too wide, and with the page where it is not. */
function scrolling(table, label) {
  const box = h("div", { class: "scroll", role: "region", "aria-label": label, tabindex: "0" }, table);
  new ResizeObserver(() => {
    box.classList.remove("fits");
    const fits = table.scrollWidth <= box.clientWidth;
    box.classList.toggle("fits", fits);
    if (fits) box.removeAttribute("tabindex");
    else box.tabIndex = 0;
  }).observe(box);
  return box;
}

const wide = (label, table) => scrolling(table, label);

/** What rewriting a file in a way that changes nothing does to the answers. */
function rewrittenTable(of, column) {
  const variants = raw.variants.map((variant, place) => ({ ...variant, place })).filter(({ place }) => of.some((one) => one.rewritten[place][column][0]));
  if (!variants.length) return null;
  const table = h("table", { class: "matrix", role: "grid", "aria-label": "Implementations by rewritings" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "corner" }, h("span", {}, "Rewriting")), names(of))),
    h("tbody", {}, variants.map(({ id, clause, place }) => h("tr", {},
      h("th", { scope: "row" }, h("span", { class: "rowhead" }, h("code", {}, id), clause === null ? null : h("span", { class: "statement" }, REWRITING[id] ?? clauses[clause].statement))),
      of.map((one) => {
        const [judged, pass] = one.rewritten[place][column];
        const kind = heat({ pass, judged, open: 0, unsupported: 0, sum: judged });
        const says = `${one.key}, ${id}: of ${plural(judged, "row")} that it answers rightly as they are written, ${pass} when they are rewritten`;
        return h("td", { class: `heat ${kind}` }, judged ? h("a", { href: toImplementation(one), title: says, "aria-label": named(percent(kind, { pass, judged }), says) }, percent(kind, { pass, judged })) : null);
      })))));
  roving(table);
  return [h("h2", {}, "The same file, written otherwise"),
    h("p", {}, "Rows are asked again with the file rewritten in ways that change no answer. Of the rows that an implementation answers rightly as they are written, these are still right:"),
    scrolling(table, "Rewritings")];
}

const REWRITING = {
  crlf: "Lines end with CR LF", cr: "Lines end with CR", "no-final-newline": "The last line has no end", bom: "A byte order mark stands in front",
  "capital-fields": "Field names in capitals", spaced: "Spaces and tabs around fields and values", commented: "A comment behind each line",
  "blank-lines": "Blank lines where none ends anything", "reversed-rules": "The rules of each group in reverse order", "doubled-rules": "Each rule twice",
  "reversed-groups": "The groups in reverse order", "unrelated-group": "A group for another agent before and after the others",
};

function nothing() {
  return h("div", { class: "empty" }, h("p", {}, rows.length ? "Nothing fits this filter." : "These results hold no check that was judged."),
    rows.length ? h("a", { href: address(state.view, "", { edition: state.filter.edition }), class: "button" }, "Show everything") : null);
}
