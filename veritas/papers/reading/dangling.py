"""Find citations that fit no entry of a reference list, if the list is surely whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from veritas.documents.paper_parts import Marker, Reference
from veritas.papers.reading.list_doubt import list_doubt
from veritas.works.folding import words

LEAST = 5
"""Fewest references for which a list can be judged whole."""


def dangling(markers: Sequence[Marker], references: Sequence[Reference]) -> tuple[Marker, ...]:
    """Return the citations that fit no entry, if the list is whole; none if it may have been cut or read wrongly.

    `list_doubt` says when a list may not be whole. A number above the last of a printed list, and a name that stands
    anywhere in the list, count as reading errors. A citation of another style than the paper's own does not count.
    """
    if len(references) < LEAST or list_doubt(references, markers) is not None:
        return ()
    printed = any(reference.guessed for reference in references)
    listed = {word for r in references for word in (*words(r.raw), *words(" ".join(r.fields.values())))}
    keys = {r.key for r in references}

    def lacking(said: str) -> bool:
        if said in keys or (printed and said.isdecimal()):
            return False
        if re.fullmatch(r"[Ii]bid\.?", said):
            return True
        if re.search(r"\s(?:1[5-9]|20)\d\d[a-z]?$", said) is None:
            return True  # the key of a bibliography, or a number
        # A paper that cites by key or mark gives names and years of other things too: species, software, instruments.
        return printed and listed.isdisjoint(w for w in words(said) if len(w) > 2 and not w[0].isdecimal())

    # In a text that cites by number, a name and a year may give a software's author, or the date of something.
    styles = Counter(_style(marker) for marker in markers if marker.references)
    used = {style for style, count in styles.items() if count >= len(markers) / 4}
    return tuple(m for m in markers if _style(m) in used and any(map(lacking, m.unresolved)))


def _style(marker: Marker) -> str:
    return "names" if re.search(r"[^\W\d]{2,}\W+(?:1[5-9]|20)\d\d", marker.text) else "marks"
