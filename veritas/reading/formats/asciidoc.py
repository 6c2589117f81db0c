"""Text of AsciiDoc: sections, lists, blocks, tables and admonitions as they are read; what is not known is text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from veritas.documents.metadata import parse_date
from veritas.errors import CorpusError
from veritas.reading.formats._asciidoc_inline import Inline
from veritas.reading.formats._asciidoc_tables import table_rows
from veritas.reading.formats.converted import Converted

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
_VERBATIM_STYLES = ("source", "listing", "literal", "stem", "latexmath", "asciimath", "plantuml", "mermaid", "console")
_MAX_DEPTH = 20


def convert_asciidoc(text: str) -> Converted:
    """Return the text without markup; program text stays as it is. Title, authors and date are those of the header.

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
        self._title: str | None = None
        self._authors: tuple[str, ...] = ()
        self._date: date | None = None

    def converted(self) -> Converted:
        begins = self._header()
        body = [*([self._title] if self._title else []), *self._blocks(self._lines[begins:], 0)]
        return Converted(
            text="\n\n".join(block for block in body if block.strip()), title=self._title, authors=self._authors,
            published_at=self._date,
        )  # fmt: skip

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

    def _blocks(self, lines: list[str], depth: int) -> Iterator[str]:
        at, style, title, attached = 0, "", "", False
        while at < len(lines):
            line = lines[at].rstrip()
            if line == "+":  # what comes next is part of the item before it
                at, attached = at + 1, True
            elif (
                not line.strip()
                or self._attribute(line)
                or (line.startswith("//") and not line.startswith("///"))
                or _ANCHOR.fullmatch(line)
                or line in ("'''", "<<<", "***", "---", "* * *")
            ):
                at += 1
            elif match := _STYLE.fullmatch(line):
                style, at = match[1], at + 1
            elif (match := _TITLE.fullmatch(line)) and not _ITEM.fullmatch(line):
                title, at = self._inline.text(match[1]), at + 1
            elif match := _BLOCK_MACRO.fullmatch(line):
                yield from self._macro(match[1], match[2], match[3], title)
                at, style, title = at + 1, "", ""
            elif match := _HEADING.fullmatch(line):
                yield self._inline.text(re.sub(r"\s+=+$", "", match[2]))
                at, style, title, self._numbers = at + 1, "", "", []
            elif at + 1 < len(lines) and _underlined(line, lines[at + 1], "=-~^+"):
                yield self._inline.text(line)
                at, style, title, self._numbers = at + 2, "", "", []
            elif (match := _TABLE.fullmatch(line)) or (match := _FENCE.fullmatch(line)):
                fence = match[0].strip()
                until = _end(lines, at + 1, fence)
                yield from self._fenced(fence, lines[at + 1 : until], style, title, depth)
                at, style, title = until + 1, "", ""
            else:
                until = _paragraph_end(lines, at, attached)
                yield from self._paragraph(lines[at:until], style, title)
                at, style, title, attached = until, "", "", False

    def _macro(self, name: str, target: str, inside: str, title: str) -> Iterator[str]:
        """Yield what is read of a macro of its own line: an image's title, a condition's text; an include is named."""
        if title:
            yield title
        if name == "include":
            yield f"include::{target}"
        elif name in ("ifdef", "ifndef") and inside:
            yield self._inline.text(inside)
        elif name in ("link", "xref"):
            yield self._inline.text(f"{name}:{target}[{inside}]")
        elif name == "image" and inside and (said := inside.split(",")[0].strip(' "')) and "=" not in said:
            yield self._inline.text(said)

    def _fenced(self, fence: str, body: list[str], style: str, title: str, depth: int) -> Iterator[str]:
        """Yield the text of a block between two fences."""
        sign = fence[0]
        kind = style.split(",")[0].split("%")[0].split("#")[0].split(".")[0].strip().lower()
        if fence.startswith("//"):
            return
        if title:
            yield title
        if fence[1:4] == "===" and sign in "|,:!":
            yield "\n".join(table_rows(body, sign, style, self._inline.text))
        elif kind in _VERBATIM_STYLES or fence[:4] in ("----", "....") or sign in "`~+":
            yield _CALLOUT.sub("", "\n".join(body)).strip("\n") if sign != "+" else "\n".join(body).strip("\n")
        elif kind == "verse":
            yield "\n".join(self._inline.text(line) for line in body)
        elif depth < _MAX_DEPTH:
            if kind.upper() in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"):
                yield kind.capitalize()
            yield from self._blocks(body, depth + 1)
            if kind == "quote" and (said := ", ".join(part.strip(' "') for part in style.split(",")[1:])):
                yield f"— {self._inline.text(said)}"
        else:
            yield "\n".join(body)

    def _paragraph(self, lines: list[str], style: str, title: str) -> Iterator[str]:
        if title:
            yield title
        kind = style.split(",")[0].strip().lower()
        first = lines[0]
        if kind in _VERBATIM_STYLES:
            yield _CALLOUT.sub("", "\n".join(lines))
        elif first.startswith((" ", "\t")) and not _ITEM.fullmatch(first) and not _TERM.fullmatch(first):
            indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
            yield "\n".join(line[indent:] for line in lines)
        elif match := _ITEM.fullmatch(first):
            yield f"{self._mark(match)} {self._joined([_CHECKED.sub('', match[5]), *lines[1:]])}"
        elif match := _ADMONITION.fullmatch(first):
            yield f"{match[1].capitalize()}: {self._joined([match[2], *lines[1:]])}"
        elif match := _TERM.fullmatch(first):
            explained = self._joined([*([match[2]] if match[2] else []), *lines[1:]])
            yield self._inline.text(match[1]) + (f"\n{explained}" if explained else "")
        else:
            if kind.upper() in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"):
                yield f"{kind.capitalize()}: {self._joined(lines)}"
            else:
                yield self._joined(lines)

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
