"""Quotation marks that have the citation inside: a work's words with their source, or somebody's speech that cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veritas.citations.writing._brackets import reverses
from veritas.citations.writing.places import Kind
from veritas.citations.writing.quoted_words import forms
from veritas.citations.writing.standing import Standing, standing

_MARKED = (
    r"\[[^\[\]]*@[^\[\]]*\]|~?\\\w{0,40}[Cc]ite\w{0,40}\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{[^{}]*\}"
    r"|\{?:?\w{0,40}cite[\w:]{0,40}[:}]`[^`]*`|#cite\([^()]*\)"
    r"|\[\^[^\]\s]+\]"
)
ONE_CITATION = rf"(?:{_MARKED}|\(?\[[^\[\]]*\]\([^()\s]*\)\)?)"
CITATION = re.compile(rf"\s*{ONE_CITATION}")
CITES = re.compile(rf"\s*(?:\(\s*[^()\[\]]{{0,40}}{ONE_CITATION}\)|{_MARKED}|\([^()]{{0,80}}@\w[^()]{{0,80}}\))"
                   r"|(?P<named>(?<![\w.@])-?@[^\W\d_][\w:./+-]*\w)")  # fmt: skip
"""A citation that is no part of the words around it, with its brackets; `named` is a key in its sentence."""
_LEAD = re.compile(r"\A(?P<lead>[^.!?]{2,120}?(?:\b(?:that|whether|if)\s|:\s))")
"""Words that lead to what somebody says or asks."""
_TELLS = re.compile(r"\b(?:writes?|wrote|says?|said|reads?|cites?|cited|quotes?|quoted|states?|stated|puts? it|found)\b"
                    r"[^.!?]{0,30}\Z", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heard:
    """What stands in marks that have a citation inside: its `words` without citations, whether they may be somebody's
    `speech`, and whether the cited words in them are `true` to the source."""

    words: str
    speech: bool
    true: bool = False


def hear(words: str, kind: Kind, sources: Sequence[str]) -> Heard:
    """Return what stands in quotation marks that have a citation inside; of speech, the part that may be the work's.

    It is speech if it is a question, goes on behind the citation, names the work as a part of its sentence, or leads to
    the work's words by words that are not the work's (`they write that …`).
    """
    first = CITES.search(words)
    whole = " ".join(CITES.sub("", words).split()) if first else words
    if first is None or standing(forms(whole, kind), sources).found:
        return Heard(whole, speech=False)
    before, behind = words[: first.start()], CITES.sub("", words[first.end() :])
    goes_on = re.search(r"\w", behind) is not None
    speech = goes_on or first["named"] is not None or whole.rstrip("\"'”’» ").endswith("?")
    core = before if goes_on and before.strip() else whole
    for part in dict.fromkeys((before, whole)):
        led = _LEAD.match(part)
        lead = led["lead"].strip(" :") if led else ""
        if led and not standing((lead,), sources).found:
            speech, core = True, part if reverses(lead) else part[led.end() :]
            if core != part and standing(forms(core, kind), sources) == Standing(True):
                return Heard(core, speech=True, true=True)
            break
    true = goes_on and len(before.split()) >= len(behind.split()) and standing(forms(before, kind), sources).found
    return Heard(core if speech else whole, speech, true and bool(before.strip()))


def reports(before: str, sources: Sequence[str]) -> bool:
    """Return whether the words before marks inside of marks tell what somebody writes, in words that no source has."""
    return _TELLS.search(before) is not None and not standing((before.strip(" ,:"),), sources).found
