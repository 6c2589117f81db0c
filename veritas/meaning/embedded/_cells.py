"""Cells of a table that plainly contradict a claim that names its rows and column, or that have nothing of it."""

from __future__ import annotations

from veritas.meaning.embedded.claim_evidence import Alignment
from veritas.meaning.embedded.scope import Objection
from veritas.meaning.embedded.tabular import read_aligned

STRANGE = 0.4
"""Share of the claim's words below which a table is about something else, if none of its cells says anything."""
MOST_ROWS = 2
"""Most rows that a claim may name for its cells to be beyond doubt; with more, the comparison is a guess."""


def against_cells(alignment: Alignment) -> Objection | None:
    """Return an objection of the cells to the claim, or None. `silent` where no cell decides anything and the table has
    few of the claim's words. Else, where rows and column are plain, `refutes` for a comparison or ranking that the
    named cells turn round, and `silent` for a number that stands in another place than the one named."""
    found = read_aligned(alignment)
    met = found.numbers.found or found.numbers.derived
    if found.words_known < STRANGE and not (met or found.truth or found.worst or found.rank or found.trend):
        why = f"the table has {found.words_known:.0%} of the claim's words, and no cell speaks of it"
        return Objection("silent", why)
    if not 0 < found.rows_named <= MOST_ROWS or found.columns_named != 1 or not found.why:
        return None
    if found.worst < 0:
        return Objection("refutes", found.why)
    return Objection("silent", found.why) if found.numbers.misplaced and not found.numbers.lost else None
