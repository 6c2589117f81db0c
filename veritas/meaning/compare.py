"""The comparison of two sentences, and of a claim with a passage: the one place where a meaning is decided."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from veritas.meaning._accounting import Account, account
from veritas.meaning._alignment import Pair
from veritas.meaning._reading import Reading, read
from veritas.meaning._word import Word, finite
from veritas.meaning.relation import NOWHERE, Comparison, Difference, Setting
from veritas.text.languages import plainly_foreign
from veritas.text.same_words import said
from veritas.text.sentences import sentences, split_sentences
from veritas.text.wordlist import words

_ROOM = words(
    """
    may might could some sometimes often usually many most several few rarely occasionally certain generally typically
    normally commonly mostly partly various varying any possible possibly perhaps probably likely also other others
    another different depending either or example for-example e.g suppose imagine say assume hypothetical up-to
    """
)
"""Words that leave room for another number, or for a denial."""
_OTHERS = words("another any other others different or either")
_NONE = words("no nobody nothing none neither nowhere")
_CHANGING = words(
    """
    now currently today nowadays recently lately newly deprecated removed previously formerly earlier until once
    originally initially no-longer anymore yet still already soon upcoming
    """
)
"""Words that tell that something was not always so, or will not be."""


def excluded(found: Account, known: bool = True) -> Difference | None:
    """Return the one difference by which two sentences cannot both be true, or None.

    `known`: both are known to speak of the same thing, as two sentences of one text are.
    """
    if len(found.differences) != 1:
        return None
    only = found.differences[0]
    for pair in found.pairs:
        if _opposed(found, pair, only) and _open_to_one(found, pair):
            return replace(only, decisive=True)
    return None


def _opposed(found: Account, pair: Pair, only: Difference) -> bool:
    """Return whether the difference is that of a pair, and one of two values that exclude each other."""
    a, b = found.first[pair.first], found.second[pair.second]
    if (only.first, only.second) != (a.text, b.text):
        return False
    if only.kind in ("number", "unit"):
        return pair.match.opposed in ("number", "unit")
    if only.kind == "polarity" and a.verb is not None and b.verb is not None:
        return True
    return only.kind in ("opposite", "comparison")


def _open_to_one(found: Account, pair: Pair) -> bool:
    return _asserts(found.first, pair.first) and _asserts(found.second, pair.second)


def _asserts(read: Sequence[Word], at: int) -> bool:
    """Return whether the clause of a word asserts, always and of all."""
    clause = [w for w in read if w.clause == read[at].clause and w.kind != "mark"]
    verbs = [w.verb for w in clause if w.verb is not None]
    if any(v.modal == "supposed" or v.modal_text in ("may", "might", "could") for v in verbs):
        return False
    denied = read[at].verb is not None  # "not to another firm" leaves no room, "usually not" does
    others = [
        w for w in clause
        if w.kind != "name" and w is not read[at] and not (denied and w.low in _OTHERS)
        and not (w.low == "also" and read[at].quantity is None)
    ]  # fmt: skip
    room = any(
        (w.low in _ROOM and w.text.casefold() not in _NONE) or w.low in _CHANGING or w.cls == "hedge" for w in others
    )
    return not room and any(finite(w) for w in read)


_LONG = re.compile(r"\b[a-z]{8,}")
"""A long word: of these `said` folds the last letters only."""
_BEGINNING = 5


def equivalent(a: str, b: str) -> bool:
    """Return whether two claims say the same thing."""
    return not _plainly_other(a, b) and _words(a) == _words(b)


def _plainly_other(a: str, b: str) -> bool:
    """Return whether a long word of one is none of the other, which is soon told."""
    if not (a.isascii() and b.isascii()):
        return False
    rest = b.casefold()
    return any(long[:_BEGINNING] not in rest for long in _LONG.findall(a.casefold()))


def _words(text: str) -> tuple[str, ...]:
    return said(text) or (text,)


COVERED = 0.5
"""Least share of the claim's content words that the source has, for a difference of the two to decide. Two sentences
with less in common, or with a second difference that is a doubt, may say one thing in other words."""
_LOGICAL = frozenset({"polarity", "quantifier", "opposite", "exception", "condition", "comparison", "number", "scope"})
"""Kinds of which two may undo each other: "not all", "some … not"; "up to 3", "not more than 3"."""


def weighed(found: Account, source: Sequence[Word]) -> tuple[Difference, ...]:
    """Return the differences of an account of a source (or of one of its statements), as doubts where they do not
    decide."""
    differences = tuple(_weighed(found, d, source) for d in found.differences)
    decisive = [d for d in differences if d.decisive]
    undone = len(decisive) > 1 and any(d.kind == "polarity" for d in decisive) and (
        all(d.kind in _LOGICAL for d in decisive)
    )  # fmt: skip
    if found.covered < COVERED or len(decisive) < len(differences) or undone:
        return tuple(replace(d, decisive=False) for d in differences)
    return differences


def _weighed(found: Account, difference: Difference, source: Sequence[Word]) -> Difference:
    if not difference.decisive:
        return difference
    if not difference.second:
        return replace(difference, decisive=False)
    return difference


_PRONOUNS = frozenset({"it", "they", "he", "she", "its", "their", "his", "her"})

_REPORTED = re.compile(
    r"(?i)(?:the|this) (?:study|paper|article|trial|review|report|analysis|authors) (?:found|reported|showed|stated|"
    r"concluded|finds|reports|shows|states|concludes|find|report|show|state|conclude) that\s+"
)


def compare(first: str, second: str, *, of_first: Setting = NOWHERE, of_second: Setting = NOWHERE) -> Comparison:
    """Return the relation of a first sentence to a second one. Deterministic; what cannot be told is `cannot tell`, as
    is all but equal words in a language other than English."""
    if equivalent(first, second):
        return Comparison("same")
    if plainly_foreign(first) or plainly_foreign(second):
        return Comparison("cannot tell")
    one, other = resolved(read(first), of_first), resolved(read(second), of_second)
    if one.hard or other.hard or not one.words or not any(w.content for w in other.words):
        return Comparison("cannot tell")
    known = bool(of_first.document) and of_first.document == of_second.document
    known = bool(of_first.document) and of_first.document == of_second.document
    there = account(one.words, other.words, _told(of_first))
    opposed = excluded(there, known=known)
    if known and there.differences and opposed is not None:
        return Comparison("excludes", there.aligned(), (opposed,))
    if there.differences and (told_by := _REPORTED.match(second)):  # "The study found that …", of what it says
        rest = second[told_by.end() :]
        found = compare(first, rest[:1].upper() + rest[1:], of_first=of_first, of_second=of_second)
        if found.entailed:
            return Comparison("entails", found.aligned)
    if one.question != other.question:
        return Comparison("cannot tell", there.aligned(), (Difference("modality", first, second, True),))
    if not there.differences:
        back = account(other.words, one.words, _told(of_second))
        return Comparison("entails" if back.differences else "same", there.aligned())
    differences = weighed(there, one.words)
    if not there.covered:
        return Comparison("unrelated", (), differences)
    return Comparison("cannot tell", there.aligned(), differences)


def resolved(reading: Reading, setting: Setting) -> Reading:
    """Return a reading with the setting's subject where a pronoun before the first verb stands for it."""
    words = reading.words
    verb = next((k for k, w in enumerate(words) if finite(w)), len(words))
    at = next((k for k, w in enumerate(words[:verb]) if w.low in _PRONOUNS), None)
    if not setting.subject or at is None:
        return reading
    subject = tuple(replace(w, clause=words[at].clause) for w in read(setting.subject).words)
    owner = (Word("'s", "'s", "grammar", frozenset({"'s"}), "possessive"),) if words[at].cls == "possessive" else ()
    return replace(reading, words=(*words[:at], *subject, *owner, *words[at + 1 :]))


