"""Recognise copies and versions of the audited paper, which are no witnesses for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.documents.document import Document

RUN = 6
"""Number of words in a run that is searched for."""
TRIED = 120
"""Number of runs of the paper that are searched for in a document, spread evenly."""
SHARE = 0.3
"""Share of the runs from which a document is a copy; quotations stay far below it, versions far above."""

_WORD = re.compile(r"[^\W\d_]{2,}")


class Copies:
    """A recogniser of the paper's own words. Line numbers, hyphenation and layout do not hide them."""

    def __init__(self, text: str) -> None:
        runs = list(_runs(text))
        step = max(1, len(runs) // TRIED)
        self._runs = runs[::step][:TRIED]
        self._known: dict[str, bool] = {}

    def is_copy(self, document: Document) -> bool:
        """Return whether a document is the paper itself, or another version of it."""
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
