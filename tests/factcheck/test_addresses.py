"""Addresses as they stand in text."""

import pytest

from veritas.factcheck.addresses import addresses, plain_address


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("https://www.google.com/url?sa=t&q=https%3A%2F%2Fexample.org%2Fa%3Fb%3D1&usg=x", "https://example.org/a?b=1"),
        ("https://www.google.de/url?url=https://example.org/a", "https://example.org/a"),
        ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2Fp&rut=1", "https://example.org/p"),
        ("https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9leGFtcGxlLm9yZy9wYWdl&ntb=1", "https://example.org/page"),
        ("https://example.org/a?utm_source=chatgpt.com", "https://example.org/a"),
        ("https://example.org/a?id=3&utm_source=openai&utm_medium=x", "https://example.org/a?id=3"),
        ("https://example.org/a#:~:text=some%20words,end", "https://example.org/a"),
        ("https://example.org/a#part:~:text=some", "https://example.org/a#part"),
        ("https://example.org/a?q=1#part", "https://example.org/a?q=1#part"),
        ("https://example.org/url?q=https://other.org/", "https://example.org/url?q=https://other.org/"),
        ("www.example.org/x", "https://www.example.org/x"),
        (
            "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQE1",
            "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQE1",
        ),
    ],
)
def test_redirects_and_trackers_are_seen_through(written: str, page: str) -> None:
    assert plain_address(written) == page


def test_addresses_end_before_the_punctuation_of_the_sentence() -> None:
    text = (
        "(see https://en.wikipedia.org/wiki/Mercury_(planet)). Also https://a.org/b, doi:10.1000/xyz.12; PMID: 123456."
    )
    assert [(found.url, found.style) for found in addresses(text)] == [
        ("https://en.wikipedia.org/wiki/Mercury_(planet)", "url"),
        ("https://a.org/b", "url"),
        ("https://doi.org/10.1000/xyz.12", "doi"),
        ("https://pubmed.ncbi.nlm.nih.gov/123456/", "pmid"),
    ]


def test_a_doi_in_an_address_is_no_second_one() -> None:
    assert [f.url for f in addresses("https://doi.org/10.1000/abc and 3.10.2024/5")] == ["https://doi.org/10.1000/abc"]
