"""What is left open for want of support: findings alone, on a reason to doubt them, if somebody outside was asked."""

from __future__ import annotations

from typing import Any

import pytest

from veritas.documents.paper_parts import Place
from veritas.papers.audit import AuditNode, Metric, PaperEvidence
from veritas.papers.audit_stages import AUDITS
from veritas.papers.flaw import OpenPoint
from veritas.papers.open_points import _of_node
from veritas.papers.verification.metric_policy import load_verification_policy
from veritas.papers.verification.metrics import Findings, assess
from veritas.scoring.parameters import read_parameters
from veritas.scoring.roles import METRICS

FINDING = "Shading lowers the ammonia loss of compost piles by 40 %."


def open_of(text: str = FINDING, role: str = "Result", *, doubt: bool = True, outside: bool = True) -> list[OpenPoint]:
    low = Metric(value=0.1, why="so", doubt=doubt)
    node = AuditNode(
        id="n1", role=role, base_role=role, text=text, place=Place(start=0, end=len(text)),
        metrics=dict.fromkeys(METRICS, low),
    )  # fmt: skip
    return [p for p in _of_node(node, read_parameters(), {}, outside, set()) if p.kind == "unsupported"]


def piece(source: str, label: str) -> PaperEvidence:
    return PaperEvidence(
        id=f"e-{source}-{label}", node="n1", source=source, url="corpus://x/1", title="x", tier=1, text="x",  # type: ignore[arg-type]
        document_id="1", start=0, end=1, label=label, score=0.9,  # type: ignore[arg-type]
    )  # fmt: skip


def doubts(metric: str, **found: Any) -> bool:
    node = AuditNode(id="n1", role="Result", base_role="Result", text=FINDING, place=Place(start=0, end=9))
    return assess(node, Findings(**found), load_verification_policy())[metric].doubt


def test_a_finding_that_there_is_reason_to_doubt_lacks_support() -> None:
    assert len(open_of()) == 1


def test_where_nobody_outside_was_asked_nothing_is_said_to_lack_support() -> None:
    assert open_of(outside=False) == []


def test_grounds_that_give_no_reason_to_doubt_a_finding_accuse_it_of_nothing() -> None:
    assert open_of(doubt=False) == []


OWN, AGAINST, SILENT = piece("paper", "supports"), piece("corpus", "refutes"), piece("corpus", "silent")


@pytest.mark.parametrize(
    ("metric", "found", "doubt"),
    [
        ("evidence_strength", {"figures": True}, False),
        ("evidence_strength", {"figures": True, "evidence": (AGAINST,)}, True),
        ("evidence_strength", {"figures": True, "evidence": (piece("paper", "refutes"),)}, True),
        ("evidence_strength", {"evidence": (OWN,)}, False),
        ("evidence_strength", {"evidence": (SILENT,)}, False),
        ("evidence_strength", {}, True),
        ("credibility", {"evidence": (OWN,)}, False),
        ("credibility", {"evidence": (OWN, AGAINST)}, True),
        ("credibility", {"evidence": (SILENT,)}, True),
        ("method_rigor", {"signals": {"reproducibility": ()}}, False),
        ("citation_support", {}, True),
    ],
)
def test_only_grounds_against_a_statement_or_none_at_all_are_reasons_to_doubt_it(
    metric: str, found: dict[str, Any], doubt: bool
) -> None:
    assert doubts(metric, **found) is doubt


@pytest.mark.parametrize(
    ("why", "doubt"),
    [
        ("it states figures; contradicted by 1 outside source", True),
        ("it reports what others found and cites nobody", True),
        ("it states figures", False),
        ("what speaks of it outside says neither yes nor no", False),
    ],
)
def test_an_older_audit_keeps_what_was_read_from_its_words(why: str, doubt: bool) -> None:
    stored = {"version": 1, "output": {"nodes": [{"metrics": {"credibility": {"value": 0.1, "why": why}}}]}}
    assert AUDITS.output("verify", stored)["nodes"][0]["metrics"]["credibility"]["doubt"] is doubt


@pytest.mark.parametrize("role", ["Method", "Assumption", "Context", "Hypothesis"])
def test_what_is_done_or_taken_for_granted_lacks_no_support(role: str) -> None:
    assert open_of(role=role) == []


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3. Loss of ammonia from shaded and open piles.",
        "(C) The same for the piles of 2019.",
        "All rates can be found in Table 2.",
        "The dashed lines are defined by Eq. 4 and Eq. 6, respectively.",
        "Table 4 lists the losses of all 12 piles.",
        "The loss is defined as the nitrogen that leaves the pile as ammonia.",
        "We denote the mean loss of 12 piles by L.",
        "R. Almeida was supported by a doctoral fellowship of the Compost Foundation under Grant No. 4711.",
        "This work was funded by the Ministry of Soil.",
        "We thank two readers for their remarks on pile 7.",
    ],
)
def test_a_sentence_that_states_no_finding_lacks_no_support(text: str) -> None:
    assert open_of(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The view that shading lowers the loss is supported by our 12 piles.",
        "Losses fell by 40 % in shaded piles (Table 2).",
        "Ammonia was found in 9 of 12 piles.",
    ],
)
def test_a_finding_that_points_to_a_table_or_says_where_is_one(text: str) -> None:
    assert len(open_of(text)) == 1