def unnamed(sentence: str) -> str | None:
    """Return the word that stands for the subject of an earlier sentence ("It works …", "By default they …", "These
    settings …"), or None if the sentence names its subject."""
    words = read(sentence).words
    for at, word in enumerate(words):
        if word.low in _PRONOUNS or word.cls == "demonstrative":
            behind = list(takewhile(lambda w: w.low != "that", words[at + 1 :]))
            says_that = at + 1 + len(behind) < len(words) and sum(w.content and w.low != "be" for w in behind) < 2
            return None if word.low == "it" and says_that else word.low  # "It is documented that …"
        passed = word.kind in ("grammar", "mark") or word.cls == "default"
        if finite(word) or word.cls == "preposition" or not passed:
            return None
    return None


def subject(sentence: str) -> str:
    """Return the words of content before the first verb of a sentence."""
    words = read(sentence).words
    return " ".join(w.low for w in words[: next((k for k, w in enumerate(words) if finite(w)), 0)] if w.content)


def _told(setting: Setting) -> frozenset[str]:
    """Return the base forms of the words that a text is about."""
    words = read(setting.subject).words if setting.subject else ()
    return frozenset(base for word in words for base in word.bases)


def compare_passage(passage: str, claim: str, *, setting: Setting = NOWHERE) -> Comparison:
    """Return the relation of a passage to a claim: that of the sentence (or of two neighbouring ones together) that
    comes nearest to entailing it. Claim and passage are taken to speak of the same thing.

    A pronoun that begins a sentence stands for the setting's subject. Rows of tables and code are not compared.
    """
    if stands_whole(passage, claim):
        return Comparison("same")
    told = [passage[s.start : s.end] for s in sentences(passage) if s.kind in ("prose", "item", "heading")]
    if not told and not any(mark in passage for mark in ("|", "\t", "\n")):
        told = [passage]
    wanted = frozenset(base for w in read(claim).words if w.content for base in w.bases)
    ranked = sorted(range(len(told)), key=lambda at: (-_shared(told[at], wanted), at))[:NEAREST]
    known = replace(setting, document=setting.document or "the passage")
    best: Comparison | None = None
    for text in (told[at] for at in ranked):
        found = compare(text, claim, of_first=known, of_second=known)
        if found.entailed:
            return found
        if best is None or _rank(found) > _rank(best):
            best = found
    return best or Comparison("cannot tell")


def stands_whole(passage: str, claim: str) -> bool:
    """Return whether a claim of several sentences, as a list with its introduction or a text with its program, stands
    in the passage word for word, from the beginning of a sentence or a paragraph to the end of one."""
    wanted = " ".join(claim.split())
    if wanted not in " ".join(passage.split()):
        return False
    spans = split_sentences(passage)
    blocks = [match.span() for match in _BLOCK.finditer(passage)]  # a program has no sentences
    starts = sorted({start for start, _ in (*spans, *blocks)})
    ends = sorted({end for _, end in (*spans, *blocks)})
    return any(
        " ".join(passage[start:end].split()) == wanted
        for start in starts
        if " ".join(passage[start:].split()).startswith(wanted)
        for end in ends
        if end > start
    )


_BLOCK = re.compile(r"\S(?:.|\n(?!\s*\n))*")
"""A paragraph, up to a blank line."""
NEAREST = 3
"""Number of sentences of a passage that are compared with a claim, those that share most words with it."""


def _shared(text: str, wanted: frozenset[str]) -> int:
    return len({base for w in read(text).words if w.content for base in w.bases} & wanted)


def _rank(found: Comparison) -> tuple[bool, int, int]:
    return found.relation == "excludes", len(found.aligned), -len(found.differences)
