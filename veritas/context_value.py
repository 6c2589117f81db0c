"""Context variables: a value that holds inside a `with` block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def within(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Set the variable inside, in this task and those it starts."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
