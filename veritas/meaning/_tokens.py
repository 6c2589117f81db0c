"""The tokens of a sentence, in its own order: words, phrases that work as one word, quantities, names, marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from veritas.meaning._function_words import BE, CLASS, DO, HAVE, MODALS, PHRASES
from veritas.meaning._vocabulary import bases, kinds, synonyms
from veritas.text.pointers import without_pointers
from veritas.text.quantities import Quantity, quantities
from veritas.text.tokens import normalise
from veritas.text.wordlist import words
from veritas.text.wordnet import proper

Kind = Literal["content", "name", "number", "grammar", "mark"]

_MARKUP = re.compile(
    r"[`*\"“”„«»]+|(?<!\w)'|(?<=[a-rt-z])'(?!\w)|-LSB-.{0,80}?-RSB-|[\U0001f000-\U0001ffff\u2600-\u27bf]"
)
_N_T = re.compile(r"(?i)\b(?:(ca|wo|sha)n't|cannot)\b|(?<=\w)n't\b")
_NOT_ONLY = re.compile(r"(?i)\bnot (?:only|just|merely)\b(?=.*\bbut\b)")
"""It goes before "but", which says what there is more. Without that, "not-only" stays, which nothing explains."""
_ANSWER = re.compile(r"^\s*(?:Yes|No), ")
_FULL = {"ca": "can not", "wo": "will not", "sha": "shall not"}
_IS = re.compile(r"(?i)\b(it|that|there|he|she|what|who|here|where)'s\b")
_TOKEN = re.compile(r"'s\b|(?<![\w-])--?[A-Za-z][\w-]*|\w+(?:[-.'/+:_@#]+\w+)*(?:\(\))?|[,;:()\[\]!?|=…]|--+|[^\w\s]")
_KEPT_HYPHEN = words("non co re pre anti ex self semi sub multi inter intra e x t")
_PARTICLES = words("up off out down on in over away back")
"""Words that make a noun or an adjective with a verb before a hyphen: "start-up"."""
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_NUMBERS = {name: number for number, name in enumerate("one two three four five six seven eight nine ten".split(), 1)}
_UP_TO_TEN = rf"(?:{'|'.join(_NUMBERS)}|[1-9]|10)"
_ODDS = re.compile(
    rf"(?i)\b(?P<some>{_UP_TO_TEN}) (?:out of (?:every )?|in (?:every )?(?![a-z]+ (?:days?|weeks?|months?|years?|"
    rf"hours?|minutes?|seconds?|games?|match(?:es)?|races?|attempts?|steps?|rounds?|places?|cities|towns|countries)\b))"
    rf"(?P<every>{_UP_TO_TEN})(?= [a-z])(?! (?:and|or|to|of)\b)"
)
"""A share, as odds: not of days or places, in which something may have been three times."""
_MULTIPLE = re.compile(
    r"(?i)\b(half|twice|times) the (length|height|width|depth|weight|age|size|price|speed|distance) of(?= [a-z])"
)
_GRADED = {"length": "long", "height": "high", "width": "wide", "depth": "deep", "weight": "heavy", "age": "old",
           "size": "large", "price": "expensive", "speed": "fast", "distance": "far"}  # fmt: skip
_BE_BEFORE = words("is are was were be been being we they")
_LONGEST = max(phrase.count(" ") for phrase in PHRASES) + 1
_STARTS = frozenset(phrase.partition(" ")[0] for phrase in PHRASES)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or a phrase that works as one. `bases` are its base forms, `cls` the class of a word of grammar;
    a quantity is one token, with the words that bound it."""

    text: str
    low: str
    kind: Kind
    bases: frozenset[str]
    cls: str = ""
    quantity: Quantity | None = None


def plain(sentence: str) -> str:
    """Return a sentence without markup, marks that point elsewhere, and short forms."""
    said = _ORDINAL.sub("", _MARKUP.sub(" ", normalise(without_pointers(sentence))))
    said = _N_T.sub(
        lambda m: _FULL.get((m[1] or "").casefold(), "can not" if m[0].casefold() == "cannot" else " not"), said
    )
    said = _ANSWER.sub("", _NOT_ONLY.sub("", said))
    said = written_out(said)
    said = _MULTIPLE.sub(lambda m: f"{m[1]} as {_GRADED[m[2].casefold()]} as", said)
    said = _ODDS.sub(_odds, _IS.sub(r"\1 is", said))
    return " ".join(said.split()).rstrip(".! ")


