"""Adapts Google's C++ library (https://github.com/google/robotstxt), as jwm.robotstxt compiles it for Python.

Every adaptation, and there is no other:

- The library takes octets, and is given them as they are. It takes the agent as it is, and the URL as it is: that the
  URL has to be percent-encoded is what its manual asks of a caller, and is not seen to here.
- `OneAgentAllowedByRobots` true is "allow", false is "disallow". It reads the file anew for every check.
- Sitemaps are the values that `ParseRobotsTxt` hands to `HandleSitemap`. The binding decodes each as UTF-8: one that is
  not raises.
- An exception of a check is the error of that one check, any other that of the whole request. Error texts are cut at
  500 characters.
- A lone surrogate, which no JSON text may hold, is written as "?".
"""

import base64
import json
import sys
from importlib.metadata import version

from jwm.robotstxt.googlebot import ParseRobotsTxt, RobotsMatcher, RobotsParseHandler

HELLO = {"protocol": 1, "name": "google-robotstxt", "version": f"jwm.robotstxt {version('jwm.robotstxt')}",
         "language": "c++", "homepage": "https://github.com/google/robotstxt", "ops": ["match", "sitemaps"]}


class Sitemaps(RobotsParseHandler):
    def __init__(self):
        super().__init__()
        self.found = []

    def HandleSitemap(self, line_num, value):
        self.found.append(value)

    def ignore(self, *_):
        pass

    HandleRobotsStart = HandleRobotsEnd = HandleUserAgent = HandleAllow = HandleDisallow = ignore
    HandleUnknownAction = ReportLineMetadata = ignore


def body(request):
    if "robots_base64" in request:
        return base64.b64decode(request["robots_base64"])
    return request["robots"].encode()


def error(exception):
    return {"error": f"{type(exception).__name__}: {exception}"[:500]}


def verdict(robots, check):
    try:
        allowed = RobotsMatcher().OneAgentAllowedByRobots(robots, check["agent"], check["url"])
        return "allow" if allowed else "disallow"
    except Exception as exception:
        return error(exception)


def answer(request):
    op = request["op"]
    if op == "hello":
        return HELLO
    if op == "match":
        robots = body(request)
        return {"verdicts": [verdict(robots, check) for check in request["checks"]]}
    if op == "sitemaps":
        handler = Sitemaps()
        ParseRobotsTxt(body(request), handler)
        return {"sitemaps": handler.found}
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
