// Adapts robots-txt-guard (https://github.com/Woorank/robots-txt-guard) with robots-txt-parse, the parser that its manual
// recommends: robots-txt-parse reads the file, robots-txt-guard decides.
//
// The complete list of adaptations:
//
// - The file is passed as a stream of one chunk of bytes, which robots-txt-parse decodes and splits.
// - `isAllowed` takes the agent and a path. It receives the agent as it is, and the part of the URL after the authority
//   and before `#`, with a slash at the start if it has none. Nothing else is changed or decoded.
// - True is "allow", false is "disallow". Sitemaps are the values of the `extensions` with that name.
// - An exception of the parser, or of the guard when it reads the parsed file, is the error of the whole request. An
//   exception of `isAllowed` is the error of that one check. Error texts are cut at 500 characters.
'use strict';

const { Readable } = require('node:stream');
const guard = require('robots-txt-guard');
const { version } = require('robots-txt-guard/package.json');
const parse = require('robots-txt-parse');
const { version: parseVersion } = require('robots-txt-parse/package.json');
const { pathOf, robotsBytes, serve, sitemaps, verdicts } = require('../wire.js');

const parsed = (request) => parse(Readable.from([robotsBytes(request)]));

async function match(request) {
  const guarded = guard(await parsed(request));
  return verdicts((agent, url) => guarded.isAllowed(agent, pathOf(url)), request);
}

async function ofSitemaps(request) {
  const { extensions } = await parsed(request);
  return sitemaps(extensions.filter(({ extension }) => extension === 'sitemap').map(({ value }) => value));
}

serve(
  {
    name: 'robots-txt-guard',
    version: `${version} with robots-txt-parse ${parseVersion}`,
    homepage: 'https://github.com/Woorank/robots-txt-guard',
    package: 'robots-txt-guard with robots-txt-parse (npm)',
  },
  { match, sitemaps: ofSitemaps },
);
