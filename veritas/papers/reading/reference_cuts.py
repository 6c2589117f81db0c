"""Where in a reference list each reference begins: at marks, at bullets, or where its words and lines say so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from veritas.papers.reading.reference_mending import mended
from veritas.papers.reading.reference_people import is_body, read_people


class Cut(NamedTuple):
    """A reference at `[start, end)` of the list, without its mark; `key` is the mark, where there is one."""

    start: int
    end: int
    key: str | None


_YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_BRACKETED = re.compile(r"(?:^|(?<=\s))\[(\d{1,3})\][ \t]*(?=\S)", re.MULTILINE)
_DOTTED = re.compile(r"^[ \t]*(?:[-*•][ \t]+)?(\d{1,3})[.)][ \t]+(?=\S)", re.MULTILINE)
_IN_PARENTHESES = re.compile(r"^[ \t]*\((\d{1,3})\)[ \t]+(?=\S)", re.MULTILINE)
_BARE = re.compile(r"^[ \t]*(\d{1,3})[ \t]+(?=[^\W\d_a-zß-öø-ÿ])", re.MULTILINE)
_KEYED = re.compile(
    r"(?:^|(?<=\s))\[((?=\d{0,3}[^\W\d_])\w[\w+'’.-]{0,18}\d{2,4}[a-z]?\w{0,3})\][ \t]*(?=\S)", re.MULTILINE
)
_KEYED_OR_NAMED = re.compile(
    r"(?:^|(?<=\s))\[((?=\d{0,3}[^\W\d_])\w[\w+'’.-]{0,18}\d{2,4}[a-z]?\w{0,3}|[A-Z]\w{1,7})\][ \t]+(?=\S)",
    re.MULTILINE,
)
SURELY_KEYED = 5
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LABELLED = re.compile(r"^[ \t]*\[([^\W\d_][^\[\]\n]{2,80}\(?\d{4}[^\[\]\n]{0,80})\][ \t]*", re.MULTILINE)
_BULLET = re.compile(r"(?:^[ \t]*[-*+•]|(?<=\s)•)[ \t]+(?=\S)", re.MULTILINE)

_BREAK = re.compile(r"[ \t]*\n\s*")
_PARTICLE = r"(?:van|von|de|del|della|der|den|di|da|du|la|le|el|al|ter|ten|zu) "
_STOP = re.compile(rf"(?<=[.)\]\d/])[ \t]+(?=[^\W\d_a-zß-öø-ÿ(“]|{_PARTICLE})")
_DATE = re.compile(
    rf"[\s.,:;]*[(\[](?:\d{{1,2}} )?(?:[A-Z][a-z]+\.? )?(?:\d{{1,2}}, )?(?:{_YEAR}[a-z]?|n\.\s?d\.)"
    rf"|[\s.,]*{_YEAR}[a-z]?[.:,] "
)
_DATED_WORK = re.compile(
    rf"[^\W_a-zß-öø-ÿ“\"][^()\n]{{2,200}}? ?\({_YEAR}[a-z]?\)|[“\"][^”\"]{{5,250}}[”\"]\.? \(?{_YEAR}\b"
    rf"|\({_YEAR}[a-z]?\)\. |[^\n.]{{4,150}}[.?!]”? {_YEAR}\. "
)
_HAS_DATE = re.compile(rf"(?<![\d/.-]){_YEAR}(?![\d/])|n\.\s?d\.|\bin press\b|https?:", re.IGNORECASE)
_ENDED = re.compile(r"(?:[.)\]”\"/]|https?://\S+|10\.\d{4,9}/\S+|arXiv:\S+|\d[a-z]?)\s*$")
_OVER = re.compile(
    rf"(?<!\d){_YEAR}[a-z]?\)?(?:, pp?\. ?[\d–-]+)?\.?"
    r"(?: *(?:doi:?\s*|DOI:?\s*|https?:|URL:?\s|arXiv:|Accessed|Retrieved|\[)\S*[^\n]{0,150})?\s*$"
)
_NO_START = re.compile(
    r"(?:doi\b|https?:|www\.|URL\b|accessed\b|retrieved\b|available\b|isbn\b|issn\b|arxiv[: ]|in[: ]|proceedings\b"
    r"|proc\.|vol\b|pp?\.|pages\b|no\.|springer\b|elsevier\b|wiley\b|ieee\b|acm\b|phd thesis|technical report|cited by"
    r"|external links)",
    re.IGNORECASE,
)
_CAPITAL = re.compile(rf"(?!\d+\s+[a-z])[^\W_a-zß-öø-ÿ]|[“\"«„‘(\[]|[a-z]{{1,3}}[A-Z]|{_PARTICLE}")
_ADDRESS_LAST = re.compile(r"(?:https?://\S+|10\.\d{4,9}/\S+)\s*$")
_WITHIN_NAME = re.compile(r"(?:\bSt|\bSte|,)\.?\s+$")
_LISTING = re.compile(r"(?:[,;&–-]|\band|\b[^\W\d_])\s*$")
_BODY_AND_DATE = re.compile(rf"([^,.()\n]{{3,100}}?)[,.]? \(?{_YEAR}[a-z]?\)?[,.]")
_PAGE_NUMBER = re.compile(r"\n[ \t]*\n[ \t]*\d{1,4}\s*$")
_PAGE_NUMBER_FIRST = re.compile(r"\s*\d{1,4}[ \t]*\n[ \t]*\n\s*")
_HALF_ADDRESS = re.compile(r"(?:https?://|\b10\.\d{4,9}/|doi\.org/)\S*?(?P<last>[-/_=?&.])\s*$|https?:\s*$|\b10\.\s*$")
AHEAD = 900
"""Characters looked at from where a reference may begin."""
BEFORE = 6000
SAMPLED = 600
"""Places that are looked at to tell of which kind a list is."""
TAIL = 300
"""Characters before it that tell whether another ended there."""


def cut_references(text: str) -> list[Cut]:
    """The references of a list that is `text` and nothing else but its heading, in order, without pages' numbers."""
    found = []
    for cut in _cut(text):
        number = _PAGE_NUMBER.search(text, cut.start, cut.end)
        first = _PAGE_NUMBER_FIRST.match(text, cut.start, cut.end) if cut.key is None else None
        end = number.start() if number else cut.end
        if (start := first.end() if first else cut.start) < end:
            found.append(Cut(start, end, cut.key))
    return found


