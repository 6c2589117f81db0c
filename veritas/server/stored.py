"""Finished runs and audits for display: without paths of this machine; texts of sources are unchanged."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from veritas.server.problems import without_paths
from veritas.server.settings import Settings

if TYPE_CHECKING:
    from veritas import ClaimGraph, PaperAudit, Review
    from veritas.use_cases.shapes import Overview


_WORD_FOR_WORD = frozenset({"artifact_text", "bibtex", "citation", "entries", "excerpts"})
"""Parts of a result that hold words of sources, and no path."""


def plain(value: Any, settings: Settings) -> Any:
    """Return JSON values without paths of this machine."""
    return _cleaned(value, lambda text: without_paths(text, settings))


def load_graph(run: str, settings: Settings) -> ClaimGraph:
    """Return the claim graph of a finished run. Raises what `load_run` raises."""
    from veritas.use_cases.run_states import load_run

    return plain_graph(load_run(run, home=settings.home), settings)


def plain_graph(graph: ClaimGraph, settings: Settings) -> ClaimGraph:
    """Return a claim graph whose settings, events and problems contain no path of this machine."""

    def clean(text: str) -> str:
        return without_paths(text, settings)

    run = graph.run.model_copy(
        update={"settings": plain(graph.run.settings, settings), "degraded": tuple(map(clean, graph.run.degraded))}
    )
    events = [
        event.model_copy(update={"subject_id": clean(event.subject_id), "reason": clean(event.reason)})
        for event in graph.events
    ]
    sources = [
        source.model_copy(update={"problem": clean(source.problem)}) if source.problem else source
        for source in graph.sources
    ]
    missing = tuple(map(clean, graph.answer.missing))
    reason = clean(graph.answer.reason) if graph.answer.reason else graph.answer.reason
    answer = graph.answer.model_copy(update={"missing": missing, "reason": reason})
    told = {"run": run, "events": tuple(events), "sources": tuple(sources), "answer": answer}
    return graph.model_copy(update=told)


def load_result(work: str, settings: Settings) -> Any:
    """Return the result of background work. Raises what `result` raises."""
    from veritas.use_cases import background

    found = background.result(work, home=settings.home)
    return {name: each if name in _WORD_FOR_WORD else plain(each, settings) for name, each in found.items()}


def load_audit(audit: str, settings: Settings) -> PaperAudit:
    """Return a finished audit. Raises what `load_paper_audit` raises."""
    from veritas.use_cases.papers import load_paper_audit

    found = load_paper_audit(audit, home=settings.home)
    paper = found.paper.model_copy(update={"asked": without_paths(found.paper.asked, settings)})
    return found.model_copy(update={"paper": paper, "settings": plain(found.settings, settings)})


async def load_review(review: str, settings: Settings) -> Review:
    """Return a finished review. Raises what the use case `load_review` raises."""
    from veritas.use_cases import reviews

    found = await reviews.load_review(review, home=settings.home)
    return found.model_copy(update={"settings": plain(found.settings, settings)})


def corpus_overview(name: str, settings: Settings) -> Overview:
    """Return a corpus of claims at a glance. Raises what `describe_corpus` raises."""
    from veritas.use_cases.corpora import describe_corpus

    found = describe_corpus(name)
    papers = tuple(each.model_copy(update={"root": without_paths(each.root, settings)}) for each in found.papers)
    left_out = tuple(
        each.model_copy(
            update={"source": without_paths(each.source, settings), "reason": without_paths(each.reason, settings)}
        )
        for each in found.left_out
    )
    return found.model_copy(update={"papers": papers, "left_out": left_out})


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {name: _cleaned(each, clean) for name, each in value.items()}
    return type(value)(_cleaned(each, clean) for each in value) if isinstance(value, list | tuple) else value
