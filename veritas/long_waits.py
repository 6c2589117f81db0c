"""Long waits for models, plug-ins and the reading of documents, reported to a listener while they last, and ended where
nobody waits any more."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TypeVar

from veritas.errors import Cancelled

T = TypeVar("T")

LONG = 5.0
"""Seconds after which a wait is said."""


class _Listening:
    """Who is told, and what is waited for at the moment: several waits for the same are said once."""

    def __init__(self, say: Callable[[str], None], progress: Callable[[str], None]) -> None:
        self._say, self.progress = say, progress
        self._lock = threading.Lock()
        self._waits: Counter[str] = Counter()
        self._said: set[str] = set()

    def begun(self, who: str) -> None:
        with self._lock:
            self._waits[who] += 1

    def ended(self, who: str) -> None:
        with self._lock:
            self._waits[who] -= 1
            if not self._waits[who]:
                self._said.discard(who)

    def say(self, text: str) -> None:
        self._say(text)

    def long(self, who: str, most: float | None) -> None:
        with self._lock:
            if not self._waits[who] or who in self._said:
                return
            self._said.add(who)
        self._say(f"waiting for {who}" + (f", {most:g} s at most" if most else ""))


_listening: ContextVar[_Listening | None] = ContextVar("veritas_long_waits", default=None)


_left: ContextVar[Callable[[], bool] | None] = ContextVar("veritas_left", default=None)


@contextmanager
def ended_when(left: Callable[[], bool]) -> Iterator[None]:
    """End what is done inside once `left` returns True, at the next document or file: `still_waited_for` raises."""
    token = _left.set(left)
    try:
        yield
    finally:
        _left.reset(token)


def still_waited_for() -> None:
    """Raise `Cancelled` where whoever waits for what is done here has left."""
    if (left := _left.get()) is not None and left():
        raise Cancelled("nobody waits for this any more")


@contextmanager
def told_of_waits(say: Callable[[str], None]) -> Iterator[None]:
    """Call `say`, from any thread, for every wait inside that becomes long, with a sentence that names who is waited
    for and how long at most. Only the innermost listener is told."""
    with _told(say, say):
        yield


@contextmanager
def told_of_no_progress() -> Iterator[None]:
    """Say nothing of the progress of what is done inside; waits are said as before."""
    around = _listening.get()
    with _told(around.say if around else _nobody, _nobody):
        yield


@contextmanager
def _told(say: Callable[[str], None], progress: Callable[[str], None]) -> Iterator[None]:
    token = _listening.set(_Listening(say, progress))
    try:
        yield
    finally:
        _listening.reset(token)


def _nobody(text: str) -> None:
    return None


@contextmanager
def overheard() -> Iterator[list[str]]:
    """Collect the sentences about waits inside; the listener around is told them as well."""
    around, said = _listening.get(), list[str]()

    def say(text: str) -> None:
        said.append(text)
        if around is not None:
            around.say(text)

    with _told(say, around.progress if around else _nobody):
        yield said


@contextmanager
def waiting_for(who: str, most: float | None, after: float | None = None) -> Iterator[None]:
    """Say that `who` is waited for, `most` seconds at most, once what is done inside takes longer than `after`, or
    `LONG`."""
    listening = _listening.get()
    if listening is None:
        yield
        return
    timer = threading.Timer(after or LONG, listening.long, (who, most))
    timer.daemon = True
    listening.begun(who)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        listening.ended(who)


class Counting:
    """A count of things that may take long, such as files: said after `LONG` seconds, and again each time as long."""

    def __init__(self, doing: str, things: str) -> None:
        """`doing` begins the sentence ("reading docs"), `things` are what is counted ("files")."""
        self._doing, self._things = doing, things
        self._said_at = monotonic()

    def through(self, items: Iterable[T], total: int | None) -> Iterator[T]:
        """Yield the items, of which there are `total` if that is known, and say from time to time how many are done.
        Raises `Cancelled` where nobody waits for them any more."""
        of = "" if total is None else f" of {total:,}"
        for done, item in enumerate(items):
            still_waited_for()
            if monotonic() - self._said_at >= LONG:
                self._said_at = monotonic()
                if (listening := _listening.get()) is not None:
                    listening.progress(f"{self._doing}: {done:,}{of} {self._things}")
            yield item
