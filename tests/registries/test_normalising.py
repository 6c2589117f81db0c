"""Each source's records become the same `BibRecord`, and no record, however broken, raises."""

from __future__ import annotations

import json
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
from veritas import InputError
from veritas.registries.records import SOURCES, normalise
from veritas.works.records import BibRecord, Kind, UpdateKind

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


def test_an_unknown_source_is_an_input_error_that_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="semantic_scholar"):
        normalise("scholar", {})


@pytest.mark.parametrize("source", SOURCES)
@settings(max_examples=60)
@given(record=JSON | st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6))
def test_no_record_raises(source: str, record: Any) -> None:
    found = normalise(source, record)
    assert isinstance(found, BibRecord)
    assert found.source == source
    found.model_dump_json()


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("record", [None, 7, "", "<html>", [], [[]], {}, {"title": None}, {"data": 1}])
def test_what_cannot_be_read_has_no_title(source: str, record: Any) -> None:
    assert normalise(source, record).title is None


def test_deep_nesting_is_unreadable_and_nothing_worse() -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"message": deep, "data": deep, "info": deep, "entry": deep}
    for source in SOURCES:
        assert normalise(source, deep).title is None


def test_semantic_scholar_names_preprint_and_publication() -> None:
    found = normalise("semantic_scholar", semantic_scholar())
    assert (found.arxiv_id, found.dblp_key, found.kind) == (ARXIV, "conf/icra/LiangHXXHIFZ23", Kind.PROCEEDINGS)
    preprint = normalise("semantic_scholar", semantic_scholar(externalIds={"DOI": f"10.48550/arXiv.{ARXIV}"}))
    assert (preprint.arxiv_id, preprint.kind) == (ARXIV, Kind.PREPRINT)


def test_openalex_finds_the_preprint_among_the_locations_and_distrusts_its_type() -> None:
    places = [
        {"landing_page_url": f"https://doi.org/{DOI}", "source": None},
        {"landing_page_url": f"http://arxiv.org/abs/{ARXIV}", "source": {"type": "repository"}},
    ]
    found = normalise("openalex", openalex(type="preprint", locations=places))
    assert found.arxiv_id == ARXIV
    assert found.kind is not Kind.PREPRINT
    assert found.related[0].arxiv_id == ARXIV


def test_openalex_says_retracted_and_its_silence_says_nothing() -> None:
    assert normalise("openalex", openalex(is_retracted=True)).retracted
    assert not normalise("openalex", openalex(is_retracted=False)).retracted


def test_crossref_dates_subtitle_and_markup() -> None:
    found = normalise(
        "crossref",
        crossref(
            title=["Time &amp; <i>Space</i>"],
            subtitle=["A survey"],
            **{"published-print": {"date-parts": [[2024, 1]]}, "published-online": {"date-parts": [[2022, 12, 3]]}},
        ),
    )
    assert (found.title, found.subtitle, found.full_title) == ("Time & Space", "A survey", "Time & Space: A survey")
    assert (found.year, found.years) == (2023, (2022, 2023, 2024))
    assert normalise("crossref", crossref(issued={"date-parts": [[None]]})).year is None


def test_crossref_corporate_author_and_relation_to_the_preprint() -> None:
    found = normalise(
        "crossref",
        crossref(
            author=[{"name": "The ATLAS Collaboration", "sequence": "first"}],
            relation={
                "has-preprint": [{"id-type": "doi", "id": "10.1101/2023.08.30.555473"}],
                "has-review": [{"id-type": "doi", "id": "10.3410/f.1"}],
            },
        ),
    )
    assert found.authors[0].corporate
    assert [related.doi for related in found.related] == ["10.1101/2023.08.30.555473"]


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


def test_a_new_version_of_itself_is_no_retraction() -> None:
    itself = {"updated-by": [_update(DOI, "new_version")], "update-to": [_update(DOI, "new_version")]}
    found = normalise("crossref", crossref(**itself))
    assert [update.kind for update in found.updates] == [UpdateKind.NEW_VERSION]
    assert not found.retracted


def test_a_title_may_say_retracted_where_nothing_else_does() -> None:
    for source, record in (("crossref", crossref(title=["RETRACTED: A"])), ("dblp", dblp(title="WITHDRAWN: A."))):
        found = normalise(source, record)
        assert found.title == "A"
        assert found.retracted


def test_dblp_single_author_corr_key_and_full_stop() -> None:
    found = normalise(
        "dblp",
        dblp(
            authors={"author": {"text": "Ivan Heibi"}},
            venue="CoRR",
            key="journals/corr/abs-1811-06114",
            doi=None,
            ee=["https://arxiv.org/abs/1811.06114"],
        ),
    )
    assert [str(name) for name in found.authors] == ["Ivan Heibi"]
    assert (found.arxiv_id, found.kind, found.title) == ("1811.06114", Kind.PREPRINT, TITLE)


