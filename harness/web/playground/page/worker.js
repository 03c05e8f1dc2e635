// The worker: it answers the requests of the page, so that a large file does not block the page.

"use strict";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let loading;

/** Writes a request into the memory of the module, and reads the response there. */
function respond(module, head, file) {
  const line = encoder.encode(`${JSON.stringify(head)}\n`);
  const length = line.length + file.length;
  // The memory may grow in each call. A view of it is valid only until the next call.
  const request = module.playground_request(length) >>> 0;
  const bytes = new Uint8Array(module.memory.buffer, request, length);
  bytes.set(line);
  bytes.set(file, line.length);
  const response = module.playground_respond() >>> 0;
  const size = module.playground_response_length() >>> 0;
  return decoder.decode(new Uint8Array(module.memory.buffer, response, size));
}

addEventListener("message", async ({ data }) => {
  if (data.module) {
    loading = WebAssembly.instantiate(data.module);
    return;
  }
  try {
    const { instance } = await loading;
    postMessage({ number: data.number, text: respond(instance.exports, data.head, data.file) });
  } catch (error) {
    postMessage({ number: data.number, failure: String(error) });
  }
});
