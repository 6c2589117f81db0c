"""Bad input ends in a clear sentence, exit code 2 (or 3), and nothing half-written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Veritas
from tests.pumps import QUESTION


def stored(home: Path) -> list[str]:
    """What of a run is on the disk."""
    return sorted(str(p.relative_to(home)) for p in home.rglob("*.duckdb*")) if home.exists() else []


@pytest.mark.parametrize("question", ["", "   ", "?!…", "\u200b"])
def test_empty_question(veritas: Veritas, corpus: Path, own_home: Path, question: str) -> None:
    ended = veritas("research", question, "-c", corpus)
    assert ended.code == 2
    assert "the question is empty" in ended.err
    assert stored(own_home) == []


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["research"], "give one of"),
        (["research", QUESTION, "-c", "CORPUS", "--tier", "luxury"], "quick, standard, deep"),
        (["research", QUESTION, "-c", "CORPUS", "--council", "nowhere.yaml"], "nowhere.yaml"),
        (["research", QUESTION, "-c", "CORPUS", "--since", "yesterday"], "since"),
        (["research", "--resume", "20200101-000000-abc"], "no run"),
        (["replay", "latest", "--from", "verify"], "no run"),
        (["export", "nothing-like-this"], "no run"), (["frobnicate"], "No such command"),
    ],
)
def test_wrong_usage_names_what_is_wrong(
    veritas: Veritas, corpus: Path, own_home: Path, args: list[str], said: str
) -> None:
    ended = veritas(*[str(corpus) if a == "CORPUS" else a for a in args])
    assert ended.code == 2, ended.err
    assert said.lower() in ended.err.lower()
    assert "Traceback" not in ended.err
    assert ended.out == ""
    assert stored(own_home) == []


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("paper.pdf", b"this is no PDF at all, whatever its name says", "paper.pdf"),
        ("empty.txt", b"", "empty.txt"),
        ("zeros.txt", b"\x00" * 64, "zeros.txt"),
        ("picture.png", b"\x89PNG\r\n\x1a\n", "picture.png"),
        ("broken.jsonl", b'{"id": "a", "text": "fine text here"}\n{"id": "b", "text": \n', "broken.jsonl:2"),
        ("list.jsonl", b"[1, 2]\n", "list.jsonl:1"),
    ],
)
def test_unusable_document_is_named(
    veritas: Veritas, tmp_path: Path, own_home: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    ended = veritas("research", QUESTION, "-c", path)
    assert ended.code == 2, ended.err
    assert said in ended.err
    assert stored(own_home) == []


def test_document_of_200_mb_is_refused_without_being_read_whole(
    veritas: Veritas, tmp_path: Path, own_home: Path
) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    ended = veritas("research", QUESTION, "-c", path)
    assert ended.code == 2
    assert "huge.txt" in ended.err
    assert "MB" in ended.err or "bytes" in ended.err
    assert stored(own_home) == []


def test_one_bad_document_among_good_ones_is_a_row_and_no_obstacle(
    veritas: Veritas, corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "good.txt").write_text("The Borealis pump needs no oil, because it is dry.", encoding="utf-8")
    (folder / "bad.pdf").write_bytes(b"no PDF")
    graph = veritas("research", QUESTION, "-c", corpus, "-c", folder, "--json", "-q").json
    assert any(e["kind"] == "source-unavailable" and "bad.pdf" in e["subject_id"] for e in graph["events"])
    assert graph["answer"]["status"] == "answered"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tiers: [", "policy.yaml:"),
        ("extends: default\nteirs: {}\n", "teirs"),
        ("name: x\nabout: y\nextends: nobody\n", "nobody"),
        ("", "policy.yaml"),
    ],
)
def test_broken_policy_names_file_and_key(
    veritas: Veritas, corpus: Path, tmp_path: Path, own_home: Path, text: str, said: str
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(text, encoding="utf-8")
    ended = veritas("research", QUESTION, "-c", corpus, "--policy", policy)
    assert ended.code == 2
    assert "policy.yaml" in ended.err
    assert said in ended.err
    assert stored(own_home) == []


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_home_that_cannot_be_made_is_unavailable(
    veritas: Veritas, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "file" / "home"))
    ended = veritas("research", QUESTION, "-c", corpus)
    assert ended.code == 3
    assert "Traceback" not in ended.err


def test_prefect_server_that_is_down_is_a_sentence_and_exit_code_3(
    veritas: Veritas, corpus: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    ended = veritas("research", QUESTION, "-c", corpus)
    assert ended.code == 3
    assert "PREFECT_API_URL" in ended.err
    assert "Traceback" not in ended.err
    assert stored(own_home) == []


def test_out_that_is_a_file_is_said_before_any_work(
    veritas: Veritas, corpus: Path, tmp_path: Path, own_home: Path
) -> None:
    (tmp_path / "taken").write_text("mine", encoding="utf-8")
    for out in (tmp_path / "taken", tmp_path / "taken" / "below"):
        ended = veritas("research", QUESTION, "-c", corpus, "--out", out)
        assert ended.code == 2
        assert "taken" in ended.err
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "mine"
    assert stored(own_home) == []


def test_closed_pipe_is_no_error(corpus: Path, own_home: Path) -> None:
    command = f"{sys.executable} -m veritas research '{QUESTION}' -c '{corpus}' -q --json | head -c 10"
    ended = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""


def test_help_loads_no_command_and_names_every_one() -> None:
    code = (
        "import sys; from veritas.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = [m for m in ('prefect', 'litellm', 'docling', 'duckdb', 'numpy', 'pydantic', 'jinja2') "
        "if m in sys.modules]\n"
        "print('HEAVY', heavy)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "HEAVY []" in ended.stdout
    from veritas.cli.app import COMMANDS

    assert all(name in ended.stdout for name in COMMANDS)
