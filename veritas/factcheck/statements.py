"""The statements of a text and the citations each leans on: marks found, sentences cut, the rule of scope applied."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from veritas.factcheck.kinds import kind_of, quotations, wording, words_of_veritas
from veritas.factcheck.layout import Unit, has_verb, units
from veritas.factcheck.marks import Known, Mark, find_marks
from veritas.factcheck.named_documents import Named
from veritas.factcheck.resolving import Sources
from veritas.factcheck.shapes import CheckedText, Citation, Kind, Scope, SourceEntry, Statement, TextFormat
from veritas.factcheck.source_lists import Link, Lists, SectionSources, find_lists, numbered
from veritas.text.sentences import sentences
from veritas.text.structure import TextBlock


@dataclass(frozen=True, slots=True)
class Given:
    """What is known of a text beside its characters.

    `entries` are sources from elsewhere, `marks` are marks that the format itself tells, `links` the addresses behind
    words, `headings` the starts of lines that are headings, `closed` the places that say nothing, and `lists` the lists
    of sources if the format tells them. `named` finds the documents of a corpus that a text calls by file name,
    relative path or title.
    """

    entries: Sequence[SourceEntry] = ()
    marks: Sequence[Mark] = ()
    links: Sequence[Link] = ()
    headings: Collection[int] = ()
    closed: Sequence[tuple[int, int]] = ()
    lists: Lists | None = None
    named: Named | None = None


_SOURCE_WORD = re.compile(
    r"(?i)[\s*_]*(?:sources?|references?|refs?\.?|citations?|links?|quellen?|belege?|nachweise?|source\(s\)"
    r"|url|#)[\s*_]*\Z"
)
_SOURCES_LINE = re.compile(
    r"(?im)^[ \t>]*(?:[-*•][ \t]+)?[*_(]{0,3}(?:sources?|references?|citations?|quellen?|belege?|see|siehe"
    r"|via)[*_]{0,3}(?::[*_]{0,3}|(?=[ \t]*[\[(【]))"
    r"(?=[ \t]*\S)"
)
_EMPTY = re.compile(r"(?i)(?:[\W_]|\b(?:sources?|quellen?|see|via|refs?|references?|siehe|link|and|und|et)\b)*\Z")
_BRACKETS = re.compile(r"[(\[（][\x00\s,;·&+|]++[)\]）]")
_MARKUP_START = re.compile(r"[.!]\s+(?=[`*_]{1,3}[a-z])")
_MOST_NAMES = 30
_NO_CELL = re.compile(r"[\W_]*\Z|(?i:n/?a|k\.\s?a\.|none|unknown|unbekannt|yes|no)\Z")
_NUMERIC = re.compile(r"\[\d{1,3}\]|[¹²³⁴⁵⁶⁷⁸⁹]")
_ASIDE = frozenset({"link", "cite_index", "export"})
"""Forms of marks that say themselves which words they stand for; sentences before them do not lean on them."""


def read_statements(text: str, form: TextFormat, given: Given) -> CheckedText:
    """Return the statements of a text with what each leans on. Linear in the length of the text."""
    return _Reading(text, form, given).checked()


@dataclass(slots=True)
class _Sentence:
    start: int
    end: int
    unit: int
    marks: list[Mark] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    # The citations of the first mark that the sentences before it lean on.
    lent: list[Citation] = field(default_factory=list)
    bounded: bool = False
    scope: Scope | None = None
    kind: Kind = "statement"


class _Reading:
    def __init__(self, text: str, form: TextFormat, given: Given) -> None:
        self.text, self.form, self.given = text, form, given
        lists = given.lists or find_lists(text, given.links, given.named)
        if not any(e.label for e in (*lists.entries, *given.entries)) and len(lists.sections) == 1:
            lists = self._in_order(lists)
        self.lists = lists
        listed = (*lists.entries, *(entry for section in lists.sections for entry in section.entries))
        self.sources = Sources((*given.entries, *listed), given.named)
        known = Known(self.sources.labels, self.sources.last, self.sources.knows_name, given.named)
        taken = [(mark.start, mark.end) for mark in given.marks]
        self.closed = sorted((*lists.regions, *given.closed))
        found = find_marks(text, known, given.links, (*self.closed, *taken))
        self.marks = sorted((*found, *(mark for mark in given.marks if not self._is_closed(mark.start))))
        self.sources.seen(self.marks)
        self.gone = self._gone()
        self.masked = self._masked()
        self.cited_lines = self._cited_lines()
        self.units = units(text, self.masked, self.closed, given.headings)
        self.sentences: list[_Sentence] = []
        # Of each row of a table: the cell that names it, and the first other one that says something.
        self.row_heads = {unit.row: unit for unit in self.units if unit.kind == "cell" and unit.column == 0}
        self.first_cells: dict[int, Unit] = {}
        for unit in self.units:
            if unit.kind == "cell" and unit.column and unit.level == 0 and not self._names_sources(unit):
                self.first_cells.setdefault(unit.row, unit)

    def _in_order(self, lists: Lists) -> Lists:
        """Return a list without labels as numbered, if numbers are all that the text cites by."""
        section = lists.sections[0]
        outside = self.text[: section.start]
        if not _NUMERIC.search(outside) or len(section.entries) < 2:
            return lists
        return Lists((*lists.entries, *numbered(section.entries)), (), lists.regions)

    def _is_closed(self, at: int) -> bool:
        place = bisect_right(self.closed, (at, len(self.text)))
        return place > 0 and self.closed[place - 1][1] > at

    def _gone(self) -> list[tuple[int, int]]:
        """Return the stretches that are marks and no words, with the brackets around them."""
        gone = []
        for mark in self.marks:
            if mark.style == "export":
                continue
            start, end = mark.kept or (mark.end, mark.end)
            gone += [(mark.start, start), (end, mark.end)]
        hidden = _without(self.text, gone, "\x00")
        for brackets in _BRACKETS.finditer(hidden):
            if "\x00" in brackets[0]:
                gone.append(brackets.span())
        return _joined([*gone, *self.given.closed])

    def _masked(self) -> str:
        """Return the text with spaces in the place of marks. A stop in front of a mark ends its sentence whatever word
        stands before it, so it becomes one that no abbreviation has."""
        masked = _without(self.text, self.gone, " ")
        stops = []
        for start, end in self.gone:
            before = self.text[max(0, start - 12) : start]
            if before.endswith("."):
                following = self.text[end : end + 2].lstrip("*_ \n")
                if not following or not following[0].islower():
                    stops.append((start - 1, start))
        return _without(masked, stops, "!")

    def _cited_lines(self) -> list[tuple[int, int, list[Citation]]]:
        """Return the lines "Sources: [1, 4]" with their citations; their marks stand for a section."""
        found: list[tuple[int, int, list[Citation]]] = []
        starts = [mark.start for mark in self.marks]
        taken: set[int] = set()
        for line in _SOURCES_LINE.finditer(self.text):
            end = self.text.find("\n", line.end())
            end = len(self.text) if end < 0 else end
            places = range(bisect_right(starts, line.end() - 1), bisect_right(starts, end - 1))
            if places and not self._is_closed(line.start()) and self._only_marks(line.end(), end, places):
                marks = [self.marks[place] for place in places]
                cited = [c for mark in marks for c in self.sources.citations(mark)]
                found.append((line.start(), end, cited))
                taken.update(places)
        self.marks = [mark for place, mark in enumerate(self.marks) if place not in taken]
        self.closed = sorted((*self.closed, *((start, end) for start, end, _ in found)))
        return found

    def _only_marks(self, start: int, end: int, places: range) -> bool:
        within = [(self.marks[place].start - start, self.marks[place].end - start) for place in places]
        rest = _without(self.text[start:end], within, " ")
        # Names and titles may stand between the marks, but no sentence.
        return len(rest.split()) <= _MOST_NAMES and not has_verb(rest)

    def checked(self) -> CheckedText:
        """Cut, assign, apply the rule and say of what kind each sentence is."""
        self._cut()
        self._assign()
        self._back_to_marks()
        self._cells()
        self._lead_ins()
        self._headings()
        self._sections()
        self._kinds()
        made = tuple(self._statement(one) for one in self.sentences if self._is_told(one))
        aside = Counter(one.kind for one in made if one.kind != "statement")
        return CheckedText(
            text=self.text, format=self.form, statements=made, set_aside=dict(sorted(aside.items())),
            sources=self.sources.entries,
        )  # fmt: skip

    def _cut(self) -> None:
        """Cut the units into sentences. A stretch of marks alone makes none."""
        prose = [(place, unit) for place, unit in enumerate(self.units) if unit.kind in ("prose", "item")]
        structure = tuple(TextBlock("prose", unit.start, unit.end) for _, unit in prose)
        cut: dict[int, list[tuple[int, int]]] = {place: [] for place, _ in prose}
        for found in sentences(self.masked, structure) if structure else ():
            cut[prose[found.block][0]] += self._parted(found.start, found.end)
        for place, unit in enumerate(self.units):
            spans = cut.get(place, [(unit.start, unit.end)])
            for start, end in spans:
                whole = start, end
                while start < end and self.masked[start] in " \t\n>":
                    start += 1
                while end > start and self.masked[end - 1].isspace():
                    end -= 1
                if unit.kind == "cell" and start >= end:
                    start, end = whole
                if start >= end or (unit.kind in ("prose", "item") and _EMPTY.match(self.masked, start, end)):
                    continue
                unit.sentences.append(len(self.sentences))
                self.sentences.append(_Sentence(start, end, place))

    def _parted(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield a sentence cut behind each mark at a stop: code or a name in markup may begin the next one."""
        for stop in _MARKUP_START.finditer(self.masked, start, end):
            place = bisect_right(self.gone, stop.end(), key=lambda gone: gone[1]) - 1
            if place >= 0 and self.gone[place][1] > stop.start():
                yield start, stop.end() - 1
                start = stop.end()
        yield start, end

    def _assign(self) -> None:
        """Give each mark to the sentence that it stands in or behind."""
        starts = [one.start for one in self.sentences]
        unit_starts = [unit.start for unit in self.units]
        for mark in self.marks:
            if not starts:
                return
            if mark.style in ("cite_index", "export") and mark.until is not None:
                self._enclose(mark, starts)
                continue
            place = bisect_right(starts, mark.start) - 1
            at = bisect_right(unit_starts, mark.start) - 1
            own = self.units[at].sentences if at >= 0 else []
            if mark.ahead:
                place = bisect_right(starts, mark.end - 1)
                place -= place > 0 and self.sentences[place - 1].end > mark.end
            elif own and place < own[0]:
                place = own[0]
            elif own and place > own[-1]:
                place = own[-1]
            place = min(max(place, 0), len(starts) - 1)
            one = self.sentences[place]
            if mark.style == "cite_start":
                one.bounded = True
            one.marks.append(mark)
            cited = self.sources.citations(mark)
            one.citations += cited
            if cited and not one.lent and self._lends(mark, one):
                one.lent = list(cited)
            elif cited and one.lent and self._adjoins(one.marks, mark):
                one.lent += cited
            if self.units[one.unit].kind in ("prose", "item") and not mark.ahead:
                one.end = max(one.end, self._behind(mark, place, starts))

    def _behind(self, mark: Mark, place: int, starts: Sequence[int]) -> int:
        """Return the end of a mark with its closing bracket, if that is before the next sentence."""
        at = bisect_right(self.gone, (mark.start, len(self.text))) - 1
        end = (
            max(mark.end, self.gone[at][1])
            if at >= 0 and self.gone[at][0] <= mark.start < self.gone[at][1]
            else mark.end
        )
        return min(end, starts[place + 1]) if place + 1 < len(starts) else end

    def _lends(self, mark: Mark, one: _Sentence) -> bool:
        if mark.style in _ASIDE or (mark.style == "author_year" and mark.kept):
            if mark.style == "cite_index" or mark.style == "export":
                return False
            return mark.kept is not None and not self.masked[mark.kept[1] : one.end].strip(" .!?)\t\n")
        return True

    def _adjoins(self, marks: Sequence[Mark], mark: Mark) -> bool:
        return len(marks) > 1 and not self.masked[marks[-2].end : mark.start].strip(" ,;·|&\n\t")

    def _enclose(self, mark: Mark, starts: Sequence[int]) -> None:
        cited = self.sources.citations(mark)
        first = max(0, bisect_right(starts, mark.start) - 1)
        begin = mark.start if mark.style == "export" else mark.end
        for one in self.sentences[first:]:
            if one.start >= (mark.until or 0):
                break
            if one.end > begin:
                one.marks.append(mark)
                one.citations += cited

    def _back_to_marks(self) -> None:
        for one in self.sentences:
            if one.citations:
                one.scope = "sentence"
        for unit in self.units:
            if unit.kind not in ("prose", "item"):
                continue
            lent: list[Citation] = []
            for place in reversed(unit.sentences):
                one = self.sentences[place]
                if one.citations:
                    lent = [] if one.bounded else one.lent
                    continue
                if lent:
                    one.citations, one.scope = list(lent), "back_to_mark"
                    lent = [] if one.bounded else lent

    def _cells(self) -> None:
        """Cells without a mark lean on the mark of a cell of their row that holds nothing else, or on their head's."""
        rows: dict[int, list[int]] = {}
        for place, unit in enumerate(self.units):
            if unit.kind == "cell" and unit.level == 0:
                rows.setdefault(unit.row, []).append(place)
        for places in rows.values():
            shared = [
                citation
                for place in places
                if self._names_sources(self.units[place]) or self._heads_row(self.units[place])
                for one in self._of(place) for citation in one.citations
            ]  # fmt: skip
            for place in places:
                head = self.units[place].head
                heads = [c for one in self._of(head) for c in one.citations] if head is not None else []
                for one in self._of(place):
                    if one.citations:
                        continue
                    if shared:
                        one.citations, one.scope = list(shared), "sentence"
                    elif heads:
                        one.citations, one.scope = heads, "column_head"

    def _of(self, place: int) -> list[_Sentence]:
        return [self.sentences[at] for at in self.units[place].sentences]

    def _names_sources(self, unit: Unit) -> bool:
        head = self.units[unit.head] if unit.head is not None else None
        told = head is not None and bool(_SOURCE_WORD.match(self.masked[head.start : head.end]))
        return told or not self.masked[unit.start : unit.end].strip(" ,;()[]·|*_")

    def _lead_ins(self) -> None:
        for unit in self.units:
            if unit.lead is None:
                continue
            over = self.units[unit.lead].sentences
            cited = self.sentences[over[-1]].citations if over else []
            for place in unit.sentences:
                one = self.sentences[place]
                if cited and not one.citations:
                    one.citations, one.scope = list(cited), "lead_in"

    def _headings(self) -> None:
        """Sentences of a section lean on the mark of its heading, if nothing else in it has a mark."""
        cited: dict[int, list[Citation]] = {}
        marked: set[int] = set()
        for place, unit in enumerate(self.units):
            own = [c for one in self._of(place) for c in one.citations]
            if unit.kind == "heading":
                cited[unit.section] = own
            elif own:
                marked.add(unit.section)
        for unit in self.units:
            if unit.kind in ("heading", "code") or unit.section in marked or not cited.get(unit.section):
                continue
            for place in unit.sentences:
                one = self.sentences[place]
                one.citations, one.scope = list(cited[unit.section]), "lead_in"

    def _sections(self) -> None:
        """Sentences without a mark lean on the "Sources:" line of their section, if it has one."""
        heads: dict[int, list[int]] = {}
        for unit in self.units:
            if unit.kind == "heading":
                heads.setdefault(unit.level, []).append(unit.start)
        last = max((unit.start for unit in self.units if unit.kind != "heading"), default=0)
        starts = [one.start for one in self.sentences]
        named = [
            (section.start, section.end, [self._of_section(entry, section) for entry in section.entries if entry.url])
            for section in self.lists.sections
        ]  # fmt: skip
        before = 0
        for start, end, cited in sorted((*named, *self.cited_lines), key=lambda section: section[:2]):
            since = self._section_start(start, end, heads, before, last)
            before = end
            if since is None:
                continue
            for one in self.sentences[bisect_right(starts, since - 1) : bisect_right(starts, start)]:
                if cited and not one.citations and self.units[one.unit].kind not in ("heading", "code"):
                    one.citations, one.scope = list(cited), "section_sources"

    def _section_start(
        self, start: int, end: int, heads: Mapping[int, Sequence[int]], before: int, last: int
    ) -> int | None:
        """Return where the section begins that a line of sources ends; None for the list of a text that has marks."""
        line = self.text[start:end].strip()
        level = len(line) - len(line.lstrip("#"))
        over = [starts for depth, starts in heads.items() if not level or depth < level]
        above = [starts[place - 1] for starts in over if (place := bisect_right(starts, start - 1))]
        if last <= end and "\n" in line and any(mark.names or mark.url for mark in self.marks):
            return None
        return max(0, before, *above)

    def _of_section(self, entry: SourceEntry, section: SectionSources) -> Citation:
        start, end = (entry.start, entry.end) if entry.start is not None and entry.end else (section.start, section.end)
        label = entry.label or entry.title or entry.url or ""
        return Citation(label=label, start=start, end=end, style="url", url=entry.url, title=entry.title)

    def _kinds(self) -> None:
        own_words = words_of_veritas(self.text)
        for unit in self.units:
            for at in unit.sentences:
                one = self.sentences[at]
                said = self._words(one)
                if any(begin <= one.start < end for begin, end in own_words):
                    one.kind = "chatter"
                elif unit.kind in ("heading", "code"):
                    one.kind = "code" if unit.kind == "code" else "heading"
                elif unit.kind == "cell":
                    one.kind = self._kind_of_cell(unit, said)
                else:
                    own = bool(one.citations) and one.scope == "sentence"
                    one.kind = kind_of(said, cited=own)
                    if one.kind == "statement" and self._announces(unit, at, said, own):
                        one.kind = "heading"

    def _announces(self, unit: Unit, at: int, said: str, own: bool) -> bool:
        """Return whether a sentence is the title of what follows: "Key facts:", a short item without a verb."""
        return not own and said.endswith((":", "：")) and len(said.split()) <= 5 and at == unit.sentences[-1]

    def _kind_of_cell(self, unit: Unit, said: str) -> Kind:
        if unit.level == 1 or self._names_sources(unit) or _NO_CELL.match(said):
            return "heading"
        return "statement"

    def _is_told(self, one: _Sentence) -> bool:
        """Return whether a sentence stands for itself: a cell that names its row or holds only a mark does not."""
        unit = self.units[one.unit]
        return unit.kind != "cell" or not (self._heads_row(unit) or not self.masked[one.start : one.end].strip())

    def _heads_row(self, unit: Unit) -> bool:
        """Return whether a cell names its row: the cell that it introduces says it too."""
        return unit.kind == "cell" and unit.level == 0 and unit.column == 0 and unit.row in self.first_cells

    def _words(self, one: _Sentence) -> str:
        first = max(0, bisect_right(self.gone, (one.start, 0)) - 1)
        last = bisect_right(self.gone, (one.end, 0))
        return wording(self.text, one.start, one.end, self.gone[first:last], self.form)

    def _statement(self, one: _Sentence) -> Statement:
        unit, said, start = self.units[one.unit], self._words(one), one.start
        if unit.kind == "cell" and one.kind == "statement":
            said = self._cell_words(unit, said)
            head = self.row_heads.get(unit.row)
            if head is not None and self.first_cells.get(unit.row) is unit:
                start = head.start
        unique = {(c.start, c.label, c.url): c for c in one.citations}
        return Statement(
            statement=said,
            start=start,
            end=one.end,
            kind=one.kind,
            citations=tuple(unique.values()),
            scope=one.scope if one.citations else None,
            quotations=quotations(self.text, one.start, one.end) if one.kind == "statement" else (),
        )

    def _cell_words(self, unit: Unit, said: str) -> str:
        """Return a cell with the names of its row and its column: "Berlin, Population: 3.7 million"."""
        row = self.row_heads.get(unit.row) if unit.column else None
        head = self.units[unit.head] if unit.head is not None else None
        heads = [self._words(self.sentences[at]) for one in (row, head) if one is not None for at in one.sentences]
        return f"{', '.join(filter(None, heads))}: {said}" if any(heads) else said


def _without(text: str, spans: Sequence[tuple[int, int]], sign: str) -> str:
    """Return a text of the same length with a sign in the place of the characters of spans; line ends stay."""
    pieces, at = [], 0
    for start, end in _joined(spans):
        pieces.append(text[at:start])
        pieces.append("".join("\n" if c == "\n" else sign for c in text[start:end]))
        at = end
    return "".join((*pieces, text[at:]))


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
