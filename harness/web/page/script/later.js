// ---- Work after the next frame, so that the page answers at once ----

/** The work that waits, by the element that it fills: iterators. */
const waiting = new Map();

/** Does work on an element after the next frame and a delay, with a frame after each step. Until it is done, the element is marked as busy. */
function later(element, work, delay = 0) {
  waiting.set(element, work);
  element.setAttribute("aria-busy", "true");
  const afterFrame = (wait) => requestAnimationFrame(() => setTimeout(goOn, wait));
  const goOn = () => {
    if (waiting.get(element) !== work) return;
    step(element, work);
    afterFrame(0);
  };
  afterFrame(delay);
}

function step(element, work) {
  if (work.next().done) dropWork(element);
}

/** Drops the work on an element, because it is done or the element shows something else. */
function dropWork(element) {
  waiting.delete(element);
  element.removeAttribute("aria-busy");
}

/** Does all work that waits, because the whole page is needed. */
function finishWork() {
  while (waiting.size) for (const [element, work] of waiting) step(element, work);
}

addEventListener("beforeprint", finishWork);

/** Work that no view waits for: what is computed here is there when another view or edition is opened. */
function* preparations() {
  for (const row of rows) yield row.searchText ??= searchText(row);
  for (const edition of judgingEditions) {
    for (const implementation of implementations) yield tallyClauses(implementation, edition);
    yield rowOrder(implementations, edition);
    yield stubStandings(edition);
  }
}

/** Does these preparations while the page has nothing else to do. */
function prepare() {
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(() => work({ timeRemaining: () => 10 }), 50));
  const work = preparations();
  idle(function goOn(deadline) {
    let isDone = false;
    while (!isDone && deadline.timeRemaining() > 2) isDone = work.next().done;
    if (!isDone) idle(goOn);
  });
}
