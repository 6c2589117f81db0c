"""What of a page of Markdown is prose: without code, formulas and the directives of MyST that hold none."""

from __future__ import annotations

import re
from functools import lru_cache

_FENCE = re.compile(r"^(?P<before>[ \t>]*)(?P<marks>`{3,}|~{3,})[ \t]?(?P<told>[^\n`]*)$", re.MULTILINE)
_NAMED = re.compile(
    r"\{(?:note|tip|hint|warning|caution|attention|danger|error|important|seealso|admonition|epigraph|pull-quote"
    r"|highlights|blockquote|figure|figure-md|margin|sidebar|aside|topic|dropdown|details|card|grid|tab-item|tab-set"
    r"|exercise|solution|proof|theorem|lemma|definition|example|remark|list-table|prf:[a-z]{1,20})\}"
)


def without_directives(source: str) -> str:
    """Return a page of Markdown with blanks in place of the fences of directives that hold prose, so that what is
    between them is no code."""
    parts, done = [], 0
    opened: list[tuple[str, bool]] = []  # the marks of each open fence, and whether it holds prose
    for fence in _FENCE.finditer(source):
        marks, told = fence["marks"], fence["told"].strip()
        if opened and not told and marks.startswith(opened[-1][0]):
            prose = opened.pop()[1]
            end = fence.end("marks")
        elif opened and not opened[-1][1]:
            continue  # in code
        else:
            named = _NAMED.match(told)
            prose = named is not None
            opened.append((marks, prose))
            end = fence.start("told") + (len(named.group()) if named is not None else 0)
        if prose:
            parts += [source[done : fence.start("marks")], " " * (end - fence.start("marks"))]
            done = end
    return "".join([*parts, source[done:]])


