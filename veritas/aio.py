"""The asynchronous face of VERITAS: the same names as in `veritas`, as coroutines.

    from veritas import aio

    graph = await aio.research("Does Prefect retry failed tasks?", corpus="docs/")
    async for event in aio.stream("Does Prefect retry failed tasks?", corpus="docs/"):
        print(event)
"""

from veritas.use_cases.bibliographies import audit_bibliography
from veritas.use_cases.citations import audit_citations, check_registries, cite
from veritas.use_cases.claims import judge, verify
from veritas.use_cases.corpora import add_to_corpus
from veritas.use_cases.factchecks import check_facts
from veritas.use_cases.papers import audit_paper, read_paper, referee_paper, replay_paper_audit, resume_paper_audit
from veritas.use_cases.questions import replay, research, resume, stream
from veritas.use_cases.reviews import replay_review, resume_review, write_review

__all__ = [
    "add_to_corpus", "audit_bibliography", "audit_citations", "audit_paper", "check_facts", "check_registries", "cite",
    "judge", "read_paper", "referee_paper", "replay", "replay_paper_audit", "replay_review", "research",
    "resume", "resume_paper_audit", "resume_review", "stream", "verify", "write_review",
]  # fmt: skip
