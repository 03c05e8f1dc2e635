// ---- Readings: how an implementation answers the questions of the texts ----

/** The answer of an implementation to a row, where it is the same in all editions. The reference reads each edition as it is written, and has no reading of its own. */
function answerInAllEditions(implementation, row) {
  const judgements = Object.values(judgementsOf(implementation, row));
  const isSame = judgements.every(({ text }) => text === judgements[0].text);
  return isSame ? judgements[0]?.got.answer : undefined;
}

/** Whether an answer is as expected. Only queries of these three kinds are probes. */
function isMet(expected, answer) {
  if (expected.access) {
    const { verdicts, violations } = answer.access ?? { verdicts: {} };
    return !violations && Object.entries(expected.access).every(([path, ruling]) => verdicts[path] === ruling);
  }
  return expected.ruling === undefined ? answer.scope === expected.governs : answer.match === expected.ruling;
}

/**
 * The readings of an implementation, by question: how many rows show it, how many of them agree with each answer, a row
 * that contradicts the answer, and the editions that admit no answer that agrees with a row.
 */
function readingsOf(implementation) {
  const readings = new Map();
  for (const row of rows) {
    const answer = row.check?.probe && answerInAllEditions(implementation, row);
    if (!answer) continue;
    const { question, outcomes } = row.check.probe;
    const agreeing = Object.keys(outcomes).filter((id) => isMet(outcomes[id], answer));
    // A failure, or an answer that no reading leads to, shows nothing.
    if (!agreeing.length) continue;
    if (!readings.has(question)) readings.set(question, { rows: 0, answers: new Map(), contradicted: new Set() });
    const reading = readings.get(question);
    reading.rows += 1;
    for (const id of Object.keys(outcomes)) {
      const found = reading.answers.get(id) ?? { count: 0, against: null };
      if (agreeing.includes(id)) found.count += 1;
      else found.against ??= row;
      reading.answers.set(id, found);
    }
    for (const edition of editions) {
      const admitted = questionById.get(question).answers[edition.id];
      // The row may not have an outcome for every answer that this edition admits.
      if (admitted.every((id) => id in outcomes) && !admitted.some((id) => agreeing.includes(id))) reading.contradicted.add(edition.id);
    }
  }
  return readings;
}
