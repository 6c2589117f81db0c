"""`veritas corpus` as a program is called: JSON on stdout and nothing else, exit codes, what a person reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.reviews.papers import library
from veritas.cli import main


def veritas(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["corpus", *args])
    said = capsys.readouterr()
    return int(ended.value.code or 0), said.out, said.err


def test_a_corpus_from_its_making_to_its_removal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = library(tmp_path / "papers")
    code, out, err = veritas(capsys, "add", "drying", str(folder), "--json")
    (added,) = json.loads(out)
    assert (code, added["added"], added["cost_usd"]) == (0, ["patel2005", "tang2005"], 0)
    assert "claims are drawn by embedded.v3" in err

    code, out, _ = veritas(capsys, "search", "optimum shelf temperature", "--corpus", "drying", "--json", "-n", "2")
    found = json.loads(out)
    hit = found["hits"][0]
    assert (code, hit["paper_key"], hit["page"], hit["score"]) == (0, "tang2005", 2, 1.0)
    assert hit["verbatim"] == "The optimum shelf temperature was -25 °C for the sucrose formulation."
    assert {"text", "claim_id", "section", "claim_type", "evidence_type", "lexical", "semantic"} <= set(hit)

    code, out, _ = veritas(capsys, "list", "--json")
    assert [(row["corpus"], row["papers"]) for row in json.loads(out)] == [("drying", 2)]
    code, out, _ = veritas(capsys, "show", "drying", "--json")
    shown = json.loads(out)
    assert sum(sum(row.values()) for row in shown["kinds"].values()) == shown["claims"] == added["claims"]
    code, out, _ = veritas(capsys, "check", "drying", "--json")
    assert (code, json.loads(out)["breaches"]) == (0, [])
    code, out, _ = veritas(capsys, "remove", "drying", "--paper", "tang2005", "--json")
    assert (code, json.loads(out)["papers"]) == (0, ["tang2005"])
    code, out, _ = veritas(capsys, "remove", "drying", "--json")
    assert json.loads(out)["claims"] > 0
    assert veritas(capsys, "list", "--json")[1] == "[]\n"


def test_a_person_reads_keys_pages_and_quotes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    veritas(capsys, "add", "drying", str(library(tmp_path / "papers")), "-q")
    _, out, _ = veritas(capsys, "search", "optimum shelf temperature", "-n", "1", "--claim-type", "finding")
    assert "[tang2005, p. 2] finding, experimental, results" in out
    assert "2 papers" in veritas(capsys, "show", "drying")[1]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("add", "drying"), "say what to add"),
        (("add", "../x", "docs"), "cannot be the name"),
        (("add", "drying", "no/such/folder"), "does not exist"),
        (("add", "drying", "docs", "--extractor", "nobody"), "no member 'nobody'"),
        (("add", "drying", "docs", "--embedder", "nobody:x"), "no embedder plug-in"),
        (("show", "nothing"), "no corpus"),
        (("search", "x"), "name the corpus"),
        (("remove", "nothing"), "no corpus"),
    ],
)
def test_wrong_usage_is_exit_code_two_and_makes_nothing(
    args: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str], own_home: Path
) -> None:
    code, out, err = veritas(capsys, *args)
    assert (code, out) == (2, "")
    assert said in err
    assert not (own_home / "corpora").exists()


def test_a_filter_that_is_none_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    veritas(capsys, "add", "drying", str(library(tmp_path / "papers")), "-q")
    code, _, err = veritas(capsys, "search", "x", "--claim-type", "rumour")
    assert (code, "--claim-type" in err) == (2, True)


def test_zotero_that_is_down_is_exit_code_three(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own_home: Path
) -> None:
    monkeypatch.setenv("VERITAS_ZOTERO_URL", "http://127.0.0.1:9/api")
    assert veritas(capsys, "add", "drying", "--zotero", "all")[0] == 3
    assert veritas(capsys, "zotero", "drying")[0] == 3
    assert not (own_home / "corpora").exists()
