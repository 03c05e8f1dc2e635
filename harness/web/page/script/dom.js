// ---- The parts of this page ----

/** A bar of parts, each with a count, a class and a name. */
function bar(parts, label) {
  const counted = parts.filter(([count]) => count);
  const segments = counted.map(([count, kind]) => {
    const segment = h("span", { class: `part ${kind}` });
    segment.style.flexGrow = count;
    return segment;
  });
  const summary = counted.map(([count, , name]) => `${count} ${name}`).join(", ");
  return h("span", { class: "bar", role: "img", "aria-label": `${label}: ${summary || "no rows"}`, title: summary }, segments);
}

/** A bar that is as long as a part of the whole. */
function rod(part) {
  const length = h("span", { class: "length" });
  length.style.inlineSize = `${part * 100}%`;
  return h("span", { class: "rod" }, length);
}

/** A table with one row of headings. */
function tableOf(attributes, headings, body) {
  return h("table", attributes, h("thead", {}, h("tr", {}, headings)), h("tbody", {}, body));
}

const heading = (label) => h("th", { scope: "col" }, label);

/** Finds out which tables fit their regions. All are measured before any region changes, so that nothing is laid out twice. */
const fitting = new ResizeObserver((entries) => {
  const measured = entries.map(({ target: table }) => ({
    region: table.parentElement, fits: table.offsetWidth <= table.parentElement.clientWidth,
    head: table.tHead?.offsetHeight ?? 0, side: table.querySelector("tbody th")?.offsetWidth ?? 0,
  }));
  for (const { region, fits } of measured) {
    if (region.classList.toggle("fits", fits)) region.removeAttribute("tabindex");
    else region.tabIndex = 0;
  }
  // All cells inherit these sizes. They are needed only where the focus moves, so they need not delay the next frame.
  setTimeout(() => {
    for (const { region, head, side } of measured) region.style.cssText = `--head: ${head}px; --side: ${side}px`;
  });
});

/** A region that scrolls where the table is too wide, and grows with the table where it is not. */
function scrolling(table, label, kind = "") {
  fitting.observe(table);
  return h("div", { class: `scroll ${kind}`.trim(), role: "region", "aria-label": label, tabindex: "0" }, table);
}

/** Lets the arrow keys, Home and End move between the links of a table. Only one of these links is in the tab order. */
function addArrowKeys(table) {
  const reachable = (link) => (link?.checkVisibility() ? link : null);
  const grid = () => [...table.rows].map((row) => [...row.cells].map((cell) => reachable(cell.querySelector("a,button"))));
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
    if (Math.abs(move[1]) === Infinity) {
      next = cells[y].filter(Boolean).at(move[1] > 0 ? -1 : 0);
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

/** A command, and a button that copies it. */
function command(words) {
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      // A page that was opened as a file may not use the clipboard.
      getSelection().selectAllChildren(copy.previousElementSibling);
      return;
    }
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  }, { class: "quiet", "aria-label": `Copy: ${words}` });
  return h("div", { class: "command" }, h("code", {}, visible(words)), copy);
}

/** A word, quoted for a POSIX shell. */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** An answer or an expectation, with a colour where it is one of the three rulings. */
function answerLabel(text) {
  if (text === undefined || text === null) return h("span", { class: "answer none" }, "not run");
  const kind = ["allow", "disallow", "unspecified"].includes(text) ? text : "other";
  return h("span", { class: `answer ${kind}` }, visibleLines(text));
}

/** A mark with a name, in one element, because a list has thousands of marks. */
const namedMark = (kind, name, mark) => h("span", { class: `mark ${kind}`, role: "img", "aria-label": name, title: name }, mark);

/** One mark for each result, to copy: a list has thousands of marks. */
const markOf = once((kind) => {
  if (kind === "none") return namedMark(kind, "not run", "");
  const { mark, name } = kind === "departure" ? DEPARTURE : STATUSES[kind];
  return namedMark(kind === "departure" || !STATUSES[kind].isFailure ? kind : "violation", name, mark);
});

/** A mark for the result of a row. Whether a list of known failures has a failure does not change the mark. */
const resultMark = (judgement) => markOf(isDeparture(judgement) ? "departure" : judgement?.status ?? "none").cloneNode(true);
