"""The adapter protocol for adapters in Python: one JSON object on a line for each request and each reply."""

import base64
import json
import sys


def robots_bytes(request):
    """The bytes of the robots.txt in a request."""
    if "robots_base64" in request:
        return base64.b64decode(request["robots_base64"])
    return request["robots"].encode()


def error(exception):
    return {"error": f"{type(exception).__name__}: {exception}"[:500]}


def verdict(allowed, agent, url):
    try:
        result = allowed(agent, url)
    except Exception as exception:
        return error(exception)
    is_allowed, line = result if isinstance(result, tuple) else (result, None)
    word = "allow" if is_allowed else "disallow"
    return word if line is None else {"verdict": word, "line": line}


def verdicts(allowed, request):
    """The result of `allowed(agent, url)` for each check: whether the agent may fetch the URL, or a tuple of this and the
    number of the line of the rule that decided, or None. An exception is the error of that one check."""
    return {"verdicts": [verdict(allowed, check["agent"], check["url"]) for check in request["checks"]]}


def serve(hello, **ops):
    """Answers each request with the function of its operation. An exception is the error of the whole request."""
    ops["hello"] = lambda request: {"protocol": 1, "language": "python", **hello, "ops": [op for op in ops if op != "hello"]}
    wire, sys.stdout = sys.stdout.buffer, sys.stderr  # print() of a parser must not write to the wire
    for line in sys.stdin.buffer:
        reply = {"id": None}
        try:
            request = json.loads(line)
            reply["id"] = request["id"]
            op = ops.get(request["op"])
            reply.update(op(request) if op else {"error": f"unknown op {request['op']!r}"})
        except Exception as exception:
            reply.update(error(exception))
        # A lone surrogate, which UTF-8 cannot represent, becomes "?".
        wire.write(json.dumps(reply, ensure_ascii=False).encode(errors="replace") + b"\n")
        wire.flush()
