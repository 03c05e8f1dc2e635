"""Connects a robots.txt parser to robotspec through the adapter protocol: run `robotspec run` in this folder.

Fill in `allowed`; the rest reads requests and writes replies, one line of JSON each.
"""

import base64
import json
import sys


def allowed(robots: bytes, agent: str, url: str) -> bool:
    """May `agent` (such as "FooBot") fetch `url` (such as "http://example.com/fish"), given this robots.txt?"""
    # FILL IN: call your parser. If it raises, only this check fails.
    return True


HELLO = {"protocol": 1, "name": "my-parser", "language": "python", "ops": ["match"]}


def verdict(robots, check):
    try:
        return "allow" if allowed(robots, check["agent"], check["url"]) else "disallow"
    except Exception as exception:
        return {"error": f"{type(exception).__name__}: {exception}"[:500]}


def answer(request):
    if request["op"] == "hello":
        return HELLO
    if request["op"] != "match":
        return {"error": f"unknown op {request['op']!r}"}
    # A file that is not UTF-8 is encoded in Base64.
    if "robots_base64" in request:
        robots = base64.b64decode(request["robots_base64"])
    else:
        robots = request["robots"].encode()
    return {"verdicts": [verdict(robots, check) for check in request["checks"]]}


wire, sys.stdout = sys.stdout.buffer, sys.stderr  # nothing else may print to the output of the protocol
for line in sys.stdin.buffer:
    request = json.loads(line)
    wire.write(json.dumps({"id": request["id"], **answer(request)}).encode() + b"\n")
    wire.flush()
