"""A stored run's claim graph, to be shown, exported or compared."""

from __future__ import annotations

from pathlib import Path

from veritas.claims.graph import ClaimGraph
from veritas.errors import InputError


def stored_graph(run: str, home: Path | None = None) -> ClaimGraph:
    """Return the claim graph of a finished run, with the persons' decisions about it since. `home` is where runs are
    stored, by default `VERITAS_HOME`.

    Raises `UnknownRun`, or `InputError` when the run is not finished.
    """
    from veritas.approvals.notes import noted_in
    from veritas.settings import home as default_home
    from veritas.store import RunStore, find_run

    place = home or default_home()
    run_id = find_run(place, run)
    with RunStore.open(place, run_id, read_only=True) as store:
        graph = store.graph()
        lineage = store.lineage()
        done = [row.stage for row in store.stages()]
    if graph is None:
        reached = f"it got as far as {done[-1]}" if done else "it finished no stage"
        raise InputError(f"run {run_id} is not finished ({reached}): veritas research --resume {run_id}")
    return noted_in(graph, place, lineage)
