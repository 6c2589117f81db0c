"""The JSON contract, and files that are whole or not there."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from veritas import ClaimGraph
from veritas.errors import CorpusError, StoreUnavailable
from veritas.reading.loading import load_corpus
from veritas.report import render_json, write_report
from veritas.report.graph_json import embedded_json

NAMES = {"answer.md", "graph.json", "report.html"}


def test_json_is_the_whole_graph_and_reads_back(graph: ClaimGraph) -> None:
    assert ClaimGraph.model_validate_json(render_json(graph)) == graph
    assert embedded_json(graph).count("\n") == 0
    assert ClaimGraph.model_validate_json(embedded_json(graph)) == graph


def test_json_has_a_word_for_what_json_cannot_say(graph: ClaimGraph) -> None:
    run = graph.run.model_copy(update={"settings": {"limit": float("inf"), "n": [float("nan")]}, "question": "\ud83d?"})
    text = render_json(graph.model_copy(update={"run": run}))
    text.encode("utf-8")
    assert json.loads(text)["run"]["settings"] == {"limit": None, "n": [None]}
    assert json.loads(text)["run"]["question"] == "\ud83d?"


def test_three_files_and_no_other(graph: ClaimGraph, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    written = write_report(graph, folder)
    assert written == {name: folder / name for name in NAMES}
    assert set(os.listdir(folder)) == NAMES
    assert (folder / "graph.json").read_text(encoding="utf-8") == render_json(graph)
    assert (folder / "report.html").stat().st_mode & 0o044 == 0o044 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("which", [1, 2, 3])
def test_a_full_disk_leaves_the_earlier_report_whole(
    graph: ClaimGraph, insufficient: ClaimGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: int
) -> None:
    write_report(graph, tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in NAMES}
    calls = 0
    real = os.fsync

    def full(descriptor: int) -> None:
        nonlocal calls
        calls += 1
        if calls == which:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreUnavailable, match="No space left on device"):
        write_report(insufficient, tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == before


def test_a_truly_full_device_is_unavailable(graph: ClaimGraph, tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    folder = tmp_path / "full"
    folder.mkdir()

    class Full(type(folder)):  # type: ignore[misc]
        def open(self, *args: Any, **more: Any) -> Any:
            return Path("/dev/full").open("wb")

        def __truediv__(self, name: Any) -> Any:
            return Full(str(self) + "/" + str(name))

    with pytest.raises(StoreUnavailable, match="free some space"):
        write_report(graph, Full(folder))
    assert os.listdir(folder) == []


def test_a_read_only_folder_is_unavailable(graph: ClaimGraph, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):  # root may write there, but not among the kernel's own files
        folder = Path("/proc/self/task")
    before = set(os.listdir(folder))
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        write_report(graph, folder)
    assert set(os.listdir(folder)) == before


def test_what_was_written_into_a_corpus_is_no_document_of_it_and_is_named(graph: ClaimGraph, tmp_path: Path) -> None:
    """Else the report of one run would be an independent source of the next."""
    write_report(graph, tmp_path / "out")
    (tmp_path / "a.md").write_text("The Gorm tower is 50 metres tall.")
    (tmp_path / "b.md").write_text("# Notes\n\nIt began:\n\n*Quick search by 3 members of the council, 2 May 2026*\n")
    (tmp_path / "c.html").write_text('<meta name="generator" content="Veritasium 2"><p>A page of somebody else.</p>')
    corpus = load_corpus([tmp_path])
    assert [document.url.rpartition("/")[2] for document in corpus.documents] == ["a.md", "b.md", "c.html"]
    left = {Path(problem.path).name: problem.reason for problem in corpus.problems}
    assert left["report.html"] == left["answer.md"] == "is a report that VERITAS wrote, no source of its own"
    with pytest.raises(CorpusError, match="VERITAS wrote"):
        load_corpus([tmp_path / "out" / "report.html"])
