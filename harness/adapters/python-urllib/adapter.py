"""Adapts `urllib.robotparser`, of the Python that runs this script.

Every adaptation, and there is no other:

- The file goes in as bytes by the parser's own `read()`, which decodes it and splits its lines as that version of
  Python does; only the network is replaced, by the documented hook `urllib.request.install_opener`.
- `fetch` is the parser's own `read()` over the network, with the default opener but no proxy. It has no time-out of its
  own, so the one of the request is set as that of all sockets. It keeps no time, and there is no "clock".
- `can_fetch` true is "allow", false is "disallow". `site_maps()` gives None where there are none: an empty list.
- An exception of `read()`, bytes that are not UTF-8 for instance, is the error of the whole request; an exception of
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

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where the protocol is
from wire import octets, serve, verdict, verdicts  # noqa: E402


def parse(request):
    body = octets(request)
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
       "homepage": "https://docs.python.org/3/library/urllib.robotparser.html"},
      match=match, sitemaps=sitemaps, fetch=fetch)
