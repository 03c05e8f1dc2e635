// ---- A wrong answer that many implementations give, for the first screen ----

/** The length of the longest file that is shown there, in bytes. */
const LONGEST_EXAMPLE = 120;

/** By edition: the row with a short file whose expectation most implementations violate, and the implementations that answer it. */
const strikingRow = once((edition) => {
  let best = null;
  for (const row of rowsOf(edition)) {
    const { op, robots } = row.check ?? {};
    if (op !== "match" || !robots || robots.length > LONGEST_EXAMPLE || INVISIBLE.test(robots.replaceAll("\n", ""))) continue;
    const results = contestants().map((implementation) => resultOf(implementation, row, edition).result);
    const wrong = results.filter((result) => result === "violations").length;
    const isBetter = !best || wrong > best.wrong || (wrong === best.wrong && robots.length < best.row.check.robots.length);
    if (wrong && isBetter) best = { row, wrong, answered: results.filter((result) => GUESSED.includes(result)).length };
  }
  return best;
});

/** Shows this row with its file and the lines that decide. */
function strikingView(edition) {
  const striking = strikingRow(edition);
  if (!striking) return null;
  const { row, wrong, answered } = striking;
  const [, file] = fileView(row.check, "robots", "robots.txt", row.check.reasons?.[edition.id]?.lines ?? []);
  return h("figure", { class: "striking" },
    h("figcaption", {}, h("strong", {}, `${wrong} of ${plural(answered, "implementation")}`), " answer this wrong: ", queryLine(row), " ", shortTitle(edition), " requires ", answerLabel(row.expectedText[edition.id]), ". ", h("a", { href: rowAddress(row) }, "Why?")),
    file);
}

/** The editions for which a second evaluator exists. */
const EVALUATED_TWICE = ["rfc9309", "google-2026"];

/** How much the judgement rests on. */
function foundation(edition) {
  const count = `${plural(rowsOf(edition).length, "input")} about ${plural(rowsByClause(edition).size, "clause")} judge, with the answer that the reference derives from the text.`;
  return EVALUATED_TWICE.includes(edition.id) ? `${count} A second evaluator, which was written from the text alone, agrees with the judge on generated files.` : count;
}
