// ---- The documents' values in words ----

const list = (texts) => `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;

/** What an edition expects. */
function describeExpected(expected) {
  if (expected === "alike") return "the same for both";
  if ("derived" in expected) return expected.derived ? "valid" : "not valid";
  if ("sitemaps" in expected) {
    const { required, optional } = expected.sitemaps;
    return list(required) + (optional.length ? `, optionally with ${list(optional)}` : "");
  }
  if ("access" in expected) {
    const rulings = new Set(Object.values(expected.access));
    if (rulings.size === 1) return { allow: "full-allow", disallow: "full-disallow" }[[...rulings][0]] ?? "unspecified";
    const disallowed = Object.keys(expected.access).filter((path) => expected.access[path] === "disallow");
    return `conditional (${disallowed.join(", ")} disallowed)`;
  }
  return expected.ruling ?? expected.governs;
}

/** Whether an edition does not specify the answer. */
function isUnspecified(expected) {
  return [expected.ruling, expected.governs, ...Object.values(expected.access ?? {})].includes("unspecified");
}

/** Whether an edition specifies no part of the answer. */
const isWhollyUnspecified = (expected) => [expected.ruling ?? expected.governs, ...Object.values(expected.access ?? {})].filter(Boolean).every((ruling) => ruling === "unspecified") && isUnspecified(expected);

/** A value of a scenario: a word, or words with their parts. */
function describePart(part) {
  if (part === null || typeof part !== "object") return String(part);
  return Array.isArray(part) ? part.join(" ") : Object.entries(part).map(([name, value]) => `${name} ${describePart(value)}`).join(", ");
}

/** A name of the mock server as words. */
const words = (part) => describePart(part).replaceAll("-", " ");

/** Where redirects lead, where it is not a path on the same server. */
const LOCATIONS = {
  absolute: " to an absolute URL", "other-port": " to another port", missing: " without a Location field", invalid: " to an invalid URL", loop: " in a loop",
  disallowed: " to a disallowed path on another port", "to-https": " to HTTPS and back",
};

/** What a server does at a visit. */
function describeVisit({ at, server, "site-answers": siteAnswers }) {
  const { scheme, hops, location, answer } = server;
  const fault = answer.fault ?? answer.ftp;
  return [
    at > 0 && `${at / 3600} h later`,
    scheme !== "http" && describePart(scheme),
    hops.length > 0 && `redirects ${hops.join(", ")}${LOCATIONS[location] ?? ""}`,
    `status ${answer.status}`,
    answer.body && `body ${words(answer.body)}`,
    fault && `fault: ${words(fault)}`,
    ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
    !siteAnswers && "the site does not answer for other pages",
  ].filter(Boolean).join(", ");
}

/** The parts of a query, each with a label. */
function queryFacts(check) {
  const facts = [["agent", check.agent], ["URL", check.url], ["robots.txt", check["robots-url"]], ["paths", check.paths?.join(" ")]];
  return [...(check.visits ?? []).map((visit) => ["server", describeVisit(visit)]), ...facts.filter(([, value]) => value !== undefined)];
}

/** The file of a check with this key, as a text in which each character stands for a byte; null where there is none. */
function fileBytes(check, key) {
  if (check[key] !== undefined) return String.fromCharCode(...new TextEncoder().encode(check[key]));
  return check[`${key}-base64`] === undefined ? null : atob(check[`${key}-base64`]);
}

/** The lines of a file, each with its end. */
const splitLines = (bytes) => [...bytes.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)].filter(([line]) => line).map(([, text, end]) => ({ text, end }));
