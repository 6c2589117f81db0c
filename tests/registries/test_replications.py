"""A file of FORRT's library becomes an index, and its studies are told beside a paper, whose standing they leave."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.registry_server import registry_server
from tests.registries.barley import BARLEY, ENTRY
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.verify_entries import verify
from veritas.errors import InputError
from veritas.registries.replications import index_replications, replications_of, replications_path

ROWS = (
    '"doi_o","doi_r","title_r","year_r","outcome","type"',
    '"10.5555/BARLEY","10.5555/again","Barley, ""again""",2021,"failed","replication"',
    '"10.5555/barley",NA,"Barley at home",NA,NA,NA',
    'NA,"10.5555/lost","Nothing",2020,"successful","replication"',
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    path = tmp_path / "flora.csv"
    path.write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    return path


def test_studies_are_found_by_the_doi_of_the_original(file: Path) -> None:
    assert replications_of("10.5555/barley") == []
    assert index_replications(file) == 2
    unnamed, again = replications_of("10.5555/barley")
    assert (again.doi, again.date, again.asserted_by) == ("10.5555/again", "2021", "FORRT (replication, failed)")
    assert (unnamed.doi, unnamed.date, unnamed.asserted_by) == (None, None, "FORRT (outcome not stated)")
    assert replications_of("10.5555/again") == []


def test_a_file_of_another_kind_leaves_the_index_as_it_was(file: Path, tmp_path: Path) -> None:
    index_replications(file)
    kept = replications_path().read_bytes()
    (tmp_path / "other.csv").write_text("doi,outcome\n10.5555/a,failed\n")
    with pytest.raises(InputError, match="doi_o, doi_r"):
        index_replications(tmp_path / "other.csv")
    assert replications_path().read_bytes() == kept


async def test_a_failed_replication_is_told_and_changes_no_verdict(file: Path) -> None:
    index_replications(file)
    with registry_server(BARLEY) as server:
        (judged,) = await verify(read_bibtex(ENTRY, "x.bib"), server.registries(cached=False))
    assert judged.verdict.value == "verified"
    assert judged.evidence.status.standing == "current"
    assert "replication, study 10.5555/again, 2021, according to FORRT (replication, failed)" in judged.notes
