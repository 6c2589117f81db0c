"""Evidence: the statements of a member's passages, and how well each speaks to a sub-query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veritas.claims.sources import Passage
from veritas.council.embedded.facets import DEFINITION, read_facet
from veritas.council.embedded.statements import Statement, statements_of
from veritas.council.embedded.subjects import ASKS, subject_of
from veritas.text.asking import asks_how, asks_which
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS
from veritas.text.tokens import index_terms, weigh


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
    how: bool = False
    """Is a way to do something asked for? An instruction answers that, and nothing else."""
    which: bool = False
    """Are several things asked for? A list answers that best."""

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
        return cls(named, kept, named_subject & kept.keys(), few, asks_how(text), asks_which(text))

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
            asked = inquiry.how or (inquiry.which and bool(statement.items))
            told_alone = statement.fault is None or (asked and statement.instructs)
            if statement.titled and not inquiry.which:
                continue  # "Bug fixes", "News": such a list speaks of many things
            if not told_alone or inquiry.count(statement.stems) < needed:
                continue
            # In a pair, the sentence with the pronoun must itself say something of what is asked.
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
    """Return the stems of a passage, of what is just before it and of its heading."""
    beside = frozenset(index_terms(f"{passage.before}\n{passage.heading}"))
    return beside.union(*(statement.stems for statement in stated))
