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
"""

import io
import sys
import urllib.request
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

from robots import RobotsParser

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where the protocol is
from wire import octets, serve, verdicts  # noqa: E402


def parse(request):
    body = octets(request)
    urllib.request.install_opener(SimpleNamespace(open=lambda url, data, timeout: io.BytesIO(body)))
    return RobotsParser.from_uri("http://example.com/robots.txt")


def match(request):
    return verdicts(parse(request).can_fetch, request)


def sitemaps(request):
    return {"sitemaps": parse(request).sitemaps or []}


serve({"name": "robotspy", "version": version("robotspy"), "homepage": "https://github.com/andreburgaud/robotspy"},
      match=match, sitemaps=sitemaps)
