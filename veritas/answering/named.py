"""What stands under a name: whether a text tells what the option, setting or command of its heading is set to, is
limited to, or does."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from veritas.answering.question import Asked
from veritas.answering.units import Unit
from veritas.claims.sources import Passage
from veritas.text import wordnet
from veritas.text.languages import ENGLISH
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import index_terms

Wish = Literal["default", "limit", "purpose"]


class Wanted(NamedTuple):
    """What a question asks of a named thing, and the name as it is spelled there."""

    wish: Wish
    name: str


_KIND = r"(?:option|flag|switch|setting|parameter|argument|command|variable|key|property|attribute|field|function)"
_NAME = rf"(?:the )?(?:{_KIND} )?[\"'`“]?(?P<name>[^?\"'`“”]{{2,60}}?)[\"'`”]?(?:\(\))?(?: {_KIND})?"
_END = r"(?: set to| by default)?\s*\?*$"
_IS = r"(?i)^(?:and )?(?:what(?:['’]s| is| are)|which is) (?:the )?"
_WISHES: tuple[tuple[Wish, re.Pattern[str]], ...] = (
    ("default", re.compile(rf"{_IS}default(?: (?:value|setting))? (?:of|for) {_NAME}{_END}")),
    ("default", re.compile(rf"(?i)^(?:and )?what does {_NAME} default to\s*\?*$")),
    ("default", re.compile(rf"(?i)^(?:and )?what is {_NAME} (?:set to )?by default\s*\?*$")),
    ("limit", re.compile(
        rf"{_IS}(?:upper |lower )?(?:limit|maximum|minimum)(?: (?:value|size|length|number))? (?:of|for|on) "
        rf"{_NAME}{_END}"
    )),
    ("purpose", re.compile(rf"(?i)^(?:and )?what (?:does|do) {_NAME} (?:do|mean|control|set|change)\s*\?*$")),
    ("purpose", re.compile(rf"(?i)^(?:and )?what(?:['’]s| is| are) {_NAME} (?:used )?for\s*\?*$")),
)  # fmt: skip
_PARTED = re.compile(r"\s*(?:,|/| or )\s+|\s*\|\s*")
_WORD = re.compile(r"[^\s=(\[<:]+")
_PLACEHOLDER = re.compile(
    rf"(?:[A-Z]\S*|[<\[({{=:].*|(?:{_KIND}s?|int|integer|str|string|strings|stringarray|bool|boolean|number|float|list|"
    r"path|file|value|values|duration|array|object)[.,:]?)$"
)
_BRACKETS = re.compile(r"\s*[<\[({].*$")
_VALUE = (
    r"(?:[-+]?\d|[\"'`“]|(?:true|false|none|null|nil|off|on|yes|no|empty|unlimited|disabled|enabled|auto\w*|zero|"
    r"one|two|three|four|five|ten|infinity|unset)\b)"
)
_SETS = re.compile(
    r"(?i)\bdefaults?(?: (?:value|setting))?(?: (?:is|are|to|of|being)|\s*[:=]|,)\s*(?!not\b|used\b|different\b|to\b|"
    r"that\b|what\b|chosen\b|taken\b|ignored\b)\S"
)
_BY = re.compile(r"(?i)\bby default\b|\(default\b|\bdefaults? (?:is|are) to\b")
_VALUED = re.compile(rf"(?i)(?<![\w-]){_VALUE}")
_LIMITS = re.compile(
    r"(?i)\b(?:max(?:imum)?|min(?:imum)?|limit(?:s|ed)?|at (?:most|least)|up to|no more than|exceed\w*|between|cannot "
    r"be (?:larger|longer|more|less)|unlimited)\b"
)
_NUMBER = re.compile(r"(?i)\d|\bunlimited\b|\bno (?:upper |lower )?limit\b")
_OTHER = re.compile(r"(?<![\w-])--[a-z][\w-]+")
_SAYS_LITTLE = re.compile(r"(?i)(?:see|note|example|usage|properties|options|added|new) ?\b|.*:\s*$")
WORDS = 4
"""Least words of a sentence that tells what something does."""
HEAD = 80
"""Most characters before the colon or the dash that ends the term of an item."""


@lru_cache(maxsize=512)
def wanted(text: str) -> Wanted | None:
    """Return what an English question asks of a thing that it names; None if it does not ask for its default, its
    limit, or what it does."""
    for wish, rule in _WISHES:
        if found := rule.match(text):
            return Wanted(wish, found["name"].strip())
    return None


def told_of_its_name(asked: Asked, passage: Passage, unit: Unit) -> bool:
    """Return whether a unit stands under the name that a question asks about, and tells what is asked of it.

    The name is the heading, or the term of an item: "--wait Duration", "`wait`, `-w`". A unit tells a default if it
    has one with its value, and not that of something else; a limit, if it has one with a number; and what something
    does, if it is the first sentence under the heading.
    """
    wish = wanted(asked.text) if asked.language is ENGLISH else None
    if wish is None or unit.whole or unit.kind == "code":
        return False
    said = passage.text[unit.start : unit.end]
    headed = is_name(wish.name, unit.heading or passage.heading)
    term = _term(passage.text, unit)
    if not headed and not is_name(wish.name, term):
        return False
    if wish.wish == "purpose":
        behind = said[len(term) :] if said.startswith(term) else said
        return len(behind.split()) >= WORDS and (not headed or _opens(passage.text, unit, said))
    if _of_another(wish.name, said):
        return False
    if wish.wish == "limit":
        return _LIMITS.search(said) is not None and _NUMBER.search(said) is not None
    return _SETS.search(said) is not None or (_BY.search(said) is not None and _VALUED.search(said) is not None)


def may_tell_of_its_name(asked: Asked, text: str, heading: str) -> bool:
    """Return whether a text below a heading may tell what an option or another identifier does, where an English
    question asks that; true for any other question.

    It stands under the name, has a line that the name opens, or a sentence in which the name does something or is used
    to some end. That a text mentions "the --wait messages", or is to be run without it, tells nothing of it.
    """
    wish = wanted(asked.text) if asked.language is ENGLISH else None
    if wish is None or wish.wish != "purpose" or not _IDENTIFIER.match(wish.name):
        return True
    if is_name(wish.name, heading):
        return True
    name = rf"[`\"'“*]*(?<![\w-])(?:-\w, )?{re.escape(wish.name)}(?![\w-])[`\"'”*]*(?:\(\))?"
    called = rf"(?:{name}(?: {_KIND})?|{_KIND} {name})"
    if re.search(rf"(?m)^\s*(?:[-*•|] *)*{name}[^\n.;]{{0,{HEAD}}}(?:[:|\t\n]|\s[-–—]\s|\s{{2,}})\s*\S", text):
        return True
    if re.search(rf"(?i)\b(?:with|using|us(?:e|ing)|by|pass(?:ing)?|add(?:ing)?|set(?:ting)?|giv(?:e|ing)) (?:the |a )?"
                 rf"{called}[^.;\n]{{0,{HEAD}}}?(?:, | to | for | so that | if | when )", text):
        return True
    return any(
        _does(found[1], kind=re.search(rf"{_KIND} (?:\S+ )?$", text[: found.start(1)]) is not None)
        for found in re.finditer(rf"{called}(?: (?:also|then|only|will|can|may|\w+ly))* ([a-z]+)\b", text)
    )


def _does(word: str, *, kind: bool) -> bool:
    """Return whether a word behind a name says that it does something: a verb, and no noun that the name is part of.
    `kind`: a word like "option" stands between them."""
    if word in ("is", "are", "was", "does", "has", "means", "makes", "tells", "sets", "lets"):
        return True
    if word in FUNCTION_WORDS or "v" not in wordnet.parts_of_speech(word):
        return False
    return kind or 2 * wordnet.frequency(word, "v") > wordnet.frequency(word)


_IDENTIFIER = re.compile(r"--?\w|\w+[_.]\w|[a-z]+[A-Z]|[A-Z]\w*[a-z][A-Z]")


def is_default_of_another(asked: Asked, said: str) -> bool:
    """Return whether a sentence speaks of another option's default than of the one that a question asks about."""
    wish = wanted(asked.text) if asked.language is ENGLISH else None
    if wish is None or wish.wish != "default" or not wish.name.startswith("-"):
        return False
    return _of_another(wish.name, said) and not re.search(rf"(?<![\w-]){re.escape(wish.name)}(?![\w-])", said)


