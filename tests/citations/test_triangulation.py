"""The gate: one work passes whatever manifestation each source holds, and a decisive error does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.citations.citation_samples import ARXIV, ATOM, DOI, TITLE, bibtex, crossref, dblp, openalex, semantic_scholar
from veritas import PolicyError, Triangulation
from veritas.citations.triangulation import triangulate, triangulate_raw
from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.works.names import PersonName
from veritas.works.records import BibRecord, Kind

MAKERS = {
    "semantic_scholar": semantic_scholar,
    "openalex": openalex,
    "crossref": crossref,
    "dblp": dblp,
    "bibtex": bibtex,
}


def _side(source: str, **changes: Any) -> dict[str, Any]:
    return {"source": source, "record": ATOM if source == "arxiv" else MAKERS[source](**changes)}


def _fields(verdict: Triangulation) -> list[str]:
    return [conflict.field for conflict in verdict.conflicts]


def _codes(verdict: Triangulation) -> set[str]:
    return {note.partition(":")[0] for note in verdict.notes}


@pytest.mark.parametrize("one", [*MAKERS, "arxiv"])
@pytest.mark.parametrize("other", [*MAKERS, "arxiv"])
def test_every_two_sources_agree_on_one_paper_but_an_unconfirmed_cited_doi(one: str, other: str) -> None:
    verdict = triangulate_raw(_side(one), _side(other))
    assert verdict.same_work
    # arXiv's entry does not name the publication's DOI, so it cannot confirm a citation of it
    assert verdict.verified is ({one, other} != {"bibtex", "arxiv"})
    assert verdict.rule == "work-aware"


def test_two_published_dois_of_one_sort_are_a_conflict() -> None:
    verdict = triangulate_raw(_side("openalex", doi="10.1109/other.2023.1"), _side("crossref"))
    assert (verdict.verified, verdict.same_work, _fields(verdict)) == (False, True, ["doi"])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": TITLE.replace("Embodied", "Embedded")}, "title"),
        ({"title": TITLE.replace("for", "towards")}, "title"),
        ({"title": TITLE.replace("Programs", "Program")}, "title"),
        ({"title": "Federated Learning with Heterogeneous Clients"}, "title"),
        ({"author": "Petra Silva and Yacouba Ndiaye"}, "first_author_surname"),
        ({"author": "Huang, Wenlong and Xia, Fei"}, "first_author_surname"),
        ({"author": "Liang, Petra and Ndiaye, Yacouba and Sato, Yuki"}, "authors"),
        ({"year": "2031"}, "year"),
        ({"year": "2021"}, "year"),
        ({"doi": "10.8888/conf/2839881"}, "doi"),
        ({"doi": "to appear"}, "doi"),
    ],
)
@pytest.mark.parametrize("source", ["crossref", "openalex", "dblp", "bibtex"])
def test_a_citation_wrong_in_a_decisive_field_is_rejected_for_it(
    changes: dict[str, Any], field: str, source: str
) -> None:
    for sides in ((_side("bibtex", **changes), _side(source)), (_side(source), _side("bibtex", **changes))):
        verdict = triangulate_raw(*sides)
        assert not verdict.verified
        assert field in _fields(verdict)


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "{CODE} as policies: language-model programs for embodied control."},
        {"title": "Code as Policies"},
        {"author": "Liang, Jacky and others"},
        {"author": "J. Liang and W. Huang and F. Xia and P. Xu"},
        {"author": "Liang, Jacky and Huang, Wenlong"},
        {"booktitle": "CVPR"},
        {"doi": None},
        {"doi": f"https://doi.org/{DOI}"},
        {"year": None},
    ],
)
def test_a_citation_that_is_right_where_it_counts_passes(changes: dict[str, Any]) -> None:
    verdict = triangulate_raw(_side("bibtex", **changes), _side("crossref"))
    assert verdict.verified
    assert verdict.conflicts == ()


def test_a_cited_doi_that_the_other_record_lacks_is_unresolved_and_does_not_pass() -> None:
    verdict = triangulate_raw(_side("bibtex", doi="10.99999/abc"), _side("dblp", doi=None))
    assert (verdict.verified, verdict.same_work, _fields(verdict)) == (False, True, ["doi"])
    assert "doi_unresolved" in _codes(verdict)
    between_sources = triangulate_raw(_side("crossref"), _side("dblp", doi=None))
    assert between_sources.verified
    assert "doi_one_side" in _codes(between_sources)


def test_an_invented_doi_beside_a_right_arxiv_id_does_not_pass() -> None:
    verdict = triangulate_raw(_side("bibtex", doi="10.8888/x", eprint=ARXIV), _side("semantic_scholar"))
    assert _fields(verdict) == ["doi"]


def test_other_arxiv_ids_are_a_conflict() -> None:
    verdict = triangulate_raw(_side("bibtex", doi=None, eprint="2209.11111"), _side("semantic_scholar"))
    assert _fields(verdict) == ["arxiv_id"]


def test_a_citation_may_have_the_title_of_either_of_two_records_of_one_work() -> None:
    other = "Code as Policies: Language Model Routines for Embodied Control"
    corr = dblp(title=other, doi=None, venue="CoRR", year="2022", type="Informal and Other Publications", key="corr/x")
    sides = _side("crossref"), {"source": "dblp", "record": corr}
    for title in (TITLE, other):
        assert triangulate_raw(*sides, bibtex(title=title, doi=None)).verified
    neither = triangulate_raw(*sides, bibtex(title="Federated Learning with Heterogeneous Clients", doi=None))
    assert "cited.title" in _fields(neither)


def test_agreement_of_dependent_sources_is_noted_or_refused() -> None:
    policy = load_triangulation_policy()
    for one, other, independent in [
        ("openalex", "crossref", False),
        ("crossref", "crossref", False),
        ("bibtex", "bibtex", False),
        ("semantic_scholar", "crossref", True),
        ("openalex", "dblp", True),
        ("bibtex", "crossref", True),
    ]:
        noted = triangulate_raw(_side(one), _side(other))
        assert noted.verified
        assert noted.independent is independent
        assert ("not_independent" in _codes(noted)) is not independent
        strictly = policy.model_copy(update={"independence": "require"})
        assert triangulate_raw(_side(one), _side(other), policy=strictly).verified is independent


def test_without_a_second_source_only_a_record_without_identifiers_passes() -> None:
    alone = triangulate_raw(_side("semantic_scholar", externalIds={}), None)
    assert alone.verified
    assert "no_secondary_source_available" in _codes(alone)
    for side in (_side("semantic_scholar"), _side("arxiv"), _side("bibtex", doi=None)):
        verdict = triangulate_raw(side, None)
        assert not verdict.verified
        assert "secondary_missing" in _codes(verdict)


def test_other_people_under_the_same_title_are_another_work() -> None:
    other = dblp(authors={"author": ["Petra Silva", "Yuki Sato"]}, doi=None)
    assert not triangulate_raw(_side("crossref"), {"source": "dblp", "record": other}).same_work


def test_retraction_is_said_from_both_directions_and_identity_stays() -> None:
    notice = {"DOI": "10.1000/notice", "type": "retraction", "updated": {"date-parts": [[2024, 3, 1]]}}
    paper = crossref(**{"updated-by": [notice]})
    verdict = triangulate_raw({"source": "crossref", "record": paper}, _side("openalex", is_retracted=True))
    assert verdict.verified
    assert [note for note in verdict.notes if note.startswith("retraction:")] == [
        f"retraction: of {DOI.lower()}, notice 10.1000/notice of 2024-03-01, according to crossref",
        f"retraction: of {DOI.lower()}, according to openalex",
    ]
    of_paper = crossref(
        DOI="10.1000/notice", title=[f"Retraction: {TITLE}"], **{"update-to": [{"DOI": DOI, "type": "retraction"}]}
    )
    verdict = triangulate_raw({"source": "crossref", "record": of_paper}, _side("dblp"))
    assert (verdict.verified, verdict.same_work) == (False, False)
    assert {"notice", "retraction_notice"} <= _codes(verdict)


def test_the_strict_rule_is_section_5_2_and_skips_what_is_missing() -> None:
    near = triangulate_raw(_side("bibtex", title=TITLE.replace("for", "to")), _side("crossref"), rule="strict")
    assert near.verified  # why it is not the default
    missing = triangulate_raw(_side("bibtex", doi="10.8888/x"), _side("dblp", doi=None), rule="strict")
    assert missing.verified
    assert "doi_not_compared" in _codes(missing)
    for changes, field in [
        ({"doi": "10.8888/x"}, "doi"),
        ({"title": "Another title"}, "title"),
        ({"author": "Wenlong Huang"}, "first_author_surname"),
        ({"year": "2022"}, "year"),
    ]:
        assert _fields(triangulate_raw(_side("bibtex", **changes), _side("crossref"), rule="strict")) == [field]


def test_the_policy_file_decides_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "triangulation.yaml"
    file.write_text("rule: strict\nstrict: {title_ratio: 100}\n")
    policy = load_triangulation_policy(file)
    assert policy.rule == "strict"
    close = _side("bibtex", title=TITLE.replace("for", "to"))
    assert not triangulate_raw(close, _side("crossref"), policy=policy).verified
    (tmp_path / "wrong.yaml").write_text("rule: lenient\n")
    with pytest.raises(PolicyError, match=r"wrong\.yaml:1"):
        load_triangulation_policy(tmp_path / "wrong.yaml")


RECORDS = st.builds(
    BibRecord,
    source=st.sampled_from(["semantic_scholar", "openalex", "crossref", "arxiv", "datacite", "dblp", "bibtex"]),
    title=st.sampled_from([None, TITLE, TITLE.replace("for", "to"), "Code as Policies", "Other things", "张三的研究"]),
    authors=st.lists(
        st.builds(
            PersonName,
            family=st.sampled_from(["Liang", "Huang", "Xia", "张三"]),
            given=st.sampled_from(["J.", "Wei", ""]),
        ),
        max_size=4,
    ).map(tuple),
    year=st.none() | st.integers(2018, 2026),
    doi=st.sampled_from([None, DOI.lower(), "10.1000/a", "10.48550/arxiv.2209.07753", "10.1101/2022.01.01.111111v2"]),
    arxiv_id=st.sampled_from([None, ARXIV, "2001.00001"]),
    venue=st.sampled_from([None, "ICRA", "Nature", "arXiv"]),
    kind=st.sampled_from(Kind),
)
RULES = st.sampled_from(["strict", "work-aware"])
PREPRINT = BibRecord(source="arxiv", title=TITLE, year=2022, arxiv_id=ARXIV, kind=Kind.PREPRINT)
DATA = BibRecord(source="datacite", title="Code as Policies", year=2022, arxiv_id=ARXIV, kind=Kind.DATASET)


@given(RECORDS, RECORDS, RULES)
@example(PREPRINT, DATA, "work-aware")
def test_swapping_the_records_swaps_the_values_and_nothing_else(one: BibRecord, other: BibRecord, rule: Any) -> None:
    there, back = triangulate(one, other, rule=rule), triangulate(other, one, rule=rule)
    assert (there.verified, there.same_work, there.independent) == (back.verified, back.same_work, back.independent)
    assert [(c.field, c.primary, c.secondary) for c in there.conflicts] == [
        (c.field, c.secondary, c.primary) for c in back.conflicts
    ]
    assert _codes(there) == _codes(back)


@given(RECORDS, RULES)
def test_a_record_with_title_and_authors_is_the_same_work_as_itself(record: BibRecord, rule: Any) -> None:
    verdict = triangulate(record, record, rule=rule)
    assert not verdict.independent
    if record.title and record.authors:
        assert verdict.verified
    policy = TriangulationPolicy(independence="require")
    assert not triangulate(record, record, rule=rule, policy=policy).verified


@given(RECORDS, RECORDS)
def test_what_is_verified_has_no_conflict_and_what_is_not_has_one(one: BibRecord, other: BibRecord) -> None:
    verdict = triangulate(one, other)
    assert verdict.verified is (verdict.conflicts == ())
