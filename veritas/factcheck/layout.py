"""The layout of a text: paragraphs, items, cells and headings, each with what stands above it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal


@dataclass(slots=True)
class Unit:
    """A stretch of the text that one mark may stand for: `text[start:end]`, without bullet, hash marks or bars.

    `lead` is the place of the unit that introduces it. A cell has its `row` and `column`, and `head` is the place of
    the cell that names its column.
    """

    kind: Literal["prose", "item", "cell", "heading", "code"]
    start: int
    end: int
    section: int = 0
    level: int = 0
    lead: int | None = None
    head: int | None = None
    row: int = 0
    column: int = 0
    sentences: list[int] = field(default_factory=list)


_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HASH = re.compile(r"[ \t]{0,3}(?P<marks>#{1,6})[ \t]+(?=\S)")
_TEX_HEADING = re.compile(r"[ \t]*\\(?:part|chapter|(?P<sub>(?:sub)*)section|paragraph)\*?\{")
_BOLD = re.compile(r"[ \t>]*(\*\*|__)(?P<words>[^*_\n]{2,120}?)(?P<colon>:?)\1(?P<more>:?)[ \t]*\Z")
_RULE = re.compile(r"[ \t]*(?:(?:[-*_=~][ \t]*){3,})\Z")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:={3,}|-{3,})[ \t]*\Z")
_ITEM = re.compile(
    r"(?P<indent>[ \t>]*)(?:[-*+•·◦▪‣–—][ \t]+|\(?\d{1,3}\\?[.)][ \t]+|\(?[a-zA-Z]\)[ \t]+"
    r"|\\item(?:\[[^\]\n]*\])?[ \t]*)"
    r"(?:\[[ xX]\][ \t]+)?(?=\S)"
)
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
_SEPARATOR = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*\Z")
_TEX_LINE = re.compile(
    r"[ \t]*\\(?:begin|end|label|centering|maketitle|tableofcontents|bibliography\w*|newpage|clearpage"
    r"|noindent|usepackage|documentclass)\b[^\n]*\Z"
)
_ENDS = re.compile(r"[.!?:;。！？…][\"'”’)\]*_ ]*\Z")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|does|did|rose|fell|grew|became|shows?|found|says?|said|ist"
    r"|sind|war|waren|hat"
    r"|haben|wurde|wurden|wird|est|sont|était|a été|ont)\b"
)
_LONG_LINE, _SHORT_LINE = 100, 60
_SENTENCE = 8
"""Words from which a line in bold with a verb is a sentence."""


def has_verb(line: str) -> bool:
    """Return whether a line has a verb that makes it a sentence."""
    return bool(_VERB.search(line))


def units(text: str, masked: str, closed: Sequence[tuple[int, int]], headings: Collection[int] = ()) -> list[Unit]:
    """Return the units of a text in order. `masked` is the text with spaces in the place of its marks; lines in
    `closed` are left out. `headings` are the starts of lines that the format itself calls headings."""
    return _Layout(text, masked, closed, headings).units


class _Layout:
    def __init__(self, text: str, masked: str, closed: Sequence[tuple[int, int]], headings: Collection[int]) -> None:
        self.text, self.masked, self.headings = text, masked, headings
        self.units: list[Unit] = []
        self._section = self._rows = 0
        self._open: list[tuple[int, int]] = []  # lines of the paragraph that is being read
        self._items: list[tuple[int, int]] = []  # items that later ones may stand under: indent and place
        self._is_item = False
        self._lead: int | None = None
        lines = list(_lines(text, closed))
        at = 0
        while at < len(lines):
            at = self._read(lines, at)
        self._flush()
        self._demote()

    def _read(self, lines: Sequence[tuple[int, int]], at: int) -> int:
        start, end = lines[at]
        line, words = self.text[start:end], self.masked[start:end]
        if not line.strip():
            self._flush()
            return at + 1
        if fence := _FENCE.match(line):
            self._flush()
            stop = at + 1
            while stop < len(lines) and not self.text[slice(*lines[stop])].strip().startswith(fence[1]):
                stop += 1
            if stop > at + 1:
                self._add("code", lines[at + 1][0], lines[stop - 1][1])
            return stop + 1
        if not words.strip(" \t>|*_()[].,;") and not self._is_empty_head(lines, at):
            return self._marks_only(start, end, at)
        if "\t" in words.strip() or words.count("|") >= 2 or (words.strip().startswith("|")):
            stop = self._table(lines, at)
            if stop > at:
                return stop
        if self._open and len(self._open) == 1 and _UNDERLINE.match(line) and not self._is_item:
            only = self._open.pop()
            self._heading(*only, 1)
            return at + 1
        if _RULE.match(line) or _TEX_LINE.match(line):
            self._flush()
            self._items.clear()
            return at + 1
        if mark := _HASH.match(line):
            self._heading(start + mark.end(), end, len(mark["marks"]))
        elif tex := _TEX_HEADING.match(line):
            self._heading(start + tex.end(), end, 1 + len(tex["sub"] or "") // 3)
        elif start in self.headings:
            self._heading(start, end, 2)
        elif (bold := _BOLD.match(line)) and not self._open and _is_title(bold["words"]):
            self._heading(start + bold.start("words"), start + bold.end("words"), 6)
        elif (bold := _BOLD.match(words)) and not self._open and self._is_cited_heading(bold["words"], lines, at):
            self._heading(start + bold.start("words"), end, 6)
        elif item := _ITEM.match(line):
            self._begin_item(start, end, item)
        elif self._open and self._stops(self._open[-1], (start, end)):
            self._flush()
            self._open.append((start, end))
        else:
            if not self._open and self._items and not line[:1].isspace():
                self._items.clear()
            self._open.append((start, end))
        return at + 1

    def _is_cited_heading(self, words: str, lines: Sequence[tuple[int, int]], at: int) -> bool:
        """Return whether bold words with a mark behind them are the title of what follows, or a path of titles, and no
        fact in bold."""
        apart = at + 2 < len(lines) and not self.text[slice(*lines[at + 1])].strip()
        fact = " › " not in words and (_ENDS.search(words) or _VERB.search(words) or any(c.isdecimal() for c in words))
        return apart and not fact and bool(self.text[slice(*lines[at + 2])].strip())

    def _is_empty_head(self, lines: Sequence[tuple[int, int]], at: int) -> bool:
        """Return whether a line is the head of a table whose columns have no names."""
        ruled = at + 1 < len(lines) and bool(_SEPARATOR.match(self.text[slice(*lines[at + 1])]))
        return ruled and self.text[slice(*lines[at])].count("|") >= 2

    def _marks_only(self, start: int, end: int, at: int) -> int:
        if self._open:
            self._open.append((start, end))
        elif self.units and self.units[-1].kind in ("prose", "item"):
            self.units[-1].end = start + len(self.text[start:end].rstrip())
        return at + 1

    def _begin_item(self, start: int, end: int, item: re.Match[str]) -> None:
        in_list = bool(self._items) or self._is_item
        self._flush()
        before = self.units[-1] if self.units else None
        if not in_list:
            told = before is not None and before.kind == "prose" and self._ends_in_colon(before)
            self._lead = len(self.units) - 1 if told else None
        indent = len(item["indent"].expandtabs(4))
        self._items = [one for one in self._items if one[0] < indent]
        self._items.append((indent, len(self.units)))
        self._is_item = True
        self._open.append((start + item.end(), end))

    def _ends_in_colon(self, unit: Unit) -> bool:
        return self.masked[unit.start : unit.end].rstrip(" *_\t\n").endswith((":", "："))

    def _stops(self, before: tuple[int, int], line: tuple[int, int]) -> bool:
        """Return whether the author ended the line before, rather than a wrap."""
        first, second = self.masked[slice(*before)].strip(), self.masked[slice(*line)].strip()
        anew = second[:1].isupper() or not second[:1].isalpha()
        if not anew:
            return False
        ended = bool(_ENDS.search(first))
        return (ended and len(self.text[slice(*before)]) > _LONG_LINE) or (not ended and len(first) < _SHORT_LINE)

    def _flush(self) -> None:
        if not self._open:
            self._is_item = False
            return
        start, end = self._open[0][0], self._open[-1][1]
        quoted = _QUOTED.match(self.text, start, end)
        start = quoted.end() if quoted else start
        kind: Literal["item", "prose"] = "item" if self._is_item else "prose"
        lead = None
        if self._is_item:
            lead = self._items[-2][1] if len(self._items) > 1 else self._lead
        elif self._items:  # a second paragraph of an item
            lead = self._items[-1][1]
        self._open.clear()
        self._is_item = False
        self._add(kind, start, end, lead=lead)

    def _add(
        self, kind: Literal["prose", "item", "cell", "heading", "code"], start: int, end: int, *, level: int = 0,
        lead: int | None = None, head: int | None = None, row: int = 0, column: int = 0,
    ) -> None:  # fmt: skip
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if start < end:
            self.units.append(Unit(kind, start, end, self._section, level, lead, head, row, column))
        elif kind == "item" and self._items:
            self._items.pop()

    def _heading(self, start: int, end: int, level: int) -> None:
        self._flush()
        self._items.clear()
        self._section += 1
        self._add("heading", start, end, level=level)

    def _table(self, lines: Sequence[tuple[int, int]], at: int) -> int:
        """Read a table and return the line behind it; `at` if it is none."""
        stop, bars = at, "|" in self.masked[slice(*lines[at])]
        sign = "|" if bars else "\t"
        while stop < len(lines) and sign in self.masked[slice(*lines[stop])].strip("\n "):
            stop += 1
        ruled = next(
            (row for row in range(at, min(at + 3, stop)) if _SEPARATOR.match(self.text[slice(*lines[row])])), None
        )
        if stop - at < 2 or (bars and ruled is None and not self.text[slice(*lines[at])].lstrip().startswith("|")):
            return at
        self._flush()
        self._items.clear()
        heads: dict[int, int] = {}
        for number in range(at, stop):
            if number == ruled:
                continue
            self._rows += 1
            for column, (start, end) in enumerate(self._cells(*lines[number], sign)):
                place = len(self.units)
                is_head = number == at
                self._add(
                    "cell", start, end, head=None if is_head else heads.get(column), row=self._rows, column=column
                )
                if len(self.units) > place:
                    self.units[-1].level = 1 if is_head else 0
                    if is_head:
                        heads[column] = place
        return stop

    def _cells(self, start: int, end: int, sign: str) -> Iterator[tuple[int, int]]:
        line = self.masked[start:end]
        first = len(line) - len(line.lstrip(" ")) if sign == "|" else 0
        first += sign == "|" and line[first : first + 1] == "|"
        last = len(line.rstrip())
        last -= sign == "|" and last > first and line[last - 1] == "|"
        at = first
        while at <= last:
            bar = line.find(sign, at, last)
            while bar > 0 and line[bar - 1] == "\\":
                bar = line.find(sign, bar + 1, last)
            stop = bar if bar >= 0 else last
            yield start + at, start + stop
            if bar < 0:
                return
            at = bar + 1

    def _demote(self) -> None:
        """Call a short line without an end a heading if text follows it."""
        for place, unit in enumerate(self.units[:-1]):
            words = self.masked[unit.start : unit.end].strip()
            bare = words == self.text[unit.start : unit.end].strip()
            if unit.kind == "prose" and bare and "\n" not in words and len(words) <= 90 and not _ENDS.search(words):
                follows = self.units[place + 1]
                if len(words.split()) <= 12 and not _VERB.search(words) and follows.lead != place:
                    unit.kind, unit.level = "heading", 6


def _is_title(words: str) -> bool:
    """Return whether a line in bold is a title, and no sentence that somebody marked."""
    said = len(words.split()) >= _SENTENCE and _VERB.search(words)
    return not (_ENDS.search(words) or said)


def _lines(text: str, closed: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the lines of a text; one that lies in a closed place is empty, or what is in front of the place."""
    at, place = 0, 0
    while at <= len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        while place < len(closed) and closed[place][1] <= at and closed[place][1] < end:
            place += 1
        if place < len(closed) and closed[place][0] < end and closed[place][1] > at:
            yield at, max(at, closed[place][0])
        else:
            yield at, end
        at = end + 1
