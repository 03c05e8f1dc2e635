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
'use strict';

const robotsTxtParser = require('robots-txt-parser');
const { version } = require('robots-txt-parser/package.json');
const { octets, serve, sitemaps, verdicts } = require('../wire.js');

function parse(request) {
  const parser = robotsTxtParser();
  parser.parseRobots('http://example.com', octets(request).toString());
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
  { name: 'robots-txt-parser', version, homepage: 'https://github.com/chrisakroyd/robots-txt-parser' },
  { match, sitemaps: (request) => sitemaps(parse(request).getSitemapsSync()) },
);
