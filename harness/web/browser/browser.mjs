// A real browser, and what the tests of both pages do with it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after } from "node:test";
import { chromium } from "playwright-core";

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 740 };
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const browser = await chromium.launch({ executablePath: process.env.ROBOTSPEC_CHROMIUM, args: ARGUMENTS });
after(() => browser.close());

/** Opens a page. The test fails at the end if the page logged an error or sent a request. */
export async function openedAt(t, address, hash, options) {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(error.stack));
  page.on("dialog", (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => { if (request.url().split("#")[0] !== address && !/^(data|blob):/.test(request.url())) complaints.push(`request: ${request.url()}`); });
  await page.mainFrame().goto(address + hash);
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  return page;
}

/** Waits until a page has read its data. */
export const ready = (page) => page.waitForFunction(() => document.documentElement.classList.contains("ready"));

/** What axe finds on a page: its impact, its rule and the elements. */
export async function findings(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations);
  return found.map(({ impact, id, nodes }) => [impact, id, ...nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`)]);
}
