"""Adapts robotexclusionrulesparser (https://pypi.org/project/robotexclusionrulesparser/).

Every adaptation, and there is no other:

- The file goes in as bytes, which `parse` decodes as ISO 8859-1, its documented default and that of its `fetch`.
- It is not asked to fetch: its `fetch` raises for every status but 2xx, 401, 403 and 404 and for every broken
  connection, and leaves the answer to its caller.
- `is_allowed` is given the agent and the whole URL, as they are, and reads wildcards (`GYM2008`, its default). True is
  "allow", false is "disallow".
- An exception of `parse` is the error of the whole request; an exception of `is_allowed` is the error of that one
  check. Error texts are cut at 500 characters.
- A lone surrogate, which no JSON text may hold, is written as "?".
"""

import base64
import json
import sys
from importlib.metadata import version

from robotexclusionrulesparser import RobotExclusionRulesParser

HELLO = {"protocol": 1, "name": "robotexclusionrulesparser", "version": version("robotexclusionrulesparser"),
         "language": "python", "homepage": "https://pypi.org/project/robotexclusionrulesparser/",
         "ops": ["match", "sitemaps"]}


def parse(request):
    if "robots_base64" in request:
        body = base64.b64decode(request["robots_base64"])
    else:
        body = request["robots"].encode()
    parser = RobotExclusionRulesParser()
    parser.parse(body)
    return parser


def error(exception):
    return {"error": f"{type(exception).__name__}: {exception}"[:500]}


def verdict(parser, check):
    try:
        return "allow" if parser.is_allowed(check["agent"], check["url"]) else "disallow"
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
        return {"sitemaps": parse(request).sitemaps}
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
