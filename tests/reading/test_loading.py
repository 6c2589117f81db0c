"""Corpora: what is read from the paths a person names, under which URL, and what is reported instead."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tests.reading.pdf_writer import Run, write_pdf
from veritas.documents.document import Document, document_id
from veritas.errors import CorpusError, Unavailable
from veritas.reading import walking
from veritas.reading.corpus import Corpus, CorpusProblem, CorpusReader
from veritas.reading.loading import load_corpus
from veritas.reading.reader import Reader

DAY = date(2026, 1, 2)

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


def reasons(corpus: Corpus, *, kept: bool = False) -> dict[str, str]:
    return {Path(problem.path).name: problem.reason for problem in corpus.problems if problem.kept == kept}


Write = Callable[[str, "str | bytes"], Path]


def test_a_folder_is_read_in_order_under_addresses_of_its_own(tmp_path: Path, write: Write) -> None:
    write("b/Tides & moon.md", "# Tides\n\nThe moon *pulls* the sea.")
    write("a.txt", "Some plain text.\n")
    write("a/z.html", "<title>Zed</title><p>A page.</p>")
    write("é.rst", "Title\n=====\n\nText.")
    corpus = load_corpus([tmp_path / "docs"], today=DAY)
    assert [document.url for document in corpus.documents] == [
        "corpus://docs/a.txt",
        "corpus://docs/a/z.html",
        "corpus://docs/b/Tides%20%26%20moon.md",
        "corpus://docs/%C3%A9.rst",
    ]
    tides = corpus.by_url["corpus://docs/b/Tides%20%26%20moon.md"]
    assert (tides.title, tides.text, tides.media_type) == ("Tides", "Tides\n\nThe moon pulls the sea.", "text/markdown")
    assert tides.document_id == document_id(tides.text)
    assert {document.fetched_at for document in corpus.documents} == {DAY}
    assert corpus.problems == ()


def test_the_owner_says_who_a_document_is(tmp_path: Path, write: Write) -> None:
    write("front.md", "---\nurl: https://a.org/x\ntitle: Front\nauthors: [Ada Byron, M. Born]\npublished_at: 2020-05\n"
          "doi: 10.1000/182\nnote: planted\n---\nText one.")  # fmt: skip
    write("page.html", "<title>Of the page</title><p>Text two.</p>")
    write("page.html.meta.json", json.dumps({"url": "https://b.org/", "title": "Of the owner", "references": ["https://r.org/"]}))
    write("plain.txt", "Text three.")
    write("plain.meta.yaml", "url: 'https://c.org/'\ndate: 1999-12-31\n")
    write("blog.md", "---\nlayout: post\nauthor: Jane Doe\ndate: 2021-02-03 10:00\n---\nText four.")
    corpus = load_corpus([tmp_path / "docs"])
    front = corpus.by_url["https://a.org/x"]
    assert (front.title, front.authors, front.published_at) == ("Front", ("Ada Byron", "M. Born"), date(2020, 5, 1))
    assert (front.doi, front.note, front.text) == ("10.1000/182", "planted", "Text one.")
    assert corpus.by_url["https://b.org/"].title == "Of the owner"
    assert corpus.by_url["https://b.org/"].references == ("https://r.org/",)
    assert corpus.by_url["https://c.org/"].published_at == date(1999, 12, 31)
    blog = corpus.by_url["corpus://docs/blog.md"]
    assert (blog.authors, blog.published_at) == (("Jane Doe",), date(2021, 2, 3))
    assert corpus.problems == ()


def test_a_page_cannot_name_itself(tmp_path: Path, write: Write) -> None:
    write("fake.html", "<link rel=canonical href='https://www.nejm.org/x'><meta property='og:url' content='https://nejm.org'>"
          "<base href='https://nejm.org/'><p>Trust me.</p>")  # fmt: skip
    assert [d.url for d in load_corpus([tmp_path / "docs"]).documents] == ["corpus://docs/fake.html"]


@pytest.mark.parametrize("url", ["ftp://a.org/x", "javascript:alert(1)", "https://", "http://[::1", "a b", "[1, 2]", "https://a.org\\@b.org/"])
def test_a_document_of_an_unclear_identity_is_left_out_rather_than_taken_for_the_owners(
    tmp_path: Path, write: Write, url: str
) -> None:
    write("bad.md", f"---\nurl: {url}\n---\nText.")
    write("good.md", "Other text.")
    corpus = load_corpus([tmp_path / "docs"])
    assert [d.url for d in corpus.documents] == ["corpus://docs/good.md"]
    assert "no http or https URL" in reasons(corpus)["bad.md"] or "front matter" in reasons(corpus)["bad.md"]


def test_a_broken_sidecar_leaves_its_document_out(tmp_path: Path, write: Write) -> None:
    write("a.txt", "Text.")
    write("a.txt.meta.json", "{")
    write("b.txt", "Other.")
    write("b.meta.yaml", "- a list\n")
    write("c.txt", "Third.")
    corpus = load_corpus([tmp_path / "docs"])
    assert [d.url for d in corpus.documents] == ["corpus://docs/c.txt"]
    assert set(reasons(corpus)) == {"a.txt", "b.txt"}


def test_one_bad_document_among_many_is_reported_and_stops_nothing(tmp_path: Path, write: Write) -> None:
    bad: dict[str, str | bytes] = {
        "empty.txt": "",
        "blank.md": " \n\n ",
        "binary.txt": b"\x7fELF\x00\x01\x02",
        "nul.md": "a\x00b",
        "undecodable.txt": b"\x81\x8d\x8f\x90\x9d\xff" * 40,
        "fake.pdf": "<html>404</html>",
        "cut.pdf": write_pdf([[Run(60, 700, "x")]])[:200],
        "fake.docx": "PK nothing",
        "feed.xml": "<rss/>",
    }
    for name, content in bad.items():
        write(name, content)
    write("good.txt", "Good text.")
    heard: list[CorpusProblem] = []
    corpus = load_corpus([tmp_path / "docs"], on_problem=heard.append)
    assert [d.text for d in corpus.documents] == ["Good text."]
    assert set(reasons(corpus)) == set(bad)
    assert tuple(heard) == corpus.problems


def test_links_are_not_followed_out_of_the_folder_nor_round_in_it(tmp_path: Path, write: Write) -> None:
    write("good.txt", "Good text.")
    secret = tmp_path / "secret.txt"
    secret.write_text("Secret.")
    (tmp_path / "docs" / "out.txt").symlink_to(secret)
    (tmp_path / "docs" / "loop").symlink_to(tmp_path / "docs")
    os.mkfifo(tmp_path / "docs" / "pipe.txt")
    corpus = load_corpus([tmp_path / "docs"])
    assert [d.text for d in corpus.documents] == ["Good text."]
    said = " ".join(problem.reason for problem in corpus.problems)
    assert "2 × symbolic link" in said
    assert "1 × special file" in said


def test_a_file_too_large_is_reported_in_a_folder_and_an_error_by_itself(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walking, "MAX_FILE_BYTES", 1 << 20)
    large = write("large.txt", "x" * (2 << 20))
    write("good.txt", "Good text.")
    assert "2 MB; at most 1 MB" in reasons(load_corpus([tmp_path / "docs"]))["large.txt"]
    with pytest.raises(CorpusError, match=r"large\.txt has 2 MB"):
        load_corpus([large])


def test_characters_that_are_not_seen_stay_in_the_text_and_are_noted(tmp_path: Path, write: Write) -> None:
    text = "Pay \u202eyletaidemmi\u202c the\u200b bill."
    write("rtl.txt", text)
    corpus = load_corpus([tmp_path / "docs"])
    assert corpus.documents[0].text == text
    assert reasons(corpus, kept=True)["rtl.txt"].startswith("holds 3 ×")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (None, None, "does not exist"),
        ("x.png", b"\x89PNG", "no kind that is read"),
        ("x.txt", b"", "no text in it"),
        ("x.pdf", b"no", "is no PDF"),
    ],
)
def test_a_path_that_cannot_be_used_is_an_error(
    tmp_path: Path, write: Write, name: str | None, content: bytes | None, message: str
) -> None:
    path = tmp_path / "missing" if name is None or content is None else write(name, content)
    with pytest.raises(CorpusError, match=message) as caught:
        load_corpus([path])
    assert str(path) in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_corpus_without_a_usable_document_is_an_error_that_says_why(tmp_path: Path, write: Write) -> None:
    (tmp_path / "void").mkdir()
    with pytest.raises(CorpusError, match="there is nothing in it"):
        load_corpus([tmp_path / "void"])
    write("a.pdf", "no")
    with pytest.raises(CorpusError, match="is no PDF"):
        load_corpus([tmp_path / "docs"])
    with pytest.raises(CorpusError, match="no corpus was named"):
        load_corpus([])


def test_the_fingerprint_follows_the_content_and_not_the_day(tmp_path: Path, write: Write) -> None:
    write("a.txt", "Text.")
    path = write("b.md", "Other.")
    first = load_corpus([tmp_path / "docs"], today=DAY)
    assert load_corpus([tmp_path / "docs"], today=date(2027, 1, 1)).fingerprint == first.fingerprint
    assert Corpus(reversed(first.documents)).fingerprint == first.fingerprint
    path.write_text("---\nnote: new\n---\nOther.")
    assert load_corpus([tmp_path / "docs"]).fingerprint != first.fingerprint


async def test_the_reader_reads_what_is_in_the_corpus_and_nothing_else(tmp_path: Path, write: Write) -> None:
    write("a.txt", "Text.")
    corpus = load_corpus([tmp_path / "docs"])
    reader: Reader = CorpusReader(corpus)
    assert isinstance(reader, Reader)
    assert await reader.read("corpus://docs/a.txt") is corpus.documents[0]
    for url in ("corpus://docs/b.txt", "corpus://docs/../a.txt", "https://example.org/", ""):
        with pytest.raises(Unavailable):
            await reader.read(url)


def test_conversions_are_kept_and_a_damaged_one_is_made_anew(tmp_path: Path, write: Write, home: Path) -> None:
    path = write("p.pdf", write_pdf([[Run(60, 700, "Text of a PDF.")]]))

    def read_anew() -> Document:
        shutil.rmtree(home / "cache" / "corpora", ignore_errors=True)
        return load_corpus([path]).documents[0]

    assert read_anew().text == "Text of a PDF."
    (entry,) = (home / "cache" / "converted").iterdir()
    kept = json.loads(entry.read_text())
    kept["converted"]["title"] = "From the cache"
    entry.write_text(json.dumps(kept))
    assert read_anew().title == "From the cache"
    for damaged in ("", "{", "[]", "null", json.dumps({**kept, "version": -1}), json.dumps({**kept, "kind": "docx"})):
        entry.write_text(damaged)
        assert read_anew().title == "p"
    kept["converted"]["text"] = "A text that nobody wrote."
    entry.write_text(json.dumps(kept))
    assert read_anew().text == "Text of a PDF."


def test_a_cache_that_cannot_be_written_is_gone_without(tmp_path: Path, write: Write, home: Path) -> None:
    (home / "cache").write_text("a file where the folder should be")
    path = write("p.pdf", write_pdf([[Run(60, 700, "Text of a PDF.")]]))
    assert load_corpus([path]).documents[0].text == "Text of a PDF."
