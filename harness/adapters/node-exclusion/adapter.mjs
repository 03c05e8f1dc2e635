// Adapts exclusion (https://github.com/russellsteadman/netscrape, its package `exclusion`).
//
// Every adaptation, and there is no other:
//
// - The library takes text. A file that is UTF-8 goes in as it is, a byte order mark included; in any other, what is
//   not UTF-8 becomes U+FFFD, as Node decodes (`buffer.toString()`).
// - `isPathAllowed` wants a path and the agent. It is given the agent as it is, and of the URL what follows the
//   authority, cut before `#`, with a slash in front where there is none. Nothing else is changed or decoded.
// - True is "allow", false is "disallow". The library knows no sitemaps.
// - An exception of the constructor is the error of the whole request; an exception of `isPathAllowed` is the error of
//   that one check. Error texts are cut at 500 characters.
// - A lone surrogate, which no JSON text may hold, is written as U+FFFD.
import { readFileSync } from 'node:fs';
import { RobotsTxt } from 'exclusion';

// The package does not export its package.json.
const { version } = JSON.parse(readFileSync(new URL('node_modules/exclusion/package.json', import.meta.url)));

const HELLO = {
  protocol: 1,
  name: 'exclusion',
  version,
  language: 'javascript',
  homepage: 'https://github.com/russellsteadman/netscrape',
  ops: ['match'],
};

function textOf(request) {
  if ('robots_base64' in request) return Buffer.from(request.robots_base64, 'base64').toString();
  return request.robots;
}

const error = (exception) => ({ error: String(exception).slice(0, 500).toWellFormed() });

function pathOf(url) {
  const rest = url.replace(/^[^:/?#]+:\/\/[^/?#]*/, '').replace(/#.*$/s, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function verdict(robots, { agent, url }) {
  try {
    return robots.isPathAllowed(pathOf(url), agent) ? 'allow' : 'disallow';
  } catch (exception) {
    return error(exception);
  }
}

function answer(request) {
  switch (request.op) {
    case 'hello':
      return HELLO;
    case 'match': {
      const robots = new RobotsTxt(textOf(request));
      return { verdicts: request.checks.map((check) => verdict(robots, check)) };
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
