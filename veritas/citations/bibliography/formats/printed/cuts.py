"""Starts of the references in a list: at their marks, or by their words and lines.

Marks of the references in a list: numbers that count up, keys, bullets.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from veritas.citations.bibliography.formats.printed.authors import is_body, read_people
from veritas.citations.bibliography.formats.printed.line_breaks import mended
from veritas.documents.paper_sections import LIST_HEADING


class Cut(NamedTuple):
    """A reference at `[start, end)` of the list, without its mark; `key` is the mark, if it has one."""

    start: int
    end: int
    key: str | None


_BRACKETED = re.compile(r"(?:^|(?<=\s))\[(\d{1,3})\][ \t]*(?=\S)", re.MULTILINE)
_DOTTED = re.compile(
    r"^[ \t]*(?:[-*•][ \t]+)?(\d{1,3})[.)](?:[ \t]+(?=\S)|(?=[^\W\d_a-zß-öø-ÿ][^\W\d_]))", re.MULTILINE
)
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
"""Least number of keys that cannot be an accident, though they have prose before them and no years."""
_LABELLED = re.compile(r"^[ \t]*\[([^\W\d_][^\[\]\n]{2,80}\(?\d{4}[^\[\]\n]{0,80})\][ \t]*", re.MULTILINE)
MOST_AT_THE_END = 12
"""Limit of the missing numbers between two marks that are looked for within the lines."""
_BULLET = re.compile(r"(?:^[ \t]*[-*+•]|(?<=\s)•)[ \t]+(?=\S)", re.MULTILINE)
_OUTSET = re.compile(r"^[ \t]*\[(\d{1,3})\][ \t]*(?=\S)", re.MULTILINE)
_WORD_KEYED = re.compile(r"^[ \t]*\[(\w[\w+:.'’-]{0,40})\][ \t]+(?=\S)", re.MULTILINE)


def at_marks(text: str, body: int) -> list[Cut]:
    """Cut a list that begins at `body` at its marks; return nothing if it has none."""
    for pattern, least in ((_BRACKETED, 2), (_DOTTED, 2), (_IN_PARENTHESES, 2), (_BARE, 4)):
        marks = _counting(list(pattern.finditer(text, body)), text, body, least)
        if pattern is _BRACKETED and len(chosen := _rising(text, body)) > len(marks):
            marks = chosen
        if marks:
            return _marks_between(text, _with_inner(marks, text))
    if len(list(_KEYED.finditer(text, body))) >= SURELY_KEYED:
        return _marks_between(text, list(_KEYED_OR_NAMED.finditer(text, body)))
    for pattern in (_KEYED, _LABELLED, _WORD_KEYED, _BULLET):
        marks = list(pattern.finditer(text, body))
        if len(marks) < 2 or (pattern is _WORD_KEYED and len({mark[1] for mark in marks}) < len(marks)):
            continue
        lines = len(re.findall(r"\S[^\n]*", text[marks[0].start() :]))
        if not text[body : marks[0].start()].strip() or (pattern is _BULLET and 2 * len(marks) >= lines):
            return _marks_between(text, marks)
    return []


def _rising(text: str, body: int) -> list[re.Match[str]]:
    """Return numbers in brackets that begin lines and rise, as in a selection from a longer list."""
    marks = list(_OUTSET.finditer(text, body))
    numbers = [int(mark[1]) for mark in marks]
    begins = bool(marks) and not text[body : marks[0].start()].strip()
    return marks if begins and all(one < other for one, other in pairwise(numbers)) else []


def _counting(marks: Sequence[re.Match[str]], text: str, body: int, least: int) -> list[re.Match[str]]:
    """Return the marks that count up from the first, anew in each chapter; others are numbers in the references."""
    places: dict[int, list[int]] = {}
    for place, mark in enumerate(marks):
        places.setdefault(int(mark[1]), []).append(place)
    numbers = [int(mark[1]) for mark in marks]
    chapters = {1: [place for place in places.get(1, ()) if numbers[place : place + 3] == [1, 2, 3]]}
    chain: list[re.Match[str]] = []
    at, number = -1, 0
    if marks and not any(int(mark[1]) == 1 for mark in marks[:3]):
        number = int(marks[0][1]) - 1  # a list that goes on from elsewhere
    while True:
        following = ((step, _next(places, number + step, at)) for step in (1, 2, 3))
        found = next(((step, place) for step, place in following if place is not None), None)
        if found is not None:
            number, at = number + found[0], found[1]
        else:
            again = _next(chapters, 1, at) if chain and int(chain[0][1]) == 1 else None
            if again is None:
                break
            at, number = again, 1
        chain.append(marks[at])
    covered = bool(chain) and len(text[body : chain[0].start()].strip()) < 0.2 * (len(text) - body) + 40
    return chain if covered and (len(chain) >= least or (chain and not text[body : chain[0].start()].strip())) else []


_INNER = r"(?<=[.\])\d;])\s+[\[(]?({}){}(?=[^\W\d_a-zß-öø-ÿ][^\W\d_]|[“\"])"


def _with_inner(marks: Sequence[re.Match[str]], text: str) -> list[re.Match[str]]:
    """Return the marks with those of missing numbers that stand within a line, behind the end of the reference
    before: columns that a converter joined leave them there."""
    found: list[re.Match[str]] = []
    for mark, following in zip(marks, [*marks[1:], None][: len(marks)], strict=True):
        found.append(mark)
        at, number = mark.end(), int(mark[1])
        last = int(following[1]) if following is not None else number + MOST_AT_THE_END
        end = following.start() if following is not None else len(text)
        stop = r"[.)\]][ \t]*" if following is None else r"(?:[.)\]][ \t]*|[ \t]+)"
        for missing in range(number + 1, last if last - number <= MOST_AT_THE_END else number + 1):
            inner = re.compile(_INNER.format(missing, stop)).search(text, at, end)
            if inner is None:
                continue
            found.append(inner)
            at = inner.end()
    return found


def _next(places: dict[int, list[int]], number: int, after: int) -> int | None:
    """Return the first place of a number behind another place."""
    found = places.get(number, [])
    place = bisect_right(found, after)
    return found[place] if place < len(found) else None


def _marks_between(text: str, marks: Sequence[re.Match[str]]) -> list[Cut]:
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [
        Cut(mark.end(), end, mark[1] if mark.re.groups else None) for mark, end in zip(marks, ends, strict=True)
    ]


_YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MARK = re.compile(
    r"\s*(?:[-*+•][ \t]+)?(?:\[(?P<bracket>\w[\w+:.'’-]{0,40})\][ \t]*|\((?P<round>\d{1,3})\)[ \t]+"
    r"|(?P<stop>\d{1,3})[.)](?:[ \t]+|(?=[^\W\d_a-zß-öø-ÿ][^\W\d_]))|(?P<bare>\d{1,3})[ \t]+(?=[^\W\d_a-zß-öø-ÿ]))?"
)
_IDENTIFIER = re.compile(r"(?:https?://|www\.|(?:doi:?\s*)?10\.\d{4,9}/|arxiv:\s*\S*\d)", re.IGNORECASE)
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
TYPED = 4
"""Least number of lines for which a typed list need not begin each line as references do."""
AHEAD = 900
"""Characters read from a place where a reference may begin."""
SAMPLED = 600
"""Limit of places sampled to find out the kind of a list."""
TAIL = 300
"""Characters read before a place to find out whether another reference ended there."""


def cut_references(text: str) -> list[Cut]:
    """Cut a reference list (its heading may come first) into references, in order, without page numbers."""
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
    if single := _a_line_each(text, body):
        return single
    return at_marks(text, body) or _unmarked(text, body)


def _a_line_each(text: str, body: int) -> list[Cut]:
    """Cut a typed list with a reference a line: each line has a date or an identifier, and none is indented."""
    lines = list(re.finditer(r"(?P<indent>[ \t]*)\S[^\n]*", text[body:]))
    marks = [_MARK.match(line.group()) for line in lines]
    bare = [line.group()[mark.end() :] if mark else "" for line, mark in zip(lines, marks, strict=True)]
    named = [bool(_IDENTIFIER.match(line)) for line in bare]
    if len(lines) < 2 or len({line["indent"] for line in lines}) > 1 or len({_of_what(mark) for mark in marks}) > 1:
        return []
    if not all(_IDENTIFIER.search(line) or _HAS_DATE.search(line) for line in bare):
        return []
    first = [bool(_CAPITAL.match(line)) and not _NO_START.match(line) for line in bare]
    if len(lines) < TYPED:
        begun = all(first) and all(_ENDED.search(line) for line in bare)
    else:
        begun = all(first) or not any(_NO_START.match(line) for line in bare)
    if not begun and not all(named):
        return []
    gaps = {text.count("\n", body + one.end(), body + other.start()) for one, other in pairwise(lines)}
    if len(gaps) > 1:
        return []
    keys = [mark[mark.lastgroup] if mark and mark.lastgroup else None for mark in marks]
    numbers = [int(key) for key in keys if key is not None and key.isdecimal()]
    if len(numbers) == len(keys) and any(other - one in (2, 3) for one, other in pairwise(numbers)):
        return []  # a number is missing: its reference may stand in the line before
    told = len(set(keys)) == len(keys)
    return [
        Cut(body + line.start() + (mark.end() if mark else 0), body + line.end(), key if told else None)
        for line, mark, key in zip(lines, marks, keys, strict=True)
    ]


def _of_what(mark: re.Match[str] | None) -> str | None:
    """Return the kind of a line's mark; None if it has none."""
    return mark.lastgroup if mark else None


