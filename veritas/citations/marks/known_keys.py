"""Citation keys in forms that are sure only where a bibliography has the key: `@key` in a sentence of a plain page, the
keys in comments and docstrings of source code, and those in files that LaTeX or a page is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from veritas.citations.marks.comments import comments
from veritas.citations.marks.links import MARKDOWN, Kind, Link, Place, placed
from veritas.citations.marks.markdown_keys import lone_keys
from veritas.citations.marks.prose import prose

_SOURCES = frozenset("sty cls dtx tikz pgf lhs nw myst j2 jinja jinja2 njk tmpl hbs gotmpl".split())
"""Endings of files that are text and code at once: all that stands in them is read."""
_FORMS = re.compile(
    r"\\[A-Za-z]{0,16}[Cc]ite[A-Za-z]{0,12}\*?(?:\[[^\[\]]{0,200}\]){0,2}\{([^{}]{1,400})\}"  # LaTeX, Rdpack
    r"|\{?:?[\w:]{0,12}cite[\w:]{0,12}[:}]`([^`]{1,400})`"  # reStructuredText, MyST
    r"|\[([\w:.,/ +-]{1,200})\]\(@[Cc]ite[a-z]{0,6}\*?\)"  # Documenter
    r"|[\\@]cite[ \t]+([\w:.+-]{3,80})"  # Doxygen
    r"|\bdata-cite=[\"']([^\"'<>]{1,200})[\"']"  # Jupyter
)
_CITED = re.compile(r"[^\s,;]+")
_PLAIN = re.compile(r"[^\W\d_][\w:./+-]*")
_OPTION = re.compile(r"^[ \t]*#\|[^\n]*@[^\n]*", re.MULTILINE)
"""A line of options of a chunk of code, which may have a part of a caption."""


def keys_of_sources(text: str, name: str) -> list[tuple[int, str]]:
    """Return the keys that commands and `[@key]` cite in a file called `name` that is text and code at once, with their
    places; what a program puts in is none."""
    if name.rpartition(".")[2].lower() not in _SOURCES:
        return []
    found = [*_in_forms(text, 0), *((at + 1, key) for at, key in lone_keys(text) if text[max(at - 1, 0)] in "[;-")]
    return sorted({(at, key) for at, key in found if _PLAIN.fullmatch(key)})


def known_places(
    text: str, name: str, kind: Kind, cited: Sequence[Place], known: Callable[[], Collection[str]]
) -> list[Place]:
    """Return the places where a file called `name` cites a key that a bibliography has, besides those in `cited`.
    `known` gives the keys of the bibliographies, and is asked only if there may be one."""
    found = list(_of_page(text, name) if kind == "markdown" else _of_source(text, name) if kind == "source" else ())
    having = known() if found else ()
    taken = {at for place in cited for at in (place.start, place.end - len(place.link.target))}
    return [
        placed(text, Link(at, "key", key))
        for at, key in sorted(set(found))
        if key in having and at not in taken and at + 1 not in taken
    ]


def _of_page(text: str, name: str) -> Iterator[tuple[int, str]]:
    suffix = name.rpartition(".")[2].lower()
    if suffix not in MARKDOWN:
        return
    if "@" in text:
        yield from lone_keys(prose(text, indented=suffix != "mdx"))
        for line in _OPTION.finditer(text) if "#|" in text else ():
            yield from ((line.start() + at, key) for at, key in lone_keys(line.group()))
    if "data-cite" in text:
        yield from _in_forms(prose(text, indented=suffix != "mdx"), 0)


def _of_source(text: str, name: str) -> Iterator[tuple[int, str]]:
    if "cite" not in text.lower() and "@" not in text:
        return
    if name.rpartition(".")[2].lower() in _SOURCES:
        yield from _in_forms(text, 0)
        yield from lone_keys(text)
        return
    for comment in comments(text, name):
        yield from _in_forms(comment.text, comment.start)
        yield from ((comment.start + at, key) for at, key in lone_keys(comment.text))


def _in_forms(text: str, begin: int) -> Iterator[tuple[int, str]]:
    for found in _FORMS.finditer(text):
        number = found.lastindex or 0
        for key in _CITED.finditer(found[number]):
            yield begin + found.start(number) + key.start(), key.group()
