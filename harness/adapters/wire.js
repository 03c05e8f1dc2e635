// The adapter protocol for adapters in JavaScript: one JSON object on a line for each request and each reply.
'use strict';

// The bytes of the robots.txt in a request.
function robotsBytes(request) {
  if ('robots_base64' in request) return Buffer.from(request.robots_base64, 'base64');
  if (typeof request.robots !== 'string') throw new TypeError('neither robots nor robots_base64');
  return Buffer.from(request.robots);
}

// A lone surrogate, which UTF-8 cannot represent, becomes U+FFFD.
const error = (exception) => ({ error: String(exception).slice(0, 500).toWellFormed() });

function verdict(allowed, { agent, url }) {
  let result;
  try {
    result = allowed(agent, url);
  } catch (exception) {
    return error(exception);
  }
  const [isAllowed, line] = Array.isArray(result) ? result : [result, null];
  const word = isAllowed ? 'allow' : 'disallow';
  return line === null ? word : { verdict: word, line };
}

// The result of `allowed(agent, url)` for each check: whether the agent may fetch the URL, or an array of this and the
// number of the line of the rule that decided, or null. An exception is the error of that one check.
const verdicts = (allowed, request) => ({ verdicts: request.checks.map((check) => verdict(allowed, check)) });

// The part of a URL after the authority and before `#`, with a slash at the start if it has none.
function pathOf(url) {
  const rest = url.replace(/^[^:/?#]+:\/\/[^/?#]*/, '').replace(/#.*$/s, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

// The sitemaps as a reply.
const sitemaps = (urls) => ({ sitemaps: urls.map((url) => url.toWellFormed()) });

// Answers each request with the function of its operation. An exception is the error of the whole request.
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
    process.stdout.write(`${JSON.stringify({ id, ...body })}\n`); // synchronous for a pipe
  }

  // `readline` would also end a line at U+2028, which a JSON string may contain unescaped.
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

module.exports = { pathOf, robotsBytes, serve, sitemaps, verdicts };