_PROSE_FENCE = re.compile(
    r"^(`{3,}+(?=[^`\n]*+\n)|~{3,}+)[^\n]*+\n.*?(?:^[ \t>]*+\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_OPENING = re.compile(
    r"^(?P<before>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+)"  # in a quotation or in a list it begins further in
    r"(?P<marks>`{3,}+(?=[^`\n]*+\n)|~{3,}+)[^\n]*+\n",
    re.MULTILINE,
)
_INLINE = re.compile(r"(`(?<!``)(?<!(?<!\\)\\`)`*+)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_TAG = re.compile(r"<(/?)(code|pre|samp|kbd|script|style)\b[^<>]*>", re.IGNORECASE)  # HTML's words for what is no prose
_METADATA = re.compile(r"\A(?:---[ \t]*\n.*?^(?:---|\.\.\.)|\+\+\+[ \t]*\n.*?^\+\+\+)[ \t]*$", re.DOTALL | re.MULTILINE)
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)|\s|$)|\[\^[^\]\s]+\]:\s*|(?:!!!|\?\?\?|===)(?=\+? [\"\w])")
_DEEP = re.compile(r"\n[ \t]*\n(?: {4}| {0,3}\t)")
"""A line that is indented as code after an empty one; a page without any has no indented code."""

_BEFORE = 4_000
"""Most signs before a fence in which its list item is looked for."""


@lru_cache(maxsize=2)  # one pass over a page asks for it several times
def prose(source: str, *, indented: bool = True) -> str:
    """Return a page of Markdown with blanks in place of its code. `indented` says whether four blanks make code, as
    everywhere but in MDX."""
    if "```{" in source or "~~~{" in source or "``` {" in source:
        source = without_directives(source)
    if "```" in source or "~~~" in source:
        source = _PROSE_FENCE.sub(_blank, source)
        if "```" in source or "~~~" in source:
            source = _without_inner_fences(source)
    if indented and _DEEP.search(source) is not None:
        source = _without_indented_code(source)
    if "`" in source:
        source = _INLINE.sub(_blank, source)
    return _without_elements(source) if "</" in source else source


def without_metadata(text: str) -> str:
    """Return a page with blanks in place of the YAML or TOML that it begins with."""
    return _METADATA.sub(_blank, text, count=1) if text.startswith(("---", "+++")) else text


def blanked(text: str) -> str:
    """Return as many blanks as `text` has signs, on as many lines."""
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _blank(found: re.Match[str]) -> str:
    return blanked(found.group())


def _without_inner_fences(source: str) -> str:
    """Return the page without the fenced code of its quotations and list items, which ends where they end."""
    parts, done = [], 0
    while opened := _OPENING.search(source, done):
        closing, before = _closing(opened["marks"]), opened["before"]
        column = len(before.expandtabs(4)) if before.strip(" \t>") else _column_of_item(source, opened)
        if ">" in before or column:
            end = _end_inside(source, opened.end(), closing, column, quoted=">" in before)
        else:
            closed = closing.search(source, opened.end())
            end = closed.end() if closed else len(source)
        parts += [source[done : opened.start()], blanked(source[opened.start() : end])]
        done = end
    return "".join([*parts, source[done:]])


@lru_cache(maxsize=64)
def _closing(marks: str) -> re.Pattern[str]:
    return re.compile(rf"^[ \t>]*+{marks}[`~]*[ \t]*$", re.MULTILINE)


def _end_inside(source: str, at: int, closing: re.Pattern[str], column: int, *, quoted: bool) -> int:
    """Return where fenced code ends that stands in a quotation, or in a list item whose text begins at `column`."""
    while at < len(source):
        end = source.find("\n", at)
        end = len(source) if end < 0 else end
        line = source[at:end].expandtabs(4)
        bare = line.lstrip()
        if (quoted and not bare.startswith(">")) or (not quoted and bare and len(line) - len(bare) < column):
            return at
        if closing.match(source, at, end):
            return end
        at = end + 1
    return len(source)


def _column_of_item(source: str, opened: re.Match[str]) -> int:
    """Return the column of the text of the list item that indented code stands in; 0 if it stands in none."""
    indent = len(opened["before"].expandtabs(4))
    if not indent or ">" in opened["before"]:
        return 0
    for line in reversed(source[max(0, opened.start() - _BEFORE) : opened.start()].splitlines()):
        bare = line.expandtabs(4).lstrip()
        before = len(line.expandtabs(4)) - len(bare)
        if bare and before < indent:
            item = _ITEM.match(bare)
            return before + item.end() if item and before + item.end() <= indent else 0
    return 0


def _without_elements(source: str) -> str:
    """Return the page without its elements of HTML that hold code; one that is never closed stays."""
    parts, done = [], 0
    opened: re.Match[str] | None = None
    for tag in _TAG.finditer(source):
        if opened is None:
            opened = None if tag[1] else tag
        elif tag[1] and tag[2].lower() == opened[2].lower():
            parts += [source[done : opened.start()], blanked(source[opened.start() : tag.end()])]
            done, opened = tag.end(), None
    return "".join([*parts, source[done:]])


def _without_indented_code(source: str) -> str:
    """Return the page without the lines that stand four signs or more behind the text of their list item, footnote or
    page, after an empty line."""
    lines = source.split("\n")
    begins: list[int] = []  # the column of the text of each open item
    fresh = True  # whether an empty line or code stands before
    for at, line in enumerate(lines):
        bare = line.expandtabs(4).lstrip()
        if not bare:
            fresh = True
            continue
        indent = len(line.expandtabs(4)) - len(bare)
        item = _ITEM.match(bare)
        while begins and indent < begins[-1] and (fresh or item is not None):
            begins.pop()
        if fresh and indent >= (begins[-1] if begins else 0) + 4:
            lines[at] = " " * len(line)
            continue
        fresh = False
        if item is not None:
            # A note's text, and what an admonition of MkDocs holds, stand four signs further in.
            begins.append(indent + (4 if bare.startswith(("[", "!", "?", "=")) else item.end()))
    return "\n".join(lines)
