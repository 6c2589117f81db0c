"""BibTeX and BibLaTeX: entries with the place of every field, tolerant of damage elsewhere in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from veritas.citations.bibliography.entry import Entry
from veritas.text.line_index import LineNumbers

MAX_FIELDS = 200
_START = re.compile(r"@[ \t]*([A-Za-z]+)\s*([{(])")
_BETWEEN = re.compile(r"(?:[\s,]|%[^\n]*(?:\n|\Z))*")
"""Separators of two fields. Comments are among them, as in biber: people switch fields off that way."""
_NAME = re.compile(r"([A-Za-z][\w:.+/-]*)\s*=\s*", re.ASCII)
_BRACE = re.compile(r"(\\*)([{}()]|^[ \t]*@[A-Za-z]+[ \t]*\{[^\s,{}=]*,)", re.MULTILINE)
_FOLLOWS = re.compile(r"\s*(?:[,})#%@]|\Z|[A-Za-z][\w:-]*\s*=)")
"""What may stand behind a value."""
_KEY = re.compile(r"\s*([^\s,{}()\"=]*(?:\([^\s,{}()\"=]*\)[^\s,{}()\"=]*)*)\s*(,|(?=[})]))")
_JOINED = re.compile(r"\s*#\s*")
_PLAIN = 2_000
"""Most characters of a value that is looked through at once for braces of its own."""
_SIGNS = re.compile(r"[\\{@]")
_WORD = re.compile(r"[^\s,{}()\"#=]+")
MONTHS = {name: name.title() for name in "jan feb mar apr may jun jul aug sep oct nov dec".split()}
_INHERITED = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}


@dataclass(frozen=True, slots=True)
class RawField:
    """A field's value without its outer delimiters, and its place in the text with them."""

    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry as it stands in the text; `end` is after its closing brace."""

    type: str
    key: str
    fields: Mapping[str, RawField]
    start: int
    end: int
    problem: str | None = None


def read_bibtex(text: str, file: str) -> list[Entry]:
    """Return the entries of a file in order; an entry that cannot be read has a `problem`. An `@xdata` is no work: it
    has what others inherit."""
    raw = parse_bibtex(text)
    by_key = {entry.key.lower(): entry for entry in raw}
    lines = LineNumbers(text)
    return [entry_of(each, file, lines.at(each.start), by_key) for each in raw if each.type != "xdata" or each.problem]


def entry_of(entry: RawEntry, file: str, line: int, by_key: Mapping[str, RawEntry]) -> Entry:
    """Return an entry with what it inherits from others, which are given by their keys in lower case."""
    fields = {name: each.value for name, each in entry.fields.items()}
    if "crossref" in fields or "xdata" in fields:
        for parent in (fields.get("crossref"), *(fields.get("xdata") or "").split(",")):
            fields = _inherited(fields, by_key.get((parent or "").strip().lower()), entry)
    return Entry(
        file=file,
        key=entry.key,
        line=line,
        type=entry.type,
        fields=fields,
        span=(entry.start, entry.end),
        problem=entry.problem,
    )


def _inherited(fields: dict[str, str], parent: RawEntry | None, entry: RawEntry) -> dict[str, str]:
    """Return an entry's fields with those of its `crossref` or `xdata` parent, by biblatex's table: a volume's
    title becomes the booktitle, and its author is the author of each part."""
    if parent is None or parent is entry:
        return fields
    inside = entry.type in ("inproceedings", "incollection", "inbook", "conference", "suppbook")
    given: dict[str, str] = {}
    for name, field in parent.fields.items():
        if parent.type == "xdata":
            given[name] = field.value
        elif inside and name in _INHERITED:
            given.setdefault(_INHERITED[name], field.value)
        elif name not in ("crossref", "doi", "url", "eprint", "isbn"):
            given[name] = field.value
    return {**given, **fields}


def parse_bibtex(text: str) -> list[RawEntry]:
    """Return every entry with the places of its fields. Damage in one entry does not reach the next."""
    return list(entries_from(text, 0, dict(MONTHS)))


def entries_from(text: str, at: int, macros: dict[str, str]) -> Iterator[RawEntry]:
    """Yield the entries from a place on, which is in none. `macros` are those before it; more of them are added."""
    while (start := _START.search(text, at)) is not None:
        kind = start[1].lower()
        line = text.rfind("\n", 0, start.start()) + 1
        if "%" in text[line : start.start()]:  # commented out
            at = start.end()
            continue
        if kind == "comment":
            at = start.end()
            continue
        if kind == "preamble":
            at = _closing(text, start.end(), start[2]) or start.end()
            continue
        if kind == "string":
            fields, end, _ = _fields(text, start.end(), start[2], macros)
            macros |= {name: field.value for name, field in fields.items()}
            at = max(end, start.end())
            continue
        entry = _entry(text, start, kind, macros)
        yield entry
        at = max(entry.end, start.end())


def _entry(text: str, start: re.Match[str], kind: str, macros: Mapping[str, str]) -> RawEntry:
    key = _KEY.match(text, start.end())
    if key is None:
        end = _next_entry(text, start.end())
        return RawEntry(kind, "", {}, start.start(), end, "it has no key")
    fields, end, problem = _fields(text, key.end(), start[2], macros)
    return RawEntry(kind, key[1], fields, start.start(), end, problem)


def _fields(
    text: str, at: int, opened: str, macros: Mapping[str, str]
) -> tuple[dict[str, RawField], int, str | None]:
    """Return the fields up to the closing brace, the entry's end, and what is wrong with it."""
    closing = "}" if opened == "{" else ")"
    fields: dict[str, RawField] = {}
    while len(fields) < MAX_FIELDS:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        name = _NAME.match(text, at)
        if name is None:
            if text[at : at + 1] == closing:
                return fields, at + 1, None
            end = _next_entry(text, at)
            where = "it is not closed" if at >= len(text) or text[at] == "@" else f"{text[at : at + 20]!r} is no field"
            # An entry with a title is kept as far as it was read; a field cut off by the end of the file is dropped.
            return fields, end, None if fields.get("title") else where
        value = _value(text, name.end(), macros)
        if value is None:
            end = _next_entry(text, name.end())
            return fields, end, f"the field {name[1]} is not closed"
        fields.setdefault(name[1].lower(), RawField(value[0], name.end(), value[1]))
        at = value[1]
    return fields, _next_entry(text, at), None


