"""The comparison of two sentences, and of a claim with a passage: the one place where a meaning is decided."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from veritas.meaning._accounting import Account, account
from veritas.meaning._alignment import Matches
from veritas.meaning._deciding import weighed
from veritas.meaning._exclusion import excluded
from veritas.meaning._reading import Reading, read
from veritas.meaning._rearrangement import orders
from veritas.meaning._word import Word, finite
from veritas.meaning.equivalence import equivalent
from veritas.meaning.relation import NOWHERE, Comparison, Difference, Setting
from veritas.text.languages import plainly_foreign
from veritas.text.sentences import sentences, split_sentences

_LOW = attrgetter("low")
_PRONOUNS = frozenset({"it", "they", "he", "she", "its", "their", "his", "her"})
_OPENING = re.compile(r"(?:It|They|He|She|This|These)(?=\s)(?!\s+(?:is|was)\s+\w+\s+that\b)")
_OWN_STUDY = re.compile(r"(?i)\b(?:in|during) our (?:test|trial|study|experiment|case|sample|survey|measurement)s?\b")
"""What held in a source's own study may not hold elsewhere."""
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
    there, opposed = _best(one, other, of_first, known)
    if known and there.differences and opposed is not None:
        return Comparison("excludes", opposed[0].aligned(), (opposed[1],))
    back = len(there.differences) < 2 and bool(_best(other, one, of_second, known)[0].differences)
    if there.differences and (told_by := _REPORTED.match(second)):  # "The study found that …", of what it says
        rest = second[told_by.end() :]
        found = compare(first, rest[:1].upper() + rest[1:], of_first=of_first, of_second=of_second)
        if found.entailed:
            return Comparison("entails", found.aligned)
    if one.question != other.question:
        return Comparison("cannot tell", there.aligned(), (Difference("modality", first, second, True),))
    if not there.differences:
        if (own := _OWN_STUDY.search(first)) and not _OWN_STUDY.search(second):
            return Comparison("cannot tell", there.aligned(), (Difference("scope", own[0], "", False),))
        return Comparison("entails" if back else "same", there.aligned())
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


def _best(
    one: Reading, other: Reading, of_first: Setting, one_thing: bool
) -> tuple[Account, tuple[Account, Difference] | None]:
    """Return the account with the fewest differences, over the orders in which both can be read, and the first one that
    shows an exclusion, with its difference."""
    subject = read(of_first.subject).words if of_first.subject else ()
    return _nearest(one.words, other.words, frozenset(base for word in subject for base in word.bases), one_thing)


def _nearest(
    one: tuple[Word, ...], other: tuple[Word, ...], known: frozenset[str], one_thing: bool
) -> tuple[Account, tuple[Account, Difference] | None]:
    best: Account | None = None
    opposed: tuple[Account, Difference] | None = None
    seen: dict[tuple[str, ...], list[tuple[tuple[Word, ...], tuple[Word, ...]]]] = {}
    matches = Matches()
    for mine, theirs in orders(one, other):
        alike = seen.setdefault((*map(_LOW, mine), "", *map(_LOW, theirs)), [])
        if (mine, theirs) in alike:
            continue
        alike.append((mine, theirs))
        found = account(mine, theirs, known, matches)
        if best is None or found.cost < best.cost:
            best = found
        if opposed is None and (why := excluded(found, known=one_thing)) is not None:
            opposed = found, why
        if not found.differences:
            break
    assert best is not None
    return best, opposed


def compare_passage(passage: str, claim: str, *, setting: Setting = NOWHERE) -> Comparison:
    """Return the relation of a passage to a claim: that of the sentence (or of two neighbouring ones together) that
    comes nearest to entailing it. Claim and passage are taken to speak of the same thing.

    A pronoun that begins a sentence stands for the setting's subject, or for the first noun of the sentence before.
    Rows of tables and code are not compared.
    """
    if stands_whole(passage, claim):
        return Comparison("same")
    told = [passage[s.start : s.end] for s in sentences(passage) if s.kind in ("prose", "item", "heading")]
    if not told and not any(mark in passage for mark in ("|", "\t", "\n")):
        told = [passage]
    told = [_leaning(told, at) for at in range(len(told))]
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


def _leaning(told: Sequence[str], at: int) -> str:
    """Return a sentence whose first pronoun is the subject of the sentence before, if that has a plain one."""
    opening = _OPENING.match(told[at])
    if not at or opening is None:
        return told[at]
    words = read(told[at - 1]).words
    verb = next((k for k, w in enumerate(words) if w.verb is not None), None)
    subject = words[:verb] if verb else ()
    named = " ".join(w.text for w in subject)
    return f"{named}{told[at][opening.end() :]}"
