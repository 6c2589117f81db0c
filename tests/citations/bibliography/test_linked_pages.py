"""A linked page confirms a work if it is that work's own page; a page that only repeats its words does not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pytest

from veritas.citations.bibliography.entry import Entry
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
    "nothing under its heading": page(T, f"<h1>{T}</h1><p>{A}, 2019: no such report was found.</p>"),
    "a warning": page("Fake references", f"<h1>Fake references</h1><p>This one does not exist: {A}, {T}, 2019.</p>"),
    "a preview": page("Preview", f"<h1>Preview</h1><pre>@misc{{x, title={{{T}}}, author={{{A}}}}}</pre>", BODY),
    "a review": page(T, f"<h1>{T}</h1><p>by Ole Nordmann, in reply to {A}, 2019</p>", BODY),
    "another year": page(T, f"<h1>{T}</h1><p>by {A}, 1994</p>", BODY),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
async def test_a_page_that_only_repeats_the_words_is_no_confirmation(lie: str) -> None:
    found = await looked(LIES[lie])
    assert found.state == "mentions", found.detail


TRUE: dict[str, tuple[str, Entry]] = {
    "metadata": (
        page(T, f"<h1>{T}</h1><p>{A}</p>", head=f"<meta name=citation_title content='{T}'>"
             f"<meta name=citation_author content='{A}'><meta name=citation_publication_date content=2019>"), cited(),
    ),
    "a post dated above": (page(T, f"<p>2 April 2019</p><h1>{T}</h1><p>{A}</p>", BODY), cited()),
    "an author at the end": (page(T, f"<h1>{T}</h1>", BODY, f"<p>Written by {A}</p>"), cited()),
    "a program with its citation": (
        page("mosskit", "<h1>mosskit</h1>", BODY, f"<h2>How to cite</h2><pre>@software{{m, author = {{{A}}}}}</pre>"),
        cited("mosskit", kind="software"),
    ),
    "a notice of a body on its own host": (
        page("Guidance on peat | Environment Agency", "<h1>Guidance on peat</h1>", BODY),
        cited("Guidance on peat", "{Environment Agency}", "2021", "https://environment.gov.example/peat"),
    ),
    "a paper with its parts": (
        page(T, f"<p>{A}</p><h1>Abstract</h1>", BODY, "<h1>Results</h1>", BODY), cited(),
    ),
    "no author is cited": (page(T, f"<h1>{T}</h1>", BODY), cited(author="")),
}  # fmt: skip


@pytest.mark.parametrize("kind", TRUE)
async def test_the_page_of_the_work_itself_confirms_it(kind: str) -> None:
    text, entry = TRUE[kind]
    found = await looked(text, entry)
    assert found.state == "says", found.detail
