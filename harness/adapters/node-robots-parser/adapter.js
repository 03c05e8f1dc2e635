// Adapts robots-parser (https://github.com/samclarke/robots-parser).
//
// The complete list of adaptations:
//
// - The library takes the URL of the robots.txt. It receives /robots.txt of the origin of the checked URL (one parser for
//   each origin in a request), so that it answers `undefined`, "not the file for this URL", only where it parses the
//   checked URL differently. For sitemaps the URL has no effect; it is http://example.com/robots.txt.
// - The library takes text and fetches nothing. A file in UTF-8 is passed as it is, with its byte order mark. In any other
//   file, bytes that are not UTF-8 become U+FFFD, as Node decodes them (`buffer.toString()`).
// - Whether a robots.txt governs a URL is whether `isAllowed` of an empty file at its URL is not `undefined`. The caller of the
//   library chooses the file, so that one with another path than /robots.txt governs nothing here.
// - `isAllowed` true is "allow", false is "disallow", `undefined` is the error of that one check.
// - The line that decided is that of `getMatchingLineNumber`, or none where it returns -1 or a release does not have it.
// - An exception of the constructor or of `isAllowed`, or a URL that `new URL` refuses, is the error of that one check.
//   Error texts are cut at 500 characters.
'use strict';

const robotsParser = require('robots-parser');
const { version } = require('robots-parser/package.json');
const { robotsBytes, serve, sitemaps, verdicts } = require('../wire.js');

function allowedBy(text) {
  const parsers = new Map();
  return (agent, url) => {
    const robotsUrl = new URL('/robots.txt', url).href;
    if (!parsers.has(robotsUrl)) parsers.set(robotsUrl, robotsParser(robotsUrl, text));
    const parser = parsers.get(robotsUrl);
    const allowed = parser.isAllowed(url, agent);
    if (allowed === undefined) throw new Error('isAllowed returned undefined');
    const line = parser.getMatchingLineNumber?.(url, agent) ?? -1;
    return [allowed, line === -1 ? null : line];
  };
}

serve(
  { name: 'robots-parser', version, homepage: 'https://github.com/samclarke/robots-parser', package: 'robots-parser (npm)' },
  {
    match: (request) => verdicts(allowedBy(robotsBytes(request).toString()), request),
    scope: ({ robots_url: robotsUrl, url }) => ({
      applies: new URL(robotsUrl).pathname === '/robots.txt' && robotsParser(robotsUrl, '').isAllowed(url, 'ExampleBot') !== undefined,
    }),
    sitemaps: (request) =>
      sitemaps(robotsParser('http://example.com/robots.txt', robotsBytes(request).toString()).getSitemaps()),
  },
);
