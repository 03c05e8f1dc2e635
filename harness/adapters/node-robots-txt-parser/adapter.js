// Adapts robots-txt-parser (https://github.com/chrisakroyd/robots-txt-parser).
//
// The complete list of adaptations:
//
// - The library takes text. A file in UTF-8 is passed as it is, with its byte order mark. In any other file, bytes that
//   are not UTF-8 become U+FFFD, as Node (`buffer.toString()`) and the library's own `fetch` decode them.
// - The library keeps the file of each origin and the agent as state. Each request makes a new object, gives it the file
//   as that of http://example.com with `parseRobots`, and calls `setUserAgent` before each check.
// - `canCrawlSync` receives the whole URL, as its manual shows. True is "allow", false is "disallow". The option
//   `allowOnNeutral`, the answer where rules balance, keeps its default, true.
// - An exception of `parseRobots` is the error of the whole request. An exception of a check is the error of that one
//   check. Error texts are cut at 500 characters.
'use strict';

const robotsTxtParser = require('robots-txt-parser');
const { version } = require('robots-txt-parser/package.json');
const { robotsBytes, serve, sitemaps, verdicts } = require('../wire.js');

function parse(request) {
  const parser = robotsTxtParser();
  parser.parseRobots('http://example.com', robotsBytes(request).toString());
  return parser;
}

function match(request) {
  const parser = parse(request);
  return verdicts((agent, url) => {
    parser.setUserAgent(agent);
    return parser.canCrawlSync(url);
  }, request);
}

serve(
  { name: 'robots-txt-parser', version, homepage: 'https://github.com/chrisakroyd/robots-txt-parser', package: 'robots-txt-parser (npm)' },
  { match, sitemaps: (request) => sitemaps(parse(request).getSitemapsSync()) },
);
