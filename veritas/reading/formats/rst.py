"""Approximate text of reStructuredText with its structure: directives, roles, targets and underlines are taken off.

Tables of reStructuredText: ruled ones, lists of lists, and comma-separated values.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from veritas.documents.metadata import split_front_matter
from veritas.errors import CorpusError
from veritas.reading.formats._rst_inline import inline, substitutions
from veritas.reading.formats.converted import Converted
from veritas.text.blocks import code_like
from veritas.text.structure import LOWEST, Structure, TextBlock, TextBlockKind, heads
from veritas.text.wordlist import words

SIMPLE_RULE = re.compile(r"=+(?: +=+)+\s*")
GRID_RULE = re.compile(r"\+(?:[-=]+\+)+\s*")
_HEAD_RULE = re.compile(r"\+(?:=+\+)+\s*")
_INNER_RULE = re.compile(r"\s*-+(?: +-+)*\s*")
_LISTED = re.compile(r"(?P<row>\* +)?- ?(?P<cell>.*)")

Row = tuple[list[str], bool]
"""The cells of a row, and whether they name the columns."""


class Part(NamedTuple):
    """A block as it is read. `tight`: no blank line parts it from the one before."""

    kind: TextBlockKind
    text: str
    level: int = 0
    language: str = ""
    tight: bool = False


def ruled(lines: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a table ruled with `===== =====` or `+----+----+`."""
    return _grid(lines) if lines[0].lstrip().startswith("+") else _simple(lines)


def _simple(lines: Sequence[str]) -> Iterator[Row]:
    """Yield rows; a line with an empty first cell continues the row above."""
    columns = [match.span() for match in re.finditer("=+", lines[0])]
    spans = [(start, columns[i + 1][0] if i + 1 < len(columns) else None) for i, (start, _) in enumerate(columns)]
    rules = [at for at, line in enumerate(lines) if SIMPLE_RULE.fullmatch(line.strip())]
    body = rules[1] if len(rules) > 2 else 0
    rows: list[Row] = []
    for at, line in enumerate(lines[1:], 1):
        if at in rules or _INNER_RULE.fullmatch(line):
            continue
        cells = [line[start:end].strip() for start, end in spans]
        if rows and not cells[0] and rows[-1][1] == (at < body):
            rows[-1] = ([f"{above} {cell}".strip() for above, cell in zip(rows[-1][0], cells, strict=True)], at < body)
        else:
            rows.append((cells, at < body))
    return iter(rows)


def _grid(lines: Sequence[str]) -> Iterator[Row]:
    ends = next((at for at, line in enumerate(lines) if _HEAD_RULE.fullmatch(line.strip())), 0)
    row: list[str] = []
    for at, line in enumerate(map(str.strip, lines)):
        if line.startswith("+"):
            if row:
                yield row, at <= ends
            row = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(row) == len(cells):
            row = [f"{above} {cell}".strip() for above, cell in zip(row, cells, strict=True)]
        elif row:
            row[-1] = f"{row[-1]} {' '.join(cells)}"
        else:
            row = cells
    if row:
        yield row, False


def listed(lines: Sequence[str], heads: int) -> Iterator[Row]:
    """Yield the rows of a table that is a list of lists; the first `heads` of them name the columns."""
    rows: list[list[str]] = []
    for line in lines:
        found = _LISTED.match(line) if line.startswith("*") else _LISTED.match(line.strip())
        if found and (found["row"] or (rows and line.startswith("  -"))):
            if found["row"]:
                rows.append([])
            rows[-1].append(found["cell"].strip())
        elif rows and rows[-1]:
            rows[-1][-1] = f"{rows[-1][-1]} {line.strip()}".strip()
    return ((row, at < heads) for at, row in enumerate(rows))


def separated(lines: Sequence[str], header: str, heads: int) -> Iterator[Row]:
    """Yield the rows of comma-separated values; `header` is a row that names the columns, in the same form."""
    for at, row in enumerate(csv.reader([*([header] if header else []), *lines], skipinitialspace=True)):
        if row:
            yield [" ".join(cell.split()) for cell in row], at < heads + bool(header)


