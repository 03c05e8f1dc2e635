"""Adapts Google's C++ library (https://github.com/google/robotstxt), as jwm.robotstxt compiles it for Python.

Every adaptation, and there is no other:

- The library takes octets, and is given them as they are. It takes the agent as it is, and the URL as it is: that the
  URL has to be percent-encoded is what its manual asks of a caller, and is not seen to here.
- `OneAgentAllowedByRobots` true is "allow", false is "disallow". It reads the file anew for every check.
- Sitemaps are the values that `ParseRobotsTxt` hands to `HandleSitemap`. The binding decodes each as UTF-8: one that is
  not raises.
- An exception of a check is the error of that one check, any other that of the whole request. Error texts are cut at
  500 characters.
"""

import sys
from importlib.metadata import version
from pathlib import Path

from jwm.robotstxt.googlebot import ParseRobotsTxt, RobotsMatcher, RobotsParseHandler

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where the protocol is
from wire import octets, serve, verdicts  # noqa: E402


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


def match(request):
    robots = octets(request)
    return verdicts(lambda agent, url: RobotsMatcher().OneAgentAllowedByRobots(robots, agent, url), request)


def sitemaps(request):
    handler = Sitemaps()
    ParseRobotsTxt(octets(request), handler)
    return {"sitemaps": handler.found}


serve({"name": "google-robotstxt", "version": f"jwm.robotstxt {version('jwm.robotstxt')}", "language": "c++",
       "homepage": "https://github.com/google/robotstxt"},
      match=match, sitemaps=sitemaps)
