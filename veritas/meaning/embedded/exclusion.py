"""Exclusions: a sentence leaves out or excepts something ("without", "except", "unless", "no longer") that a claim
takes in."""

from __future__ import annotations

from typing import Literal, NamedTuple

from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.embedded.conflicts import clause, instead
from veritas.meaning.embedded.edits import substitutions
from veritas.meaning.embedded.scope import Objection
from veritas.text import lexicon

Sort = Literal["with", "without", "except", "unless", "even"]

_WORDS: dict[Sort, str] = {
    "with": "with|including|plus|together with|along with|in the presence of|in presence of",
    "without": "without|lacking|devoid of|free of|free from|minus|in the absence of|in absence of",
    "except": "excluding|not including|not counting|but not|except|except for|except in|except with|"
    "excepting|other than|apart from|aside from|all but|save for|with the exception of|with exception of|"
    "with the exceptions of",
    "unless": "unless|except if|except when|except where",
    "even": "even if|even when|even with|even without|even though|whether or not|regardless of|irrespective of|"
    "no matter|also if|also when",
}  # fmt: skip
_MARKERS: dict[tuple[str, ...], Sort] = {
    tuple(words.split()): sort for sort, row in _WORDS.items() for words in row.split("|")
}
_LONGEST = max(map(len, _MARKERS))
_EVERYTHING = frozenset("everything everyone everybody anything anyone anybody all any".split())
_WHOLE = _EVERYTHING | frozenset("every each always no none never nobody nothing both".split())
_CONDITIONS = frozenset("if when while where whenever provided only until once as".split())
_USUAL = frozenset("default defaults normally usually ordinarily initially".split())
_PAST = frozenset("once formerly previously earlier until was were had used did before".split())
_INWARD = ("with", "even")
_BESIDES = ("apart from", "aside from", "other than")
"""Markers that except from "all"; otherwise they may also add."""
_OBJECTS = 3
"""Most content words behind a marker that it may speak of."""


class Marker(NamedTuple):
    """Words that take in or leave out: their sort, the stems of their objects, whether that is everything, the words,
    and the places of the marker."""

    sort: Sort
    objects: frozenset[str]
    everything: bool
    text: str
    places: range


def taken_in(claim: Statement, statement: Statement) -> Objection | None:
    """Return an objection where the claim takes in what the sentence leaves out, or the other way round, or drops an
    exception."""
    mine, theirs = _markers(claim), _markers(statement)
    return (
        _substituted(claim, mine, statement, theirs)
        or _swapped(claim, mine, theirs)
        or _excepted(claim, mine, statement, theirs)
        or _unless(claim, mine, statement, theirs)
        or _no_longer(claim, statement)
    )


def _substituted(
    claim: Statement, mine: list[Marker], statement: Statement, theirs: list[Marker]
) -> Objection | None:
    """Return an objection if one marker takes the other's place in a claim that is otherwise the sentence."""
    for ours, others in substitutions(claim, statement):
        put = [m for m in mine if set(m.places) & set(ours)]
        taken = [m for m in theirs if set(m.places) & set(others)]
        for one in put:
            for other in taken:
                if (one.sort in _INWARD) != (other.sort in _INWARD):
                    return Objection("silent", instead(other.text, one.text))
    return None


def _swapped(claim: Statement, mine: list[Marker], theirs: list[Marker]) -> Objection | None:
    """Return an objection if "without its frame" is made "with its frame" or "with everything", or "with" is made
    "without"."""
    for one in mine:
        for other in theirs:
            ours, out = one.sort in _INWARD, other.sort not in _INWARD
            if ours == out and (ours or (one.sort == "without" and other.sort == "with")):
                shared = one.objects & other.objects
                if not shared and not (one.everything and one.sort == "with"):
                    continue
                if any(claim.stems.count(stemmed) > 1 for stemmed in shared):
                    continue  # the claim sets those with it beside those without
                if any(_same(one, m) for m in theirs) or any(_same(other, m) for m in mine):
                    continue
                return Objection("silent", instead(other.text, one.text))
    return None