_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*")
_DIRECTIVE = re.compile(r"\.\. +(?:\|[^|]+\| +)?([\w:+.-]+?):: *(.*)")
_FOOTNOTE = re.compile(r"\.\. +(\[[^\]]+\]) +")
_EXPLICIT = re.compile(r"(?:\.\.|__)(?: |$)")
_OPTION = re.compile(r":(?P<name>[\w-]+):(?:\s+(?P<value>.*))?$")
_FIELD = re.compile(r":(?P<name>[A-Za-z](?:[^:`\n]|\\:)*):(?:\s+|$)")
_ITEM = re.compile(r"(?:[-*+•]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{2,4}|#)[.)])\s+(?=\S)")
_OPTION_ITEM = re.compile(r"-{1,2}\w[\w-]*(?:[ =]<?[\w.-]+>?)?(?:, -{1,2}\w[\w-]*(?:[ =]<?[\w.-]+>?)?)*(?:  +|$)")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_MAX_DEPTH = 20
_OBJECT_LEVEL = 7
"""Level of the heading that names an object of a program, below all headings of the document."""

# Directives shown as program text, left unchanged; directives that show nothing; directives whose argument is nothing
# that is shown, or the beginning of their body. The argument of any other is the title of a box, or names what the
# body defines.
LITERAL = words("code code-block sourcecode math doctest testcode testoutput ipython prompt parsed-literal code-tab")
NOTHING = words(
    """
    toctree image index contents include literalinclude raw automodule autoclass autofunction automethod autoattribute
    autodata autoexception autosummary currentmodule py:currentmodule module py:module meta highlight default-role role
    plot graphviz inheritance-diagram sectnum target-notes header footer date replace unicode testsetup testcleanup
    sectionauthor codeauthor moduleauthor tabularcolumns program cmake-module bibliography title
    """
)
LANGUAGES = {"doctest": "pycon", "testcode": "python", "ipython": "python", "testoutput": "", "parsed-literal": "",
             "math": ""}  # fmt: skip
"""Languages of directives that do not name one."""
# What a reader sees before the version that the argument of these names.
_VERSIONED = {
    "versionadded": "New in version", "versionchanged": "Changed in version", "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version", "deprecated-removed": "Deprecated since version",
}  # fmt: skip
_BODY_ALONE = words(
    "figure container compound only ifconfig class-list rst-class cssclass tab-set grid grid-item hlist tabs"
)
_BODY_BEGINS = words(
    "attention caution danger error hint important note tip warning seealso todo highlights epigraph pull-quote"
)
_ITEMS = words("option cmdoption envvar confval describe setting")
_OBJECTS = words(
    "function method class attribute data exception property decorator decoratormethod staticmethod classmethod object"
)


def convert_rst(text: str) -> Converted:
    """Return the text without markup, and its structure; code stays as it is. The title is the first underlined
    line."""
    front: Mapping[str, Any] = {}
    with suppress(CorpusError):  # a title between two rules is none
        front, text = split_front_matter(text)
    lines = text.expandtabs(4).split("\n")
    said, blocks = laid_out(_Reader(text).body(lines))
    named = (said[b.start : b.end] for b in blocks if b.kind == "heading" and b.level < LOWEST)
    return Converted(said, title=next(named, None), blocks=blocks, front_matter=front)


