// ---- Copies of the input for others ----

const dialog = document.getElementById("copied");
const copiedText = document.getElementById("copied-text");

const COPIES = {
  link: { title: "A link to this input", make: async () => {
    const link = await linkTo(input());
    if (!link) throw new RangeError(`The file is too large for a link: an address has at most ${grouped(LONGEST_LINK)} characters. Send the file itself.`);
    return link;
  } },
  case: { title: "A file of cases", make: async () => {
    const { file, agent, urls, edition } = input();
    return copied({ op: "case", agent, url: urls[state.selected] ?? "", edition }, file);
  } },
  issue: { title: "Markdown for an issue", make: async () => {
    const now = input();
    const { file, agent, urls } = now;
    const url = urls[state.selected] ?? "";
    return copied({ op: "issue", agent, url, link: await linkTo({ ...now, urls: [url] }) }, file);
  } },
};

async function copied(head, file) {
  const response = JSON.parse(await engine.ask(head, file));
  if (response.error) throw new RangeError(response.error);
  return response.text;
}

async function copy(what) {
  const { title: name, make } = COPIES[what];
  let made;
  try {
    const message = tooLarge(input());
    if (message) throw new RangeError(message);
    made = await make();
  } catch (error) {
    // A newer input has stopped the worker.
    if (error) notify(error.message);
    return;
  }
  document.getElementById("copied-title").textContent = name;
  copiedText.value = made;
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(made);
  } catch {
    // A page that was opened as a file may not use the clipboard.
    isCopied = false;
  }
  document.getElementById("copied-status").textContent = isCopied ? "This text is on the clipboard." : "This text is selected. Copy it with the keys of your system.";
  dialog.showModal();
  copiedText.focus();
  copiedText.select();
  copiedText.scrollTop = 0;
}

for (const element of document.querySelectorAll("[data-copy]")) element.addEventListener("click", () => copy(element.dataset.copy));
document.getElementById("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", ({ target }) => { if (target === dialog) dialog.close(); });
