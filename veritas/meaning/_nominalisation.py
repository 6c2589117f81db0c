"""Nominalisations told as verbs: "the removal of X by Y" as "Y removed X", "led to a reduction in" as "reduced"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from veritas.meaning._rearrangement import SOMEBODY, Words, clause_start, phrase_end
from veritas.meaning._vocabulary import derived, kinds
from veritas.meaning._word import Verb, Word, finite

_LIGHT = frozenset(
    "make do conduct perform give take have cause achieve provide produce undertake bring reach lead complete deliver"
    " execute issue offer".split()
)
"""Verbs by which their subject does what the noun behind them names."""
_HAPPENS = frozenset("occur happen begin start follow finish end come".split())
_UNDERGOES = frozenset("show see experience undergo record register report suffer enjoy".split())
_AGENT = ("er", "or", "ers", "ors", "ist", "ists")


def verbal(words: Words, other: Words) -> Iterator[Words]:
    """Yield the sentence with a noun told as the verb of the other sentence that it is formed from."""
    for at, word in enumerate(words):
        if word.kind != "content" or word.verb is not None or word.degree or "n" not in kinds(word.low):
            continue
        for rival in other:
            if rival.verb is None or rival.low in ("be", "have", "do"):
                continue
            same = bool(word.bases & rival.bases)
            if same or (len(word.low) > 4 and any(derived(word.low, base) for base in rival.bases)):
                yield from _told(words, at, rival)


def _told(words: Words, at: int, rival: Word) -> Iterator[Words]:
    start = at
    while start > 0 and (words[start - 1].cls in ("article", "quantifier") or (
        words[start - 1].content and words[start - 1].verb is None and words[start - 1].kind == "content"
    )):  # fmt: skip
        start -= 1
    kept = tuple(w for w in words[start:at] if w.content)  # "a sharp increase": "increased sharply"
    end = at + 1
    thing: Words = ()
    agent: Words = ()
    if end < len(words) and words[end].low in ("of", "in", "on", "to", "for"):
        until = phrase_end(words, end + 1)
        thing, end = words[end + 1 : until], until
    if end < len(words) and words[end].low == "by":
        until = phrase_end(words, end + 1)
        agent, end = words[end + 1 : until], until
    before = words[start - 1] if start else None
    if before is not None and finite(before):
        yield from _behind_a_verb(words, at, start - 1, end, rival, thing, agent, kept)
        return
    verb = next((k for k in range(end, len(words)) if finite(words[k])), None)
    if verb == end and verb is not None and words[verb].bases & _HAPPENS and words[verb].verb is not None:
        told = _verb(rival, words[verb])
        rest = words[verb + 1 :]
        if words[verb].bases & {"occur", "happen"}:
            if agent or thing:
                yield (*words[:start], *(agent or (SOMEBODY,)), told, *thing, *kept, *rest)
            if thing and not agent:
                yield (*words[:start], *thing, told, *kept, *rest)
                # "the acquisition of the firm of the startup": whose, and of what
                for of in [k for k, w in enumerate(thing) if w.low == "of"]:
                    yield (*words[:start], *thing[of + 1 :], told, *thing[:of], *kept, *rest)
                    yield (*words[:start], *thing[:of], told, *thing[of + 1 :], *kept, *rest)


def _behind_a_verb(
    words: Words, at: int, light: int, end: int, rival: Word, thing: Words, agent: Words, kept: Words
) -> Iterator[Words]:
    verb = words[light]
    begin = clause_start(words, light)
    subject = words[begin:light]
    told, rest = _verb(rival, verb), words[end:]
    if any(w.cls == "there" for w in subject) and verb.low == "be":
        if thing:
            yield (*words[:begin], *thing, told, *kept, *rest)
            yield (*words[:begin], *(agent or (SOMEBODY,)), told, *thing, *kept, *rest)
        return
    if verb.bases & _LIGHT:
        yield (*words[:begin], *(agent or subject), told, *thing, *kept, *rest)
    if verb.bases & _UNDERGOES and not thing:
        yield (*words[:begin], *subject, told, *kept, *rest)
        yield (*words[:begin], *(agent or (SOMEBODY,)), told, *subject, *kept, *rest)
    if verb.low == "be" and words[at].low.endswith(_AGENT) and thing:
        yield (*words[:begin], *subject, told, *thing, *kept, *rest)


def _verb(rival: Word, light: Word) -> Word:
    features = light.verb or Verb()
    return replace(
        rival, text=f"{light.text} {rival.text}", degree="", verb=replace(features, passive=False, infinitive=False)
    )
