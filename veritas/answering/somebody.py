"""Whether a text can answer "who": it names a person, people or an organisation, and says what they did."""

from __future__ import annotations

import re
from functools import lru_cache

from veritas.answering.question import Asked
from veritas.text import wordnet
from veritas.text.languages import ENGLISH
from veritas.text.sentences import split_sentences
from veritas.text.stop_words import FUNCTION_WORDS, STOP_WORDS
from veritas.text.tokens import index_terms

_WHO = re.compile(r"(?i)^(?:\W*(?:and|but|so|also|then|by|from|with|for|to|of)\s+)*(?:who|whom)\b(?:['’]s)?")
_MADE = re.compile(
    r"(?i)\b(?:wr(?:ote|ites?|itten)|creat(?:e|es|ed)|found(?:ed|s)|develop(?:s|ed)?|made|makes?|maintain(?:s|ed)?|"
    r"invent(?:s|ed)?|designed|authored|built|builds?|started|published|released)\b"
)
_TOLD = re.compile(
    r"(?i)\b(?:wrote|written|created|founded|develops|developed|made|maintains|maintained|invented|designed|authored|"
    r"built|started|published|released)\b"
)
_MAKER = re.compile(
    r"(?i)\b(?:authors?|creators?|founders?|co-founders?|developers?|makers?|maintainers?|inventors?|designers?|"
    r"copyright|maintainership)\b"
)
_PASSIVE = re.compile(r"(?i)\b(?:was|were|is|are|been|being|be|got)\b")
_NAME = re.compile(r"(?<![\w/.$_-])[A-Z][\w’'-]+(?: (?:(?:de|van|von|of|the) )*[A-Z][\w’'.-]*)*")
_WORD = re.compile(r"[A-Za-z][A-Za-z-]+")
_ANYBODY = frozenset("anyone anybody everyone everybody nobody someone somebody root".split())
_BY = re.compile(r"(?i)\bby\s+(?=\S)(?!default\b)")


def may_tell_who(asked: Asked, text: str) -> bool:
    """Return whether a text may answer a question for a person: true for any other question, and in another language
    than English.

    It has to name somebody whom the question does not: by a name, or by a word for a person or an organisation. Where
    the question is for the origin of something ("Who wrote X?"), one sentence has to name somebody and tell the making
    of it, as "X was written by …", "the authors of X". What X itself writes, and what is made of it, is no such.
    """
    if asked.language is not ENGLISH or not _WHO.match(asked.text):
        return True
    told = [text[start:end] for start, end in split_sentences(text)] or [text]
    own = {term.stem for term in asked.terms} | {term.word.casefold() for term in asked.terms}
    if not _MADE.search(asked.text):
        return any(_somebody(sentence, own) is not None for sentence in told)
    thing = [term.word for term in asked.terms if not _MADE.fullmatch(term.word)]
    return any(_made_by_somebody(sentence, thing, own) for sentence in told)


def _made_by_somebody(sentence: str, thing: list[str], own: set[str]) -> bool:
    if _somebody(sentence, own) is None:
        return False
    if _MAKER.search(sentence):
        return True
    for by in _BY.finditer(sentence):
        if not (_TOLD.search(" ".join(sentence[: by.start()].split()[-NEAR:])) or sentence[by.end()].isupper()):
            continue  # "interrupted by the user"; "a tragedy by William Shakespeare" needs no verb
        behind = " ".join(sentence[by.end() :].split()[:NEAR])
        if _somebody(f"by {behind}", own) is not None:
            return True
    for made in _TOLD.finditer(sentence):
        before = " ".join(sentence[: made.start()].split()[-NEAR:])
        passive = _PASSIVE.search(" ".join(before.split()[-2:]))
        what = " ".join(sentence[made.end() :].split()[: 2 * NEAR]).casefold()
        if not any(re.search(rf"\b(?:it|{re.escape(word.casefold())})\b", what) for word in thing):
            continue
        if not passive and _somebody(before, own) is not None and not _beside(sentence, made, thing):
            return True
    return False


NEAR = 4
"""Most words between a verb of making, or "by", and whom it names."""


def _beside(sentence: str, made: re.Match[str], thing: list[str]) -> bool:
    """Return whether a verb of making tells the making of something else: the thing is its subject ("restic writes"),
    or only a part of a name of what is made ("created restic repository")."""
    for word in thing:
        before = re.search(rf"(?i)\b{re.escape(word)}\s+((?:[\w’'-]+\s+){{0,2}})$", sentence[: made.start()])
        if before is not None and not _PASSIVE.search(before[1]):
            return True
        behind = re.match(rf"(?i)\s+(?:[\w’'-]+\s+){{0,2}}?{re.escape(word)}\s+([a-z]+)\b", sentence[made.end() :])
        if behind is not None and behind[1] not in FUNCTION_WORDS and "n" in wordnet.parts_of_speech(behind[1]):
            return True
    return False


def _somebody(sentence: str, own: set[str]) -> int | None:
    """Return the offset at which a sentence names somebody beside the question's own words, None if it does not."""
    for found in _NAME.finditer(sentence):
        opens = not sentence[: found.start()].strip(' *>"-')
        if not own.issuperset(index_terms(found[0])) and _names(found[0], opens):
            return found.start()
    for found in _WORD.finditer(sentence):
        word = found[0].lower()
        if word in _ANYBODY or (_is_person(word) and word not in own):
            return found.start()
    return None


def _names(name: str, opens: bool) -> bool:
    """Return whether words with capitals may name somebody: one that only opens a sentence is no word of the
    dictionary."""
    if len(name.split()) > 1:
        return True
    if name.lower() in STOP_WORDS:
        return False
    if name.isupper() or any(c.isdigit() for c in name):
        return len(name) > LETTERS and name.isalpha()
    return not opens or wordnet.proper(name) or not wordnet.parts_of_speech(name)


LETTERS = 2
"""Letters up to which a short form is nobody's name: "ID", "OS"."""


@lru_cache(maxsize=4096)
def _is_person(word: str) -> bool:
    """Return whether a word is first of all a noun for a person, people or an organisation."""
    if word in FUNCTION_WORDS or word in _THINGS or word in _ROLES:
        return word in _ROLES
    if NOUN * wordnet.frequency(word) > wordnet.frequency(word, "n"):
        return False
    return wordnet.beneath(word, "person") or wordnet.beneath(word, "organization")


NOUN = 0.7
"""Least share of a word's uses that are a noun's."""
_THINGS = frozenset(
    "server servers client clients host hosts agent agents guide guides master slave source sources character "
    "characters parent parents child children head heads subject subjects page pages reader readers writer writers "
    "player players driver drivers port ports manager managers system systems service services machine machines "
    "group groups type types form forms case cases party object objects individual key keys repository "
    "repositories ref target targets man configuration configurations doc docs layout layouts invalid unit units "
    "browser browsers side sides star printer printers calendar management wizard editor editors branch branches "
    "hierarchy temp checker clone clones model models primitives scanner scanners hood bearer placeholder replacement "
    "chunking compiler compilers favorite".split()
)
"""Words for a person or an organisation that stand for a thing in manuals."""


_ROLES = frozenset(
    "user users owner owners people person team teams company companies community project staff members guest "
    "founder founders author authors maintainer maintainers developer developers administrator administrators admin "
    "admins moderator moderators operator operators".split()
)
"""Words for people that are other words too, or that the dictionary does not have."""