_WIDE = "|".join(r"[ \t]?".join(word) for word in ("references", "reference", "bibliography"))  # with wide print
_HEADING = re.compile(
    rf"\s*[#*_\d.\sIVX]{{0,12}}(?:{LIST_HEADING}|{_WIDE})[*_:.]*[ \t]*(?:\n|(?=\[?1[\].]))", re.IGNORECASE
)


def _after_heading(text: str) -> int:
    first = _HEADING.match(text)
    return first.end() if first else 0


def _unmarked(text: str, body: int) -> list[Cut]:
    """Cut a list without marks: by the indents of its lines if there are any, else by the text at each place."""
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
    dates = list(_HAS_DATE.finditer(text, body))
    begins = _begins_dated if _dated(text, places) else _begins_plain
    starts = [places[0]]
    for place in places[1:]:
        kind = "blank" if breaks.get(place) else "line" if place in breaks else "stop"
        if kind == "line" and width and _was_full(text, place, width):
            kind = "full"
        last = bisect_right(dates, place, key=lambda date: date.end()) - 1
        dated = last >= 0 and dates[last].start() >= starts[-1]
        if dated and begins(text[max(starts[-1], place - TAIL) : place], text[place : place + AHEAD], kind):
            starts.append(place)
    return _between(text, starts)


