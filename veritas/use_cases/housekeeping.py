"""Keeping the store in order: what nobody can use is found and removed, old runs are thinned out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.use_cases.given import given_home

if TYPE_CHECKING:
    from veritas.store.retention import Retained
    from veritas.store.unusable import Unusable


def unusable_runs(*, home: str | Path | None = None) -> list[tuple[Path, Unusable]]:
    """Return what lies in the folders of runs and of audits and nobody can use, each with the folder. Never what is in
    use, can be resumed, or is finished."""
    from veritas.papers.audit_runs import papers_home
    from veritas.store.unusable import find_unusable

    place = given_home(home)
    return [(folder, each) for folder in (place, papers_home(place)) for each in find_unusable(folder)]


def clean_up(unusable: Sequence[tuple[Path, Unusable]]) -> list[bool]:
    """Remove what `unusable_runs` returned, or set it aside; return of each whether it was done: somebody may have
    begun to use it meanwhile. Raises `StoreUnavailable`."""
    from veritas.store.unusable import remove_unusable

    return [remove_unusable(folder, each) for folder, each in unusable]


def retain(
    *,
    older_than: timedelta | None = None,
    keep: int = 0,
    with_children: bool = False,
    dry_run: bool = False,
    home: str | Path | None = None,
) -> list[Retained]:
    """Remove the runs that began longer ago than `older_than` and are not among the newest `keep`, with their reports
    and rows in the catalogue; return what became of each that is old enough, newest first.

    Never one that is in use, cannot be read, waits for a person, or has a replay that stays; `with_children` removes
    its replays with it. Raises `InputError` without a limit.
    """
    from veritas.approvals import pending, survey
    from veritas.store.retention import retain as thin_out

    place = given_home(home)
    # A case that cannot be read may wait as well.
    cases = [*pending(home=place), *(lost.asked for lost in survey(home=place)[1] if lost.asked)]
    return thin_out(
        place, older_than=older_than, keep=keep, with_children=with_children, dry_run=dry_run,
        waiting={case.run_id for case in cases if case.run_id},
    )  # fmt: skip
