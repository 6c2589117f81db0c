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
        (b"{", "not a line of JSON"),
        (b'{"id": "x", "text": "cut o', "not a line of JSON"),
        (b"\xff\xfe\xff", "not a line of JSON"),
        (b"[1, 2]", "a list where an object"),
        (b"null", "where an object"),
        (b'{"text": "no id"}', "id is missing"),
        (b'{"id": "", "text": "x"}', "id is missing"),
        (b'{"id": null, "text": "x"}', "id is missing"),
        (b'{"id": true, "text": "x"}', "id is missing"),
        (b'{"id": "x"}', "text is missing"),
        (b'{"id": "x", "text": ["a"]}', "text is missing"),
        (b'{"id": "one", "text": "another text"}', "also that of line 1"),
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


def test_an_unclear_date_is_noted_and_the_document_kept(tmp_path: Path) -> None:
    corpus = load(tmp_path, {**GOOD, "published_at": "last spring"}, {**GOOD, "id": 2, "published_at": "2020-13-40"})
    assert [d.published_at for d in corpus.documents] == [None, None]
    assert all(problem.kept for problem in corpus.problems)
    assert len(corpus.problems) == 2


def test_a_mark_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n\r\n  \n")
    assert len(load_corpus([path])) == 1


def test_titles_hold_no_unprintable_characters(tmp_path: Path) -> None:
    odd = {**GOOD, "title": "A\u202e title\n of\x00 it\ud83d", "authors": "Ada Byron and M. Born"}
    document = load(tmp_path, odd).documents[0]
    assert (document.title, document.authors) == ("A title of it", ("Ada Byron", "M. Born"))


@settings(max_examples=60, deadline=None)
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
def test_a_corpus_of_real_abstracts_is_read_whole_and_cut_without_loss() -> None:
    corpus = load_corpus([SHARED])
    assert len(corpus) == len(SHARED.read_bytes().splitlines())
    for document in corpus.documents[::10]:
        cut = "".join(passage.text for passage in cut_passages(document))
        assert "".join(cut.split()) == "".join(document.text.split())
