"""A linked page confirms a work if it is that work's own page; a page that only repeats its words does not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pytest

from veritas.citations.bibliography._registry_evidence import Evidence
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import form_of
from veritas.citations.bibliography.entry_verdict import Judged, Verdict, with_page
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.linked_page import LinkedPage, read_linked
from veritas.documents.document import Document, document_id
from veritas.reading.formats.html import convert_page

T, A = "Moss Canopies as Analogue Reservoir Computers", "Saoirse Tanabe-Kohl"
BODY = "<p>" + "The leaves of a moss hold water for days, and a pulse of light moves through them. " * 12 + "</p>"


@dataclass
class OnePage:
    """A reader of one page, converted as any page is."""

    page: str
    plain: bool = False

    async def read(self, url: str) -> Document:
        if self.plain:
            return Document(
                document_id=document_id(self.page), url=url, title="report", text=self.page, fetched_at=date(2024, 1, 1)
            )
        read = convert_page(self.page)
        return Document(
            document_id=document_id(read.text), url=url, title=read.title or "", text=read.text, authors=read.authors,
            published_at=read.published_at, blocks=read.blocks, fetched_at=date(2024, 1, 1),
        )  # fmt: skip


def cited(
    title: str = T, author: str = A, year: str = "2019", url: str = "https://x.example/p", kind: str = "online"
) -> Entry:
    fields = {"title": title, "author": author, "year": year, "url": url}
    said = "".join(f" {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return read_bibtex(f"@{kind}{{key,\n{said}}}", "x.bib")[0]


async def looked(page: str, entry: Entry | None = None, *, plain: bool = False) -> LinkedPage:
    found = await read_linked(entry or cited(), OnePage(page, plain))
    assert found is not None
    return found


def page(title: str, *body: str, head: str = "") -> str:
    return f"<html><head><title>{title}</title>{head}</head><body><main>{''.join(body)}</main></body></html>"


LIES = {
    "an answer to a search": page("Search", f"<h1>Search</h1><p>No results for {T} {A} 2019.</p>"),
    "results of a search": page(
        f"{T} - Search results", f"<h1>Results for: {T}</h1><p>0 results. Author: {A}. Year 2019.</p>"
    ),
    "nothing under its heading": page(T, f"<h1>{T}</h1><p>{A}, 2019: no such report was found.</p>"),
    "a list": page(
        "Notes", f"<h1>Notes</h1><p>Reading list</p><ol><li>{A}. {T}. 2019.</li><li>B. Other. 2018.</li></ol>", BODY
    ),
    "a warning": page("Fake references", f"<h1>Fake references</h1><p>This one does not exist: {A}, {T}, 2019.</p>"),
    "a warning headed by it": page(T, f"<h1>{T}</h1><p>{A}, 2019. This reference is fabricated.</p>", BODY),
    "a preview": page("Preview", f"<h1>Preview</h1><pre>@misc{{x, title={{{T}}}, author={{{A}}}}}</pre>", BODY),
    "another author": page(T, f"<h1>{T}</h1><p>by Ole Nordmann, 2019</p>", BODY, f"<p>{A} is thanked.</p>"),
    "a review": page(T, f"<h1>{T}</h1><p>by Ole Nordmann, in reply to {A}, 2019</p>", BODY),
    "an author in the references": page(
        T, f"<h1>{T}</h1><p>by Ole Nordmann, 2019</p>", BODY, f"<h2>References</h2><ul><li>{A}. Peat. 2001</li></ul>"
    ),
    "another year": page(T, f"<h1>{T}</h1><p>by {A}, 1994</p>", BODY),
    "another year in its data": page(
        T, f"<h1>{T}</h1>", BODY,
        head=f"<meta name=citation_author content='{A}'><meta name=citation_publication_date content=1994>",
    ),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
async def test_a_page_that_only_repeats_the_words_is_no_confirmation(lie: str) -> None:
    found = await looked(LIES[lie])
    assert found.state == "mentions", found.detail


async def test_a_plain_answer_to_a_search_is_no_confirmation() -> None:
    assert (await looked(f"No results for {T} {A} 2019.\n", plain=True)).state == "mentions"
    assert (await looked(f"{T}\n\n{A}\n\n2019\n\nMoss holds water.\n", plain=True)).state == "says"


@pytest.mark.parametrize("path", ["search?q=", "echo/", "index?text=", "search/"])
async def test_an_address_that_asks_for_the_title_is_no_confirmation(path: str) -> None:
    own = page(T, f"<h1>{T}</h1><p>by {A}, 2019</p>", BODY)
    asked = await looked(own, cited(url=f"https://x.example/{path}{T.replace(' ', '+')}"))
    assert (asked.state, "asks for the title" in asked.detail) == ("mentions", True)
    slug = T.lower().replace(" ", "-")
    assert (await looked(own, cited(url=f"https://x.example/2019/{slug}?page=1"))).state == "says"


@pytest.mark.parametrize(("mark", "standing"), [("RETRACTED: ", "retracted"), ("[Withdrawn] ", "withdrawn")])
async def test_a_work_that_its_page_takes_back_is_told_as_such(mark: str, standing: str) -> None:
    entry = cited()
    found = await looked(page(mark + T, f"<h1>{mark}{T}</h1><p>{A}, 2019</p>", BODY), entry)
    assert (found.state, found.standing) == ("mentions", standing)
    judged = Judged(
        entry=entry, form=form_of(entry), verdict=Verdict.CANNOT_CONFIRM, reason="no record has it",
        evidence=Evidence(entry=entry),
    )  # fmt: skip
    told = with_page(judged, found)
    assert (told.verdict, told.evidence.status.standing) == (Verdict.CANNOT_CONFIRM, standing)
    assert told.reason.endswith(f"no confirmation: it says that the work was {standing}")


TRUE: dict[str, tuple[str, Entry]] = {
    "metadata": (
        page(T, f"<h1>{T}</h1><p>{A}</p>", head=f"<meta name=citation_title content='{T}'>"
             f"<meta name=citation_author content='{A}'><meta name=citation_publication_date content=2019>"), cited(),
    ),
    "a deposit": (
        page(f"{T} | Zenodo", f"<p>Published April 2, 2019 | Version v1</p><h1>{T}</h1>", BODY,
             head=f"<meta name=citation_title content='{T}'><meta name=citation_author content='Tanabe-Kohl, Saoirse'>"
             "<meta name=citation_publication_date content='2019/04/02'>"), cited(kind="dataset"),
    ),
    "a post with a by-line": (
        page(f"{T} | Field notes", f"<article><h1>{T}</h1><div>By <a rel=author href=/a>{A}</a> on April 2, 2019</div>",
             BODY, "</article>"), cited(),
    ),
    "a post dated above": (page(T, f"<p>2 April 2019</p><h1>{T}</h1><p>{A}</p>", BODY), cited()),
    "a post a year off": (page(T, f"<h1>{T}</h1><p>{A}, 2020-01-03</p>", BODY), cited()),
    "a page updated since": (page(T, f"<h1>{T}</h1><p>{A}</p><p>Last updated: 4 May 2023</p>", BODY), cited()),
    "an author at the end": (page(T, f"<h1>{T}</h1>", BODY, f"<p>Written by {A}</p>"), cited()),
    "a program with its authors": (
        page("GitHub - mossgrp/mosskit: Moss canopies as reservoirs", "<h1>mossgrp/mosskit</h1><h1>mosskit</h1>"
             "<p>Tools for moss.</p><h2>Install</h2>", BODY, f"<h2>Authors</h2><ul><li>{A}</li></ul>"),
        cited("mosskit: Moss canopies as reservoirs", url="https://github.com/mossgrp/mosskit", kind="software"),
    ),
    "a program under its owner": (
        page("GitHub - tanabekohl/mosskit: Moss canopies as reservoirs", "<h1>mosskit</h1>", BODY),
        cited("mosskit", url="https://github.com/tanabekohl/mosskit", kind="software"),
    ),
    "a program with its citation": (
        page("mosskit", "<h1>mosskit</h1>", BODY, f"<h2>How to cite</h2><pre>@software{{m, author = {{{A}}}}}</pre>"),
        cited("mosskit", kind="software"),
    ),
    "a program that is cited as told": (
        page("mosskit", "<h1>mosskit</h1>", BODY, f"<p>How to cite mosskit:</p><p>{A} and O. Nordmann. Moss. 2019</p>"),
        cited("mosskit", kind="software"),
    ),
    "a manual by a body": (
        page("Moss guide — Mosskit 1.2 documentation", "<h1>Moss guide¶</h1>", BODY),
        cited("Moss guide", "{Mosskit Developers}", "2021"),
    ),
    "a notice of a body on its own host": (
        page("Guidance on peat | Environment Agency", "<h1>Guidance on peat</h1>", BODY),
        cited("Guidance on peat", "{Environment Agency}", "2021", "https://environment.gov.example/peat"),
    ),
    "a report in pages": (
        page(f"Report 12: {T}", f"<p>Institute of Bogs</p><h1>Report 12: {T}</h1><p>{A} and Ole Nordmann</p>"
             "<p>Technical report, 2019</p><h2>Abstract</h2>", BODY), cited(f"Report 12: {T}", kind="techreport"),
    ),
    "a title that tells of fakes": (
        page("Fake papers and a search for them", "<h1>Fake papers and a search for them</h1>",
             f"<p>{A}, 2019</p>", BODY),
        cited("Fake papers and a search for them"),
    ),
    "a paper with its parts": (
        page(T, f"<p>{A}</p><h1>Abstract</h1>", BODY, "<h1>Results</h1>", BODY), cited(),
    ),
    "a site about search": (
        page(f"{T} | Search Engine Notes", f"<h1>{T}</h1><p>{A}, 2019</p>", BODY), cited(),
    ),
    "a page of somebody's own": (page(T, f"<h1>{T}</h1>", BODY), cited(url="https://tanabekohl.example/moss")),
    "no author is cited": (page(T, f"<h1>{T}</h1>", BODY), cited(author="")),
}  # fmt: skip


@pytest.mark.parametrize("kind", TRUE)
async def test_the_page_of_the_work_itself_confirms_it(kind: str) -> None:
    text, entry = TRUE[kind]
    found = await looked(text, entry)
    assert found.state == "says", found.detail
