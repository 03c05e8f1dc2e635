// ---- The text field of the file, with numbers and marks. Only the rows in sight exist ----

const text = document.getElementById("text");
const rowsView = document.getElementById("rows");
const escapes = document.getElementById("escapes");

const KINDS = { error: { mark: "✗", name: "error" }, warning: { mark: "!", name: "warning" }, note: { mark: "i", name: "note" } };

/** By row: whether it decides, and the finding in it. */
let marks = new Map();
let firstLines = null;
let rowCount = 1;

/** The bytes of the file. */
const fileOf = () => (escapes.checked ? unescapeBytes(text.value) : encoder.encode(text.value));

/** Shows a file, with escapes where a text field cannot contain it. */
function setFile(bytes) {
  escapes.checked = !isPlain(bytes);
  text.value = escapes.checked ? escapeBytes(bytes) : decoded(bytes);
  text.scrollTop = 0;
  text.scrollLeft = 0;
}

escapes.addEventListener("change", () => {
  const isShown = escapes.checked;
  const bytes = isShown ? encoder.encode(text.value) : unescapeBytes(text.value);
  if (!isShown && !isPlain(bytes)) {
    escapes.checked = true;
    notify("The escapes stay: the file has bytes that a text field cannot contain or show.");
    return;
  }
  text.value = isShown ? escapeBytes(bytes) : decoded(bytes);
  changed();
});

function showMarks(of, first) {
  marks = of;
  firstLines = first;
  drawRows();
}

function drawRows() {
  const { lineHeight, paddingTop } = getComputedStyle(text);
  const [height, top] = [lineHeight, paddingTop].map(parseFloat);
  const first = Math.max(0, Math.floor((text.scrollTop - top) / height));
  const last = Math.min(rowCount, first + Math.ceil(text.clientHeight / height) + 2);
  const rows = [];
  for (let row = first; row < last; row += 1) {
    const { decides, finding } = marks.get(row) ?? {};
    const number = firstLines ? firstLines[row] ?? "" : row + 1;
    const kind = finding && KINDS[finding.kind];
    const element = h("div", { class: ["row", decides && "decides", finding?.kind].filter(Boolean).join(" "), title: finding?.reason },
      h("span", { class: "sign" }, kind?.mark), h("span", {}, number));
    element.style.insetBlockStart = `${top + row * height - text.scrollTop}px`;
    rows.push(element);
  }
  rowsView.replaceChildren(...rows);
}

function countRows() {
  // Each read of `text.value` copies the text.
  const { value } = text;
  rowCount = 1;
  for (let at = value.indexOf("\n"); at >= 0; at = value.indexOf("\n", at + 1)) rowCount += 1;
}

/** Selects a row and scrolls to it. */
function goToRow(row) {
  const { value } = text;
  let start = 0;
  for (let passed = 0; passed < row; passed += 1) start = value.indexOf("\n", start) + 1;
  const end = value.indexOf("\n", start);
  text.focus();
  text.setSelectionRange(start, end < 0 ? value.length : end);
  text.scrollTop = row * parseFloat(getComputedStyle(text).lineHeight) - text.clientHeight / 3;
  text.scrollLeft = 0;
  text.scrollIntoView({ block: "nearest" });
}

text.addEventListener("scroll", drawRows);
new ResizeObserver(drawRows).observe(text);

// ---- A file from the disk ----

const chosen = document.getElementById("chosen");
const editor = document.getElementById("editor");

async function openFile(file) {
  if (!file) return;
  const message = tooLarge({ file: { length: file.size }, agent: "", urls: [] });
  if (message) {
    notify(message);
    return;
  }
  setFile(new Uint8Array(await file.arrayBuffer()));
  changed();
}

document.getElementById("choose").addEventListener("click", () => chosen.click());
chosen.addEventListener("change", async () => {
  await openFile(chosen.files[0]);
  chosen.value = "";
});
const hasFile = ({ dataTransfer }) => dataTransfer.types.includes("Files");
addEventListener("dragover", (event) => {
  if (!hasFile(event)) return;
  event.preventDefault();
  editor.classList.add("target");
});
addEventListener("dragleave", ({ relatedTarget }) => { if (!relatedTarget) editor.classList.remove("target"); });
addEventListener("drop", (event) => {
  editor.classList.remove("target");
  if (!hasFile(event)) return;
  event.preventDefault();
  openFile(event.dataTransfer.files[0]);
});
