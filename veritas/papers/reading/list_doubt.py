"""Say why a reference list may not have been read whole. If there is a doubt, no citation is reported as wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from veritas.documents.paper_parts import Marker, Reference
from veritas.papers.audit import PARTS_MISSING, PaperEvent
from veritas.works.folding import words

WHOLE = 0.9
"""Share of the works that the text cites which a list must hold to count as whole."""
SHOWN = 4
FEW = 5
"""Least number of references of a list for a text without citations to be a misread text."""
_BRACKETS = re.compile(r"(?<=[^\W\d_]{2}[ ,.;)])\[([1-9]\d{0,2}(?:\s?[-–,;]\s?[1-9]\d{0,2})*)\]")
LEAST = 2
"""Least number of citations in brackets for a further number in brackets to count as one."""
_UNREADABLE = frozenset(
    {PARTS_MISSING, "references-cut", "references-unread", "no-references", "abstract-only", "language"}
)
"""Kinds of events of the stage `read` that prevent every finding about citations."""


def doubt_of_citations(
    references: Sequence[Reference], markers: Sequence[Marker], events: Sequence[PaperEvent]
) -> str | None:
    """Return why a paper's citations or their list may not be read whole, or None. `events` are those of its reading;
    later ones do not count."""
    unread = next((e.reason for e in events if e.stage == "read" and e.kind in _UNREADABLE), None)
    return unread or list_doubt(references, markers)


def cited_beyond(text: str, references: Sequence[Reference], markers: Sequence[Marker]) -> str | None:
    """Return why the list seems to end too early, or None: the text cites a number in brackets that is larger than the
    last number of the printed list, by half of it at most."""
    numbers = [int(r.key) for r in references if r.guessed and r.key.isdecimal()]
    if not numbers or sum(_BRACKETS.search(f"of {m.text}") is not None for m in markers) < LEAST:
        return None
    first = min(r.place.start for r in references)
    last, most = max(numbers), 1.5 * max(numbers)
    said = [int(n) for m in _BRACKETS.finditer(text, 0, first) for n in re.findall(r"\d+", m[1])]
    beyond = max((n for n in said if last < n <= most), default=None)
    return None if beyond is None else f"the text cites up to number {beyond}, and the reference list ends at {last}"


def list_doubt(references: Sequence[Reference], markers: Sequence[Marker]) -> str | None:
    """Return the reason to doubt that a list was read whole, or None.

    There is one if no list was found, if the numbers of a printed list have gaps or come twice, if the text cites a
    number beyond the last or no entry at all, or if the list lacks more than a tenth of the works that the text cites.
    """
    if not references:
        return "no reference list was found"
    numbered = [r.key for r in references if r.key.rstrip("'").isdecimal()]
    numbers = sorted(int(key) for key in numbered if key.isdecimal())
    if len(numbered) > len(references) // 2:
        if len(numbers) < len(numbered):
            twice = next(key.rstrip("'") for key in numbered if not key.isdecimal())
            return f"two entries of the reference list have the number {twice}"
        gaps = [n for one, other in pairwise([0, *numbers]) for n in range(one + 1, min(other, one + 1 + SHOWN))]
        if gaps:
            said = ", ".join(map(str, gaps[:SHOWN])) + (" …" if len(gaps) > SHOWN else "")
            return f"the numbers of the reference list have gaps ({said})"
    if len(references) >= FEW and not any(marker.references for marker in markers):
        return "no citation of an entry of the reference list was found in the text"
    missing = {key for marker in markers for key in marker.unresolved}
    beyond = [int(key) for key in missing if key.isdecimal() and len(key) < 4]
    if numbers and any(reference.guessed for reference in references) and beyond and max(beyond) > numbers[-1]:
        return f"the text cites up to number {max(beyond)}, and the reference list ends at {numbers[-1]}"
    met = {key for marker in markers for key in marker.references}
    if len(met) < WHOLE * len(met | missing):
        return f"{len(missing)} of {len(met | missing)} works that the text cites were not found in the reference list"
    return None


LEAST_LISTED = 5
"""Fewest references for which a list can be judged whole."""


def dangling(markers: Sequence[Marker], references: Sequence[Reference]) -> tuple[Marker, ...]:
    """Return the citations that fit no entry, if the list is whole; none if it may have been cut or read wrongly.

    `list_doubt` says when a list may not be whole. A number above the last of a printed list, and a name that stands
    anywhere in the list, count as reading errors. A citation of another style than the paper's own does not count.
    """
    if len(references) < LEAST_LISTED or list_doubt(references, markers) is not None:
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
