// ---- From the input to the answers ----

const examples = document.getElementById("examples");
examples.append(h("option", { value: "" }, "Examples"), ...EXAMPLES.map(({ name }, index) => h("option", { value: index }, name)));
examples.addEventListener("change", () => {
  const example = EXAMPLES[examples.value];
  examples.value = "";
  if (!example) return;
  setInput({ ...example, file: encoder.encode(example.file), edition: state.edition });
  changed();
});

const answers = document.getElementById("answers");
let startedAt = null;
let isOutdated = false;
let shownText = "";
let isKept = null;
/** How many inputs have been answered. The tests wait for it. */
let answered = 0;

function showSize(file, lines) {
  document.getElementById("size").textContent = `${plural(file.length, "byte")}, ${plural(lines, "line")}`;
}

/** Answers the input. While an answer is being computed, only the newest input waits. */
async function update() {
  if (startedAt !== null) {
    isOutdated = true;
    if (performance.now() - startedAt > PATIENCE) engine.stop(null);
    return;
  }
  do {
    isOutdated = false;
    startedAt = performance.now();
    await answerInput();
  } while (isOutdated);
  startedAt = null;
  answered += 1;
  document.documentElement.dataset.answered = answered;
}

function showNoAnswer() {
  shownText = "";
  for (const element of [summary, asked, groupsView, lintView]) element.replaceChildren();
  showMarks(new Map(), null);
}

let lastLint = null;

/** Returns the findings about the lines. No agent and no URL changes them. */
function lint(file, edition) {
  const isSame = lastLint?.edition === edition && lastLint.file.length === file.length && lastLint.file.every((byte, place) => byte === file[place]);
  if (isSame) return lastLint.response;
  const asked = { file, edition, response: engine.ask({ op: "lint", edition }, file) };
  asked.response.catch(() => { if (lastLint === asked) lastLint = null; });
  lastLint = asked;
  return asked.response;
}

async function answerInput() {
  const { file, agent: of, urls: all, edition } = input();
  const message = tooLarge({ file, agent: of, urls: all });
  if (message) {
    showNoAnswer();
    notify(message);
    return;
  }
  state.selected = Math.max(0, Math.min(state.selected, all.length - 1));
  const { selected } = state;
  // Until then, the answers to the previous input stay.
  const busy = setTimeout(() => {
    summary.textContent = "The answers are being computed.";
    answers.setAttribute("aria-busy", "true");
    shownText = "";
  }, 300);
  try {
    const responses = await Promise.all([engine.ask({ op: "answer", agent: of, urls: all, selected }, file), lint(file, edition)]);
    clearTimeout(busy);
    // Not every change of the input changes the answer.
    const shown = JSON.stringify([responses, all, selected]);
    if (shown === shownText) return;
    const [answer, linted] = responses.map((response) => JSON.parse(response));
    for (const { error } of [answer, linted]) if (error) throw new Error(error);
    notices.replaceChildren();
    showSize(file, answer.lines);
    showAnswer(answer, linted, all);
    shownText = shown;
  } catch (error) {
    // A newer input has replaced this one.
    if (error === null) return;
    showNoAnswer();
    notify(error.message);
  } finally {
    clearTimeout(busy);
    answers.removeAttribute("aria-busy");
  }
}

/** Where an input is kept that is too large for the address, until the tab is closed. */
const SESSION = "robotspec-input";

/** Keeps an input for the session, or nothing. Returns whether the browser does so. */
function keepForSession(part) {
  try {
    if (part) sessionStorage.setItem(SESSION, part);
    else sessionStorage.removeItem(SESSION);
    return Boolean(part);
  } catch {
    return false;
  }
}

function keptForSession() {
  try { return sessionStorage.getItem(SESSION) ?? ""; } catch { return ""; }
}

/** Keeps the input in the address. Browsers limit how often it may change. */
function keep() {
  delete document.documentElement.dataset.kept;
  clearTimeout(isKept);
  const timer = setTimeout(async () => {
    const now = input();
    const part = tooLarge(now) ? null : await written(now);
    if (timer !== isKept) return;
    const fits = part !== null && fitsAddress(part);
    history.replaceState(null, "", fits ? part : location.href.split("#")[0]);
    const isInSession = keepForSession(fits ? null : part);
    document.getElementById("kept").textContent = fits ? "" : `The input is too large for the address. ${isInSession ? "It is kept until this tab is closed." : "It is not kept: a reload loses it."}`;
    document.documentElement.dataset.kept = "yes";
  }, 400);
  isKept = timer;
}

function changed() {
  countRows();
  drawRows();
  urls.rows = Math.min(5, Math.max(1, urls.value.split("\n").length));
  keep();
  update();
}

/** Changes the selected URL or edition. */
function select(what) {
  Object.assign(state, what);
  changed();
}

for (const field of [text, agent, urls]) field.addEventListener("input", changed);

/** Shows the input of the address. Where it has none, the page starts with that of the session or the first example, and later keeps its own. */
async function load({ isStart }) {
  const [example] = EXAMPLES;
  let given = null;
  let mistake = null;
  try {
    given = await inputOf(location.hash) ?? (isStart ? await inputOf(keptForSession()) : null);
  } catch (error) {
    mistake = error.message;
  }
  if (given || isStart) setInput(given ?? { ...example, file: encoder.encode(example.file), edition: FIRST_EDITION });
  countRows();
  drawRows();
  urls.rows = Math.min(5, Math.max(1, urls.value.split("\n").length));
  if (given) keep();
  await update();
  if (mistake) notify(mistake);
}

// The address contains the input, so this link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  answers.focus();
});

addEventListener("hashchange", () => load({ isStart: false }));
await load({ isStart: true });
document.documentElement.classList.add("ready");
