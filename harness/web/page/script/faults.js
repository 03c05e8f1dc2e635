// ---- Crashes and time-outs ----

/** How the inputs of each status are called. */
const FAULTS = [["crash", "crashed on", "Crashes"], ["timeout", "timed out on", "Time-outs"]];
const FAULTS_SHOWN = 6;

/** The judgement of a crash or a time-out in some edition, by the place of the judgements. */
const faultByPlace = record.judgements.map((judged) => Object.values(judged).find(({ status }) => FAULTS.some(([fault]) => fault === status)));

/** The rows on which an implementation crashed or timed out: as they are written, where `variant` is null, or rewritten. */
function faultsOf(implementation) {
  return implementation.faults ??= rows.flatMap((row) => {
    const judged = implementation.rows[row.index];
    if (!judged) return [];
    return [[null, judged.judgements], ...Object.entries(judged.variants)]
      .filter(([, place]) => faultByPlace[place])
      .map(([variant, place]) => ({ row, variant, ...faultByPlace[place] }));
  });
}

/** The crashes and time-outs in words. An input counts once, however many editions judge it. */
function describeFaults(faults) {
  const parts = FAULTS.map(([status, verb]) => [verb, faults.filter((fault) => fault.status === status).length]).filter(([, count]) => count);
  return parts.map(([verb, count]) => `${verb} ${plural(count, "input")}`).join(", ");
}

/** The mark next to the name of an implementation that crashed or timed out. */
function faultMark(implementation) {
  const faults = faultsOf(implementation);
  if (!faults.length) return null;
  const says = describeFaults(faults);
  return h("span", { class: "fault", title: says }, h("span", { "aria-hidden": "true" }, "!"), h("span", { class: "hidden" }, ` ${says}`));
}

/** The inputs on which an implementation crashed or timed out, by row. */
function faultSection(implementation) {
  const faults = faultsOf(implementation);
  const item = ([row, inputs]) => {
    const variants = inputs.flatMap(({ variant }) => variant ?? []);
    const asWritten = inputs.length > variants.length;
    return h("li", {}, h("a", { href: rowAddress(row) }, visible(row.id)), " ", h("span", { class: "query" }, queryLine(row)),
      h("span", { class: "reason" }, visibleLines(shorten(inputs[0].text))),
      variants.length ? h("span", { class: "note" }, `${asWritten ? "Also" : "Only"} when rewritten: ${variants.join(", ")}`) : null);
  };
  return FAULTS.map(([status, , title]) => {
    const found = faults.filter((fault) => fault.status === status);
    if (!found.length) return null;
    const items = [...Map.groupBy(found, ({ row }) => row)].map(item);
    const rest = items.slice(FAULTS_SHOWN);
    return h("section", { class: "trouble faults" }, h("h2", {}, `${title}: ${plural(found.length, "input")}`),
      h("ul", {}, items.slice(0, FAULTS_SHOWN)), rest.length ? h("details", {}, h("summary", {}, `${plural(rest.length, "row")} more`), h("ul", {}, rest)) : null);
  });
}