def _odds(found: re.Match[str]) -> str:
    """Return "three out of four" as a share of what follows."""
    some, every = (_NUMBERS.get(each.casefold()) or int(each) for each in (found["some"], found["every"]))
    return f"{100 * some / every:.3g} % of" if some < every else found[0]


def tokens_of(sentence: str) -> tuple[Token, ...]:
    """Return the tokens of a sentence."""
    text = plain(sentence)
    found = [
        q for q in quantities(text)
        if not (q.unit == "" and q.text.casefold() == "one")
    ]  # fmt: skip
    made: list[Token] = []
    at = 0
    for quantity in found:
        made += _words(text[at : quantity.first], not made)
        shown = text[quantity.first : quantity.last].strip()
        if shown[:7].casefold() == "within ":
            made.append(_token("within", shown[:6], False))
        made.append(Token(shown, shown.casefold(), "number", frozenset((shown.casefold(),)), quantity=quantity))
        at = max(quantity.last, quantity.end)
    made += _words(text[at:], not made)
    return tuple(made)


def _words(text: str, first: bool) -> list[Token]:
    pieces: list[str] = []
    for piece in _TOKEN.findall(text):
        parts = piece.split("-")
        if len(parts) > 1 and all(p.isalpha() for p in parts) and parts[0].casefold() not in _KEPT_HYPHEN and (
            all(len(p) > 1 for p in parts) and not (len(parts) == 2 and parts[1] in _PARTICLES)
        ):  # fmt: skip
            pieces += parts
        elif piece.casefold() == "and/or":
            pieces.append("or")
        else:
            pieces.append(piece)
    made: list[Token] = []
    i = 0
    while i < len(pieces):
        size = _phrase(pieces, i)
        if size and not _is_compared(pieces, i):
            for word in PHRASES[" ".join(pieces[i : i + size]).casefold()].split():
                made.append(_token(word, " ".join(pieces[i : i + size]), True))
            i += size
            continue
        made.append(_token(pieces[i].casefold(), pieces[i], first and not made and i == 0))
        i += 1
    return made


def _is_compared(pieces: list[str], at: int) -> bool:
    """Return whether "compared with" is a passive verb and its preposition: "was compared with a placebo"."""
    return at > 0 and pieces[at].casefold() == "compared" and pieces[at - 1].casefold() in _BE_BEFORE


def _phrase(pieces: list[str], at: int) -> int:
    """Return the number of words of the longest phrase that begins here, 0 without one."""
    if pieces[at].casefold() not in _STARTS:
        return 0
    for size in range(min(_LONGEST, len(pieces) - at), 1, -1):
        if " ".join(pieces[at : at + size]).casefold() in PHRASES:
            return size
    return 0


def _token(low: str, text: str, opening: bool) -> Token:
    if low[0] == "-" and len(low) > 1:
        return Token(text, text, "name", frozenset((text,)))  # an option: its capitals count
    cls = CLASS.get(low, "") or ("auxiliary" if low in MODALS or low in BE | HAVE | DO else "")
    if low in ("may", "will") and text[0].isupper() and not opening:
        cls = ""  # the month, the name
    if cls and not (len(text) > 1 and text.isupper()):
        return Token(text, low, "grammar", frozenset((low,)), cls)
    if not any(c.isalnum() for c in low):
        return Token(text, low, "mark", frozenset((low,)))
    if any(c.isdigit() for c in low) or not low.replace("'", "").replace("-", "").isalpha():
        return Token(text, low, "name", frozenset((low,)))
    if text[0].isupper() and (not opening or text[1:] != low[1:] or named(low)):
        return Token(text, low, "name", bases(low) if not text.isupper() else frozenset((low,)))
    return Token(text, low, "content", bases(low))


def named(low: str) -> bool:
    """Return whether a word is no common word, or one that is written with a capital alone."""
    return not kinds_of_bases(low) or proper(low) or not any(synonyms(base, base) for base in bases(low))


def kinds_of_bases(low: str) -> frozenset[str]:
    """Return the parts of speech of a word's base forms."""
    return frozenset(kind for base in bases(low) for kind in kinds(base))


_CLOCK = re.compile(r"(?i)\b(1[0-2]|[1-9])(?::([0-5]\d))? ?([ap])\.?m\b\.?")


def written_out(text: str) -> str:
    """Return a sentence with amounts in words, times of day and the best-known short names in one form."""
    text = _CLOCK.sub(_time, text)
    return text


def _time(found: re.Match[str]) -> str:
    """Return a time of day by the clock of 24 hours."""
    hour = int(found[1]) % 12 + 12 * (found[3].lower() == "p")
    return f"{hour}:{found[2] or '00'}"
