"""Citations by author and year: `(Smith et al., 2020; Lee & Kim, 2019)` and `Smith and Lee (2020)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from veritas.text.wordlist import words


class NamedMark(NamedTuple):
    """A citation by names. `names` are pairs "surname year"; `kept` are the words of it that the sentence needs."""

    start: int
    end: int
    names: tuple[str, ...]
    kept: tuple[int, int] | None


_LETTER = r"[^\W\d_]"
_NAME = (
    r"(?:(?:van|von|de|der|den|la|le|di|da|del|al|bin|ter|ten|du)\s){0,3}"
    rf"(?=[^\Wa-zà-ÿ\d_]){_LETTER}[\w'’.-]{{1,40}}(?:[\s-](?=[^\Wa-zà-ÿ\d_]){_LETTER}[\w'’-]{{1,30}}){{0,4}}"
)
_BODY = (
    r"(?=[^\Wa-z\d_])[\w'’.-]{2,40}(?:\s(?:of|for|the|and|on|in|at|de|des|du|für|der|und|et|&|(?=[^\Wa-z\d_])[\w'’-]+)){0,8}"
    r"\s(?:(?=[^\Wa-z\d_])[\w'’-]+|developers|team|group|authors|contributors|collaborators|collaboration|project|union"
    r"|consortium|foundation|editors|staff|plc|inc|ltd|llc|company|institute|university|et al\.?)"
)
_YEAR = r"(?:(?:1[5-9]|20)\d\d[a-z]?(?!\w)|n\.\s?d\.|o\.\s?J\.|s\.\s?d\.|in press|forthcoming)"
_MORE = (
    rf"(?P<more>,?\s(?:et al\.?|and colleagues|u\.\s?a\.|et coll\.)|(?:,\s{_NAME}){{0,3}},?\s(?:and|&|und"
    rf"|et)\s{_NAME})?"
)
_PARENTHESES = re.compile(r"\([^()\n]{5,400}\)|\[(?=[^\]\d]{3})[^\[\]\n@†‡:]{5,300}\]")
_PIECE = re.compile(
    rf"\s*(?:(?:see(?: also)?|e\.g\.,?|cf\.?|i\.e\.,?|vgl\.|siehe|z\.\s?B\.|voir|reviewed in"
    rf"|in)\s+)?(?P<who>{_NAME}|{_BODY}){_MORE}"
    rf"(?P<comma>,?)\s+(?P<year>{_YEAR})(?:\s?,\s?(?P<years>{_YEAR}))?"
    r"(?:\s?[,:]\s?(?:(?:pp?\.|S\.|§|ch\.|Abs\.|sec\.|Fig\.|Table)\s?)?[\w–-]{1,12})?\s*\Z"
)
_NARRATIVE = re.compile(
    rf"(?<![\w(])(?P<who>{_NAME}){_MORE}(?:['’]s)?\s(?P<box>[(\[](?P<year>{_YEAR})(?:,\s?pp?\.\s?[\d–-]+)?[)\]])"
)
_NO_NAME = words(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août
    septembre octobre novembre décembre spring summer autumn fall winter since until circa early late mid section table
    figure fig version chapter act law vol volume season episode edition copyright updated published accessed founded
    born died in as by from before after about q1 q2 q3 q4 fy frühjahr sommer herbst seit bis ende anfang mitte stand
    """
)


def find(text: str, known: Callable[[str, str], bool]) -> Iterator[NamedMark]:
    """Yield citations by names and year. `known` tells whether a surname and a year are those of an entry; one author
    in front of a year in brackets counts only then, since "Paris (2015)" is written likewise."""
    for brackets in _PARENTHESES.finditer(text):
        inside = brackets[0][1:-1]
        pieces = [_PIECE.match(piece) for piece in inside.split(";")]
        names: list[str] = []
        for piece in pieces:
            if piece is None or not _is_name(piece, known):
                break
            names += (f"{surname(piece['who'])} {year}" for year in (piece["year"], piece["years"]) if year)
        else:
            yield NamedMark(*brackets.span(), tuple(names), None)
    for m in _NARRATIVE.finditer(text):
        who = _without_lead(m["who"])
        name = surname(who)
        if m["more"] or known(name, m["year"]):
            if name.casefold() in _NO_NAME:
                continue
            start = m.start("who") + len(m["who"]) - len(who)
            yield NamedMark(start, m.end(), (f"{name} {m['year']}",), (start, m.start("box")))


def surname(who: str) -> str:
    """Return the first author, or the body that is one."""
    first = re.split(r",| and | & ", who.strip())[0].split()
    return " ".join(first) or who


def _is_name(piece: re.Match[str], known: Callable[[str, str], bool]) -> bool:
    name = surname(piece["who"])
    if piece["who"].split()[0].casefold() in _NO_NAME or name.casefold() in _NO_NAME:
        return False
    return bool(piece["more"] or piece["comma"]) or known(name, piece["year"])


def _without_lead(who: str) -> str:
    """Return names without the word before them that is capital only as the sentence's first."""
    first, _, rest = who.partition(" ")
    lead = first.casefold() in _NO_NAME or first.casefold() in (
        "the", "a", "and", "but", "while", "according", "when", "although", "however", "both", "later", "recently",
    )  # fmt: skip
    return rest if lead and rest[:1].isupper() else who
