"""Text of AsciiDoc: sections, lists, blocks, tables and admonitions as they are read; what is not known is text.

Tables of AsciiDoc: cells that a sign begins, or rows of comma- and colon-separated values.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from datetime import date

from veritas.documents.metadata import parse_date
from veritas.errors import CorpusError
from veritas.reading.formats._asciidoc_inline import Inline
from veritas.reading.formats._parts import Part, laid_out
from veritas.reading.formats.converted import Converted
from veritas.text.blocks import code_like

_CELL = re.compile(
    r"(?:(?:^|(?<=\s))(?:(?:(\d{1,3})?(?:\.\d{1,3})?\+|(\d{1,3})\*)?[<^>]?(?:\.[<^>])?[aehlmsdv]?))?(?<!\\)\|",
    re.MULTILINE,
)
_COLUMNS = re.compile(r"cols\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s,\]]+))")
_MOST_COPIES = 100


def table_rows(lines: list[str], sign: str, style: str, shown: Callable[[str], str]) -> list[str]:
    """Return the rows of a table, a tab between the cells."""
    if sign in ",:" or re.search(r"format\s*=\s*\"?(?:csv|dsv)", style):
        parted_by = ":" if sign == ":" or "dsv" in style else ","
        return _separated([line for line in lines if line.strip()], parted_by, shown)
    if sign == "!":
        lines = [line.replace("!", "|") for line in lines]
    if given := re.search(r"separator\s*=\s*\"?([^\s\",\]])", style):
        lines = [line.replace(given[1], "|") for line in lines]
    width = _width(style) or _first_line(lines)
    cells = _cells("\n".join(lines))
    rows: list[str] = []
    row: list[str] = []
    taken = 0
    for text, span in cells:
        row.append(" ".join(shown(text.replace("\\|", "|").strip()).split()))
        taken += span
        if taken >= width:
            rows.append("\t".join(row).rstrip("\t"))
            row, taken = [], 0
    if row:
        rows.append("\t".join(row).rstrip("\t"))
    return [row for row in rows if row]


def _cells(text: str) -> list[tuple[str, int]]:
    """Return the text of each cell and the columns it takes."""
    found = list(_CELL.finditer(text))
    before = text[: found[0].start()].strip() if found else text.strip()
    cells = [(before, 1)] if before else []
    for at, match in enumerate(found):
        end = found[at + 1].start() if at + 1 < len(found) else len(text)
        said = text[match.end() : end]
        copies = min(int(match[2]), _MOST_COPIES) if match[2] else 1
        cells += [(said, int(match[1]) if match[1] else 1)] * copies
    return cells


def _width(style: str) -> int:
    given = _COLUMNS.search(style)
    if given is None:
        return 0
    count = 0
    for part in re.split(r"[,;]", next(each for each in given.groups() if each is not None)):
        many = re.match(r"\s*(\d{1,3})\*", part)
        count += int(many[1]) if many else 1
    return count


def _first_line(lines: list[str]) -> int:
    """Return the number of cells in the first line, which makes the columns where nothing else does."""
    first = next((line for line in lines if line.strip()), "")
    return max(1, sum(span for _, span in _cells(first)))


def _separated(lines: list[str], sign: str, shown: Callable[[str], str]) -> list[str]:
    try:
        rows = list(csv.reader(lines, delimiter=sign))
    except csv.Error:
        return lines
    return ["\t".join(shown(cell.strip()) for cell in row).rstrip("\t") for row in rows]


_ARMOUR = re.compile(r"\s*-----BEGIN PGP ")
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_UNDERLINE = re.compile(r"([=\-~^+])\1{2,}\s*")
_ATTRIBUTE = re.compile(r":(!?[\w-]+!?):(?:\s+(.*))?")
_FENCE = re.compile(r"(-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}\S*|~{3,})\s*")
_TABLE = re.compile(r"([|,:!])={3,}\s*")
_STYLE = re.compile(r"\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\s*")
_ANCHOR = re.compile(r"\[\[[^\]]*\]\]\s*")
_TITLE = re.compile(r"\.([^\s.].*)")
_BLOCK_MACRO = re.compile(r"(image|video|audio|include|toc|ifdef|ifndef|ifeval|endif|link|xref)::([^\[\s]*)\[(.*)\]\s*")
_ITEM = re.compile(r"\s*(?:(\*{1,6}|-|•)|(\.{1,6})|(\d{1,4}|[A-Za-z])[.)]|<(\d{1,3}|\.)>)[ \t]+(\S.*)")
_TERM = re.compile(r"\s*(\S.*?)(?::{2,4}|;;)(?:[ \t]+(\S.*))?\s*")
_CHECKED = re.compile(r"\[[ xX*]\][ \t]+")
_ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(\S.*)")
_CALLOUT = re.compile(r"[ \t]*(?://|#|--|;;|<!--)?[ \t]*<(?:!--)?(?:\d{1,3}|\.)(?:--)?>[ \t]*$", re.MULTILINE)
_AUTHOR = re.compile(r"[^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,2}(?: <[^<>]+>)?")
_ONE_LITERAL = re.compile(r"`[^`]+`|\+\+?[^+]+\+\+?")
_VERBATIM_STYLES = ("source", "listing", "literal", "stem", "latexmath", "asciimath", "plantuml", "mermaid", "console")
_MAX_DEPTH = 20


def convert_asciidoc(text: str) -> Converted:
    """Return the text without markup and its structure; program text stays as it is. Title, authors and date are those
    of the header.

    Raises `CorpusError` for a key or signature, whose files have an ending of AsciiDoc's.
    """
    if _ARMOUR.match(text):
        raise CorpusError("is a key or a signature, no AsciiDoc")
    return _Reading(text.expandtabs(4).split("\n")).converted()


class _Reading:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._inline = Inline()
        self._numbers: list[tuple[str, int]] = []
        self._awaited = False  # what explains the term before
        self._marks: list[str] = []  # of the lists that are open, the outermost first
        self._title: str | None = None
        self._authors: tuple[str, ...] = ()
        self._date: date | None = None

    def converted(self) -> Converted:
        begins = self._header()
        titled = [Part("heading", self._title, 1)] if self._title else []
        text, blocks = laid_out([*titled, *self._blocks(self._lines[begins:], 0)])
        return Converted(
            text=text, title=self._title, authors=self._authors, published_at=self._date, blocks=blocks
        )

    def _header(self) -> int:
        """Read the header, and return the number of its lines."""
        lines, at = self._lines, 0
        while at < len(lines) and (not lines[at].strip() or lines[at].startswith("//") or self._attribute(lines[at])):
            at += 1
        if at >= len(lines):
            return at
        if (match := _HEADING.fullmatch(lines[at].rstrip())) and len(match[1]) == 1:
            title, at = match[2], at + 1
        elif at + 1 < len(lines) and _underlined(lines[at], lines[at + 1], "="):
            title, at = lines[at], at + 2
        else:
            return at
        people: list[str] = []
        while at < len(lines) and lines[at].strip():
            line = lines[at].strip()
            if not (line.startswith("//") or self._attribute(line)):
                people.append(line)
            at += 1
        self._title = self._inline.text(title.strip())
        authors = people[0].split("; ") if people else []
        if authors and all(_AUTHOR.fullmatch(author.strip()) for author in authors):
            self._authors = tuple(re.sub(r"\s*<.*>", "", author).strip().replace("_", " ") for author in authors)
            people = people[1:]
            revision = re.fullmatch(r"v?[\w.]+,\s*([^:]+)(?::.*)?|([\d-]{8,10})", people[0]) if people else None
            if revision:
                self._date = parse_date((revision[1] or revision[2]).strip())
                people = people[1:]
        if people:  # no line of authors: it is text
            lines[at:at] = ["", *people]
        return at

    def _attribute(self, line: str) -> bool:
        """Return whether a line sets an attribute, which is then known."""
        match = _ATTRIBUTE.fullmatch(line.rstrip())
        if match is None:
            return False
        name = match[1].strip("!").lower()
        if "!" not in match[1]:
            self._inline.attributes[name] = (match[2] or "").removesuffix(" \\")
        return True

    def _blocks(self, lines: list[str], depth: int, level: int = 0) -> Iterator[Part]:
        """Yield the parts of some lines, which stand in `level` items and boxes."""
        at, style, title, attached, apart = 0, "", "", False, True
        outer, self._marks = self._marks, []
        while at < len(lines):
            line = lines[at].rstrip()
            if line == "+":  # what comes next is part of the item before it
                at, attached = at + 1, True
                continue
            if not line.strip():
                at, apart = at + 1, True
                continue
            if (
                self._attribute(line)
                or (line.startswith("//") and not line.startswith("///"))
                or _ANCHOR.fullmatch(line)
                or line in ("'''", "<<<", "***", "---", "* * *")
            ):
                at += 1
                continue
            if match := _STYLE.fullmatch(line):
                style, at = match[1], at + 1
                continue
            if (match := _TITLE.fullmatch(line)) and not _ITEM.fullmatch(line):
                title, at = self._inline.text(match[1]), at + 1
                continue
            if (match := _HEADING.fullmatch(line)) or (
                at + 1 < len(lines) and _underlined(line, lines[at + 1], "=-~^+")
            ):
                self._marks, self._numbers = [], []
                if match:
                    yield Part("heading", self._inline.text(re.sub(r"\s+=+$", "", match[2])), len(match[1]))
                else:
                    yield Part("heading", self._inline.text(line), "=-~^+".index(lines[at + 1][0]) + 1)
                at += 1 if match else 2
            elif match := _BLOCK_MACRO.fullmatch(line):
                yield from self._macro(match[1], match[2], match[3], title, level + attached * len(self._marks))
                at += 1
            elif (match := _TABLE.fullmatch(line)) or (match := _FENCE.fullmatch(line)):
                fence = match[0].strip()
                until = _end(lines, at + 1, fence)
                self._marks = self._marks if attached or not apart else []
                yield from self._fenced(fence, lines[at + 1 : until], style, title, depth, level + len(self._marks))
                at = until + 1
            else:
                until = _paragraph_end(lines, at, attached)
                yield from self._paragraph(lines[at:until], style, title, level, goes_on=attached or not apart)
                at = until
            style, title, attached, apart = "", "", False, False
        self._marks = outer

    def _macro(self, name: str, target: str, inside: str, title: str, level: int) -> Iterator[Part]:
        """Yield what is read of a macro of its own line: an image's title, a condition's text; an include is named."""
        if title:
            yield Part("prose", title, level)
        if name == "include":
            yield Part("prose", f"include::{target}", level)
        elif name in ("ifdef", "ifndef") and inside:
            yield Part("prose", self._inline.text(inside), level)
        elif name in ("link", "xref"):
            yield Part("prose", self._inline.text(f"{name}:{target}[{inside}]"), level)
        elif name == "image" and inside and (said := inside.split(",")[0].strip(' "')) and "=" not in said:
            yield Part("prose", self._inline.text(said), level)

    def _fenced(
        self, fence: str, body: list[str], style: str, title: str, depth: int, level: int
    ) -> Iterator[Part]:
        """Yield the parts of a block between two fences."""
        sign = fence[0]
        named = [part.strip() for part in style.split(",")]
        kind = re.split(r"[%#.]", named[0])[0].strip().lower()
        if fence.startswith("//"):
            return
        box = kind.upper() in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION")
        boxed = box or (fence[:4] in ("====", "****") and bool(title))
        table = fence[1:4] == "===" and sign in "|,:!"
        if title:
            yield Part("admonition" if boxed and not table else "prose", title, level)
        if table:
            rows = table_rows(body, sign, style, self._inline.text)
            headed = "header" in style or (len(body) > 1 and bool(body[0].strip()) and not body[1].strip())
            yield from (Part("head" if headed and not at else "row", row, level) for at, row in enumerate(rows))
        elif kind in _VERBATIM_STYLES or fence[:4] in ("----", "....") or sign in "`~+":
            text = "\n".join(body)
            language = named[1] if len(named) > 1 and kind in ("source", "") else fence.lstrip("`~")
            language = language.lower() if re.fullmatch(r"[\w+#.-]{1,24}", language) and sign in "-`." else ""
            language = "" if set(language) <= {"-", "."} else language
            yield Part("code", (_CALLOUT.sub("", text) if sign != "+" else text).strip("\n"), level, language)
        elif kind == "verse":
            yield Part("prose", "\n".join(self._inline.text(line) for line in body), level)
        elif depth < _MAX_DEPTH:
            if box:
                yield Part("admonition", kind.capitalize(), level)
            yield from self._blocks(body, depth + 1, level + boxed)
            if kind == "quote" and (said := ", ".join(part.strip(' "') for part in style.split(",")[1:])):
                yield Part("prose", f"— {self._inline.text(said)}", level)
        else:
            yield Part("prose", "\n".join(body), level)

    def _paragraph(self, lines: list[str], style: str, title: str, level: int, *, goes_on: bool) -> Iterator[Part]:
        """Yield a paragraph, an item or a term with what explains it. `goes_on`: it follows without a blank line, or is
        attached, so that it belongs to the item before it."""
        kind = style.split(",")[0].strip().lower()
        first = lines[0]
        item, term = _ITEM.fullmatch(first), _TERM.fullmatch(first)
        indented = first.startswith((" ", "\t")) and not item and not term
        admonition = _ADMONITION.fullmatch(first)
        term = None if item or admonition else term
        if kind not in _VERBATIM_STYLES and (item or term):
            mark = (next(filter(None, item.groups()[:4])) if item else "") or "::"
            mark = "1." if mark.isalnum() else mark
            self._marks = [*self._marks[: self._marks.index(mark)], mark] if mark in self._marks else [
                *self._marks, mark
            ]  # fmt: skip
            inside = level + len(self._marks) - 1
        else:
            awaited, self._awaited = self._awaited, False
            self._marks = self._marks if goes_on or indented or awaited else []
            inside = level + len(self._marks)
        if title:
            yield Part("prose", title, inside)
        if kind in _VERBATIM_STYLES:
            language = style.split(",")[1].strip().lower() if kind == "source" and "," in style else ""
            yield Part("code", _CALLOUT.sub("", "\n".join(lines)), inside, language)
        elif indented:
            indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
            text = "\n".join(line[indent:] for line in lines)
            yield Part("code" if not self._marks or code_like(lines[0].strip()) else "prose", text, inside)
        elif item:
            yield Part("item", f"{self._mark(item)} {self._joined([_CHECKED.sub('', item[5]), *lines[1:]])}", inside)
        elif admonition:
            yield Part("prose", f"{admonition[1].capitalize()}: {self._joined([admonition[2], *lines[1:]])}", inside)
        elif term:
            explained = self._joined([*([term[2]] if term[2] else []), *lines[1:]])
            yield Part("item", self._inline.text(term[1]), inside)
            yield Part("prose", explained, inside + 1, tight=True)
            self._awaited = not explained
        elif kind.upper() in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"):
            yield Part("prose", f"{kind.capitalize()}: {self._joined(lines)}", inside)
        else:
            said = self._joined(lines)
            yield Part("code" if len(lines) == 1 and _ONE_LITERAL.fullmatch(first.strip()) else "prose", said, inside)

    def _mark(self, match: re.Match[str]) -> str:
        """Return the bullet or number of an item; numbers that are left to the reader are counted."""
        bullet, dots, number, callout, _ = match.groups()
        if bullet:
            return "-"
        if number:
            return f"{number}."
        if callout and callout.isdecimal():
            return f"{callout}."
        sign = dots or "<.>"
        while self._numbers and len(self._numbers[-1][0]) > len(sign):
            self._numbers.pop()
        count = self._numbers.pop()[1] + 1 if self._numbers and self._numbers[-1][0] == sign else 1
        self._numbers.append((sign, count))
        return f"{count}."

    def _joined(self, lines: list[str]) -> str:
        """Return lines as one, but where a line is ended by ` +`."""
        kept = [line.strip() for line in lines if not line.startswith("//") or line.startswith("///")]
        text = self._inline.text("\n".join(kept))
        return re.sub(r" \+\n", "\x00", text).replace("\n", " ").replace("\x00", "\n")


def _underlined(line: str, below: str, signs: str) -> bool:
    bare, rule = line.strip(), below.rstrip()
    match = _UNDERLINE.fullmatch(below)
    plain = bool(bare) and bare[0].isalnum() and not line.startswith(" ")
    return bool(match and plain and match[1] in signs and abs(len(rule) - len(bare)) <= 2)


def _end(lines: list[str], at: int, fence: str) -> int:
    """Return the place of the fence that ends a block; the end of the text, where none does."""
    closing = re.match(r"[`~]+|.*", fence)
    end = closing[0] if closing else fence
    return next((i for i in range(at, len(lines)) if lines[i].rstrip() == end), len(lines))


def _paragraph_end(lines: list[str], at: int, attached: bool) -> int:
    """Return the end of the paragraph or item that begins at a line; one that is `attached` to an item ends before the
    next item."""
    end = at + 1
    while end < len(lines):
        line = lines[end].rstrip()
        begins = (
            not line.strip() or line == "+" or _FENCE.fullmatch(line) or _TABLE.fullmatch(line)
            or _STYLE.fullmatch(line) or _BLOCK_MACRO.fullmatch(line)
        )  # fmt: skip
        item = attached or _ITEM.fullmatch(lines[at]) or _TERM.fullmatch(lines[at])
        if begins or (item and (_ITEM.fullmatch(line) or _TERM.fullmatch(line))):
            break
        end += 1
    return end
