"""Names of a question that nothing read mentions."""

from __future__ import annotations

from datetime import date

from veritas.answers._unmentioned_names import told
from veritas.documents.document import Document, document_id


def document(text: str) -> Document:
    day = date(2026, 1, 2)
    return Document(document_id=document_id(text), url="corpus://a/a", title="A", text=text, fetched_at=day)


def test_a_misspelt_name_is_told_with_the_word_it_resembles() -> None:
    read = [document("How to upload a file."), document("Postgres keeps it.")]
    assert told(("uplod", "Kafka", "v2"), read) == "“uplod” (is “upload” meant?), “Kafka”, “v2”"


def test_a_name_that_stands_anywhere_in_what_was_read_is_not_told() -> None:
    assert told(("Kafka",), [document("word " * 9_000 + "and kafka's end")]) == ""
    assert told(("fiel", "Postgres"), [document("A field of PostgreSQL.")]) == "“fiel” (is “field” meant?)"
