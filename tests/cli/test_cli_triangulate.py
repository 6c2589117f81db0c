"""`veritas triangulate`: one verdict a line, exact keys, and errors that name file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.citations.citation_samples import bibtex, crossref, semantic_scholar
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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": 1,', "not JSON"), ('{"id": NaN}', "NaN"),
        (json.dumps({"id": 1, "primary": {}}), "no 'secondary'"),
        (json.dumps(_pair(primary=None)), "'primary' must be an object of source and record"),
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
