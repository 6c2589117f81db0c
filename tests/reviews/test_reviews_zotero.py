"""Zotero over real HTTP on loopback: collections, search, attachments, paging, and a server that is rude or gone."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.loopback.zotero_server import Fault, ZoteroServer, attachment, item, zotero_server
from tests.reviews.papers import PATEL, TANG, pdf
from veritas import InputError, Unavailable
from veritas.reviews.add_papers import Addition
from veritas.reviews.check_corpus import check
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.sources.zotero_root import connect
from veritas.reviews.zotero.library_search import ItemFilters, ItemHit, search_library

ITEMS = [
    item("AAAA1111", TANG["title"], authors=["Xiaolin Tang", "Michael Pikal"], date="2005-04-01", DOI="10.1234/TANG",
         tags=["drying", "process design"], abstractNote="Manometric temperature measurement of drying.",
         collections=["COLL0001"], extra="Citation Key: tangProcess2005\nPMID: 1"),
    attachment("AAAA2222", "AAAA1111", "Tang 2005.pdf"),
    item("BBBB1111", PATEL["title"], authors=["Sajal Patel"], date="12/2023", kind="conferencePaper",
         tags=["simulation"], collections=["COLL0002"], proceedingsTitle="Drying <i>Days</i>"),
    attachment("BBBB2222", "BBBB1111", "patel.pdf"),
    item("CCCC1111", "Sourdough bread", authors=["Ann Baker"], date="1999", tags=["bread"], kind="book"),
    item("DDDD1111", "Notes on nothing", kind="note"),
]  # fmt: skip
COLLECTIONS = {"COLL0001": ("Lyophilization", None), "COLL0002": ("Models", "COLL0001"),
               "COLL0003": ("Models", "COLL0004"),
               "COLL0004": ("Other", None)}  # fmt: skip
FILES = {"AAAA2222": pdf(TANG), "BBBB2222": pdf(PATEL)}


@pytest.fixture
def zotero(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ZoteroServer]:
    words = {"CCCC1111": "freeze drying of bread"}
    with zotero_server(list(ITEMS), COLLECTIONS, dict(FILES), page=3, full_text=words) as server:
        monkeypatch.setenv("VERITAS_ZOTERO_URL", server.url)
        monkeypatch.setenv("VERITAS_ZOTERO_STORAGE", str(tmp_path / "storage"))
        yield server


def adding(**more: object) -> Addition:
    return asyncio.run(add_wanted(Wanted.model_validate({"name": "drying", **more})))[-1]


def searched(topic: str, **more: object) -> list[ItemHit]:
    return list(asyncio.run(search_library(connect(), topic, **more)))  # type: ignore[arg-type]


def test_a_collection_with_those_below_it_becomes_papers_under_their_own_keys(zotero: ZoteroServer) -> None:
    done = adding(zotero="lyophilization")
    assert done.added == ("patel2023", "tangProcess2005")
    corpus = Corpus.open("drying")
    tang = corpus.paper("tangProcess2005")
    assert (tang.authors, tang.year, tang.doi) == (("Xiaolin Tang", "Michael Pikal"), 2005, "10.1234/tang")
    assert (tang.tags, tang.item_type, tang.url) == (
        ("drying", "process design"), "journalArticle", "https://doi.org/10.1234/tang",
    )  # fmt: skip
    assert "booktitle={Drying Days}" in corpus.bibliography(["patel2023"])
    assert {claim.year for claim in corpus.claims()} == {2005, 2023}
    assert check(corpus).breaches == ()


def test_the_nightly_look_takes_over_what_changed_and_what_is_gone(zotero: ZoteroServer) -> None:
    adding(zotero="COLL0001")
    zotero.items = [i for i in ITEMS if i["key"] != "BBBB1111"]
    zotero.items[0] = item("AAAA1111", TANG["title"], authors=["Xiaolin Tang"], date="2006", collections=["COLL0001"],
                           DOI="10.1234/TANG", extra="Citation Key: tang2006process")  # fmt: skip
    done = adding(zotero="COLL0001")
    assert (done.changed, done.removed) == (("tang2006process",), ("patel2023",))
    corpus = Corpus.open("drying")
    assert {(claim.paper_key, claim.year) for claim in corpus.claims()} == {("tang2006process", 2006)}
    assert check(corpus).breaches == ()
    assert adding(zotero="COLL0001").unchanged == ("tang2006process",)


def test_attachments_are_read_from_the_storage_folder_before_the_server_is_asked(
    zotero: ZoteroServer, tmp_path: Path
) -> None:
    kept = tmp_path / "storage" / "AAAA2222"
    kept.mkdir(parents=True)
    (kept / "Tang 2005.pdf").write_bytes(FILES["AAAA2222"])
    adding(zotero="COLL0001")
    assert [a.path.split("/")[-2] for a in zotero.asked if a.path.endswith("/file")] == ["BBBB2222"]


def test_a_file_that_the_local_api_points_to_is_read(zotero: ZoteroServer, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.pdf").write_bytes(pdf(TANG))
    zotero.files = {"AAAA2222": tmp_path / "elsewhere.pdf", "BBBB2222": tmp_path / "gone.pdf"}
    done = adding(zotero="COLL0001")
    assert done.added == ("tangProcess2005",)
    assert [problem.source for problem in (*done.problems, *done.unavailable)] == ["BBBB1111"]


def test_the_web_api_points_to_no_file_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "own.pdf").write_bytes(pdf(TANG))
    files = {"AAAA2222": tmp_path / "own.pdf"}
    with zotero_server(list(ITEMS[:2]), COLLECTIONS, files, key="secret") as server:
        monkeypatch.setenv("VERITAS_ZOTERO_URL", server.url)
        monkeypatch.setenv("VERITAS_ZOTERO_KEY", "secret")
        (problem,) = adding(zotero="COLL0001").problems
    assert "by a server that is not on it" in problem.reason


def test_a_file_name_from_a_stranger_leads_to_no_other_folder(zotero: ZoteroServer, tmp_path: Path) -> None:
    (tmp_path / "storage" / "AAAA2222").mkdir(parents=True)
    (tmp_path / "storage" / "secret.txt").write_text("The secret recipe holds 12 spices in all.")
    zotero.items = [ITEMS[0], attachment("AAAA2222", "AAAA1111", "../secret.txt", contentType="text/plain")]
    zotero.files = {}
    done = adding(zotero="COLL0001")
    assert done.added == ()
    assert [problem.source for problem in done.problems] == ["AAAA1111"]


def test_missing_attachments_are_named_and_the_rest_is_added(zotero: ZoteroServer) -> None:
    del zotero.files["AAAA2222"]
    done = adding(zotero="COLL0001")
    assert done.added == ("patel2023",)
    (problem,) = done.problems
    assert "neither in Zotero's storage folder nor on its server" in problem.reason


def test_items_without_a_file_and_notes_are_no_papers(zotero: ZoteroServer) -> None:
    done = adding(zotero="all")
    assert done.added == ("patel2023", "tangProcess2005")
    assert [str(problem) for problem in done.problems] == ["CCCC1111 has no file"]


ABSTRACT = "Dried skim milk kept its protein for two years when the storage temperature stayed below 4 °C."


def test_an_item_without_a_file_is_read_by_its_abstract(zotero: ZoteroServer) -> None:
    zotero.items.append(item("EEEE1111", "Dried milk", authors=["Ann Baker"], date="2001", abstractNote=ABSTRACT))
    done = adding(zotero="all")
    assert "baker2001" in done.added
    assert ABSTRACT in [claim.verbatim for claim in Corpus.open("drying").claims()]
    assert "EEEE1111 has no file; its abstract was read" in map(str, done.problems)


def database(folder: Path) -> Path:
    """A `zotero.sqlite` with a collection of one work, its PDF beside it, and a work in the bin."""
    path = folder / "zotero.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript("""
            CREATE TABLE items (itemID INTEGER, itemTypeID INTEGER, key TEXT);
            CREATE TABLE itemTypes (itemTypeID INTEGER, typeName TEXT); CREATE TABLE deletedItems (itemID INTEGER);
            CREATE TABLE fields (fieldID INTEGER, fieldName TEXT); CREATE TABLE itemDataValues (valueID INTEGER, value);
            CREATE TABLE itemData (itemID INTEGER, fieldID INTEGER, valueID INTEGER);
            CREATE TABLE creators (creatorID INTEGER, firstName TEXT, lastName TEXT, fieldMode INTEGER);
            CREATE TABLE creatorTypes (creatorTypeID INTEGER, creatorType TEXT);
            CREATE TABLE itemCreators (itemID INTEGER, creatorID INTEGER, creatorTypeID INTEGER, orderIndex INTEGER);
            CREATE TABLE tags (tagID INTEGER, name TEXT); CREATE TABLE itemTags (itemID INTEGER, tagID INTEGER);
            CREATE TABLE itemAttachments (itemID INTEGER, parentItemID INTEGER, linkMode INTEGER, contentType TEXT,
                path TEXT);
            CREATE TABLE collections (collectionID INTEGER, collectionName TEXT, parentCollectionID INTEGER, key TEXT);
            CREATE TABLE collectionItems (collectionID INTEGER, itemID INTEGER);
            INSERT INTO itemTypes VALUES (1, 'journalArticle'), (2, 'attachment');
            INSERT INTO items VALUES (1, 1, 'AAAA1111'), (2, 2, 'AAAA2222'), (3, 1, 'FFFF1111');
            INSERT INTO deletedItems VALUES (3);
            INSERT INTO fields VALUES (1, 'title'), (2, 'date'), (3, 'DOI');
            INSERT INTO itemData VALUES (1, 1, 1), (1, 2, 2), (1, 3, 3);
            INSERT INTO itemDataValues VALUES (2, '2005-04-01 April 2005'), (3, '10.1234/TANG');
            INSERT INTO creators VALUES (1, 'Xiaolin', 'Tang', 0), (2, '', 'The Drying Group', 1);
            INSERT INTO creatorTypes VALUES (1, 'author');
            INSERT INTO itemCreators VALUES (1, 2, 1, 1), (1, 1, 1, 0);
            INSERT INTO tags VALUES (1, 'drying'); INSERT INTO itemTags VALUES (1, 1);
            INSERT INTO itemAttachments VALUES (2, 1, 0, 'application/pdf', 'storage:Tang 2005.pdf');
            INSERT INTO collections VALUES (1, 'Thesis', NULL, 'COLL0001'), (2, 'Drying', 1, 'COLL0002');
            INSERT INTO collectionItems VALUES (2, 1);
        """)
        db.execute("INSERT INTO itemDataValues VALUES (1, ?)", (TANG["title"],))
        db.commit()
    kept = folder / "storage" / "AAAA2222" / "Tang 2005.pdf"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(pdf(TANG))
    return path


def test_a_copied_database_is_read_without_zotero(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = database(tmp_path)
    monkeypatch.setenv("VERITAS_ZOTERO_URL", str(path))
    done = adding(zotero="Thesis/Drying")
    assert (done.added, done.problems) == (("tang2005",), ())
    tang = Corpus.open("drying").paper("tang2005")
    assert (tang.authors, tang.doi, tang.tags) == (("Xiaolin Tang", "The Drying Group"), "10.1234/tang", ("drying",))
    assert adding(zotero="Thesis").added == ()
    assert [hit.key for hit in searched("drying")] == ["AAAA1111"]
    path.write_bytes(b"no database")
    with pytest.raises(InputError, match="Zotero database"):
        adding(zotero="all")


@pytest.mark.parametrize("named", ["Models", "nothing"])
def test_a_collection_that_is_none_or_several_is_refused(zotero: ZoteroServer, named: str) -> None:
    with pytest.raises(InputError, match=r"several collections|no collection"):
        adding(zotero=named)
    assert adding(zotero="Lyophilization/Models").added == ("patel2023",)


def test_search_joins_its_strategies_and_ranks_by_title_abstract_and_tags(zotero: ZoteroServer) -> None:
    hits = searched("drying temperature")
    assert [hit.key for hit in hits] == ["AAAA1111", "BBBB1111"]
    assert set(hits[0].found_by) >= {"keyword", "full text", "tags", "word drying"}
    assert hits[0].score > hits[1].score
    assert [hit.key for hit in searched("freeze bread")] == ["CCCC1111", "AAAA1111"]


def test_search_is_narrowed_by_type_year_and_tag(zotero: ZoteroServer) -> None:
    assert [h.key for h in searched("drying", filters=ItemFilters(year_from=2010))] == ["BBBB1111"]
    assert [h.key for h in searched("drying", filters=ItemFilters(tags=frozenset({"Drying"})))] == ["AAAA1111"]
    assert [h.key for h in searched("drying", filters=ItemFilters(item_types=frozenset({"book"})))] == ["CCCC1111"]


def test_search_also_asks_the_claims_of_the_corpus(zotero: ZoteroServer) -> None:
    adding(zotero="COLL0001")
    corpus = Corpus.open("drying")
    hits = searched("thermocouples in sucrose vials", corpus=corpus)
    assert (hits[0].key, hits[0].found_by[-1]) == ("AAAA1111", "claims")


def test_a_topic_adds_the_best_and_removes_nothing(zotero: ZoteroServer) -> None:
    assert adding(zotero_topic="simulation").added == ("patel2023",)
    assert adding(zotero_topic="manometric temperature").added == ("tangProcess2005",)
    assert len(Corpus.open("drying").papers()) == 2


def test_a_server_that_asks_for_patience_is_asked_again(zotero: ZoteroServer) -> None:
    answers = iter([Fault(429, {"Retry-After": "1"}), Fault(429, {"Backoff": "1"})])
    zotero.fault = lambda asked: next(answers, None)
    assert len(searched("bread")) == 1
    assert len(zotero.asked) >= 5


def test_a_server_that_asks_to_wait_for_hours_is_unavailable_at_once(zotero: ZoteroServer) -> None:
    zotero.fault = lambda asked: Fault(429, {"Retry-After": "7200"})
    with pytest.raises(Unavailable, match="wait for 7,"):
        adding(zotero="all")


@pytest.mark.parametrize("fault", [Fault(drop=True), Fault(500), Fault(200, body=b"<html>"),
                                   Fault(200, body=b"[1, 2]"), Fault(200, body=b"[{}]")])  # fmt: skip
def test_a_server_that_fails_changes_nothing(zotero: ZoteroServer, fault: Fault) -> None:
    adding(zotero="COLL0001")
    before = Corpus.open("drying").claims()
    zotero.fault = lambda asked: fault
    with pytest.raises((Unavailable, InputError)):
        adding(zotero="COLL0001")
    assert Corpus.open("drying").claims() == before


def test_a_file_that_cannot_be_had_now_waits_and_its_claims_stay(zotero: ZoteroServer) -> None:
    adding(zotero="COLL0001")
    zotero.fault = lambda asked: Fault(503) if asked.path.endswith("/file") else None
    done = adding(zotero="COLL0001")
    assert {problem.source for problem in done.unavailable} == {"AAAA1111", "BBBB1111"}
    assert done.removed == ()
    assert len(Corpus.open("drying").papers()) == 2


def test_nobody_at_home_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERITAS_ZOTERO_URL", "http://127.0.0.1:9/api")
    with pytest.raises(Unavailable, match="no readable answer"):
        adding(zotero="all")
    monkeypatch.setenv("VERITAS_ZOTERO_LIBRARY", "users/me")
    with pytest.raises(InputError, match="VERITAS_ZOTERO_LIBRARY"):
        adding(zotero="all")


def test_the_web_api_is_asked_with_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with zotero_server(ITEMS, COLLECTIONS, dict(FILES), key="secret") as server:
        monkeypatch.setenv("VERITAS_ZOTERO_URL", server.url)
        monkeypatch.setenv("VERITAS_ZOTERO_KEY", "wrong")
        with pytest.raises(Unavailable, match="does not let us read") as refused:
            adding(zotero="all")
        assert "wrong" not in str(refused.value)
        monkeypatch.setenv("VERITAS_ZOTERO_KEY", "secret")
        monkeypatch.setenv("VERITAS_ZOTERO_LIBRARY", "groups/77")
        assert len(adding(zotero="COLL0001").added) == 2
        assert server.asked[-1].path.startswith("/groups/77/")
