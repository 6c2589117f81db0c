"""`veritas judge`: exact JSON lines in input order, streaming, several lenses, and errors that lose nothing printed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import in_process

KEYS = ["id", "label", "score", "rationale", "lens"]
PASSAGE = "Daily zinc tablets shortened common colds by 2.1 days in adults."
PAIRS = [
    {"id": "a", "claim": "Daily zinc tablets shortened common colds by 2.1 days in adults.", "passage": PASSAGE},
    {"id": 2, "claim": "Daily zinc tablets shortened common colds by 4.3 days in adults.", "passage": PASSAGE},
    {"id": None, "claim": "The bridge was closed in March.", "passage": PASSAGE, "extra": [1], "label": "supports"},
    {"id": {"n": 1}, "claim": "Zinc\u2028helps \U0001f600.", "passage": ""},
]
COMMAND = [sys.executable, "-c", "from veritas.cli import main; main()", "judge"]


def judged(*args: str | Path, given: bytes = b"", code: int = 0) -> tuple[list[dict[str, object]], str]:
    done = in_process.veritas("judge", *map(str, args), given=given)
    assert done.returncode == code, done.stderr
    return [json.loads(line) for line in done.stdout.decode("ascii").splitlines()], done.stderr.decode()


def lines(*records: object) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in records)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(lines(*PAIRS))
    return path


def test_each_input_gives_one_line_of_exactly_these_keys_in_input_order(file: Path) -> None:
    found, errors = judged(file)
    assert [list(row) for row in found] == [KEYS] * 4
    assert [row["id"] for row in found] == ["a", 2, None, {"n": 1}]
    assert [row["label"] for row in found] == ["supports", "refutes", "silent", "silent"]
    assert all(row["lens"] == "embedded" and 0 <= float(str(row["score"])) <= 1 for row in found)
    assert errors == ""


@pytest.mark.parametrize("args", [[], ["-"], ["--json"], ["-", "--lens", "embedded"]])
def test_standard_input_is_read_by_default_and_the_answers_are_the_same(file: Path, args: list[str]) -> None:
    assert judged(*args, given=file.read_bytes()) == judged(file)


def test_an_unknown_lens_is_an_error_that_names_the_known_ones(file: Path) -> None:
    found, errors = judged(file, "--lens", "crystal-ball", code=2)
    assert found == []
    assert "crystal-ball" in errors
    assert "embedded-numeric" in errors


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (b"{not json", "not JSON"),
        (b"[1, 2]", "a JSON list"),
        (b'{"id": 1, "claim": "x"}', "'passage'"),
        (b'{"claim": "x", "passage": "y"}', "'id'"),
        (b'{"id": 1, "claim": 7, "passage": "y"}', "'claim' must be a string"),
        (b'{"id": 1, "claim": "x", "passage": null}', "'passage' must be a string"),
        (b'{"id": NaN, "claim": "x", "passage": "y"}', "NaN"),
        (b'{"id": 1, "claim": "\xff", "passage": "y"}', "UTF-8"),
        (b"[" * 100_000, "not JSON"),
    ],
    ids=["cut", "list", "no-passage", "no-id", "number", "null", "nan", "latin", "deep"],
)
def test_a_bad_line_ends_with_its_place_and_what_came_before_stands(tmp_path: Path, bad: bytes, says: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(lines(PAIRS[0]) + b"\n" + bad + b"\n" + lines(PAIRS[1]))
    found, errors = judged(path, code=2)
    assert [row["id"] for row in found] == ["a"]
    assert f"{path} line 3" in errors
    assert says in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read_is_wrong_usage(tmp_path: Path, name: str) -> None:
    assert str(tmp_path / name) in judged(tmp_path / name, code=2)[1]


def test_an_answer_is_written_before_the_next_line_is_read() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for pair in PAIRS[:2]:
            process.stdin.write(lines(pair))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == pair["id"]
        process.stdin.close()
        assert process.wait(timeout=30) == 0
