"""Which records can deny a title, an author or a year: those that keep them whole, or two that agree."""

from __future__ import annotations

import pytest

from veritas.citations.bibliography._author_differences import author_differences
from veritas.citations.bibliography._record_differences import (
    title_difference,
    year_difference,
)
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import load_triangulation_policy
from veritas.works.names import PersonName
from veritas.works.records import BibRecord, Kind

POLICY, SETTINGS = load_triangulation_policy(), BibSettings()
TITLE = "Barley under shade in the wet year"
ANN, BEN = PersonName(family="Field", given="Ann"), PersonName(family="Furrow", given="Ben")
STRANGER = PersonName(family="Adeyemi", given="Quillon")


def record(source: str, **changes: object) -> BibRecord:
    said = {"title": TITLE, "authors": (ANN, BEN), "year": 2019, "years": (2019,), "kind": Kind.PROCEEDINGS}
    return BibRecord(source=source, **{**said, **changes})


def cited(**changes: object) -> BibRecord:
    return record("bibtex", **{"years": (), **changes})


@pytest.mark.parametrize(
    ("kind", "records", "invented"),
    [
        (Kind.PROCEEDINGS, [record("dblp")], True),
        (Kind.PROCEEDINGS, [record("crossref"), record("openalex")], False),
        (Kind.PROCEEDINGS, [record("openalex", kind=Kind.PREPRINT)], False),
        (Kind.PREPRINT, [record("openalex", kind=Kind.PREPRINT)], True),
    ],
    ids=["DBLP", "Crossref drops subtitles", "a preprint for a paper", "a preprint for itself"],
)
def test_one_source_denies_a_subtitle_only_where_it_keeps_titles_whole(
    kind: Kind, records: list[BibRecord], invented: bool
) -> None:
    (told,) = title_difference(cited(title=f"{TITLE}: Why It Fails", kind=kind), records, POLICY)
    assert (told.code, told.minor) == ("subtitle", not invented)


@pytest.mark.parametrize(
    ("records", "code"),
    [
        ([record("dblp")], "invented"),
        ([record("crossref")], "unlisted"),
        ([record("dblp", kind=Kind.PREPRINT, arxiv_id="1901.00001")], "unlisted"),
    ],
    ids=["DBLP", "Crossref", "a preprint may gain authors"],
)
def test_one_source_denies_an_added_author_only_where_it_lists_everybody(records: list[BibRecord], code: str) -> None:
    (told,) = author_differences(cited(authors=(ANN, BEN, STRANGER)), records, SETTINGS, POLICY)
    assert (told.code, told.minor) == (code, code != "invented")


@pytest.mark.parametrize(
    ("citation", "records", "exact"),
    [
        (cited(year=2018), [record("crossref"), record("dblp")], True),
        (cited(year=2018), [record("crossref"), record("openalex")], False),
        (cited(year=2018), [record("crossref"), record("dblp", year=2020, years=(2020,))], False),
        (cited(year=2018, venue="FIELD 2018"), [record("crossref"), record("dblp")], False),
        (cited(year=2018, venue="Proceedings of FIELD'18"), [record("crossref"), record("dblp")], False),
        (cited(year=2018, kind=Kind.JOURNAL), [record("crossref"), record("dblp")], False),
        (cited(year=2018, kind=Kind.JOURNAL, venue="ICCV"), [record("crossref", venue="ICCV"), record("dblp")], True),
        (cited(year=2018, kind=Kind.JOURNAL, venue="Soil"), [record("crossref", venue="ICCV"), record("dblp")], False),
        (cited(year=2018, venue="ICCV"), [record("dblp", venue="ICCV", arxiv_id="1904.00001")], True),
        (cited(year=2018, venue="ICCV"), [record("crossref", venue="ICCV", arxiv_id="1904.00001")], False),
        (cited(year=2018, venue="ICCV"), [record("dblp", venue="ICCV", arxiv_id="1804.00001")], None),
        (cited(year=2020, venue="ICCV"), [record("dblp", venue="ICCV", arxiv_id="1904.00001")], False),
        (cited(year=2020, venue="ICCV"), [record("crossref", venue="2019 IEEE/CVF ICCV")], True),
        (cited(year=2018, venue="ICCV"), [record("crossref", venue="ICCV 2018"), record("dblp")], False),
        (cited(year=2018, arxiv_id="1812.00001"), [record("crossref"), record("dblp")], False),
    ],
    ids=[
        "two agree", "one inherits", "they differ", "the venue says so", "in two digits", "a journal",
        "an article in a meeting", "an article elsewhere", "DBLP and the number", "Crossref and the number",
        "the number explains it", "later than the number", "the meeting's name", "a record's venue speaks for it",
        "its own number speaks for it",
    ],
)
def test_a_year_one_off_is_an_error_where_two_sources_date_the_meeting(
    citation: BibRecord, records: list[BibRecord], exact: bool | None
) -> None:
    told = year_difference(citation, records, SETTINGS, POLICY)
    expected = [] if exact is None else [("exact" if exact else "", not exact)]
    assert [(each.code, each.minor) for each in told] == expected


@pytest.mark.parametrize(
    ("source", "year", "code"),
    [("openalex", 2021, "unseen_edition"), ("crossref", 2021, ""), ("openalex", 2017, ""), ("openalex", 2023, "")],
    ids=["its issue may be later", "Crossref knows the issue", "earlier than online", "too late for an issue"],
)
def test_the_first_day_online_denies_no_year_of_an_issue(source: str, year: int, code: str) -> None:
    (told,) = year_difference(
        cited(year=year, kind=Kind.JOURNAL), [record(source, kind=Kind.JOURNAL)], SETTINGS, POLICY
    )
    assert (told.code, told.minor) == (code, bool(code))
