"""What the reviewer is shown of a draft, and what it says of it (spec, section 4.2)."""

from __future__ import annotations

from typing import Literal

from veritas.frozen import Frozen
from veritas.gate import Decision
from veritas.reviews.manuscript import Manuscript, SentenceKind

Verdict = Literal["VERIFIED", "UNVERIFIED", "UNGROUNDED", "VAGUE", "UNAVAILABLE"]
"""VERIFIED: a quote of the papers it cites carries it. UNVERIFIED: they are there and do not carry it. UNGROUNDED: it
cites nothing, or what is not in the corpus. VAGUE: it says nothing that could be checked. UNAVAILABLE is none of the
specification's four: nobody could judge it, which says nothing about it (I5)."""
VERDICTS: tuple[Verdict, ...] = ("VERIFIED", "UNVERIFIED", "UNGROUNDED", "VAGUE", "UNAVAILABLE")

FlagKind = Literal["overgeneralisation", "condition", "idle-citation", "logic", "contradiction", "repetition", "style"]


class Line(Frozen):
    """A sentence as the reviewer sees it: its text, the keys it cites, where it stands. It names no claim: what the
    writer had before it, the reviewer has to find for itself."""

    sentence_id: str
    section: str
    paragraph: int
    kind: SentenceKind
    text: str
    keys: tuple[str, ...] = ()


class Flag(Frozen):
    """A remark for the person, which decides nothing by itself."""

    kind: FlagKind
    why: str


class FoundQuote(Frozen):
    """A quote of the corpus that the reviewer held against a sentence."""

    claim_id: str | None
    paper_key: str
    page: int | None = None
    verbatim: str


class SentenceVerdict(Frozen):
    """What the reviewer says of a sentence: the verdict with its reason, the quotes, and remarks for the person."""

    sentence_id: str
    verdict: Verdict
    reason: str
    quotes: tuple[FoundQuote, ...] = ()
    flags: tuple[Flag, ...] = ()
    decision: Decision | None = None
    """The gate's, where the lenses were asked."""


def lines_of(manuscript: Manuscript) -> tuple[Line, ...]:
    """The draft as the reviewer gets it."""
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
