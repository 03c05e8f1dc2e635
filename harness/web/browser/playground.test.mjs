// The playground in a real browser. The module gives the same responses as the native program, and the page shows them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { DESKTOP, PHONE, findings, openedAt, ready } from "./browser.mjs";

const PAGE = pathToFileURL(process.env.ROBOTSPEC_PLAYGROUND).href;
const ROWS = process.env.ROBOTSPEC_ROWS;
/** The rows that one call of the browser compares. */
const CHUNK = 100;

async function opened(t, hash = "", options = {}) {
  const page = await openedAt(t, PAGE, hash, options);
  await ready(page);
  return page;
}

/** Does something that changes the input, and waits for its answer. */
async function answered(page, act) {
  const before = await page.evaluate(() => document.documentElement.dataset.answered);
  await act();
  await page.waitForFunction((number) => document.documentElement.dataset.answered !== number, before);
}

/** Waits until the address contains the newest input. */
const kept = (page) => page.waitForFunction(() => document.documentElement.dataset.kept === "yes");

/** Waits until the newest input has its answer. */
const settledAnswer = (page) => page.waitForFunction(() => !document.querySelector("[aria-busy]") && !document.getElementById("summary").textContent.startsWith("The answers are being"));

/** Fills a field with a text that is too long to be typed. */
const paste = (page, field, value) => page.locator(field).evaluate((element, text) => {
  element.value = text;
  element.dispatchEvent(new Event("input", { bubbles: true }));
}, value);

const packed = (bytes) => deflateRawSync(Buffer.from(bytes, "latin1")).toString("base64url");
const hashOf = (file, parts) => `#${new URLSearchParams([["file", packed(file)], ...parts])}`;
/** The bytes of the file in the address, each a character. */
const fileIn = (page) => inflateRawSync(Buffer.from(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("file"), "base64url")).toString("latin1");
const summary = (page) => page.locator("#summary").textContent();
const notices = (page) => page.locator("#notices").textContent();

test("the module gives the responses of the native program for every row", async (t) => {
  const page = await opened(t);
  const { files, requests } = JSON.parse(readFileSync(ROWS, "utf8"));
  assert.ok(requests.length > 1500, `${requests.length} requests`);
  await page.evaluate(async () => {
    const compressed = Uint8Array.from(atob(document.getElementById("module").textContent), (byte) => byte.charCodeAt(0));
    const module = await new Response(new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
    const script = URL.createObjectURL(new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }));
    const worker = new Worker(script);
    worker.postMessage({ module });
    globalThis.respond = (head, file) => new Promise((done) => {
      worker.addEventListener("message", ({ data }) => done(data.text ?? data.failure), { once: true });
      worker.postMessage({ number: 0, head, file });
    });
  });
  for (let start = 0; start < requests.length; start += CHUNK) {
    const chunk = requests.slice(start, start + CHUNK);
    const wanted = Object.fromEntries(chunk.map(({ file }) => [file, files[file]]));
    const different = await page.evaluate(async ([of, all]) => {
      const wrong = [];
      for (const { id, head, file, response } of all) {
        const found = await globalThis.respond(head, Uint8Array.from(atob(of[file]), (byte) => byte.charCodeAt(0)));
        if (found !== response) wrong.push({ id, head, found, response });
      }
      return wrong;
    }, [wanted, chunk]);
    assert.deepEqual(different, []);
  }
});

test("the first screen has an example with the answers of all editions, grouped, and marks", async (t) => {
  const page = await opened(t);
  assert.match(await summary(page), /^\/page\.htm: disallow in 3 editions, unspecified in 3, allow in 2$/);
  const groups = page.locator(".group");
  assert.equal(await groups.first().locator(".answer").first().textContent(), "disallow");
  assert.equal(await page.locator(".group .chip").count(), 8, "each edition once");
  assert.ok((await groups.nth(1).boundingBox()).y < DESKTOP.height);
  const marked = await page.locator(".row.decides").allTextContents();
  assert.deepEqual(marked, ["2", "3", "4"]);
  assert.deepEqual(await page.locator(".row.warning").allTextContents(), ["!8"]);
  assert.match(await page.locator("#lint h2").textContent(), /rfc9309: 1 warning, 1 note$/);
  assert.equal(new URL(page.url()).hash, "", "the address of an example that is not changed is short");
});

test("another agent asks for no other findings about the lines, and another edition does", async (t) => {
  const page = await opened(t);
  await page.evaluate(() => {
    window.ops = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message) {
      window.ops.push(message.head.op);
      postMessage.call(this, message);
    };
  });
  await answered(page, () => page.locator("#agent").fill("BarBot"));
  await answered(page, () => page.getByRole("button", { name: "koster-1994" }).press("Enter"));
  assert.deepEqual(await page.evaluate(() => window.ops), ["answer", "answer", "lint"]);
});

