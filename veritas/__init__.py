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
else:  # hidden from type checkers, for which there is no name but these

    def __getattr__(name: str) -> Any:
        if name in ("aio", "approvals"):
            return importlib.import_module(f"veritas.{name}")
        home = next((home for home, names in _HOMES.items() if name in names.split()), None)
        if home is None:
            raise AttributeError(f"module 'veritas' has no attribute {name!r}")
        return getattr(importlib.import_module(f"veritas.{home}"), "Judged" if name == "EntryVerdict" else name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


_HOMES = {
    "citations.bibliography.entry_verdict": "EntryVerdict",
    "citations.citing": "Citation Refusal",
    "citations.verdict": "Triangulation",
    "claims.answer": "Answer",
    "claims.chain": "Chain",
    "claims.envelope": "ClaimEnvelope",
    "claims.graph": "ClaimGraph",
    "claims.judgment": "Judgment",
    "claims.run_diff": "RunDiff",
    "documents.document": "Document",
    "errors": "InputError PolicyError Unavailable UnknownRun VeritasError",
    "factcheck.outcome": "FactCheck",
    "papers.audit": "PaperAudit",
    "policy.cost_tiers": "Budget",
    "policy.source_policy": "TierVerdict",
    "reviews.review_document": "Review",
    "scoring.score": "Scoring",
    "use_cases.citations": "check triangulate",
    "use_cases.claims": "Verifier tier",
    "use_cases.corpora": "open_corpus",
    "use_cases.papers": "list_paper_audits load_paper_audit score_graph",
    "use_cases.questions": "stream",
    "use_cases.reports": "render_report write_report",
    "use_cases.reviews": "list_reviews",
    "use_cases.run_archive": "cancel list_runs",
    "use_cases.run_states": "diff_runs load_run",
    "use_cases.sync":
        "add_to_corpus audit_bibliography audit_citations audit_paper check_facts check_registries cite "
        "judge read_paper referee_paper replay replay_paper_audit replay_review research resume "
        "resume_paper_audit resume_review verify write_review",
    "use_cases.why": "why",
    "verification.open_claims": "OpenVerdict",
}
"""The modules of the names, which are loaded when they are first asked for."""

__all__ = [
    "Answer", "Budget", "Chain", "Citation", "ClaimEnvelope", "ClaimGraph", "Document", "EntryVerdict", "FactCheck",
    "InputError", "Judgment", "OpenVerdict", "PaperAudit", "PolicyError", "Refusal", "Review", "RunDiff", "Scoring",
    "TierVerdict", "Triangulation", "Unavailable", "UnknownRun", "Verifier", "VeritasError", "__version__",
    "add_to_corpus", "aio", "approvals", "audit_bibliography", "audit_citations", "audit_paper", "cancel", "check",
    "check_facts", "check_registries", "cite", "diff_runs", "judge", "list_paper_audits", "list_reviews", "list_runs",
    "load_paper_audit", "load_run", "open_corpus", "read_paper", "referee_paper", "render_report", "replay",
    "replay_paper_audit", "replay_review", "research", "resume", "resume_paper_audit", "resume_review", "score_graph",
    "stream", "tier", "triangulate", "verify", "why", "write_report", "write_review",
]  # fmt: skip
