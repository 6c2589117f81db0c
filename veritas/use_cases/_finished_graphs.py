"""Claim graphs of finished runs as they were read from the store, kept while their files stay the same.

A finished run never changes (I6), and to open its file takes longer than all else that a page of it takes. What persons
settled later is no part of the file, and is not kept here.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from veritas.claims.graph import ClaimGraph
from veritas.store.paths import beside, run_path

MOST = 16
"""Most graphs that are kept; those that were asked for last."""

Stamp = tuple[tuple[int, int, int], ...]


class Stored(NamedTuple):
    """A finished run: its claim graph, and the ids of the runs it was made from, itself first."""

    graph: ClaimGraph
    lineage: list[str]


_kept: OrderedDict[Path, tuple[Stamp, Stored]] = OrderedDict()
_lock = Lock()


def stamp_of(*paths: Path) -> Stamp:
    """Return what differs where one of these files was written anew, or is not there any more."""
    found = []
    for path in paths:
        with suppress(OSError):
            there = path.stat()
            found.append((there.st_mtime_ns, there.st_size, there.st_ino))
    return tuple(found)


def stored_graph(home: Path, run_id: str) -> Stored | list[str]:
    """Return a finished run; of another one the stages it has finished. Raises `UnknownRun`, `StoreUnavailable`."""
    from veritas.store import RunStore

    path = run_path(home, run_id).absolute()
    stamp = stamp_of(*beside(path))  # before it is read: what is written meanwhile is read the next time
    with _lock:
        known = _kept.get(path)
        if known is not None and known[0] == stamp:
            _kept.move_to_end(path)
            return known[1]
    with RunStore.open(home, run_id, read_only=True) as store:
        graph = store.graph()
        if graph is None:
            return [row.stage for row in store.stages()]
        read = Stored(graph, store.lineage())
    with _lock:
        _kept[path] = (stamp, read)
        _kept.move_to_end(path)
        while len(_kept) > MOST:
            _kept.popitem(last=False)
    return read
