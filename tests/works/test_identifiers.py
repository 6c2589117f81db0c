"""DOIs and arXiv ids have one spelling, and versions of one preprint have one stem."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.works.identifiers import (
    arxiv_of_doi,
    arxiv_years,
    doi_stem,
    is_preprint_doi,
    normalise_arxiv_id,
    normalise_doi,
    preprint_years,
)

SICI = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("10.1109/ICRA48891.2023.10160591", "10.1109/icra48891.2023.10160591"),
        ("https://doi.org/10.1109/ICRA48891.2023.10160591", "10.1109/icra48891.2023.10160591"),
        ("http://dx.doi.org/10.1016/S0140-6736(20)31180-6", "10.1016/s0140-6736(20)31180-6"),
        ("doi: 10.1016/S0140-6736(20)31180-6.", "10.1016/s0140-6736(20)31180-6"),
        ("(10.1016/S0140-6736(20)31180-6)", "10.1016/s0140-6736(20)31180-6"),
        ("(10.1000/xyz(2019))", "10.1000/xyz(2019)"),
        ("10.1000/a\\_b", "10.1000/a_b"),
        ("10.1000/a%2Fb", "10.1000/a/b"),
        ("https://dl.acm.org/doi/abs/10.1145/3302505.3310068?download=true", "10.1145/3302505.3310068"),
        ("https://www.biorxiv.org/content/10.1101/2023.08.30.555473v2.full.pdf", "10.1101/2023.08.30.555473v2"),
        (SICI.upper(), SICI),
        (SICI.replace("<", "&lt;").replace(">", "&gt;"), SICI),
        ("10.1000/x\u200b1", "10.1000/x1"),
        ("10.1000–1", None),
        ("10.12/too-short-a-prefix", None),
        ("no DOI at all", None),
        ("", None),
        (None, None),
    ],
)
def test_a_doi_has_one_spelling(written: str | None, doi: str | None) -> None:
    assert normalise_doi(written) == doi


@given(st.one_of(st.text(), st.text().map("10.1000/".__add__), st.text().map("https://doi.org/10.1234/".__add__)))
def test_normalising_a_doi_twice_is_normalising_it_once(text: str) -> None:
    doi = normalise_doi(text)
    assert normalise_doi(doi) == doi
    if doi:
        assert doi_stem(doi_stem(doi)) == doi_stem(doi)


@pytest.mark.parametrize(
    ("written", "arxiv_id"),
    [
        ("2209.07753", "2209.07753"),
        ("https://arxiv.org/pdf/2209.07753v1.pdf", "2209.07753"),
        ("math.GT/0309136v1", "math/0309136"), ("CoRR abs/1811.06114", "1811.06114"), ("2013.07753", None),
        (None, None),
    ],
)
def test_an_arxiv_id_has_one_spelling_without_version(written: str | None, arxiv_id: str | None) -> None:
    assert normalise_arxiv_id(written) == arxiv_id
    assert normalise_arxiv_id(arxiv_id) == arxiv_id


@given(st.text())
def test_normalising_an_arxiv_id_twice_is_normalising_it_once(text: str) -> None:
    found = normalise_arxiv_id(text)
    assert normalise_arxiv_id(found) == found


def test_an_arxiv_id_names_its_year_and_january_may_be_december() -> None:
    assert arxiv_years("2209.07753") == {2022}
    assert arxiv_years("2101.00001") == {2020, 2021}
    assert arxiv_years("hep-th/9912001") == {1999}
    assert arxiv_years(None) == frozenset()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10.1101/2023.08.30.555473v1", "10.1101/2023.08.30.555473v2"),
        ("10.48550/arxiv.2602.12279v1", "10.48550/arxiv.2602.12279"),
        ("10.26434/chemrxiv-2021-abcde-v2", "10.26434/chemrxiv-2021-abcde"),
        ("10.21203/rs.3.rs-123456/v1", "10.21203/rs.3.rs-123456/v3"),
        ("10.6084/m9.figshare.1449060.v2", "10.6084/m9.figshare.1449060"),
        ("10.12688/f1000research.12345.1", "10.12688/f1000research.12345.2"),
        ("10.17504/protocols.io.dm6gpdwmdgzp/v2", "10.17504/protocols.io.dm6gpdwmdgzp/v5"),
    ],
)
def test_versions_of_one_deposit_have_one_stem(one: str, other: str) -> None:
    assert doi_stem(one) == doi_stem(other)


def test_preprint_dois_are_known_with_the_year_they_name() -> None:
    assert is_preprint_doi("10.1101/2023.08.30.555473")
    assert preprint_years("10.1101/2023.08.30.555473") == {2023}
    assert preprint_years("10.48550/arxiv.2209.07753") == {2022}
    assert preprint_years("10.2139/ssrn.123") == frozenset()
    assert arxiv_of_doi("10.48550/arxiv.2209.07753") == "2209.07753"
    assert arxiv_of_doi("10.1101/2023.08.30.555473") is None


def test_hostile_lengths_take_no_time() -> None:
    start = time.perf_counter()
    for text in ("10.1000/" + "(" * 100_000, "%25" * 100_000, "&amp;" * 100_000, "9" * 100_000, "a/" * 100_000):
        normalise_doi(text)
        normalise_arxiv_id(text)
    assert time.perf_counter() - start < 2
