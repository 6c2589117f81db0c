"""Evidence: the sentences of a member's passages, and how well each speaks to a sub-query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.claims.sources import Passage
from veritas.council.embedded.assertable import claim_part, points_back, why_not
from veritas.council.embedded.facets import DEFINITION, read_facet
from veritas.council.embedded.subjects import ASKS, subject_of
from veritas.documents.verbatim import fold_whitespace
from veritas.text.blocks import BlockKind
from veritas.text.instructions import is_instruction
from veritas.text.sentences import Sentence, sentences
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS
from veritas.text.tokens import index_terms, weigh

PAIR_CHARACTERS = 400
"""A sentence that points back is asserted with the one before it only while both together stay below this length."""
QUOTE_CHARACTERS = 900
"""A quote takes a neighbouring sentence in only while it stays within this length."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a passage: `text` is whitespace-folded, `start` and `end` are offsets in the passage's text.

    `place` counts the assertable and other prose sentences of its paragraph from 0; `fault` says why it cannot be
    asserted, or is None. A sentence that begins with a pronoun is joined with the one before it: `claim` and `stems`
    are then of both, and `pointer` is the second. `quote_start` and `quote_end` take in up to one neighbour on either
    side in its paragraph.
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
    pointer: str = ""


@lru_cache(maxsize=4096)
def statements(text: str, cut_before: bool = False) -> tuple[Statement, ...]:
    """Return the sentences of a passage's text. With `cut_before` the text begins inside a sentence, so the first
    sentence cannot be asserted."""
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
        start, end, pointer = sentence.start, sentence.end, ""
        if fault is not None and _joins(part, made, found, i):
            start, pointer, fault = found[i - 1].start, part, None
            part = fold_whitespace(text[start:end])
        begins = start
        for near in (i - 1, i + 1):
            if 0 <= near < len(found) and found[near].block == sentence.block and not hostile[near]:
                first, last = min(start, found[near].start), max(end, found[near].end)
                if last - first <= QUOTE_CHARACTERS:
                    start, end = first, last
        made.append(
            Statement(
                text=part,
                claim=claim_part(part),
                start=begins,
                end=sentence.end,
                quote_start=start,
                quote_end=end,
                kind=sentence.kind,
                place=place,
                heading=heading,
                stems=frozenset(index_terms(part)),
                fault=fault,
                pointer=pointer,
            )
        )
    return tuple(made)


def _joins(part: str, made: Sequence[Statement], found: Sequence[Sentence], i: int) -> bool:
    """Return whether the `i`-th sentence lacks only what the sentence before it tells, which can stand alone."""
    if not i or found[i - 1].block != found[i].block or not points_back(part):
        return False
    before = made[i - 1]
    return (
        before.fault is None
        and not before.pointer
        and found[i].end - found[i - 1].start < PAIR_CHARACTERS
        and why_not(part, found[i].kind, beside=True) is None
    )


