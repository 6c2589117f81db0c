"""Formats: the same statements and addresses from HTML, Word, PDF, conversations and lists beside the text."""

import io
import json
from typing import Any

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from veritas.errors import InputError
from veritas.factcheck import CheckedText, read_bytes, read_conversation, read_text

A, B = "https://a.example/one", "https://b.example/two"


def told(read: CheckedText) -> list[tuple[str, list[str | None]]]:
    kept = [one for one in read.statements if one.kind == "statement"]
    for one in kept:
        assert 0 <= one.start < one.end <= len(read.text)
    return [(one.statement, [citation.url for citation in one.citations]) for one in kept]


def test_html_keeps_links_raised_numbers_and_its_list() -> None:
    page = (
        "<!doctype html><html><head><title>Towers</title></head><body><nav><a href='/x'>Menu</a></nav><h1>Towers</h1>"
        f"<p>The tower is high.<sup><a href='#r2'>[2]</a></sup> It has a <a href='{A}?utm_source=x'>bell</a>. "
        "It stands on 20 m<sup>2</sup> of rock.<sup>1</sup></p>"
        f"<h2>References</h2><ol><li><a href='{A}'>First</a></li><li id='r2'>"
        f"<a href='{B}'>Second</a></li></ol></body></html>"
    )
    read = read_text(page)
    assert read.format == "html"
    assert told(read) == [("The tower is high.", [B]), ("It has a bell.", [A]), ("It stands on 20 m² of rock.", [A])]
    assert "https" not in read.text
    assert "Menu" not in read.text


def word_file() -> bytes:
    document = docx.Document()
    document.add_heading("Towers", level=1)
    paragraph = document.add_paragraph("The tower is high (")
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), document.part.relate_to(A, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    run = OxmlElement("w:r")
    words = OxmlElement("w:t")
    words.text = "Town"
    run.append(words)
    link.append(run)
    paragraph._p.append(link)
    paragraph.add_run("). It has a bell [1]. It is old.")
    document.add_heading("References", level=1)
    document.add_paragraph(f"[1] {B} - Bells")
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def test_word_files_keep_links() -> None:
    read = read_bytes(word_file(), name="towers.docx")
    assert read.format == "docx"
    assert told(read) == [("The tower is high.", [A]), ("It has a bell.", [B]), ("It is old.", [])]


def pdf_file() -> bytes:
    """Return a PDF of one page with two lines of text; the words "Town" are a link."""
    words = b"BT /F1 12 Tf 72 700 Td (The tower is 81 metres high \\(Town\\). It has a bell [1].) Tj "
    words += b"0 -40 Td (References) Tj 0 -20 Td ([1] https://b.example/two - Bells) Tj ET"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R] "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(words), words),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
        b"<< /Type /Annot /Subtype /Link /Rect [280.5 696 310 712] /A << /S /URI /URI (https://a.example/one) >> >>",
    ]
    made, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    at = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    return made + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts) + 1, at)


def test_pdf_files_keep_links() -> None:
    read = read_bytes(pdf_file(), name="towers.pdf")
    assert read.format == "pdf"
    assert told(read) == [("The tower is 81 metres high.", [A]), ("It has a bell.", [B])]


@pytest.mark.parametrize("data", [b"", b" \n ", b"PK\x03\x04 broken", b"%PDF-1.4 broken", b"\x00\x01\x02\xff"])
def test_a_file_that_cannot_be_read_is_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        read_bytes(data)


def chat(text: str, **metadata: Any) -> dict[str, Any]:
    asked = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Why is it high?"]}}
    said = {"author": {"role": "assistant"}, "content": {"content_type": "text", "parts": [text]}, "metadata": metadata}
    nodes = {
        "a": {"parent": None, "children": ["b"], "message": asked},
        "b": {"parent": "a", "children": [], "message": said},
    }
    return {"title": "Towers", "current_node": "b", "mapping": nodes}


def test_marks_of_a_chat_are_resolved_by_its_export() -> None:
    mark = "\ue200cite\ue202turn0search1\ue201"
    other = "【3†source】"
    text = f"The tower is high. {mark} It has a bell. {other} It is old. {mark}"
    references = [
        {"matched_text": mark, "items": [{"url": f"{A}?utm_source=chatgpt.com", "title": "First"}]},
        {"matched_text": mark, "items": [{"url": B, "title": "Second"}]},
    ]
    at = text.index(other)
    citations = [{"start_ix": at, "end_ix": at + len(other), "metadata": {"url": B, "title": "Second"}}]
    read = read_conversation(json.dumps([chat(text, content_references=references, citations=citations)]))
    assert told(read) == [("The tower is high.", [A]), ("It has a bell.", [B]), ("It is old.", [B])]


def test_words_cited_by_an_export_without_marks_lean_on_its_addresses() -> None:
    text = "The tower is high. It has a bell."
    at = text.index("It has")
    block = {"type": "text", "text": text, "citations": [{"start_index": at, "end_index": len(text), "url": A}]}
    messages = [{"sender": "human", "text": "Why?"}, {"sender": "assistant", "content": [block]}]
    assert told(read_conversation({"chat_messages": messages})) == [("The tower is high.", []), ("It has a bell.", [A])]


def test_lists_of_messages_and_answers_of_interfaces_are_read() -> None:
    text = "The tower is high [2]. It is old [1]."
    resolved = [("The tower is high.", [B]), ("It is old.", [A])]
    messages = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": text, "citations": [A, B]}]
    assert told(read_conversation(messages)) == resolved
    assert told(read_text(json.dumps(messages))) == resolved
    answer = {"choices": [{"message": {"role": "assistant", "content": text}}], "citations": [A, B]}
    assert told(read_conversation(answer)) == resolved


def test_the_last_answer_is_the_one_that_is_read() -> None:
    messages = [{"role": r, "content": c} for r, c in (("assistant", "It is low."), ("assistant", "It is high."))]
    assert told(read_conversation(messages)) == [("It is high.", [])]


@pytest.mark.parametrize("export", ["{", "[]", '{"messages": [{"role": "user", "content": "Why?"}]}', "[" * 100_000])
def test_an_export_without_an_answer_is_refused(export: str) -> None:
    with pytest.raises(InputError):
        read_conversation(export)


@pytest.mark.parametrize(
    "sources",
    [
        f"[1] {A} - First\n[2] {B} - Second",
        f"{A}\n{B}",
        f"Sources\n1. First. {A}\n2. Second. {B}",
        json.dumps([A, B]),
        json.dumps({"1": A, "2": B}),
        json.dumps([{"title": "First", "url": A}, {"title": "Second", "link": B}]),
        json.dumps([{"role": "assistant", "content": "x", "citations": [A, B]}]),
    ],
)
def test_a_list_beside_the_text_resolves_its_marks(sources: str) -> None:
    text = "The tower is high [1]. It is old [2]."
    assert told(read_text(text, sources=sources)) == [("The tower is high.", [A]), ("It is old.", [B])]
    assert {entry.origin for entry in read_text(text, sources=sources).sources} <= {"beside", "export"}
