"""`veritas triangulate`: one verdict a line, exact keys, and errors that name file and line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.citations.citation_samples import bibtex, crossref, dblp, semantic_scholar
from veritas.cli import main

KEYS = ["id", "verified", "same_work", "conflicts", "notes", "rule"]


def _pair(given: Any = 1, **changes: Any) -> dict[str, Any]:
    return {
        "id": given,
        "primary": {"source": "semantic_scholar", "record": semantic_scholar()},
        "secondary": {"source": "crossref", "record": crossref()},
    } | changes


WRONG = {"primary": {"source": "bibtex", "record": bibtex(year="2031", author="Yifei Liu")}}


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["triangulate", *arguments])
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def _file(folder: Path, *lines: Any) -> str:
    path = folder / "pairs.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines), "utf-8")
    return str(path)


def test_each_line_gives_one_verdict_with_exactly_the_documented_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _file(tmp_path, _pair("a"), "", _pair({"any": "JSON"}, **WRONG), _pair(None, secondary=None))
    code, out, err = _run(capsys, file, "--json")
    verdicts = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [verdict["id"] for verdict in verdicts] == ["a", {"any": "JSON"}, None]
    assert all(list(verdict) == KEYS for verdict in verdicts)
    assert [verdict["verified"] for verdict in verdicts] == [True, False, False]
    assert verdicts[1]["conflicts"] == [
        {"field": "first_author_surname", "primary": "Liu", "secondary": "Liang"},
        {"field": "year", "primary": 2031, "secondary": 2023},
    ]
    assert {verdict["rule"] for verdict in verdicts} == {"work-aware"}


def test_the_strict_rule_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _run(capsys, _file(tmp_path, _pair()), "--json", "--rule", "strict")
    verdict = json.loads(out)
    assert (verdict["verified"], verdict["rule"]) == (False, "strict")
    assert verdict["conflicts"] == [{"field": "year", "primary": 2022, "secondary": 2023}]


def test_a_citation_is_compared_with_both_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _run(capsys, _file(tmp_path, _pair(cited=bibtex(author="Yifei Liu"))), "--json")
    assert json.loads(out)["conflicts"] == [
        {"field": "cited.first_author_surname", "primary": "Liang", "secondary": "Liang"}
    ]


def test_only_on_demand_does_a_conflict_fail_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = _file(tmp_path, _pair(**WRONG), _pair())
    assert _run(capsys, wrong, "--json")[0] == 0
    code, out, _ = _run(capsys, wrong, "--json", "--fail-on-conflict")
    assert (code, len(out.splitlines())) == (1, 2)
    assert _run(capsys, _file(tmp_path, _pair()), "--fail-on-conflict")[0] == 0


def test_a_person_reads_verdict_conflicts_and_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = crossref(title=["\x1b[31mred\x1b[0m \u202e title"])
    strange = _pair("\x1b]0;x", secondary={"source": "crossref", "record": hostile})
    lines = [_pair("good"), _pair("bad", **WRONG), strange]
    code, out, _ = _run(capsys, _file(tmp_path, *lines))
    assert code == 0
    assert out.startswith("good: verified\n  note      year_manifestation: 2022 (semantic_scholar)")
    assert 'bad: not verified, the same work\n  conflict  first_author_surname: "Liu" against "Liang"\n' in out
    assert "\x1b" not in out
    assert "\u202e" not in out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": 1,', "not JSON"),
        ("[1]", "a JSON list"),
        ('{"id": NaN}', "NaN"),
        ("[" * 100_000, "not JSON"),
        (json.dumps({"id": 1, "primary": {}}), "no 'secondary'"),
        (json.dumps({"primary": {}, "secondary": {}}), "no 'id'"),
        (json.dumps(_pair(primary=None)), "'primary' must be an object of source and record"),
        (json.dumps(_pair(secondary={"source": "crossref"})), "'secondary' must be an object of source and record"),
        (json.dumps(_pair(secondary={"source": "scholar", "record": {}})), "unknown source 'scholar'"),
    ],
)
def test_a_line_that_cannot_be_read_names_file_and_line_and_what_came_before_stands(
    line: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _file(tmp_path, _pair(), line, _pair())
    code, out, err = _run(capsys, file, "--json")
    assert code == 2
    assert len(out.splitlines()) == 1
    assert err.startswith(f"veritas: {file}:2: ")
    assert said in err


def test_bytes_that_are_no_text_and_files_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "latin.jsonl"
    path.write_bytes(b'{"id": "\xe9"}\n')
    code, _, err = _run(capsys, str(path))
    assert code == 2
    assert f"{path}:1: not UTF-8" in err
    for nothing in (tmp_path / "missing.jsonl", tmp_path):
        code, _, err = _run(capsys, str(nothing))
        assert (code, str(nothing) in err) == (2, True)


def test_wrong_options_are_input_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _file(tmp_path, _pair())
    assert _run(capsys, file, "--rule", "lenient")[0] == 2
    code, _, err = _run(capsys, file, "--policy", str(tmp_path / "none.yaml"))
    assert (code, "none.yaml" in err) == (2, True)


def test_a_bad_record_is_a_verdict_and_not_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records: list[Any] = [None, 7, [], "<xml", {"title": [None]}, {"title": "\ud800", "DOI": 5, "author": "x"}]
    lines = [_pair(i, secondary={"source": "crossref", "record": record}) for i, record in enumerate(records)]
    code, out, _ = _run(capsys, _file(tmp_path, *lines), "--json")
    assert code == 0
    verdicts = [json.loads(line) for line in out.splitlines()]
    assert [verdict["verified"] for verdict in verdicts] == [False] * len(records)
    assert all(verdict["conflicts"][0]["field"] == "title" for verdict in verdicts)


def test_standard_input_with_a_byte_order_mark(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = _pair(secondary={"source": "dblp", "record": dblp()})
    given = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf" + json.dumps(pair).encode() + b"\n"))
    monkeypatch.setattr(sys, "stdin", given)
    code, out, _ = _run(capsys, "--json")
    assert (code, json.loads(out)["verified"]) == (0, True)


def test_a_verdict_is_written_before_the_next_line_is_read() -> None:
    command = [sys.executable, "-c", "from veritas.cli import main; main()", "triangulate", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for given in (1, 2):
            process.stdin.write(json.dumps(_pair(given)) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == given
        process.stdin.close()
        assert process.wait(timeout=30) == 0
