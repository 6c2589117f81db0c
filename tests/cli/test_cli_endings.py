"""How commands end: a crash has a code of its own, and what lies on the disk never leads to the network."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests import preloaded
from tests.cli.conftest import Veritas
from veritas.registries.file_names import is_file_name, is_path

PAPER = (
    "# Freeze-drying of a vaccine\n\n## Abstract\n\nWe asked whether trehalose keeps a vaccine stable. "
    "We hypothesise that trehalose keeps the vaccine stable at 40 degrees. Vials were dried with and without trehalose "
    "and kept for six months. With trehalose 92 percent of the potency was left, without it 31 percent. We conclude "
    "that trehalose keeps the vaccine stable at 40 degrees.\n\n## Results\n\nWith trehalose 92 percent of the potency "
    "was left after six months at 40 degrees. Without it 31 percent of the potency was left.\n"
)


def run(*args: str, cwd: Path, code: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """A command in a process in which every connection, on whatever loopback, is an error that is written down."""
    guard = (
        "import sys, socket\n"
        "def no(event, args):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo') and not isinstance(args[-1], (str, bytes)):\n"
        "        print('NETWORK', event, args[:2], file=sys.stderr); raise RuntimeError('network')\n"
        "    if event == 'socket.getaddrinfo':\n"
        "        print('NETWORK', event, args[:2], file=sys.stderr); raise RuntimeError('network')\n"
        "sys.addaudithook(no)\n"
    )
    program = f"{guard}{code}\nfrom veritas.cli.app import main\nmain(sys.argv[1:])\n"
    return preloaded.run(["-c", program, *args], cwd=cwd, env={**os.environ, **more}, timeout=120)


@pytest.mark.parametrize("name", ["2310.06825v1.md", "2310.06825", "10.1000%2Fxyz.md", "arXiv:2310.06825"])
def test_a_paper_that_is_there_is_read_from_the_disk(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(PAPER, encoding="utf-8")
    ended = run("paper", name, "--quiet", cwd=tmp_path)
    assert "NETWORK" not in ended.stderr
    if name.endswith(".md"):
        assert ended.returncode == 0, ended.stderr
        assert "Freeze-drying of a vaccine" in ended.stdout
    else:  # of no kind that can be read: an error about the file, not a search for a paper of that name
        assert ended.returncode == 2
        assert name in ended.stderr


def test_a_file_named_like_an_arxiv_id_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    ended = run("paper", "2310.06825v1.pdf", cwd=tmp_path)
    assert "NETWORK" not in ended.stderr
    assert ended.returncode == 2
    assert "there is no such file. To have the paper of that id fetched, leave out the file's ending" in ended.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["paper", "data/10.1101/missing.xml"], ["paper", "file://{here}/10.1101/missing.xml"],
        ["paper", "10.1101%2Fgone.xml"], ["cite", "Zinc shortens colds.", "--hint", "./data/10.1101/missing.xml"],
    ],
)  # fmt: skip
def test_a_path_that_holds_an_identifier_and_leads_nowhere_is_said_to_be_missing(
    tmp_path: Path, args: list[str]
) -> None:
    (tmp_path / "10.1101%2Fgone.xml").symlink_to(tmp_path / "nowhere.xml")
    ended = run(*(arg.format(here=tmp_path) for arg in args), cwd=tmp_path)
    assert "NETWORK" not in ended.stderr
    assert ended.returncode == 2, ended.stderr
    assert "there is no such file" in ended.stderr


@pytest.mark.parametrize(
    "name",
    [
        "./data/10.1101/missing", "../10.1101/missing.xml", "~/10.1101/missing.xml", "~nobody/10.1101/missing.xml",
        "/tmp/10.1101/missing.xml", "/tmp/my papers/10.1101/missing.xml", "FILE:///10.1101/missing.xml",
        "arxiv/2310.06825v1.pdf",
    ],
)  # fmt: skip
def test_what_is_written_as_a_path_is_a_file(name: str) -> None:
    assert is_path(name)
    assert is_file_name(name)


@pytest.mark.parametrize(
    "name",
    ["10.1101/missing.xml", "doi:10.1101/missing.xml", "doi.org/10.1101/missing.xml", "https://x.org/10.1101/a.pdf"],
)
def test_an_identifier_with_the_ending_of_a_file_stays_one(name: str) -> None:
    assert not is_file_name(name)


@pytest.mark.parametrize(
    "args",
    [
        ["research", "notes.md"], ["research", "folder"], ["verify", "notes.md", "-c", "folder"],
        ["cite", "notes.md"], ["cite", "Zinc shortens colds.", "--hint", "notes.md"],
    ],
)  # fmt: skip
def test_a_path_in_place_of_words_is_asked_back_about(tmp_path: Path, args: list[str]) -> None:
    (tmp_path / "notes.md").write_text("Zinc shortens colds.", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    ended = run(*args, cwd=tmp_path)
    assert "NETWORK" not in ended.stderr
    assert ended.returncode == 2
    assert "is a file or folder here" in ended.stderr


def test_a_crash_ends_in_a_code_of_its_own_with_where_it_happened(tmp_path: Path) -> None:
    broken = "import veritas.cli.runs\ndef runs():\n    return {}['nothing']\nveritas.cli.runs.runs = runs"
    ended = run("runs", cwd=tmp_path, code=broken)
    assert ended.returncode == 70
    assert "KeyError" in ended.stderr
    assert "veritas: crashed (KeyError). This is a defect of veritas" in ended.stderr
    assert ended.stdout == ""


def test_a_question_to_a_person_that_meets_the_end_of_input_is_no_finding(tmp_path: Path) -> None:
    asks = "import typer, veritas.cli.runs\ndef runs():\n    typer.confirm('Sure?')\nveritas.cli.runs.runs = runs"
    assert run("runs", cwd=tmp_path, code=asks).returncode == 130


def test_an_interrupt_is_no_finding(tmp_path: Path) -> None:
    stopped = "import veritas.cli.runs\ndef runs():\n    raise KeyboardInterrupt\nveritas.cli.runs.runs = runs"
    assert run("runs", cwd=tmp_path, code=stopped).returncode == 130


def test_wrong_usage_is_2(veritas: Veritas) -> None:
    assert veritas("research", "--no-such-option").code == 2
    assert veritas("no-such-command").code == 2
