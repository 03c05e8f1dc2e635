"""Adapts `urllib.robotparser` of the Python that runs this script.

The complete list of adaptations:

- The file is passed as bytes through the parser's own `read()`, which decodes it and splits its lines as this version
  of Python does. Only the network is replaced, by the documented hook `urllib.request.install_opener`.
- `fetch` is the parser's own `read()` over the network, with the default opener but without a proxy. It has no timeout
  of its own, so the timeout of the request is set for all sockets. It has no simulated time, so "clock" is missing.
- `can_fetch` true is "allow", false is "disallow". `site_maps()` returns None where there are none: an empty list.
- An exception of `read()`, for example for bytes that are not UTF-8, is the error of the whole request. An exception of
  `can_fetch` is the error of that one check. Error texts are cut at 500 characters.
"""

import io
import platform
import socket
import sys
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urljoin
from urllib.robotparser import RobotFileParser

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the folder of wire.py
from wire import robots_bytes, serve, verdict, verdicts  # noqa: E402


def parse(request):
    body = robots_bytes(request)
    urllib.request.install_opener(SimpleNamespace(open=lambda url, data, timeout: io.BytesIO(body)))
    parser = RobotFileParser("http://example.com/robots.txt")
    parser.read()
    return parser


def match(request):
    return verdicts(parse(request).can_fetch, request)


def sitemaps(request):
    return {"sitemaps": parse(request).site_maps() or []}


def fetch(request):
    socket.setdefaulttimeout(request["timeout_ms"] / 1000)
    urllib.request.install_opener(urllib.request.build_opener(urllib.request.ProxyHandler({})))
    parser = RobotFileParser(urljoin(request["urls"][0], "/robots.txt"))
    parser.read()
    return {"verdicts": [verdict(parser.can_fetch, request["agent"], url) for url in request["urls"]]}


serve({"name": "urllib.robotparser", "version": platform.python_version(),
       "homepage": "https://docs.python.org/3/library/urllib.robotparser.html",
       "package": "urllib.robotparser of Python"},
      match=match, sitemaps=sitemaps, fetch=fetch)
