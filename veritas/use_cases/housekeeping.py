"""Keeping the store in order: what nobody can use is found and removed, old runs are thinned out."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.use_cases.given import Paths, given_home, given_paths
from veritas.use_cases.run_archive import Stamp, kinds_of_runs, stamp_of

if TYPE_CHECKING:
    from veritas.store.retention import Retained
    from veritas.store.unusable import Unusable


def writable(*, home: str | Path | None = None) -> str | None:
    """Return None where the store can be written, else the reason in a sentence without a path."""
    place = given_home(home)
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"?")
            file.flush()
    except OSError as error:
        return f"the store cannot be written: {error.strerror or type(error).__name__}"
    return None


LOOKED_AT = 20
"""Most files that a call of `damaged` reads; those that it has read and that stayed the same are not read again."""
_read: dict[Path, tuple[Stamp, bool]] = {}


def damaged(*, home: str | Path | None = None) -> str | None:
    """Return None where no database of the store is known to be damaged, else what is, in a sentence without a path.

    The index comes first, then the newest runs. A call reads at most `LOOKED_AT` files that are new or have changed,
    each to its end; files in use are passed over. So a store of many files is known after some calls.
    """
    from veritas.store._kept_files import databases
    from veritas.store.checking import check_file
    from veritas.store.journal import is_live
    from veritas.store.paths import beside

    place, found, looked = given_home(home), [], 0
    kept = list(databases(place))
    for file in sorted(kept, key=lambda each: each.run_id or "~" * (each.kind == "catalogue"), reverse=True):
        path, stamp = file.path.absolute(), stamp_of(*beside(file.path.absolute()))
        if path not in _read or _read[path][0] != stamp:
            if looked == LOOKED_AT or (file.run_id is not None and is_live(file.home, file.run_id)):
                continue
            looked += 1
            state = check_file(file).state
            if state in ("in use", "unavailable"):
                continue
            _read[path] = (stamp, state == "damaged")
        if _read[path][1]:
            found.append(file.name)
    if not found:
        return None
    named = ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
    return f"the store is damaged: {named} cannot be read; veritas store check says more"


def forget_documents(paths: Paths, *, home: str | Path | None = None) -> None:
    """Remove what the cache holds of documents, and of folders of documents, that are about to be removed: what was
    unpacked, their conversions, and the index of each corpus that was read from one of these paths."""
    from veritas.reading.forgetting import forget

    forget(map(Path, given_paths(paths, "paths")), given_home(home))


def unusable_runs(*, home: str | Path | None = None) -> list[tuple[Path, Unusable]]:
    """Return the unusable files of runs, audits and reviews, each with its folder. Never what is in use, can be
    resumed, or is finished."""
    from veritas.store.unusable import find_unusable

    folders = [kind.home(given_home(home)) for kind in kinds_of_runs()]
    return [(folder, each) for folder in folders for each in find_unusable(folder)]


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
    """Remove the runs, audits and reviews that began longer ago than `older_than` and are not among the newest `keep`
    of their kind, with their reports, their jobs and their rows in the catalogue. Return what became of each that is
    old enough.

    Never one that is in use, cannot be read, waits for a person, or has a replay that stays; `with_children` removes
    its replays with it. Raises `InputError` without a limit.
    """
    from veritas.approvals import pending, survey
    from veritas.store.jobs import remove_job
    from veritas.store.retention import retain as thin_out

    place = given_home(home)
    # A case that cannot be read may wait as well.
    cases = [*pending(home=place), *(lost.asked for lost in survey(home=place)[1] if lost.asked)]
    # A question about a paper or a corpus counts for every audit or review of it; its follow-up names the first.
    waiting = {name for case in cases for name in (case.run_id, *case.then.split()[-1:]) if name}
    found = [
        each
        for kind in kinds_of_runs()
        for each in thin_out(
            kind.home(place), reports=place / kind.reports, name=kind.name, older_than=older_than, keep=keep,
            with_children=with_children, dry_run=dry_run, waiting=waiting,
        )
    ]  # fmt: skip
    for each in found:
        if each.removed and not dry_run:
            remove_job(place, each.run_id)
    return found
