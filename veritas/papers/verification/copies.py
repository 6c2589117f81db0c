"""Copies of the audited paper: the same text under another name, in another version or format, is no witness for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.documents.document import Document

RUN = 6
"""Words in a row that are looked for."""
TRIED = 120
"""Such runs of the paper that are looked for in a document, spread evenly."""
SHARE = 0.3
"""Share of them from which a document is a copy: quotations do not come near it, versions are far beyond."""

_WORD = re.compile(r"[^\W\d_]{2,}")


class Copies:
    """Knows the paper's own words again. Line numbers, hyphenation and layout do not hide them."""

    def __init__(self, text: str) -> None:
        runs = list(_runs(text))
        step = max(1, len(runs) // TRIED)
        self._runs = runs[::step][:TRIED]
        self._known: dict[str, bool] = {}

    def is_copy(self, document: Document) -> bool:
        """Whether a document is the paper itself, or another version of it."""
        known = self._known.get(document.document_id)
        if known is None:
            said = f" {' '.join(_words(document.text))} "
            found = sum(f" {run} " in said for run in self._runs)
            known = bool(self._runs) and found >= SHARE * len(self._runs)
            self._known[document.document_id] = known
        return known


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text.replace("-\n", ""))]


def _runs(text: str) -> Iterator[str]:
    words = _words(text)
    for at in range(0, max(0, len(words) - RUN), RUN):
        yield " ".join(words[at : at + RUN])
