// Adapts @nuxtjs/robots (https://github.com/nuxt-modules/robots), which tells a site built with Nuxt what its robots.txt says.
//
// The complete list of adaptations:
//
// - The module takes text. A file in UTF-8 is passed as it is, with its byte order mark. In any other file, bytes that
//   are not UTF-8 become U+FFFD, as Node decodes them (`buffer.toString()`).
// - `parseRobotsTxt`, `validateRobots` and `normalizeGroup` prepare the groups, as in `robots.txt` of a Nuxt project.
//   `matchPathToRule` decides in one group.
// - The function that chooses the groups, `getPathRobotConfig`, cannot be called without a server. These are its steps:
//   the groups of which a name is part of the agent, then those for `*`. A group with the rule `Disallow: /` disallows
//   everything. Otherwise, the first group with a matching rule decides.
// - `getPathRobotConfig` receives the path of a page. It receives the part of the URL after the authority and before `#`
//   here, with a slash at the start if it has none. Nothing else is changed or decoded.
// - Indexable is "allow", else "disallow". The errors that `validateRobots` reports are ignored, as the module only logs
//   them.
// - An exception while a file is read is the error of the whole request, another one is the error of that one check.
//   Error texts are cut at 500 characters.
import { readFileSync } from 'node:fs';
import { matchPathToRule, normalizeGroup, parseRobotsTxt, validateRobots } from '@nuxtjs/robots/util';
import wire from '../wire.js';

// The package does not export its package.json.
const { version } = JSON.parse(readFileSync(new URL('node_modules/@nuxtjs/robots/package.json', import.meta.url)));

const read = (request) => validateRobots(parseRobotsTxt(wire.robotsBytes(request).toString()));

function isAllowed(groups, agent, path) {
  const isNamed = (name) => name && agent.toLowerCase().includes(name.toLowerCase());
  const chosen = [
    ...groups.filter((group) => agent && group.userAgent.some(isNamed)),
    ...groups.filter((group) => group.userAgent.includes('*')),
  ];
  for (const group of chosen) {
    if (!group._indexable) return false;
    const rule = matchPathToRule(path, group._rules);
    if (rule) return rule.allow;
  }
  return true;
}

wire.serve(
  { name: 'nuxt-robots', version, homepage: 'https://github.com/nuxt-modules/robots', package: '@nuxtjs/robots (npm)' },
  {
    match: (request) => {
      const groups = read(request).groups.map(normalizeGroup);
      return wire.verdicts((agent, url) => isAllowed(groups, agent, wire.pathOf(url)), request);
    },
    sitemaps: (request) => wire.sitemaps(read(request).sitemaps),
  },
);
