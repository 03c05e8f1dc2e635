"""The cases of robotspec as tests of a robots.txt parser: a test for each row whose verdict an edition decides."""

import asyncio
import base64
import gzip
import inspect
import json
import os
import signal
import threading
from contextlib import contextmanager
from importlib.resources import files

import pytest

LEVELS = {"must": {"must"}, "should": {"must", "should"}}
MOST_SECONDS = 1000000


def pytest_addoption(parser):
    parser.addini("robotspec_edition", "the edition that judges, such as rfc9309 or google-2026", default="rfc9309")
    parser.addini("robotspec_level", "must: only requirements; should: also recommendations", default="should")
    parser.addini("robotspec_known_failures", "a file with an id of a test in each line", default="known-failures.txt")
    parser.addini("robotspec_timeout", "the seconds after which a row without an answer has failed", default="5")


def pytest_generate_tests(metafunc):
    if "robotspec_row" in metafunc.fixturenames:
        metafunc.parametrize("robotspec_row", rows(metafunc.config), ids=lambda row: row.check["id"])


def rows(config):
    cases = json.loads(gzip.decompress(files(__name__).joinpath("cases.json.gz").read_bytes()))
    edition, level = config.getini("robotspec_edition"), config.getini("robotspec_level")
    editions = [edition["id"] for edition in cases["editions"]]
    if edition not in editions or level not in LEVELS:
        raise pytest.UsageError(
            f"robotspec_edition is one of {', '.join(editions)}, and robotspec_level is must or should;"
            f" they are {edition!r} and {level!r}"
        )
    path, timeout = config.rootpath / config.getini("robotspec_known_failures"), seconds(config.getini("robotspec_timeout"))
    clauses = {clause["id"]: clause for clause in cases["clauses"]}
    found = [
        Row(check, edition, clauses[check["clauses"][0]], path, timeout)
        for check in cases["checks"]
        if check["op"] == "match"
        and check["expected"].get(edition, {}).get("ruling") in ("allow", "disallow")
        and check.get("levels", {}).get(edition, "must") in LEVELS[level]
    ]
    known = known_failures(path, {row.check["id"] for row in found})
    for row in found:
        row.is_known = row.check["id"] in known
    return found


def seconds(text):
    try:
        if 0 < float(text) < MOST_SECONDS:
            return float(text)
    except ValueError:
        pass
    raise pytest.UsageError(f"robotspec_timeout is a number of seconds above 0 and below {MOST_SECONDS}; it is {text!r}")


def known_failures(path, ids):
    known = set()
    for number, line in enumerate(path.read_bytes().split(b"\n") if path.exists() else [], 1):
        try:
            line = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise pytest.UsageError(f"{path}, line {number}: the line is not UTF-8") from None
        if line and line[0] != "#":
            if line not in ids:
                raise pytest.UsageError(f"{path}, line {number}: no test has the id {line!r}")
            known.add(line)
    return known


def record(path, row):
    with path.open("ab+") as known:
        size = known.seek(0, os.SEEK_END)
        known.seek(max(size - 1, 0))
        # The last line may have no end. Workers that run tests side by side each write at the end, at once.
        known.write((b"" if known.read() in (b"", b"\n") else b"\n") + row.encode() + b"\n")


async def awaited(answer):
    return await answer


class NoAnswer(BaseException):
    """A parser does not answer in time. This is no `Exception`, which parsers catch."""


@contextmanager
def limit(seconds):
    """Raises `NoAnswer` after some seconds, also in a regular expression. Windows and other threads have no such signal."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise NoAnswer

    handler = signal.signal(signal.SIGALRM, stop)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)


class Row:
    """A question to a parser, and the answer that the edition expects."""

    def __init__(self, check, edition, clause, known_failures, timeout):
        self.check, self.edition, self.clause, self.known_failures = check, edition, clause, known_failures
        self.timeout, self.is_known = timeout, False

    def judge(self, is_allowed):
        """Asks a function for the answer: `is_allowed(robots: bytes, agent: str, url: str) -> bool`, also an asynchronous one."""
        __tracebackhide__ = True
        check, error = self.check, None
        encoded = check.get("robots-base64")
        robots = check["robots"].encode() if encoded is None else base64.b64decode(encoded)
        expected = check["expected"][self.edition]["ruling"]
        try:
            with limit(self.timeout):
                got = is_allowed(robots, check["agent"], check["url"])
                if inspect.isawaitable(got):
                    got = asyncio.run(awaited(got))
        except NoAnswer:
            got = f"no answer in {self.timeout:g} s"
        except Exception as exception:
            got, error = f"{type(exception).__name__}: {exception}", exception
        else:
            if not isinstance(got, bool):
                pytest.fail(f"the function has to return a bool, and returned {got!r}", pytrace=False)
            got = "allow" if got else "disallow"
        if got == expected:
            if self.is_known:
                pytest.fail(f"passes now: remove {check['id']} from {self.known_failures}", pytrace=False)
        elif self.is_known:
            pytest.xfail(f"in {self.known_failures.name}")
        else:
            if os.environ.get("ROBOTSPEC_RECORD", "0") not in ("", "0"):
                record(self.known_failures, check["id"])
            raise AssertionError(self.message(robots, expected, got)) from error

    def message(self, robots, expected, got):
        check, reasons = self.check, self.check.get("reasons", {}).get(self.edition, {})
        marked = reasons.get("lines", [])
        lines = robots.decode(errors="replace").splitlines()
        shown = [
            f"{'>' if number in marked else ' '} {number:4} | {cut(line)}"
            for number, line in enumerate(lines, 1)
            if number <= 20 or number in marked[:5]
        ]
        rest = [f"       … {len(lines) - len(shown)} more lines"] if len(shown) < len(lines) else []
        section = self.clause["sections"].get(self.edition, "")
        return "\n".join(
            [f"{check['id']}: expected {expected}, got {got}", f"{self.edition}, {section}: {self.clause['statement']}"]
            + [f"agent {cut(check['agent'])}", f"url   {cut(check['url'])}", *shown, *rest]
            + [cut(sentence) for sentence in reasons.get("sentences", [])]
        )


def cut(text):
    return text if len(text) <= 100 else f"{text[:100]}… ({len(text):,} characters)"
