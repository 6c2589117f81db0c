"""The asynchronous face of VERITAS: all functions of `veritas`, as coroutines. Those that wait for nobody run in a
thread.

    from veritas import aio

    graph = await aio.research("Does Prefect retry failed tasks?", corpus="docs/")
    async for event in aio.stream("Does Prefect retry failed tasks?", corpus="docs/"):
        print(event)
"""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from veritas.use_cases import citations, claims, corpora, papers, reports, reviews, run_archive, run_states
from veritas.use_cases import why as chains
from veritas.use_cases.bibliographies import audit_bibliography
from veritas.use_cases.citations import audit_citations, check_registries, cite
from veritas.use_cases.claims import judge, verify
from veritas.use_cases.corpora import add_to_corpus
from veritas.use_cases.factchecks import check_facts
from veritas.use_cases.papers import audit_paper, read_paper, referee_paper, replay_paper_audit, resume_paper_audit
from veritas.use_cases.questions import replay, research, resume, stream
from veritas.use_cases.reviews import replay_review, resume_review, write_review

P = ParamSpec("P")
T = TypeVar("T")


def _threaded(function: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    @functools.wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(function, *args, **kwargs)

    return run


cancel = _threaded(run_archive.cancel)
check = _threaded(citations.check)
diff_runs = _threaded(run_states.diff_runs)
list_paper_audits = _threaded(papers.list_paper_audits)
list_reviews = _threaded(reviews.list_reviews)
list_runs = _threaded(run_archive.list_runs)
load_paper_audit = _threaded(papers.load_paper_audit)
load_run = _threaded(run_states.load_run)
open_corpus = _threaded(corpora.open_corpus)
render_report = _threaded(reports.render_report)
score_graph = _threaded(papers.score_graph)
tier = _threaded(claims.tier)
triangulate = _threaded(citations.triangulate)
why = _threaded(chains.why)
write_report = _threaded(reports.write_report)

__all__ = [
    "add_to_corpus", "audit_bibliography", "audit_citations", "audit_paper", "cancel", "check", "check_facts",
    "check_registries", "cite", "diff_runs", "judge", "list_paper_audits", "list_reviews", "list_runs",
    "load_paper_audit", "load_run", "open_corpus", "read_paper", "referee_paper", "render_report", "replay",
    "replay_paper_audit", "replay_review", "research", "resume", "resume_paper_audit", "resume_review", "score_graph",
    "stream", "tier", "triangulate", "verify", "why", "write_report", "write_review",
]  # fmt: skip
