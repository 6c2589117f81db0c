"""`veritas verify`: exact JSON, one line a claim as it comes, text for reading, and errors that say what to do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Veritas
from tests.pumps import ROWS

KEYS = {"claim", "verdict", "confidence", "evidence"}
EVIDENCE_KEYS = {"document", "passage", "start", "end", "label", "score", "url"}
TRUE = "The Borealis pump moves 40 litres of water per minute at full speed."
FALSE = "The Borealis pump needs oil."
UNKNOWN = "Quokkas hibernate below ground in July."
TEXTS = {row["id"] if "url" not in row else row["url"]: row["text"] for row in ROWS}


def checked(answer: dict[str, object]) -> str:
    """The verdict, after the contract's promises were looked at."""
    assert answer.keys() >= KEYS
    assert 0 <= float(str(answer["confidence"])) <= 1
    evidence = answer["evidence"]
    assert isinstance(evidence, list)
    for each in evidence:
        assert each.keys() >= EVIDENCE_KEYS
        assert TEXTS[each["document"]][each["start"] : each["end"]] == each["passage"] != ""
        assert "reddit" not in each["url"]
    return str(answer["verdict"])


@pytest.mark.parametrize(("claim", "verdict"), [(TRUE, "supports"), (FALSE, "refutes"), (UNKNOWN, "insufficient")])
def test_a_verdict_is_one_json_document_and_never_an_error_code(
    veritas: Veritas, corpus: Path, claim: str, verdict: str
) -> None:
    ended = veritas("verify", claim, "--corpus", corpus, "--json")
    assert ended.code == 0
    assert checked(ended.json) == verdict
    assert ended.json["claim"] == claim


def test_a_title_cannot_move_the_cursor(veritas: Veritas, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({"id": "1", "title": "A\x1b[2J\u202eB", "text": TRUE}), encoding="utf-8")
    out = veritas("verify", TRUE, "--corpus", path).out
    assert TRUE in out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_claims_of_a_file_give_a_line_each_in_order_with_their_ids(
    veritas: Veritas, corpus: Path, tmp_path: Path
) -> None:
    file = tmp_path / "claims.jsonl"
    records = [{"id": 7, "claim": TRUE, "other": 1}, {"id": None, "claim": "\ud800"}, {"claim": FALSE}]
    plain = f"\ufeff\n{UNKNOWN}\n\n" + "\n".join(map(json.dumps, records))
    file.write_text(plain, encoding="utf-8")
    ended = veritas("verify", "--claims", file, "--corpus", corpus)
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert ended.code == 0
    assert [checked(row) for row in rows] == ["insufficient", "supports", "insufficient", "refutes"]
    assert [row.get("id", "none") for row in rows] == ["none", 7, None, "none"]
    assert ended.out.isascii()


def test_answers_stream_while_the_input_is_still_open(corpus: Path) -> None:
    command = [sys.executable, "-c", "from veritas.cli import main; main()", "verify", "-", "--corpus", str(corpus)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for claim, verdict in ((TRUE, "supports"), (FALSE, "refutes")):
            process.stdin.write(f"{claim}\n".encode())
            process.stdin.flush()
            assert checked(json.loads(process.stdout.readline())) == verdict
        process.stdin.close()
        assert process.wait(timeout=30) == 0


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["a claim"], "--corpus"),
        (["a claim", "--claims", "x", "--corpus", "CORPUS"], "give one of"),
        (["?!", "--corpus", "CORPUS"], "no words"),
        (["--claims", "missing.txt", "--corpus", "CORPUS"], "missing.txt cannot be read"),
        (["a claim", "--corpus", "CORPUS", "--policy", "missing.yaml"], "missing.yaml"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_a_sentence(
    veritas: Veritas, corpus: Path, args: list[str], says: str
) -> None:
    ended = veritas("verify", *(str(corpus) if a == "CORPUS" else a for a in args), "--json")
    assert ended.code == 2
    assert ended.out == ""
    assert says in ended.err


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (b'{"id": 1', "line 2 is not a JSON object"),
        (b'{"id": 1}', "line 2 has no string under 'claim'"),
        (b'{"id": 1, "claim": 4}', "line 2 has no string under 'claim'"),
        (b'{"id": NaN, "claim": "x"}', "NaN"),
        (b"\xff", "line 2 is not UTF-8"),
        (b'{"a":' * 50_000, "line 2 is not a JSON object"),
    ],
    ids=["cut", "no-claim", "number", "nan", "latin", "deep"],
)
def test_a_broken_line_is_named_and_what_was_printed_before_it_stands(
    veritas: Veritas, corpus: Path, tmp_path: Path, bad: bytes, says: str
) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_bytes(TRUE.encode() + b"\n" + bad + b"\n")
    ended = veritas("verify", "--claims", file, "--corpus", corpus)
    assert ended.code == 2
    assert checked(json.loads(ended.out)) == "supports"
    assert says in ended.err
