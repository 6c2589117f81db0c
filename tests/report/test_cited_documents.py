"""Cited documents in full: in the page, where they need no server, and on the terminal."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest
from report_sample import C
from report_sources import SOURCES, TEXTS

from veritas import ClaimGraph
from veritas.claims.envelope import SpanRef
from veritas.documents.document import Document, document_id
from veritas.report import render_html
from veritas.report._terminal import render_document
from veritas.report.cited_documents import CitedDocument, CitedDocuments


def _document(name: str, text: str | None = None) -> Document:
    said = TEXTS[name] if text is None else text
    return Document(document_id=document_id(TEXTS[name]), url=SOURCES[name].url, title=SOURCES[name].title, text=said,
                    fetched_at=date(2026, 11, 20))  # fmt: skip


@pytest.fixture(scope="module")
def page(graph: ClaimGraph) -> str:
    return render_html(graph, map(_document, TEXTS))


def _shown(document: CitedDocument) -> list[tuple[str, str, str]]:
    """The kind, the text and the marked text of each paragraph."""
    return [
        (p.kind, "".join(piece.text for piece in p.pieces), "".join(piece.text for piece in p.pieces if piece.marked))
        for p in document.paragraphs()
    ]


def test_the_page_holds_what_the_answer_cites_whole_and_escaped(graph: ClaimGraph, page: str) -> None:
    pages = CitedDocuments(graph, map(_document, TEXTS))
    assert {r.number for each in pages for r in each.references} == {r.number for r in graph.answer.bibliography}
    for each in pages:
        whole = "\n\n".join(text for _, text, _ in _shown(each))
        assert whole.split() == each.document.text.split()
        assert f'<section class="document" id="{each.anchor}"' in page
    assert "<img" not in page
    assert "<script>document" not in page


def test_every_link_to_a_passage_leads_to_it(graph: ClaimGraph, page: str) -> None:
    ids = Counter(re.findall(r'\bid="([^"]+)"', page))
    assert [each for each, count in ids.items() if count > 1] == []
    links = set(re.findall(r'href="#((?:at|document)-[^"]+)"', page))
    assert links
    assert links <= ids.keys()
    span = C["capacity"].spans[0]
    place = CitedDocuments(graph, map(_document, TEXTS)).place(span)
    assert f'<mark id="{place}" tabindex="-1">{C["capacity"].source_passages[0]}</mark>' in page
    assert f'<a href="#{place}">in&nbsp;the&nbsp;document</a>' in page


def test_a_text_that_is_another_by_now_has_no_marks(graph: ClaimGraph) -> None:
    pages = CitedDocuments(graph, [_document("lab", TEXTS["lab"].replace("34 %", "43 %"))])
    (each,) = pages
    assert "".join(marked for _, _, marked in _shown(each)).find("43 %") == -1
    assert pages.place(C["capacity"].spans[0]) == ""
    assert pages.place(SpanRef(passage_id="p", document_id="elsewhere", start=0, end=1)) == ""


@pytest.mark.parametrize("color", [False, True])
def test_on_the_terminal_passages_are_marked_and_nothing_drives_it(graph: ClaimGraph, color: bool) -> None:
    (each,) = CitedDocuments(graph, [_document("lab", TEXTS["lab"] + "\n\nrun(1)\n\x1b[2J")])
    text, first = render_document(each, 60, color)
    lines = text.split("\n")
    marked = [line for line in lines if ("\x1b[1m" in line if color else line.startswith("  > "))]
    quotes = [q for c in graph.claims for s, q in zip(c.spans, c.source_passages, strict=True)
              if s.document_id == each.document.document_id]  # fmt: skip
    said = " ".join(re.sub(r"\x1b\[\d*m|^  > ", "", line).strip() for line in marked)
    assert all(word in said for quote in quotes for word in quote.split())
    assert lines[first - 1] == next(line for line in marked if line in lines[3:])
    assert "⟦U+001B⟧[2J" in text
    assert "    run(1)" in lines
