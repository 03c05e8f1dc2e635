"""Adapts Google's C++ library (https://github.com/google/robotstxt), as jwm.robotstxt compiles it for Python.

The complete list of adaptations:

- The library takes bytes, and receives the file and the agent as they are. Its manual requires a percent-encoded URL of
  its caller, so the adapter percent-encodes the characters of the URL that are not ASCII.
- `OneAgentAllowedByRobots` true is "allow", false is "disallow". It parses the file again for every check.
- The line that decided is that of `matching_line`, or none where it returns 0.
- Sitemaps are the values that `ParseRobotsTxt` passes to `HandleSitemap`. The binding decodes each of them as UTF-8,
  and raises an exception where that fails.
- An exception of a check is the error of that one check. Any other is the error of the whole request. Error texts are
  cut at 500 characters.
"""

import sys
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from jwm.robotstxt.googlebot import ParseRobotsTxt, RobotsMatcher, RobotsParseHandler

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the folder of wire.py
from wire import robots_bytes, serve, verdicts  # noqa: E402


ASCII = "".join(map(chr, range(128)))


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


def encoded(url):
    return quote(url, safe=ASCII)


def match(request):
    robots = robots_bytes(request)

    def allowed(agent, url):
        matcher = RobotsMatcher()
        is_allowed = matcher.OneAgentAllowedByRobots(robots, agent, encoded(url))
        return is_allowed, matcher.matching_line() or None

    return verdicts(allowed, request)


def sitemaps(request):
    handler = Sitemaps()
    ParseRobotsTxt(robots_bytes(request), handler)
    return {"sitemaps": handler.found}


serve({"name": "google-robotstxt", "version": f"jwm.robotstxt {version('jwm.robotstxt')}", "language": "c++",
       "homepage": "https://github.com/google/robotstxt",
       "package": "jwm.robotstxt (PyPI)"},
      match=match, sitemaps=sitemaps)
