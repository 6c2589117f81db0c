"""Approximate text of reStructuredText: directives, roles, targets and underlines are taken off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from veritas.reading.formats.converted import Converted
from veritas.text.blocks import code_like
from veritas.text.wordlist import words

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*")
_DIRECTIVE = re.compile(r"\.\. +(?:\|[^|]+\| +)?([\w:+.-]+?):: *(.*)")
_FOOTNOTE = re.compile(r"\.\. +(\[[^\]]+\]) +")
_EXPLICIT = re.compile(r"(?:\.\.|__)(?: |$)")
_OPTION = re.compile(r":[\w-]+:(?:\s|$)")
_FIELD = re.compile(r":([A-Za-z][\w -]*):(?=\s|$)")
_MAX_DEPTH = 20
_SIMPLE_RULE = re.compile(r"=+(?: +=+)+\s*")
_GRID_RULE = re.compile(r"\+(?:[-=]+\+)+\s*")

# Directives shown as program text, left unchanged; directives that show nothing; directives that show their body alone.
# The argument of any other is text of the page, as is its body: a note, a warning, a function with its signature.
LITERAL = words("code code-block sourcecode math doctest testcode testoutput ipython prompt parsed-literal")
NOTHING = words(
    """
    toctree image index contents include literalinclude raw automodule autoclass autofunction automethod autoattribute
    autodata autoexception autosummary currentmodule py:currentmodule module py:module meta highlight default-role role
    plot graphviz inheritance-diagram sectnum target-notes header footer date replace unicode testsetup testcleanup
    sectionauthor codeauthor moduleauthor tabularcolumns program cmake-module bibliography title
    """
)
# What a reader sees before the version that the argument of these names.
_VERSIONED = {
    "versionadded": "New in version", "versionchanged": "Changed in version", "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version", "deprecated-removed": "Deprecated since version",
}  # fmt: skip
_BODY_ALONE = words("figure container compound only ifconfig list-table class-list tab-set grid grid-item hlist")

_INLINE = re.compile(
    r"""``(?P<literal>(?s:.+?))``
      | :[\w:+.-]+?:`(?P<role>[^`]+)`
      | `(?P<link>[^`<>]+?)\s*<[^`<>]+>`_{0,2}
      | `(?P<named>[^`]+)`_{0,2}
      | (?<![*\w])\*\*(?P<strong>\S(?:[^*\n]*\S)?)\*\*(?![*\w])
      | (?<![*\w])\*(?P<emphasis>[^\s*](?:[^*\n]*[^\s*])?)\*(?![*\w])
      | (?<![|\w])\|(?P<substitution>\w(?:[^|\n]*\w)?)\|_{0,2}(?!\w)
      | \\(?P<escaped>[*_`|\\:])""",
    re.VERBOSE,
)
_ROLE_TARGET = re.compile(r"(.+?)\s*<[^<>]+>\Z", re.DOTALL)


def convert_rst(text: str) -> Converted:
    """Return the text without markup; code stays as it is. The title is the first underlined line."""
    lines = text.expandtabs(4).split("\n")
    return Converted(text=re.sub(r"\n{3,}", "\n\n", "\n".join(_body(lines))).strip(), title=_title(lines))


def _title(lines: list[str]) -> str | None:
    for line, under in pairwise(lines):
        if line.strip() and not _ADORNMENT.fullmatch(line) and _ADORNMENT.fullmatch(under):
            return _inline(line.strip()) if len(under.rstrip()) >= len(line.rstrip()) - 3 else None
    return None


def _body(lines: list[str], depth: int = 0) -> Iterator[str]:
    """Yield the lines as they are read; a blank line ends a paragraph."""
    if depth > _MAX_DEPTH:
        yield from lines
        return
    at, literal_next = 0, False
    said: list[str] = []  # the lines so far of a paragraph: a link or a role may begin in one and end in the next
    while at < len(lines):
        line = lines[at]
        bare = line.strip()
        if literal_next and bare:
            if _indent(line):
                until = _block_end(lines, at, _indent(line))
                yield from (*_dedented(lines[at:until]), "")
                at, literal_next = until, False
                continue
            literal_next = False
        if _EXPLICIT.match(bare) and not _FOOTNOTE.match(bare):
            until = _block_end(lines, at + 1, _indent(line) + 1)
            yield from _explicit(bare, lines[at + 1 : until], depth)
            at = until
        elif _SIMPLE_RULE.fullmatch(bare) or _GRID_RULE.fullmatch(bare):
            until = _table_end(lines, at)
            rows = _grid_rows(lines[at:until]) if bare[0] == "+" else _simple_rows(lines[at:until])
            yield from ("", *("\t".join(_inline(cell) for cell in row).rstrip("\t") for row in rows), "")
            at = until
        elif _ADORNMENT.fullmatch(bare) and len(bare) > 2:
            yield ""
            at += 1
        else:
            literal_next = bare.endswith("::") or (literal_next and not bare)
            if bare == "::":
                bare = ""
            elif bare.endswith("::"):
                bare = bare[:-1]
            bare = _FOOTNOTE.sub(r"\1 ", bare)
            said.append(_FIELD.sub(r"\1:", bare, count=1) if bare.startswith(":") else bare)
            at += 1
            if not _goes_on(lines, at, literal_next):
                yield from _inline("\n".join(said)).split("\n")
                said = []


def _goes_on(lines: list[str], at: int, literal_next: bool) -> bool:
    """Return whether the line at `at` belongs to the paragraph before it."""
    bare = lines[at].strip() if at < len(lines) else ""
    return bool(bare) and not (
        literal_next
        or (_EXPLICIT.match(bare) and not _FOOTNOTE.match(bare))
        or _ADORNMENT.fullmatch(bare)
        or _SIMPLE_RULE.fullmatch(bare)
        or _GRID_RULE.fullmatch(bare)
    )


def _explicit(first: str, block: list[str], depth: int) -> Iterator[str]:
    """Yield the visible text of a directive; a comment, a target or a substitution has none."""
    yield ""
    match = _DIRECTIVE.fullmatch(first)
    if match is None or match.group(1).lower() in NOTHING or "|" in first.split("::")[0]:
        return
    name, argument = match.group(1).lower(), match.group(2)
    body = _dedented(block)
    while body and _OPTION.match(body[0]):
        body = body[1:]
        while body and body[0].startswith(" "):
            body = body[1:]
    if name in LITERAL:
        yield from (*([argument] if name in ("math", "parsed-literal") and argument else []), *body, "")
        return
    if name in _VERSIONED:
        version, _, said = argument.partition(" ")
        body = body[next((i for i, line in enumerate(body) if line.strip()), 0) :]
        lead = f"{_VERSIONED[name]} {version}".rstrip()
        body = [f"{lead}: {said}" if said else f"{lead}:", *body] if said or any(body) else [f"{lead}."]
    elif argument and name not in _BODY_ALONE:
        yield from (_inline(argument), "")
    yield from (*(body if _is_program(body) else _body(body, depth + 1)), "")


def _is_program(body: list[str]) -> bool:
    """Return whether the body of a directive reads as program text from its first line on, as an extension of a
    project's own may show it."""
    said = [line for line in body if line.strip()]
    return bool(said) and code_like(said[0]) and 2 * sum(map(code_like, said)) >= len(said)


def _inline(text: str) -> str:
    return _INLINE.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    words = match.group(match.lastgroup or 0)
    return shown_role(words) if match.lastgroup == "role" else words


def shown_role(words: str) -> str:
    """Return what a reader sees of a role: its own words, else the name of its target."""
    named = _ROLE_TARGET.match(words)
    if named:
        return named.group(1)
    return words[1:].rpartition(".")[2] if words.startswith("~") else words.removeprefix("!")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _block_end(lines: list[str], at: int, indent: int) -> int:
    """Return the end of the block of lines indented by at least `indent`, blank lines within it included."""
    end = at
    while at < len(lines):
        if lines[at].strip():
            if _indent(lines[at]) < indent:
                break
            end = at + 1
        at += 1
    return end


def _dedented(block: list[str]) -> list[str]:
    indent = min((_indent(line) for line in block if line.strip()), default=0)
    return [line[indent:].rstrip() for line in block]


def _table_end(lines: list[str], at: int) -> int:
    end = at
    while end < len(lines) and lines[end].strip():
        end += 1
    return end


def _simple_rows(lines: list[str]) -> Iterator[list[str]]:
    """Yield the rows of a table ruled with `===== =====`; a line with an empty first cell continues the row above."""
    columns = [match.span() for match in re.finditer("=+", lines[0])]
    spans = [(start, columns[i + 1][0] if i + 1 < len(columns) else None) for i, (start, _) in enumerate(columns)]
    row: list[str] = []
    for line in lines[1:]:
        if _SIMPLE_RULE.fullmatch(line.strip()) or re.fullmatch(r"\s*-+(?: +-+)*\s*", line):
            continue
        cells = [line[start:end].strip() for start, end in spans]
        if row and not cells[0]:
            row = [f"{above} {cell}".strip() for above, cell in zip(row, cells, strict=True)]
            continue
        if row:
            yield row
        row = cells
    if row:
        yield row


def _grid_rows(lines: list[str]) -> Iterator[list[str]]:
    """Yield the rows of a table ruled with `+----+----+`."""
    row: list[str] = []
    for line in (line.strip() for line in lines):
        if line.startswith("+"):
            if row:
                yield row
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
        yield row
