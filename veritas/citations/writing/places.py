"""The citations of a text with their places, in Markdown, LaTeX, reStructuredText, and comments of source code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from veritas.citations.checking.links import LATEX, MARKDOWN, RST, Link, LinkFinder

Kind = Literal["markdown", "latex", "rst", "bibtex", "source"]

_BIBTEX = frozenset({"bib", "bibtex", "biblatex", "ris", "nbib", "cff"})
"""Endings of bibliographies, in BibTeX's form and in others."""
_OTHER_MARKUP = (".org", ".typ")
_HEAD = 4_000
"""Signs of a file by which it is told whether it is a bibliography."""
_JSON = re.compile(r"\s*(?:\{\s*\"(?:references|items)\"\s*:\s*)?\[\s*\{")
_YAML = re.compile(r"^(?:references:[ \t]*$|-[ \t]+(?:id|type|title|author):)", re.MULTILINE)
_XML = re.compile(r"<records>\s*<record>|<b:Sources\b")
_CSL_TYPE = re.compile(
    r"\btype\"?\s*:\s*[\"']?(?:article|book|chapter|paper-conference|thesis|report|webpage|manuscript|dataset|software"
    r"|post|entry|review|patent|speech|standard)"
)


_HTML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TEX_COMMENT = re.compile(
    r"(\\(?:url|href|path|nolinkurl)\{[^{}]*\})|(?<!\\)%[^\n]*|\\begin\{comment\}.*?\\end\{comment\}", re.DOTALL
)
_RST_COMMENT = re.compile(r"^([ \t]*)\.\.[ \t]+(?![\[_|]|[\w:+.-]+::)[^\n]*(?:\n\1[ \t]+[^\n]+)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """A citation at the characters `[start, end)` of a text, and the link that it is."""

    start: int
    end: int
    link: Link


def kind_of(name: str) -> Kind:
    """Return the kind of a file by its name's ending."""
    suffix = name.rpartition(".")[2].lower()
    if suffix == "bbl":  # the list that LaTeX reads
        return "latex"
    if suffix in MARKDOWN:
        return "markdown"
    if suffix in LATEX:
        return "latex"
    if suffix in RST:
        return "rst"
    return "bibtex" if suffix in _BIBTEX else "source"


def is_bibliography(name: str, text: str) -> bool:
    """Return whether a file of JSON, YAML or XML is a bibliography: of CSL, EndNote or Word."""
    suffix, head = name.rpartition(".")[2].lower(), text[:_HEAD]
    if suffix == "xml":
        return _XML.search(head) is not None
    if not (_JSON.match(head) if suffix == "json" else suffix in ("yaml", "yml") and _YAML.search(head)):
        return False
    told = any(name in head for name in ("author", "issued", "DOI", "container-title"))
    return "title" in head and told and _CSL_TYPE.search(head) is not None


def uncommented(text: str, kind: Kind) -> str:
    """Return a page with blanks in place of its comments, which nobody reads in print."""
    if kind == "markdown" and "<!--" in text:
        return _HTML_COMMENT.sub(_blank, text)
    if kind == "latex" and ("%" in text or "{comment}" in text):
        return _TEX_COMMENT.sub(lambda found: found.group() if found[1] else _blank(found), text)
    if kind == "rst" and ".. " in text:
        return _RST_COMMENT.sub(_blank, text)
    return text


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found.group())


def places(finder: LinkFinder, text: str, name: str) -> list[Place]:
    """Return the citations of a text called `name`, in order. `finder` must read keys."""
    return [placed(text, link) for link in finder.find(text, name)]


def other_markup(name: str) -> str:
    """Return the ending of a page of Org or Typst, of which keys and the sentences around them are read; nothing for
    any other file."""
    suffix = name.lower()[-4:]
    return suffix[1:] if suffix in _OTHER_MARKUP else ""


def placed(text: str, link: Link) -> Place:
    """Return a link with the place that it takes in its text."""
    return Place(link.offset, _end(text, link), link)


def _end(text: str, link: Link) -> int:
    if link.kind == "no-artifact":
        end = text.find("\n", link.offset)
        return len(text) if end < 0 else end
    target = link.target
    at = link.offset
    if link.kind == "path" and not text.startswith(target, at):
        target = target.removeprefix("./")
    found = text.find(target, at, at + len(target) + 3)  # `@` or `@{` may stand before a key
    return (found if found >= 0 else at) + len(target)
