// The page of `robotspec report` in a real browser. The test counts the results in the events once more, and compares
// the counts with those of the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";
import { DESKTOP, PHONE, browser, findings, openedAt, ready } from "./browser.mjs";

const PAGE = pathToFileURL(process.env.ROBOTSPEC_PAGE).href;
const PICTURED = pathToFileURL(process.env.ROBOTSPEC_PICTURED).href;
const OWN = pathToFileURL(process.env.ROBOTSPEC_OWN).href;
const VIEWS = ["#matrix", "#cases", "#cases?clause=M-prefix", "#implementations", "#implementation/robotxt", "#editions", "#edition/rfc9309", "#case/path-values/fish%23exact", "#matrix?q=xyzzy", "#case/none"];

// ---- The results in the events ----

const FAILURES = ["fail", "crash", "timeout", "protocol-error", "error"];

/** By implementation and row: the judgements of each edition. */
const judged = new Map();
/** By implementation: the rewritten files, each with its variant and its judgements. */
const rewritten = new Map();

/** An answer as a text, to compare it with others. The line that decides is not compared. */
const answerOf = ({ got }) => JSON.stringify(got.answer?.decided ? { answer: { match: got.answer.decided.verdict } } : got);
for (const file of process.env.ROBOTSPEC_EVENTS.split(":")) {
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const event = JSON.parse(line);
    if (event.event !== "check-finished") continue;
    const [id, variant] = event.id.split(/~(?=[a-z-]+$)/);
    if (variant) {
      rewritten.set(event.implementation, [...rewritten.get(event.implementation) ?? [], { id, variant, editions: event.editions }]);
      continue;
    }
    if (!judged.has(event.implementation)) judged.set(event.implementation, new Map());
    judged.get(event.implementation).set(event.id, event);
  }
}

/** The rows for which some of these implementations have such a judgement. */
function rowsWith(edition, has, names = [...judged.keys()]) {
  const rows = new Set();
  for (const name of names) {
    for (const [id, event] of judged.get(name)) if (event.editions[edition] && has(event.editions[edition], event)) rows.add(id);
  }
  return rows;
}

// ---- The browser ----

/** Waits until the page shows all of the view of its address. */
const settled = async (page) => {
  await page.evaluate(() => new Promise((done) => { setTimeout(() => requestAnimationFrame(() => done())); }));
  await ready(page);
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
};

/** Lets these actions end when the page shows what they lead to. */
function settleAfter(prototype, names, pageOf, arrived = async (_, act) => act()) {
  for (const name of names) {
    const act = prototype[name];
    prototype[name] = async function settling(...given) {
      const result = await arrived(pageOf(this), () => act.apply(this, given), this);
      await settled(pageOf(this));
      return result;
    };
  }
}

/** Goes to an address. Where that is another view of the same page, the page hears of it after the browser is there. */
async function heardOf(page, goes) {
  const [document, fragment] = page.url().split("#");
  await page.evaluate(() => { window.heard = new Promise((done) => { addEventListener("hashchange", done, { once: true }); }); });
  const result = await goes();
  const [newDocument, newFragment] = page.url().split("#");
  if (newDocument === document && newFragment !== fragment) await page.evaluate(async () => { await window.heard; });
  return result;
}

const blank = await browser.newPage();
settleAfter(Object.getPrototypeOf(blank), ["goto", "goBack"], (page) => page, heardOf);
settleAfter(Object.getPrototypeOf(blank), ["reload"], (page) => page);
settleAfter(Object.getPrototypeOf(blank.locator("body")), ["click"], (locator) => locator.page(), clicked);
settleAfter(Object.getPrototypeOf(blank.locator("body")), ["check", "uncheck", "fill", "selectOption"], (locator) => locator.page());
await blank.close();

/** Opens the page, and waits until it shows the view. */
async function opened(t, hash = "", { page: address = PAGE, ...options } = {}) {
  const page = await openedAt(t, address, hash, options);
  if (options.javaScriptEnabled !== false) await settled(page);
  return page;
}

/** Clicks where the page has scrolled to: lines that come into sight get their height then, and move what is below them. */
async function clicked(page, clicks, locator) {
  await locator.scrollIntoViewIfNeeded();
  await settled(page);
  return clicks();
}

/** The number of rows that the page says it shows. */
async function rowsShown(page) {
  const says = await page.locator("#count").textContent();
  return Number(/([\d,]+) rows?$/.exec(says)[1].replaceAll(",", ""));
}

// ---- The first view ----

test("the first view says what it rests on, starts with the ranking, and its matrix has every implementation", async (t) => {
  const page = await opened(t);
  assert.match(await page.title(), /^Matrix/);
  assert.equal(await page.locator("select[name=edition]").inputValue(), "rfc9309");
  const says = await page.locator(".lede").textContent();
  // The reference is not compared, and no other implementation of these runs keeps every clause.
  assert.match(says, new RegExp(`^None of ${judged.size - 1} implementations keeps every clause of RFC 9309 that applies to it\\. Results of 2026-01-01, cases of robotspec \\d`));
  const top = (selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().top);
  assert.ok(await top("table.ranking") < await top(".foundation") && await top(".foundation") < await top("#filters") && await top("#filters") < await top("table.matrix") && await top("table.matrix") < await top(".explanation"));
  const table = page.locator("table.matrix").first();
  assert.equal(await table.locator("thead th:not(.corner)").count(), judged.size);
  assert.equal(await rowsShown(page), rowsWith("rfc9309", () => true).size);
  const [, inputs] = /^([\d,]+) rows have their expected answers from the project’s cases, which are written from the text and judge the reference too\. 7 rows have their expected answers from suites that this program does not contain\. A second evaluator/.exec(await page.locator(".foundation").textContent());
  assert.equal(Number(inputs.replaceAll(",", "")) + 7, rowsWith("rfc9309", () => true).size);
});

test("a phone shows the first implementations with their results at once", async (t) => {
  const page = await opened(t, "", { viewport: PHONE });
  const line = page.locator(".ranking tbody:first-of-type tr").first();
  for (const cell of ["th a", "td:nth-child(3)", "td:nth-child(4)", "td:nth-child(5)"]) {
    const { x, y, width, height } = await line.locator(cell).boundingBox();
    assert.ok(x >= 0 && x + width <= PHONE.width && y + height <= PHONE.height, `${cell}: ${[x, y, width, height]}`);
  }
  assert.deepEqual(await page.locator(".ranking thead").first().locator("th").evaluateAll((all) => all.slice(1, 5).map(({ textContent }) => textContent)), ["Implementation", "Clauses kept", "Rows wrong", "Crashes, time-outs"]);
});

test("the first sentence names the edition with a control that stays in sight and keeps the focus", async (t) => {
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await opened(t, "", { viewport });
    assert.equal(await page.locator("h1").textContent(), "Which robots.txt parsers follow the specification?");
    const sentence = page.locator("#judge");
    const edition = sentence.getByRole("combobox", { name: "Edition" });
    assert.match(await sentence.evaluate((element) => element.firstChild.textContent), new RegExp(`^${judged.size - 1} implementations, judged by $`));
    assert.equal(await edition.evaluate(({ selectedOptions: [one] }) => one.textContent), "RFC 9309");
    await page.evaluate(() => scrollTo(0, 2500));
    const { y, x, width } = await edition.boundingBox();
    assert.ok(y >= 0 && y < 48 && x + width <= viewport.width, `${y} ${x + width}`);
    await edition.focus();
    await edition.selectOption("google-2019");
    assert.equal(await page.evaluate(() => document.activeElement.name), "edition");
    assert.match(page.url(), /edition=google-2019/);
    await page.goto(`${PAGE}#editions`);
    assert.equal(await sentence.isVisible(), false, "no view without judgements has it");
  }
});

/** Whether an edition specifies no part of the answer. */
function isUnspecified({ expected }) {
  const rulings = [expected.ruling ?? expected.governs, ...Object.values(expected.access ?? {})].filter(Boolean);
  return rulings.length > 0 && rulings.every((ruling) => ruling === "unspecified");
}

/** The clause that allows each rewriting. */
const REWRITTEN_CLAUSES = {
  crlf: "L-eol", cr: "L-eol", "no-final-newline": "L-eol", bom: "L-bom", "capital-fields": "L-field-case", spaced: "L-record", commented: "L-comment", "blank-lines": "G-blank",
  "reversed-rules": "O-order-free", "doubled-rules": "O-duplicates", "reversed-groups": "G-order", "unrelated-group": "A-one",
};