test("an unspecified answer has its question and what each answer to it gives", async (t) => {
  const page = await opened(t);
  const group = page.getByRole("region", { name: "unspecified in google-2019" });
  assert.match(await group.locator(".doubt").textContent(), /^WildcardPrecedence: /);
  const outcomes = await group.locator(".outcomes .answer").allTextContents();
  assert.deepEqual([...outcomes].sort(), ["allow", "disallow"]);
});

test("a clause has its words, which stay open for the next input", async (t) => {
  const page = await opened(t);
  const words = page.locator(".group").first().locator(".words");
  assert.equal(await words.locator("blockquote").first().isVisible(), false);
  await words.locator("summary").click();
  assert.match(await words.locator("blockquote").first().textContent(), /MUST/);
  await answered(page, () => page.locator("#agent").fill("BarBot"));
  assert.ok(await page.locator(".group .words[open]").count() > 0);
});

test("each key stroke changes the answer, and the address contains the input", async (t) => {
  const page = await opened(t);
  await answered(page, () => page.locator("#urls").fill("/fish\n/b"));
  await answered(page, () => page.locator("#text").fill("user-agent: *\ndisallow: /fis"));
  assert.equal(await summary(page), "/fish: disallow in all 8 editions");
  await page.locator("#text").press("End");
  await answered(page, () => page.keyboard.type("h$"));
  await page.waitForFunction(() => document.querySelector("#summary").textContent.includes(", allow in "));
  await kept(page);
  assert.equal(fileIn(page), "user-agent: *\ndisallow: /fish$");
  const again = await opened(t, new URL(page.url()).hash);
  assert.equal(await again.locator("#text").inputValue(), "user-agent: *\ndisallow: /fish$");
  assert.equal(await again.locator("#urls").inputValue(), "/fish\n/b");
  assert.equal(await summary(again), await summary(page));
});

test("a selected edition has the marks, the fate of the lines and a place in the address", async (t) => {
  const page = await opened(t);
  const chip = page.getByRole("button", { name: "koster-1994" });
  await answered(page, () => chip.press("Enter"));
  assert.equal(await chip.evaluate((element) => element === document.activeElement), true, "the focus stays");
  assert.deepEqual(await page.locator(".row.decides").allTextContents(), ["2"]);
  assert.match(await page.locator("#lint").textContent(), /by koster-1994, which has no grammar: 1 error, 1 warning, 1 note✗3allow: \/pagethe line is ignored: koster-1994 does not define the field allow/);
  await kept(page);
  const again = await opened(t, new URL(page.url()).hash);
  assert.equal(await again.locator('.chip[aria-pressed="true"]').textContent(), "koster-1994");
});

test("a selected URL has the reasons", async (t) => {
  const page = await opened(t);
  assert.deepEqual(await page.locator(".asked .cells").evaluateAll((all) => all.map((cells) => cells.textContent)), ["AA???DDD", "DDDDDDDD", "AAAAAAAA"]);
  await answered(page, () => page.locator(".asked").nth(1).press("Enter"));
  assert.equal(await summary(page), "/private/fish: disallow in all 8 editions");
  await answered(page, () => page.locator("#urls").fill("not a URL"));
  assert.match(await page.locator("#groups").textContent(), /not a URL/);
  await answered(page, () => page.locator("#urls").fill(""));
  assert.match(await summary(page), /Write a URL/);
});

test("a line of the answer is found in the file", async (t) => {
  const page = await opened(t);
  await page.locator(".group.selected .deciding .line").nth(2).click();
  const selected = await page.locator("#text").evaluate(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd));
  assert.equal(selected, "disallow: /*.htm");
});

// ---- Bytes ----

const BYTES = "\xef\xbb\xbfuser-agent: *\r\ndisallow: /\xff\\a\rallow: /b\t\x00\u00c3\u00a4\n";

test("every byte survives the address and the text field", async (t) => {
  const page = await opened(t, hashOf(BYTES, [["agent", "FooBot"], ["url", "/"]]));
  assert.equal(await page.locator("#escapes").isChecked(), true);
  assert.equal(await page.locator("#text").inputValue(), "\\xef\\xbb\\xbfuser-agent: *\\r\ndisallow: /\\xff\\\\a\\rallow: /b\\t\\x00ä\n");
  assert.deepEqual(await page.locator(".row").allTextContents(), ["1", "!2", ""], "the second row has two lines, and the third has none");
  assert.match(await page.locator("#lint").textContent(), /bytes that are not UTF-8.*byte order mark.*the grammar of rfc9309 does not derive the line/);
  await kept(page);
  assert.equal(fileIn(page), BYTES);
  await page.locator("#escapes").click();
  assert.equal(await page.locator("#escapes").isChecked(), true, "a text field cannot contain these bytes");
  assert.match(await notices(page), /escapes stay/);
});

