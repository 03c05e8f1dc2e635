"""Adapts gpyrobotstxt (https://github.com/Cocon-Se/gpyrobotstxt), a port of Google's C++ library.

The complete list of adaptations:

- The library takes bytes, and receives them unchanged. It parses the file once for each check, with a new matcher.
- `one_agent_allowed_by_robots` receives the agent as it is. The original requires a percent-encoded URL of its caller,
  so the adapter percent-encodes the characters of the URL that are not ASCII. True is "allow", false is "disallow".
- The line that decided is not stated: the port has no equivalent of `matching_line`.
- Sitemaps are not supported: the matcher ignores them.
- An exception of a check is the error of that one check. Error texts are cut at 500 characters.
"""

import sys
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from gpyrobotstxt.robots_cc import RobotsMatcher

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the folder of wire.py
from wire import robots_bytes, serve, verdicts  # noqa: E402


ASCII = "".join(map(chr, range(128)))


def match(request):
    robots = robots_bytes(request)
    return verdicts(
        lambda agent, url: RobotsMatcher().one_agent_allowed_by_robots(robots, agent, quote(url, safe=ASCII)), request)


serve({"name": "gpyrobotstxt", "version": version("gpyrobotstxt"), "homepage": "https://github.com/Cocon-Se/gpyrobotstxt",
       "package": "gpyrobotstxt (PyPI)"},
      match=match)
