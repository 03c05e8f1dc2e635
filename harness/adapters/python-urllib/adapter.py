"""Adapts `urllib.robotparser`, of the Python that runs this script.

Every adaptation, and there is no other:

- The file goes in as bytes by the parser's own `read()`, which decodes it and splits its lines as that version of
  Python does; only the network is replaced, by the documented hook `urllib.request.install_opener`.
- `fetch` is the parser's own `read()` over the network, with the default opener but no proxy. It has no time-out of its
  own, so the one of the request is set as that of all sockets. It keeps no time, and there is no "clock".
- `can_fetch` true is "allow", false is "disallow". `site_maps()` gives None where there are none: an empty list.
- An exception of `read()`, bytes that are not UTF-8 for instance, is the error of the whole request; an exception of
  `can_fetch` is the error of that one check. Error texts are cut at 500 characters.
- A lone surrogate, which no JSON text may hold, is written as "?".
"""

import base64
import io
import json
import platform
import socket
import sys
import urllib.request
from types import SimpleNamespace
from urllib.parse import urljoin
from urllib.robotparser import RobotFileParser

HELLO = {"protocol": 1, "name": "urllib.robotparser", "version": platform.python_version(), "language": "python",
         "homepage": "https://docs.python.org/3/library/urllib.robotparser.html", "ops": ["match", "sitemaps", "fetch"]}


def parse(request):
    if "robots_base64" in request:
        body = base64.b64decode(request["robots_base64"])
    else:
        body = request["robots"].encode()
    urllib.request.install_opener(SimpleNamespace(open=lambda url, data, timeout: io.BytesIO(body)))
    parser = RobotFileParser("http://example.com/robots.txt")
    parser.read()
    return parser


def fetch(request):
    socket.setdefaulttimeout(request["timeout_ms"] / 1000)
    urllib.request.install_opener(urllib.request.build_opener(urllib.request.ProxyHandler({})))
    parser = RobotFileParser(urljoin(request["urls"][0], "/robots.txt"))
    parser.read()
    return parser


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
        return {"sitemaps": parse(request).site_maps() or []}
    if op == "fetch":
        parser = fetch(request)
        return {"verdicts": [verdict(parser, {"agent": request["agent"], "url": url}) for url in request["urls"]]}
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
