"""Adapts robotspy (https://github.com/andreburgaud/robotspy).

Every adaptation, and there is no other:

- The file goes in as bytes by the parser's own `from_uri`, which takes it line by line and decodes each line as UTF-8,
  dropping a byte order mark; only the network is replaced, by the documented hook `urllib.request.install_opener`.
  (`from_string`, which takes text, would read the same file as one string, split at LF.)
- It is not asked to fetch: what it answers where a connection is reset depends on whether the reset comes before or
  after its request is sent, which is a race.
- `can_fetch` is given the agent and the whole URL, as they are. True is "allow", false is "disallow". `sitemaps` gives
  None where there are none: an empty list.
- An exception of `from_uri` is the error of the whole request; an exception of `can_fetch` is the error of that one
  check. Error texts are cut at 500 characters.
- A lone surrogate, which no JSON text may hold, is written as "?".
"""

import base64
import io
import json
import sys
import urllib.request
from importlib.metadata import version
from types import SimpleNamespace

from robots import RobotsParser

HELLO = {"protocol": 1, "name": "robotspy", "version": version("robotspy"), "language": "python",
         "homepage": "https://github.com/andreburgaud/robotspy", "ops": ["match", "sitemaps"]}


def parse(request):
    if "robots_base64" in request:
        body = base64.b64decode(request["robots_base64"])
    else:
        body = request["robots"].encode()
    urllib.request.install_opener(SimpleNamespace(open=lambda url, data, timeout: io.BytesIO(body)))
    return RobotsParser.from_uri("http://example.com/robots.txt")


def error(exception):
    return {"error": f"{type(exception).__name__}: {exception}"[:500]}


def verdict(parser, check):
    try:
        return "allow" if parser.can_fetch(check["agent"], check["url"]) else "disallow"
    except Exception as exception:
        return error(exception)


def answer(request):
    op = request["op"]
    if op == "hello":
        return HELLO
    if op == "match":
        parser = parse(request)
        return {"verdicts": [verdict(parser, check) for check in request["checks"]]}
    if op == "sitemaps":
        return {"sitemaps": parse(request).sitemaps or []}
    return {"error": f"unknown op {op!r}"}


wire, sys.stdout = sys.stdout.buffer, sys.stderr  # whatever prints, the wire carries the protocol alone
for line in sys.stdin.buffer:
    reply = {"id": None}
    try:
        request = json.loads(line)
        reply["id"] = request["id"]
        reply.update(answer(request))
    except Exception as exception:
        reply.update(error(exception))
    wire.write(json.dumps(reply, ensure_ascii=False).encode(errors="replace") + b"\n")
    wire.flush()
