"""Logic and writing: the reviewer's remarks on the draft as a text, in phases three and four. They are no verdicts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.council.embedded.alignment import repeats
from veritas.judging.sameness import exclusion
from veritas.meaning.relation import Setting
from veritas.reviews.reviewing.review_verdicts import Flag, FoundQuote, Line
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import tokenise

_CONCLUDES = re.compile(r"(?i)^(?:therefore|thus|hence|consequently|as a (?:result|consequence)|accordingly)\b")
_CONTRASTS = re.compile(r"(?i)^(?:however|in contrast|by contrast|on the other hand|conversely|nevertheless)\b")
_WEASEL = re.compile(
    r"(?i)\b(?:it is (?:well |widely |generally )?(?:known|accepted|believed|recogni[sz]ed)|plays? an? (?:important|"
    r"key|crucial|major|vital|significant) role|(?:various|several|many|numerous|certain|"
    r"a (?:number|variety|range|host) of) (?:factors|aspects|ways|studies|approaches|issues|applications|challenges|"
    r"benefits|effects|things)|is of (?:great|high|major|considerable) (?:importance|interest)|"
    r"has (?:attracted|received|gained) (?:much|increasing|growing|considerable)|in recent years|"
    r"more research is needed)\b"
)
_ABBREVIATION = re.compile(r"\b[A-Z][A-Z0-9]{1,6}s?\b")
_COMMON = frozenset("DNA RNA USA UK EU WHO FDA HIV PCR UV IR II III IV VI VII VIII IX PH AND OR NOT".split())
LONG = 45
"""Words above which a sentence is called long."""


def vague(text: str) -> str | None:
    """Return why a sentence states nothing that could be checked, or None."""
    content = {stem(t) for t in tokenise(text) if t not in STOP_WORDS and t not in GENERIC_WORDS}
    weasel = _WEASEL.search(text)
    rest = {stem(t) for t in tokenise(_WEASEL.sub(" ", text)) if t not in STOP_WORDS and t not in GENERIC_WORDS}
    if weasel and len(rest) < 6 and not re.search(r"\d", text):
        return f"“{weasel[0]}” says nothing that could be checked"
    if len(content) < 3:
        return "it says too little to be checked"
    return None


def logic(lines: Sequence[Line], quotes: dict[str, Sequence[FoundQuote]]) -> dict[str, list[Flag]]:
    """Return flags for conclusions that no source draws, contrasts with nothing, contradictions and repetitions."""
    found: dict[str, list[Flag]] = {}

    def say(line: Line, kind: str, why: str) -> None:
        found.setdefault(line.sentence_id, []).append(Flag.model_validate({"kind": kind, "why": why}))

    stated = [line for line in lines if line.kind != "gap"]
    before: Line | None = None
    for line in stated:
        opens = before is None or (before.section, before.paragraph) != (line.section, line.paragraph)
        backing = " ".join(q.verbatim for q in quotes.get(line.sentence_id, ()))
        concludes = _CONCLUDES.search(line.text)
        if concludes and concludes[0].lower() not in backing.lower() and _elsewhere(before, line, opens):
            say(line, "logic", f"“{concludes[0]}” draws a conclusion that no source it cites draws")
        elif opens and (turn := _CONTRASTS.search(line.text)):
            say(line, "logic", f"“{turn[0]}” opens a paragraph: there is nothing before it to turn from")
        before = line
    for at, line in enumerate(stated):
        for earlier in stated[:at]:
            if repeats(line.text, earlier.text):
                say(line, "repetition", f"it repeats “{_short(earlier.text)}”")
                break
        for earlier in stated[:at]:
            if earlier.section == line.section and _exclude(earlier, line):
                say(line, "contradiction", f"it and “{_short(earlier.text)}” cannot both be true as they stand")
                break
    return found


def writing(lines: Sequence[Line]) -> dict[str, list[Flag]]:
    """Return flags for text that is hard to read. Quotations, being their authors' words, are left alone."""
    found: dict[str, list[Flag]] = {}
    told: set[str] = set()
    for line in lines:
        remarks = []
        if line.kind == "claim":
            words = line.text.split()
            if len(words) > LONG:
                remarks.append(f"it has {len(words)} words")
            doubled = re.search(r"(?i)\b([a-z]{2,}) \1\b(?! that\b)", line.text)
            if doubled and doubled[1].lower() not in ("that", "had"):
                remarks.append(f"“{doubled[0]}” is doubled")
            if line.text.count("(") != line.text.count(")"):
                remarks.append("a bracket is not closed")
            if not line.text[:1].isupper() and not line.text[:1].isdigit():
                remarks.append("it does not begin with a capital letter")
            if line.text.rstrip()[-1:] not in ".?!)”\"":
                remarks.append("it does not end")
        for match in _ABBREVIATION.finditer(line.text):
            name = match[0].rstrip("s")
            expanded = re.search(rf"\({re.escape(name)}s?\)", line.text)
            if line.kind == "claim" and name not in told and name not in _COMMON and not expanded:
                remarks.append(f"{name} is not explained")
            told.add(name)
        if remarks:
            found[line.sentence_id] = [Flag(kind="style", why="; ".join(remarks))]
    return found


def _elsewhere(before: Line | None, line: Line, opens: bool) -> bool:
    """Return whether the sentence before cites other papers, so that no source links the two."""
    return opens or before is None or set(before.keys) != set(line.keys)


def _exclude(one: Line, other: Line) -> bool:
    """Return whether two sentences cannot both be true. Those that cite the same papers speak of the same thing."""
    settings = [Setting(document=" ".join(sorted(line.keys))) for line in (one, other)]
    return exclusion(one.text, other.text, of_first=settings[0], of_second=settings[1]) is not None


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:119] + "…"
