"""Impersonal sentences told of who or what they are about: "it is possible to", "there is", "smoking is forbidden"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from veritas.meaning._rearrangement import SOMEBODY, Words, clause_start, phrase_end
from veritas.meaning._word import Verb, Word, finite

MODALITIES = {
    "possible": ("possible", False), "allow": ("possible", False), "permit": ("possible", False),
    "permissible": ("possible", False), "legal": ("possible", False),
    "impossible": ("possible", True), "forbid": ("possible", True), "prohibit": ("possible", True),
    "ban": ("possible", True), "illegal": ("possible", True),
    "necessary": ("required", False), "require": ("required", False), "mandatory": ("required", False),
    "compulsory": ("required", False), "obligatory": ("required", False), "oblige": ("required", False),
    "recommend": ("advised", False), "advise": ("advised", False), "advisable": ("advised", False),
}  # fmt: skip
"""The modality that a word behind "it is" gives to what follows, and whether it denies it."""
_TEXT = {"possible": "can", "required": "must", "advised": "should"}
_IT = Word("it", "it", "grammar", frozenset({"it"}), "pronoun")
_IN = frozenset("in on at within inside".split())
_HOLDS = frozenset({"have", "contain", "hold", "comprise", "include"})
_NEEDS = frozenset({"need", "require", "take"})


def personal(words: Words, other: Words) -> Iterator[Words]:
    """Yield the sentence told of its subject, where it begins with "it" or "there" or with what may be done."""
    be = next((k for k, w in enumerate(words) if finite(w)), None)
    if be is None or be + 1 >= len(words):
        return
    start = clause_start(words, be)
    subject = [w for w in words[start:be] if w.cls != "discourse"]
    if any(w.cls == "there" for w in subject):
        yield from _existing(words, start, be, other)
    elif [w.low for w in subject] == ["it"]:
        yield from _extraposed(words, start, be, other)
    elif subject and subject[0].low.endswith("ing") and (said := _modality(words, be)) is not None:
        told = _modal(replace(subject[0], verb=Verb(form=subject[0].low)), said[1], words[be], other)
        yield (*words[:start], SOMEBODY, told, *subject[1:], *words[said[0] :])
    elif words[be + 1].kind == "number" and words[be].bases & _NEEDS and any(w.low == "it" for w in other) and (
        any(w.verb is not None and w.verb.infinitive for w in words[be + 2 :])
    ):  # fmt: skip
        verb = next((w for w in other if finite(w) and w.bases & _NEEDS), words[be])
        yield (*words[:start], _IT, replace(verb, verb=words[be].verb), *words[be + 1 :])


def _existing(words: Words, start: int, be: int, other: Words) -> Iterator[Words]:
    """Yield "the island has a tower" and "a tower is on the island" for "there is a tower on the island"."""
    end = phrase_end(words, be + 1)
    noun, rest = words[be + 1 : end], words[end:]
    if words[be].low != "be" or not noun:
        return
    verb = next((w for w in other if finite(w) and ("exist" in w.bases or w.low == "be")), words[be])
    beside = tuple(w for w in words[start:be] if w.cls != "there")  # "always"
    yield (*words[:start], *noun, *beside, replace(verb, text=words[be].text, verb=words[be].verb), *rest)
    stop = phrase_end(words, end + 1)
    for rival in other:
        if finite(rival) and rival.bases & _HOLDS and rest and rest[0].low in _IN and stop > end + 1:
            holds = replace(rival, text=words[be].text, verb=words[be].verb)
            yield (*words[:start], *words[end + 1 : stop], *beside, holds, *noun, *words[stop:])


def _extraposed(words: Words, start: int, be: int, other: Words) -> Iterator[Words]:
    said = _modality(words, be)
    if said is None:
        if words[be].low == "be":
            yield from _of_object(words, start, be, other)
        return
    at, modality = said
    subject: Words = (SOMEBODY,)
    if at < len(words) and words[at].low == "for":
        end = phrase_end(words, at + 1)
        subject, at = words[at + 1 : end], end
    elif at < len(words) and words[at].low == "that":
        verb = next((k for k in range(at + 1, len(words)) if finite(words[k])), None)
        if verb is None:
            return
        subject, at = words[at + 1 : verb], verb
    features = words[at].verb if at < len(words) else None
    stronger = not modality[1] and modality[0] == "possible" and any(
        w.verb is not None and w.verb.modal == "required" and w.bases & words[at].bases for w in other
    )  # what must be done is not told as what may be
    if features is not None and not features.modal and subject and not stronger:
        yield (*words[:start], *subject, _modal(words[at], modality, words[be], other), *words[at + 1 :])


def _modality(words: Words, be: int) -> tuple[int, tuple[str, bool]] | None:
    """Return where the words behind "is possible" or "is forbidden" begin, and the modality of what they tell."""
    verb, at = words[be].verb, be
    if verb is not None and not verb.passive:
        if words[be].low != "be":
            return None
        at = be + 1
    if verb is None or verb.modal or verb.tense not in ("present", "past") or at >= len(words):
        return None
    modality = next((MODALITIES[base] for base in words[at].bases if base in MODALITIES), None)
    return (at + 1, modality) if modality is not None else None


def _modal(told: Word, modality: tuple[str, bool], of: Word, other: Words) -> Word:
    """Return a verb with a modality: in the modal that the other sentence has for it."""
    modal, denied = modality
    assert of.verb is not None
    denied = denied != of.verb.not_
    features = told.verb or Verb()
    rival = next((w.verb for w in other if w.verb is not None and w.bases & told.bases and w.verb.modal), None)
    text = rival.modal_text if rival is not None and rival.modal == modal else _TEXT[modal]
    if denied and modal == "possible" and rival is not None and rival.modal == "required" and rival.not_:
        modal, text = "required", rival.modal_text  # "must not"
    elif denied and modal != "possible":
        modal, text, denied = "possible", "can", False  # what is not required may be left
        features = replace(features, not_=True)
    return replace(told, verb=replace(
        features, tense="present", modal=modal, modal_text=text, not_=features.not_ != denied, infinitive=False,
    ))  # fmt: skip


def _of_object(words: Words, start: int, be: int, other: Words) -> Iterator[Words]:
    """Yield "the horn is easy to tune" for "it is easy to tune the horn", and "whether it works is unclear"."""
    at = be + 2
    if at >= len(words) or not words[be + 1].content:
        return
    verb = words[at].verb
    if verb is not None and verb.infinitive:
        end = phrase_end(words, at + 1)
        if end > at + 1:
            yield (*words[:start], *words[at + 1 : end], *words[be : at + 1], *words[end:])
    elif words[at].low in ("whether", "that", "how", "why") and other[0].low == words[at].low and not any(
        w.kind == "mark" for w in words[at:]
    ):  # fmt: skip
        yield (*words[:start], *words[at:], *words[be:at])
