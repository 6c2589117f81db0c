"""Three houses on loopback, one of which fails from some call of a turn on, in one of eight ways."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.loopback.scripted import heard, honest
from tests.loopback.server import Asked, Loopback, Reply, Script, fault, loopback

HOUSES = {"red": "crimson", "green": "olive", "blue": "navy"}
"""Member -> family; each on a server of its own."""


class Closes(Exception):
    """Raised by a script: the server closes the connection without a word."""


def _hangs(house: House) -> Reply:
    house.over.wait(60)
    raise Closes


def _closes(house: House) -> Reply:
    raise Closes


WAYS: Mapping[str, Callable[[House], Reply]] = {
    "401": lambda _: fault(401, "invalid api key"),
    "404": lambda _: fault(404, "no such model"),
    "429": lambda _: fault(429, "quota", Retry_After="14400"),
    "500": lambda _: fault(500, "internal error"),
    "garbage": lambda _: Reply(raw=b"\x00\xff<html>"),
    "prose": lambda house: Reply("I would rather talk about it.", seconds=house.latency),
    "closed": _closes,
    "hang": _hangs,
}


@dataclass
class House:
    """What one server does. It fails in `way` from its `nth` call of `turn` on, in every turn; or each call with the
    chance `share`, in any of the ways."""

    name: str
    latency: float = 0.0
    way: str | None = None
    turn: str | None = None
    nth: int = 1
    share: float = 0.0
    chance: random.Random = field(default_factory=random.Random)
    over: threading.Event = field(default_factory=threading.Event)
    failing: bool = False
    turns: Counter[str] = field(default_factory=Counter)
    after: Counter[str] = field(default_factory=Counter)
    """Calls that came when it was failing, by turn."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def script(self, asked: Asked) -> Reply:
        """The server's script."""
        turn = heard(asked).turn
        with self._lock:
            self.turns[turn] += 1
            if self.way is not None and turn == self.turn and self.turns[turn] >= self.nth:
                self.failing = True
            way = self.way if self.failing else None
            if self.share and self.chance.random() < self.share:
                way = self.chance.choice(sorted(WAYS))
            if way is not None:
                self.after[turn] += 1
        if way is not None:
            return WAYS[way](self)
        said = self.honest(asked)
        return Reply(said.text, seconds=self.latency)

    honest: Script = honest


@contextmanager
def houses(latency: float = 0.0) -> Iterator[tuple[dict[str, House], dict[str, Loopback]]]:
    """The houses and their servers, which answer after `latency` seconds, for the length of a `with` block."""
    made = {name: House(name, latency) for name in HOUSES}
    with ExitStack() as stack:
        servers = {n: stack.enter_context(loopback(h.script, (f"model-{n}",))) for n, h in made.items()}
        try:
            yield made, servers
        finally:
            for house in made.values():
                house.over.set()


def council(folder: Path, servers: Mapping[str, Loopback], more: Sequence[str] = (), *, timeout: float = 40.0) -> Path:
    """A council file of the three; every member's model verifies, and then the lens without a model, if it is named
    in `more`. Red writes, and green after it."""
    lines = ["members:"]
    for name, server in servers.items():
        lines += [
            f"  - name: {name}", f"    model: openai/model-{name}", f"    family: {HOUSES[name]}",
            f"    base_url: {server.url}", "    structured: schema", "    window: 32000", "    local: false",
            "    price: {input: 1, output: 4}",
            f"    limits: {{timeout: {timeout:g}, retries: 2, backoff: 0.1, patience: 10}}",
        ]  # fmt: skip
    lines += [f"verifiers: [{', '.join([*servers, *more])}]", "writer: [red, green]", "providers:"]
    lines += [f"  {server.url}: {{at_once: 64}}" for server in servers.values()]
    path = folder / "council.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
