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
// - An exception of the constructor or of `isAllowed`, or a URL that `new URL` does not take, is the error of that one
//   check. Error texts are cut at 500 characters.
'use strict';

const robotsParser = require('robots-parser');
const { version } = require('robots-parser/package.json');
const { octets, serve, sitemaps, verdicts } = require('../wire.js');

function allowedBy(text) {
  const parsers = new Map();
  return (agent, url) => {
    const robotsUrl = new URL('/robots.txt', url).href;
    if (!parsers.has(robotsUrl)) parsers.set(robotsUrl, robotsParser(robotsUrl, text));
    const allowed = parsers.get(robotsUrl).isAllowed(url, agent);
    if (allowed === undefined) throw new Error('isAllowed returned undefined');
    return allowed;
  };
}

serve(
  { name: 'robots-parser', version, homepage: 'https://github.com/samclarke/robots-parser' },
  {
    match: (request) => verdicts(allowedBy(octets(request).toString()), request),
    sitemaps: (request) =>
      sitemaps(robotsParser('http://example.com/robots.txt', octets(request).toString()).getSitemaps()),
  },
);
