"""The stretch of text that a reference with a DOI takes up, whatever it stands in: an item, a note, a paragraph, the
row of a table, an element of HTML, what stands below a heading, a comment or a docstring."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from veritas.citations.bibliography.formats.printed.whole_titles import only_names
from veritas.citations.checking._latex_macros import as_printed
from veritas.citations.writing.places import Kind

_TAG = r"[@\\](?:references?|see|seealso|cite|source|note|param|returns?|details|examples?|export|author|section)\b"
_MARK = re.compile(
    r"[ \t>]*(?:[-*+•][ \t]+|\(?\d{1,3}[.)][ \t]+|\[\^[^\]\s]+\]:[ \t]*|\[\w{1,12}\][ \t]*"
    rf"|\.\.[ \t]+\[[^\]\s]+\][ \t]*|{_TAG}[ \t]*)"
)
"""What an item, a note, a citation of reStructuredText or a field of a documentation comment begins with."""
_LEAD = re.compile(r"[ \t>]*(?:[^\n]{1,40}:|[-=~^]{3,})[ \t]*\Z")
"""A line that leads up to a reference and is no part of it: `References:`, or what a heading is underlined with."""
_AUTOLINK = re.compile(r"<(https?://[^<>\s]+)>")
_LINKED = re.compile(r"<a\s[^<>]*?href\s*=\s*[\"']([^\"'<>]+)[\"'][^<>]*>(.*?)</a>", re.IGNORECASE | re.DOTALL)
_SLANTED = re.compile(r"</?(?:i|em|cite|b|strong)>", re.IGNORECASE)
_TAGS = re.compile(r"</?(?:sup|sub|b|i|em|strong|br|span|cite|li|p|a|small|u)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_LOWERED = re.compile(r"</?su[bp]>", re.IGNORECASE)
_ELEMENT = re.compile(r"<(/?)(p|li|td|dd|dt|blockquote|div|tr|ul|ol|table|body)\b[^<>]*>", re.IGNORECASE)
_CALLED = re.compile(r"\\(?:url|path|nolinkurl)\{([^{}]*)\}|\\href\{([^{}]*)\}\{[^{}]*\}")
_MARKED = re.compile(r"\\(?:emph|textit|textbf|textsl|newblock|em|it|bf)\b\s*")
_ROLE = re.compile(r"\\doi\{([^{}]*)\}|[:{]doi[:}]`([^`<>]*)`|[:{]doi[:}]`[^`<>]*<([^`<>]*)>`", re.IGNORECASE)
_RST_LINK = re.compile(r"`([^`<>]*?)\s*<([^`<>]*)>`_{1,2}")
_CALL = re.compile(r"#link\(\"([^\"]*)\"\)(?:\[([^\[\]]*)\])?")
_FOOTNOTE = re.compile(r"\\(?:footnote|footnotetext|endnote)\{")
_ITEM = re.compile(
    r"\\item\b(?:\[[^\[\]]*\])?|\\(?:begin|end)\{[^{}]*\}(?:\[[^\[\]]*\])?|\n[ \t]*\n|\\(?:sub)*section\*?\{"
)
_SEPARATOR = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+$", re.MULTILINE)
_CELL = re.compile(r"(?<!\\)\|")
_BY_OTHERS = re.compile(r"(?<!written)\s+by\b|\breviewers?\b|\bpresenter\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\W*(?:no|nr|num(?:ber)?|id|index|rank|s\.? ?no)?\W*", re.IGNORECASE)
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+(?P<atx>[^\n]+?)[ \t]*#*[ \t]*$|^(?P<set>[^\s#][^\n]*)\n(?:=|-){3,}[ \t]*$",
                      re.MULTILINE)  # fmt: skip
_FIELD = re.compile(r"(?:^|\n|\|)[ \t>]*(?:[-*+] )?\**([A-Za-z][\w() ]{1,20}?)\**[ \t]*:\**[ \t]+([^\n|]+)")
_OWN_FIELD = re.compile(
    r"(?:^|\n|\|)[ \t>]*(?:[-*+] )?\**(?:doi|url|link|identifier)\**[ \t]*:\**[ \t]*[\"'<\[(]*(?:doi:|https?://\S*)?\Z",
    re.IGNORECASE,
)
"""A field of a record that has the DOI itself."""
_ABOUT = re.compile(
    r"\W*(?:(?:replicat|reproduc)\w*|reviews?|notes|summary|slides|comments?|reply|errat\w*|supplement\w*|code|data|talk"
    r"|discussion|reading)\b|.*[\"“]",
    re.IGNORECASE,
)
"""A heading of something that is about a work."""
_OF_PROGRAM = re.compile(
    r"^.*(?:copyright|\(c\)|©|licen[sc]ed?\b|SPDX-).*$|^\W*[@\\:]?(?:code)?(?:authors?|created|written|maintain\w*|contributors?)\b.*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Lines of a comment that say whose the program is."""
