// Connects a robots.txt parser to robotspec through the adapter protocol: run `robotspec run` in this folder.
//
// Fill in `allowed`; the rest reads requests and writes replies, one line of JSON each.

// Import your parser here: import { myParser } from './my-parser.mjs';

/**
 * May `agent` (such as "FooBot") fetch `url` (such as "http://example.com/fish"), given this robots.txt?
 *
 * @param {Buffer} robots the file; `robots.toString()` if the parser takes text
 * @param {string} agent
 * @param {string} url
 * @returns {boolean}
 */
function allowed(robots, agent, url) {
  // FILL IN: call your parser. If it throws, only this check fails.
  return true;
}

// What `url` is made of, for a parser that wants something else. Remove what you do not need.

/** The URL of the robots.txt. */
const robotsUrl = (url) => `${url.match(/^[^/]*\/\/[^/?#]*/)[0]}/robots.txt`;

/** The path and the query, without the fragment. */
const path = (url) => url.replace(/^[^/]*\/\/[^/?#]*\/?/, '/').split('#')[0];

/** The URL with every byte outside ASCII percent-encoded. */
const encoded = (url) => url.replace(/[^\x00-\x7f]+/g, encodeURIComponent);

const HELLO = { protocol: 1, name: 'my-parser', language: 'javascript', ops: ['match'] };

function verdict(robots, { agent, url }) {
  try {
    return allowed(robots, agent, url) ? 'allow' : 'disallow';
  } catch (exception) {
    return { error: String(exception).slice(0, 500) };
  }
}

function answer(request) {
  if (request.op === 'hello') return HELLO;
  if (request.op !== 'match') return { error: `unknown op ${request.op}` };
  // A file that is not UTF-8 is encoded in Base64.
  const robots =
    'robots_base64' in request ? Buffer.from(request.robots_base64, 'base64') : Buffer.from(request.robots);
  return { verdicts: request.checks.map((check) => verdict(robots, check)) };
}

console.log = console.info = console.error; // nothing else may print to standard output

// `readline` is not suitable: it also ends a line at U+2028, which may occur in a JSON string.
let rest = '';
process.stdin.setEncoding('utf8');
for await (const chunk of process.stdin) {
  const lines = chunk.split('\n');
  lines[0] = rest + lines[0];
  rest = lines.pop();
  for (const line of lines) {
    const request = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
  }
}
