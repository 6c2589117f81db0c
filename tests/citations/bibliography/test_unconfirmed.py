"""What nothing confirms: the strict profile refuses it and says so, whatever it is given as; nobody is accused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.citations.bibliography.test_planted_errors import entry, judge
from tests.citations.registry_server import RegistryServer, Work, registry_server
from tests.loopback_web.web import Reply, html, reader, web
from veritas.citations.bibliography.entry_forms import Form, form_of
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.verify_entries import verify
from veritas.policy.reference_profile import load_profile
from veritas.report.bibliography_verdicts import as_sarif, line

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


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("book", {"publisher": "Cambridge University Press"}),
        ("techreport", {"institution": "MIT"}),
        ("software", {"version": "1.2"}),
    ],
)
async def test_the_venues_profile_refuses_a_work_of_people_that_nothing_confirms_whatever_its_type(
    server: RegistryServer, kind: str, more: Mapping[str, str]
) -> None:
    people = await judge(server, entry(kind, **{**FAKE, **more}), "neurips-2026")
    assert people.refused
    assert people.ruling is not None
    assert not people.ruling.hallucinated, "registries lack many books: refusing is not accusing"
    body = await judge(server, entry(kind, **{**FAKE, **more, "author": "{Orchard Institute}"}), "neurips-2026")
    assert not body.refused


async def test_the_venues_profile_takes_a_page_that_only_mentions_a_work_for_no_confirmation(
    server: RegistryServer, tmp_path: Path
) -> None:
    found = f"<title>Search</title><h1>Search</h1><p>No results for {FAKE['title']}, Quillon Adeyemi, Calla Monte.</p>"
    with web({"/search": html(found + "<p>Try other words.</p>" * 20), "/own": html(PAGE)}) as served:
        refused = {}
        for at in ("/search", "/own"):
            entries = read_bibtex(entry("misc", **FAKE, url=served.url(at)), "x.bib")
            (judged,) = await verify(
                entries, server.registries(cached=False), profile=load_profile("neurips-2026"),
                reader=reader(served, tmp_path),
            )  # fmt: skip
            refused[at] = judged.refused
    assert refused == {"/search": True, "/own": False}


PAGE = f"<title>{FAKE['title']}</title>" + f"<p>{FAKE['title']}, by Quillon Adeyemi and Calla Monte.</p>" * 20
BODY = f"<title>{FAKE['title']}</title>" + f"<p>{FAKE['title']}, published by Orchard.</p>" * 20


@pytest.mark.parametrize(
    ("page", "changes", "refused"),
    [
        (PAGE, {}, False),
        (BODY, {}, True),
        (BODY, {"author": "{Orchard Institute}"}, False),
        (BODY, {"author": ""}, False),
        (PAGE, {"title": "Calla Monte", "author": ""}, True),
    ],
    ids=["people", "no people", "a body", "nobody", "two words of the text as the title"],
)
async def test_a_page_that_says_it_confirms_a_book(
    server: RegistryServer, tmp_path: Path, page: str, changes: Mapping[str, str], refused: bool
) -> None:
    with web({"/book": html(page)}) as served:
        entries = read_bibtex(entry("book", **{**FAKE, "url": served.url("/book"), **changes}), "x.bib")
        (judged,) = await verify(
            entries, server.registries(cached=False), profile=load_profile("strict"), reader=reader(served, tmp_path)
        )
    assert judged.refused is refused, judged.reason


async def test_a_page_that_is_down_leaves_open_whether_a_book_is_there(server: RegistryServer, tmp_path: Path) -> None:
    with web({"/book": Reply("down", 503, {"Content-Type": "text/html"})}) as served:
        entries = read_bibtex(entry("book", **FAKE, url=served.url("/book")), "x.bib")
        (judged,) = await verify(
            entries, server.registries(cached=False), profile=load_profile("strict"), reader=reader(served, tmp_path)
        )
    assert judged.verdict.value == "unavailable"


async def test_a_venue_that_no_record_names_is_refused_by_strict_alone_and_told(server: RegistryServer) -> None:
    fields = {"title": PREPRINT.title, "author": " and ".join(PREPRINT.authors), "year": "2024", "eprint": "2403.00002"}
    told = entry("inproceedings", **fields, booktitle="Workshop on Generalised Barley Theory")
    strict = await judge(server, told, "strict")
    assert (strict.verdict.value, strict.refused) == ("verified", True)
    assert "Workshop on Generalised Barley Theory" in line(strict)
    assert "Workshop on Generalised Barley Theory" in as_sarif([strict])
    for profile in ("lenient", "neurips-2026"):
        assert not (await judge(server, told, profile)).refused
    for right in ({"journal": "arXiv preprint arXiv:2403.00002"}, {}):
        judged = await judge(server, entry("article", **fields, **right), "strict")
        assert (judged.verdict.value, judged.refused) == ("verified", False), judged.reason


@pytest.mark.parametrize(
    ("kind", "more", "form"),
    [
        ("incollection", {"booktitle": "Proceedings of the Orchard Conference"}, Form.PAPER),
        ("techreport", {"journal": "Journal of Orchards"}, Form.PAPER),
        ("incollection", {"booktitle": "Handbook of Field Studies"}, Form.BOOK),
        ("proceedings", {"booktitle": "Proceedings of the Orchard Conference"}, Form.BOOK),
        ("techreport", {"institution": "MIT"}, Form.REPORT),
    ],
)
def test_a_paper_is_one_whatever_its_type(kind: str, more: Mapping[str, str], form: Form) -> None:
    assert form_of(read_bibtex(entry(kind, **{**FAKE, **more}), "x.bib")[0]) is form
