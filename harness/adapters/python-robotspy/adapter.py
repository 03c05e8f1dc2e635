"""Adapts robotspy (https://github.com/andreburgaud/robotspy).

The complete list of adaptations:

- The file is passed as bytes through the parser's own `from_uri`, which reads it line by line, decodes each line as
  UTF-8 and removes a byte order mark. Only the network is replaced, by the documented hook
  `urllib.request.install_opener`. (`from_string`, which takes text, would split the file at LF.)
- There is no operation "fetch": the answer after a connection is reset depends on whether the reset arrives before or
  after the request is sent, which is a race.
- `can_fetch` receives the agent and the whole URL as they are. True is "allow", false is "disallow". `sitemaps` returns
  None where there are none: an empty list.
- An exception of `from_uri` is the error of the whole request. An exception of `can_fetch` is the error of that one
  check. Error texts are cut at 500 characters.
"""

import io
import sys
import urllib.request
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

from robots import RobotsParser

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the folder of wire.py
from wire import robots_bytes, serve, verdicts  # noqa: E402


def parse(request):
    body = robots_bytes(request)
    urllib.request.install_opener(SimpleNamespace(open=lambda url, data, timeout: io.BytesIO(body)))
    return RobotsParser.from_uri("http://example.com/robots.txt")


def match(request):
    return verdicts(parse(request).can_fetch, request)


def sitemaps(request):
    return {"sitemaps": parse(request).sitemaps or []}


serve({"name": "robotspy", "version": version("robotspy"), "homepage": "https://github.com/andreburgaud/robotspy",
       "package": "robotspy (PyPI)"},
      match=match, sitemaps=sitemaps)
