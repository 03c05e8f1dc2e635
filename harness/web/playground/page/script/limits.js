// ---- The sizes that the page accepts ----

/** Above the size limits of all editions, so that the effect of these limits is visible. */
const LARGEST_FILE = 1 << 20;
const LONGEST_AGENT = 1000;
const LONGEST_URL = 8000;
const MOST_URLS = 100;
/** The longest address, in characters, because browsers and chat programs cut longer ones. */
const LONGEST_LINK = 32_000;
/** How long an answer may take, in milliseconds. */
const LONGEST_WAIT = 10_000;
/** When a newer input replaces one that is still being answered, in milliseconds. */
const PATIENCE = 1_500;

/** What is too large about an input, or null. */
function tooLarge({ file, agent, urls }) {
  if (file.length > LARGEST_FILE) return `The file has ${plural(file.length, "byte")}. This page reads files of up to ${grouped(LARGEST_FILE)} bytes; robotspec check reads larger files.`;
  if (agent.length > LONGEST_AGENT) return `The agent has ${plural(agent.length, "character")}. This page reads up to ${grouped(LONGEST_AGENT)}.`;
  if (urls.length > MOST_URLS) return `There are ${plural(urls.length, "URL")}. This page answers up to ${grouped(MOST_URLS)} at once.`;
  const long = urls.findIndex((url) => url.length > LONGEST_URL);
  if (long >= 0) return `URL ${long + 1} has ${plural(urls[long].length, "character")}. This page reads up to ${grouped(LONGEST_URL)}.`;
  return null;
}
