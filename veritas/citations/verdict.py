"""Outcomes of triangulation: the conflicts that reject, and the accepted differences with their reasons."""

from __future__ import annotations

from veritas.frozen import Frozen
from veritas.policy.triangulation_policy import Rule

Value = str | int | None


class Conflict(Frozen):
    """A decisive field on which two records disagree; values as the records state them, None where one has none.

    Fields: `doi`, `arxiv_id`, `title`, `first_author_surname`, `authors`, `year`, `work` (two works); `cited.<field>`
    where a citation disagrees with both records, which then hold the values.
    """

    field: str
    primary: Value = None
    secondary: Value = None


class Triangulation(Frozen):
    """The outcome of triangulation. `verified`: the gate passes. `same_work`: the records describe one work, whatever
    else is wrong with them.

    `independent` is False where agreement counts for one source (the notes give the reason). `notes` are `code:
    sentence`.
    """

    verified: bool
    same_work: bool
    independent: bool
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[str, ...] = ()
    rule: Rule


class Comparison(Frozen):
    """The outcome of one rule on one pair of records, before sources and citation are considered."""

    same_work: bool
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[str, ...] = ()