const isDeparture = ({ status, level }) => status === "fail" && level !== "must";

/** The results of an implementation in RFC 9309 by clause. A rewritten file counts for its clause where it alone fails. */
function clausesOf(name) {
  const clauses = new Map();
  const of = (clause) => clauses.get(clause) ?? clauses.set(clause, { pass: 0, violations: 0, departures: 0, other: 0, rewritten: 0 }).get(clause);
  const kindOf = (one) => (one.status === "pass" ? "pass" : !FAILURES.includes(one.status) ? "other" : isDeparture(one) ? "departures" : "violations");
  for (const { clause, editions: { rfc9309: one } } of judged.get(name).values()) if (one && (!isUnspecified(one) || FAILURES.includes(one.status))) of(clause)[kindOf(one)] += 1;
  for (const { id, variant, editions: { rfc9309: one } } of rewritten.get(name) ?? []) {
    const asWritten = judged.get(name).get(id);
    if (!one || !FAILURES.includes(one.status) || FAILURES.includes(asWritten.editions.rfc9309.status)) continue;
    const isBlamed = Object.values(asWritten.editions).some(({ status }) => FAILURES.includes(status));
    const counts = of(isBlamed ? asWritten.clause : REWRITTEN_CLAUSES[variant]);
    counts[kindOf(one)] += 1;
    counts.rewritten += 1;
  }
  return clauses;
}

/** How many clauses of RFC 9309 an implementation keeps, violates, and keeps with departures. */
function standingOf(name) {
  const all = [...clausesOf(name).values()];
  const violated = all.filter(({ violations }) => violations).length;
  const departed = all.filter(({ violations, departures }) => !violations && departures).length;
  const kept = all.filter(({ pass, violations, departures }) => (pass || departures) && !violations).length;
  return { kept, violated, departed };
}

const rankingLine = (page, name) => page.locator(".ranking tbody tr").filter({ has: page.getByRole("link", { name, exact: true }) });
const numbers = (texts) => texts.map((text) => Number(text.replaceAll(",", "")));

