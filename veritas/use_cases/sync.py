"""The coroutines of the face as plain functions, each with its own signature: for scripts, the command line and
notebooks, whose own loop is running."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from veritas import aio

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


add_to_corpus = blocking(aio.add_to_corpus)
audit_bibliography = blocking(aio.audit_bibliography)
audit_citations = blocking(aio.audit_citations)
audit_paper = blocking(aio.audit_paper)
check_facts = blocking(aio.check_facts)
check_registries = blocking(aio.check_registries)
cite = blocking(aio.cite)
judge = blocking(aio.judge)
read_paper = blocking(aio.read_paper)
referee_paper = blocking(aio.referee_paper)
replay = blocking(aio.replay)
replay_paper_audit = blocking(aio.replay_paper_audit)
replay_review = blocking(aio.replay_review)
research = blocking(aio.research)
resume = blocking(aio.resume)
resume_paper_audit = blocking(aio.resume_paper_audit)
resume_review = blocking(aio.resume_review)
verify = blocking(aio.verify)
write_review = blocking(aio.write_review)
