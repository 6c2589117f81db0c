"""Standard streams and log records without keys: the places every process writes to unasked.

For a process that is VERITAS' own (the command line, a flow, a task); a program that uses the library keeps its own.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from veritas.keys import withheld, withheld_from_message

_aside: ContextVar[bool] = ContextVar("veritas_prints_aside", default=False)


@contextmanager
def printing_aside() -> Iterator[None]:
    """Send what is printed inside to standard error, where standard output is withheld on: a plug-in's prints are no
    part of a command's output."""
    token = _aside.set(True)
    try:
        yield
    finally:
        _aside.reset(token)


class Withholding:
    """A text stream that writes without keys; for everything else it is the stream that it wraps. With `aside`, it
    gives way to standard error inside `printing_aside`."""

    def __init__(self, stream: Any, change: Callable[[str], str], *, aside: bool = False) -> None:
        self._stream, self._change, self._gives_way = stream, change, aside

    def write(self, text: str) -> int:
        """Write the text; return the number of characters given."""
        if self._gives_way and _aside.get():
            return int(sys.stderr.write(text))
        self._stream.write(self._change(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write the lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Any:
        return iter(self._stream)


def withhold_on_streams() -> None:
    """Withhold keys on standard output from here on, and on standard error also what looks like a key. Tracebacks and
    warnings are written there."""
    if not isinstance(sys.stdout, Withholding):
        sys.stdout = Withholding(sys.stdout, withheld, aside=True)
    if not isinstance(sys.stderr, Withholding):
        sys.stderr = Withholding(sys.stderr, withheld_from_message)


def withhold_in_logs() -> None:
    """Withhold keys in all log records of this process from here on: in their messages and in their tracebacks."""
    made = logging.getLogRecordFactory()
    if getattr(made, "withholds_keys", False):
        return

    def record(*args: Any, **kwargs: Any) -> logging.LogRecord:
        one = made(*args, **kwargs)
        try:
            said = one.getMessage()
        except (TypeError, ValueError, KeyError, IndexError):  # arguments that do not fit: the handler says so
            said = f"{one.msg} {one.args}"
        except Exception:  # noqa: BLE001 (an argument that cannot be shown: what logs must not fail of it)
            said = ""
        kept = withheld_from_message(said)
        if kept != said:
            one.msg, one.args = kept, None
        if one.exc_info and one.exc_info[0] is not None:
            text = "".join(traceback.format_exception(*one.exc_info)).rstrip("\n")
            one.exc_text = withheld_from_message(text)
        return one

    record.withholds_keys = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(record)
