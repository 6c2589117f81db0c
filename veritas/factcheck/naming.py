"""Whether a place of a page names what a statement speaks of: its subject, options, and what its figure measures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from veritas.factcheck.everyday import alike
from veritas.factcheck.pages import stems_of
from veritas.meaning.displaced import of_no_default
from veritas.meaning.embedded.claim_evidence import Statement
from veritas.text import wordnet
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import Token, tokens

_OPTION = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
_HEADING = re.compile(r"(?m)^[ ]{0,3}(#{1,6})[ \t]+(\S.*)$")
_ITEM = re.compile(r"(?m)^[ \t]*(?:[-*+•]|\(?\d{1,3}[.)])[ \t]+(?=\S)")
_LEAD = 400
"""Characters before a list in which the line that introduces it stands."""


def unnamed(claim: Statement, near: Sequence[Statement], page: str, title: str, span: tuple[int, int]) -> str:
    """Return why sentences do not speak of what a claim does; "" if nothing tells.

    `near` are the sentences at `span` of the text of a page, the best first. A claim is named in them, in the headings
    above them, in the line that introduces their list or, outside of a list, beside them. What is found stops a support
    and contradicts nothing.
    """
    at = max(page.find(near[0].text.strip(), *span), span[0])
    above = " ".join((title, *_headings(page, at)))
    said = " ".join(one.text for one in near)
    if option := _unnamed_option(claim.text, f"{said} {above}"):
        return option
    if all(of_no_default(claim.text, each) for each in (said, above)):
        return "the source does not say there that it is so by default"
    item = _item(page, at)
    if item is None:
        around = page[slice(*span)]
    else:
        around = page[slice(*item)] + " " + _lead(page, item[0])
        others = [one for one in near[1:] if one.text.strip() not in page[slice(*item)]]
        if (apart := _only_beside(claim, f"{around} {above}", others)) is not None:
            return f"one item of the list says the rest, and another one “{apart}”"
    held = f"{said} {around} {above}" if item is None else f"{around} {above}"
    subject = _subject(claim)
    phrase = r"\W+".join(re.escape(token.text) for token in subject)
    if subject and _elsewhere(phrase, page) and not any(_met(token, held) for token in subject):
        return f"the source does not say it of “{' '.join(token.text for token in subject)}” there"
    if (figures := [q for q in claim.quantities if q.kind != "year" and q.unit != "day"]) and any(
        any(c.isdecimal() for c in q.text) for q in figures
    ):
        inside = [(q.start, q.end) for q in claim.quantities]
        for token in claim.content:
            if any(a <= token.start < b for a, b in inside) or not _is_thing(token):
                continue
            if _elsewhere(re.escape(token.text), page) and not _met(token, held):
                return f"the source does not speak of “{token.text}” there"
    return ""


def of_another_option(claim: str, passage: str, at: int, page: str, title: str) -> str:
    """Return why a passage at a place of a page contradicts nothing: an option of a claim stands neither in it nor in
    the headings above it; "" if they are named."""
    return _unnamed_option(claim, " ".join((passage, title, *_headings(page, at))))


def _unnamed_option(claim: str, held: str) -> str:
    for option in _OPTION.findall(claim):
        if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", held):
            return f"the source does not say it of “{option}” there"
    return ""


def _elsewhere(words: str, page: str) -> bool:
    """Return whether a page has the words of a pattern: it speaks of the thing, though in another place."""
    return re.search(rf"(?i)(?<!\w){words}(?!\w)", page) is not None


def _headings(page: str, at: int) -> list[str]:
    """Return the headings above a place, the nearest first, each of a higher level than the one before."""
    found: list[str] = []
    level = 7
    for mark in reversed(list(_HEADING.finditer(page, 0, at))):
        if len(mark[1]) < level:
            found.append(mark[2])
            level = len(mark[1])
    return found


def _item(page: str, at: int) -> tuple[int, int] | None:
    """Return the offsets of the item of a list that a place stands in, None outside of a list."""
    start = max(page.rfind("\n\n", 0, at) + 2, 0) if "\n\n" in page[:at] else 0
    marks = list(_ITEM.finditer(page, start, min(len(page), at + 8)))
    if not marks:
        return None
    following = _ITEM.search(page, max(at, marks[-1].end()))
    gap = page.find("\n\n", at)
    end = min(following.start() if following else len(page), gap if gap >= 0 else len(page))
    return marks[-1].start(), end


def _lead(page: str, at: int) -> str:
    """Return the last paragraph before a place that is no item of a list."""
    for block in reversed(page[max(0, at - 4 * _LEAD) : at].split("\n\n")):
        if block.strip() and not _ITEM.match(block):
            first = _ITEM.search(block)
            return (block[: first.start()] if first else block)[-_LEAD:]
    return ""


def _only_beside(claim: Statement, own: str, others: Sequence[Statement]) -> str | None:
    """Return a word or number of a claim that other sentences than its item have, if a figure is among what it says and
    it does not join two things itself."""
    if not others or not any(t.is_number for t in claim.tokens) or any(t.lower == "and" for t in claim.tokens):
        return None
    beside = " ".join(one.text for one in others)
    return next((t.text for t in claim.content if not _met(t, own) and _met(t, beside)), None)


def _subject(claim: Statement) -> list[Token]:
    """Return the first words of content of a claim, up to a number or a word of grammar; none if it begins with a
    pronoun."""
    every = list(claim.tokens)
    while every and every[0].lower in ("the", "a", "an", "each", "every", "all", "any"):
        every.pop(0)
    first = takewhile(lambda token: token.lower not in FUNCTION_WORDS and not token.is_number, every)
    return [token for token in first if wordnet.parts_of_speech(token.text) != frozenset(("r",))]


def _is_thing(token: Token) -> bool:
    return token.text.islower() and not token.is_number and wordnet.parts_of_speech(token.text) == frozenset(("n",))


def _met(token: Token, held: str) -> bool:
    stems = stems_of(held)
    if token.stem in stems or token.lower in held.casefold() or alike(token.stem) & stems:
        return True
    return any(
        wordnet.synonyms(token.text, other.text) or wordnet.derived(token.text, other.text)
        or wordnet.broader(other.text, token.text) or wordnet.broader(token.text, other.text)
        for other in tokens(held) if not other.is_number and not token.is_number
    )  # fmt: skip