def _between(text: str, starts: Sequence[int]) -> list[Cut]:
    return [Cut(start, end, None) for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _width(lines: Sequence[str]) -> int:
    """Return the width in characters at which lines were broken; 0 if they are paragraphs."""
    lengths = sorted(len(line.rstrip()) for line in lines)
    widest = lengths[int(0.97 * (len(lengths) - 1))]
    return widest if len(lines) > 8 and widest <= 160 and median(lengths) > 0.55 * widest else 0


def _was_full(text: str, place: int, width: int) -> bool:
    """Return whether the next word had no room on the line before: then the break means nothing."""
    line = text.rfind("\n", 0, len(text[:place].rstrip()))
    before = len(text[line + 1 : place].rstrip())
    word = re.match(r"\S+", text[place:])
    return before + 1 + (len(word.group()) if word else 0) > 0.93 * width


def _flat(text: str) -> str:
    return " ".join(text.split())


def _dated(text: str, places: Sequence[int]) -> bool:
    """Return whether the list has its dates after the authors rather than at the end."""
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
    """Return whether a reference begins here in a list of `Authors (year)`.

    Authors and a date must follow, or on a new line a body or title and a date.
    """
    ahead = _flat(after)
    if not _CAPITAL.match(ahead) or _NO_START.match(ahead):
        return False
    said = mended(before)
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
    over = bool(_OVER.search(said) or _ADDRESS_LAST.search(said))
    if kind == "blank" and over and _names_and_stop(ahead):
        return True  # one in another style
    found = _DATED_WORK.match(ahead)
    inside = [ahead[stop.end() :] for stop in _STOP.finditer(ahead, 0, found.end())] if found else []
    if found is None or any(_names_and_date(text) or _body_and_date(text) for text in inside):
        return False
    if kind != "full" or ahead[0] in "“\"(" or is_body(re.split(r"[(.]", found.group())[0]):
        return True
    return over


def _names_and_date(text: str) -> bool:
    people = read_people(text)
    return people is not None and _DATE.match(text, people.end) is not None


def _names_and_stop(text: str) -> bool:
    people = read_people(text)
    return people is not None and "." in text[people.end - 1 : people.end + 1]


def _body_and_date(text: str) -> bool:
    found = _BODY_AND_DATE.match(text)
    return found is not None and is_body(found[1])


def _begins_plain(before: str, after: str, kind: str) -> bool:
    """Return whether a reference begins here in a list with dates at the end.

    The text before must have ended like a reference; people or a new line must follow.
    """
    ahead = _flat(after)
    if not _CAPITAL.match(ahead) or _NO_START.match(ahead):
        return False
    said = mended(before)
    half = _HALF_ADDRESS.search(said)
    if not _ENDED.search(said) or (half and (half["last"] != "." or re.match(r"\S*\d", ahead))):
        return False
    address = bool(_ADDRESS_LAST.search(said))
    over = address or bool(_OVER.search(said))
    if over and kind in ("line", "blank"):
        return True
    named = _names_and_stop(ahead)
    if kind in ("stop", "full"):
        plain = kind == "full" and (ahead[0] in "“\"" or not address or ahead[0].isupper())
        return over and (named or plain)
    return named or ahead[0] in "“\""
