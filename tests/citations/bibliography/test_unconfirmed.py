"""What nothing confirms: the strict profile refuses it and says so, whatever it is given as; nobody is accused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.citations.bibliography.test_planted_errors import entry, judge
from tests.citations.registry_server import RegistryServer, Work, registry_server
from tests.loopback_web.web import Reply, reader, web
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.judging import verify
from veritas.policy.reference_profile import load_profile
from veritas.report.bibliography_verdicts import line

PREPRINT = Work(
    title="Shade tolerant barley as a cover crop", authors=("Ann Field", "Ben Furrow"), year=2024,
    arxiv_id="2403.00002", venue="arXiv", in_=frozenset({"arxiv", "semantic_scholar"}),
)  # fmt: skip
FAKE = {
    "title": "Orchard lattice harvests of glacier yeast", "author": "Quillon Adeyemi and Calla Monte", "year": "2019",
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[RegistryServer]:
    with registry_server(PREPRINT) as running:
        yield running


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("book", {"publisher": "Cambridge University Press"}),
        ("incollection", {"booktitle": "Handbook of Field Studies"}),
        ("techreport", {"institution": "MIT"}),
        ("phdthesis", {"school": "University of Oslo"}),
        ("unpublished", {"note": "Manuscript"}),
        ("manual", {"organization": "Orchard Institute"}),
        ("software", {"version": "1.2"}),
        ("dataset", {"publisher": "Zenodo"}),
        ("article", {"journal": "Nature", "title": "Deep membranes"}),
        ("book", {"author": "{Orchard Institute}", "publisher": "Orchard Institute"}),
        ("article", {"author": "", "journal": "Nature"}),
    ],
)
async def test_strict_refuses_every_kind_that_nothing_confirms(
    server: RegistryServer, kind: str, more: Mapping[str, str]
) -> None:
    text = entry(kind, **{**FAKE, **more})
    strict, lenient = await judge(server, text, "strict"), await judge(server, text)
    assert (strict.verdict.value, strict.refused, lenient.refused) == ("cannot_confirm", True, False), strict.reason
    assert strict.ruling is not None
    assert not strict.ruling.hallucinated, "refusing is not accusing"
    assert "not confirmed" in line(strict)


async def test_a_page_that_is_down_leaves_open_whether_a_book_is_there(server: RegistryServer, tmp_path: Path) -> None:
    with web({"/book": Reply("down", 503, {"Content-Type": "text/html"})}) as served:
        entries = read_bibtex(entry("book", **FAKE, url=served.url("/book")), "x.bib")
        (judged,) = await verify(
            entries, server.registries(cached=False), profile=load_profile("strict"), reader=reader(served, tmp_path)
        )
    assert judged.verdict.value == "unavailable"
