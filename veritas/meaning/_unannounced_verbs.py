"""The verbs that no auxiliary announces: in each stretch of a sentence the certain one, else the likeliest."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from veritas.meaning._verb_likelihood import OPENS, likely
from veritas.meaning._word import SAME_PAST, Tense, Verb, Word, finite, is_adverb, past_form


def marked(made: list[Word]) -> list[Word]:
    """Mark the verbs that no auxiliary announces."""
    if not made:
        return made
    start = 0
    for i in [*(k for k, w in enumerate(made) if _boundary(made, k)), len(made)]:
        _mark_one(made, start, i)
        start = i
    # a perfect needs a participle: "has three legs" is a present
    return [
        replace(w, verb=replace(w.verb, tense="present"))
        if w.verb and w.verb.tense == "perfect" and w.low == "have"
        else w
        for w in made
    ]


def _boundary(made: list[Word], at: int) -> bool:
    word = made[at]
    if word.cls == "than":  # "than stretching did"
        rest = takewhile(lambda w: w.kind != "mark" and w.cls not in ("and", "or", *OPENS), made[at + 1 :])
        return any(finite(w) and w.low in ("be", "do", "have") for w in rest)
    return at > 0 and (word.low in (";", ":", ",", "(", ")", "-", "--") or word.cls in ("and", "or", *OPENS))


def _mark_one(made: list[Word], start: int, end: int) -> None:
    """Mark the verb of a stretch without auxiliary: a certain one first, else the likeliest."""
    if (
        made[start].cls in ("relative", "that")
        and start + 1 < end
        and made[start + 1].verb is None
        and (likely(made, start, start + 1, end) >= 6)
    ):  # "that feeds the boiler": a verb stands right behind
        made[start + 1] = _as_verb(made[start + 1])
    if any(finite(w) for w in made[start:end]):
        return
    best, weight = -1, 0
    behind = start + 1
    while behind < end and (is_adverb(made[behind]) or made[behind].cls in ("change", "quantifier", "only")):
        behind += 1
    paired = made[start].low in ("-", "--", "(") and end < len(made) and made[end].low in ("-", "--", ")")
    for i in range(start, end):
        word = made[i]
        if word.kind != "content" or word.verb is not None or word.degree:
            continue
        told = likely(made, start, i, end)
        if told > weight and (told > 5 or not paired):
            best, weight = i, told
    if best >= 0:
        made[best] = _as_verb(made[best])


def _as_verb(word: Word) -> Word:
    tense: Tense = "" if word.low in SAME_PAST else "past" if past_form(word.low) else "present"
    return replace(word, verb=Verb(tense=tense, form=word.low))
