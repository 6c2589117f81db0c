"""Labels of structured abstracts ("METHODS AND RESULTS"): their forms, and the part that each of them heads."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, get_args

Part = Literal["background", "objective", "methods", "results", "conclusions"]
PARTS: tuple[Part, ...] = get_args(Part)
"""The parts, in the order in which they follow each other."""

_Kind = Part | Literal["aside", "nothing"]
_WORDS: dict[_Kind, str] = {
    "background": (
        r"(?:scientific |general )?background|context|introduction|importance|(?:study )?rationale|motivation"
        r"|problem(?: statement)?"
    ),
    "objective": (
        r"(?:study |main |primary |research )?(?:objectives?|aims?|goals?|purposes?|hypothes[ie]s|questions?)"
        r"(?: of (?:the |this )?(?:study|review|investigation|work|research|paper))?"
    ),
    "methods": (
        r"(?:study |review |statistical |experimental )?(?:methods?|methodology|methodologies|approach(?:es)?"
        r"|procedures?)|(?:study |research |experimental |trial )?designs?|settings?|participants?|patients?|subjects?"
        r"|materials?|animals?|(?:study )?population|samples?|(?:main |primary |secondary |principal |clinical )*"
        r"outcomes?(?: and)? measure(?:ment)?s?|main outcomes|measure(?:ment)?s?|interventions?"
        r"|exposures?(?: measures?)?|experiments?|(?:main )?variables?|data"
        r"|data (?:sources?|collection|extraction|selection)|(?:study|data|literature) selection"
        r"|study eligibility criteria|search (?:strategy|methods)|(?:in|ex)clusion criteria|selection criteria"
        r"|(?:statistical )?analys[ie]s|statistics|synthesis|eligibility(?: criteria)?|implementation"
    ),
    "results": r"(?:main |principal |key |major |primary )?(?:results?|findings?)|recent findings|observations?"
    r"|data synthesis|outcomes?",
    "conclusions": (
        r"(?:main |authors?['’]s? |authors['’] |reviewers['’] )?conclusions?|concluding (?:remarks|statement)"
        r"|interpretations?|discussion|clinical importance|(?:statement of )?significance"
        r"|(?:clinical |general |biological |practice |public health )?(?:significance|relevance|implications?|impact)"
        r"(?: (?:to|for) (?:clinical )?practice)?|(?:clinical )?perspectives?|take[- ]home messages?"
    ),
    "aside": (
        r"(?:clinical )?trials? registr(?:ation|y)(?: (?:information|number|details))?|registration|registered"
        r"|fundings?|sponsorship|financial support|availability|code availability|data availability|contact"
        r"|(?:electronic )?supplementary (?:information|data|materials?)|editors?['’]?s? summary"
        r"|competing interests|conflicts? of interest|key ?words?"
        r"|unique identifier|clinicaltrials\.gov(?: (?:identifier|number))?|paperclip|enhanced version"
        r"|(?:systematic )?review registration|level of evidence"
    ),
    "nothing": r"unlabell?ed|(?:structured )?abstract|(?:lay )?summary|(?:strengths and )?limitations?",
}  # fmt: skip
_ONE = "|".join(words for words in _WORDS.values())
_SEPARATOR = r"(?:\s*,\s*(?:and |& ?)?|\s+(?:and|&)\s+|\s*/\s*|\s+-\s+)"
_LABEL = re.compile(
    rf"(?:\(\d\)\s?)?(?P<mark>[*_]{{0,3}})(?P<words>(?:{_ONE})(?:{_SEPARATOR}(?:{_ONE}))*)(?P<inner>[:.]?)(?P=mark)"
    r"(?P<stop>\s?[:.]|\s?[—–]|\s-(?=\s)|\s(?=\S)|$)\s*",
    re.IGNORECASE,
)
_KINDS = tuple((part, re.compile(words, re.IGNORECASE)) for part, words in _WORDS.items())
_WITHIN = re.compile(rf"(?<=[.!?)])\s*(?=(?:{_ONE})(?:{_SEPARATOR}(?:{_ONE}))*(?:\s?:)?\s)", re.IGNORECASE)
_CAPITALS = re.compile(
    r"(?P<words>(?=[A-Z ,/&'’-]*[A-Z]{6})[A-Z][A-Z'’]+(?:(?:\s*[,/&]\s*|\s-\s|\s|-)[A-Z][A-Z'’]*){1,7})"
    r"\s?[:.]?\s+(?=[A-Z][a-z]|[A-Z0-9]\s|\d)"
)
"""Several words in capitals before a sentence: a label of unknown words ("TO CLINICAL PRACTICE The …")."""


class Label(NamedTuple):
    """A label, the start of the text it heads, and the parts it heads: two for "METHODS AND RESULTS", none for
    "SUMMARY". Text under an `aside` ("FUNDING", "TRIAL REGISTRATION") is no part of the argument."""

    end: int
    parts: tuple[Part, ...]
    aside: bool = False


def label_at(text: str, start: int, end: int, bare: bool = False) -> Label | None:
    """Return the label that `text[start:end]`, a sentence, opens with, or None.

    In capitals a label needs no mark behind it ("METHODS We asked"); in small letters it needs a colon or a dash, or
    must stand alone ("Methods."), unless labels are `bare` of marks throughout.
    """
    known, capitals = _known(text, start, end, bare), _CAPITALS.match(text, start, end)
    found = known
    if capitals is not None and _goes_on(text[capitals.end() : end]) and (not known or known[1] < capitals.end()):
        found = capitals["words"], capitals.end()
    if found is None:
        return None
    kinds = _kinds(found[0])
    aside = "aside" in kinds
    return Label(found[1], () if aside else tuple(part for part in PARTS if part in kinds), aside)


def _known(text: str, start: int, end: int, bare: bool) -> tuple[str, int] | None:
    """Return a label of known words and the start of the text it heads, or None."""
    found = _LABEL.match(text, start, end)
    if found is None:
        return None
    words, rest = found["words"], text[found.end() : end]
    marked = bool(found["inner"] or found["stop"].strip())
    if words.isupper():
        if not (marked or not rest or ((rest[0].isupper() or not rest[0].isalpha()) and _goes_on(rest))):
            return None
    else:
        mark = found["inner"] + found["stop"].strip()
        bare = bare and (rest[:1].isupper() or rest[:1].isdigit())
        if not (words[0].isupper() and (mark not in ("", ".") or found["mark"] or (marked and not rest) or bare)):
            return None
    return words, found.end()


def _goes_on(rest: str) -> bool:
    """Return whether the text after capitals is a sentence in small letters, and so no line in capitals."""
    return sum(c.islower() for c in rest) >= 0.4 * len(rest)


def is_aside(words: str) -> bool:
    """Return whether a label's words head what is no part of the argument ("Funding", "Supplementary material")."""
    return "aside" in _kinds(words)


def parts_of(words: str) -> tuple[Part, ...]:
    """Return the parts that a label's words name, in the order of `PARTS`; none if they name no part."""
    kinds = _kinds(words)
    return () if None in kinds or "aside" in kinds else tuple(part for part in PARTS if part in kinds)


def _kinds(words: str) -> set[_Kind | None]:
    """Return the kinds that a label's words name; None stands for a word that names nothing known."""
    bare = words.strip(" *_#:.\n\t")
    return {
        next((kind for kind, pattern in _KINDS if pattern.fullmatch(each)), None)
        for each in ([bare] if any(p.fullmatch(bare) for _, p in _KINDS) else re.split(_SEPARATOR, bare, flags=re.I))
    }


def label_cuts(text: str, start: int, end: int) -> list[int]:
    """Return the starts of labels within a sentence that ran into them ("… was used.CONCLUSIONS: It …")."""
    cuts = (found.end() for found in _WITHIN.finditer(text, start + 1, end))
    return [cut for cut in cuts if (label := label_at(text, cut, end)) is not None and label.end < end]
