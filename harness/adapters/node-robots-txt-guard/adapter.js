// Adapts robots-txt-guard (https://github.com/Woorank/robots-txt-guard) with robots-txt-parse, the parser that its
// manual names: the one reads the file, the other decides.
//
// Every adaptation, and there is no other:
//
// - The file goes in as a stream of one chunk of bytes, which robots-txt-parse decodes and splits.
// - `isAllowed` wants the agent and a path. It is given the agent as it is, and of the URL what follows the authority,
//   cut before `#`, with a slash in front where there is none. Nothing else is changed or decoded.
// - True is "allow", false is "disallow". Sitemaps are the values of the `extensions` of that name.
// - An exception of the parser, or of the guard as it reads what was parsed, is the error of the whole request; an
//   exception of `isAllowed` is the error of that one check. Error texts are cut at 500 characters.
// - A lone surrogate, which no JSON text may hold, is written as U+FFFD.
'use strict';

const { Readable } = require('node:stream');
const guard = require('robots-txt-guard');
const { version } = require('robots-txt-guard/package.json');
const parse = require('robots-txt-parse');
const { version: parseVersion } = require('robots-txt-parse/package.json');

const HELLO = {
  protocol: 1,
  name: 'robots-txt-guard',
  version: `${version} with robots-txt-parse ${parseVersion}`,
  language: 'javascript',
  homepage: 'https://github.com/Woorank/robots-txt-guard',
  ops: ['match', 'sitemaps'],
};

function parsed(request) {
  const body = 'robots_base64' in request
    ? Buffer.from(request.robots_base64, 'base64')
    : Buffer.from(request.robots);
  return parse(Readable.from([body]));
}

const error = (exception) => ({ error: String(exception).slice(0, 500).toWellFormed() });

function pathOf(url) {
  const rest = url.replace(/^[^:/?#]+:\/\/[^/?#]*/, '').replace(/#.*$/s, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function verdict(guarded, { agent, url }) {
  try {
    return guarded.isAllowed(agent, pathOf(url)) ? 'allow' : 'disallow';
  } catch (exception) {
    return error(exception);
  }
}

async function answer(request) {
  switch (request.op) {
    case 'hello':
      return HELLO;
    case 'match': {
      const guarded = guard(await parsed(request));
      return { verdicts: request.checks.map((check) => verdict(guarded, check)) };
    }
    case 'sitemaps': {
      const { extensions } = await parsed(request);
      const sitemaps = extensions.filter(({ extension }) => extension === 'sitemap');
      return { sitemaps: sitemaps.map(({ value }) => value.toWellFormed()) };
    }
    default:
      return { error: `unknown op ${JSON.stringify(request.op)}` };
  }
}

async function reply(line) {
  let id = null;
  let body;
  try {
    const request = JSON.parse(line);
    id = request.id ?? null;
    body = await answer(request);
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
