"""Directives of MyST that hold prose, and look like fenced code."""

from __future__ import annotations

import re

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
