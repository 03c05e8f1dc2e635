"""Adapts Protego (https://github.com/scrapy/protego).

The complete list of adaptations:

- Protego takes text and fetches nothing. A file in UTF-8 is passed as it is, with its byte order mark. In any other
  file, bytes that are not UTF-8 become U+FFFD, as in `requests.get(url).text`, which Protego's manual shows. (Scrapy,
  which uses Protego, removes those bytes and the byte order mark instead.)
- `can_fetch` true is "allow", false is "disallow". It takes the URL before the agent. The iterator `sitemaps` becomes
  a list.
- An exception of `parse` is the error of the whole request. An exception of `can_fetch` is the error of that one
  check. Error texts are cut at 500 characters.
"""

import sys
from importlib.metadata import version
from pathlib import Path

from protego import Protego

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the folder of wire.py
from wire import robots_bytes, serve, verdicts  # noqa: E402


def parse(request):
    return Protego.parse(robots_bytes(request).decode(errors="replace"))


def match(request):
    parser = parse(request)
    return verdicts(lambda agent, url: parser.can_fetch(url, agent), request)


def sitemaps(request):
    return {"sitemaps": list(parse(request).sitemaps)}


serve({"name": "protego", "version": version("protego"), "homepage": "https://github.com/scrapy/protego",
       "package": "protego (PyPI)"},
      match=match, sitemaps=sitemaps)