test("implementations are ranked by the clauses that they violate, and the reference is not ranked", async (t) => {
  const page = await opened(t, "", { page: PICTURED });
  const lines = await page.locator(".ranking tbody:first-of-type tr").evaluateAll((all) => all.map(({ cells }) => [cells[1].querySelector("a").textContent, ...[6, 7, 3].map((cell) => Number(cells[cell].firstChild.textContent.replaceAll(",", "")))]));
  assert.deepEqual(lines.map(([name]) => name).sort(), ["robotstxt", "robotxt", "texting_robots"]);
  const inOrder = lines.toSorted(([, ...a], [, ...b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  assert.deepEqual(lines, inOrder);
  const compared = page.locator(".ranking tbody.compared tr").filter({ hasText: "reference" });
  assert.equal(await compared.locator("td").first().textContent(), "", "no rank");
});

test("a clause that an implementation does not support counts neither for nor against it", async (t) => {
  const page = await opened(t);
  for (const name of ["robotxt", "robots_txt"]) {
    const { kept, violated, departed } = standingOf(name);
    assert.ok(violated > 0 && departed > 0);
    const line = rankingLine(page, name);
    // No other implementation ran the clause of the hostile content.
    assert.equal(await line.locator("td").nth(1).textContent(), `${kept} of ${kept + violated + 1}`);
    const cells = await line.locator("td").evaluateAll((all) => all.map((cell) => cell.firstChild?.textContent ?? ""));
    const failing = rowsWith("rfc9309", ({ status }) => FAILURES.includes(status), [name]).size;
    assert.deepEqual(numbers([cells[4], cells[5], cells[2]]), [violated, departed, failing]);
    const passing = rowsWith("rfc9309", (one) => RESULTS.pass(one) && !isUnspecified(one), [name]).size;
    assert.match(await line.locator("td").nth(2).textContent(), new RegExp(` of ${(passing + failing).toLocaleString("en")}$`));
    const inapplicable = Number(cells[6]);
    assert.ok(inapplicable > 15, "HTTP, caching and scope");
    const says = `${name}: ${kept} of ${kept + violated + 1} clauses kept, ${departed} of them with departures, ${violated} violated, 1 not decided; ${inapplicable} do not apply`;
    assert.equal(await line.locator(".standing").getAttribute("title"), says);
  }
});

test("the ranking has the share of wrong answers about real files, where an implementation was asked", async (t) => {
  const { accuracy } = JSON.parse(readFileSync(process.env.ROBOTSPEC_SEARCH, "utf8").trim().split("\n").at(-1));
  const page = await opened(t, "", { page: PICTURED });
  const headings = await page.locator(".ranking thead").first().locator("th").allTextContents();
  assert.deepEqual(headings.slice(3, 6), ["Rows wrong", "Wrong on real files", "Crashes, time-outs"]);
  for (const name of ["robotxt", "robotstxt"]) {
    const found = accuracy.find(({ edition, implementation }) => edition === "rfc9309" && implementation === name);
    const says = `${(100 * found["wrong-queries"] / found.queries).toFixed(2)} %`;
    assert.equal(await rankingLine(page, name).locator("td").nth(3).textContent(), says);
  }
  assert.ok(accuracy.some((found) => found["wrong-queries"] > 0));
  assert.equal(await rankingLine(page, "texting_robots").locator("td").nth(3).textContent(), "not asked");
});

test("an implementation that another text judges is in a table of its own, with its own results, and has a badge", async (t) => {
  const page = await opened(t, "#matrix?edition=google-2026");
  const { kept, violated } = standingOf("robots_txt");
  const others = page.getByRole("table", { name: "Implementations that other texts judge" });
  const line = others.locator("tbody tr").filter({ hasText: "robots_txt" });
  assert.equal(await line.locator("td").nth(1).textContent(), `${kept} of ${kept + violated + 1}`);
  assert.equal(await line.locator("td").last().textContent(), "rfc9309");
  assert.match(await line.locator("td").nth(4).locator("a").getAttribute("href"), /^#cases\?status=violation&impl=robots_txt$/);
  assert.equal(await page.getByRole("table", { name: "Ranking" }).getByText("robots_txt").count(), 0);
  const judges = [...judged.values()].filter((events) => [...events.values()].some(({ editions }) => editions["google-2026"])).length - 1;
  assert.match(await page.locator("#judge").textContent(), new RegExp(`^${judges} implementations?, judged by `));
  await page.goto(`${PAGE}#implementation/robots_txt`);
  assert.equal(await page.locator(".badge code").textContent(), `[![robots.txt, rfc9309: ${kept} of ${kept + violated + 1} clauses](https://img.shields.io/badge/robots.txt-rfc9309%3A%20${kept}%20of%20${kept + violated + 1}%20clauses-yellow)](https://github.com/robotspec/robotspec)`);
});

test("an implementation that crashed or timed out has a mark, and its page starts with the inputs", async (t) => {
  const page = await opened(t);
  const hasCrashed = ({ editions }) => Object.values(editions).some(({ status }) => status === "crash");
  const crashed = [...judged.get("robots_txt").values(), ...rewritten.get("robots_txt")].filter(hasCrashed);
  assert.ok(crashed.some(({ variant }) => variant) && crashed.some(({ variant }) => !variant));
  const says = `crashed on ${crashed.length} inputs`;
  assert.equal(await rankingLine(page, "robots_txt").locator(".fault").getAttribute("title"), says);
  assert.equal(await rankingLine(page, "robotxt").locator(".fault").count(), 0);
  assert.equal(await page.locator("table.matrix").first().locator("thead th", { hasText: "robots_txt" }).locator(".fault .hidden").textContent(), ` ${says}`);
  await page.goto(`${PAGE}#implementations`);
  assert.deepEqual(await page.locator(".cards li .fault").evaluateAll((all) => all.map(({ title }) => title)), [says, "crashed on 1 input, timed out on 1 input"]);
  await page.getByRole("link", { name: "robots_txt", exact: true }).first().click();
  const section = page.locator("#view > :first-child");
  assert.equal(await section.locator("h2").textContent(), `Crashes: ${crashed.length} inputs`);
  const listed = await section.locator("li > a").allTextContents();
  assert.deepEqual(listed.sort(), [...new Set(crashed.map(({ id }) => id))].sort());
  assert.match(await section.locator("li").first().textContent(), /panicked: .*Also when rewritten: .*crlf/);
});

test("the failures of an implementation count rows, and rewritten files apart", async (t) => {
  const page = await opened(t, "#implementation/robots_txt");
  const clauses = [...clausesOf("robots_txt")].map(([id, { pass, violations, departures, rewritten: more }]) => [id, violations + departures - more, more, pass + violations + departures - more]);
  const listed = (list) => list.locator("li").evaluateAll((all) => all.map((item) => [item.querySelector("code").textContent, item.querySelector(".share").textContent.replace(/, .*departures?$/, "")]));
  const rows = (count, of) => `${count} of ${of} ${of === 1 ? "row" : "rows"}`;
  const asWritten = clauses.filter(([, failing]) => failing).map(([id, failing, more, of]) => [id, rows(failing, of) + (more ? ` (+${more.toLocaleString("en")} when rewritten)` : "")]);
  const lists = page.locator("#view .worst");
  const shown = await listed(lists.nth(0));
  assert.equal(shown.length, 12);
  assert.deepEqual([...shown, ...await listed(lists.nth(1))].sort(), asWritten.sort());
  assert.ok(asWritten.some(([, words]) => words.endsWith("when rewritten)")));
  const hostile = [...judged.keys()].find((name) => name.includes("pwned"));
  await page.goto(`${PAGE}#implementation/${encodeURIComponent(hostile)}`);
  assert.deepEqual(await listed(lists.nth(0)), [["<b>pwned</b>", "5 of 6 rows"]]);
  assert.deepEqual(await listed(lists.nth(1)), [["L-eol", "1 rewritten file"]]);
  assert.match(await lists.nth(1).locator("a").getAttribute("href"), /^#case\/pwned\/pass%23row/);
});

test("rows that fail only when they are rewritten are counted apart", async (t) => {
  const page = await opened(t);
  const rows = rewritten.get("robots_txt").filter(({ id, editions: { rfc9309: one } }) => one && FAILURES.includes(one.status) && !FAILURES.includes(judged.get("robots_txt").get(id).editions.rfc9309.status));
  const more = new Set(rows.map(({ id }) => id)).size;
  assert.ok(more > 100);
  assert.equal(await rankingLine(page, "robots_txt").locator(".more-rewritten").textContent(), ` +${more.toLocaleString("en")}`);
  assert.equal(await rankingLine(page, "robotxt").locator(".more-rewritten").count(), 0);
});

test("the stubs have the failures that the expectations of the selected edition give them", async (t) => {
  const page = await opened(t);
  for (const edition of ["rfc9309", "google-2019"]) {
    await page.locator("select[name=edition]").selectOption(edition);
    for (const [name, ruling] of [["A stub that always allows", "allow"], ["A stub that always disallows", "disallow"]]) {
      let [pass, all] = [0, 0];
      const rows = new Map([...judged.values()].flatMap((events) => [...events]));
      for (const { editions: { [edition]: one } } of rows.values()) {
        if (!one || !(one.expected === "alike" || ["allow", "disallow"].includes(one.expected.ruling))) continue;
        all += 1;
        if (one.expected === "alike" || one.expected.ruling === ruling) pass += 1;
      }
      const line = page.locator(".ranking tbody.compared tr").filter({ hasText: name });
      assert.equal(await line.locator("td").nth(2).textContent(), `${(all - pass).toLocaleString("en")} of ${all.toLocaleString("en")}`, `${edition}, ${name}`);
    }
  }
});

test("the ranking can be sorted with the keyboard", async (t) => {
  const page = await opened(t);
  const column = (index) => page.locator(".ranking tbody:first-of-type tr").evaluateAll((all, cell) => all.map((line) => Number(line.cells[cell].textContent.replaceAll(",", ""))), index);
  await page.locator(".ranking").getByRole("button", { name: "Violated" }).focus();
  await page.keyboard.press("Enter");
  const rising = await column(5);
  assert.ok(new Set(rising).size > 2);
  assert.deepEqual(rising, [...rising].sort((a, b) => a - b));
  assert.equal(await page.locator(".ranking th[aria-sort]").evaluateAll((all) => all.map((cell) => `${cell.textContent} ${cell.getAttribute("aria-sort")}`).join()), "Violated ascending");
  await page.keyboard.press("Enter");
  assert.deepEqual(await column(5), [...rising].reverse());
  assert.equal(await page.locator(".ranking th[aria-sort]").getAttribute("aria-sort"), "descending");
});

test("a cell has the number of failing rows, and leads to the rows", async (t) => {
  const page = await opened(t);
  const cell = page.getByRole("link", { name: /robots_txt, M-star: / });
  const of = [...judged.get("robots_txt").values()].filter(({ clause, editions }) => clause === "M-star" && editions.rfc9309);
  const pass = of.filter(({ editions }) => editions.rfc9309.status === "pass").length;
  const definite = of.filter(({ editions }) => ["pass", ...FAILURES].includes(editions.rfc9309.status)).length;
  assert.ok(pass > 0 && pass < definite, "some rows of the clause pass and some fail");
  assert.match(await cell.getAttribute("title"), new RegExp(`: ${pass} of ${definite} rows as expected in rfc9309`));
  const violations = of.filter(({ editions: { rfc9309: one } }) => FAILURES.includes(one.status) && !isDeparture(one)).length;
  assert.equal(await cell.locator("span").first().textContent(), String(violations));
  assert.match(await cell.getAttribute("aria-label"), new RegExp(`^${violations}: (no|partly): robots_txt, M-star: `), "it starts with what is seen");
  await cell.click();
  assert.equal(await page.locator("h1").textContent(), "M-star");
  assert.equal(await rowsShown(page), of.length);
});

test("the colour of a cell is the share of rows that fail, and departures have another shape", async (t) => {
  const page = await opened(t, "#matrix", { colorScheme: "light" });
  const cells = await page.locator("table.results").first().locator("td.violated").evaluateAll((all) => all.map((cell) => {
    const [, pass, of, violations] = /: (\d+) of (\d+) rows.*?(\d+) violations?/.exec(cell.firstChild.title) ?? [];
    return { share: violations / of, green: Number(/^oklab\(([\d.]+)/.exec(getComputedStyle(cell).backgroundColor)[1]) };
  }).filter(({ share }) => share > 0));
  const [least, most] = [Math.min(...cells.map(({ share }) => share)), Math.max(...cells.map(({ share }) => share))];
  assert.ok(cells.find(({ share }) => share === most).green < cells.find(({ share }) => share === least).green - .1, "the more fail, the darker");
  const radius = (selector) => page.locator(selector).first().evaluate((label) => Number.parseFloat(getComputedStyle(label).borderTopLeftRadius));
  assert.ok(await radius("td.departed a > span") > 10 && await radius("td.violated a > span") === 0);
  assert.match(await page.locator("td.departed a").first().getAttribute("aria-label"), /^\d+: departures: /);
});

test("a cell has a mark where the implementation crashed, and the number of rewritten files where these alone fail", async (t) => {
  const page = await opened(t);
  const marked = await page.locator("table.results").first().locator("td a:has(.fault)").evaluateAll((all) => all.map((link) => /^[^:]*: [^:]*: ([^:]*): /.exec(link.getAttribute("aria-label"))[1]));
  const crashed = [...judged.get("robots_txt").values()].filter(({ editions: { rfc9309: one } }) => one?.status === "crash");
  assert.deepEqual(marked.filter((name) => name.startsWith("robots_txt")).sort(), [...new Set(crashed.map(({ clause }) => `robots_txt, ${clause}`))].sort());
  const hostile = page.getByRole("link", { name: /^\+1: partly: .*pwned.*, L-eol: / });
  assert.equal(await hostile.locator("span").first().textContent(), "+1");
});

test("an implementation that is no better than a stub fails the clause", async (t) => {
  const page = await opened(t);
  const stub = page.getByRole("link", { name: /true \{url\}, M-prefix: / });
  assert.match(await stub.getAttribute("aria-label"), /^\d+: no: /);
  assert.match(await stub.getAttribute("title"), /no better than a stub/);
  const [full] = [...clausesOf("robotxt")].find(([, { pass, violations, departures, other }]) => pass && !violations && !departures && !other);
  assert.equal(await page.getByRole("link", { name: `yes: robotxt, ${full}: ` }).innerText(), "");
});

test("27 implementations fit a desktop, and a phone has cards", async (t) => {
  const page = await opened(t, "", { viewport: { width: 1440, height: 900 } });
  const width = await page.locator("table.results").first().evaluate((table) => {
    for (const row of table.rows) while (row.cells.length < 28) row.append(row.cells[row.cells.length - 1].cloneNode(true));
    table.style.setProperty("--columns", 27);
    table.style.setProperty("--column", "2.3rem");
    return [table.offsetWidth, table.parentElement.clientWidth, table.tHead.rows[0].cells[0].offsetWidth];
  });
  assert.ok(width[0] <= width[1] && width[2] > 250, `${width}`);
  const phone = await opened(t, "", { viewport: PHONE });
  const table = phone.locator("table.results").first();
  assert.equal(await table.locator("thead").isVisible(), false);
  assert.equal(await table.locator("td.kept").filter({ visible: true }).count(), 0);
  const card = table.locator("tr", { has: phone.getByRole("link", { name: /robots_txt, M-star: / }) });
  // What is out of sight has no visible text.
  await card.evaluate((line) => line.scrollIntoView());
  await settled(phone);
  await settled(phone);
  assert.match(await card.locator(".keeping").innerText(), /^kept by \d+ of \d+$/);
  const cell = card.getByRole("link", { name: /robots_txt, M-star: / });
  assert.equal(await cell.evaluate((link) => getComputedStyle(link, "::before").content), '"robots_txt"');
  assert.ok((await cell.boundingBox()).height >= 24);
});

// ---- Filters ----

const differ = (edition) => {
  const answers = new Map();
  for (const events of judged.values()) {
    for (const [id, { editions }] of events) {
      const one = editions[edition];
      if (one && one.status !== "not-supported") answers.set(id, (answers.get(id) ?? new Set()).add(answerOf(one)));
    }
  }
  return [...answers.values()].filter((given) => given.size > 1).length;
};

const RESULTS = {
  pass: ({ status }) => status === "pass",
  failure: ({ status }) => FAILURES.includes(status),
  new: ({ status, known }) => FAILURES.includes(status) && !known,
  known: ({ known }) => known !== undefined && known !== null,
  crash: ({ status }) => status === "crash",
  timeout: ({ status }) => status === "timeout",
  error: ({ status }) => status === "error" || status === "protocol-error",
  unspecified: ({ status }) => status === "unspecified",
  "not-supported": ({ status }) => status === "not-supported",
};

test("the result filter finds the rows with that result, in every edition", async (t) => {
  const page = await opened(t, "#cases");
  for (const edition of ["google-pre-2019", "google-2019", "google-2021", "rfc9309", "google-2026"]) {
    await page.locator("select[name=edition]").selectOption(edition);
    for (const [result, has] of Object.entries(RESULTS)) {
      await page.locator("select[name=status]").selectOption(result);
      const expected = rowsWith(edition, has).size;
      assert.equal(await rowsShown(page), expected, `${edition}, ${result}`);
      assert.equal(await page.locator(".empty").isVisible(), expected === 0);
    }
    await page.locator("select[name=status]").selectOption("differ");
    assert.equal(await rowsShown(page), differ(edition), `${edition}, answers differ`);
    await page.locator("select[name=status]").selectOption("");
  }
});

test("rows that were not run are found", async (t) => {
  const page = await opened(t, "#cases?status=not-run");
  const all = rowsWith("rfc9309", () => true);
  const everywhere = [...all].filter((id) => [...judged.values()].every((events) => events.get(id)?.editions.rfc9309 && events.get(id).editions.rfc9309.status !== "not-run"));
  assert.equal(await rowsShown(page), all.size - everywhere.length);
});

test("every kind of clause can be picked, alone and together", async (t) => {
  const page = await opened(t, "#cases");
  const of = (letters) => rowsWith("rfc9309", (_, { clause }) => letters.includes(clause[0])).size;
  const boxes = await page.locator("input[name=kind]").all();
  assert.ok(boxes.length >= 8);
  for (const box of boxes) {
    await box.check({ force: true });
    assert.equal(await rowsShown(page), of(await box.inputValue()));
    await box.uncheck({ force: true });
  }
  await page.locator("input[name=kind][value=M]").check({ force: true });
  await page.locator("input[name=kind][value=O]").check({ force: true });
  assert.equal(await rowsShown(page), of("MO"));
});

test("implementations can be picked", async (t) => {
  const page = await opened(t, "#matrix");
  await page.locator(".picker summary").click();
  await page.getByRole("button", { name: "None", exact: true }).click();
  await page.locator("input[name=impl][value=robotxt]").check();
  assert.equal(await page.locator("table.matrix").first().locator("thead th:not(.corner)").count(), 1);
  assert.match(await page.locator("#picked").textContent(), /^1 of /);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".picker").getAttribute("open"), null);
  await page.locator("nav a[data-view=cases]").click();
  await page.locator("select[name=status]").selectOption("failure");
  assert.equal(await rowsShown(page), rowsWith("rfc9309", RESULTS.failure, ["robotxt"]).size);
});

test("the search finds ids, clauses, URLs and lines of files", async (t) => {
  const page = await opened(t, "#cases");
  const found = async (words) => {
    await page.locator("input[name=q]").fill(words);
    return page.locator("table.cases tbody th a").allTextContents();
  };
  assert.ok((await found("path-values/fish#exact")).includes("path-values/fish#exact"));
  assert.ok((await found("O-longest fish")).length > 0);
  assert.ok((await found("disalow: /two")).includes("errata/typos#two"));
  assert.ok((await found("DISALOW: /TWO")).includes("errata/typos#two"), "letter case does not matter");
  assert.equal((await found("xyzzy")).length, 0);
  assert.equal(await page.locator(".empty").isVisible(), true);
  await page.getByRole("link", { name: "Show all rows" }).click();
  assert.equal(await page.locator("input[name=q]").inputValue(), "");
  assert.equal(await rowsShown(page), rowsWith("rfc9309", () => true).size);
});

test("a filter is in the address, and reset takes it away and keeps the edition", async (t) => {
  const page = await opened(t, "#cases?edition=google-2026&status=failure&kind=M&q=fish");
  assert.equal(await page.locator("select[name=edition]").inputValue(), "google-2026");
  assert.equal(await page.locator("select[name=status]").inputValue(), "failure");
  assert.equal(await page.locator("input[name=q]").inputValue(), "fish");
  assert.equal(await page.locator("input[name=kind][value=M]").isChecked(), true);
  await page.getByRole("button", { name: "Reset" }).click();
  assert.match(page.url(), /#cases\?edition=google-2026$/);
  assert.equal(await rowsShown(page), rowsWith("google-2026", () => true).size);
  await page.locator("select[name=edition]").selectOption("google-2019");
  assert.match(page.url(), /#cases\?edition=google-2019$/);
});

test("every active filter is a chip that removes it", async (t) => {
  const page = await opened(t, "#cases?edition=google-2026&status=failure&kind=M&q=fish&clause=M-prefix&impl=robotxt");
  const names = () => page.locator("#chips button").evaluateAll((all) => all.map((chip) => chip.getAttribute("aria-label").replace("Remove the filter: ", "")));
  const all = ["Search: fish", "Kind: Matching of paths", "Clause: M-prefix", "Result: Not as expected", "Implementation: robotxt"];
  assert.deepEqual(await names(), all);
  for (let left = all.length - 1; left >= 0; left -= 1) {
    await page.locator("#chips button").first().click();
    assert.deepEqual(await names(), all.slice(all.length - left));
  }
  assert.match(page.url(), /#cases\?edition=google-2026$/);
});

test("no filter is left when a case that was opened from a clause is closed", async (t) => {
  const page = await opened(t, "#matrix");
  await page.getByRole("link", { name: /robotxt, M-star: / }).click();
  await page.locator("table.cases tbody th a").first().click();
  await page.locator("#panel .cited a").first().click();
  await page.locator("table.cases tbody th a").first().click();
  await page.getByRole("button", { name: "Close" }).click();
  await page.waitForURL(/#cases/);
  assert.deepEqual(await page.locator("#chips button").evaluateAll((all) => all.map((chip) => chip.textContent)), [`Clause: ${await page.locator("h1").textContent()} ×`]);
  await page.locator("nav a[data-view=matrix]").click();
  assert.equal(await page.locator("#chips button").count(), 0);
  assert.equal(await rowsShown(page), rowsWith("rfc9309", () => true).size);
});

test("a filter for results changes no score", async (t) => {
  const page = await opened(t);
  const scores = () => page.locator(".ranking tbody, table.matrix tbody tr:not(.kind) td").evaluateAll((all) => all.map((cell) => cell.textContent));
  const before = await scores();
  await page.locator("select[name=status]").selectOption("failure");
  assert.ok(await page.locator("table.matrix").first().locator("tbody tr:visible").count() < await page.locator("table.matrix").first().locator("tbody tr").count());
  assert.deepEqual(await scores(), before);
  await page.locator("input[name=q]").fill("fish");
  assert.deepEqual(await scores(), before);
});

test("the selected edition stays in every view, and is in the address", async (t) => {
  const page = await opened(t, "#matrix?edition=google-2019");
  for (const name of ["cases", "implementations", "editions", "matrix"]) {
    await page.locator(`nav a[data-view=${name}]`).click();
    assert.match(page.url(), new RegExp(`#${name}\\?edition=google-2019$`));
    assert.match(await page.title(), /, google-2019 · robotspec report$/);
  }
  await page.locator(".ranking tbody th a").first().click();
  assert.equal(await page.locator("select[name=edition]").inputValue(), "google-2019");
  assert.match(await page.locator("#view").textContent(), /Failures in google-2019/);
});

test("going back leads to the same place in the list", async (t) => {
  const page = await opened(t, "#cases");
  await page.getByRole("button", { name: /^Show 100 more/ }).click();
  await page.evaluate(() => { document.querySelector("table.cases").tBodies[0].rows[150].scrollIntoView(); });
  await page.waitForTimeout(300);
  const place = () => page.evaluate(() => Math.round(document.querySelector("table.cases").tBodies[0].rows[150]?.getBoundingClientRect().top));
  const before = await place();
  await page.evaluate(() => document.querySelector("nav [data-view=implementations]").click());
  await settled(page);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.goBack();
  assert.ok(Math.abs(await place() - before) <= 2, `${await place()} instead of ${before}`);
});

test("the next row replaces the entry of the history", async (t) => {
  const page = await opened(t, "#cases?q=fish");
  await page.locator("table.cases tbody th a").first().click();
  const length = await page.evaluate(() => history.length);
  const title = await page.locator("#panel h2").textContent();
  await page.getByRole("link", { name: "Next row" }).click();
  await page.getByRole("link", { name: "Next row" }).click();
  assert.notEqual(await page.locator("#panel h2").textContent(), title);
  assert.equal(await page.evaluate(() => history.length), length);
  await page.goBack();
  await page.waitForURL(/#cases\?q=fish$/);
});

test("unknown names in the address are reported, also that of a row", async (t) => {
  const page = await opened(t, "#case/no/such%23row");
  assert.match(await page.locator("#panel").textContent(), /no row no\/such#row/);
  await page.goto(`${PAGE}#matrix?edition=rfc1&impl=nope,robotxt`);
  assert.deepEqual(await page.locator("#notices p").allTextContents(), ["These results have no implementation nope.", "These results have no edition rfc1."]);
  assert.equal(await page.locator("table.matrix").first().locator("thead th:not(.corner)").count(), 1);
  for (const [hash, says] of [["#toString/a", "This page has no view toString."], ["#matrix", ""], ["#f%20oo", "This page has no view f oo."], ["#matrix?run=2020-01-01T00:00:00Z", /of the run of 2026-01-01T00:00:00Z\. The address names the run of 2020-01-01T00:00:00Z\.$/]]) {
    await page.goto(`${PAGE}${hash}`);
    assert.match(await page.locator("#notices").textContent(), new RegExp(says.source ?? `^${says}$`), hash);
    assert.match(await page.title(), /^Matrix, rfc9309 /);
  }
});

test("rows without a specified answer do not count as agreement", async (t) => {
  const page = await opened(t, "#implementations");
  const both = [...judged.get("robotxt")].filter(([id, { editions: { rfc9309: one } }]) => {
    const other = judged.get("robots_txt").get(id)?.editions.rfc9309;
    return one && other && !isUnspecified(one) && [one, other].every(({ status }) => ["pass", "fail"].includes(status));
  }).length;
  const cell = page.locator('.heatmap td[title^="robotxt and robots_txt: "]');
  assert.match(await cell.getAttribute("title"), new RegExp(` of ${both.toLocaleString("en")} rows$`));
  // One names the line that decides, and the other does not.
  assert.match(await page.locator('.heatmap td[title^="robotxt and "][title*="pwned"]').getAttribute("title"), /: the same answer to 1 of 1 row$/);
  await page.goto(`${PAGE}#case/path-values/fish%23exact`);
  assert.deepEqual(await page.locator("#panel .actual > div").filter({ hasText: "pwned" }).locator(".answer").allTextContents(), ["disallow"]);
  assert.equal(await page.locator("#panel .actual > div").filter({ hasText: "pwned" }).filter({ hasText: "robotxt" }).count(), 1);
  assert.match(await page.locator("#panel .answers").first().locator("tr", { hasText: "pwned" }).textContent(), /disallow by line 2/);
});

test("a filter keeps the lines that were drawn", async (t) => {
  const page = await opened(t, "#cases?q=fish");
  await page.evaluate(() => { window.lines = new Set(document.querySelectorAll("table.cases tbody tr, .ranking tbody tr")); });
  for (const [name, value] of [["status", "pass"], ["status", ""], ["q", "fis"]]) {
    await page.evaluate(([control, to]) => {
      const { [control]: changed } = document.getElementById("filters").elements;
      changed.value = to;
      changed.dispatchEvent(new Event("input", { bubbles: true }));
    }, [name, value]);
    await settled(page);
  }
  const links = await page.locator("table.cases tbody tr").evaluateAll((all) => all.map((line) => [lines.has(line), line.querySelector("a").hash]));
  assert.ok(links.filter(([isKept]) => isKept).length > 10);
  assert.ok(links.every(([, hash]) => hash.endsWith("?q=fis")), "the links keep the filter");
});

test("cases start with those that most implementations violate, then those with most departures", async (t) => {
  const page = await opened(t, "#cases");
  const failing = (id) => {
    const failures = [...judged.values()].flatMap((events) => events.get(id)?.editions.rfc9309 ?? []).filter(({ status }) => FAILURES.includes(status));
    const departures = failures.filter(isDeparture).length;
    return 1000 * (failures.length - departures) + departures;
  };
  const shown = await page.locator("table.cases tbody th a").allTextContents();
  assert.equal(failing(shown[0]), Math.max(...[...rowsWith("rfc9309", () => true)].map(failing)));
  assert.ok(failing(shown[0]) >= 2000 && failing(shown.at(-1)) < failing(shown[0]));
  assert.deepEqual(shown, shown.toSorted((a, b) => failing(b) - failing(a)));
});

test("cases that no implementation fails are folded, and the columns are those of the ranking", async (t) => {
  const page = await opened(t, "#cases", { page: PICTURED });
  const columns = await page.locator("table.cases thead th:not(.corner):not(.expected) button").allTextContents();
  await page.goto(`${PICTURED}#matrix`);
  assert.deepEqual(await page.locator("table.results thead th a").first().evaluate((link) => [...link.closest("tr").querySelectorAll("a")].map(({ textContent }) => textContent)), columns, "in the order of the ranking");
  await page.goto(`${PICTURED}#cases`);
  const marks = () => page.locator("table.cases tbody tr").evaluateAll((all) => all.map((row) => [...row.querySelectorAll(".mark")].map(({ ariaLabel }) => ariaLabel)));
  const isFailing = (given) => given.some((name) => !["as expected", "not supported", "not specified"].includes(name));
  assert.ok((await marks()).every(isFailing));
  const [, folded] = /^([\d,]+) that no selected implementation fails, of [\d,]+ rows$/.exec(await page.locator("#count").textContent());
  assert.ok(Number(folded.replaceAll(",", "")) > 100);
  await page.goto(`${PICTURED}#cases?kind=HS`);
  assert.match(await page.locator("#count").textContent(), /^[\d,]+ rows$/, "all that is left is shown");
  const isUnsupported = (given) => given.every((name, index) => name === "not supported" || columns[index] === "reference");
  const unsupported = (await marks()).map(isUnsupported);
  assert.deepEqual([unsupported[0], unsupported.at(-1)], [false, true]);
  assert.deepEqual(unsupported, unsupported.toSorted((a, b) => a - b), "those that none supports are the last");
  await page.goto(`${PICTURED}#cases?kind=O`);
  const shown = await page.locator("table.cases tbody tr").count();
  const more = page.getByRole("button", { name: /^Show rows that no selected implementation fails: / });
  assert.ok(shown > 0);
  await more.click();
  const opening = (await marks()).slice(shown);
  assert.ok(opening.length > 0 && !opening.some(isFailing));
});

test("cases can be sorted by a column, and sorting is in the address", async (t) => {
  const page = await opened(t, "#cases?q=fish");
  const cells = (index) => page.locator("table.cases tbody tr").evaluateAll((all, cell) => all.map(({ cells }) => (cell > 1 ? cells[cell].firstElementChild.ariaLabel : cells[cell].querySelector("a, .answer").textContent)), index);
  const total = await rowsShown(page);
  await page.locator("table.cases thead").getByRole("button", { name: "Row" }).click();
  const ids = await cells(0);
  assert.deepEqual(ids, [...ids].sort());
  assert.match(page.url(), /sort=row/);
  await page.keyboard.press("Enter");
  await settled(page);
  const descending = await cells(0);
  assert.deepEqual(descending, [...descending].sort().reverse());
  assert.ok(descending[0] >= ids.at(-1));
  assert.equal(await page.locator("table.cases th[aria-sort]").getAttribute("aria-sort"), "descending");
  const names = await page.locator("table.cases thead th:not(.corner):not(.expected) button").allTextContents();
  await page.goto(`${PAGE}#cases?q=fish&sort=${encodeURIComponent("result:robots_txt")}`);
  // A crash violates what the edition requires, and nothing where it does not specify the answer.
  const same = { crash: "not as expected", "no answer, and none specified": "not specified" };
  const results = (await cells(2 + names.indexOf("robots_txt"))).map((result) => same[result] ?? result);
  const order = ["not as expected", "not as recommended", "not run", "not specified", "as expected", "not supported"];
  assert.ok(new Set(results).size > 1);
  assert.deepEqual(results, results.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  assert.equal(await rowsShown(page), total);
  await page.goto(`${PAGE}#matrix?sort=-violated`);
  assert.equal(await page.locator(".ranking th[aria-sort]").textContent(), "Violated");
});

test("a long list is shown in parts", async (t) => {
  const page = await opened(t, "#cases");
  assert.equal(await page.locator("table.cases tbody tr").count(), 100);
  await page.getByRole("button", { name: /^Show 100 more/ }).click();
  assert.equal(await page.locator("table.cases tbody tr").count(), 200);
  assert.equal(await page.evaluate(() => document.activeElement.closest("tr").rowIndex), 101);
});

// ---- A case ----

test("a link to a case opens it: file, deciding line, editions, answers, commands", async (t) => {
  const page = await opened(t, "#case/errata/typos%23two?edition=google-2019");
  const panel = page.locator("#panel");
  assert.equal(await panel.locator("h2").textContent(), "errata/typos#two");
  assert.equal(await page.locator("#notices").textContent(), "");
  assert.deepEqual(await panel.locator(".file .decides .number").allTextContents(), ["1"]);
  assert.match(await panel.locator(".facts").textContent(), /FooBot.*http:\/\/example\.com\/two/);
  const says = await panel.locator(".expectations tbody tr").evaluateAll((rows) => rows.map((row) => [row.cells[0].textContent, row.querySelector(".answer").textContent]));
  const expected = judged.get("reference").get("errata/typos#two").editions;
  const judges = Object.entries(expected).filter(([edition]) => edition !== "google-2019").map(([edition, one]) => [edition, one.expected.ruling]);
  // Editions that judge a parser only if it claims them, or if they are named.
  const others = [["koster-1994", "no expectation"], ["koster-1996", "no expectation"], ["rfc9309-aipref", expected.rfc9309.expected.ruling]];
  assert.deepEqual(Object.fromEntries(says), Object.fromEntries([...judges, ...others]));
  const robotxt = panel.locator(".answers").first().locator("tbody tr").filter({ has: page.getByRole("link", { name: "robotxt", exact: true }) });
  const given = judged.get("robotxt").get("errata/typos#two").editions["google-2019"];
  assert.equal(await robotxt.locator(".answer").first().textContent(), given.got.answer.match);
  assert.ok((await robotxt.locator(".reason").textContent()).endsWith(given.known.replaceAll("`", "")));
  const commands = await panel.locator(".command code").allTextContents();
  assert.deepEqual(commands.slice(1), ["robotspec cases show 'errata/typos#two'", "robotspec check --edition google-2019 --agent FooBot --url http://example.com/two --explain robots.txt"]);
  assert.match(commands[0], /^robotspec run \w+ --edition google-2019 --no-variants --filter 'id:errata\/typos#two'$/);
});

test("the command for a row that fails only in a variant includes the variants", async (t) => {
  const name = "robots_txt";
  const { id } = rewritten.get(name).find((one) => judged.get(name).get(one.id).editions.rfc9309?.status === "pass" && FAILURES.includes(one.editions.rfc9309.status));
  const page = await opened(t, `#case/${encodeURIComponent(id)}?edition=rfc9309&impl=${name}`);
  assert.equal(await page.locator("#panel .command code").first().textContent(), `robotspec run ${name} --edition rfc9309 --filter 'id:${id}'`);
});

test("a case starts with the verdict of the selected edition, and the other editions are folded", async (t) => {
  const page = await opened(t, "#case/errata/typos%23two?edition=google-2019");
  const panel = page.locator("#panel");
  const { expected } = judged.get("reference").get("errata/typos#two").editions["google-2019"];
  assert.equal(await panel.locator(".requirement").textContent(), `google-2019 requires ${expected.ruling}.`);
  assert.match(await panel.locator(".verdict").textContent(), /none of its 2 rules matches.*Expected.*Actual/);
  const box = (selector) => panel.locator(selector).first().evaluate((element) => { const { top, width } = element.getBoundingClientRect(); return { top, width: Math.round(width) }; });
  assert.ok((await box(".verdict")).top < (await box(".file")).top);
  assert.equal((await box(".verdict")).width, (await box(".file")).width);
  assert.equal(await panel.locator(".expectations").isVisible(), false);
  await panel.getByText("Other editions").click();
  assert.equal(await panel.locator(".expectations").isVisible(), true);
});

test("the expectations of a suite of one's own are those of its author", async (t) => {
  const page = await opened(t, "", { page: OWN });
  assert.match(await page.locator(".foundation").textContent(), /^1 row has its expected answer from shop\.yaml\. Where/);
  await page.goto(`${OWN}#case/shop/cart%23basket`);
  const panel = page.locator("#panel");
  assert.equal(await panel.locator(".requirement").textContent(), "shop.yaml expects allow in rfc9309.");
  assert.equal(await panel.locator(".verdict .reference").textContent(), "The reference answers disallow, not as the file expects.");
  const commands = await panel.locator(".command code").allTextContents();
  assert.deepEqual(commands, ["robotspec run robotxt --suite shop.yaml --edition rfc9309 --no-variants --filter 'id:shop/cart#basket'", "robotspec check --edition rfc9309 --agent FooBot --url http://example.com/cart --explain robots.txt"]);
});

test("sections link to the text of the edition", async (t) => {
  const page = await opened(t, "#case/path-values/fish%23exact?edition=rfc9309");
  const links = () => page.locator("#panel .verdict .cited small a").evaluateAll((all) => all.map((link) => [link.textContent, link.href]));
  const rfc = await links();
  assert.ok(rfc.length > 0);
  for (const [section, href] of rfc) assert.equal(href, `https://www.rfc-editor.org/rfc/rfc9309#section-${section.split(",")[0]}`);
  await page.goto(`${PAGE}#case/path-values/fish%23exact?edition=google-2026`);
  assert.deepEqual([...new Set((await links()).map(([, href]) => href))], ["https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec"]);
});

test("no text of the page is an identifier of the program or has a backquote", async (t) => {
  const page = await opened(t, "#cases?q=access/failure%23");
  const found = await page.evaluate(() => [...document.querySelectorAll("#view a")].map(({ hash }) => hash).filter((hash) => hash.startsWith("#case/")));
  assert.ok(found.length > 4);
  const others = ["#case/access/redirects%23to-not-found", "#case/errata/typos%23two", "#case/answers/byte-order-mark%23rule"];
  for (const hash of [...found.slice(0, 8), ...others]) {
    await page.evaluate((to) => { location.hash = to; }, hash);
    await settled(page);
    const text = await page.locator("#panel").evaluate((panel) => [...panel.querySelectorAll(".query, .verdict, .about, .facts, .others, .reason, .source")].map(({ textContent }) => textContent).join("\n"));
    assert.doesNotMatch(text, /after 0 h|\(relative\)|reset-at|NotFound|`/, hash);
  }
});

test("a row shows invisible bytes of its file as escapes, and links to the playground, which gets the file, the query and the edition", async (t) => {
  const page = await opened(t, "#case/answers/byte-order-mark%23rule?edition=google-2019");
  assert.deepEqual(await page.locator("#panel .file li").first().locator(".escape").allTextContents(), ["\\xef", "\\xbb", "\\xbf"]);
  const link = page.getByRole("link", { name: "Open in the playground" });
  const [address, parts] = (await link.getAttribute("href")).split("#");
  assert.equal(address, "https://robotspec.github.io/robotspec/playground.html");
  const { file, ...query } = Object.fromEntries(new URLSearchParams(parts));
  assert.deepEqual(query, { agent: "FooBot", url: "http://example.com/fish", edition: "google-2019" });
  const bytes = inflateRawSync(Buffer.from(file, "base64url"));
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  await page.goto(`${PAGE}#case/access/redirects%23to-not-found`);
  assert.equal(await link.count(), 0, "a row without a file");
});

test("closing a case leads back to where it was opened, and the back button too", async (t) => {
  const page = await opened(t, "#cases?q=fish");
  const first = page.locator("table.cases tbody th a").first();
  await first.click();
  await page.getByRole("button", { name: "Close" }).click();
  await page.waitForURL(/#cases\?q=fish$/);
  await first.click();
  await page.goBack();
  await page.locator("#panel:not([open])").waitFor({ state: "attached" });
  assert.match(page.url(), /#cases\?q=fish$/);
});

// ---- The other views ----

test("a view answers before all of it is drawn, and what is out of sight is not laid out", async (t) => {
  const page = await opened(t);
  const isLaidOut = () => page.locator("table.results").last().evaluate((table) => table.rows[1].cells[1].checkVisibility({ contentVisibilityAuto: true }));
  assert.equal(await isLaidOut(), false);
  /** Selects an edition. Returns how many cells and rows are new before the next frame, and whether more is to come. */
  const select = (edition) => page.evaluate((value) => {
    const cells = () => [...document.querySelectorAll("#view :is(td, tbody tr)")];
    const before = new Set(cells());
    const control = document.querySelector("[name=edition]");
    control.value = value;
    control.dispatchEvent(new Event("input", { bubbles: true }));
    return { cells: cells().filter((cell) => !before.has(cell) && cell.tagName === "TD").length, rows: cells().filter((cell) => !before.has(cell) && cell.tagName === "TR").length, isBusy: document.getElementById("view").ariaBusy };
  }, edition);
  assert.deepEqual(await select("google-2019"), { cells: 0, rows: 0, isBusy: "true" });
  await settled(page);
  assert.equal(await page.locator("table.results thead").first().locator("th:not(.corner)").count(), await page.locator("table.ranking tbody:not(.elsewhere) th a").count());
  await page.goto(`${PAGE}#cases`);
  const { rows, isBusy } = await select("google-2019");
  assert.ok(rows > 5 && rows < 20 && isBusy === "true", `${rows} ${isBusy}`);
  await settled(page);
  const lines = page.locator("table.cases tbody tr");
  assert.equal(await lines.count(), 100);
  assert.equal(await page.locator(".cases .mark > *").count(), 0, "a mark is one element");
  const isDrawn = (line) => line.evaluate(({ cells }) => cells[2].firstChild.checkVisibility({ contentVisibilityAuto: true }));
  assert.deepEqual([await isDrawn(lines.first()), await isDrawn(lines.last())], [true, false]);
  await lines.last().evaluate((line) => line.scrollIntoView());
  await page.waitForFunction(() => document.querySelector("table.cases tbody tr:last-child td").checkVisibility({ contentVisibilityAuto: true }));
  await page.emulateMedia({ media: "print" });
  assert.ok(await isDrawn(lines.first()), "print has all rows");
});

test("an implementation has a profile of its readings, which starts with the likely cause of its failures", async (t) => {
  const page = await opened(t, "#implementation/robotxt");
  const colon = page.locator("table.profile tbody tr").filter({ hasText: /^MissingColon/ });
  assert.equal(await colon.locator(".choice").textContent(), "accept");
  const admitted = await colon.locator("td:nth-child(n+4) .mark").evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
  const editions = await page.locator("table.profile thead th:nth-child(n+4)").allTextContents();
  assert.deepEqual(editions.filter((_, index) => admitted[index] === "not admitted"), ["google-2026"]);
  assert.equal(admitted.length, editions.length);
  await page.goto(`${PAGE}#implementations`);
  await page.getByRole("link", { name: "true {url}", exact: true }).first().click();
  assert.equal(await page.locator("#view h2").first().textContent(), "Likely cause");
  assert.match(await page.locator("#view .likely li").first().textContent(), /: [\d,]+ checks as evidence\. .* It explains [\d,]+ rows, for example [a-z0-9-]+\//);
  await page.locator("#view .likely li a").first().click();
  assert.ok(await page.locator("#panel").isVisible());
});

test("an edition lists its clauses and undecided questions", async (t) => {
  const page = await opened(t, "#edition/google-2026");
  assert.ok((await page.locator(".questions > li").count()) > 20);
  assert.ok((await page.locator(".clauses > div").count()) > 60);
});

// ---- The keyboard ----

test("everything can be reached without a pointer", async (t) => {
  const page = await opened(t, "#matrix");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the results");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement.name === "q");
  await page.keyboard.type("disallow");
  assert.match(page.url(), /q=disallow/);
  // The whole matrix is one stop; arrows move in it.
  await page.locator("table.matrix").first().locator('[tabindex="0"]').first().focus();
  await page.keyboard.press("ArrowRight");
  const cell = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.match(cell, /^([\d+,]+: )?(yes|partly|no|departures): /);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), cell);
  await page.keyboard.press("Enter");
  await page.locator("table.cases").waitFor();
  await page.locator("table.cases [tabindex='0']").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator("#panel[open]").waitFor();
  const title = await page.locator("#panel h2").textContent();
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((before) => document.querySelector("#panel h2").textContent !== before, title);
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest("#panel") !== null), true, "the focus stays in the panel");
  }
  await page.keyboard.press("Escape");
  await page.locator("#panel:not([open])").waitFor({ state: "attached" });
  await page.waitForURL(/#cases/);
});

test("what has the focus is not below the headings", async (t) => {
  for (const viewport of [DESKTOP, PHONE]) {
    const page = await opened(t, "#matrix", { viewport });
    const cells = page.locator("table.matrix").first();
    await cells.locator("tbody tr:nth-child(9) td a:visible").last().focus();
    const isHidden = () => page.evaluate(() => {
      const { activeElement: link } = document;
      const { top, left, right, bottom } = link.getBoundingClientRect();
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return top < 0 || !(link === there || link.contains(there));
    });
    await page.evaluate(() => scrollTo(0, document.querySelector("table.matrix").getBoundingClientRect().bottom + scrollY - 400));
    for (const key of [...Array(12).fill("ArrowDown"), ...Array(18).fill("ArrowUp"), ...Array(8).fill("ArrowLeft")]) {
      await page.keyboard.press(key);
      assert.equal(await isHidden(), false, `${viewport.width}, ${key}, ${await page.evaluate(() => document.activeElement.getAttribute("aria-label"))}`);
    }
  }
});

test("no table is more than one stop", async (t) => {
  const page = await opened(t, "#matrix");
  const stops = await page.locator("table.matrix").evaluateAll((tables) => tables.map((table) => table.querySelectorAll('a:not([tabindex="-1"]),button:not([tabindex="-1"])').length));
  assert.deepEqual([...new Set(stops)], [1]);
});

// ---- Hostile content ----

test("texts of other programs are inserted as text", async (t) => {
  const page = await opened(t, "#cases?q=pwned");
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  const row = page.locator("table.cases tbody th a").first();
  assert.equal(await row.textContent(), "pwned/fail#row");
  await row.click();
  const panel = await page.locator("#panel").textContent();
  assert.match(panel, /does not contain the suite of this row/);
  assert.match(panel, /\\u\{202e\}\\u\{0\}<img src=x/);
  assert.match(panel, /known failures: <b>pwned<\/b> report/);
  assert.equal(await page.locator("#panel .reason a").getAttribute("href"), "https://example.com/issues/1");
  assert.match(panel, /<\/script><script>window\.pwned=1<\/script>/);
  await page.goto(`${PAGE}#implementations`);
  const card = page.locator(".cards li").filter({ hasText: "pwned" });
  assert.equal(await card.locator('a[href^="javascript:"]').count(), 0);
  assert.equal(await page.locator("img").count(), 0);
  await card.locator("h2 a").click();
  await page.locator(".incidents").waitFor();
  assert.match(await page.locator(".incidents").textContent(), /restarted after crash: <img[^]*\(2 times\)/);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
});

// ---- Accessibility and devices ----

/** What axe finds serious on a page. */
const seriousFindings = async (page) => (await findings(page)).filter(([impact]) => ["serious", "critical"].includes(impact));

for (const scheme of ["light", "dark"]) {
  for (const [device, viewport] of Object.entries({ desktop: { width: 1440, height: 900 }, phone: PHONE })) {
    test(`axe finds nothing serious, ${scheme}, ${device}`, async (t) => {
      const page = await opened(t, "", { colorScheme: scheme, viewport, reducedMotion: "reduce" });
      for (const view of VIEWS) {
        await page.evaluate((hash) => { location.hash = hash; }, view);
        await settled(page);
        assert.deepEqual(await seriousFindings(page), [], view);
      }
    });
  }
}

test("bars and their legend keep their colours where the user chooses the colours", async (t) => {
  const page = await opened(t, "#matrix", { forcedColors: "active" });
  const colours = (where) => page.locator(where).evaluateAll((all) => [...new Set(all.map((part) => getComputedStyle(part).backgroundColor))]);
  assert.equal((await colours(".ranking .part.kept, .ranking .part.violated, .ranking .part.departed")).length, 3);
  assert.equal((await colours(".key .part.kept, .key .part.violated, .key .part.departed")).length, 3);
});

test("on a phone no text is smaller than 12 px, and nothing needs scrolling to the side", async (t) => {
  const page = await opened(t, "", { viewport: PHONE });
  for (const view of VIEWS) {
    await page.evaluate((hash) => { location.hash = hash; }, view);
    await settled(page);
    const small = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).filter((element) => {
      return Number.parseFloat(getComputedStyle(element).fontSize) < 12;
    }).map((element) => `${element.outerHTML.slice(0, 80)} ${getComputedStyle(element).fontSize}`));
    assert.deepEqual([...new Set(small)].slice(0, 5), [], view);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width, view);
    assert.equal(await page.evaluate(() => document.getElementById("panel").scrollWidth <= innerWidth), true, view);
  }
});

test("the header and the first column of the matrix stay in sight", async (t) => {
  for (const viewport of [DESKTOP, { width: 820, height: 900 }]) {
    const page = await opened(t, "#matrix", { viewport });
    const place = await page.evaluate(() => {
      const box = document.querySelector(".scroll:has(.matrix)");
      const last = [...box.querySelectorAll("tbody tr")].at(-1);
      last.lastElementChild.scrollIntoView({ block: "end", inline: "end" });
      const frame = box.classList.contains("fits") ? { top: document.getElementById("judge").getBoundingClientRect().bottom, left: box.getBoundingClientRect().left } : box.getBoundingClientRect();
      return [box.querySelector("thead th").getBoundingClientRect().top - frame.top, last.firstElementChild.getBoundingClientRect().left - frame.left];
    });
    assert.ok(place.every((away) => Math.abs(away) <= 2), `${viewport.width}: ${place}`);
  }
});

test("light and dark follow the system, or can be chosen, and the choice is kept", async (t) => {
  const page = await opened(t, "", { colorScheme: "dark" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.match(await paper(), /^rgb\(\d{2}, \d{2}, \d{2}\)$/);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await paper();
  await page.locator("#theme").click();
  assert.equal(await paper(), light);
  await page.locator("#theme").click();
  assert.notEqual(await paper(), light);
  const dark = await paper();
  await page.reload();
  assert.equal(await paper(), dark);
  assert.equal(await page.locator("#theme").textContent(), "Theme: dark");
});

test("nothing moves once the page is there", async (t) => {
  const page = await opened(t);
  const moved = await page.evaluate(() => new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 500);
  }));
  assert.ok(moved < 0.01, `moved by ${moved}`);
});

test("it prints without its controls", async (t) => {
  const page = await opened(t);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("#filters").isVisible(), false);
  assert.equal(await page.locator(".origin").isVisible(), true);
  assert.equal(await page.locator("table.matrix").first().isVisible(), true);
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector(".scroll")).overflow), "visible");
});

test("the page states what it is about and where the results come from, with links", async (t) => {
  const page = await opened(t);
  assert.match(await page.locator('meta[name="description"]').getAttribute("content"), new RegExp(`${judged.size} parsers`));
  const facts = await page.locator(".origin > div").evaluateAll((all) => Object.fromEntries(all.map((one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent])));
  assert.match(facts["Date of the results"], /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.match(facts.Command, /^robotspec report /);
  assert.match(facts.Versions, /^run by robotspec \S+, page by robotspec \S+$/);
  assert.equal(facts.Commit, "0123abc");
  const links = await page.locator("footer a").evaluateAll((all) => all.map(({ href }) => href));
  for (const link of ["https://github.com/robotspec/robotspec", "https://www.rfc-editor.org/rfc/rfc9309", "https://crates.io/crates/robotxt"]) assert.ok(links.includes(link), link);
  assert.ok(links.every((link) => /^https?:/.test(link) || link === `${PAGE}#matrix?run=${facts["Date of the results"]}`));
  assert.equal(facts["This run"], "Permalink");
  await page.getByRole("button", { name: "Where the data comes from" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Where the data comes from");
  const table = page.getByRole("region", { name: "Where the data comes from" });
  assert.ok((await table.boundingBox()).y < DESKTOP.height, "it is in sight");
  const cells = (name) => table.locator("tbody tr", { has: page.getByRole("rowheader", { name, exact: true }) }).locator("td").allTextContents();
  assert.deepEqual((await cells("robotxt")).slice(1), ["robotxt (crates.io)", "built in", "2026-01-01T00:00:00Z"]);
  assert.deepEqual((await cells("true {url}")).slice(1), ["", "true {url}", "2026-01-01T00:00:00Z"]);
});

test("each view has a title", async (t) => {
  const page = await opened(t);
  const titles = [];
  for (const view of VIEWS) {
    await page.evaluate((hash) => { location.hash = hash; }, view);
    await settled(page);
    titles.push(await page.title());
  }
  assert.equal(new Set(titles).size, titles.length - 1, `all but the search have their own: ${titles}`);
});

test("without scripts the scores are still there", async (t) => {
  const page = await opened(t, "", { javaScriptEnabled: false });
  assert.equal(await page.locator("noscript table tbody tr").count(), judged.size);
  assert.equal(await page.locator("nav, #theme").filter({ visible: true }).count(), 0, "no control without an effect");
  const pass = rowsWith("rfc9309", RESULTS.pass, ["robotxt"]).size;
  const all = pass + rowsWith("rfc9309", RESULTS.failure, ["robotxt"]).size;
  assert.match(await page.locator("noscript tr", { hasText: "robotxt" }).first().textContent(), new RegExp(`${pass} of ${all}`));
});

// ---- The pictures of the book ----

const PICTURES = { "page": "", "page-matrix": "#matrix?edition=google-2026", "page-case": "#case/path-values/star-php-end%23file?edition=rfc9309" };

for (const [name, hash] of Object.entries(PICTURES)) {
  test(`the picture ${name}`, async (t) => {
    const shown = { viewport: { width: 1200, height: 760 }, colorScheme: "light", reducedMotion: "reduce" };
    const page = await opened(t, hash, { ...shown, page: PICTURED });
    if (name === "page-matrix") await page.locator("table.matrix").first().evaluate((table) => table.scrollIntoView());
    await settled(page);
    const picture = await page.screenshot({ path: `${process.env.ROBOTSPEC_PICTURES}/${name}.png` });
    assert.ok(picture.length > 10_000, "the picture is not empty");
  });
}