def _cut(text: str) -> list[Cut]:
    text = text.translate(_RAISED)
    body = _after_heading(text)
    for pattern, least in ((_BRACKETED, 2), (_DOTTED, 2), (_IN_PARENTHESES, 2), (_BARE, 4)):
        marks = _counting(list(pattern.finditer(text, body)), text, body, least)
        if marks:
            return _at_marks(text, marks)
    if len(list(_KEYED.finditer(text, body))) >= SURELY_KEYED:
        # So many keys are no accident: prose may come before them, and some have no year.
        return _at_marks(text, list(_KEYED_OR_NAMED.finditer(text, body)))
    for pattern in (_KEYED, _LABELLED, _BULLET):
        marks = list(pattern.finditer(text, body))
        if len(marks) >= 2 and not text[body : marks[0].start()].strip():
            return _at_marks(text, marks)
    return _unmarked(text, body)


_HEADING = re.compile(
    r"\s*[#*_\d.\sIVX]{0,12}(?:references?(?: cited)?|bibliography|works cited|literature(?: cited)?|cited literature)"
    r"[*_:.]*[ \t]*(?:\n|(?=\[1\]))",
    re.IGNORECASE,
)


def _after_heading(text: str) -> int:
    first = _HEADING.match(text)
    return first.end() if first else 0


def _counting(marks: Sequence[re.Match[str]], text: str, body: int, least: int) -> list[re.Match[str]]:
    """The marks that count up from the first: those out of order are numbers in the references themselves."""
    places: dict[int, list[int]] = {}
    for place, mark in enumerate(marks):
        places.setdefault(int(mark[1]), []).append(place)
    chain: list[re.Match[str]] = []
    at, number = -1, 0
    if marks and not any(int(mark[1]) == 1 for mark in marks[:3]):
        number = int(marks[0][1]) - 1  # a list that goes on from elsewhere
    while True:
        for step in (1, 2, 3):
            following = next((place for place in places.get(number + step, ()) if place > at), None)
            if following is not None:
                break
        else:
            break
        at, number = following, number + step
        chain.append(marks[at])
    covered = bool(chain) and len(text[body : chain[0].start()].strip()) < 0.2 * (len(text) - body) + 40
    return chain if covered and (len(chain) >= least or (chain and not text[body : chain[0].start()].strip())) else []


def _at_marks(text: str, marks: Sequence[re.Match[str]]) -> list[Cut]:
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [
        Cut(mark.end(), end, mark[1] if mark.re.groups else None) for mark, end in zip(marks, ends, strict=True)
    ]


