// Adapts exclusion (https://github.com/russellsteadman/netscrape, its package `exclusion`).
//
// The complete list of adaptations:
//
// - The library takes text. A file in UTF-8 is passed as it is, with its byte order mark. In any other file, bytes that
//   are not UTF-8 become U+FFFD, as Node decodes them (`buffer.toString()`).
// - `isPathAllowed` takes a path and the agent. It receives the agent as it is, and the part of the URL after the
//   authority and before `#`, with a slash at the start if it has none. Nothing else is changed or decoded.
// - True is "allow", false is "disallow". The library does not read sitemaps.
// - An exception of the constructor is the error of the whole request. An exception of `isPathAllowed` is the error of
//   that one check. Error texts are cut at 500 characters.
import { readFileSync } from 'node:fs';
import { RobotsTxt } from 'exclusion';
import wire from '../wire.js';

// The package does not export its package.json.
const { version } = JSON.parse(readFileSync(new URL('node_modules/exclusion/package.json', import.meta.url)));

wire.serve(
  { name: 'exclusion', version, homepage: 'https://github.com/russellsteadman/netscrape', package: 'exclusion (npm)' },
  {
    match: (request) => {
      const robots = new RobotsTxt(wire.robotsBytes(request).toString());
      return wire.verdicts((agent, url) => robots.isPathAllowed(wire.pathOf(url), agent), request);
    },
  },
);
