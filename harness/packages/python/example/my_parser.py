from protego import Protego


class Robots:
    def __init__(self, robots: bytes):
        self.rules = Protego.parse(robots.decode(errors="replace"))

    def is_allowed(self, agent: str, url: str) -> bool:
        return self.rules.can_fetch(url, agent)
