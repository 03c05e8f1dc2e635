"""Adapts Protego (https://github.com/scrapy/protego).

Every adaptation, and there is no other:

- Protego takes text and fetches nothing. A file that is UTF-8 goes in as it is, a byte order mark included; in any
  other, what is not UTF-8 becomes U+FFFD, as `requests.get(url).text`, the way Protego's manual shows, makes it.
  (Scrapy, which uses Protego, drops those bytes and the byte order mark instead.)
- `can_fetch` true is "allow", false is "disallow"; it takes the URL before the agent. The iterator `sitemaps` becomes a
  list.
- An exception of `parse` is the error of the whole request; an exception of `can_fetch` is the error of that one
  check. Error texts are cut at 500 characters.
"""

import sys
from importlib.metadata import version
from pathlib import Path

from protego import Protego

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where the protocol is
from wire import octets, serve, verdicts  # noqa: E402


def parse(request):
    return Protego.parse(octets(request).decode(errors="replace"))


def match(request):
    parser = parse(request)
    return verdicts(lambda agent, url: parser.can_fetch(url, agent), request)


def sitemaps(request):
    return {"sitemaps": list(parse(request).sitemaps)}


serve({"name": "protego", "version": version("protego"), "homepage": "https://github.com/scrapy/protego"},
      match=match, sitemaps=sitemaps)
