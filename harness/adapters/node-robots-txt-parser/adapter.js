// Adapts robots-txt-parser (https://github.com/chrisakroyd/robots-txt-parser).
//
// Every adaptation, and there is no other:
//
// - The library takes text. A file that is UTF-8 goes in as it is, a byte order mark included; in any other, what is
//   not UTF-8 becomes U+FFFD, as Node decodes (`buffer.toString()`), and as the library's own `fetch` does.
// - It keeps the file of each origin and the agent as state: each request makes a new object, gives it the file as that
//   of http://example.com with `parseRobots`, and calls `setUserAgent` before each check.
// - `canCrawlSync` is given the whole URL, as its manual shows. True is "allow", false is "disallow". The option
//   `allowOnNeutral`, what to answer where rules balance, is left at its default, true.
// - An exception of `parseRobots` is the error of the whole request; an exception of a check is the error of that one
//   check. Error texts are cut at 500 characters.
// - A lone surrogate, which no JSON text may hold, is written as U+FFFD.
'use strict';

const robotsTxtParser = require('robots-txt-parser');
const { version } = require('robots-txt-parser/package.json');

const HELLO = {
  protocol: 1,
  name: 'robots-txt-parser',
  version,
  language: 'javascript',
  homepage: 'https://github.com/chrisakroyd/robots-txt-parser',
  ops: ['match', 'sitemaps'],
};

function parse(request) {
  const text = 'robots_base64' in request ? Buffer.from(request.robots_base64, 'base64').toString() : request.robots;
  const parser = robotsTxtParser();
  parser.parseRobots('http://example.com', text);
  return parser;
}

const error = (exception) => ({ error: String(exception).slice(0, 500).toWellFormed() });

function verdict(parser, { agent, url }) {
  try {
    parser.setUserAgent(agent);
    return parser.canCrawlSync(url) ? 'allow' : 'disallow';
  } catch (exception) {
    return error(exception);
  }
}

function answer(request) {
  switch (request.op) {
    case 'hello':
      return HELLO;
    case 'match': {
      const parser = parse(request);
      return { verdicts: request.checks.map((check) => verdict(parser, check)) };
    }
    case 'sitemaps':
      return { sitemaps: parse(request).getSitemapsSync().map((url) => url.toWellFormed()) };
    default:
      return { error: `unknown op ${JSON.stringify(request.op)}` };
  }
}

function reply(line) {
  let id = null;
  let body;
  try {
    const request = JSON.parse(line);
    id = request.id ?? null;
    body = answer(request);
  } catch (exception) {
    body = error(exception);
  }
  process.stdout.write(`${JSON.stringify({ id, ...body })}\n`); // to a pipe, written before it returns
}

// Not `readline`: that also ends a line at U+2028, which may stand unescaped in a JSON string.
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = chunk.split('\n');
  lines[0] = rest + lines[0];
  rest = lines.pop();
  lines.forEach(reply);
});
process.stdin.on('end', () => {
  if (rest) reply(rest);
});
