"""A stored run's claim graph, for whoever shows, exports, explains or compares it."""

from __future__ import annotations

from veritas.claims.graph import ClaimGraph
from veritas.errors import InputError


def stored_graph(run: str) -> ClaimGraph:
    """The claim graph of a finished run, with what persons have settled about it since.

    Raises `UnknownRun`, or `InputError` when the run is not finished.
    """
    from veritas.approvals.notes import noted_in
    from veritas.settings import home
    from veritas.store import RunStore, find_run

    run_id = find_run(home(), run)
    with RunStore.open(home(), run_id, read_only=True) as store:
        graph = store.graph()
        lineage = store.lineage()
        done = [row.stage for row in store.stages()]
    if graph is None:
        reached = f"it got as far as {done[-1]}" if done else "it finished no stage"
        raise InputError(f"run {run_id} is not finished ({reached}): veritas research --resume {run_id}")
    return noted_in(graph, home(), lineage)
