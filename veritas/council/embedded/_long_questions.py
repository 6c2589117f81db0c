"""Long questions, taken apart into clauses: what is asked, and the background that it is asked before."""

from __future__ import annotations

import re

from veritas.answering.question import kind_of
from veritas.text.languages import ENGLISH, Language, speaking
from veritas.text.tokens import terms

LONG = 15
"""Words with a topic above which a question is long: no passage holds most of them."""
TELLS = 3
"""Least words with a topic of a clause that is asked by itself."""
BACKGROUND = 2
"""Most clauses of the background that are asked beside the question, those nearest to its end first."""

_STOPS = r"[.;:?!,]+(?=\s|$)"
_CLAUSES = re.compile(
    rf"(?i)\s*(?:{_STOPS}|\s(?=(?:which|what|how|why|whether)\b)|\s(?:because|but|although|while|since|so|when|and|or)(?="
    r"\s+(?:i|we|you|it|they|the|this|these|our|my|some|only|after|if|how|what|which|why|when|where|to)\b))\s*"
)
_RELATIVE = re.compile(r"(?i),\s+which\b")
_LEADS = re.compile(r"(?i)^(?:(?:and|or|but|so|because|although|while|since|und|oder|aber|et|ou|mais)\s+)+")
_PERSON = re.compile(r"(?i)\b(?:i|we|my|our|me|us|ich|wir|mein\w*|unser\w*|je|nous|mon|notre|nos)\b")
_OTHER = re.compile(_STOPS)


def is_long(question: str, language: Language) -> bool:
    """Return whether a question, with what is told before it, is too long to be asked as one."""
    with speaking(language):
        return len(set(terms(question))) > LONG


def speaks_for_itself(question: str) -> bool:
    """Return whether somebody speaks of their own case, as in a question without its mark; a claim does not."""
    return bool(_PERSON.search(question))


def clauses(question: str, language: Language) -> tuple[list[str], list[str]]:
    """Return what is asked in a long question, in its order, and the clauses of the background, the last first. What
    says too little by itself has the clause before it in brackets."""
    english = language is ENGLISH
    if english:
        question = _RELATIVE.sub(", that", question)
    found = [_LEADS.sub("", piece.strip(" ,;.?!")) for piece in (_CLAUSES if english else _OTHER).split(question)]
    asked: list[str] = []
    told: list[str] = []
    with speaking(language):
        for piece in filter(None, found):
            tells = len(set(terms(piece))) >= TELLS
            if kind_of(piece, language) != "what":
                before = f" ({told[-1]})" if told and not tells else ""
                asked.append(f"{piece[0].upper()}{piece[1:]}{before}?")
            elif tells:
                told.append(piece)
    return asked, told[: -BACKGROUND - 1 : -1]
