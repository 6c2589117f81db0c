"""The files that make up a store and are backed up, checked and rewritten. Caches, reports and Prefect's files are not
among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from veritas.store.paths import catalogue_path, run_ids, run_path

Kind = Literal["catalogue", "run", "audit", "corpus", "file"]

TREES: tuple[str, ...] = ("approvals", "asked", "reviews", "audits", "papers/watched")
"""Folders of plain files, each written whole: approvals, reviews, logs of audits."""


@dataclass(frozen=True)
class KeptFile:
    """A file of the store. `name` is its name for a person: `run 20260301-…`, `corpus library`."""

    path: Path
    kind: Kind
    name: str
    home: Path
    """The home that a run or an audit belongs to."""
    run_id: str | None = None


def databases(home: Path) -> Iterator[KeptFile]:
    """Yield the DuckDB files: catalogue, runs, audits of papers, corpora of reviews."""
    if catalogue_path(home).exists():
        yield KeptFile(catalogue_path(home), "catalogue", "catalogue", home)
    for run_id in run_ids(home):
        yield KeptFile(run_path(home, run_id), "run", f"run {run_id}", home, run_id)
    papers = home / "papers"
    for run_id in run_ids(papers):
        yield KeptFile(run_path(papers, run_id), "audit", f"audit {run_id}", papers, run_id)
    for path in sorted((home / "corpora").glob("*.duckdb")):
        yield KeptFile(path, "corpus", f"corpus {path.stem}", home)


def plain_files(home: Path) -> Iterator[KeptFile]:
    """Yield the files that are no databases; a file being written has a name with a dot before it, and is skipped."""
    for tree in TREES:
        for path in sorted((home / tree).rglob("*")):
            if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
                yield KeptFile(path, "file", path.relative_to(home).as_posix(), home)
