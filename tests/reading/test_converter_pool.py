"""Conversion at arm's length: a file that hangs, crashes or eats memory costs its own conversion alone."""

from __future__ import annotations

import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.reading.pdf_writer import Run, write_pdf
from veritas.errors import CorpusError, Unavailable
from veritas.reading import converter_pool as workshop_module
from veritas.reading.converter_pool import Workshop

# A worker that does what its job's text says, in the protocol of the real one.
FAKE = """
import json, os, signal, sys, time
while line := sys.stdin.buffer.readline():
    job = json.loads(line)
    what = sys.stdin.buffer.read(job["size"]).decode()
    if what == "hang": time.sleep(60)
    if what == "crash": os.kill(os.getpid(), signal.SIGSEGV)
    if what == "leave": sys.exit(0)
    text = {"text": what, "title": None, "authors": [], "published_at": None, "doi": None, "page_starts": [],
            "citations": [], "saved_at": None, "remarks": [], "front_matter": {}}
    print(json.dumps({"converted": text}), flush=True)
"""


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "fake.py"
    script.write_text(FAKE)
    monkeypatch.setattr(workshop_module, "COMMAND", [sys.executable, str(script)])


@pytest.mark.usefixtures("fake")
def test_a_file_that_never_ends_is_given_up_and_the_next_is_read(tmp_path: Path) -> None:
    begun = time.monotonic()
    with Workshop(tmp_path / "cache", workers=1, seconds=1) as workshop:
        with pytest.raises(CorpusError, match="longer than 1 s"):
            workshop.convert(b"hang", "pdf")
        for death in (b"crash", b"leave"):
            with pytest.raises(CorpusError, match="crash"):
                workshop.convert(death, "pdf")
        assert workshop.convert(b"fine", "pdf").text == "fine"
    assert time.monotonic() - begun < 20


@pytest.mark.usefixtures("fake")
def test_a_worker_that_was_killed_between_jobs_is_replaced(tmp_path: Path) -> None:
    with Workshop(tmp_path / "cache", workers=1) as workshop:
        assert workshop.convert(b"one", "pdf").text == "one"
        process = workshop._idle.get()
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        workshop._idle.put(process)
        assert workshop.convert(b"two", "pdf").text == "two"


def test_many_files_from_many_threads_are_each_their_own(tmp_path: Path) -> None:
    files = [write_pdf([[Run(60, 700, f"This is the text of file {number}.")]]) for number in range(12)]
    with Workshop(tmp_path / "cache") as workshop, ThreadPoolExecutor(6) as threads:
        texts = [c.text for c in threads.map(lambda data: workshop.convert(data, "pdf"), files)]
    assert texts == [f"This is the text of file {number}." for number in range(12)]
    assert len(list((tmp_path / "cache").iterdir())) == 12


def test_a_refusal_has_its_reason_and_is_not_kept(tmp_path: Path) -> None:
    with Workshop(tmp_path / "cache", workers=1) as workshop:
        for _ in range(2):
            with pytest.raises(CorpusError, match="is no PDF"):
                workshop.convert(b"no", "pdf")
    assert not (tmp_path / "cache").exists()


def test_no_process_is_begun_when_all_is_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_pdf([[Run(60, 700, "Kept text.")]])
    with Workshop(tmp_path / "cache") as workshop:
        workshop.convert(data, "pdf")
    monkeypatch.setattr(workshop_module, "COMMAND", ["/no/such/program"])
    with Workshop(tmp_path / "cache") as workshop:
        assert workshop.convert(data, "pdf").text == "Kept text."


def test_that_no_process_can_be_begun_is_no_fault_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop_module, "COMMAND", ["/no/such/program"])
    with Workshop(tmp_path / "cache") as workshop, pytest.raises(Unavailable, match="no process"):
        workshop.convert(b"%PDF-", "pdf")
