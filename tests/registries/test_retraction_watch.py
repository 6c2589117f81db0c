"""A Retraction Watch file becomes an index, and its notices count wherever a paper's standing is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.registry_server import BROKEN, registry_server
from tests.registries.barley import BARLEY, ENTRY
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.judging import verify
from veritas.errors import InputError
from veritas.registries.retraction_watch import build_index, index_path, notices_about
from veritas.works.records import UpdateKind

HEAD = (
    "Record ID,Title,Author,RetractionDate,RetractionDOI,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,Reason"
)
ROWS = (
    '1,"Barley, and rain",A;B,6/5/2020 0:00,10.5555/notice,10.5555/BARLEY,123,Retraction,+Data;+Fraud;',
    "2,Wheat,C,1/2/2019 0:00,10.5555/eoc,10.5555/wheat,0,Expression of concern,",
    "3,Rye,D,1/2/2018 0:00,10.5555/r,10.5555/rye,0,Retraction,",
    "4,Rye,D,1/2/2019 0:00,10.5555/back,10.5555/rye,0,Reinstatement,",
    "5,Oats,E,1/2/2019 0:00,Unavailable,unavailable,0,Retraction,",
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    path = tmp_path / "watch.csv"
    path.write_text("\n".join([HEAD, *ROWS]) + "\n", encoding="utf-8-sig")
    return path


def test_notices_are_found_by_doi_and_pubmed_id(file: Path) -> None:
    assert list(notices_about("10.5555/barley")) == []
    assert build_index(file) == 4
    (notice,) = notices_about("10.5555/barley")
    assert (notice.kind, notice.of_this, notice.doi, notice.date) == (
        UpdateKind.RETRACTION, True, "10.5555/notice", "2020-06-05",
    )  # fmt: skip
    assert notices_about(pmid="123") == [notice]
    assert [each.kind for each in notices_about("10.5555/wheat")] == [UpdateKind.CONCERN]
    assert list(notices_about("10.5555/nobody")) == []


def test_a_reinstated_paper_stands_again(file: Path) -> None:
    build_index(file)
    assert notices_about("10.5555/rye") == []


def test_a_file_of_another_kind_leaves_the_index_as_it_was(file: Path, tmp_path: Path) -> None:
    build_index(file)
    kept = index_path().read_bytes()
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    (tmp_path / "empty.csv").write_text(HEAD + "\n")
    for name in ("other.csv", "empty.csv", "absent.csv"):
        with pytest.raises(InputError):
            build_index(tmp_path / name)
    assert index_path().read_bytes() == kept
    assert [each.name for each in index_path().parent.iterdir()] == [index_path().name]


@pytest.mark.parametrize("down", [False, True], ids=["Crossref answers", "Crossref is down"])
async def test_a_retraction_in_the_file_alone_is_told(file: Path, down: bool) -> None:
    build_index(file)
    with registry_server(BARLEY) as server:
        if down:
            server.faults["crossref"] = BROKEN
        (judged,) = await verify(read_bibtex(ENTRY, "x.bib"), server.registries(cached=False))
    assert judged.verdict.value == "retracted", judged.reason
    assert "retraction watch" in judged.reason
