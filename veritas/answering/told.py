"""Whether a text holds what a question is for: a person, the place of an origin, a number, or what a name does."""

from __future__ import annotations

import re

from veritas.answering.named import may_tell_of_its_name
from veritas.answering.question import GENERIC, Asked
from veritas.answering.somebody import may_tell_who
from veritas.text import wordnet
from veritas.text.languages import ENGLISH
from veritas.text.sentences import split_sentences
from veritas.text.stop_words import STOP_WORDS
from veritas.text.tokens import index_terms

_COUNTS = re.compile(r"(?i)^\W*(?:(?:and|but|so|also|in|on|at|by|for|of|with) )*how many\b")
_COUNTED = (
    r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    r"nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?|billions?"
)
_FIGURE = re.compile(
    r"(?i)(?<![\w.:/$@#_-])(?<!version )(?<!port )(?:~ ?)?\d+(?:[.,]\d+)*(?:th|st|nd|rd|s)?(?![\w/:]|\.\d)|"
    rf"\b(?:zero|{_COUNTED}|twice|half|both|single|pairs?|couple|none|unlimited|unbounded|infinite\w*|several|many|few|"
    r"multiple|sole|no limit|any number|as many|majority)\b|"
    r"(?<!another )(?<!new )(?<!the )(?<!this )(?<!that )(?<!which )\bone (?!of\b|or\b|if\b|to\b|can\b|may\b|is\b)[a-z]"
)
_ORIGIN = re.compile(
    r"(?i)^\W*(?:and |but )?where\b.*\b(?:developed|founded|born|invented|designed|written|created|built|made|based|"
    r"headquartered|established|published|manufactured|raised|educated|buried)\b"
)
_IN = re.compile(r"\b(?:[Ii]n|[Aa]t|[Nn]ear|[Oo]n|[Ff]rom|[Oo]f|[Tt]o) (?:the )?((?:[A-Z][\w’'.-]+[ ]*(?:, )?)+)")
_NUMBERING = re.compile(r"(?m)^\s*\d+\s?[.)/:|]\s")
NEAR = 3
"""Most words between a number and the people whom it counts."""
_SPELLED = re.compile(r"[A-Za-z]{3,}")
_IDENTIFIER = re.compile(r"[\w.-]*[_\d]\w")
_LETTERS = re.compile(r"(?<![\w./-])[A-Z][a-z’']+(?![\w/])")
_PLACES = re.compile(
    r"(?i)\b(?:university|institute|laborator(?:y|ies)|college|school|company|city|town|village|country|county|hospital|"
    r"headquarters|office|region|province|state|island|museum|castle|church|abroad|at home)\b"
)


def may_tell(asked: Asked, text: str, heading: str = "", whole: str = "") -> bool:
    """Return whether a text below a heading may answer a question for a person, the place of an origin, how many there
    are, or what an identifier does: true for any other question, and in another language than English. `whole` is what
    the text is taken from.

    A place is a name behind a word like "in" that the question does not have, or a word for one; how many there are is
    told by a number, or a word for one, in a sentence that speaks of what is counted.
    """
    if asked.language is not ENGLISH:
        return True
    if _COUNTS.match(asked.text):
        return any(
            _FIGURE.search(_NUMBERING.sub(" ", text[start:end])) is not None and _is_of(asked, text[start:end])
            for start, end in split_sentences(text)
        )
    if _ORIGIN.match(asked.text):
        own = {term.stem for term in asked.terms}
        return _PLACES.search(text) is not None or any(_is_place(found[1], own) for found in _IN.finditer(text))
    if not may_tell_of_its_name(asked, text, heading):
        return False
    return may_tell_who(asked, text, heading, whole)


def _is_of(asked: Asked, sentence: str) -> bool:
    """Return whether a sentence with a number speaks of what is counted: it has a word of the question that is no name,
    or one of its kin, or two of its names. People are counted by any word for a person, too."""
    said = frozenset(index_terms(sentence))
    terms = [term for term in asked.terms if term.weight > GENERIC] or asked.terms
    met = [term for term in terms if term.stem in said or term.kin & said]
    if any(not term.name for term in met) or len(met) > 1:
        return True
    words = {word.lower() for word in _SPELLED.findall(sentence)}
    plain = [term.word.casefold() for term in terms if not term.name]
    if any(wordnet.synonyms(own, word) or wordnet.derived(own, word) for own in plain for word in words):
        return True
    if not any(term.word.casefold() in ("people", "persons") for term in asked.terms):
        return False
    return any(
        wordnet.beneath(word.lower(), "person")
        for found in _FIGURE.finditer(sentence)
        for word in _SPELLED.findall(" ".join(sentence[found.end() :].split()[:NEAR]))
    )


def _is_place(name: str, own: set[str]) -> bool:
    if _IDENTIFIER.search(name):
        return False
    words = [word for word in _LETTERS.findall(name) if word.lower() not in STOP_WORDS]
    return any(
        not own.issuperset(index_terms(word))
        and (wordnet.proper(word) or not wordnet.parts_of_speech(word.lower()))
        for word in words
    )