_LONGEST = 1500
_COLUMNS = {
    name: re.compile(form, re.IGNORECASE)
    for name, form in {
        "people": r"(?:(?:first|lead|all) )?authors?(?:\(s\)| names?| list)?|written by|autor(?:en)?|auteurs?",
        "title": r"(?:(?:paper|article|study|publication|work) )?title|(?:paper|article) name|titel|titre|título",
        "year": r"(?:publication |pub\.? )?year|publication date|date of publication|published|jahr|année|año",
        "": r"(?:the )?(?:papers?|articles?|references?|ref\.?|citations?|publications?|stud(?:y|ies)|works?|sources?"
        r"|doi|url|links?|identifier|literature|bibliography|paper (?:link|url|doi)|doi link|link to (?:paper|article))"
        r"(?:\(s\))?",
    }.items()
}
"""What the columns of a table of works are called, by what stands in them."""
_LEADERS = {
    "block": re.compile(r"^[ \t]*(?:/\*+!?|\*+/|\*+(?!\*)[ \t]?)|\*+/\s*\Z|\A\{-\|?|-\}\Z|\A#=|=#\Z", re.MULTILINE),
    "line": re.compile(r"^[ \t]*(?:#+['|]?|/{2,}!?<?|;+|%+|--+[ |]?|!+[<>]?|'+|\*+|dnl\b)[ \t]?", re.MULTILINE),
    "docs": re.compile(r"\A\s*(?:@doc\s+)?[A-Za-z]{0,3}(?:\"\"\"|'''|\"|')|(?:\"\"\"|'''|\"|')\s*\Z"),
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """The words of a reference on one line. `told` has what columns or fields say of it by their names: `people`,
    `title`, `year`. `loose` says that words of other things may be among them: nobody is accused then."""

    said: str
    told: tuple[tuple[str, str], ...] = ()
    loose: bool = False


_NOTHING = Stretch("")


def stretch_around(text: str, at: int, kind: Kind) -> Stretch:
    """Return the reference that a DOI at a place may belong to; one without words where there is none, or where it is
    too long to be one."""
    if kind == "latex":
        return Stretch(_footnote(text, at) or _latex_item(text, at))
    if kind == "bibtex":
        return _NOTHING
    if (row := _row(text, at, kind)) is not None:
        return row
    if said := _element(text, at):
        return Stretch(said)
    block, lines, marked = _block(text, at)
    fields = _told(lines) if _OWN_FIELD.search(text[max(0, at - 120) : at]) else {}
    fields = fields if "title" in fields else {}
    if kind == "markdown" and len(re.sub(r"\S*10\.\d{4,}/\S+|\W|doi|link|paper", "", block, flags=re.I)) < 4:
        return _below_heading(text, at, block)
    return Stretch(block, tuple(fields.items()), loose=kind == "source" and not marked)


def bared(comment: str) -> str:
    """Return a comment or a docstring with blanks in place of the marks of the language and of what it says of the
    program's authors and licence, so that each place in it stays as it is."""
    form = "docs" if _LEADERS["docs"].match(comment) else "block" if comment.startswith(("/*", "{-", "#=")) else "line"
    words = _LEADERS[form].sub(_blanked, comment)
    return _OF_PROGRAM.sub(_blanked, words)


def _blanked(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found.group())


def plain(said: str) -> str:
    """Return words without the marks of links, elements and commands, as far as they say nothing of a reference."""
    if "\\" in said:
        said = _CALLED.sub(lambda found: found[1] or found[2], said).replace("``", "“").replace("''", "”")
    if "doi" in said:
        said = _ROLE.sub(lambda found: f"doi:{found[1] or found[2] or found[3]} ", said)
    if ">`_" in said:
        said = _RST_LINK.sub(r"[\1](\2)", said)
    if "#link" in said:
        said = _CALL.sub(lambda found: f"[{found[2]}]({found[1]})" if found[2] else found[1], said)
    if "<" in said:
        said = _LOWERED.sub("", _AUTOLINK.sub(r"\1", said))
        said = _TAGS.sub(" ", _SLANTED.sub("*", _LINKED.sub(r"[\2](\1)", said)))
    return " ".join(html.unescape(said).split()) if "&" in said else " ".join(said.split())


def _footnote(text: str, at: int) -> str:
    begins = [each.end() for each in _FOOTNOTE.finditer(text, max(0, at - _LONGEST), at)]
    if not begins:
        return ""
    depth, end = 1, begins[-1]
    while end < len(text) and depth and end - begins[-1] < _LONGEST:
        depth += (text[end] == "{") - (text[end] == "}")
        end += 1
    return _printed(text[begins[-1] : end - 1]) if end > at and not depth else ""


def _latex_item(text: str, at: int) -> str:
    """Return the item or paragraph of LaTeX at a place."""
    begun = [each.end() for each in _ITEM.finditer(text, max(0, at - _LONGEST), at)]
    end = _ITEM.search(text, at)
    said = text[begun[-1] if begun else max(0, at - _LONGEST) : end.start() if end else at + _LONGEST]
    if len(said) > _LONGEST or "\\cite" in said or re.search(r"(?<!\\)%", said):
        return ""
    return _printed(said)


def _printed(said: str) -> str:
    said = re.sub(r"\$[_^]\{?\\?(?:mathrm|text)?\{?(\w+)\}{0,2}\$", r"\1", said)
    said = re.sub(r"\\(?:emph|textit|textbf|textsl)\{([^{}]*)\}", r"*\1*", plain(said)).replace("~", " ")
    return " ".join(re.sub(r"[{}]", "", _MARKED.sub(" ", as_printed(said))).replace("\\&", "&").split())


def _block(text: str, at: int) -> tuple[str, str, bool]:
    """Return the words of the item, note or paragraph at a place without its mark, its lines as they stand, and
    whether it has a mark."""
    begin = text.rfind("\n", 0, at) + 1
    while begin and at - begin < _LONGEST and not _MARK.match(text, begin):
        before = text.rfind("\n", 0, begin - 1) + 1
        line = text[before : begin - 1]
        if not line.strip() or (_LEAD.match(line) and not _MARK.match(line)):
            break
        begin = before
    end = at
    while True:
        stop = text.find("\n", end)
        if stop < 0:
            end = len(text)
            break
        line = text[stop + 1 : text.find("\n", stop + 1) if "\n" in text[stop + 1 :] else len(text)]
        if not line.strip() or _MARK.match(line) or stop - begin > _LONGEST:
            end = stop
            break
        end = stop + 1
    mark = _MARK.match(text, begin, end)
    lines = text[mark.end() if mark else begin : end]
    if len(lines) > _LONGEST:
        return "", "", False
    said = plain(re.sub(r"^[ \t]*>+[ \t]?", "", lines, flags=re.MULTILINE) if ">" in lines else lines)
    return (said, lines, mark is not None) if "<" not in said else ("", "", False)


def _told(lines: str) -> dict[str, str]:
    """Return what the fields of an item say by their names, `Authors: …`."""
    told: dict[str, str] = {}
    for found in _FIELD.finditer(lines):
        for name, form in _COLUMNS.items():
            if name and form.fullmatch(found[1].strip()):
                told.setdefault(name, plain(found[2]))
    return told


@lru_cache(maxsize=4)
def _tables(text: str) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return where the rows of each table of Markdown begin, and what its columns are called."""
    found = []
    for each in _SEPARATOR.finditer(text):
        begin = text.rfind("\n", 0, max(each.start() - 1, 0)) + 1
        found.append((each.end(), tuple(_cells(text[begin : max(each.start() - 1, 0)]))))
    return tuple(found)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip().strip(">").strip().removeprefix("|").removesuffix("|"))]


def _row(text: str, at: int, kind: Kind) -> Stretch | None:
    """Return what a row of a table says of a work, by the columns that tell of works; None where there is no table."""
    if kind == "rst":
        return _listed_row(text, at)
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[begin : end if end >= 0 else len(text)]
    if "|" not in line or len(tables := _tables(text)) == 0:
        return None
    number = bisect_right(tables, begin, key=lambda each: each[0]) - 1
    above = text[text.rfind("\n", 0, max(begin - 1, 0)) + 1 : max(begin - 1, 0)]
    if number < 0 or "|" not in above:
        return None
    cells = _cells(line)
    before = line[: at - begin].strip().removeprefix(">").strip().removeprefix("|")
    return _of_cells(cells, tables[number][1], len(_CELL.findall(before)))


def _listed_row(text: str, at: int) -> Stretch | None:
    """Return what a row of a list-table of reStructuredText says of a work."""
    begun = text.rfind("* - ", 0, at)
    if begun < 0 or at - begun > _LONGEST or ".. list-table::" not in text or re.search(r"\n\S", text[begun:at]):
        return None
    line = text.rfind("\n", 0, begun) + 1
    if text[line:begun].strip():
        return None
    ends = re.compile(r"\n[ \t]*(?:\* - |\n)").search(text, at)
    cells = [plain(each) for each in re.split(r"\n[ \t]+- ", text[begun + 4 : ends.start() if ends else len(text)])]
    own = len(re.findall(r"\n[ \t]+- ", text[begun:at]))
    table = text.rfind(".. list-table::", 0, begun)
    first = re.search(r"^[ \t]+\* - (.*(?:\n[ \t]+- .*)*)", text[table:begun], re.MULTILINE)
    headed = first is not None and ":header-rows:" in text[table:begun]
    names = [each.strip() for each in re.split(r"\n[ \t]+- ", first[1])] if first and headed else [""] * len(cells)
    return _of_cells(cells, tuple(names), own)


def _of_cells(cells: list[str], names: tuple[str, ...], own: int) -> Stretch:
    own = min(own, len(cells) - 1)
    called = [_column(names[each]) if each < len(names) else None for each in range(len(cells))]
    if any(_BY_OTHERS.search(each) for each in names):
        called = [None if name in ("people", "year") else name for name in called]
    headed = any(re.search(r"\w", each) for each in names)
    rows = next((name for name, each in zip(called, names, strict=False) if not _NUMBERS.fullmatch(each)), None)
    if called[own] is None or (rows is None and "title" not in called):  # the row may be of something else
        return Stretch(plain(cells[own])) if headed else Stretch(plain(" | ".join(cells)), loose=True)
    told = {name: plain(cell) for name, cell in zip(called, cells, strict=True) if name}
    said = " | ".join(cell for name, cell in zip(called, cells, strict=True) if name is not None and cell)
    return Stretch(plain(said), tuple(told.items())) if len(said) <= _LONGEST else _NOTHING


@lru_cache(maxsize=256)
def _column(name: str) -> str | None:
    """Return what of a work stands in a column that is called so; nothing if another thing of it, None if none."""
    bare = " ".join(re.sub(r"[*_`#:.]", " ", name).split())
    return next((told for told, form in _COLUMNS.items() if form.fullmatch(bare)), None)


def _element(text: str, at: int) -> str:
    """Return the words of the smallest element of HTML that a place is in; nothing where it is in none."""
    begin = text.rfind("<", max(0, at - _LONGEST), at)
    if begin < 0:
        return ""
    opened = None
    for each in _ELEMENT.finditer(text, max(0, at - _LONGEST), at):
        opened = None if each[1] else each
    if opened is None or opened[2].lower() not in ("p", "li", "td", "dd", "blockquote", "div"):
        return ""
    closed = _ELEMENT.search(text, at)
    said = text[opened.end() : closed.start() if closed else len(text)]
    if len(said) > _LONGEST or "\n\n" in said:
        return ""
    said = plain(said)
    return said if "<" not in said else ""


def _below_heading(text: str, at: int, own: str) -> Stretch:
    """Return a heading, the line of names below it and a DOI that stands alone as one reference."""
    above = list(_HEADING.finditer(text, max(0, at - 600), at))
    if not above:
        return Stretch(own)
    heading = above[-1]
    between = text[heading.end() : text.rfind("\n", 0, at) + 1].strip()
    lines = [line for line in between.splitlines() if line.strip()]
    title = plain(heading["atx"] or heading["set"])
    told = _told(between)
    bare = [line for line in lines if not _FIELD.match(line)]
    if _ABOUT.match(title) or not 0 < len(lines) < 5 or any(len(line) > 300 or not _names_alone(line) for line in bare):
        return Stretch(own)
    said = " | ".join([title, *(plain(line) for line in lines), own])
    return Stretch(said, tuple(told.items()), loose=True)


def _names_alone(line: str) -> bool:
    """Return whether a line has nothing but names, a venue, a year and marks."""
    said = re.sub(r"\b(?:of|the|for|on|in|vol|no|pp?|doi)\b|\A\W*[Bb]y\b", " ", line)
    return only_names(said) and not re.search(r"\bby\b", said)
