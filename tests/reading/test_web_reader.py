"""The web reader: which form of a work is read, under which URL, and what it says when there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.loopback_web.web import Reply, Web, html, reader, web
from tests.reading.pdf_writer import Run, write_pdf
from veritas import Unavailable
from veritas.documents.passages import cut_passages
from veritas.policy.source_tiers import load_source_policy
from veritas.search.ranking import best
from veritas.testing import FakePolicy

PROSE = "The enzyme doubled the yield of the reaction at 37 degrees in all twelve trials that were made. " * 40
TITLE = "An enzyme that doubles the yield of a common reaction"


def article(text: str = PROSE, head: str = "", title: str = TITLE) -> Reply:
    return html(
        f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head>"
        f"<body><main><h1>{title}</h1><p>{text}</p></main></body></html>"
    )


def as_json(answer: object) -> Reply:
    return Reply(json.dumps(answer), headers={"Content-Type": "application/json"})


ABS = html(
    """<html><head><title>[2101.00001] An enzyme</title><meta name="citation_title" content="An enzyme on arXiv">
    <meta name="citation_author" content="Okafor, Ngozi"><meta name="citation_author" content="Lindqvist, Per">
    <meta name="citation_date" content="2021/01/03"><meta name="citation_doi" content="10.1000/enz.7">
    <meta name="citation_abstract" content="We show that an enzyme doubles the yield."></head>
    <body><main><h1>An enzyme</h1>
    <blockquote class="abstract">Abstract: We show that an enzyme doubles the yield.</blockquote>"""
    + "<p>Comments, subjects and links to other versions of this paper.</p>" * 6
    + "</main></body></html>"
)


async def test_an_arxiv_paper_is_read_as_html_first(tmp_path: Path) -> None:
    with web({"/arxiv/abs/2101.00001v2": ABS, "/arxiv/html/2101.00001v2": article(title="x")}) as served:
        document = await reader(served, tmp_path).read("https://arxiv.org/pdf/2101.00001v2.pdf")
    assert document.text.count("doubled the yield") == 40
    assert document.url == served.url("/arxiv/html/2101.00001v2")
    assert document.title == "An enzyme on arXiv"
    assert document.authors == ("Okafor, Ngozi", "Lindqvist, Per")
    assert str(document.published_at) == "2021-01-03"
    assert (document.arxiv_id, document.doi) == ("2101.00001", "10.1000/enz.7")
    assert not document.abstract_only


async def test_an_arxiv_paper_without_html_is_read_as_pdf(tmp_path: Path) -> None:
    lines = [
        Run(72, 720 - 14 * i, "The enzyme doubled the yield of the reaction at 37 degrees in all trials.")
        for i in range(45)
    ]
    pdf = Reply(write_pdf([lines, lines]), headers={"Content-Type": "application/pdf"})
    stub = html(
        "<html><head><title>No HTML for '2101.00001'</title></head><body><h1>No HTML for "
        "'2101.00001'</h1></body></html>"
    )
    for missing in (Reply("x", 404), stub):
        pages = {"/arxiv/abs/2101.00001": ABS, "/arxiv/html/2101.00001": missing, "/arxiv/pdf/2101.00001": pdf}
        with web(pages) as served:
            document = await reader(served, tmp_path).read("http://export.arxiv.org/abs/2101.00001")
        assert document.media_type == "application/pdf"
        assert document.url == served.url("/arxiv/pdf/2101.00001")
        assert document.title == "An enzyme on arXiv"
        assert len(document.page_starts) == 2
        (passage, *_) = best("yield of the enzyme", cut_passages(document), 1)
        assert document.text[passage.start : passage.end] == passage.text
        assert passage.page in (1, 2)


async def test_of_an_arxiv_paper_with_neither_the_abstract_is_read_and_flagged(tmp_path: Path) -> None:
    with web({"/arxiv/abs/math/0309136": ABS}) as served:
        document = await reader(served, tmp_path).read("https://arxiv.org/abs/math/0309136")
        assert document.text == "We show that an enzyme doubles the yield."
        assert document.abstract_only
        assert document.arxiv_id == "math/0309136"
        assert [p.rpartition("/arxiv/")[2] for p in served.paths()] == [
            "abs/math/0309136",
            "html/math/0309136",
            "pdf/math/0309136",
        ]
        with pytest.raises(Unavailable, match="404"):
            await reader(served, tmp_path).read("https://arxiv.org/abs/2101.99999")


async def test_an_article_in_europe_pmc_is_read_as_jats(tmp_path: Path) -> None:
    jats = f"""<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "JATS.dtd">
      <article article-type="research-article">
      <front><article-meta><article-id pub-id-type="doi">10.1000/enz.8</article-id><title-group>
      <article-title>{TITLE}</article-title></title-group></article-meta></front><body><p>{PROSE}</p></body></article>"""
    with web({"/europepmc/PMC7654321/fullTextXML": Reply(jats, headers={"Content-Type": "application/xml"})}) as served:
        live = reader(served, tmp_path)
        for url in (
            "https://europepmc.org/article/PMC/PMC7654321",
            "https://europepmc.org/articles/PMC7654321?pdf=render",
            "https://pmc.ncbi.nlm.nih.gov/articles/PMC7654321/",
            "https://www.ncbi.nlm.nih.gov/pmc/articles/7654321",
        ):
            document = await live.read(url)
            assert (document.title, document.doi) == (TITLE, "10.1000/enz.8")
            assert document.url == "https://europepmc.org/article/PMC/PMC7654321"


def json_ld(said: str) -> str:
    return f'<script type="application/ld+json">{said}</script>'


PAYWALLED = {
    "JSON-LD": json_ld('{"@graph":[{"@type":"ScholarlyArticle","isAccessibleForFree":"False"}]}'),
    "JSON-LD of a part": json_ld('{"@type":"NewsArticle","hasPart":{"isAccessibleForFree":false}}'),
    "microdata": '<meta itemprop="isAccessibleForFree" content="False">',
    "content tier": '<meta property="article:content_tier" content="metered">',
}


def closed(mark: str, text: str = "The enzyme doubled the yield. " * 20) -> Reply:
    return article(text, head=mark + '<meta name="citation_doi" content="10.1000/enz.9">')


def registries(served: Web, *copies: str) -> None:
    served.pages["/openalex/works/doi:10.1000/enz.9"] = as_json(
        {
            "title": TITLE,
            "publication_date": "2021-01-03",
            "locations": [{"is_oa": True, "landing_page_url": url} for url in copies],
        }
    )


@pytest.mark.parametrize("name", PAYWALLED)
async def test_a_paywall_is_seen_and_an_open_copy_is_read_instead(tmp_path: Path, name: str) -> None:
    with web({"/paper": closed(PAYWALLED[name]), "repository.example.edu/77": article()}) as served:
        copy = served.url("/77", "repository.example.edu")
        registries(served, served.url("/paper", "gone.example.edu"), copy)
        document = await reader(served, tmp_path).read(served.url("/paper"))
    assert document.url == copy
    assert document.doi == "10.1000/enz.9"
    assert not document.abstract_only


async def test_a_copy_of_another_work_is_no_copy(tmp_path: Path) -> None:
    other = article("Bridges of steel were built across the river in 1890. " * 40, title="Bridges of steel")
    with web({"/paper": closed(PAYWALLED["JSON-LD"]), "repository.example.edu/77": other}) as served:
        registries(served, served.url("/77", "repository.example.edu"))
        assert (await reader(served, tmp_path).read(served.url("/paper"))).abstract_only


async def test_a_page_that_names_the_doi_of_another_work_gets_no_copy_of_that_work(tmp_path: Path) -> None:
    claimed = article(
        "Bridges are sold here. " * 20,
        title="Bridges for sale",
        head=PAYWALLED["JSON-LD"] + '<meta name="citation_doi" content="10.1000/enz.9">',
    )
    with web({"/paper": claimed, "repository.example.edu/77": article()}) as served:
        registries(served, served.url("/77", "repository.example.edu"))
        document = await reader(served, tmp_path).read(served.url("/paper"))
    assert "Bridges" in document.text


async def test_a_copy_that_the_policy_does_not_admit_is_not_fetched(tmp_path: Path) -> None:
    with web({"/paper": closed(PAYWALLED["JSON-LD"]), "pirate.example.org/77": article()}) as served:
        registries(served, served.url("/77", "pirate.example.org"))
        policy = FakePolicy({served.url("/"): 1})
        assert (await reader(served, tmp_path, policy).read(served.url("/paper"))).abstract_only
        assert not [a for a in served.asked if a.host == "pirate.example.org"]


async def test_registries_that_fail_are_not_read_as_there_is_no_copy(tmp_path: Path) -> None:
    pages = {"doi.org/10.1000/enz.9": Reply("no", 403), "/openalex/works/doi:10.1000/enz.9": Reply("<html>", 200)}
    unknown = pytest.raises(Unavailable, match="whether there is an open copy is not known: openalex")
    with web(pages) as served, unknown:
        await reader(served, tmp_path).read(served.url("/10.1000/enz.9", "doi.org"))


async def test_the_references_of_an_encyclopedia_are_its_works_not_its_catalogues(tmp_path: Path) -> None:
    page = """<html><body><div id="mw-content-text"><p>%s</p>
      <a href="https://elsewhere.example.org/">not a reference</a>
      <ol class="references">
      <li id="cite_note-1"><cite><a class="external" href="https://www.nature.com/articles/s1">Paper</a>.
        <a href="https://doi.org/10.1038/s1">doi</a> <a href="/wiki/ISBN">ISBN</a></cite></li>
      <li><cite><a href="https://web.archive.org/web/2019/http://who.int/report">Archived</a> from
        <a href="http://www.who.int/report#p3">the original</a></cite></li>
      <li><cite><a href="//www.worldcat.org/oclc/1">OCLC</a> <a href="https://doi.org/10.1016/j.x">doi</a></cite></li>
      <li>See <a href="/wiki/Other">Other</a> and <a href="#x">above</a> and <a href="javascript:alert(1)">this</a></li>
      <li><a href="https://web.archive.org/web/2001/http://gone.example.org/">only an archive</a></li>
      <li><a href="https://www.nature.com/articles/s1">again</a></li></ol></div></body></html>""" % (
        "Copper is a metal. " * 30
    )
    with web({"en.wikipedia.org/wiki/Copper": html(page)}) as served:
        live = reader(served, tmp_path, load_source_policy())
        document = await live.read(served.url("/wiki/Copper", "en.wikipedia.org"))
        assert document.references == (
            "https://www.nature.com/articles/s1",
            "http://www.who.int/report",
            "https://doi.org/10.1016/j.x",
            "https://web.archive.org/web/2001/http://gone.example.org/",
        )
        served.pages["www.nature.com/x"] = html(page)
        assert (await live.read(served.url("/x", "www.nature.com"))).references == ()


@pytest.mark.parametrize(
    "url", ["corpus://mine/1", "file:///etc/passwd", "", "x", "http://\ud800/", "http://10.0.0.1/secret"]
)
async def test_what_cannot_be_fetched_is_unavailable(tmp_path: Path, url: str) -> None:
    with web({}) as served:
        for policy in (None, load_source_policy()):
            with pytest.raises(Unavailable):
                await reader(served, tmp_path, policy).read(url)
        assert not served.asked