def test_datacite_names_relations_and_subtitle() -> None:
    attributes = {
        "doi": "10.48550/arXiv.1902.02534",
        "creators": [
            {"name": "Heibi, Ivan", "givenName": "Ivan", "familyName": "Heibi"},
            {"name": "OpenCitations", "nameType": "Organizational"},
        ],
        "titles": [{"title": "Crowdsourcing"}, {"title": "a proposal", "titleType": "Subtitle"}],
        "publicationYear": 2019,
        "publisher": {"name": "arXiv"},
        "types": {"resourceTypeGeneral": "Preprint"},
        "dates": [{"date": "2018-12-31", "dateType": "Submitted"}, {"date": "2026", "dateType": "Updated"}],
        "relatedIdentifiers": [
            {"relationType": "IsVersionOf", "relatedIdentifier": "10.5281/zenodo.1", "relatedIdentifierType": "DOI"},
            {"relationType": "Cites", "relatedIdentifier": "10.1000/cited", "relatedIdentifierType": "DOI"},
        ],
    }
    found = normalise("datacite", {"data": {"id": "x", "attributes": attributes}})
    assert (found.arxiv_id, found.kind, found.full_title) == ("1902.02534", Kind.PREPRINT, "Crowdsourcing: a proposal")
    assert [name.corporate for name in found.authors] == [False, True]
    assert (found.year, found.years, found.venue) == (2019, (2018, 2019), "arXiv")
    assert [related.doi for related in found.related] == ["10.5281/zenodo.1"]


@pytest.mark.parametrize(
    "record",
    [
        {"id": f"arXiv:{ARXIV}v4", "title": "T", "authors": [{"name": "A B"}], "published": "2022-09-16"},
        {"entry": {"id": f"arXiv:{ARXIV}v4", "title": {"#text": "T"}, "author": {"name": "A B"}, "published": "2022"}},
        {"entry_id": f"arXiv:{ARXIV}", "title": "T", "authors": ["A B"], "published": "2022-09-16T00:00Z"},
    ],
)
def test_arxiv_as_dictionaries_that_parsers_make(record: dict[str, Any]) -> None:
    found = normalise("arxiv", record)
    assert (found.arxiv_id, found.title, found.year, str(found.authors[0])) == (ARXIV, "T", 2022, "A B")


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
        ("Jacky Liang AND Wenlong Huang and others", ["Liang", "Huang"], False),
        ("{The ATLAS Collaboration} and {Barnes and Noble}", ["The ATLAS Collaboration", "Barnes and Noble"], True),
        (r"G{\"o}del, Kurt and {\O}re, {\O}ystein", ["Gödel", "Øre"], True),
        ("Jacky Liang et al.", ["Liang"], False),
        ("Jacky Liang; Wenlong Huang", ["Liang", "Huang"], True),
        ("Jacky Liang, Wenlong Huang, Fei Xia", ["Liang", "Huang", "Xia"], True),
        (["Jacky Liang", "Huang, Wenlong", "et al"], ["Liang", "Huang"], False),
        ([{"family": "Liang", "given": "Jacky"}, {"name": "Fei Xia"}], ["Liang", "Xia"], True),
        ("", [], True),
    ],
)
def test_bibtex_author_fields(author: Any, families: list[str], complete: bool) -> None:
    found = normalise("bibtex", bibtex(author=author))
    assert [name.family for name in found.authors] == families
    assert found.authors_complete is complete


def test_bibtex_identifiers_come_from_whatever_field_holds_them() -> None:
    assert normalise("bibtex", bibtex(doi=None, url=f"https://doi.org/{DOI}")).doi == DOI.lower()
    assert normalise("bibtex", bibtex(eprint=ARXIV, archivePrefix="arXiv")).arxiv_id == ARXIV
    assert normalise("bibtex", bibtex(journal=f"arXiv preprint arXiv:{ARXIV}")).arxiv_id == ARXIV
    assert normalise("bibtex", bibtex(doi=f"10.48550/arXiv.{ARXIV}")).kind is Kind.PREPRINT
    assert normalise("bibtex", bibtex(eprint="hal-01234567", eprinttype="hal")).arxiv_id is None
    broken = normalise("bibtex", bibtex(doi="forthcoming", year="in press"))
    assert (broken.doi, broken.year) == (None, None)
    assert [problem.split(":")[0] for problem in broken.problems] == ["doi", "year"]


def test_bibtex_field_names_in_any_case_and_entries_with_their_fields_apart() -> None:
    upper = normalise("bibtex", {key.upper(): value for key, value in bibtex().items()})
    apart = normalise("bibtex", {"ENTRYTYPE": "inproceedings", "fields": bibtex()})
    assert upper.title == apart.title == TITLE
    assert apart.kind is Kind.PROCEEDINGS


def test_numbers_where_text_was_expected_and_the_reverse() -> None:
    assert normalise("bibtex", bibtex(year=2023)).year == 2023
    assert normalise("semantic_scholar", semantic_scholar(year="2022")).year == 2022
    assert normalise("openalex", openalex(publication_year=True)).year is None
    assert normalise("openalex", openalex(publication_year=10**400)).year is None
    assert normalise("openalex", json.loads('{"title": "T", "publication_year": 1e400}')).year is None
