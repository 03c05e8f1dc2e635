// The protocol, for adapters in JavaScript: lines of JSON, a reply for each request.
'use strict';

// The robots.txt of a request.
function octets(request) {
  if ('robots_base64' in request) return Buffer.from(request.robots_base64, 'base64');
  if (typeof request.robots !== 'string') throw new TypeError('neither robots nor robots_base64');
  return Buffer.from(request.robots);
}

// A lone surrogate, which no JSON text may hold, becomes U+FFFD.
const error = (exception) => ({ error: String(exception).slice(0, 500).toWellFormed() });

function verdict(allowed, { agent, url }) {
  try {
    return allowed(agent, url) ? 'allow' : 'disallow';
  } catch (exception) {
    return error(exception);
  }
}

// What `allowed(agent, url)` says to each check; an exception is the error of that one check.
const verdicts = (allowed, request) => ({ verdicts: request.checks.map((check) => verdict(allowed, check)) });

// What names the sitemaps, as a reply.
const sitemaps = (urls) => ({ sitemaps: urls.map((url) => url.toWellFormed()) });

// Answers requests, each by the function of its op; an exception is the error of the whole request.
function serve(hello, ops) {
  async function answer(request) {
    if (request.op === 'hello') return { protocol: 1, language: 'javascript', ...hello, ops: Object.keys(ops) };
    if (!Object.hasOwn(ops, request.op)) return { error: `unknown op ${JSON.stringify(request.op)}` };
    return ops[request.op](request);
  }

  async function reply(line) {
    let id = null;
    let body;
    try {
      const request = JSON.parse(line);
      id = request.id ?? null;
      body = await answer(request);
    } catch (exception) {
      body = error(exception);
    }
    process.stdout.write(`${JSON.stringify({ id, ...body })}\n`); // to a pipe, written before it returns
  }

  // Not `readline`: that also ends a line at U+2028, which may stand unescaped in a JSON string.
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => {
    const lines = chunk.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop();
    lines.forEach(reply);
  });
  process.stdin.on('end', () => {
    if (rest) reply(rest);
  });
}

module.exports = { octets, serve, sitemaps, verdicts };
