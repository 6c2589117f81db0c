"""LaTeX: the `thebibliography` of a document, and the .bib files it names."""

from __future__ import annotations

import re
from bisect import bisect_left

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats._line_index import LineNumbers
from veritas.citations.bibliography.formats.reference_lists import reference_entry
from veritas.text.markup import plain_text

_ITEM = re.compile(r"\\bibitem\s*(?:\[(?:[^\[\]]|\{[^{}]*\}|\[[^\]]*\]){0,400}\])?\s*\{([^{}]{1,200})\}")
_END = re.compile(r"\\end\s*\{thebibliography\}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_LAYOUT = re.compile(
    r"\\(?:newblock|par|BibitemOpen|BibitemShut\s*\{[^{}]*\}|emph|textit|textbf|em|it|url|href)\b\s*"
)
_FILES = re.compile(r"\\(?:bibliography|addbibresource(?:\[[^\]]{0,200}\])?)\s*\{([^{}]{1,1000})\}")


def read_latex(text: str, file: str) -> list[Entry]:
    """Return the entries of every `thebibliography` in a .tex or .bbl file."""
    bare = _COMMENT.sub(lambda found: " " * len(found.group()), text)
    items = list(_ITEM.finditer(bare))
    endings = [ending.start() for ending in _END.finditer(bare)]
    found, lines = [], LineNumbers(text)
    for item, following in zip(items, [*items[1:], None][: len(items)], strict=True):
        after = bisect_left(endings, item.end())
        end = min(following.start() if following else len(bare), [*endings[after : after + 1], len(bare)][0])
        raw = _LAYOUT.sub(" ", bare[item.end() : end])
        line, span = lines.at(item.start()), (item.start(), end)
        found.append(reference_entry(plain_text(raw), file, item[1].strip(), line, span))
    return found


def named_files(text: str) -> list[str]:
    """Return the .bib files that a document names, as they are named, with the suffix."""
    bare = _COMMENT.sub("", text)
    names = [name.strip() for found in _FILES.finditer(bare) for name in found[1].split(",")]
    return [name if name.endswith(".bib") else f"{name}.bib" for name in names if name]
