"""Evidence: the sentences of a member's passages, and how well each speaks to a sub-query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.claims.sources import Passage
from veritas.council.embedded.assertable import claim_part, why_not
from veritas.council.embedded.facets import DEFINITION, read_facet
from veritas.council.embedded.subjects import ASKS, subject_of
from veritas.reading.verbatim import fold_whitespace
from veritas.text.blocks import BlockKind
from veritas.text.instructions import is_instruction
from veritas.text.sentences import sentences
from veritas.text.tokens import GENERIC_WORDS, index_terms, stem, weigh

QUOTE_CHARACTERS = 900
"""A quote takes a neighbouring sentence in only while it stays within this length."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a passage: `text` is whitespace-folded, `start` and `end` are offsets in the passage's text.

    `place` counts the assertable and other prose sentences of its paragraph from 0; `fault` says why it cannot be
    asserted, or is None. `quote_start` and `quote_end` take in up to one neighbour on either side in its paragraph.
    """

    text: str
    claim: str
    start: int
    end: int
    quote_start: int
    quote_end: int
    kind: BlockKind
    place: int
    heading: frozenset[str]
    stems: frozenset[str]
    fault: str | None


@lru_cache(maxsize=4096)
def statements(text: str, cut_before: bool = False) -> tuple[Statement, ...]:
    """The sentences of a passage's text. With `cut_before` the text begins inside a sentence, so its first is none."""
    found = sentences(text)
    folded = [fold_whitespace(text[s.start : s.end]) for s in found]
    hostile = [is_instruction(part) for part in folded]
    made: list[Statement] = []
    heading: frozenset[str] = frozenset()
    place = 0
    for i, (sentence, part) in enumerate(zip(found, folded, strict=True)):
        place = place + 1 if i and found[i - 1].block == sentence.block else 0
        if sentence.kind == "heading":
            heading = frozenset(index_terms(part))
        fault = why_not(part, sentence.kind)
        if fault is None and cut_before and i == 0:
            fault = "its beginning lies in the passage before"
        start, end = sentence.start, sentence.end
        for near in (i - 1, i + 1):
            if 0 <= near < len(found) and found[near].block == sentence.block and not hostile[near]:
                first, last = min(start, found[near].start), max(end, found[near].end)
                if last - first <= QUOTE_CHARACTERS:
                    start, end = first, last
        made.append(
            Statement(
                text=part,
                claim=claim_part(part),
                start=sentence.start,
                end=sentence.end,
                quote_start=start,
                quote_end=end,
                kind=sentence.kind,
                place=place,
                heading=heading,
                stems=frozenset(index_terms(part)),
                fault=fault,
            )
        )
    return tuple(made)


def statements_of(passage: Passage) -> tuple[Statement, ...]:
    """The sentences of a passage."""
    before = passage.before.rstrip(" ")
    return statements(passage.text, bool(before) and before[-1] not in ".!?:;。！？\"”')]*\n" and passage.start > 0)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A sub-query as a reader without a model sees it: its facet, and its topic words with their weights."""

    facet: str
    weights: dict[str, float]
    subject: frozenset[str] = frozenset()
    """Those topic words that name what is asked about: who does not speak of it does not answer."""

    @classmethod
    def of(cls, text: str, facet: str) -> Inquiry:
        """The words that name a kind of question ("effect", "evidence") count only if there are no others."""
        topic, named = read_facet(text, facet)
        weights = weigh(topic)
        subjects = {key: weight for key, weight in weights.items() if key not in _GENERIC}
        kept = subjects or weights
        named_subject = frozenset(weigh(subject_of(topic))) if ASKS.match(topic) else frozenset()
        return cls(named, kept, named_subject & kept.keys())

    def speaks(self, stems: frozenset[str], near: frozenset[str], around: frozenset[str]) -> bool:
        """Whether a sentence speaks of something that is asked about the subject, and of the subject itself: by name
        in it or beside it (`near`), in full in its passage (`around`)."""
        subject = self.subject
        if subject and (not subject & near or len(subject & around) < min(len(subject), 2)):
            return False
        asked = self.weights.keys() - subject
        if self.facet == DEFINITION and subject:
            asked = set(subject)
        return not (subject and asked) or bool(asked & stems)

    def covered(self, stems: frozenset[str]) -> float:
        """Share of the topic's weight that is among the stems, 0 to 1."""
        whole = sum(self.weights.values())
        return sum(weight for key, weight in self.weights.items() if key in stems) / whole if whole else 0.0

    def count(self, stems: frozenset[str]) -> int:
        """How many topic words are among the stems."""
        return sum(key in stems for key in self.weights)


_GENERIC = frozenset(stem(word) for word in GENERIC_WORDS)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be asserted: `own` and `around` are how much of the topic it and its passage cover."""

    passage: Passage
    statement: Statement
    own: float
    around: float


def enough(topics: int) -> float:
    """Least relevance of a sentence that is asserted, by the number of topic words. Of two words the sentence must hold
    both, or one in a passage that holds both; of ten, some four. Below that, one speaks of something else."""
    return max(0.36, 0.70 - 0.045 * topics)


def around_enough(topics: int) -> float:
    """Least share of the topic that a sentence's passage must cover."""
    return max(0.4, 0.7 - 0.05 * topics)


TOGETHER = 0.6
"""Least share of the topic that all passages together must cover: where half the question's words occur nowhere, what
was found is about something else."""


def relevance(candidate: Candidate) -> float:
    """0 to 1: seven tenths the sentence's own share of the topic, three tenths its passage's."""
    return 0.7 * candidate.own + 0.3 * candidate.around


def candidates(inquiry: Inquiry, passages: Sequence[Passage]) -> list[Candidate]:
    """The assertable sentences that speak to the inquiry; none when nothing does. In the order of the passages."""
    topics = len(inquiry.weights)
    needed = min(topics, 2 if topics >= 3 else 1)
    read = [(passage, stated, _around(passage, stated)) for passage in passages for stated in [statements_of(passage)]]
    if inquiry.covered(frozenset().union(*(around for _, _, around in read))) < TOGETHER:
        return []
    found = []
    for passage, stated, around in read:
        share = inquiry.covered(around)
        if share < around_enough(topics):
            continue
        for statement in stated:
            if statement.fault is not None or inquiry.count(statement.stems) < needed:
                continue
            near = frozenset(index_terms(passage.text[statement.quote_start : statement.quote_end]))
            if not inquiry.speaks(statement.stems, near, around) or not _opens_with(inquiry, statement):
                continue
            candidate = Candidate(passage, statement, inquiry.covered(statement.stems), share)
            if relevance(candidate) >= enough(topics):
                found.append(candidate)
    return found


def _opens_with(inquiry: Inquiry, statement: Statement) -> bool:
    """Whether a sentence asked for a definition begins with what is to be defined; true of any other inquiry."""
    if inquiry.facet != DEFINITION:
        return True
    opening = frozenset(index_terms(re.split(r"[,;]", " ".join(statement.claim.rpartition(": ")[2].split()[:5]))[0]))
    return inquiry.covered(opening) >= 0.5


def _around(passage: Passage, stated: Sequence[Statement]) -> frozenset[str]:
    """The stems of a passage and of what stands just before it."""
    return frozenset(index_terms(passage.before)).union(*(statement.stems for statement in stated))
