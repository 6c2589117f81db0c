"""Overruling: a sentence that a lens would take for support plainly says less than the claim."""

from __future__ import annotations

from functools import lru_cache

from veritas.meaning.beside import as_told
from veritas.meaning.embedded._additions import added
from veritas.meaning.embedded._cells import against_cells
from veritas.meaning.embedded._nearest import nearest
from veritas.meaning.embedded._opposites import opposed
from veritas.meaning.embedded.certainty import overstated
from veritas.meaning.embedded.claim_evidence import Alignment, Statement
from veritas.meaning.embedded.conflicts import compare_numbers
from veritas.meaning.embedded.dates import another_date
from veritas.meaning.embedded.edits import edits
from veritas.meaning.embedded.exclusion import taken_in
from veritas.meaning.embedded.scope import Objection, unsaid
from veritas.meaning.embedded.tables import is_table
from veritas.meaning.narrowing import narrowed
from veritas.meaning.set_values import default_of_another, not_so_yet

NEARLY = 0.6
"""Least share of the claim's weight in its best sentence that makes the sentence be about the claim."""
AS_NEAR = 0.9
"""Least share of the best sentence's coverage at which another sentence can say the claim in its stead."""


@lru_cache(maxsize=1)  # the entailment lens asks first, and then again whichever lens said `supports`
def overruled(alignment: Alignment) -> Objection | None:
    """Return the objection to `supports`, None if there is none: of a rule of this package, or a difference that the
    comparison finds to decide. A sentence that is found to say the claim settles it; a table is read by its cells."""
    best = alignment.best
    if best is None:
        return None
    if by_cells(alignment):
        return against_cells(alignment)
    found = nearest(alignment)
    if found.entailed:
        return None
    if (told := as_told(best.text, alignment.claim.text)) is not None:
        return Objection("silent", str(told))
    if objection := _by_words(alignment, best):
        return objection
    if found.decisive:
        return Objection("refutes" if found.relation == "excludes" else "silent", str(found.decisive))
    return None


def _by_words(alignment: Alignment, best: Statement) -> Objection | None:
    """Return the objection of a rule. If several sentences are as near to the claim, one without it is enough."""
    if why := unsaid(alignment.claim, best):
        return Objection("silent", why)
    covered = alignment.coverage[alignment.order[0]]
    objection = (_objection(alignment.claim, best) if covered >= NEARLY else None) or opposed(alignment)
    if objection is not None:
        near = [i for i in alignment.order[1:] if alignment.coverage[i] >= AS_NEAR * covered]
        others = [alignment.passage.statements[i] for i in near]
        if not any(_says(alignment.claim, s) for s in others):
            return objection
    return added(alignment)


@lru_cache(maxsize=1)
def by_cells(alignment: Alignment) -> bool:
    """Return whether the passage is to be read as a table: it has one, and its best sentence is no telling prose. A
    row, a caption with some of the claim's words, or a remark beside the table is no telling prose. A sentence with the
    claim nearly word for word is, and so is one with most of the claim in a text that is mostly prose."""
    text, best = alignment.passage.text, alignment.best
    if best is None or not is_table(text):
        return False
    if "\t" in best.text:
        return True
    if edits(alignment.claim, best) is not None:
        return False
    cells = sum(len(line) for line in text.splitlines() if "\t" in line)
    return 2 * cells > len(text) or alignment.coverage[alignment.order[0]] < NEARLY


def _objection(claim: Statement, statement: Statement) -> Objection | None:
    return (
        another_date(claim, statement)
        or overstated(claim, statement)
        or taken_in(claim, statement)
        or _narrowed(claim, statement)
    )


def _narrowed(claim: Statement, statement: Statement) -> Objection | None:
    said = claim.text, statement.text
    less = narrowed(*said) or not_so_yet(*said) or default_of_another(*said)
    return None if less is None else Objection("silent", str(less))


def _says(claim: Statement, statement: Statement) -> bool:
    numbers = compare_numbers(claim, [statement])
    return not numbers.conflicting and not numbers.missing and _objection(claim, statement) is None