class _Reader:
    """A reader of a document: the forms of its underlines in the order of their levels, and its substitutions."""

    def __init__(self, text: str) -> None:
        self._forms: list[tuple[str, bool]] = []
        self._known = substitutions(text)
        self._objects = 0

    def body(self, lines: Sequence[str], depth: int = 0, level: int = 0) -> Iterator[Part]:
        """Yield the parts of some lines, which stand in `level` items and boxes."""
        if depth > _MAX_DEPTH:
            yield Part("prose", "\n".join(lines).strip("\n"), level)
            return
        at, literal, apart = 0, False, True
        while at < len(lines):
            line = lines[at]
            bare, indent = line.strip(), _indent(line)
            if not bare:
                at, apart = at + 1, True
                continue
            if literal and indent:
                until = _block_end(lines, at, indent)
                yield Part("code", "\n".join(_dedented(lines[at:until])).rstrip(), level)
                at, apart = until, True
            elif _EXPLICIT.match(bare) and not _FOOTNOTE.match(bare):
                until = _block_end(lines, at + 1, indent + 1)
                yield from self._explicit(bare, lines[at + 1 : until], depth, level)
                at, apart = until, True
            elif SIMPLE_RULE.fullmatch(bare) or GRID_RULE.fullmatch(bare):
                until = _table_end(lines, at)
                yield from self._rows(ruled(lines[at:until]), level)
                at, apart = until, True
            elif (over := _is_rule(bare)) or (at + 1 < len(lines) and _is_rule(lines[at + 1].strip())):
                heading = self._heading(lines, at, over)
                if heading is not None:
                    yield heading
                    at += 3 if over else 2
                elif over:
                    at += 1
                else:
                    yield Part("prose", self._inline(bare), level, tight=not apart)
                    at += 2
                apart = True
            elif bare.startswith(">>> "):
                until = _table_end(lines, at)
                yield Part("code", "\n".join(_dedented(lines[at:until])), level, "pycon")
                at, apart = until, True
            elif item := _ITEM.match(bare) or _OPTION_ITEM.match(bare) or _FIELD.match(bare):
                until = _block_end(lines, at + 1, indent + 1)
                mark = f"{item['name']}: " if bare.startswith(":") else item[0].rstrip() + " "
                inner = [bare[item.end() :], *_dedented(lines[at + 1 : until])]
                yield from self._item(self._inline(mark), inner, depth, level, apart)
                at, apart = until, not lines[until - 1].strip()
            elif _defines(lines, at):
                until = _block_end(lines, at + 1, indent + 1)
                yield Part("item", self._inline(bare), level, tight=not apart)
                for number, part in enumerate(self.body(_dedented(lines[at + 1 : until]), depth + 1, level + 1)):
                    yield part if number else part._replace(tight=part.kind == "prose")
                at, apart = until, True
            else:
                at, literal, text = _paragraph(lines, at)
                bold = _BOLD.fullmatch(text)
                if bold and not level and heads(bold[1]):
                    yield Part("heading", self._inline(text), LOWEST)
                else:
                    yield Part("prose", self._inline(text), level, tight=not apart)
                apart = False
                continue
            literal = False

    def _inline(self, text: str) -> str:
        return inline(text, self._known)

    def _heading(self, lines: Sequence[str], at: int, over: bool) -> Part | None:
        """Return the heading that begins in a line, with its rule above it or without; None if there is none."""
        said, under = (at + 1, at + 2) if over else (at, at + 1)
        if under >= len(lines) or not lines[said].strip() or not _is_rule(lines[under].strip()):
            return None
        words, rule = lines[said].strip(), lines[under].strip()
        if _is_rule(words) or len(rule) < len(words) - 3 or (over and lines[at].strip()[0] != rule[0]):
            return None
        form = (rule[0], over)
        if form not in self._forms:
            self._forms.append(form)
        return Part("heading", self._inline(words), min(LOWEST - 1, self._forms.index(form) + 1))

    def _item(self, mark: str, lines: list[str], depth: int, level: int, apart: bool) -> Iterator[Part]:
        """Yield an item with all that belongs to it; its mark stands before its first paragraph."""
        first = True
        for part in self.body(lines, depth + 1, level + 1):
            if first and part.kind == "prose":
                yield part._replace(kind="item", text=mark + part.text, level=level, tight=not apart)
            elif first:
                yield from (Part("item", mark.rstrip(), level, tight=not apart), part)
            else:
                yield part
            first = False
        if first:
            yield Part("item", mark.rstrip(), level, tight=not apart)

    def _rows(self, rows: Iterator[Row], level: int) -> Iterator[Part]:
        for cells, names in rows:
            yield Part(
                "head" if names else "row", "\t".join(map(self._inline, cells)).rstrip("\t"), level, tight=False
            )

    def _explicit(self, first: str, block: Sequence[str], depth: int, level: int) -> Iterator[Part]:
        """Yield what a directive shows; a comment, a target or a substitution shows nothing."""
        match = _DIRECTIVE.fullmatch(first)
        if match is None or match.group(1).lower() in NOTHING or "|" in first.split("::")[0]:
            return
        name, argument = match.group(1).lower(), match.group(2).strip()
        options, body = _options(_dedented(block))
        kind = name.rpartition(":")[2]
        if name in LITERAL or name.startswith("code-"):
            language = LANGUAGES.get(name, argument.split(" ")[0])
            if name in ("math", "parsed-literal") and argument:
                body = [argument, *body]
            yield Part("prose" if name == "math" else "code", "\n".join(body).strip("\n"), level, language.lower())
        elif kind in ("list-table", "csv-table"):
            heads = options.get("header-rows", "")
            count = int(heads) if heads.isdecimal() else 0
            header = options.get("header", "")
            yield Part("prose", self._inline(argument), level)
            yield from self._rows(
                listed(body, count) if kind == "list-table" else separated(body, header, count), level
            )
        elif is_program(body) and name not in _BODY_BEGINS:
            yield Part("admonition", "" if name in _BODY_ALONE else self._inline(argument), level)
            yield Part("code", "\n".join(body).strip("\n"), level)
        elif name in _VERSIONED:
            version, _, said = argument.partition(" ")
            body = body[next((i for i, line in enumerate(body) if line.strip()), 0) :]
            lead = f"{_VERSIONED[name]} {version}".rstrip()
            body = [f"{lead}: {said}" if said else f"{lead}:", *body] if said or any(body) else [f"{lead}."]
            yield from self.body(body, depth + 1, level)
        elif name in _BODY_ALONE:
            yield from self.body(body, depth + 1, level)
        elif name in _BODY_BEGINS:
            yield from self.body([argument, *body], depth + 1, level)
        elif kind in _OBJECTS or ":" in name:
            while body and body[0].startswith(" "):  # another way to call it
                argument, body = f"{argument}\n{body[0].strip()}", body[1:]
            yield Part("heading", self._inline(argument), _OBJECT_LEVEL + self._objects)
            self._objects += 1
            yield from self.body(body, depth + 1, level)
            self._objects -= 1
        else:
            boxed = any(line.strip() for line in body) and bool(argument)
            about: TextBlockKind = "item" if kind in _ITEMS else "admonition" if boxed else "prose"
            yield Part(about, self._inline(argument), level)
            yield from self.body(body, depth + 1, level + boxed)


