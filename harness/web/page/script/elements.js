// ---- Elements. A text is only ever inserted as text, never as HTML ----

const isShown = (child) => child !== null && child !== undefined && child !== false;

/** An element with attributes, listeners (`onclick`) and children. */
function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter(isShown));
  return element;
}

/** Replaces the children of an element, unless it already has these. */
function replace(element, ...children) {
  const nodes = children.flat(Infinity).filter(isShown);
  const isSame = nodes.length === element.childNodes.length && nodes.every((node, index) => node === element.childNodes[index]);
  if (!isSame) element.replaceChildren(...nodes);
}

// Control characters, spaces other than U+0020, characters that have no width or change the direction of text, and code
// points that are not characters.
const INVISIBLE = /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Noncharacter_Code_Point}]/u;

const escapeMark = (text) => h("span", { class: "escape" }, text);

/** A text of another program, with its invisible characters made visible. */
function visible(value) {
  const parts = [];
  let rest = String(value);
  for (let found = INVISIBLE.exec(rest); found; found = INVISIBLE.exec(rest)) {
    parts.push(rest.slice(0, found.index), escapeMark(`\\u{${found[0].codePointAt(0).toString(16)}}`));
    rest = rest.slice(found.index + found[0].length);
  }
  return [...parts, rest];
}

/** The same, where line breaks stay line breaks. */
function visibleLines(value) {
  return String(value).split("\n").map((line, index) => [index ? h("br") : null, visible(line)]);
}

const SEQUENCE = /[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[^]/g;
const utf8 = new TextDecoder();

/** Bytes, each a character: UTF-8 as text, and all that is invisible or not UTF-8 as escapes. */
function visibleBytes(bytes) {
  if (/^[ -[\]-~]*$/.test(bytes)) return [bytes];
  return bytes.match(SEQUENCE).map((sequence) => {
    const isText = sequence.length > 1 || sequence < "\x80";
    const text = isText && utf8.decode(Uint8Array.from(sequence, (byte) => byte.charCodeAt(0)));
    if (text === "\t" || text === "\\") return escapeMark(text === "\t" ? "\\t" : "\\\\");
    // The decoder removes a byte order mark.
    if (text && !INVISIBLE.test(text)) return text;
    return [...sequence].map((byte) => escapeMark(`\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`));
  });
}

/** A text in which the parts between backquotes are code. A backquote without a partner stays. */
function prose(value) {
  return String(value).split(/(`[^`]*`)/).map((part, index) => (index % 2 ? h("code", {}, visible(part.slice(1, -1))) : visibleLines(part)));
}

const { format: grouped } = new Intl.NumberFormat("en");
const plural = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

function button(label, action, attributes = {}) {
  return h("button", { type: "button", onclick: action, ...attributes }, label);
}

/** A link that leaves the page, where the address is one of the web. */
function outside(address, label, name) {
  return /^https?:\/\//i.test(address) ? h("a", { href: address, rel: "noopener noreferrer", "aria-label": name }, label) : h("span", {}, label);
}
