"""JSON lines: what a record may hold, and which line is wrong."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.documents.passages import cut_passages
from veritas.documents.verbatim import is_verbatim
from veritas.errors import CorpusError
from veritas.reading.corpus import Corpus
from veritas.reading.loading import load_corpus

GOOD = {"id": "one", "text": "A good text."}


def load(tmp_path: Path, *records: object, raw: bytes = b"") -> Corpus:
    path = tmp_path / "c.jsonl"
    path.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in records) + raw)
    return load_corpus([path])


def test_a_record_is_a_document(tmp_path: Path) -> None:
    full = {
        "id": 7, "title": "T", "text": "Text\r\nof it.", "url": "https://a.org/1", "published_at": "2020-02-03T00:00Z",
        "authors": ["Ada Byron", {"name": "Max Born"}], "doi": "10.1/x", "note": "planted", "arxiv_id": "2001.00001",
        "references": ["https://b.org/", "nonsense"], "unknown": {"is": "ignored"},
    }  # fmt: skip
    corpus = load(tmp_path, full, {"id": "a b/c", "text": "Other."}, {"id": "..", "text": "Third."})
    document = corpus.documents[0]
    assert (document.url, document.title, document.text) == ("https://a.org/1", "T", "Text\nof it.")
    assert (document.published_at, document.authors) == (date(2020, 2, 3), ("Ada Byron", "Max Born"))
    assert (document.doi, document.note, document.arxiv_id) == ("10.1/x", "planted", "2001.00001")
    assert document.references == ("https://b.org/",)
    assert [d.url for d in corpus.documents[1:]] == ["corpus://c/a%20b/c", "corpus://c/%2E%2E"]
    assert corpus.documents[1].title == "a b/c"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "not a line of JSON"), (b"\xff\xfe\xff", "not a line of JSON"), (b"null", "where an object"),
        (b'{"id": "", "text": "x"}', "id is missing"),
        (b'{"id": true, "text": "x"}', "id is missing"),
        (b'{"id": "x", "text": ["a"]}', "text is missing"),
        (b"[" * 100_000, "not a line of JSON"),
    ],
)
def test_a_broken_line_is_an_error_with_its_place(tmp_path: Path, line: bytes, message: str) -> None:
    with pytest.raises(CorpusError, match=message) as caught:
        load(tmp_path, GOOD, raw=b"\n" + line + b"\n")
    assert "c.jsonl:3:" in str(caught.value)


def test_a_record_that_cannot_be_used_is_reported_with_its_line(tmp_path: Path) -> None:
    corpus = load(
        tmp_path,
        GOOD,
        GOOD,
        {"id": "empty", "text": " \n"},
        {"id": "nul", "text": "a\0b"},
        {"id": "url", "text": "x", "url": "mailto:a@b.org"},
        {"id": "again", "text": "x", "url": "corpus://c/one"},
        raw=b'{"id": "half", "text": "half a pair \\ud83d"}\n',
    )
    assert [d.url for d in corpus.documents] == ["corpus://c/one"]
    assert [problem.path.rpartition(":")[2] for problem in corpus.problems] == ["3", "4", "5", "6", "7"]


@settings(max_examples=30, deadline=None)
@given(text=st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=80))
def test_a_text_is_kept_to_the_letter(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("c")
    expected = text.replace("\r\n", "\n").replace("\r", "\n")
    corpus = load(folder, GOOD, {"id": "x", "text": text})
    found = corpus.by_url.get("corpus://c/x")
    if not expected.strip() or "\0" in text:
        assert found is None
    else:
        assert found is not None
        assert found.text == expected
        assert is_verbatim(text, found.text) or len(" ".join(text.split())) < 8


SHARED = Path(__file__).resolve().parents[2] / ".." / "shared" / "claims" / "scifact_documents.jsonl"


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the shared data folder is absent")
def test_a_corpus_of_real_abstracts_is_read_whole_and_cut_without_loss(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_bytes(b"".join(SHARED.read_bytes().splitlines(keepends=True)[:300]))
    corpus = load_corpus([records])
    assert len(corpus) == 300
    for document in corpus.documents[::10]:
        cut = "".join(passage.text for passage in cut_passages(document))
        assert "".join(cut.split()) == "".join(document.text.split())
