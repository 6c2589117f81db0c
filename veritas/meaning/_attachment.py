"""What belongs to which verb, and to which part of a group: the claim may not hang it on another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veritas.meaning._alignment import Pair, match
from veritas.meaning._function_words import QUANTITY_ORDER
from veritas.meaning._rearrangement import Words, clause_start
from veritas.meaning._vocabulary import kinds, period, person
from veritas.meaning._word import Word, finite
from veritas.meaning.relation import Difference
from veritas.text.wordlist import words

_PARTS = words("part half third quarter fifth tenth portion fraction share piece rest remainder majority minority")
_ALL = words("all each every both any no none")
_OF_SOME = words("a an one some any among several many few")


def of_other_verbs(first: Sequence[Word], second: Sequence[Word], pairs: Sequence[Pair]) -> list[Difference]:
    """Return the difference of a word that stands behind one verb of the source, and in the claim with another, which
    the source has before: "convicted Reed and acquitted Finch of fraud", "convicted Reed of fraud"."""
    verbs = [k for k, w in enumerate(first) if finite(w)]
    if len(verbs) < 2:
        return []
    at = {p.second: p.first for p in pairs if p.match.how is not None}
    met = [at[j] for j, w in enumerate(second) if j in at and finite(w)]
    if not met or verbs[-1] <= min(met):
        return []
    mine, theirs = _governors(first), _governors(second)
    for p in pairs:
        word = second[p.second]
        verb = theirs[p.second]
        if not word.content or finite(word) or verb is None or verb not in at or p.match.how is None:
            continue
        told, meant = mine[p.first], at[verb]
        if not finite(first[meant]) or (p.second < verb and not _fronted(second, p.second)):
            continue
        other = told is not None and told > meant and not (
            (p.first < told and not _fronted(first, p.first)) or _side_by_side(first, meant, told)
            or _when_both(first, p.first, meant, told)
        )  # fmt: skip
        if other or any(w.low == ";" for w in first[meant : p.first]):
            of = first[told].text if told is not None else ""
            return [Difference("role", f"{of} … {first[p.first].text}", word.text, False)]
    return []


def _governors(read: Sequence[Word]) -> list[int | None]:
    """Return for each word where the verb stands that it belongs to: the last one before it in its clause, or the
    first one behind it. A phrase that is a clause by itself belongs to the verb before. None where a phrase was
    put behind another clause than its own."""
    found: list[int | None] = []
    own = {w.clause for w in read if finite(w)}
    last: dict[int, int] = {}
    ahead: dict[int, int] = {}
    latest: int | None = None
    for k, word in enumerate(read):
        behind = latest if latest is not None and read[latest].clause < word.clause else None
        found.append(last.get(word.clause, None if word.clause in own else behind))
        if finite(word):
            last[word.clause] = latest = k
    for k in range(len(read) - 1, -1, -1):
        if finite(read[k]):
            ahead[read[k].clause] = k
        elif found[k] is None:
            found[k] = ahead.get(read[k].clause)
    return found


def _fronted(read: Sequence[Word], at: int) -> bool:
    """Return whether a word stands in a phrase with a preposition that begins its clause."""
    opening = None
    for word in reversed(read[:at]):
        if word.kind == "mark" or finite(word) or word.cls in ("and", "but"):
            break
        opening = word
    return opening is not None and opening.cls == "preposition"


def _when_both(read: Sequence[Word], at: int, one: int, other: int) -> bool:
    """Return whether a word is the year of two verbs that one subject has: "burned the town and killed ten in 1783"."""
    quantity = read[at].quantity
    between = read[one + 1 : other]
    joint = next((k for k in range(len(between) - 1, -1, -1) if between[k].cls == "and"), None)
    return quantity is not None and quantity.kind == "year" and joint is not None and not any(
        w.content or w.cls == "pronoun" for w in between[joint:]
    ) and not any(w.low == ";" for w in between)  # fmt: skip


def _side_by_side(read: Sequence[Word], one: int, other: int) -> bool:
    """Return whether two verbs have what follows them in common: "makes and sells cars"."""
    return not any(w.content or w.cls == "pronoun" or w.low == ";" for w in read[one + 1 : other] if not finite(w))


def of_some(first: Sequence[Word], second: Sequence[Word], pairs: Sequence[Pair]) -> list[Difference]:
    """Return the difference of a claim that says of a group what the source says of one, or of some, of it."""
    if not any(w.low == "one" or w.quantity is not None or w.low in QUANTITY_ORDER or w.low in _PARTS for w in first):
        return []
    held = {p.first for p in pairs}
    for p in pairs:
        word = first[p.first]
        if not word.content or word.verb is not None or p.match.how is None:
            continue
        part = _part(first, p.first)
        if part is not None and part not in held and not _of_some(second, p.second):
            return [Difference("quantifier", f"{first[part].text} of the {word.text}", second[p.second].text, True)]
    return []


def _part(read: Sequence[Word], at: int) -> int | None:
    """Return where the word stands that says how much of a group is meant: "one of the", "some of the"."""
    start = at
    while start and read[start - 1].kind in ("content", "name") and read[start - 1].verb is None:
        start -= 1
    opening = start - 1
    if opening < 1 or read[opening].cls not in ("article", "possessive", "demonstrative") or read[opening].low in (
        "a", "an", "'s"
    ):  # fmt: skip
        return None
    before = opening - 1
    if read[before].low == "of" and before:
        before -= 1
        counted = read[before].kind == "number" or read[before].low == "one" or read[before].low in _PARTS
        return before if counted else None
    word = read[before]
    return before if word.cls == "quantifier" and word.low in QUANTITY_ORDER and word.low not in _ALL else None


def _of_some(read: Sequence[Word], at: int) -> bool:
    """Return whether a noun phrase tells that not all are meant."""
    for word in reversed(read[max(0, at - 5) : at]):
        if word.low in _OF_SOME or word.kind == "number":
            return True
        if finite(word) or word.kind == "mark":
            return False
    return False


_WHERE = words("at in of")
"""Prepositions that tell where a thing belongs, between the same two nouns."""


def of_one_place(first: Sequence[Word], second: Sequence[Word], pair: Pair, pairs: Sequence[Pair]) -> bool:
    """Return whether two prepositions tell the same of where a thing belongs: "the chefs at the school", "of the
    school". What is done there may be done to it: "the attack in the city" is no "attack of the city"."""
    a, b = first[pair.first], second[pair.second]
    if a.low not in _WHERE or b.low not in _WHERE or "of" not in (a.low, b.low):
        return False
    at = {p.second: p.first for p in pairs if p.match.how is not None}
    before, behind = pair.second - 1, next(
        (k for k in range(pair.second + 1, len(second)) if second[k].content), None
    )  # fmt: skip
    if before < 0 or behind is None or at.get(before) != pair.first - 1 or behind not in at:
        return False
    thing, place = second[before], second[behind]
    own = next((k for k in range(pair.first + 1, len(first)) if first[k].content), None)
    acts = any("v" in kinds(base) for base in thing.bases) and not person(thing.low)
    return own == at[behind] and thing.kind == "content" and thing.verb is None and not acts and (
        place.kind != "number"
    )  # fmt: skip


