"""Converses: "A sold it to B" and "B bought it from A", "A is faster than B" and "B is slower than A"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from veritas.meaning._rearrangement import Words, clause_start, phrase_end
from veritas.meaning._vocabulary import antonyms
from veritas.meaning._word import Word, finite

_TRANSFERS = {
    ("sell", "buy"): ("to", "from"), ("sell", "purchase"): ("to", "from"), ("lend", "borrow"): ("to", "from"),
    ("give", "receive"): ("to", "from"), ("give", "get"): ("to", "from"), ("send", "receive"): ("to", "from"),
    ("award", "receive"): ("to", "from"), ("pay", "receive"): ("to", "from"), ("rent", "lease"): ("to", "from"),
    ("donate", "receive"): ("to", "from"), ("grant", "receive"): ("to", "from"), ("export", "import"): ("to", "from"),
    ("supply", "obtain"): ("to", "from"), ("transmit", "receive"): ("to", "from"), ("inherit", "leave"): ("from", "to"),
}  # fmt: skip
_SIDES = (
    ("precede", "follow"),
    ("own", "belong-to"),
    ("defeat", "lose-to"),
    ("employ", "work-for"),
    ("contain", "be-in"),
)
_RELATIONS = tuple(
    tuple(pair.split())
    for pair in (
        "parent child|mother child|father child|husband wife|teacher student|teacher pupil|employer employee|"
        "predecessor successor|ancestor descendant|north south|east west|above below|over under|before after|"
        "behind before|superset subset|superior subordinate|buyer seller|lender borrower|upstream downstream|"
        "host guest|landlord tenant|left right|older younger|uncle nephew|creditor debtor|inside around"
    ).split("|")
)
_COUNTERPARTS: dict[str, set[str]] = {}
for _one, _other in _RELATIONS:
    _COUNTERPARTS.setdefault(_one, set()).add(_other)
    _COUNTERPARTS.setdefault(_other, set()).add(_one)
_SYMMETRIC = frozenset(
    "meet marry resemble equal differ match border adjoin intersect similar identical equal equivalent adjacent"
    " different related married parallel compatible associate correlate".split()
)
"""Words whose two sides may be changed."""
_MORE = frozenset({"more", "less", "fewer"})
_DATIVE = frozenset("give send lend sell show offer teach tell hand grant award pay bring promise".split())


def dative(words: Words) -> Words:
    """Write "gave the city the painting" as "gave the painting to the city"."""
    for at, word in enumerate(words):
        if finite(word) and word.bases & _DATIVE:
            first = _noun(words, at + 1)
            second = _noun(words, first)
            if first > at + 1 and second > first and words[first].cls in ("article", "possessive", "quantifier"):
                to = Word("to", "to", "grammar", frozenset({"to"}), "preposition")
                return (*words[: at + 1], *words[first:second], to, *words[at + 1 : first], *words[second:])
    return words


def _noun(words: Words, at: int) -> int:
    """Return where the noun phrase that begins at `at` ends, at the next article at the latest."""
    end = at
    while end < len(words):
        word = words[end]
        if word.kind == "mark" or word.verb is not None:
            break
        if word.kind == "grammar" and not (
            end == at and word.cls in ("article", "possessive", "quantifier", "pronoun")
        ):
            break
        end += 1
    return end


def converses(words: Words, other: Words) -> Iterator[Words]:
    """Yield the words with their sides changed, where the other sentence has the converse of one of them."""
    yield from _comparisons(words, other)
    for at, word in enumerate(words):
        if word.kind == "mark":
            continue
        wanted = {rival for base in word.bases for rival in _COUNTERPARTS.get(base, ())}
        for rival in other:
            if word.kind != rival.kind:
                continue
            if finite(word) and finite(rival):
                yield from _verbs(words, at, rival)
            elif wanted and wanted & rival.bases and not word.bases & rival.bases:
                yield from _related(words, at, rival)
        if word.bases & _SYMMETRIC and any(word.bases & rival.bases for rival in other):
            yield from _related(words, at, word)


def _comparisons(words: Words, other: Words) -> Iterator[Words]:
    than = next((k for k, w in enumerate(words) if w.cls == "than"), None)
    if than is None or not any(w.cls == "than" for w in other):
        return
    at = next(
        (k for k in range(than - 1, -1, -1) if words[k].degree in ("more", "less") or words[k].low in _MORE), None
    )
    verb = next((k for k in range((at or 0) - 1, -1, -1) if finite(words[k])), None)
    if at is None or verb is None:
        return
    for rival in other:
        opposed = (
            (rival.degree == words[at].degree and antonyms(_base(rival), _base(words[at])))
            or (rival.bases & words[at].bases and {rival.degree, words[at].degree} == {"more", "less"})
            or frozenset((rival.low, words[at].low)) in (frozenset({"more", "less"}), frozenset({"more", "fewer"}))
        )
        if opposed and (rival.degree or rival.low in _MORE):
            start, end = clause_start(words, verb), phrase_end(words, than + 1)
            subject, partner = words[start:verb], words[than + 1 : end]
            yield (*words[:start], *partner, *words[verb:at], rival, *words[at + 1 : than + 1], *subject, *words[end:])


def _base(word: Word) -> str:
    return next(iter(sorted(word.bases - {word.low})), word.low)


def _verbs(words: Words, at: int, rival: Word) -> Iterator[Words]:
    """Yield the sentence told from the other side."""
    start = clause_start(words, at)
    subject = words[start:at]
    told = replace(rival, verb=words[at].verb)
    for (gives, takes), (to, from_) in _TRANSFERS.items():
        for mine, theirs, mark, instead in ((gives, takes, to, from_), (takes, gives, from_, to)):
            if mine in words[at].bases and theirs in rival.bases:
                by = next((k for k in range(at + 1, len(words)) if words[k].low == mark), None)
                if by is None:
                    continue
                end = phrase_end(words, by + 1)
                turned = Word(instead, instead, "grammar", frozenset({instead}), "preposition")
                yield (*words[:start], *words[by + 1 : end], told, *words[at + 1 : by], turned, *subject, *words[end:])
    if any({*pair} <= words[at].bases | rival.bases and not words[at].bases & rival.bases for pair in _SIDES):
        end = phrase_end(words, at + 1)
        yield (*words[:start], *words[at + 1 : end], told, *subject, *words[end:])


def _related(words: Words, at: int, rival: Word) -> Iterator[Words]:
    """Yield the sentence with the two sides of a relation changed: of a noun with "of", a preposition, an adverb."""
    behind = at + 1
    if behind < len(words) and words[behind].low in ("of", "to", "from", "with"):
        behind += 1
    end = phrase_end(words, behind)
    verb = at if finite(words[at]) else next((k for k in range(at - 1, -1, -1) if finite(words[k])), None)
    if verb is None or end == behind:
        return
    told = replace(rival, verb=words[at].verb)
    if words[at].kind == "grammar" and any(finite(w) for w in words[behind:]):
        yield (*words[behind:], told, *words[:at])
        return
    start = clause_start(words, verb)
    subject = words[start:verb]
    if verb == at:
        yield (*words[:start], *words[behind:end], told, *words[at + 1 : behind], *subject, *words[end:])
    else:
        yield (
            *words[:start],
            *words[behind:end],
            *words[verb:at],
            told,
            *words[at + 1 : behind],
            *subject,
            *words[end:],
        )
