"""Judgments kept outside the catalogue of runs: those of papers' audits and of reviews."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from veritas.claims.judgment import Judgment
from veritas.errors import VeritasError

logger = logging.getLogger(__name__)


def of_audits(home: Path) -> Iterator[dict[str, Any]]:
    """Yield a row for each judgment on a statement of a finished audit, in the form of the table `judgments`.

    The same statement of the same paper on the same passages is the same subject in every audit.
    """
    from veritas.papers.audit_runs import load_audit, papers_home
    from veritas.store.paths import run_ids

    for audit_id in run_ids(papers_home(home)):
        try:
            audit = load_audit(audit_id, home)
        except VeritasError as problem:
            logger.info("%s is not counted: %s", audit_id, problem)
            continue
        for node in audit.nodes:
            if node.grounding is not None:
                subject = f"{audit.paper.document_id} {node.text}"
                evidence = [e.text for e in audit.evidence if e.id in node.grounding.evidence]
                yield from _rows(audit_id, subject, "paper-node", evidence, node.grounding.judgments)


def of_reviews(home: Path) -> Iterator[dict[str, Any]]:
    """Yield a row for each judgment on a sentence of a review, in the same form."""
    from veritas.reviews.review_store import review_ids, stored_outputs
    from veritas.reviews.reviewing.reviewer import Report

    for review_id in review_ids(home):
        try:
            outputs = list(stored_outputs(review_id, home))
            reports = [Report.model_validate(output["report"]) for _, output in outputs if "report" in output]
        except (VeritasError, ValidationError) as problem:
            logger.info("%s is not counted: %s", review_id, problem)
            continue
        for report in reports:
            for verdict in report.verdicts:
                if (decision := verdict.decision) is not None:
                    claim, passages = decision.finding.claim, list(decision.finding.passages)
                    yield from _rows(review_id, claim, "review-sentence", passages, decision.judgments)


def _rows(
    run_id: str, subject: str, purpose: str, passages: list[str], judgments: tuple[Judgment, ...]
) -> Iterator[dict[str, Any]]:
    for judgment in judgments:
        yield {
            "run_id": run_id,
            "subject_id": subject,
            "purpose": purpose,
            "passage_ids": passages,
            "lens": judgment.lens,
            "family": judgment.family,
            "label": judgment.label,
        }
