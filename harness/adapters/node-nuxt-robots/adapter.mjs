// Adapts @nuxtjs/robots (https://github.com/nuxt-modules/robots), which tells a site built with Nuxt what its robots.txt says.
//
// The complete list of adaptations:
//
// - The module takes text. A file in UTF-8 is passed as it is, with its byte order mark. In any other file, bytes that
//   are not UTF-8 become U+FFFD, as Node decodes them (`buffer.toString()`).
// - `parseRobotsTxt` and `validateRobots` read the groups and `normalizeGroup` prepares them, as the module does with the
//   `robots.txt` of a Nuxt project.
// - The documented function `getPathRobotConfig` decides. It imports a Nitro server, in place of which it finds the groups here,
//   an indexable site, and no rules of routes or pages.
// - It receives the agent, and as the path of a page the part of the URL after the authority and before `#`, with a slash at
//   the start if it has none. Nothing else is changed or decoded.
// - Indexable is "allow", else "disallow". The errors that `validateRobots` reports are ignored, as the module only logs
//   them.
// - An exception while a file is read is the error of the whole request, another one is the error of that one check.
//   Error texts are cut at 500 characters.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import wire from '../wire.js';

// What the function imports of the server. Each import finds all of it.
const server = `
  export const useRuntimeConfig = () => ({ 'nuxt-robots': { groups: globalThis.groups } });
  export const useNitroApp = () => ({ _robots: { ctx: { groups: globalThis.groups } } });
  export const getSiteIndexable = () => true;
  export const getSiteConfig = () => ({ _context: {} });
  export const getQuery = () => ({});
  export const getRequestHeader = () => undefined;
  export const createNitroRouteRuleMatcher = () => () => ({});
  export const resolveLocaleFromRoute = undefined;
`;
const hooks = `export async function resolve(name, context, next) {
  const isOfServer = /^(#nuxtseo|#site-config|nuxtseo-shared)\\//.test(name);
  return isOfServer ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(server)}`)}, shortCircuit: true } : next(name, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
const { normalizeGroup, parseRobotsTxt, validateRobots } = await import('@nuxtjs/robots/util');
const composables = new URL('node_modules/@nuxtjs/robots/dist/runtime/server/composables/', import.meta.url);
const { getPathRobotConfig } = await import(new URL('getPathRobotConfig.js', composables));

// The package does not export its package.json.
const { version } = JSON.parse(readFileSync(new URL('node_modules/@nuxtjs/robots/package.json', import.meta.url)));

const read = (request) => validateRobots(parseRobotsTxt(wire.robotsBytes(request).toString()));

wire.serve(
  { name: 'nuxt-robots', version, homepage: 'https://github.com/nuxt-modules/robots', package: '@nuxtjs/robots (npm)' },
  {
    match: (request) => {
      globalThis.groups = read(request).groups.map(normalizeGroup);
      return wire.verdicts((userAgent, url) => getPathRobotConfig({}, { path: wire.pathOf(url), userAgent }).indexable, request);
    },
    sitemaps: (request) => wire.sitemaps(read(request).sitemaps),
  },
);
