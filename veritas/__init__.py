"""VERITAS: research answers in which every claim traces to a verbatim passage that an independent verifier judged.

    import veritas

    graph = veritas.research("Does Prefect retry failed tasks?", corpus="docs/")
    print(graph)

What stands in `__all__` is the public face. It keeps its names and parameters within a major version; every other
module may change without notice, except the seams of docs/plugins.md. `veritas.aio` holds the same as coroutines.
Names are loaded when they are first asked for, so `import veritas` is quick. The package imports no Prefect.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from veritas.version import __version__

if TYPE_CHECKING:
    from veritas import aio, approvals
    from veritas.citations.bibliography.entry_verdict import Judged as EntryVerdict
    from veritas.citations.citing import Citation, Refusal
    from veritas.citations.verdict import Triangulation
    from veritas.claims.answer import Answer
    from veritas.claims.chain import Chain
    from veritas.claims.envelope import ClaimEnvelope
    from veritas.claims.graph import ClaimGraph
    from veritas.claims.judgment import Judgment
    from veritas.claims.run_diff import RunDiff
    from veritas.documents.document import Document
    from veritas.errors import InputError, PolicyError, Unavailable, UnknownRun, VeritasError
    from veritas.factcheck.outcome import FactCheck
    from veritas.papers.audit import PaperAudit
    from veritas.policy.cost_tiers import Budget
    from veritas.policy.source_policy import TierVerdict
    from veritas.reviews.review_document import Review
    from veritas.scoring.score import Scoring
    from veritas.use_cases.citations import check, triangulate
    from veritas.use_cases.claims import Verifier, tier
    from veritas.use_cases.corpora import open_corpus
    from veritas.use_cases.papers import list_paper_audits, load_paper_audit, score_graph
    from veritas.use_cases.questions import stream
    from veritas.use_cases.reports import render_report, write_report
    from veritas.use_cases.reviews import list_reviews
    from veritas.use_cases.run_archive import cancel, list_runs
    from veritas.use_cases.run_states import diff_runs, load_run
    from veritas.use_cases.sync import (
        add_to_corpus,
        audit_bibliography,
        audit_citations,
        audit_paper,
        check_facts,
        check_registries,
        cite,
        judge,
        read_paper,
        referee_paper,
        replay,
        replay_paper_audit,
        replay_review,
        research,
        resume,
        resume_paper_audit,
        resume_review,
        verify,
        write_review,
    )
    from veritas.use_cases.why import why
    from veritas.verification.open_claims import OpenVerdict

_SYNC = (
    "add_to_corpus", "audit_bibliography", "audit_citations", "audit_paper", "check_facts", "check_registries", "cite",
    "judge", "read_paper", "referee_paper", "replay", "replay_paper_audit", "replay_review", "research",
    "resume", "resume_paper_audit", "resume_review", "verify", "write_review",
)  # fmt: skip
_HOMES = dict.fromkeys(_SYNC, "use_cases.sync") | {
    "Answer": "claims.answer", "Budget": "policy.cost_tiers", "Citation": "citations.citing",
    "ClaimEnvelope": "claims.envelope", "ClaimGraph": "claims.graph", "Document": "documents.document",
    "EntryVerdict": "citations.bibliography.entry_verdict", "Chain": "claims.chain", "RunDiff": "claims.run_diff",
    "FactCheck": "factcheck.outcome", "InputError": "errors",
    "Judgment": "claims.judgment", "OpenVerdict": "verification.open_claims", "PaperAudit": "papers.audit",
    "PolicyError": "errors", "Refusal": "citations.citing", "Review": "reviews.review_document",
    "Scoring": "scoring.score", "TierVerdict": "policy.source_policy", "Triangulation": "citations.verdict",
    "Unavailable": "errors", "UnknownRun": "errors", "Verifier": "use_cases.claims", "VeritasError": "errors",
    "cancel": "use_cases.run_archive", "check": "use_cases.citations", "diff_runs": "use_cases.run_states",
    "list_paper_audits": "use_cases.papers", "list_reviews": "use_cases.reviews",
    "list_runs": "use_cases.run_archive", "load_paper_audit": "use_cases.papers", "load_run": "use_cases.run_states",
    "open_corpus": "use_cases.corpora", "render_report": "use_cases.reports", "score_graph": "use_cases.papers",
    "stream": "use_cases.questions", "tier": "use_cases.claims", "triangulate": "use_cases.citations",
    "why": "use_cases.why", "write_report": "use_cases.reports",
}  # fmt: skip
_NAMED_ELSEWHERE = {"EntryVerdict": "Judged"}


def __getattr__(name: str) -> Any:
    if name in ("aio", "approvals"):
        return importlib.import_module(f"veritas.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'veritas' has no attribute {name!r}")
    return getattr(importlib.import_module(f"veritas.{_HOMES[name]}"), _NAMED_ELSEWHERE.get(name, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "Answer",
    "Budget",
    "Chain",
    "Citation",
    "ClaimEnvelope",
    "ClaimGraph",
    "Document",
    "EntryVerdict",
    "FactCheck",
    "InputError",
    "Judgment",
    "OpenVerdict",
    "PaperAudit",
    "PolicyError",
    "Refusal",
    "Review",
    "RunDiff",
    "Scoring",
    "TierVerdict",
    "Triangulation",
    "Unavailable",
    "UnknownRun",
    "Verifier",
    "VeritasError",
    "__version__",
    "add_to_corpus",
    "aio",
    "approvals",
    "audit_bibliography",
    "audit_citations",
    "audit_paper",
    "cancel",
    "check",
    "check_facts",
    "check_registries",
    "cite",
    "diff_runs",
    "judge",
    "list_paper_audits",
    "list_reviews",
    "list_runs",
    "load_paper_audit",
    "load_run",
    "open_corpus",
    "read_paper",
    "referee_paper",
    "render_report",
    "replay",
    "replay_paper_audit",
    "replay_review",
    "research",
    "resume", "resume_paper_audit",
    "resume_review",
    "score_graph",
    "stream",
    "tier",
    "triangulate",
    "verify",
    "why",
    "write_report",
    "write_review",
]  # fmt: skip
