"""Settling: what a person may let in, what nobody may, and that whatever is left out has its row."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from veritas import approvals
from veritas.gate import Decision, Finding, OracleAnswer
from veritas.reviews.conclude import settled
from veritas.reviews.manuscript import Cited, Manuscript, ManuscriptSection, ReviewDraft, ReviewSentence
from veritas.reviews.review_document import CorpusState, Review, StopNote
from veritas.reviews.reviewing.review_verdicts import SentenceVerdict
from veritas.reviews.reviewing.reviewer import Report
from veritas.reviews.stage_outputs import Revised, Slot, Written


def slot(kind: str, text: str) -> Slot:
    draft = ReviewDraft.model_validate({"text": text, "claim_ids": ("q-1",), "kind": kind})
    sentence = ReviewSentence.model_validate(
        {
            "sentence_id": f"s-{kind}-{len(text)}", "section": "all", "paragraph": 0, "kind": kind, "text": text,
            "claim_ids": ("q-1",), "cites": (Cited(paper_key="tang2004", pages=(3,)),),
        }
    )  # fmt: skip
    return Slot(section="all", draft=draft, sentence=sentence)


def fabricated(text: str) -> Decision:
    finding = Finding(finding_id="f", kind="review-sentence", claim=text, passages=("made up",), family="crimson")
    return Decision(
        decision_id="d-1", finding=finding, action="dropped", verdict="fabricated", needs_person=False,
        reason="stands nowhere", rule="ensemble",
        answers=(OracleAnswer(oracle="corpus", verdict="fabricated", rationale="stands nowhere"),),
    )  # fmt: skip


def review(slots: tuple[Slot, ...], decision: Decision | None = None) -> Review:
    section = ManuscriptSection(section_id="all", title="All")
    sentences = tuple(s.sentence for s in slots if s.sentence)
    draft = Manuscript(
        topic="drying", title="Drying", sections=(section,), sentences=sentences, writer="w", family="crimson"
    )
    verdicts = tuple(
        SentenceVerdict(sentence_id=s.subject, verdict="UNVERIFIED", reason="it does not stand", decision=decision)
        for s in slots
    )
    about: dict[str, Any] = {
        "review_id": "review-test", "topic": "drying", "structure": "imrad", "version": "0", "timings": (),
        "corpus": CorpusState(name="c", content_hash="h", papers=1, claims=1),
        "started_at": datetime.now(UTC), "finished_at": datetime.now(UTC),
    }  # fmt: skip
    stop = StopNote(approval_id="a-1", state="approved", by="Ada: yes")
    revised = Revised(revisions=(), report=Report(reviewer=(), verdicts=()))
    written = Written(draft=draft, slots=slots)
    return asyncio.run(
        settled(written, Report(reviewer=(), verdicts=verdicts), revised, None, None, corpus_stop=stop, **about)
    )


@pytest.mark.parametrize(
    ("made", "decision"),
    [
        (slot("quotation", "Words that stand in no paper at all."), None),
        (slot("claim", "The shelf was warm."), fabricated("The shelf was warm.")),
    ],
    ids=["altered quotation", "fabricated quote"],
)
def test_no_person_is_asked_about_what_does_not_stand_and_it_has_its_row(made: Slot, decision: Decision | None) -> None:
    found = review((made,), decision)
    assert [(e.sentence.text, e.approval_id, e.state) for e in found.left_out] == [(made.draft.text, None, "none")]
    assert [a.kind for a in approvals.pending()] == ["review-text"]
    assert [s.kind for s in found.manuscript.sentences] == ["gap"]
    assert found.layers.reviewer == 1


def test_what_was_not_verified_is_before_a_person() -> None:
    found = review((slot("claim", "The shelf was warm."),))
    (entry,) = found.left_out
    assert entry.state == "pending"
    assert entry.approval_id in {a.approval_id for a in approvals.pending() if a.kind == "review-sentence"}


def test_a_gap_of_an_older_review_is_shown_in_words_of_code() -> None:
    words = "[Citation needed: warm shelves cure every cold, as all trials agree]"
    old = slot("claim", "The shelf was warm.")
    draft = ReviewDraft(text=words, kind="gap")
    gap = ReviewSentence(sentence_id="s-old", section="all", paragraph=0, kind="gap", text=words)
    found = review((old, Slot(section="all", draft=draft, sentence=gap)))
    assert [s.text for s in found.manuscript.sentences] == [
        "[Citation needed: all of drying; 1 drafted sentence was left out, see report.html]",
        "[Citation needed: all of drying]",
    ]
    assert [c.text for c in found.layer_one] == [words]
