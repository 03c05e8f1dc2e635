from protego import Protego


def is_allowed(robots: bytes, agent: str, url: str) -> bool:
    return Protego.parse(robots.decode(errors="replace")).can_fetch(url, agent)


def test_row(robotspec_row):
    robotspec_row.judge(is_allowed)
