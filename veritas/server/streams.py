"""Events of runs for many followers: each file is read once, however many follow it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from veritas.errors import VeritasError
from veritas.server.own_words import in_words_of
from veritas.use_cases import background

POLL = 0.25
"""Seconds between two looks at a file that is followed."""
QUIET = 15.0
"""Seconds after which a follower of a run that tells nothing gets a comment, so that no proxy cuts the connection."""
_KIND = re.compile("[a-z_]{1,40}")
DEEPEST = 32
"""Most levels of an event that are sent: no event of VERITAS has as many; a damaged file may have thousands."""
LOOK = 1.0
"""Seconds between two looks whether a follower may still read."""
_KEEP_ALIVE = b": nothing new\n\n"


class _Tail:
    """The events of one run, encoded once, as far as they have been read."""

    def __init__(self, home: Path, run_id: str, clean: Callable[[str], str]) -> None:
        self._reader = background.event_reader(run_id, home=home)
        self._clean = clean
        self.frames: list[tuple[int, bytes]] = []
        self.ended = False
        self.followers = 0
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def read(self) -> bool:
        """Read what is new; return whether there was anything."""
        lines = self._reader.more()
        for line in lines:
            fields = _cleaned(line.fields, self._clean)
            if not _KIND.fullmatch(line.kind):  # it would forge frames; its file was damaged, or written by others
                continue
            if line.kind == "failed":
                fields |= {"said": in_words_of("http", str(fields.get("said", "")))}
            text = json.dumps({**fields, "number": line.number, "at": line.at.isoformat(), "kind": line.kind})
            self.frames.append((line.number, f"id: {line.number}\nevent: {line.kind}\ndata: {text}\n\n".encode()))
            self.ended = line.kind in background.ENDS
        return bool(lines)

    async def keep_reading(self) -> None:
        """Read until nobody follows any more."""
        while self.followers:
            with suppress(VeritasError):  # a file that cannot be read now is looked at again
                if await asyncio.to_thread(self.read):
                    self.changed.set()
                    self.changed = asyncio.Event()
            await asyncio.sleep(POLL)


def _cleaned(value: Any, clean: Callable[[str], str], deep: int = DEEPEST) -> Any:
    if isinstance(value, str):
        return clean(value)
    if not deep and isinstance(value, list | dict):
        return "…"
    if isinstance(value, list):
        return [_cleaned(each, clean, deep - 1) for each in value]
    if isinstance(value, dict):
        return {clean(name): _cleaned(each, clean, deep - 1) for name, each in value.items()}
    return value


class Streams:
    """The runs that are followed."""

    def __init__(self, home: Path, clean: Callable[[str], str]) -> None:
        self._home, self._clean = home, clean
        self._tails: dict[str, _Tail] = {}

    def followers(self) -> int:
        """Return the number of connections that follow a run now."""
        return sum(tail.followers for tail in list(self._tails.values()))

    async def begin(
        self, run_id: str, after: int, may_read: Callable[[], bool] = lambda: True
    ) -> AsyncIterator[bytes] | None:
        """Return the events of a run after number `after`, and new ones, until its end or until `may_read` is false;
        None if the run ended before `after`. Raises `UnknownRun`."""
        tail = self._tails.get(run_id)
        if tail is None:
            tail = await asyncio.to_thread(_Tail, self._home, run_id, self._clean)
        await asyncio.to_thread(tail.read) if tail.task is None else None
        if tail.ended and (not tail.frames or tail.frames[-1][0] <= after):
            return None
        return self._follow(run_id, tail, after, may_read)

    async def _follow(
        self, run_id: str, tail: _Tail, after: int, may_read: Callable[[], bool]
    ) -> AsyncIterator[bytes]:
        tail = self._tails.setdefault(run_id, tail)
        tail.followers += 1
        if tail.task is None:
            tail.task = asyncio.create_task(tail.keep_reading())
        try:
            sent, quiet = 0, 0.0
            while may_read():
                changed, there = tail.changed, len(tail.frames)
                new = b"".join(frame for number, frame in tail.frames[sent:there] if number > after)
                sent = there
                if new:
                    quiet = 0.0
                    yield new
                if tail.ended and sent == len(tail.frames):
                    return
                if sent == len(tail.frames):
                    try:
                        await asyncio.wait_for(changed.wait(), LOOK)
                    except TimeoutError:
                        quiet += LOOK
                        if quiet >= QUIET:
                            quiet = 0.0
                            yield _KEEP_ALIVE
        finally:
            tail.followers -= 1
            if not tail.followers:
                self._tails.pop(run_id, None)
                if tail.task is not None:
                    tail.task.cancel()
