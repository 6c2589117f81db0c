"""Listed things in one order, and possession in one form, whichever the writer chose."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from veritas.meaning._rearrangement import Words, clause_start
from veritas.meaning._word import Word, finite
from veritas.meaning.relation import Difference

TOGETHER = frozenset({"few", "any", "anyone", "anything"})
"""Words by which a subject says of two predicates that they are not true together: "no patient fell and died"."""
_LONGEST = 6
"""Words of one listed thing."""
_ENDS = frozenset({"and", "or", "relative", "that", "condition", "time", "cause"})
_OF = Word("of", "of", "grammar", frozenset({"of"}), "preposition")


def _ends_item(word: Word, before: Word | None = None) -> bool:
    """Return whether a word is none of a listed thing; "of" is behind an amount: "250 g of lentils"."""
    if word.low == "of" and before is not None and before.kind == "number":
        return False
    return (
        word.kind == "mark" or word.verb is not None or word.low == "<somebody>"
        or (word.kind == "grammar" and word.cls not in ("article", "possessive", "quantifier", "demonstrative"))
    )  # fmt: skip


def _item_before(words: Sequence[Word], end: int) -> int:
    start = end
    while start > 0 and end - start < _LONGEST and not _ends_item(words[start - 1], words[start - 2]):
        start -= 1
    return start


def _parallel(words: Words, at: int) -> tuple[int, int] | None:
    """Return where the two sides of "and" begin and end, if both have the same prepositions: "20 euros for adults and
    12 euros for children"."""
    ends = (k for k, w in enumerate(words) if k > at and (w.kind == "mark" or w.verb is not None or w.cls in _ENDS))
    end = next(ends, len(words))
    wanted = [w.low for w in words[at + 1 : end] if w.cls == "preposition"]
    if not wanted or words[at + 1].cls == "preposition":
        return None
    found: list[str] = []
    start = at
    while start > 0 and words[start - 1].kind != "mark" and words[start - 1].verb is None:
        word = words[start - 1]
        if word.cls == "preposition":
            if len(found) == len(wanted):
                break
            found.insert(0, word.low)
        elif word.kind == "grammar" and word.cls not in ("article", "possessive", "quantifier", "demonstrative"):
            break
        start -= 1
    if found != wanted or words[start].cls == "preposition":
        return None
    mine, theirs = words[start].kind == "number", words[at + 1].kind == "number"
    return (start, end) if mine == theirs else None


def in_one_order(words: Words, *, shared: bool = False) -> Words:
    """Put the things of each list in the order of their letters. `shared`: what the last has more than the others
    belongs to them all ("CSV, JSON and XML files")."""
    if any(w.low == "respectively" for w in words):
        return words
    at = 0
    while at < len(words):
        if words[at].cls in ("and", "or") and 0 < at < len(words) - 1:
            words = _ordered(words, at, shared)
        at += 1
    return words


def _ordered(words: Words, at: int, shared: bool) -> Words:
    both = _parallel(words, at)
    if both is not None:
        start, end = both
        items = sorted((words[start:at], words[at + 1 : end]), key=_letters)
        return (*words[:start], *items[0], words[at], *items[1], *words[end:])
    last = at - 1 if words[at - 1].low == "," else at
    spans = [(_item_before(words, last), last)]
    while spans[0][0] > 1 and words[spans[0][0] - 1].low == ",":
        end = spans[0][0] - 1
        start = _item_before(words, end)
        if start == end:
            break
        spans.insert(0, (start, end))
    end = at + 1
    while end < len(words) and end - at <= _LONGEST and not _ends_item(words[end], words[end - 1]):
        end += 1
    sizes = [sum(w.content for w in words[a:b]) for a, b in spans]
    mine = sum(w.content for w in words[at + 1 : end])
    if not mine or not all(sizes):
        return words
    shared = shared and not any(w.kind == "number" for w in words[spans[0][0] : end])  # "250 g of lentils and 3 onions"
    if shared and mine > sizes[-1]:
        end = _after(words, at + 1, sizes[-1])
    elif shared and mine < sizes[-1] and len(spans) == 1:
        spans[0] = (_before(words, spans[0][1], mine), spans[0][1])
    if shared and len(spans) > 1 and sizes[0] > sizes[-1]:
        spans[0] = (_before(words, spans[0][1], sizes[-1]), spans[0][1])
    spans.append((at + 1, end))
    items = sorted((words[a:b] for a, b in spans), key=_letters)
    made: list[Word] = []
    before = spans[0][0]
    for (start, stop), item in zip(spans, items, strict=True):
        made += [*words[before:start], *item]
        before = stop
    return (*words[: spans[0][0]], *made, *words[spans[-1][1] :])


