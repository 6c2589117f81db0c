"""The reviewer's input, lines of a draft, and its verdicts on them (spec, section 4.2)."""

from __future__ import annotations

from typing import Literal

from veritas.frozen import Frozen
from veritas.gate import Decision
from veritas.reviews.manuscript import Manuscript, SentenceKind

Verdict = Literal["VERIFIED", "UNVERIFIED", "OVERGENERALISED", "UNGROUNDED", "VAGUE", "UNAVAILABLE"]
"""VERIFIED: a quote of the papers it cites supports it. UNVERIFIED: they are there and do not support it. UNGROUNDED:
it cites nothing, or something that is not in the corpus. VAGUE: it states nothing that could be checked. Two
are none of the specification's four. OVERGENERALISED: it says of all, or for certain, what they say of some (case 4).
UNAVAILABLE: nobody could judge it, which says nothing about it (I5)."""
VERDICTS: tuple[Verdict, ...] = ("VERIFIED", "UNVERIFIED", "OVERGENERALISED", "UNGROUNDED", "VAGUE", "UNAVAILABLE")

FlagKind = Literal[
    "overgeneralisation", "condition", "idle-citation", "logic", "contradiction", "repetition", "style", "verbatim",
]  # fmt: skip


class Line(Frozen):
    """A sentence as the reviewer sees it: its text, the keys it cites, its place. It names no claim, so that the
    reviewer has to find the writer's evidence for itself."""

    sentence_id: str
    section: str
    paragraph: int
    kind: SentenceKind
    text: str
    keys: tuple[str, ...] = ()


class Flag(Frozen):
    """A remark for the person; it decides nothing by itself."""

    kind: FlagKind
    why: str


class FoundQuote(Frozen):
    """A quote of the corpus that the reviewer compared with a sentence."""

    claim_id: str | None
    paper_key: str
    page: int | None = None
    verbatim: str


class SentenceVerdict(Frozen):
    """The reviewer's judgement of a sentence: the verdict with its reason, the quotes, and remarks for the person."""

    sentence_id: str
    verdict: Verdict
    reason: str
    quotes: tuple[FoundQuote, ...] = ()
    flags: tuple[Flag, ...] = ()
    decision: Decision | None = None
    """The gate's decision, if the lenses were asked."""


def lines_of(manuscript: Manuscript) -> tuple[Line, ...]:
    """Return the draft as the reviewer gets it."""
    titles = {section.section_id: section.title for section in manuscript.sections}
    return tuple(
        Line(
            sentence_id=s.sentence_id,
            section=titles.get(s.section, s.section),
            paragraph=s.paragraph,
            kind=s.kind,
            text=s.text,
            keys=s.keys,
        )
        for s in manuscript.sentences
    )
