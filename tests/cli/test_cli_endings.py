"""How commands end: a crash has a code of its own, and what lies on the disk never leads to the network."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests import preloaded
from tests.cli.conftest import Veritas

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


def test_a_crash_ends_in_a_code_of_its_own_with_where_it_happened(tmp_path: Path) -> None:
    broken = "import veritas.cli.runs\ndef runs():\n    return {}['nothing']\nveritas.cli.runs.runs = runs"
    ended = run("runs", cwd=tmp_path, code=broken)
    assert ended.returncode == 70
    assert "KeyError" in ended.stderr
    assert "veritas: crashed (KeyError). This is a defect of veritas" in ended.stderr
    assert ended.stdout == ""


def test_an_interrupt_is_no_finding(tmp_path: Path) -> None:
    stopped = "import veritas.cli.runs\ndef runs():\n    raise KeyboardInterrupt\nveritas.cli.runs.runs = runs"
    assert run("runs", cwd=tmp_path, code=stopped).returncode == 130


def test_wrong_usage_is_2(veritas: Veritas) -> None:
    assert veritas("research", "--no-such-option").code == 2
    assert veritas("no-such-command").code == 2