THEN = words("then afterwards afterward later subsequently thereafter")
_SEQUENCE = THEN | words("next eventually finally")
"""Words that tell that one thing happened behind another."""


def sequel(read: Sequence[Word], at: int) -> bool:
    """Return whether the word at a place tells that what follows happened behind what its sentence told before."""
    if read[at].low not in _SEQUENCE or not at or at + 1 == len(read):
        return False
    before, behind = read[at - 1], read[at + 1]
    if before.kind == "number" or period(before.low):
        return False  # "two years later"
    opens = before.cls in ("and", "but") or before.low in (";", ",") or finite(behind) or before.cls == "auxiliary"
    led = [w for w in read[:at] if finite(w) or w.cls == "condition" or w.low in ("when", "once")]
    return opens and bool(led) and all(finite(w) for w in led)


def one_sequel(first: Words, second: Words) -> tuple[Words, Words]:
    """Write "and afterwards", "and later" as "and then" where the sentences have not the same word."""
    if not any(w.low in THEN and all(w.low != other.low for other in first) for w in second):
        return first, second
    return _sequels(first), _sequels(second)


def _sequels(read: Words) -> Words:
    return tuple(replace(w, low="then", kind="grammar", bases=frozenset({"then"}), cls="discourse", degree="")
                 if w.low in THEN and sequel(read, at) else w for at, w in enumerate(read))  # fmt: skip


def out_of_order(first: Sequence[Word], second: Sequence[Word]) -> Difference | None:
    """Return the difference of a claim that tells what happened first, and then, where the source does not tell it in
    this order."""
    for at in range(1, len(second) - 1):
        if not sequel(second, at):
            continue
        one = next((w for w in reversed(second[:at]) if finite(w)), None)
        other = next((w for w in second[at + 1 :] if finite(w)), None)
        if one is None or other is None:
            continue
        turns = [k for k in range(1, len(first) - 1) if sequel(first, k)]
        if any(_told(first[:k], one) and _told(first[k:], other) for k in turns):
            continue
        turned = any(_told(first[:k], other) and _told(first[k:], one) for k in turns)
        return Difference("order", "", f"{one.text} … {second[at].text} … {other.text}", turned)
    return None


def _told(read: Sequence[Word], verb: Word) -> bool:
    return any(w.verb is not None and (found := match(w, verb)) is not None and found.how is not None for w in read)


_AND = Word("and", "and", "grammar", frozenset({"and"}), "and")


def in_sequence(first: Words, second: Words) -> Iterator[Words]:
    """Yield a claim with "after", "before" as "it did this and that", where the source tells the two in this order:
    "stops the server and then deletes the cache", "deletes the cache after stopping the server"."""
    if not any(w.low in ("after", "before") for w in second):
        return
    turns = [k for k in range(1, len(first) - 1) if sequel(first, k)]
    comma = next((k for k, w in enumerate(second) if w.low == ","), 0)
    if second[0].low in ("after", "before") and comma:
        second = (*second[comma + 1 :], *second[:comma])
    at = next((k for k, w in enumerate(second) if w.low in ("after", "before") and w.cls == "time"), None)
    main = next((k for k, w in enumerate(second[:at]) if finite(w)), None)
    if not turns or at is None or main is None or at + 1 == len(second):
        return
    start, behind = clause_start(second, main), second[at + 1]
    features = second[main].verb
    inner = next((k for k in range(at + 1, len(second)) if finite(second[k])), None)
    if behind.kind == "content" and behind.low.endswith("ing") and behind.verb is None and features is not None:
        done = (replace(behind, verb=replace(features, form=behind.low)), *second[at + 2 :])
    elif inner is not None and all(w.cls in ("pronoun", "possessive") for w in second[at + 1 : inner]):
        done = second[inner:]
    else:
        return
    told = second[main:at]
    one, other = (done[0], told[0]) if second[at].low == "after" else (told[0], done[0])
    if any(_told(first[:k], one) and _told(first[k:], other) for k in turns):
        further = (replace(w, clause=w.clause + 1) for w in done)
        yield (*second[:start], *second[start:main], *told, replace(_AND, clause=told[0].clause + 1), *further)