def _of_another(name: str, said: str) -> bool:
    return not {bare(other) for other in _OTHER.findall(said)} <= {bare(name)}


def _opens(text: str, unit: Unit, said: str) -> bool:
    """Return whether a sentence is the first of its section."""
    if unit.kind != "prose" or unit.place or _SAYS_LITTLE.match(said):
        return False
    above = text[: unit.start].rstrip()
    line = above[above.rfind("\n") + 1 :].strip("#*=`~ ")
    return not above or " ".join(line.split()) == unit.heading.strip("#*=`~ ")


def _term(text: str, unit: Unit) -> str:
    """Return the term that a unit explains: what stands above it, or before the colon or the dash of its own item."""
    if unit.said_from < unit.start and unit.kind != "prose":
        return text[unit.said_from : unit.start].strip().partition("\n")[0]
    if unit.kind not in ("list", "table"):
        return ""
    head = re.match(rf"\s*(?:[-*•]\s+)?(\S.{{0,{HEAD}}}?)(?::\s|\s[-–—]\s|\t|\s{{2,}}|\n)", text[unit.start : unit.end])
    return head[1] if head is not None else ""


@lru_cache(maxsize=4096)
def is_name(name: str, heading: str) -> bool:
    """Return whether a heading is a name and no more: in one of its forms, with a word for its kind or its value
    behind. "-n, --dry-run" is "dry-run"; "--dry-run oddities" is not."""
    if not heading:
        return False
    forms = [form.strip("`*\"' ") for form in _PARTED.split(heading)]
    if not re.fullmatch(r"[A-Za-z]?[a-z]+(?: [A-Za-z-]+)*", name) or bare(name) in map(bare, forms):
        for form in forms:
            word = _WORD.match(form)
            rest = form[word.end() :].strip("`*\"' ") if word else form
            if word and bare(word[0]) == bare(name) and all(map(_PLACEHOLDER.match, _words(rest))):
                return True
        return False
    own = frozenset(index_terms(re.sub(rf"(?i)\b{_KIND}s?\b", " ", name)))
    return bool(own) and own == frozenset(index_terms(_BRACKETS.sub("", re.sub(rf"(?i)\b{_KIND}s?\b", " ", heading))))


def _words(rest: str) -> list[str]:
    return [] if not rest else [rest] if rest[0] in "<[({=:" else rest.split()


def bare(name: str) -> str:
    """Return a name without its quotes, dashes and brackets: "`--Wait`" and "wait()" are "wait"."""
    return name.strip("`*\"'“” ").lstrip("-").removesuffix("()").casefold()
