// Adapts robots (https://github.com/ekalinin/robots.js), a port of Python's urllib.robotparser with wildcards.
//
// The complete list of adaptations:
//
// - The library takes the lines of a text. A file in UTF-8 is passed with its byte order mark. In any other file, bytes
//   that are not UTF-8 become U+FFFD, as Node decodes them. Lines are split as the library's own `read` splits them.
// - As its manual shows, `canFetchSync` receives the path of the URL, here with the query, as `URL` writes them. True is
//   "allow", false is "disallow". A URL that `URL` rejects is an error of that check.
// - Sitemaps are those of `getSitemaps`.
// - An exception of `parse` is the error of the whole request. An exception of a check is the error of that one check.
//   Error texts are cut at 500 characters.
'use strict';

const { RobotsParser, version } = require('robots');
const { robotsBytes, serve, sitemaps, verdicts } = require('../wire.js');

const parse = (request) => new RobotsParser().parse(robotsBytes(request).toString().split(/\r\n|\r|\n/));

function match(request) {
  const robots = parse(request);
  return verdicts((agent, url) => {
    const { pathname, search } = new URL(url);
    return robots.canFetchSync(agent, pathname + search);
  }, request);
}

serve(
  { name: 'robots', version, homepage: 'https://github.com/ekalinin/robots.js', package: 'robots (npm)' },
  {
    match,
    sitemaps: (request) => new Promise((done) => parse(request).getSitemaps((urls) => done(sitemaps(urls)))),
  },
);
