"""The bibliography of a corpus says what the papers' files and the given bibliographies say, without loss."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.embedded_claim_extractor import why_not
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.zotero.items import record

_TEXT = "Vitamin D and falls\n\nResults\n\nVitamin D reduced falls by 12% in older women.\n"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))


def added(path: Path) -> str:
    asyncio.run(add_wanted(Wanted(name="own", paths=(path,))))
    return Corpus.open("own").bibliography()


def test_an_article_in_jats_has_its_journal_volume_issue_and_pages(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "a.xml").write_text(
        "<article><front><journal-meta><journal-title-group><journal-title>J. Bones</journal-title>"
        "</journal-title-group></journal-meta><article-meta><article-id pub-id-type='doi'>10.1234/x</article-id>"
        "<title-group><article-title>Vitamin D and falls in Norway</article-title></title-group><contrib-group>"
        "<contrib contrib-type='author'><name><surname>Møller</surname><given-names>Ann</given-names></name></contrib>"
        "</contrib-group><pub-date><year>2015</year></pub-date><volume>4</volume><issue>2</issue><fpage>11</fpage>"
        "<lpage>19</lpage></article-meta></front><body><sec><title>Results</title><p>Vitamin D reduced falls by 12% "
        "in older women.</p></sec></body></article>",
        encoding="utf-8",
    )
    assert added(tmp_path / "papers") == (
        "@article{moller2015,\n  title={Vitamin {D} and falls in {Norway}},\n  author={Møller, Ann},\n"
        "  journal={J. Bones},\n  year={2015},\n  volume={4},\n  number={2},\n  pages={11--19},\n  doi={10.1234/x}\n}\n"
    )


def test_a_given_bib_survives_without_loss(tmp_path: Path) -> None:
    (tmp_path / "roy.txt").write_text(_TEXT)
    entry = (
        "@inproceedings{roy,\n  title={{Vitamin D} and \\emph{falls}},\n  author={Roy, Ann},\n  year={2015},\n"
        "  booktitle={Proc. Bones},\n  editor={Lee, Bo},\n  isbn={12-3}\n}\n"
    )
    (tmp_path / "refs.bib").write_text(entry)
    assert added(tmp_path / "refs.bib") == entry


def test_an_attachment_named_in_ris_is_found_beside_it(tmp_path: Path) -> None:
    (tmp_path / "prereg.txt").write_text(_TEXT)
    (tmp_path / "refs.ris").write_text(
        "TY  - JOUR\nID  - roy\nTI  - Vitamin D & falls\nAU  - Roy, Ann\nPY  - 2015\nT2  - J. Bones\nPB  - Wiley\n"
        "UR  - https://example.org/x\nL1  - prereg.txt\nER  - \n"
    )
    made = added(tmp_path / "refs.ris")
    assert made.startswith("@article{roy,")
    assert "  title={Vitamin {D} \\& falls}" in made
    assert "  publisher={Wiley}" in made
    assert "prereg" not in made


def test_zotero_gives_volume_issue_and_pages() -> None:
    found = record({"data": {"itemType": "journalArticle", "title": "A", "publicationTitle": "J. Bones", "volume": "4",
                             "issue": "2", "pages": "1-9"}})  # fmt: skip
    assert (found.kind, found.volume, found.issue, found.pages) == ("journal", "4", "2", "1-9")


def test_a_macro_that_was_not_expanded_is_in_no_quote() -> None:
    assert why_not(r"The mass of the planet is 1.2 \Fearth in this model.") == "it holds a macro that was not expanded"
