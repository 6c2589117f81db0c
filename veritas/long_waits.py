"""Long waits for models and plug-ins, reported to a listener while they last."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LONG = 5.0
"""Seconds after which a wait is said."""


class _Listening:
    """Who is told, and what is waited for at the moment: several waits for the same are said once."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
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


@contextmanager
def told_of_waits(say: Callable[[str], None]) -> Iterator[None]:
    """Call `say`, from any thread, for every wait inside that becomes long, with a sentence that names who is waited
    for and how long at most. Only the innermost listener is told."""
    token = _listening.set(_Listening(say))
    try:
        yield
    finally:
        _listening.reset(token)


@contextmanager
def overheard() -> Iterator[list[str]]:
    """Collect the sentences about waits inside; the listener around is told them as well."""
    around, said = _listening.get(), list[str]()

    def say(text: str) -> None:
        said.append(text)
        if around is not None:
            around.say(text)

    with told_of_waits(say):
        yield said


def say_wait(text: str) -> None:
    """Tell the listener at once of a wait that the caller measures itself; without a listener nothing is said."""
    if (listening := _listening.get()) is not None:
        listening.say(text)


@contextmanager
def waiting_for(who: str, most: float | None) -> Iterator[None]:
    """Say that `who` is waited for, `most` seconds at most, once what is done inside takes longer than `LONG`."""
    listening = _listening.get()
    if listening is None:
        yield
        return
    timer = threading.Timer(LONG, listening.long, (who, most))
    timer.daemon = True
    listening.begun(who)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        listening.ended(who)
