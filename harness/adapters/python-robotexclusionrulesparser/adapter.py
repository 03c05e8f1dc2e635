"""Adapts robotexclusionrulesparser (https://pypi.org/project/robotexclusionrulesparser/).

The complete list of adaptations:

- The file is passed as bytes. `parse` decodes them as ISO 8859-1, its documented default and that of its `fetch`.
- There is no operation "fetch": the `fetch` of the library raises an exception for every status but 2xx, 401, 403 and
  404 and for every broken connection, and its caller has to decide.
- `is_allowed` receives the agent and the whole URL as they are, and reads wildcards (`GYM2008`, its default). True is
  "allow", false is "disallow".
- An exception of `parse` is the error of the whole request. An exception of `is_allowed` is the error of that one
  check. Error texts are cut at 500 characters.
"""

import sys
from importlib.metadata import version
from pathlib import Path

from robotexclusionrulesparser import RobotExclusionRulesParser

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the folder of wire.py
from wire import robots_bytes, serve, verdicts  # noqa: E402


def parse(request):
    parser = RobotExclusionRulesParser()
    parser.parse(robots_bytes(request))
    return parser


def match(request):
    return verdicts(parse(request).is_allowed, request)


def sitemaps(request):
    return {"sitemaps": parse(request).sitemaps}


serve({"name": "robotexclusionrulesparser", "version": version("robotexclusionrulesparser"),
       "homepage": "https://pypi.org/project/robotexclusionrulesparser/",
       "package": "robotexclusionrulesparser (PyPI)"},
      match=match, sitemaps=sitemaps)
