// ---- Links to the playground, which shows the file of a row in every edition ----

/** The longest address, in characters. */
const LONGEST_LINK = 32_000;

/** The address of the playground with the file and the query of a check, or null where it is too long. */
async function playgroundAddress(check, bytes) {
  const stream = new Blob([Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const compressed = new Uint8Array(await new Response(stream).arrayBuffer());
  // A file that is cut here is too long in any case.
  const file = btoa(String.fromCharCode(...compressed.subarray(0, LONGEST_LINK))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const parts = new URLSearchParams({ file, agent: check.agent ?? "*", url: check.url ?? "/", edition: currentEdition().id });
  const link = `${panel.dataset.playground}#${parts}`;
  return link.length <= LONGEST_LINK ? link : null;
}

/** A link to the playground, where a row has a file. The browser compresses the file meanwhile. */
function playgroundLink(check) {
  const bytes = check && (fileBytes(check, "robots") ?? fileBytes(check, "text"));
  if (bytes === null || bytes === undefined) return null;
  const link = h("a", { class: "button playground", rel: "noopener noreferrer", hidden: true }, "Open in the playground");
  playgroundAddress(check, bytes).then((address) => {
    if (!address) return;
    link.href = address;
    link.hidden = false;
  });
  return h("p", {}, link);
}
