"""Each source's records become the same `BibRecord`, and no record, however broken, raises."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.citations.citation_samples import (
    ARXIV,
    ATOM,
    AUTHORS,
    DOI,
    TITLE,
    bibtex,
    crossref,
    dblp,
    openalex,
    semantic_scholar,
)
from veritas.registries.records import SOURCES, normalise
from veritas.works.records import BibRecord, UpdateKind

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = [
    "title", "subtitle", "author", "authors", "year", "doi", "DOI", "externalIds", "authorships", "issued", "info",
    "message", "data", "attributes", "titles", "creators", "dates", "relation", "update-to", "updated-by", "locations",
    "primary_location", "entry", "relatedIdentifiers", "published", "venue", "publicationVenue", "type", "journal",
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "record"),
    [
        ("semantic_scholar", semantic_scholar()),
        ("semantic_scholar", {"data": [semantic_scholar()]}),
        ("openalex", openalex()),
        ("crossref", crossref()),
        ("crossref", {"status": "ok", "message": {"items": [crossref()]}}),
        ("dblp", dblp()),
        ("dblp", dblp()["info"]),
        ("bibtex", bibtex()),
        ("arxiv", ATOM),
    ],
)
def test_every_source_says_the_same_of_one_paper(source: str, record: Any) -> None:
    found = normalise(source, record)
    assert found.title == TITLE
    assert [name.family for name in found.authors] == [name.split()[1] for name in AUTHORS]
    assert found.year in (2022, 2023)
    assert found.doi == (DOI.lower() if source != "arxiv" else f"10.48550/arxiv.{ARXIV}")
    assert found.problems == ()


@pytest.mark.parametrize("source", SOURCES)
@settings(max_examples=30)
@given(record=JSON | st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6))
def test_no_record_raises(source: str, record: Any) -> None:
    found = normalise(source, record)
    assert isinstance(found, BibRecord)
    assert found.source == source
    found.model_dump_json()


def test_deep_nesting_is_unreadable_and_nothing_worse() -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"message": deep, "data": deep, "info": deep, "entry": deep}
    for source in SOURCES:
        assert normalise(source, deep).title is None


def test_openalex_says_retracted_and_its_silence_says_nothing() -> None:
    assert normalise("openalex", openalex(is_retracted=True)).retracted
    assert not normalise("openalex", openalex(is_retracted=False)).retracted


def _update(doi: str, kind: str, source: str = "publisher") -> dict[str, Any]:
    return {"DOI": doi, "type": kind, "source": source, "updated": {"date-parts": [[2010, 2, 6]]}}


def test_crossref_updates_are_told_apart() -> None:
    kinds = {
        "retraction": UpdateKind.RETRACTION,
        "partial_retraction": UpdateKind.PARTIAL_RETRACTION,
        "withdrawal": UpdateKind.WITHDRAWAL,
        "removal": UpdateKind.WITHDRAWAL,
        "expression_of_concern": UpdateKind.CONCERN,
        "correction": UpdateKind.CORRECTION,
        "erratum": UpdateKind.CORRECTION,
        "new_version": UpdateKind.NEW_VERSION,
        "something_else": UpdateKind.OTHER,
    }
    for written, kind in kinds.items():
        found = normalise("crossref", crossref(**{"updated-by": [_update("10.1000/notice", written)]}))
        assert [(update.kind, update.of_this, update.date) for update in found.updates] == [(kind, True, "2010-02-06")]
        assert found.retracted is (kind in (UpdateKind.RETRACTION, UpdateKind.WITHDRAWAL))


def test_crossref_notice_points_at_the_paper_and_is_not_itself_retracted() -> None:
    notice = crossref(title=["Retraction: A study"], **{"update-to": [_update("10.1000/paper", "retraction")]})
    found = normalise("crossref", notice)
    assert [(update.of_this, update.doi) for update in found.updates] == [(False, "10.1000/paper")]
    assert not found.retracted


def test_crossref_paper_that_carries_both_directions_is_the_retracted_one() -> None:
    both = crossref(
        title=["RETRACTED: A study"],
        **{
            "updated-by": [
                _update("10.1000/concern", "expression_of_concern"),
                _update("10.1000/notice", "retraction"),
            ],
            "update-to": [_update("10.1000/notice", "retraction"), _update("10.1000/concern", "retraction")],
        },
    )
    found = normalise("crossref", both)
    assert found.title == "A study"
    assert sorted((update.kind.value, update.doi) for update in found.updates if update.of_this) == [
        ("expression_of_concern", "10.1000/concern"),
        ("retraction", "10.1000/notice"),
    ]
    assert all(update.of_this for update in found.updates)


def test_arxiv_published_doi_withdrawal_and_error_entry() -> None:
    record = {"id": ARXIV, "title": "T", "doi": DOI, "comment": "This paper has been withdrawn by the authors"}
    found = normalise("arxiv", record)
    assert found.doi == DOI.lower()
    assert found.retracted
    assert not normalise("arxiv", ATOM).retracted
    assert normalise("arxiv", {"id": "https://arxiv.org/api/errors#bad", "title": "Error"}).title is None


@pytest.mark.parametrize(
    "xml",
    [
        "<!DOCTYPE x [<!ENTITY a 'b'>]><entry><title>&a;</title></entry>",
        ATOM.replace("</feed>", "<entry><title>second</title></entry></feed>"),
        "<feed xmlns='http://www.w3.org/2005/Atom'></feed>",
        "<entry><title>cut",
        "\x00",
    ],
)
def test_arxiv_xml_that_is_hostile_cut_or_not_one_entry_is_unreadable(xml: str) -> None:
    found = normalise("arxiv", xml)
    assert found.title is None
    assert found.problems


@pytest.mark.parametrize(
    ("author", "families", "complete"),
    [
        ("Liang, Jacky and Huang, Wenlong", ["Liang", "Huang"], True),
        ("{The ATLAS Collaboration} and {Barnes and Noble}", ["The ATLAS Collaboration", "Barnes and Noble"], True),
        ("Jacky Liang et al.", ["Liang"], False),
        ("Jacky Liang, Wenlong Huang, Fei Xia", ["Liang", "Huang", "Xia"], True),
        ([{"family": "Liang", "given": "Jacky"}, {"name": "Fei Xia"}], ["Liang", "Xia"], True),
    ],
)
def test_bibtex_author_fields(author: Any, families: list[str], complete: bool) -> None:
    found = normalise("bibtex", bibtex(author=author))
    assert [name.family for name in found.authors] == families
    assert found.authors_complete is complete
