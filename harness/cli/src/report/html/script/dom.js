// ---- Elements. Text is only ever set as text, never read as HTML ----

/** An element with attributes, listeners (`onclick`) and children. */
function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Controls, what has no width, and what turns the direction of text. Line ends and tabs are among them.
const INVISIBLE = /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb]/u;
const ESCAPE = /\\(?:x[0-9a-f]{2}|[nrt\\])/;

function marked(value, pattern, mark) {
  const parts = [];
  let rest = value;
  for (let found = pattern.exec(rest); found; found = pattern.exec(rest)) {
    if (found.index) parts.push(rest.slice(0, found.index));
    parts.push(h("span", { class: "escape" }, mark(found[0])));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest) parts.push(rest);
  return parts;
}

/** A text from outside, with what nobody sees made visible. */
function shown(value) {
  return marked(String(value), INVISIBLE, (found) => `\\u{${found.codePointAt(0).toString(16)}}`);
}

/** A text in which that was done already. */
function escaped(value) {
  return marked(value, ESCAPE, (found) => found);
}

/** The same, in several lines where the text has several. */
function lines(value) {
  return String(value).split("\n").flatMap((line, index) => (index ? [h("br"), ...shown(line)] : shown(line)));
}

/** An own sentence in which `code` stands between backquotes. */
function prose(value) {
  return value.split("`").map((part, index) => (index % 2 ? h("code", {}, ...shown(part)) : part));
}

function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** A link that leaves the page, where it is an address of the web. */
function outside(address, label, name) {
  return /^https?:\/\//i.test(address) ? h("a", { href: address, rel: "noopener noreferrer", "aria-label": name }, ...shown(label)) : h("span", {}, ...shown(label));
}

/** A bar of parts: how many, a class, and what they are. */
function bar(parts, label) {
  const sum = parts.reduce((total, [count]) => total + count, 0);
  const segments = parts.filter(([count]) => count).map(([count, kind]) => {
    const segment = h("span", { class: `part ${kind}` });
    segment.style.flexGrow = count;
    return segment;
  });
  const told = parts.filter(([count]) => count).map(([count, , name]) => `${count} ${name}`).join(", ");
  return h("span", { class: "bar", role: "img", "aria-label": `${label}: ${sum ? told : "nothing"}`, title: told }, segments);
}

const SCORE_PARTS = [["pass", "pass", "right"], ["new", "new", "wrong, new"], ["known", "known", "wrong, known"], ["open", "open", "left open"], ["unsupported", "unsupported", "not supported"], ["missing", "missing", "not run"]];

function scoreBar(counts, label) {
  const with_new = { ...counts, new: counts.fail - counts.known };
  return bar(SCORE_PARTS.map(([key, kind, name]) => [with_new[key], kind, name]), label);
}

/** Arrow keys, Home and End go through the links of a table, of which one alone is in the tab order. */
function roving(table) {
  const grid = () => [...table.rows].map((row) => [...row.cells].map((cell) => cell.querySelector("a,button")));
  const first = table.querySelector("tbody a, tbody button") ?? table.querySelector("a, button");
  for (const link of table.querySelectorAll("a,button")) link.tabIndex = link === first ? 0 : -1;
  table.addEventListener("focusin", ({ target }) => {
    for (const link of table.querySelectorAll('[tabindex="0"]')) link.tabIndex = -1;
    target.tabIndex = 0;
  });
  table.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0], Home: [0, -Infinity], End: [0, Infinity] };
    const move = moves[event.key];
    if (!move || event.altKey || event.metaKey) return;
    const cells = grid();
    let y = cells.findIndex((row) => row.includes(document.activeElement));
    if (y < 0) return;
    let x = cells[y].indexOf(document.activeElement);
    event.preventDefault();
    let next = null;
    if (move[1] === Infinity || move[1] === -Infinity) {
      const links = cells[y].filter(Boolean);
      next = move[1] > 0 ? links.at(-1) : links[0];
    } else {
      do {
        y += move[0];
        x += move[1];
        next = cells[y]?.[x];
      } while (!next && cells[y] && x >= 0 && x < Math.max(...cells.map((row) => row.length)));
    }
    next?.focus();
    next?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}
