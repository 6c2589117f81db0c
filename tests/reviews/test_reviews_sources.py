"""Bibliographies and research runs as roots of a corpus, and keys that stay."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pumps import QUESTION, write_corpus
from tests.reviews.papers import PATEL, TANG, library, pdf
from veritas.errors import CorpusError, InputError
from veritas.reviews._corpus_changes import assign, usable_key
from veritas.reviews.add_papers import Addition
from veritas.reviews.check_corpus import check
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.sources.bibliography_root import _path_in
from veritas.works.names import PersonName
from veritas.works.records import BibRecord

BIB = r"""
@article{TangPikal2005, title={Freeze-drying process design}, author={Tang, Xiaolin and Pikal, Michael}, year=2005,
  file={Full Text PDF:files/tang.pdf:application/pdf}, keywords={drying; vials}}
@article{bad key!, title={No key}, file={:files/patel.pdf:PDF}}
@article{patel:2023, title={Simulation}, author={Patel, Sajal}, year=2023, doi={10.1234/Patel}}
@book{nofile, title={A book}}
@article{TangPikal2005, title={The same key}, file={files/patel.pdf}}
@article{broken, title={never closed
"""


def adding(*paths: Path, **more: object) -> Addition:
    return asyncio.run(add_wanted(Wanted.model_validate({"name": "drying", "paths": paths, **more})))[-1]


def test_a_bibliography_gives_its_papers_their_keys_and_identity(tmp_path: Path) -> None:
    library(tmp_path / "files")
    (tmp_path / "10.1234_patel.pdf").write_bytes(pdf(PATEL))
    (tmp_path / "refs.bib").write_text(BIB)
    done = adding(tmp_path / "refs.bib")
    assert set(done.added) >= {"TangPikal2005", "patel:2023"}
    corpus = Corpus.open("drying")
    tang = corpus.paper("TangPikal2005")
    assert (tang.title, tang.year, tang.tags) == ("Freeze-drying process design", 2005, ("drying", "vials"))
    assert "@article{TangPikal2005," in corpus.bibliography()
    said = {str(problem).split(" ", 1)[1] for problem in done.problems}
    assert "has no file" in said
    assert any("has the key of an entry before it" in reason for reason in said)
    assert check(corpus).breaches == ()


def test_files_may_lie_in_another_folder_under_their_keys(tmp_path: Path) -> None:
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "tang2005.pdf").write_bytes(pdf(TANG))
    items = [{"id": "tang2005", "type": "article-journal", "title": "Design", "author": [{"family": "Tang"}],
              "issued": {"date-parts": [[2005]]}}]  # fmt: skip
    (tmp_path / "refs.json").write_text(json.dumps(items))
    assert adding(tmp_path / "refs.json", folder=tmp_path / "pdfs").added == ("tang2005",)


def test_a_bibliography_without_files_or_entries_is_refused(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@article{a, title={A paper}}")
    with pytest.raises(CorpusError, match="has a file"):
        adding(tmp_path / "refs.bib")
    for text in ("", "no bibliography", "\x00\x01\x02", "@article{"):
        (tmp_path / "refs.bib").write_bytes(text.encode())
        with pytest.raises(InputError):
            adding(tmp_path / "refs.bib")


@pytest.mark.parametrize(
    ("field", "path"),
    [
        (":a.pdf:PDF", "a.pdf"), ("Full Text:files/1/x.pdf:application/pdf", "files/1/x.pdf"), ("x/y.pdf", "x/y.pdf"),
        (r"C\:\\Users\\x.pdf", r"C:\Users\x.pdf"), (r"A \: b:c d.pdf:pdf", "c d.pdf"), ("  ", None),
    ],
)  # fmt: skip
def test_file_fields_of_jabref_and_zotero_are_understood(field: str, path: str | None) -> None:
    assert _path_in(field) == path


def test_the_verified_claims_of_a_run_become_claims_of_its_sources(tmp_path: Path) -> None:
    from veritas.use_cases import runs

    request = runs.make_request(question=QUESTION, corpus=[str(write_corpus(tmp_path))], tier="quick")
    graph = asyncio.run(runs.start(request))
    verified = {c.claim for c in graph.claims if c.verifier_judgment == "supports"}
    assert verified
    done = asyncio.run(add_wanted(Wanted(name="drying", run=graph.run.run_id)))[0]
    corpus = Corpus.open("drying")
    assert {claim.text for claim in corpus.claims()} <= verified
    assert {claim.extractor for claim in corpus.claims()} == {f"run:{graph.run.run_id}"}
    assert len(done.added) == len(corpus.papers()) >= 1
    assert check(corpus).breaches == ()
    # The exported graph holds passages alone; the same claims stand in them.
    exported = tmp_path / "graph.json"
    exported.write_text(graph.model_dump_json())
    asyncio.run(add_wanted(Wanted(name="other", run=str(exported))))
    assert {c.verbatim for c in Corpus.open("other").claims()} == {c.verbatim for c in corpus.claims()}
    assert check(Corpus.open("other")).breaches == ()


def test_what_is_no_run_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(InputError, match="is no claim graph"):
        adding(run=str(tmp_path / "x.json"))
    with pytest.raises(InputError, match="no run"):
        adding(run="20200101-000000-aaaaaa")


def record(family: str, year: int | None, title: str = "On drying") -> BibRecord:
    return BibRecord(source="bibtex", title=title, authors=(PersonName(family=family),), year=year)


def test_keys_are_author_and_year_with_letters_where_they_are_taken() -> None:
    wanted = [(f"w{i}", None, record("Müller", 2020)) for i in range(30)]
    keys = assign(wanted, {})
    assert [keys[f"w{i}"] for i in (0, 1, 2, 27, 28)] == [
        "muller2020", "muller2020a", "muller2020b", "muller2020aa", "muller2020ab",
    ]  # fmt: skip
    assert assign([("x", None, record("Ng", None))], {}) == {"x": "ngnd"}
    assert assign([("x", None, BibRecord(source="bibtex", title="The drying"))], {}) == {"x": "dryingnd"}


def test_a_key_stays_unless_its_owner_gives_another_that_is_free() -> None:
    held = {"a": "ng2020", "b": "ng2020a"}
    assert assign([("b", None, record("Ng", 2021))], held) == {"b": "ng2020a"}
    assert assign([("b", "ngBest", record("Ng", 2020))], held) == {"b": "ngBest"}
    assert assign([("b", "NG2020", record("Ng", 2020))], held) == {"b": "ng2020a"}  # taken, but for the case
    assert assign([("c", "ng2020", record("Ng", 2020))], held) == {"c": "ng2020b"}


@pytest.mark.parametrize("key", ["a b", "a,b", "a}b", "a%b", "", "ключ", "-a", "a\\b", "x" * 200])
def test_keys_that_latex_cannot_cite_are_not_taken(key: str) -> None:
    assert usable_key(key) is None


GIVEN = st.sampled_from([None, "k", "K", "ng2020"])


@given(st.lists(st.tuples(st.integers(0, 20), st.sampled_from(["Ng", "Ōta", "", "李"]), GIVEN), max_size=30))
def test_no_two_works_share_a_key(rows: list[tuple[int, str, str | None]]) -> None:
    wanted = [(f"w{number}", given, record(family, 2020)) for number, family, given in rows]
    keys = assign(wanted, {})
    assert len({key.casefold() for key in keys.values()}) == len(keys) == len({work for work, _, _ in wanted})
