"""A word of a reading, and what the words of grammar around it say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veritas.meaning._function_words import BE, DO, HAVE
from veritas.meaning._tokens import Kind
from veritas.meaning._vocabulary import bases, kinds, verb_bases
from veritas.text.quantities import Quantity
from veritas.text.wordlist import words

Tense = Literal["", "past", "present", "future", "perfect"]
Degree = Literal["", "more", "less", "most", "least", "as", "too", "very"]
SAME_PAST = words(
    "put cut set read let hit cost hurt shut spread beat burst cast shed split bet bid quit rid thrust upset broadcast"
)
"""Verbs whose past is their base form."""


@dataclass(frozen=True, slots=True)
class Verb:
    """What the words around a verb say of it. `modal` is the modal's sense, `not_` its denial; `bare` marks a form
    that no auxiliary and no ending makes finite."""

    tense: Tense = ""
    modal: str = ""
    modal_text: str = ""
    not_: bool = False
    never: bool = False
    passive: bool = False
    progressive: bool = False
    infinitive: bool = False
    form: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A word of a reading. `clause` numbers the clauses."""

    text: str
    low: str
    kind: Kind
    bases: frozenset[str]
    cls: str = ""
    quantity: Quantity | None = None
    verb: Verb | None = None
    degree: Degree = ""
    clause: int = 0

    def __eq__(self, other: object) -> bool:
        """Return whether all is equal; what differs most often is looked at first."""
        return isinstance(other, Word) and (
            self.low == other.low and self.clause == other.clause
            and self.verb == other.verb and self.text == other.text and self.kind == other.kind
            and self.bases == other.bases and self.cls == other.cls and self.quantity == other.quantity
            and self.degree == other.degree
        )  # fmt: skip

    def __hash__(self) -> int:
        """Return a hash that takes little time: sentences are looked up by their words often."""
        return hash(self.low)

    @property
    def content(self) -> bool:
        """True for a content word, a name or a quantity."""
        return self.kind in ("content", "name", "number")


def past_form(low: str) -> bool:
    """Return whether a word's form is a past or a past participle."""
    low = low.removesuffix("-to")  # "belonged-to"
    if low.endswith("ed") and len(low) > 3 and not (low in verb_bases(low) and "v" in kinds(low)):
        return not kinds(low) or "a" in kinds(low) or any(base != low for base in bases(low))  # "speed" is none
    if low == "rent" or low.endswith(("ing", "s")) or low in BE | HAVE | DO:
        return False
    return any(base != low for base in verb_bases(low)) and not low.endswith(("er", "est"))


def finite(word: Word) -> bool:
    """Return whether a word is a verb with a subject of its own."""
    return word.verb is not None and not word.verb.infinitive


def is_adverb(word: Word) -> bool:
    """Return whether a word may stand between an auxiliary and its verb: "is often widely used"."""
    of = kinds(word.low)
    if word.cls == "quantifier":
        return of == {"r"}  # "no" and "any" determine a noun
    return word.kind == "content" and (of == {"r"} or (word.low.endswith("ly") and "r" in (of or {"r"})))