def _same(one: Marker, other: Marker) -> bool:
    """Return whether both take in, or both leave out, one of the same objects."""
    return (one.sort in _INWARD) == (other.sort in _INWARD) and bool(one.objects & other.objects)


def _excepted(
    claim: Statement, mine: list[Marker], statement: Statement, theirs: list[Marker]
) -> Objection | None:
    """Return an objection if "all but two" is made "all", or the claim is about one of the two."""
    if any(m.sort not in _INWARD for m in mine):
        return None
    denied = [at for at in statement.negations if not any(at in m.places for m in theirs)]
    if len(claim.negations) % 2 != len(denied) % 2:
        return None
    all_there = bool(_words(statement) & _WHOLE)
    for marker in theirs:
        if marker.sort != "except" or (not all_there and marker.text.lower().startswith(_BESIDES)):
            continue
        of_these = bool(marker.objects) and marker.objects <= set(claim.stems)
        # The same sentence may say the claim of them in another place.
        of_these = of_these and any(statement.stems.count(stemmed) == 1 for stemmed in marker.objects)
        if of_these or (all_there and _words(claim) & _WHOLE):
            return Objection("refutes", f"the passage makes an exception ({marker.text!r}) that the claim does not")
    return None


def _unless(claim: Statement, mine: list[Marker], statement: Statement, theirs: list[Marker]) -> Objection | None:
    """Return an objection if the claim leaves out a condition under which it is not so."""
    usual = _words(claim) & _USUAL  # what is so by default may be set otherwise
    if usual or any(m.sort != "with" for m in mine) or _words(claim) & _CONDITIONS:
        return None
    return next(
        (
            Objection("silent", f"the passage says {m.text!r}, and the claim leaves that out")
            for m in theirs if m.sort == "unless"
        ),
        None,
    )  # fmt: skip


def _no_longer(claim: Statement, statement: Statement) -> Objection | None:
    """Return an objection if the claim says to be so what is no longer so."""
    words = [t.lower for t in statement.tokens]
    if claim.negations or _words(claim) & _PAST:
        return None
    for at in range(len(words) - 1):
        if words[at : at + 2] in (["no", "longer"], ["not", "anymore"]):
            after = [t.stem for t in statement.tokens[at + 2 :] if t.stem not in lexicon.STOP][:1]
            if after and after[0] in claim.stems:
                return Objection("refutes", f"the passage says it is no longer so ({' '.join(words[at : at + 4])!r})")
    return None


def _markers(statement: Statement) -> list[Marker]:
    words, found, at = statement.tokens, list[tuple[int, int, Sort]](), 0
    while at < len(words):
        sizes = range(min(_LONGEST, len(words) - at), 0, -1)
        size = next((n for n in sizes if tuple(t.lower for t in words[at : at + n]) in _MARKERS), 0)
        if size:
            found.append((at, at + size, _MARKERS[tuple(t.lower for t in words[at : at + size])]))
        at += size or 1
    markers: list[Marker] = []
    for i in reversed(range(len(found))):
        start, end, sort = found[i]
        stop = min(clause(statement, start)[1], found[i + 1][0] if i + 1 < len(found) else len(words))
        reach = words[end:stop]
        objects = [t.stem for t in reach if t.stem not in lexicon.STOP][:_OBJECTS]
        if not objects and markers and all(t.lower in ("and", "or") for t in reach):
            objects = list(markers[-1].objects)  # "with and without its frame"
        everything = bool(reach[:1]) and reach[0].lower in _EVERYTHING
        text = statement.text[words[start].start : words[min(end + 2, stop, len(words)) - 1].end]
        markers.append(Marker(sort, frozenset(objects), everything, text, range(start, end)))
    return markers[::-1]


def _words(statement: Statement) -> set[str]:
    return {t.lower for t in statement.tokens}
