// The cases of robotspec as tests of a robots.txt parser: a test for each row whose verdict an edition decides.
'use strict';

const { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const { describe, it } = require('node:test');
const { Script } = require('node:vm');
const { gunzipSync } = require('node:zlib');

// A script can be stopped, whatever it calls.
const ASK = new Script("globalThis[Symbol.for('robotspec')]()");
const LEVELS = { must: ['must'], should: ['must', 'should'] };
const MOST_SECONDS = 1000000;

/**
 * Tests a function for each row: `isAllowed(robots: Buffer, agent: string, url: string) => boolean`, or a promise of it.
 *
 * `edition` judges, such as rfc9309 or google-2026. With the level `must`, only requirements are tested, with `should` also
 * recommendations. `knownFailures` is a file with an id of a test in each line. A row without an answer has failed after
 * `timeout` seconds.
 */
function testRows(isAllowed, options = {}) {
  const { edition = 'rfc9309', level = 'should', knownFailures = 'known-failures.txt', timeout = 5 } = options;
  const cases = JSON.parse(gunzipSync(readFileSync(join(__dirname, 'cases.json.gz'))));
  const editions = cases.editions.map(({ id }) => id);
  if (!editions.includes(edition) || !LEVELS[level]) {
    throw new RangeError(
      `edition is one of ${editions.join(', ')}, and level is must or should; they are ${edition} and ${level}`,
    );
  }
  if (!(timeout > 0 && timeout < MOST_SECONDS)) {
    throw new RangeError(`timeout is a number of seconds above 0 and below ${MOST_SECONDS}; it is ${timeout}`);
  }
  const clauses = new Map(cases.clauses.map((clause) => [clause.id, clause]));
  const rows = cases.checks.filter(
    (check) =>
      check.op === 'match' &&
      ['allow', 'disallow'].includes(check.expected[edition]?.ruling) &&
      LEVELS[level].includes(check.levels?.[edition] ?? 'must'),
  );
  const known = readKnown(knownFailures, new Set(rows.map(({ id }) => id)));
  describe(`robots.txt, ${edition}`, () => {
    for (const row of rows) {
      it(row.id, (test) => judge(test, row, { isAllowed, edition, known, knownFailures, timeout, clauses }));
    }
  });
}

function readKnown(path, ids) {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(existsSync(path) ? readFileSync(path) : Buffer.of());
  } catch (cause) {
    throw new RangeError(`${path}: the list is not UTF-8`, { cause });
  }
  const lines = text.split('\n').map((line) => line.trim());
  const known = [...lines.entries()].filter(([, line]) => line && !line.startsWith('#'));
  for (const [index, id] of known) {
    if (!ids.has(id)) throw new RangeError(`${path}, line ${index + 1}: no test has the id ${id}`);
  }
  return new Set(known.map(([, id]) => id));
}

function record(path, id) {
  const list = openSync(path, 'a+');
  const last = Buffer.from('\n');
  readSync(list, last, 0, 1, Math.max(fstatSync(list).size - 1, 0));
  // The last line may have no end. Processes that run tests side by side each write at the end, at once.
  writeSync(list, `${last.toString() === '\n' ? '' : '\n'}${id}\n`);
  closeSync(list);
}

/** Lets a run fail in which a function ends the process: no test after that one runs. */
function failAtExit() {
  console.error('the function ended the process');
  process.exitCode = 1;
}

/** Calls a function. Neither a loop without end nor a promise that stays open takes longer than the time limit. */
async function ask(isAllowed, timeout) {
  let timer;
  const isLate = new Promise((_, reject) => {
    timer = setTimeout(reject, 1000 * timeout, new Error(`no answer in ${timeout} s`));
  });
  process.once('exit', failAtExit);
  try {
    globalThis[Symbol.for('robotspec')] = isAllowed;
    return await Promise.race([ASK.runInThisContext({ timeout: 1000 * timeout }), isLate]);
  } catch (error) {
    if (error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new Error(`no answer in ${timeout} s`);
    throw error;
  } finally {
    process.removeListener('exit', failAtExit);
    clearTimeout(timer);
  }
}

async function judge(test, row, { isAllowed, edition, known, knownFailures, timeout, clauses }) {
  const encoded = row['robots-base64'];
  const robots = encoded === undefined ? Buffer.from(row.robots) : Buffer.from(encoded, 'base64');
  const expected = row.expected[edition].ruling;
  let got;
  let cause;
  try {
    got = await ask(() => isAllowed(robots, row.agent, row.url), timeout);
  } catch (error) {
    [got, cause] = [String(error), error];
  }
  if (!cause) {
    if (typeof got !== 'boolean') throw new TypeError(`the function has to return a boolean, and returned ${got}`);
    got = got ? 'allow' : 'disallow';
  }
  const isKnown = known.has(row.id);
  if (got === expected) {
    if (isKnown) throw new Error(`passes now: remove ${row.id} from ${knownFailures}`);
  } else if (isKnown) {
    test.skip(`in ${knownFailures}`);
  } else {
    if (!['', '0'].includes(process.env.ROBOTSPEC_RECORD ?? '')) record(knownFailures, row.id);
    const error = new Error(message(row, edition, clauses.get(row.clauses[0]), robots, expected, got), { cause });
    error.stack = error.message; // The place in this file says nothing.
    throw error;
  }
}

function message(row, edition, clause, robots, expected, got) {
  const { lines: marked = [], sentences = [] } = row.reasons?.[edition] ?? {};
  const lines = robots.toString().replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/);
  const shown = lines
    .map((line, index) => ({ number: index + 1, line }))
    .filter(({ number }) => number <= 20 || marked.slice(0, 5).includes(number))
    .map(({ number, line }) => `${marked.includes(number) ? '>' : ' '} ${String(number).padStart(4)} | ${cut(line)}`);
  if (shown.length < lines.length) shown.push(`       … ${lines.length - shown.length} more lines`);
  return [
    `${row.id}: expected ${expected}, got ${got}`,
    `${edition}, ${clause.sections[edition] ?? ''}: ${clause.statement}`,
    `agent ${cut(row.agent)}`,
    `url   ${cut(row.url)}`,
    ...shown,
    ...sentences.map(cut),
  ].join('\n');
}

const cut = (text) => (text.length <= 100 ? text : `${text.slice(0, 100)}… (${text.length} characters)`);

module.exports = { testRows };