test("escapes of visible text can be turned on and off", async (t) => {
  const page = await opened(t);
  const before = await page.locator("#text").inputValue();
  await answered(page, () => page.locator("#escapes").check());
  await answered(page, () => page.locator("#text").fill("user-agent: *\\r\ndisallow: /\\x61\\q"));
  await kept(page);
  assert.equal(fileIn(page), "user-agent: *\r\ndisallow: /a\\q");
  await answered(page, () => page.locator("#text").fill(before));
  await answered(page, () => page.locator("#escapes").uncheck());
  assert.equal(await page.locator("#text").inputValue(), before);
});

test("a dropped file is read with its bytes", async (t) => {
  const page = await opened(t);
  await answered(page, () => page.locator("#chosen").setInputFiles({ name: "robots.txt", mimeType: "text/plain", buffer: Buffer.from("user-agent: *\r\ndisallow: /a\r\n") }));
  assert.equal(await page.locator("#text").inputValue(), "user-agent: *\\r\ndisallow: /a\\r\n");
  await answered(page, () => page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["user-agent: dropped\n"], "robots.txt"));
    document.getElementById("text").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }));
  assert.equal(await page.locator("#text").inputValue(), "user-agent: dropped\n");
});

// ---- Hostile input ----

test("no text of an address becomes HTML", async (t) => {
  const html = "<img src=x onerror=alert(1)><script>alert(2)</script>\u202e";
  const page = await opened(t, hashOf(`user-agent: ${encodeURI(html)}\ndisallow: /\n${Buffer.from(html).toString("latin1")}: a\n`, [["agent", html], ["url", `/${html}`], ["url", html], ["edition", html]]));
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.match(await page.locator(".remark").first().textContent(), /<img src=x onerror=alert\(1\)>.*\\u\{202e\}/);
  await page.locator('[data-copy="issue"]').click();
  await page.locator("#copied").waitFor();
  assert.match(await page.locator("#copied-text").inputValue(), /`<img src=x/);
});

test("an address that is cut or too large has a message, and the page works", async (t) => {
  for (const [hash, message] of [
    ["#file=%%%&agent=a", /does not contain a whole file/],
    [hashOf("user-agent: *\n".repeat(50), []).slice(0, -12), /does not contain a whole file/],
    [hashOf("a".repeat((1 << 20) + 1), []), /more than 1,048,576 bytes/],
  ]) {
    const page = await opened(t, hash);
    assert.match(await notices(page), message);
    await answered(page, () => page.locator("#agent").fill("BarBot"));
    assert.equal(await notices(page), "");
    assert.match(await summary(page), /page\.htm/);
  }
});

test("every size has a bound with a message", async (t) => {
  const page = await opened(t);
  for (const [field, value, message] of [
    ["#agent", "a".repeat(1001), /agent has 1,001 characters/],
    ["#urls", "/a\n".repeat(101), /101 URLs/],
    ["#urls", `/${"a".repeat(8000)}`, /URL 1 has 8,001 characters/],
    ["#text", "#".repeat((1 << 20) + 1), /1,048,577 bytes/],
  ]) {
    const before = await page.locator(field).inputValue();
    await answered(page, () => paste(page, field, value));
    assert.match(await notices(page), message);
    assert.equal(await page.locator(".group").count(), 0);
    await answered(page, () => paste(page, field, before));
    assert.equal(await notices(page), "");
  }
});

test("a file of 512 KB is answered while the page goes on", async (t) => {
  const page = await opened(t);
  await page.evaluate(() => {
    globalThis.frames = 0;
    const count = () => { globalThis.frames += 1; requestAnimationFrame(count); };
    count();
  });
  const rule = (number) => `disallow: /folder/${number}/*.html\n`;
  const file = `user-agent: *\n${Array.from({ length: 18_000 }, (_, number) => rule(number)).join("")}`;
  assert.ok(file.length > 512 * 1024);
  await answered(page, () => paste(page, "#text", file));
  await page.locator("#text").evaluate((element) => { element.focus(); element.setSelectionRange(0, 0); });
  const before = await page.evaluate(() => globalThis.frames);
  await answered(page, () => page.keyboard.type("#"));
  assert.ok(await page.evaluate(() => globalThis.frames) > before, "frames are drawn while the worker works");
  assert.ok(await page.locator(".row").count() < 100, "only the rows in sight exist");
  await kept(page);
});

test("an input that is too large for the address is kept for the session, and no other fragment replaces it", async (t) => {
  const page = await opened(t);
  const said = page.locator("#kept");
  const file = Array.from({ length: 8_000 }, (_, number) => `disallow: /${(number * 2_654_435_761) % 4_294_967_296}`).join("\n");
  await answered(page, () => paste(page, "#text", file));
  await kept(page);
  assert.equal(new URL(page.url()).hash, "");
  assert.match(await said.textContent(), /too large for the address\. It is kept until this tab is closed\.$/);
  await page.evaluate(() => new Promise((done) => { addEventListener("hashchange", done, { once: true }); location.hash = "#no-input"; }));
  await page.locator(".skip").press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "answers");
  await settledAnswer(page);
  assert.equal(await page.locator("#text").inputValue(), file);
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("#text").inputValue(), file);
  await kept(page);
  await answered(page, () => paste(page, "#text", "#".repeat((1 << 20) + 1)));
  await kept(page);
  assert.match(await said.textContent(), /It is not kept: a reload loses it\.$/);
  await answered(page, () => paste(page, "#text", "user-agent: *\n"));
  await kept(page);
  assert.equal(await said.textContent(), "");
  await page.evaluate((hash) => new Promise((done) => { addEventListener("hashchange", done, { once: true }); location.hash = hash; }), "#file=%%%&agent=a");
  await page.waitForFunction(() => /does not contain a whole file/.test(document.getElementById("notices").textContent));
  assert.equal(await page.locator("#text").inputValue(), "user-agent: *\n", "a broken link does not replace the input");
});

test("a newer input replaces one whose answer takes long", async (t) => {
  const page = await opened(t);
  const before = await page.locator("#urls").inputValue();
  const url = (number) => `/${"a".repeat(7900)}${number}`;
  await answered(page, () => paste(page, "#urls", Array.from({ length: 100 }, (_, number) => url(number)).join("\n")));
  assert.match(await summary(page), /^\/a{59}…: allow/);
  await paste(page, "#text", `user-agent: *\n${`disallow: /${"a*".repeat(400)}b\n`.repeat(1200)}`);
  await page.waitForFunction(() => document.getElementById("summary").textContent.startsWith("The answers are being"));
  // Longer than the page waits before it gives up an old input.
  await page.waitForTimeout(2_000);
  await paste(page, "#urls", before);
  await answered(page, () => paste(page, "#text", "user-agent: *\ndisallow: /page\n"));
  await page.waitForFunction(() => document.getElementById("summary").textContent === "/page.htm: disallow in all 8 editions");
  assert.equal(await notices(page), "");
});

// ---- Copies ----

test("a link, a case and an issue are shown and copied", async (t) => {
  const page = await opened(t, "", { permissions: ["clipboard-read", "clipboard-write"] });
  for (const [what, expected] of [["link", /^https:\/\/robotspec\.github\.io\/robotspec\/playground\.html#file=.*&agent=FooBot&url=%2Fpage\.htm/], ["case", /^# .*\nsuite: new\n[^]*url: \/page\.htm/], ["issue", /^```text\n[^]*\| disallow \| rfc9309, google-2026, rfc9309-aipref \|[^]*\]\(https:\/\/robotspec\.github\.io\/robotspec\/playground\.html#file=/]]) {
    await page.locator(`[data-copy="${what}"]`).click();
    await page.locator("#copied").waitFor();
    const text = await page.locator("#copied-text").inputValue();
    assert.match(text, expected);
    const selected = await page.locator("#copied-text").evaluate(({ selectionStart, selectionEnd }) => selectionEnd - selectionStart);
    assert.equal(selected, text.length);
    await page.keyboard.press("Escape");
  }
});

// ---- For everyone ----

test("the keyboard reaches every control in the order of the page", async (t) => {
  const page = await opened(t);
  const names = [];
  for (let press = 0; press < 40; press += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => { const { activeElement: of } = document; return of === document.body ? null : of.id || of.dataset.copy || of.dataset.key || of.textContent; });
    if (name === null) break;
    names.push(name);
  }
  const expected = ["Skip to the answers", "agent", "urls", "examples", "choose", "text", "escapes", "link", "case", "issue", "url 0", "edition rfc9309"];
  assert.deepEqual(names.filter((name) => expected.includes(name)), expected);
});

for (const scheme of ["light", "dark"]) {
  for (const [device, viewport] of [["desktop", { width: 1440, height: 900 }], ["phone", PHONE]]) {
    test(`axe finds nothing, and nothing is cut off, ${scheme}, ${device}`, async (t) => {
      const page = await opened(t, "", { viewport, colorScheme: scheme });
      await page.locator(".words summary").first().click();
      for (const part of ["the page", "the dialog"]) {
        if (part === "the dialog") {
          await page.locator('[data-copy="issue"]').click();
          await page.locator("#copied").waitFor();
        }
        assert.deepEqual(await findings(page), [], part);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= viewport.width, part);
      }
    });
  }
}

test("without scripts, the page names the command", async (t) => {
  const page = await openedAt(t, PAGE, "", { javaScriptEnabled: false });
  assert.match(await page.locator("noscript").textContent(), /robotspec check --explain/);
});
