"""That a model is waited for, said to whoever watches the run: beside the call, never part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_told: ContextVar[Callable[[str], None] | None] = ContextVar("veritas_waited_for", default=None)


@contextmanager
def telling(whom: Callable[[str], None]) -> Iterator[None]:
    """Has `whom` told, a line at a time, for whom the calls made inside wait long."""
    token = _told.set(whom)
    try:
        yield
    finally:
        _told.reset(token)


def tell(line: str) -> None:
    """Tells whoever watches the run at hand; nobody outside of one."""
    whom = _told.get()
    if whom is not None:
        whom(line)
