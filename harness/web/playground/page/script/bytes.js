// ---- The bytes of a file as the text of a field, and back ----

const encoder = new TextEncoder();

/** The bytes as text, or null where they are not UTF-8. A byte order mark stays. */
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Whether a text field keeps these bytes, and a reader sees them. A text field changes CR and CR LF to LF. */
function isPlain(bytes) {
  const text = decoded(bytes);
  return text !== null && !INVISIBLE.test(text.replace(/[\n\t]/g, ""));
}

const hex = (byte) => `\\x${byte.toString(16).padStart(2, "0")}`;

/** The bytes as text, where a backslash starts an escape. A line feed stays a line break. */
function escapeBytes(bytes) {
  const parts = [];
  // Each character stands for a byte.
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8192) binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  for (const [sequence] of binary.matchAll(SEQUENCE)) {
    if (sequence === "\n" || /^[ -[\]-~]$/.test(sequence)) parts.push(sequence);
    else if (sequence === "\\") parts.push("\\\\");
    else if (sequence === "\t") parts.push("\\t");
    else if (sequence === "\r") parts.push("\\r");
    else {
      const of = Uint8Array.from(sequence, (byte) => byte.charCodeAt(0));
      const text = decoded(of);
      parts.push(text !== null && !INVISIBLE.test(text) ? text : [...of].map(hex).join(""));
    }
  }
  return parts.join("");
}

/** The bytes of a text with escapes. A backslash that starts no escape stands for itself. */
function unescapeBytes(text) {
  const bytes = [];
  for (const [part] of text.matchAll(/\\(?:[\\rt]|x[0-9a-fA-F]{2})|[^\\]+|\\/g)) {
    // A line feed is a line break of the field, so that rows and lines agree.
    if (part.length === 4 && part.startsWith("\\x") && part.toLowerCase() !== "\\x0a") bytes.push(Uint8Array.of(parseInt(part.slice(2), 16)));
    else bytes.push(encoder.encode({ "\\r": "\r", "\\t": "\t", "\\\\": "\\" }[part] ?? part));
  }
  return joined(bytes);
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}