def is_program(body: Sequence[str]) -> bool:
    """Return whether the body of a directive reads as program text from its first line on, as an extension of a
    project's own may show it."""
    said = [line for line in body if line.strip()]
    return bool(said) and code_like(said[0]) and 2 * sum(map(code_like, said)) >= len(said)


def _options(body: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the options of a directive, and the lines behind them."""
    found: dict[str, str] = {}
    at = 0
    while at < len(body) and (option := _OPTION.match(body[at])):
        found[option["name"]] = option["value"] or ""
        at += 1
        while at < len(body) and body[at].startswith(" "):
            at += 1
    return found, body[at:]


def _paragraph(lines: Sequence[str], at: int) -> tuple[int, bool, str]:
    """Return the line behind a paragraph, whether it announces a literal block, and its text. A link or a role of it
    may begin in one line and end in the next."""
    said: list[str] = []
    literal = False
    while at < len(lines):
        bare = lines[at].strip()
        ends = not bare or _is_rule(bare) or SIMPLE_RULE.fullmatch(bare) or GRID_RULE.fullmatch(bare)
        if said and (literal or ends or (_EXPLICIT.match(bare) and not _FOOTNOTE.match(bare))):
            break
        literal = bare.endswith("::")
        if literal:
            bare = bare[:-1] if bare != "::" else ""
        said.append(_FOOTNOTE.sub(r"\1 ", bare))
        at += 1
    return at, literal, "\n".join(said)


def _defines(lines: Sequence[str], at: int) -> bool:
    """Return whether a line is a term whose definition stands below it, indented."""
    if at + 1 >= len(lines) or not lines[at + 1].strip() or lines[at].rstrip().endswith("::"):
        return False
    return _indent(lines[at + 1]) > _indent(lines[at]) and not _FOOTNOTE.match(lines[at].strip())


def _is_rule(bare: str) -> bool:
    return len(bare) > 2 and bool(_ADORNMENT.fullmatch(bare))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _block_end(lines: Sequence[str], at: int, indent: int) -> int:
    """Return the end of the block of lines indented by at least `indent`, blank lines within it included."""
    end = at
    while at < len(lines):
        if lines[at].strip():
            if _indent(lines[at]) < indent:
                break
            end = at + 1
        at += 1
    return end


def _dedented(block: Sequence[str]) -> list[str]:
    indent = min((_indent(line) for line in block if line.strip()), default=0)
    return [line[indent:].rstrip() for line in block]


def _table_end(lines: Sequence[str], at: int) -> int:
    end = at
    while end < len(lines) and lines[end].strip():
        end += 1
    return end


def laid_out(parts: Iterable[Part]) -> tuple[str, Structure]:
    """Return the text of some parts, with a blank line between them, and its blocks. Parts without words are left out,
    and the rows of a table stand on neighbouring lines."""
    said: list[str] = []
    blocks: list[TextBlock] = []
    length = 0
    for part in parts:
        shown = part.text if part.kind in ("code", "row") else part.text.strip()
        if not shown.strip():
            continue
        if said:
            rows = part.kind == "row" and blocks[-1].kind in ("head", "row")
            said.append("\n" if (part.tight and blocks[-1].kind != "heading") or rows else "\n\n")
            length += len(said[-1])
        said.append(shown)
        blocks.append(TextBlock(part.kind, length, length + len(shown), part.level, part.language))
        length += len(shown)
    return "".join(said), tuple(blocks)
