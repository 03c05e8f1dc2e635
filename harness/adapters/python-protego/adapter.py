"""Adapts Protego (https://github.com/scrapy/protego).

Every adaptation, and there is no other:

- Protego takes text and fetches nothing. A file that is UTF-8 goes in as it is, a byte order mark included; in any
  other, what is not UTF-8 becomes U+FFFD, as `requests.get(url).text`, the way Protego's manual shows, makes it.
  (Scrapy, which uses Protego, drops those bytes and the byte order mark instead.)
- `can_fetch` true is "allow", false is "disallow"; it takes the URL before the agent. The iterator `sitemaps` becomes a
  list.
- An exception of `parse` is the error of the whole request; an exception of `can_fetch` is the error of that one
  check. Error texts are cut at 500 characters.
- A lone surrogate, which no JSON text may hold, is written as "?".
"""

import base64
import json
import sys
from importlib.metadata import version

from protego import Protego

HELLO = {"protocol": 1, "name": "protego", "version": version("protego"), "language": "python",
         "homepage": "https://github.com/scrapy/protego", "ops": ["match", "sitemaps"]}


def parse(request):
    if "robots_base64" in request:
        return Protego.parse(base64.b64decode(request["robots_base64"]).decode(errors="replace"))
    return Protego.parse(request["robots"])


def error(exception):
    return {"error": f"{type(exception).__name__}: {exception}"[:500]}


def verdict(parser, check):
    try:
        return "allow" if parser.can_fetch(check["url"], check["agent"]) else "disallow"
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
        return {"sitemaps": list(parse(request).sitemaps)}
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
