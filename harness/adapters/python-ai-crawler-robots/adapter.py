"""Adapts the linter ai-crawler-robots (https://pypi.org/project/ai-crawler-robots/), a validator.

The complete list of adaptations:

- The linter takes text. A file in UTF-8 is passed as it is, with its byte order mark. In any other file, bytes that are not
  UTF-8 become U+FFFD.
- A file is valid if `lint` reports `ok`: no finding of the level `error`. The levels `warning` and `info` do not count.
- `grammar` is the only operation. `is_allowed` is not adapted: it exists to explain a file to its author, and replaces the
  name of a crawler that its table lists by another one.
- An exception of `lint` is the error of the request. Error texts are cut at 500 characters.
"""

import sys
from pathlib import Path

import ai_crawler_robots

sys.path.append(str(Path(__file__).resolve().parents[1]))  # the folder of wire.py
from wire import robots_bytes, serve  # noqa: E402


def grammar(request):
    return {"valid": ai_crawler_robots.lint(robots_bytes(request).decode(errors="replace"))["ok"]}


serve({"name": "ai-crawler-robots", "version": ai_crawler_robots.__version__,
       "homepage": "https://pypi.org/project/ai-crawler-robots/", "package": "ai-crawler-robots (PyPI)"},
      grammar=grammar)
