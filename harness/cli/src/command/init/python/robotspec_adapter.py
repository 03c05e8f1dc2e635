"""Connects a robots.txt parser to robotspec through the adapter protocol: run `robotspec run` in this folder.

Fill in `allowed`; the rest reads requests and writes replies, one line of JSON each.
"""

import base64
import json
import re
import sys


def allowed(robots: bytes, agent: str, url: str) -> bool:
    """May `agent` (such as "FooBot") fetch `url` (such as "http://example.com/fish"), given this robots.txt?"""
    # FILL IN: call your parser. If it raises, only this check fails.
    return True


# What `url` is made of, for a parser that wants something else. Remove what you do not need.


def robots_url(url):
    """The URL of the robots.txt."""
    return re.match("[^/]*//[^/?#]*", url)[0] + "/robots.txt"


def path(url):
    """The path and the query, without the fragment."""
    return re.sub("^[^/]*//[^/?#]*/?", "/", url).split("#")[0]


def encoded(url):
    """The URL with every byte outside ASCII percent-encoded."""
    return re.sub("[^\x00-\x7f]", lambda character: "".join(f"%{byte:02X}" for byte in character[0].encode()), url)


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
