"""Coroutines as plain functions: for scripts, for the command line, and for notebooks, whose own loop is running."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def blocking(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Return `function` as one that waits for its result.

    Where an event loop runs in the calling thread, as in a notebook, the work is done on a loop in a thread of its own.
    """

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        def wait() -> T:
            return asyncio.run(function(*args, **kwargs))

        try:
            asyncio.get_running_loop()
        except RuntimeError:  # no loop here: the usual case
            return wait()
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(contextvars.copy_context().run, wait).result()

    return run
