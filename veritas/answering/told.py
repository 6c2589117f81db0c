"""Whether a text holds what a question is for: a person, the place of an origin, or a number."""

from __future__ import annotations

import re

from veritas.answering.question import Asked
from veritas.answering.somebody import may_tell_who
from veritas.text import wordnet
from veritas.text.languages import ENGLISH
from veritas.text.stop_words import STOP_WORDS
from veritas.text.tokens import index_terms

_COUNTS = re.compile(r"(?i)^\W*(?:(?:and|but|so|also|in|on|at|by|for|of|with) )*how many\b")
_FIGURE = re.compile(
    r"(?i)(?<![\w.])\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|"
    r"fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|"
    r"hundreds?|thousands?|millions?|billions?|once|twice|half|both|single|pairs?|couple|none|unlimited|unbounded|"
    r"infinite\w*|several|many|few|multiple|sole|no limit|any number|as many|majority)\b"
)
_ORIGIN = re.compile(
    r"(?i)^\W*(?:and |but )?where\b.*\b(?:developed|founded|born|invented|designed|written|created|built|made|based|"
    r"headquartered|established|published|manufactured|raised|educated|buried)\b"
)
_IN = re.compile(r"\b(?:[Ii]n|[Aa]t|[Nn]ear|[Oo]n|[Ff]rom|[Oo]f|[Tt]o) (?:the )?((?:[A-Z][\w’'.-]+[ ,]*)+)")
_LETTERS = re.compile(r"[A-Z][a-z’']+")
_PLACES = re.compile(
    r"(?i)\b(?:university|institute|laborator(?:y|ies)|college|school|company|city|town|village|country|county|hospital|"
    r"headquarters|office|region|province|state|island|museum|castle|church|abroad|at home)\b"
)


def may_tell(asked: Asked, text: str) -> bool:
    """Return whether a text may answer a question for a person, the place of an origin, or how many there are: true for
    any other question, and in another language than English.

    A place is a name behind a word like "in" that the question does not have, or a word for one; how many there are is
    told by a number, or a word for one.
    """
    if asked.language is not ENGLISH:
        return True
    if _COUNTS.match(asked.text):
        return _FIGURE.search(text) is not None
    if _ORIGIN.match(asked.text):
        own = {term.stem for term in asked.terms}
        return _PLACES.search(text) is not None or any(_is_place(found[1], own) for found in _IN.finditer(text))
    return may_tell_who(asked, text)


def _is_place(name: str, own: set[str]) -> bool:
    words = [word for word in _LETTERS.findall(name) if word.lower() not in STOP_WORDS]
    return any(
        not own.issuperset(index_terms(word))
        and (wordnet.proper(word) or not wordnet.parts_of_speech(word.lower()))
        for word in words
    )