def _unmarked(text: str, body: int) -> list[Cut]:
    """A list without marks: by the indents of its lines where they tell, else by what stands there."""
    lines = [line for line in re.finditer(r"[^\n]+", text) if line.start() >= body and line.group().strip()]
    if not lines:
        return []
    indented = [line.group()[0] in " \t" for line in lines]
    if not indented[0] and sum(indented) > 0.15 * len(lines):
        starts = [line.start() for line, inside in zip(lines, indented, strict=True) if not inside]
        return _between(text, starts)
    width = _width([line.group() for line in lines])
    breaks = {found.end(): found.group().count("\n") > 1 for found in _BREAK.finditer(text, body)}
    first = lines[0].start() + len(lines[0].group()) - len(lines[0].group().lstrip())
    places = sorted({first, *breaks, *(stop.end() for stop in _STOP.finditer(text, body))} - {len(text)})
    places = [place for place in places if not _WITHIN_NAME.search(text, max(0, place - 8), place)]
    begins = _begins_dated if _dated(text, places) else _begins_plain
    starts = [places[0]]
    for place in places[1:]:
        kind = "blank" if breaks.get(place) else "line" if place in breaks else "stop"
        if kind == "line" and width and _was_full(text, place, width):
            kind = "full"
        if begins(text[max(starts[-1], place - BEFORE) : place], text[place : place + AHEAD], kind):
            starts.append(place)
    return _between(text, starts)


def _between(text: str, starts: Sequence[int]) -> list[Cut]:
    return [Cut(start, end, None) for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _width(lines: Sequence[str]) -> int:
    """The width that lines were broken at; 0 where they are paragraphs."""
    lengths = sorted(len(line.rstrip()) for line in lines)
    widest = lengths[int(0.97 * (len(lengths) - 1))]
    return widest if len(lines) > 8 and widest <= 160 and median(lengths) > 0.55 * widest else 0


def _was_full(text: str, place: int, width: int) -> bool:
    """Whether the next word would not have gone into the line before: then the break says nothing."""
    line = text.rfind("\n", 0, len(text[:place].rstrip()))
    before = len(text[line + 1 : place].rstrip())
    word = re.match(r"\S+", text[place:])
    return before + 1 + (len(word.group()) if word else 0) > 0.93 * width


def _flat(text: str) -> str:
    return " ".join(text.split())


def _dated(text: str, places: Sequence[int]) -> bool:
    """Whether the list has its dates behind the authors, and not at the end."""
    early = late = 0
    for place in places[:: max(1, len(places) // SAMPLED)]:
        ahead = _flat(text[place : place + AHEAD])
        people = read_people(ahead)
        if people and _DATE.match(ahead, people.end):
            early += 1
        elif people and people.form != "inverted" and ahead[people.end : people.end + 2] == ". ":
            late += 1  # or a title in capitals, so that it takes more of them
    return early > 0 and 2 * early >= late


def _begins_dated(before: str, after: str, kind: str) -> bool:
    """In a list of `Authors (year)`: where authors and a date stand, or a body or title and a date on a new line."""
    ahead = _flat(after)
    if not _CAPITAL.match(ahead) or _NO_START.match(ahead) or not _HAS_DATE.search(before):
        return False
    said = mended(before[-TAIL:])
    half = _HALF_ADDRESS.search(said)
    if half and (half["last"] != "." or re.match(r"\S*\d", ahead)):
        return False
    ended = bool(_ENDED.search(said))
    if (ended or (kind in ("line", "blank") and not _LISTING.search(said))) and _names_and_date(ahead):
        return True
    if kind == "stop":
        return False
    if kind in ("line", "blank") and _body_and_date(ahead):
        return True
    if not ended:
        return False
    found = _DATED_WORK.match(ahead)
    inside = [ahead[stop.end() :] for stop in _STOP.finditer(ahead, 0, found.end())] if found else []
    if found is None or any(_names_and_date(text) or _body_and_date(text) for text in inside):
        return False
    if kind != "full" or ahead[0] in "“\"(" or is_body(re.split(r"[(.]", found.group())[0]):
        return True
    return bool(_OVER.search(said) or _ADDRESS_LAST.search(said))


def _names_and_date(text: str) -> bool:
    people = read_people(text)
    return people is not None and _DATE.match(text, people.end) is not None


def _body_and_date(text: str) -> bool:
    found = _BODY_AND_DATE.match(text)
    return found is not None and is_body(found[1])


def _begins_plain(before: str, after: str, kind: str) -> bool:
    """In a list with its dates at the end: after such an end, where people stand or a line begins."""
    ahead = _flat(after)
    if not _CAPITAL.match(ahead) or _NO_START.match(ahead) or not _HAS_DATE.search(before):
        return False
    said = mended(before[-TAIL:])
    half = _HALF_ADDRESS.search(said)
    if not _ENDED.search(said) or (half and (half["last"] != "." or re.match(r"\S*\d", ahead))):
        return False
    address = bool(_ADDRESS_LAST.search(said))
    over = address or bool(_OVER.search(said))
    if over and kind in ("line", "blank"):
        return True
    people = read_people(ahead)
    named = people is not None and "." in ahead[people.end - 1 : people.end + 1]
    if kind in ("stop", "full"):
        plain = kind == "full" and (ahead[0] in "“\"" or not address or ahead[0].isupper())
        return over and (named or plain)
    return named or ahead[0] in "“\""
