"""robots.txt by RFC 9309: paths that automatic readers must not fetch, and pauses between requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

MAX_BYTES = 500 * 1024
"""Limit in bytes of the part of a file that counts, as the RFC says."""
MAX_RULES = 20_000
MAX_STARS = 20
"""Limit of wildcards in a rule; a rule with more could take very long to match, and is left out."""
AGENT = "veritas"


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules for this reader. `delay` is the site's `Crawl-delay` in seconds, if it names one."""

    rules: tuple[tuple[bool, str], ...] = ()
    delay: float | None = None

    def allows(self, path: str) -> bool:
        """Return whether a path with its query may be fetched: the longest matching rule decides; allowing wins
        ties."""
        if path == "/robots.txt":
            return True
        wanted = _normal(path)
        best, allowed = -1, True
        for allow, pattern in self.rules:
            if (len(pattern) > best or (len(pattern) == best and allow)) and _fits(pattern, wanted):
                best, allowed = len(pattern), allow
        return allowed


def read_robots(data: bytes) -> Robots:
    """Return the rules for this reader in a robots.txt: those of the groups that name it, else those for everybody.
    Lines that are not understood are skipped."""
    groups: dict[str, list[tuple[bool, str]]] = {}
    delays: dict[str, float] = {}
    agents: list[str] = []
    open_group = False
    count = 0
    for key, value in _lines(data[:MAX_BYTES]):
        if key == "user-agent":
            if not open_group:
                agents = []
            open_group = True
            named = re.match(r"[a-z_-]+|\*", value.lower())
            agents.append(named[0] if named else "")
            groups.setdefault(agents[-1], [])
        elif key in ("allow", "disallow"):
            open_group = False
            count += 1
            if value and count <= MAX_RULES and value.count("*") <= MAX_STARS:
                for agent in agents:
                    groups[agent].append((key == "allow", _normal(value)))
        elif key == "crawl-delay":
            open_group = False
            if re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", value):
                delays.update(dict.fromkeys(agents, float(value)))
    agent = AGENT if AGENT in groups else "*"
    return Robots(tuple(dict.fromkeys(groups.get(agent, ()))), delays.get(agent))


NOTHING_ALLOWED = Robots(((False, "/"),))
"""Rules of a site whose robots.txt cannot be read because its server fails."""


def _lines(data: bytes) -> Iterator[tuple[str, str]]:
    for line in data.decode("utf-8-sig", "replace").replace("\r", "\n").split("\n"):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _normal(path: str) -> str:
    """Return the one normal spelling: characters unescaped where they may be, all others escaped in capitals."""
    parts = re.split(r"(%2[Ff]|[*$])", path)
    return "".join(
        part.upper() if re.fullmatch(r"%2[Ff]", part) else part if part in ("*", "$") else quote(
            unquote_to_bytes(part), safe="/?&=:;,@!'()+~-._[]"
        )
        for part in parts
    )  # fmt: skip


def _fits(pattern: str, path: str) -> bool:
    """Return whether a path begins with a pattern, in which `*` matches anything and a final `$` the path's end."""
    ends = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for i, part in enumerate(rest):
        if ends and i == len(rest) - 1:
            return len(path) - len(part) >= at and path.endswith(part)
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return not ends or at == len(path)
