// ---- The worker that answers ----

const engine = await (async () => {
  const compressed = Uint8Array.from(atob(document.getElementById("module").textContent), (byte) => byte.charCodeAt(0));
  const module = await new Response(through(compressed, new DecompressionStream("deflate-raw"))).arrayBuffer();
  const script = URL.createObjectURL(new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }));
  const waiting = new Map();
  let number = 0;
  let worker;

  function start() {
    worker = new Worker(script);
    worker.postMessage({ module });
    worker.addEventListener("message", ({ data }) => {
      const wait = waiting.get(data.number);
      waiting.delete(data.number);
      clearTimeout(wait?.timer);
      if (data.failure) wait?.reject(new Error(`There is an error in this page: ${data.failure}`));
      else wait?.resolve(data.text);
    });
  }

  /** Ends what is being computed. */
  function stop(reason) {
    worker.terminate();
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(reason);
    }
    waiting.clear();
    start();
  }

  /** Sends a request, and returns the text of the response. */
  function ask(head, file) {
    return new Promise((resolve, reject) => {
      number += 1;
      const timer = setTimeout(() => stop(new RangeError(`The answer takes more than ${LONGEST_WAIT / 1000} seconds, so that the page stopped it. Use a smaller file or fewer URLs.`)), LONGEST_WAIT);
      waiting.set(number, { resolve, reject, timer });
      worker.postMessage({ number, head, file });
    });
  }

  start();
  return { ask, stop };
})();