def statements_of(passage: Passage) -> tuple[Statement, ...]:
    """Return the sentences of a passage."""
    before = passage.before.rstrip(" ")
    return statements(passage.text, bool(before) and before[-1] not in ".!?:;。！？\"”')]*\n" and passage.start > 0)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A sub-query as a reader without a model sees it: its facet, and its topic words with their weights."""

    facet: str
    weights: dict[str, float]
    subject: frozenset[str] = frozenset()
    """The topic words that name the subject; a sentence that does not speak of it does not answer."""
    required: frozenset[str] = frozenset()
    """All topic words where there are at most `FEW`: a sentence, its neighbours and its heading must hold each; of
    three, one may stand elsewhere in the passage."""

    @classmethod
    def of(cls, text: str, facet: str) -> Inquiry:
        """Read the facet and the topic words of a sub-query. Words that name a kind of question ("effect", "evidence")
        count only if there are no others."""
        topic, named = read_facet(text, facet)
        weights = weigh(topic)
        subjects = {key: weight for key, weight in weights.items() if key not in _GENERIC}
        kept = subjects or weights
        named_subject = frozenset(weigh(subject_of(topic))) if ASKS.match(topic) else frozenset()
        few = frozenset(subjects) if len(subjects) <= FEW else frozenset()
        return cls(named, kept, named_subject & kept.keys(), few)

    def speaks(self, stems: frozenset[str], near: frozenset[str], around: frozenset[str]) -> bool:
        """Return whether a sentence speaks of what is asked about the subject, and of the subject itself. The subject
        must be named in it or beside it (`near`), and in full in its passage (`around`)."""
        subject = self.subject
        if subject and (not subject & near or len(subject & around) < min(len(subject), 2)):
            return False
        asked = self.weights.keys() - subject
        if self.facet == DEFINITION and subject:
            asked = set(subject)
        return not (subject and asked) or bool(asked & stems)

    def holds_all(self, near: frozenset[str], around: frozenset[str]) -> bool:
        """Return whether none of the `required` words is missing."""
        missing = self.required - near
        return not missing or (len(missing) == 1 and len(self.required) == FEW and missing <= around)

    def covered(self, stems: frozenset[str]) -> float:
        """Return the share of the topic's weight that is among the stems, 0 to 1."""
        whole = sum(self.weights.values())
        return sum(weight for key, weight in self.weights.items() if key in stems) / whole if whole else 0.0

    def count(self, stems: frozenset[str]) -> int:
        """Return the number of topic words among the stems."""
        return sum(key in stems for key in self.weights)


FEW = 3
"""Most topic words of which none may be missing: "the licence of click" is no licence of something else."""
_GENERIC = frozenset(stem(word) for word in GENERIC_WORDS)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be asserted; `own` and `around` are the shares of the topic that it and its passage cover."""

    passage: Passage
    statement: Statement
    own: float
    around: float


def enough(topics: int) -> float:
    """Return the least relevance of an asserted sentence, by the number of topic words. Of two words the sentence
    must hold both, or one in a passage that holds both; of ten, some four. A sentence below that speaks of something
    else."""
    return max(0.36, 0.70 - 0.045 * topics)


def around_enough(topics: int) -> float:
    """Return the least share of the topic that a sentence's passage must cover."""
    return max(0.4, 0.7 - 0.05 * topics)


TOGETHER = 0.6
"""Least share of the topic that all passages together must cover. Where half the question's words occur nowhere, the
passages are about something else."""


def relevance(candidate: Candidate) -> float:
    """Return seven tenths of the sentence's own share of the topic plus three tenths of its passage's, 0 to 1."""
    return 0.7 * candidate.own + 0.3 * candidate.around


def candidates(inquiry: Inquiry, passages: Sequence[Passage]) -> list[Candidate]:
    """Return the assertable sentences that speak to the inquiry, in the order of the passages; none when nothing
    does."""
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
            # Of a pair, the sentence with the pronoun must itself say something of what is asked.
            told = frozenset(index_terms(statement.pointer)) if statement.pointer else statement.stems
            near = frozenset(index_terms(passage.text[statement.quote_start : statement.quote_end]))
            if not inquiry.holds_all(near | statement.heading, around) or not inquiry.count(told):
                continue
            if not inquiry.speaks(told, near, around) or not _opens_with(inquiry, statement):
                continue
            candidate = Candidate(passage, statement, inquiry.covered(statement.stems), share)
            if relevance(candidate) >= enough(topics):
                found.append(candidate)
    return found


def _opens_with(inquiry: Inquiry, statement: Statement) -> bool:
    """Return whether a sentence asked for a definition begins with the term to define; True for any other inquiry."""
    if inquiry.facet != DEFINITION:
        return True
    opening = frozenset(index_terms(re.split(r"[,;]", " ".join(statement.claim.rpartition(": ")[2].split()[:5]))[0]))
    return inquiry.covered(opening) >= 0.5


def _around(passage: Passage, stated: Sequence[Statement]) -> frozenset[str]:
    """Return the stems of a passage and of what stands just before it."""
    return frozenset(index_terms(passage.before)).union(*(statement.stems for statement in stated))
