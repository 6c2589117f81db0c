"""LaTeX: the `thebibliography` of a document, the .bbl that Biber makes, and the .bib files it names."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.reference_lists import reference_entry
from veritas.text.line_index import LineNumbers
from veritas.text.markup import plain_text

_ITEM = re.compile(r"\\bibitem(?![A-Za-z@])\s*")
_KEY = re.compile(r"\s*\{([^{}]{1,200})\}")
LONGEST_LABEL = 4000
"""Limit in characters of the label in brackets before an entry's key."""
_END = re.compile(r"\\end\s*\{thebibliography\}")
_COMMENT = re.compile(r"%(?<!\\%)[^\n]*")
_LAYOUT = re.compile(
    r"\\(?:newblock|par|BibitemOpen|BibitemShut\s*\{[^{}]*\}|emph|textit|textbf|em|it|url|href)\b\s*"
)
_FILES = re.compile(
    r"\\(?:(?:no)?bibliography\*?|add(?:bibresource|globalbib|sectionbib)(?:\[[^\]]{0,200}\])?)\s*\{([^{}]{1,1000})\}"
)
_PARTS = re.compile(
    r"\\(?:(?:input|include|subfile|subfileinclude)\s*\{([^{}]{1,300})\}"
    r"|(?:sub)?(?:import|inputfrom|includefrom)\*?\s*\{([^{}]{0,300})\}\s*\{([^{}]{1,300})\})"
)

_BIBER = re.compile(r"\\entry\s*\{([^{}]{1,200})\}\s*\{(\w+)\}.*?(?=\\endentry|\\entry\s*\{|\Z)", re.DOTALL)
_FIELD = re.compile(r"\\field\{(\w+)\}\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_PEOPLE = re.compile(r"\\name\{author\}.*?(?=\\(?:name|strng|field|list|verb|endentry)\b|\Z)", re.DOTALL)
_BRACED = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_PERSON = re.compile(rf"family={_BRACED}(?:(?!family=).)*?(?:given={_BRACED}|\}}\}}\s*%?\s*\n)", re.DOTALL)
_VERBATIM = re.compile(r"\\verb\{(doi|url|eprint)\}\s*\\verb\s+(\S+)")
_AS_BIBTEX = {"journaltitle": "journal", "booktitle": "booktitle", "title": "title", "year": "year", "volume": "volume",
              "number": "number", "series": "series", "note": "note", "eprint": "eprint"}  # fmt: skip


def read_biber(text: str, file: str) -> list[Entry]:
    """Return the entries of a .bbl that Biber made, with their fields."""
    found, lines = [], LineNumbers(text)
    for entry in _BIBER.finditer(text):
        fields = {_AS_BIBTEX[name]: plain_text(said) for name, said in _FIELD.findall(entry[0]) if name in _AS_BIBTEX}
        people = _PEOPLE.search(entry[0])
        persons = _PERSON.findall(people[0]) if people else []
        names = [", ".join(filter(None, map(plain_text, person))) for person in persons]
        if names:
            fields["author"] = " and ".join(names)
        fields |= dict(_VERBATIM.findall(entry[0]))
        found.append(
            Entry(file=file, key=entry[1], line=lines.at(entry.start()), type=entry[2], fields=fields,
                  span=(entry.start(), entry.end()))
        )  # fmt: skip
    return found


def read_latex(text: str, file: str) -> list[Entry]:
    """Return the entries of every `thebibliography` in a .tex or .bbl file."""
    bare = _COMMENT.sub(lambda found: " " * len(found.group()), text)
    items = list(_items(bare))
    endings = [ending.start() for ending in _END.finditer(bare)]
    found, lines = [], LineNumbers(text)
    for item, following in zip(items, [*items[1:], None][: len(items)], strict=True):
        after = bisect_left(endings, item.end)
        end = min(following.start if following else len(bare), [*endings[after : after + 1], len(bare)][0])
        raw = _LAYOUT.sub(" ", bare[item.end : end])
        line, span = lines.at(item.start), (item.start, end)
        found.append(reference_entry(plain_text(raw), file, item.key, line, span))
    return found


class _Item(NamedTuple):
    """A `\\bibitem` at `[start, end)`, with its label and key."""

    start: int
    end: int
    key: str


def _items(text: str) -> Iterator[_Item]:
    """Yield the marks of the entries. A label may nest braces and brackets to any depth."""
    for mark in _ITEM.finditer(text):
        at = mark.end()
        if text.startswith("[", at):
            depth = 0
            for place in range(at, min(len(text), at + LONGEST_LABEL)):
                depth += (text[place] in "[{") - (text[place] in "]}")
                if depth == 0:
                    at = place + 1
                    break
        if key := _KEY.match(text, at):
            yield _Item(mark.start(), key.end(), key[1].strip())


def named_parts(text: str) -> list[str]:
    """Return the files of LaTeX that a document is put together of (`\\input`, `\\include`, `\\subfile`,
    `\\import`), as paths from the document's folder, with the suffix."""
    names = ["".join(found.groups("")).strip() for found in _PARTS.finditer(_COMMENT.sub("", text))]
    return [name if name.endswith((".tex", ".bbl")) else f"{name}.tex" for name in names if name]


def named_files(text: str) -> list[str]:
    """Return the .bib files that a document names, as they are named, with the suffix."""
    bare = _COMMENT.sub("", text)
    names = [name.strip() for found in _FILES.finditer(bare) for name in found[1].split(",")]
    return [name if name.endswith(".bib") else f"{name}.bib" for name in names if name]