def _value(text: str, at: int, macros: Mapping[str, str]) -> tuple[str, int] | None:
    """Return a value (braced, quoted, number, macro, or several joined by `#`) and its end; None if not closed."""
    parts: list[str] = []
    while True:
        if text[at : at + 1] == "{":
            end = _closing(text, at + 1, "{")
            if end is None:
                return None
            parts.append(text[at + 1 : end - 1])
        elif text[at : at + 1] == '"':
            end = _quoted(text, at + 1)
            if end is None:
                return None
            parts.append(text[at + 1 : end - 1])
        else:
            word = _WORD.match(text, at)
            if word is None:
                return "".join(parts), at
            end = word.end()
            parts.append(macros.get(word.group().lower(), word.group()))
        joined = _JOINED.match(text, end)
        if joined is None:
            return "".join(parts), end
        at = joined.end()


def _closing(text: str, at: int, opened: str) -> int | None:
    """Return the place after the closing brace; None if an entry begins on a line before it, or it is missing.

    To BibTeX a brace counts behind a backslash too, TeX takes `\\{` for a sign. The nearer place counts behind which
    something stands that may follow a value.
    """
    if opened == "{" and (end := text.find("}", at, at + _PLAIN)) >= 0 and not _SIGNS.search(text, at, end):
        return end + 1  # as most values are
    ends = [_matching(text, at, opened, escapes=escapes) for escapes in (False, True)]
    likely = [end for end in ends if end is not None and _FOLLOWS.match(text, end)]
    return min(likely) if likely else ends[1] if ends[0] is None else ends[0]


def _matching(text: str, at: int, opened: str, *, escapes: bool) -> int | None:
    depth, closing = 1, "}" if opened == "{" else ")"
    for sign in _BRACE.finditer(text, at):
        token = sign[2]
        if len(token) > 1:
            return None
        if escapes and len(sign[1]) % 2:
            continue
        depth += (token == opened) - (token == closing)
        if depth == 0:
            return sign.end()
    return None


def _quoted(text: str, at: int) -> int | None:
    depth = 0
    for sign in re.compile(r"\\.|[{}\"]", re.DOTALL).finditer(text, at):
        token = sign.group()
        depth += (token == "{") - (token == "}")
        if token == '"' and depth <= 0:
            return sign.end()
    return None


def _next_entry(text: str, at: int) -> int:
    found = re.compile(r"^[ \t]*@[A-Za-z]+\s*[{(]", re.MULTILINE).search(text, at)
    return found.start() if found else len(text)