def _letters(item: Words) -> list[str]:
    return [w.low for w in item if w.content]


def _after(words: Words, start: int, size: int) -> int:
    at = start
    while size:
        size -= words[at].content
        at += 1
    return at


def _before(words: Words, end: int, size: int) -> int:
    at = end
    while size:
        at -= 1
        size -= words[at].content
    return at


def member(first: Words, start: int, end: int) -> bool:
    """Return whether `first[start:end]` is one of two things with phrases of their own, and "and": "20 euros for adults
    and", before "12 euros for children"."""
    if first[end - 1].cls == "and" and end < len(first):
        both = _parallel(first, end - 1)
        return both is not None and both[0] == start
    if first[start].cls == "and" and start:
        both = _parallel(first, start)
        return both is not None and both[1] == end
    return False


def of_lists(first: Sequence[Word], start: int, end: int, verb_at: int, held: set[int]) -> list[Difference]:
    """Return the differences that leaving out `first[start:end]` makes to a list. `held`: where words are aligned.

    A member may go, but not the end of one and the beginning of the next ("in Bern on Monday and in Chur on Friday"),
    and no member of a list that is told as complete ("consists of", "the colours are").
    """
    run = first[start:end]
    joint = next((k for k in range(start, end) if first[k].cls in ("and", "or")), None)
    text = " ".join(w.text for w in run if w.kind != "mark" and w.text != "somebody")
    if any(w.low == "respectively" for w in run):
        return [Difference("order", text, "", False)]
    if joint is not None and start and end < len(first) and start - 1 in held and not any(finite(w) for w in run) and (
        (any(w.content for w in first[start:joint]) and any(w.content for w in first[joint + 1 : end])
        and first[end].content and first[end].verb is None and first[start - 1].verb is None)
        or _crossing(first, start, joint, end)
    ):  # fmt: skip
        return [Difference("role", text, "", False)]
    if verb_at < 0 or start <= verb_at:
        return []
    subject = first[clause_start(first, verb_at) : verb_at]
    if run[0].cls == "and" and any(w.low in TOGETHER for w in subject):
        return [Difference("scope", text, "", False)]
    if any(finite(w) for w in run):
        return []
    behind = next((k for k in range(verb_at + 1, len(first)) if finite(first[k])), len(first))
    if not any(w.cls == "and" for w in first[verb_at:behind]) or start >= behind or not _complete(first, verb_at):
        return []
    beside = run[0].low in (",", "and") or run[-1].low in (",", "and")
    if beside and any(w.content for w in run) and run[0].cls != "preposition":
        return [Difference("scope", text, "", False)]
    return []


def _crossing(first: Sequence[Word], start: int, joint: int, end: int) -> bool:
    """Return whether a phrase is left out before "and", and the same kind of phrase stays behind the next one."""
    before = [w.low for w in first[start:joint] if w.cls == "preposition"]
    behind = [w.low for w in first[joint + 1 : end + 1] if w.cls == "preposition"]
    return bool(before) and bool(behind) and first[end].low in before and any(w.content for w in first[joint + 1 : end])


def _complete(first: Sequence[Word], verb_at: int) -> bool:
    """Return whether a verb tells all of the things that its subject is or has."""
    verb = first[verb_at]
    if verb.low != "be":
        return "comprise" in verb.bases
    subject = first[clause_start(first, verb_at) : verb_at]
    return bool(subject) and subject[0].low == "the" and any(w.content and w.low.endswith("s") for w in subject)


def owned(words: Words) -> Words:
    """Write "the firm's plan" as "the plan of the firm"."""
    at = next((k for k in range(1, len(words) - 1) if words[k].low == "'s"), None)
    if at is None:
        return words
    start = at
    while start > 0 and not (_ends_item(words[start - 1]) or words[start - 1].low == "'s"):
        start -= 1
    end = at + 1
    while end < len(words) and not _ends_item(words[end]) and words[end].low != "'s":
        end += 1
    if start == at or end == at + 1:
        return words
    return (*words[:start], *words[at + 1 : end], _OF, *words[start:at], *owned(words[end:]))


def compounded(words: Words, other: Words) -> Words:
    """Write "the removal of debris" as "debris removal" where the other sentence does."""
    beside = {(a.low, b.low) for a, b in pairwise(other) if a.content and b.content}
    for at in range(1, len(words) - 1):
        if words[at].low == "of" and (words[at + 1].low, words[at - 1].low) in beside:
            return (*words[: at - 1], words[at + 1], words[at - 1], *compounded(words[at + 2 :], other))
    return words
