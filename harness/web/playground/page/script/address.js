// ---- The address of the page contains the input ----

const through = (bytes, transform) => new Blob([bytes]).stream().pipeThrough(transform);

/** Compresses bytes with DEFLATE, in the Base64 of addresses (RFC 4648, section 5). */
async function packBytes(bytes) {
  const compressed = new Uint8Array(await new Response(through(bytes, new CompressionStream("deflate-raw"))).arrayBuffer());
  let binary = "";
  for (const byte of compressed) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Reads compressed bytes. Someone else may have made the address, so that the result must not fill the memory. */
async function unpackBytes(text) {
  const compressed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
  const parts = [];
  let size = 0;
  for await (const part of through(compressed, new DecompressionStream("deflate-raw"))) {
    size += part.length;
    if (size > LARGEST_FILE) throw new RangeError(`The file in the address has more than ${grouped(LARGEST_FILE)} bytes.`);
    parts.push(part);
  }
  return joined(parts);
}

/** The input as the part of an address after `#`. No character of it has a meaning in Markdown. */
async function written({ file, agent, urls, edition }) {
  const parts = new URLSearchParams({ file: await packBytes(file), agent });
  for (const url of urls) parts.append("url", url);
  if (edition !== FIRST_EDITION) parts.set("edition", edition);
  return `#${parts.toString().replaceAll("*", "%2A")}`;
}

const fitsAddress = (part) => part.length <= LONGEST_LINK;

/** A link to this input, or null where it is too long. A page on a disk has no address that others can open. */
async function linkTo(given) {
  const part = await written(given);
  const page = location.protocol === "file:" ? document.querySelector("nav [aria-current]").href : location.href.split("#")[0];
  return fitsAddress(part) ? `${page}${part}` : null;
}

/** The input in a part of an address. Null where there is none. */
async function inputOf(text) {
  const parts = new URLSearchParams(text.replace(/^#/, ""));
  if (!["file", "agent", "url"].some((key) => parts.has(key))) return null;
  let file;
  try {
    file = await unpackBytes(parts.get("file") ?? "");
  } catch (error) {
    throw error instanceof RangeError ? error : new RangeError("The address does not contain a whole file. A part of the link may be missing.");
  }
  return { file, agent: parts.get("agent") ?? "", urls: parts.getAll("url"), edition: parts.get("edition") ?? FIRST_EDITION };
}
