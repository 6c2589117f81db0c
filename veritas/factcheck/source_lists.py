"""Lists of sources in a text: "References", `[n] URL - title`, footnotes, the "Sources:" line of a section."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from veritas.factcheck.addresses import addresses
from veritas.factcheck.named_documents import Named
from veritas.factcheck.shapes import SourceEntry


class Link(NamedTuple):
    """An address that the format puts behind the words `text[start:end]`, as HTML and Word do."""

    start: int
    end: int
    url: str


class SectionSources(NamedTuple):
    """The sources that a section names for all of it, in the line or list `text[start:end]`."""

    start: int
    end: int
    entries: tuple[SourceEntry, ...]


class Lists(NamedTuple):
    """What a text says of its sources. `regions` are the places that hold lists and make no statements."""

    entries: tuple[SourceEntry, ...]
    sections: tuple[SectionSources, ...]
    regions: tuple[tuple[int, int], ...]


_WORDS = (
    r"(?:list of )?(?:references?(?: cited| list)?|bibliography|works cited"
    r"|sources?(?: used| cited| consulted| list)?|citations?"
    r"|cited (?:sources|works)|literature(?: cited)?|footnotes|endnotes|source list|links|web sources"
    r"|quellen(?:verzeichnis|angaben|nachweise?)?|literatur(?:verzeichnis|angaben)?|einzelnachweise|belege|fußnoten"
    r"|références(?: bibliographiques)?|bibliographie|ouvrages cités|sources citées|notes et références)"
)
_HEADING = re.compile(
    rf"[ \t>]*(?:#{{1,6}}[ \t]*)?(?:[*_]{{1,3}})?(?:\d{{1,2}}\.?[ \t]+)?[^\w\s#*\[]{{0,3}}[ \t]*{_WORDS}"
    r"[ \t]*:?(?:[*_]{1,3})?[ \t]*:?[ \t]*#*[ \t]*\Z",
    re.IGNORECASE,
)
_INLINE = re.compile(
    rf"[ \t>]*(?:[-*•][ \t]+)?(?:[*_(]{{1,3}})?(?:{_WORDS}|see|siehe|via|quelle)"
    r"(?:[*_]{1,3})?[ \t]*:(?:[*_]{1,3})?[ \t]*(?=\S)",
    re.IGNORECASE,
)
_NEXT_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t]+\S|\*\*[^*\n]{2,80}\*\*:?[ \t]*\Z|(?:-{3,}|\*{3,}|_{3,})[ \t]*\Z)")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LABEL = re.compile(
    r"""(?x)[ \t>]*(?:[-*+•][ \t]+)?(?:\*\*)?(?:
      \\?\[{1,2}(?P<box>\^?(?:(?:web|post|file|cite|source|page|search)[ ]?:[ ]?)?[\w.@:-]{1,40})\\?\]{1,2}
        (?:(?:\*\*)?[:.]?(?=[ \t]|$)|(?<=\d\])(?=\())
      |[【〖](?P<dagger>[^】〗†\n]{1,12})(?:†[^】〗\n]*)?[】〗]:?
      |\[oai_citation:(?P<oai>\d+)‡[^\]\n]*\]
      |(?P<number>\d{1,3})\\?[.)](?:\*\*)?(?=[ \t])
      |\((?P<round>\d{1,3})\)(?=[ \t])
      |(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})[ \t]?
      |<sup>\[?(?P<sup>\d{1,3})\]?</sup>
      |\^(?P<caret>\d{1,3})\^?(?=[ \t])
      |(?P<turn>turn\d+[a-z]+\d+)\b:?
      |(?P<word>(?:web|source|cite|post|file):[ ]?\d{1,3})\b:?
      |@(?P<key>[A-Za-z][\w:.-]*):?(?=[ \t])
      |(?P<bare>\d{1,3})[ \t]+(?=https?:|www\.|\[)
      |(?P<back>↑)[ \t]*
    )"""
)
_DEFINITION = re.compile(r"[ \t]{0,3}\[\^?[^\]\n]{1,60}\]:[ \t]*\S")
_BULLET = re.compile(r"[ \t>]*(?:[-*+•–][ \t]+|\d{1,3}[.)][ \t]+)")
_FURNITURE = re.compile(r"[\s\-–—|:,.;<>()\[\]*_\"'“”↩︎^]+")
_MARKDOWN_LINK = re.compile(r"\[([^\[\]\n]{3,300})\]\(\s*<?[^\s()]")
_SPLIT = {
    "number": re.compile(r"(?<=[\w/.\])>])[ \t]+(?P<next>\d{1,4})\\?[.)][ \t]+(?=\S)"),
    "box": re.compile(r"[ \t,;]+\\?\[\^?(?P<next>\d{1,4})\\?\]:?(?=[ \t(])"),
}
"""What parts entries that stand in one line."""
_LONGEST_NAME = 300
"""Characters of a line that names a document of a corpus."""
_SIGNS = re.compile(r"[.!?。][\"'”’)\]]*\s*\Z")


def find_lists(text: str, links: Sequence[Link] = (), named: Named | None = None) -> Lists:
    """Return the lists of sources of a text, their entries in order, and the sections' own sources. `named` finds the
    document of a corpus that a line names."""
    return _Finder(text, links, named).found()


def entries_of(text: str) -> list[SourceEntry]:
    """Return the entries of a text that is a list and nothing else; what has no label is numbered in its order."""
    finder = _Finder(text, ())
    rows = range(len(finder.lines))
    if finder.lines and _HEADING.match(finder.line(0)):
        rows = range(1, len(finder.lines))
    entries, _ = finder.entries_in(rows, whole=True)
    return numbered(entries) if not any(entry.label for entry in entries) else entries


def numbered(entries: Sequence[SourceEntry]) -> list[SourceEntry]:
    """Return entries with their place in the list, from 1, as label."""
    return [entry.model_copy(update={"label": str(number)}) for number, entry in enumerate(entries, 1)]


def plain_label(written: str) -> str:
    """Return a label in the one form in which marks and entries are compared."""
    label = written.translate(_SUPERSCRIPT).strip().lstrip("^").strip("\\").casefold()
    label = re.sub(r"^(?:cite|source|ref|page|search)s?\s?:\s?", "", label).replace(" ", "")
    return label.lstrip("0") or label if label.isdecimal() else label


class _Finder:
    def __init__(self, text: str, links: Sequence[Link], named: Named | None = None) -> None:
        self.text, self.links, self.named = text, links, named
        self._link_starts = [link.start for link in links]
        self.lines: list[tuple[int, int]] = []
        at = 0
        for line in text.split("\n"):
            self.lines.append((at, at + len(line)))
            at += len(line) + 1

    def line(self, row: int) -> str:
        start, end = self.lines[row]
        return self.text[start:end]

    def found(self) -> Lists:
        entries: list[SourceEntry] = []
        sections: list[SectionSources] = []
        regions: list[tuple[int, int]] = []
        row, fenced = 0, False
        while row < len(self.lines):
            line = self.line(row)
            if line.lstrip().startswith(("```", "~~~")):
                fenced = not fenced
            if fenced or not line.strip():
                row += 1
            elif _HEADING.match(line) and (until := self._section_end(row + 1)) > row + 1:
                made, last = self.entries_in(range(row + 1, until))
                if not made:
                    row += 1
                    continue
                start, end = self.lines[row][0], self.lines[last][1]
                regions.append((start, end))
                if any(entry.label for entry in made):
                    entries += made
                else:
                    sections.append(SectionSources(start, end, tuple(made)))
                row = last + 1
            elif (
                (inline := _INLINE.match(line))
                and self._only_addresses(row, inline.end())
                and (made := list(self._cut(self.lines[row][0] + inline.end(), self.lines[row][1], None)))[0].label
            ):
                regions.append(self.lines[row])
                entries += made
                row += 1
            elif _DEFINITION.match(line) or self._begins_bare_list(row):
                until = self._run_end(row)
                made, last = self.entries_in(range(row, until), loose=True)
                if made:
                    entries += made
                    regions.append((self.lines[row][0], self.lines[last][1]))
                    row = last + 1
                else:
                    row += 1
            else:
                row += 1
        return Lists(tuple(entries), tuple(sections), tuple(regions))

    def entries_in(self, rows: range, *, whole: bool = False, loose: bool = False) -> tuple[list[SourceEntry], int]:
        """Return the entries of rows and the last row that belongs to one. Rows with labels make a list of labels; a
        paragraph behind it that has neither label nor address is no part of it."""
        labelled = [row for row in rows if self._label(self.line(row))]
        if labelled and (whole or loose or self._sound(labelled)):
            return self._of_labels(rows, labelled)
        return self._of_lines(rows, whole)

    def _sound(self, labelled: Sequence[int]) -> bool:
        return len(labelled) > 1 or bool(self._urls(*self.lines[labelled[0]])) or len(self.line(labelled[0])) > 12

    def _of_labels(self, rows: range, labelled: Sequence[int]) -> tuple[list[SourceEntry], int]:
        made: list[SourceEntry] = []
        last = labelled[-1]
        bounds = [*labelled, rows.stop]
        for row, following in pairwise(bounds):
            end_row = row
            for more in range(row + 1, following):
                line = self.line(more)
                if not line.strip():
                    continue
                apart = not self.line(more - 1).strip()
                if apart and not self._urls(*self.lines[more]):
                    break
                end_row = more
            made += self._cut(self.lines[row][0], self.lines[end_row][1], self._label(self.line(row)))
            last = end_row
        ones = [entry for entry in made if entry.label == "1"]
        if len(ones) == len(made) > 1:  # Markdown numbers them itself
            made = numbered(made)
        return made, last

    def _of_lines(self, rows: range, whole: bool) -> tuple[list[SourceEntry], int]:
        groups: list[tuple[int, int]] = []
        spaced = any(not self.line(row).strip() for row in rows[1:-1])
        for row in rows:
            line = self.line(row)
            if not line.strip():
                continue
            joins = bool(groups) and groups[-1][1] == row - 1 and not _BULLET.match(line)
            bare = line.lower().startswith(("http", "www.", "doi"))  # the address of the entry in the line before
            alone = (
                bare and not self._urls(self.lines[groups[-1][0]][0], self.lines[groups[-1][1]][1]) if joins else False
            )
            wrapped = joins and (spaced or line[:1].isspace() or alone) and not (spaced and bare and not alone)
            if wrapped:
                groups[-1] = (groups[-1][0], row)
            else:
                groups.append((row, row))
        made, last = [], rows.start
        for first, end in groups:
            start, stop = self.lines[first][0], self.lines[end][1]
            bullet = _BULLET.match(self.text, start, stop)
            body = bullet.end() if bullet else start
            cited = _dated(self.text[body:stop])
            if not (self._urls(start, stop) or cited):
                if whole or bullet:
                    continue
                break
            made.append(self._entry(None, start, body, stop))
            last = end
        return made, last

    def _label(self, line: str) -> re.Match[str] | None:
        found = _LABEL.match(line)
        if found is None or found["back"] is not None:
            return None
        if found["box"] and found["box"].lower() in ("x", "sic", "a.d.", "ibid"):
            return None
        return found

    def _cut(self, start: int, end: int, label: re.Match[str] | None) -> Iterator[SourceEntry]:
        """Yield an entry, or several that stand in one line: "[1] … [2] …"."""
        label = label or self._label(self.text[start:end])
        if label is None:
            yield self._entry(None, start, start, end)
            return
        kind = str(label.lastgroup)
        name, at, body = label[kind], start, start + label.end()
        if kind in _SPLIT and plain_label(name).isdecimal():
            for cut in _SPLIT[kind].finditer(self.text, body, end):
                if int(cut["next"]) != int(plain_label(name)) + 1 or not self._urls(body, cut.start()):
                    continue
                yield self._entry(name, at, body, cut.start())
                name, at, body = cut["next"], cut.start(), cut.end()
        yield self._entry(name, at, body, end)

    def _entry(self, name: str | None, start: int, body: int, end: int) -> SourceEntry:
        while end > body and self.text[end - 1].isspace():
            end -= 1
        while start < end and self.text[start].isspace():
            start += 1
        urls = self._urls(body, end) or self._urls(start, end)
        said = self.text[body:end]
        return SourceEntry(
            label=plain_label(name) if name else None,
            url=urls[0][1] if urls else None,
            title=_title(said),
            entry=" ".join(said.split()),
            origin="text",
            start=start,
            end=end,
        )

    def _urls(self, start: int, end: int) -> list[tuple[int, str]]:
        from_links = self.links[bisect_right(self._link_starts, start - 1) : bisect_right(self._link_starts, end - 1)]
        linked = [(link.start, link.url) for link in from_links if link.url.startswith("http")]
        found = linked or [(one.start, one.url) for one in addresses(self.text, start, end)]
        if found or self.named is None or end - start > _LONGEST_NAME:
            return found
        meant = self.named(_BULLET.sub("", self.text[start:end]))
        return [(start, meant)] if meant else []

    def _section_end(self, row: int) -> int:
        seen = False
        for number in range(row, len(self.lines)):
            line = self.line(number)
            if seen and _NEXT_HEADING.match(line) and not self._label(line):
                return number
            if not seen and line.strip() and re.match(r"[ \t]*#{1,6}[ \t]", line):
                return number
            seen = seen or bool(line.strip())
        return len(self.lines)

    def _begins_bare_list(self, row: int) -> bool:
        """Return whether a list begins here that no heading announces."""
        line = self.line(row)
        found = self._label(line)
        if found is None:
            return False
        kind = str(found.lastgroup)
        has_address = bool(self._urls(*self.lines[row]))
        if kind in ("number", "round"):
            return has_address and self._all_behind_are(row)
        if kind in ("box", "raised", "caret", "sup", "dagger", "oai", "bare"):
            if not _citable(found[kind]):
                return False
            said = line[found.end() :].strip()
            return (has_address and self._is_mere_source(said)) or self._follows_in_order(row, found[kind])
        return has_address

    def _is_mere_source(self, said: str) -> bool:
        """Return whether a line is an address with a title, and no sentence that has an address behind it."""
        bare = said
        for found in list(addresses(said)):
            bare = bare.replace(said[found.start : found.end], " ")
        return len(bare.split()) < 40

    def _follows_in_order(self, row: int, name: str) -> bool:
        """Return whether the next line is the next entry: two in order make a list without addresses."""
        label = plain_label(name)
        if not label.isdecimal():
            return False
        for after in range(row + 1, min(row + 4, len(self.lines))):
            line = self.line(after)
            if line.strip():
                found = self._label(line)
                return bool(found and plain_label(found[str(found.lastgroup)]) == str(int(label) + 1))
        return False

    def _all_behind_are(self, row: int) -> bool:
        """Return whether all that follows is a numbered list of sources. Each has an address and no sentence."""
        count = 0
        for number in range(row, len(self.lines)):
            line = self.line(number)
            if not line.strip():
                continue
            found = self._label(line)
            urls = self._urls(*self.lines[number])
            if not found or not urls:
                return count > 1 and not found
            said = line[found.end() : urls[0][0] - self.lines[number][0]]
            if _SIGNS.search(said.strip()) and len(said.split()) > 18:
                return False
            count += 1
        return count > 0

    def _run_end(self, row: int) -> int:
        blank = 0
        for number in range(row, len(self.lines)):
            line = self.line(number)
            if not line.strip():
                blank += 1
                continue
            if _NEXT_HEADING.match(line):
                return number
            if number > row and blank and not self._label(line) and not line[:1].isspace():
                return number
            if (
                number > row
                and not blank
                and not self._label(line)
                and not line[:1].isspace()
                and (_DEFINITION.match(self.line(number - 1)) or self._urls(*self.lines[number - 1]))
            ):
                return number
            blank = 0
        return len(self.lines)

    def _only_addresses(self, row: int, behind: int) -> bool:
        """Return whether a line that begins "Sources:" names sources, rather than saying something about them."""
        start, end = self.lines[row]
        if not self._urls(start + behind, end):
            return False
        return not _SIGNS.search(self.text[start + behind : end].split("http")[0].split("](")[0].rstrip("[( "))


def _citable(name: str) -> bool:
    label = plain_label(name)
    return label.isdecimal() or ":" in label or bool(re.search(r"\d", label))


def _dated(said: str) -> bool:
    """Return whether a line is a printed reference: names, a year, a title."""
    return (
        bool(re.search(r"[(,. ](?:1[5-9]|20)\d\d[a-z]?\b", said))
        and len(said) > 30
        and said.count(".") + said.count(",") > 1
    )


def _title(said: str) -> str | None:
    linked = _MARKDOWN_LINK.search(said)
    if linked and not linked[1].lower().startswith(("http", "www.")):
        return linked[1].strip(" *_")
    parts, at = [], 0
    for found in addresses(said):
        parts.append(said[at : found.start])
        at = found.end
    bare = " ".join((*parts, said[at:]))
    bare = re.sub(r"[\[\]<>()]{2,}|\]\(|\[|\]", " ", bare)
    bare = " ".join(bare.split())
    start, end = 0, len(bare)
    while start < end and (lead := _FURNITURE.match(bare, start)):
        start = lead.end()
    bare = bare[start:].rstrip(" -–—|:,;<>([*_\"'“^↩︎").strip()
    return bare[:300] or None
