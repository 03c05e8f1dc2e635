// Adapts robots-parser (https://github.com/samclarke/robots-parser).
//
// Every adaptation, and there is no other:
//
// - The library wants the URL of the robots.txt: it is given /robots.txt of the origin of the URL that is checked (one
//   parser an origin in a request), so that it answers `undefined`, "not the file for this URL", only where it reads
//   that URL otherwise. For sitemaps, where it plays no part, it is http://example.com/robots.txt.
// - The library takes text and fetches nothing. A file that is UTF-8 goes in as it is, a byte order mark included; in
//   any other, what is not UTF-8 becomes U+FFFD, as Node decodes (`buffer.toString()`).
// - `isAllowed` true is "allow", false is "disallow", `undefined` is the error of that one check.
// - An exception of the constructor is the error of the whole request; an exception of `isAllowed`, or a URL that
//   `new URL` does not take, is the error of that one check. Error texts are cut at 500 characters.
// - A lone surrogate, which no JSON text may hold, is written as U+FFFD.
'use strict';

const robotsParser = require('robots-parser');
const { version } = require('robots-parser/package.json');

const HELLO = {
  protocol: 1,
  name: 'robots-parser',
  version,
  language: 'javascript',
  homepage: 'https://github.com/samclarke/robots-parser',
  ops: ['match', 'sitemaps'],
};

function textOf(request) {
  if ('robots_base64' in request) return Buffer.from(request.robots_base64, 'base64').toString();
  if (typeof request.robots !== 'string') throw new TypeError('neither robots nor robots_base64');
  return request.robots;
}

const error = (exception) => ({ error: String(exception).slice(0, 500).toWellFormed() });

function match(text, checks) {
  const parsers = new Map();
  return checks.map(({ agent, url }) => {
    let robotsUrl;
    try {
      robotsUrl = new URL('/robots.txt', url).href;
    } catch (exception) {
      return error(exception);
    }
    if (!parsers.has(robotsUrl)) parsers.set(robotsUrl, robotsParser(robotsUrl, text));
    try {
      const allowed = parsers.get(robotsUrl).isAllowed(url, agent);
      if (allowed === undefined) return error('isAllowed returned undefined');
      return allowed ? 'allow' : 'disallow';
    } catch (exception) {
      return error(exception);
    }
  });
}

function answer(request) {
  switch (request.op) {
    case 'hello':
      return HELLO;
    case 'match':
      return { verdicts: match(textOf(request), request.checks) };
    case 'sitemaps': {
      const parser = robotsParser('http://example.com/robots.txt', textOf(request));
      return { sitemaps: parser.getSitemaps().map((url) => url.toWellFormed()) };
    }
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
