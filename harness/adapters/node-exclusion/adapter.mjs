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
import { readFileSync } from 'node:fs';
import { RobotsTxt } from 'exclusion';
import wire from '../wire.js';

// The package does not export its package.json.
const { version } = JSON.parse(readFileSync(new URL('node_modules/exclusion/package.json', import.meta.url)));

function pathOf(url) {
  const rest = url.replace(/^[^:/?#]+:\/\/[^/?#]*/, '').replace(/#.*$/s, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

wire.serve(
  { name: 'exclusion', version, homepage: 'https://github.com/russellsteadman/netscrape' },
  {
    match: (request) => {
      const robots = new RobotsTxt(wire.octets(request).toString());
      return wire.verdicts((agent, url) => robots.isPathAllowed(pathOf(url), agent), request);
    },
  },
);
