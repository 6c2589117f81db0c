"""Which records can deny a title, an author or a year: those that keep them whole, or two that agree."""

from __future__ import annotations

import pytest

from veritas.citations._venues import same_venue
from veritas.citations._work_aware import compare_work_aware
from veritas.citations.bibliography._author_differences import author_differences
from veritas.citations.bibliography._differences import decisive_differences
from veritas.citations.bibliography._record_differences import EXACT_YEAR, title_difference, year_difference, years_of
from veritas.citations.bibliography._registry_evidence import Candidate
from veritas.citations.bibliography._venue_differences import venue_difference
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form, may_share_a_title
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import load_triangulation_policy
from veritas.registries.scholarly_source import Found
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
    return record("bibtex", **changes)


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


def test_every_year_between_two_versions_on_arxiv_is_one_of_the_work() -> None:
    versions = record("arxiv", year=2016, years=(2016, 2019), kind=Kind.PREPRINT)
    assert years_of([versions]) == {2016, 2017, 2018, 2019}
    assert years_of([record("crossref", year=2016, years=(2016, 2019))]) == {2016, 2019}


@pytest.mark.parametrize(
    ("mine", "theirs", "slight"),
    [
        ("Barley statistics 2019", "Barley statistics 2018", False),
        ("Barley under shade, part II", "Barley under shade, part III", False),
        ("Barley under shades", "Barley under shade", True),
    ],
)
def test_another_number_is_another_work_and_no_typo(mine: str, theirs: str, slight: bool) -> None:
    found = record("crossref", title=theirs)
    best = Candidate(
        found=Found(record=found), source="crossref", by="title", same_work=True, conflicts=("title",)
    )
    (told,) = decisive_differences(cited(title=mine), best, POLICY)
    assert told.minor is slight


def test_a_venue_is_compared_with_the_other_names_of_a_series() -> None:
    held = record("crossref", venue="Lecture Notes in Computer Science", venue_names=("Computing for Farms",))
    assert [each.found for each in venue_difference(cited(venue="Annals of Rain"), [held], POLICY)] == [
        "Computing for Farms"
    ]
    assert venue_difference(cited(venue="Computing for Farms"), [held], POLICY) == []


@pytest.mark.parametrize(
    ("fields", "year", "another"),
    [
        ({}, 2019, False),
        ({}, 2010, True),
        ({"url": "https://aclanthology.org/2024.x-1/"}, 2010, False),
        ({"title": "Barley under shade"}, 2019, True),
    ],
    ids=["its year", "another year", "links a publisher", "a short title"],
)
def test_what_says_nothing_of_itself_is_the_paper_of_its_long_title_and_year(
    fields: dict[str, str], year: int, another: bool
) -> None:
    said = {"title": TITLE, "author": "Quillon Adeyemi", "year": "2019", **fields}
    entry = Entry(file="x.bib", key="k", line=1, fields=said)
    assert may_share_a_title(entry, Form.OTHER, year) is another
    assert may_share_a_title(entry, Form.WEB, year)


@pytest.mark.parametrize(
    ("doi", "authors", "same"),
    [
        ("10.6084/m9.figshare.1", (ANN,), False),
        ("10.6084/m9.figshare.1", (ANN, BEN), True),
        ("10.48550/arxiv.1901.00001", (ANN,), True),
    ],
    ids=["files of one of its authors", "a preprint in a repository", "a server of preprints"],
)
def test_files_under_a_papers_title_are_not_the_paper(doi: str, authors: tuple[PersonName, ...], same: bool) -> None:
    everybody = (ANN, BEN, *(PersonName(family=f"Farmer{letter}", given="Cleo") for letter in "abc"))
    paper = record("crossref", doi="10.5555/paper", kind=Kind.JOURNAL, authors=everybody)
    kept = authors if len(authors) == 1 else everybody
    beside = record("openalex", doi=doi, kind=Kind.PREPRINT, authors=kept)
    assert compare_work_aware(paper, beside, POLICY).same_work is same


@pytest.mark.parametrize(
    ("kind", "year", "number", "code"),
    [
        (Kind.PREPRINT, 2018, "1906.00001", EXACT_YEAR),
        (Kind.PREPRINT, 2018, "1901.00001", None),
        (Kind.PREPRINT, 2020, "1906.00001", ""),
        (Kind.PROCEEDINGS, 2018, "1906.00001", ""),
    ],
    ids=["before the number", "a number of January", "a later version", "published before"],
)
def test_a_preprint_has_no_year_before_its_number(kind: Kind, year: int, number: str, code: str | None) -> None:
    known = record("semantic_scholar", kind=Kind.PREPRINT, arxiv_id=number)
    told = year_difference(cited(year=year, kind=kind), [known], SETTINGS, POLICY)
    assert [(each.code, each.minor) for each in told] == ([] if code is None else [(code, code != EXACT_YEAR)])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("J. Robot. Surg.", "Journal of Robotic Surgery", True),
        ("J Neurosci", "Journal of Neuroscience", True),
        ("J. Surg.", "Annals of Surgery", False),
        ("Journal of Surgery", "Annals of Surgery", False),
        ("JEEA", "Journal of the European Economic Association", True),
        ("JEA", "Journal of the European Economic Association", False),
        ("Nature", "National Association of Teachers under Rural Employment", False),
    ],
)
def test_a_journal_may_begin_with_j(one: str, other: str, same: bool) -> None:
    assert same_venue(one, other) is same


@pytest.mark.parametrize(
    ("words", "code"),
    [("using LLMs", "near"), ("using LLM", "near"), ("using SVMs", "other"), ("using large language models", None)],
)
def test_initials_for_the_words_of_a_title_are_no_other_title(words: str, code: str | None) -> None:
    mine, theirs = (f"Detecting late frost in barley {said}" for said in (words, "using large language models"))
    found = Found(record=record("dblp", title=theirs))
    known = Candidate(
        found=found, source="dblp", by="title", same_work=True, conflicts=("title",) if code else ()
    )
    told = decisive_differences(cited(title=mine), known, POLICY)
    assert [(each.code, each.minor) for each in told] == ([(code, "SVM" not in words)] if code else [])
