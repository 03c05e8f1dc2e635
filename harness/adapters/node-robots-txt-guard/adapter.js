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
'use strict';

const { Readable } = require('node:stream');
const guard = require('robots-txt-guard');
const { version } = require('robots-txt-guard/package.json');
const parse = require('robots-txt-parse');
const { version: parseVersion } = require('robots-txt-parse/package.json');
const { octets, serve, sitemaps, verdicts } = require('../wire.js');

const parsed = (request) => parse(Readable.from([octets(request)]));

function pathOf(url) {
  const rest = url.replace(/^[^:/?#]+:\/\/[^/?#]*/, '').replace(/#.*$/s, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

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
  },
  { match, sitemaps: ofSitemaps },
);
