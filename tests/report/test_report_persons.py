"""What is before a person, as every reader of the report gets it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from veritas import ClaimGraph
from veritas.claims.override import ApprovalNote, Override, PersonDecision
from veritas.report import render_html, render_markdown, render_terminal
from veritas.report.decisions import HEADINGS, settled

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)


def said(verdict: Any, name: str, reason: str = "I read it") -> PersonDecision:
    return PersonDecision(verdict=verdict, name=name, reason=reason, at=NOW)


def note(claim: str, state: Any, *decisions: PersonDecision) -> ApprovalNote:
    return ApprovalNote(
        approval_id="a-0123456789ab", subject_id=claim, sentence="You probably expected …", state=state,
        expires_at=NOW + timedelta(days=1), decisions=decisions,
    )


def override(claim: str, name: str = "Ada") -> Override:
    return Override(claim_id=claim, approval_id="a-0123456789ab", name=name, reason="I read it", at=NOW)


def with_(graph: ClaimGraph, notes: list[ApprovalNote], overrides: tuple[Override, ...] = ()) -> ClaimGraph:
    return graph.model_copy(update={"approvals": tuple(notes), "overrides": overrides})


@pytest.mark.parametrize(
    ("state", "decisions", "taken", "fate", "words"),
    [
        ("pending", (), False, "pending", "waits for a person until 2026-11-21 10:00 UTC"),
        ("expired", (), False, "expired", "Nobody settled it in time"),
        ("rejected", (said("reject", "Bob"),), False, "rejected", "Rejected by Bob (unsigned) on 2026-11-20"),
        ("approved", (said("approve", "Ada"),), False, "approved", "Not in this answer: a replay takes it in."),
        ("approved", (said("approve", "Ada"),), True, "let-in", "Let in by Ada (unsigned): I read it"),
        ("withdrawn", (said("approve", "Ada"), said("withdraw", "Bob")), True, "doubted", "withdrawn by Bob"),
        ("withdrawn", (said("approve", "Ada"), said("withdraw", "Bob")), False, "withdrawn", "Withdrawn by Bob"),
    ],
)
def test_each_fate_is_told_by_every_form_of_the_report(
    graph: ClaimGraph, state: str, decisions: tuple[PersonDecision, ...], taken: bool, fate: str, words: str
) -> None:
    claim = graph.claims[0]
    told = with_(graph, [note(claim.claim_id, state, *decisions)], (override(claim.claim_id),) if taken else ())
    (row,) = settled(told)
    assert row.fate == fate
    assert words in row.words
    terminal = " ".join(render_terminal(told, width=100).split())
    for text in (render_html(told), render_markdown(told).replace("\\", ""), terminal):
        assert words in text
        assert HEADINGS[fate] in text
    assert f'data-fate="{fate}"' in render_html(told)


def test_the_findings_are_the_same_whatever_was_settled_since(graph: ClaimGraph) -> None:
    told = with_(graph, [note(graph.claims[0].claim_id, "approved", said("approve", "Ada"))])
    assert told.content_hash() == graph.content_hash()
    assert with_(graph, [], (override(graph.claims[0].claim_id),)).content_hash() != graph.content_hash()


def test_names_and_reasons_are_text_and_nothing_else(graph: ClaimGraph) -> None:
    name, reason = "<script>alert(1)</script>\x1b[2J", "**bold** [x](http://evil.example)\u202e"
    claim = graph.claims[0].claim_id
    told = with_(graph, [note(claim, "rejected", said("reject", name, reason), said("reject", name, reason))])
    html, markdown, terminal = render_html(told), render_markdown(told), render_terminal(told)
    assert "<script>alert" not in html
    assert "](http://evil" not in markdown
    assert "<script>" not in markdown
    assert not {"\x1b", "\u202e"} & set(terminal)
    assert not {"\x1b", "\u202e"} & set(html.split('id="graph"')[0])
