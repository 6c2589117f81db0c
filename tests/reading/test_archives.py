"""A zip as a corpus: what is read, and what a hostile one may not do."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from veritas.errors import CorpusError
from veritas.reading import _archive
from veritas.reading.corpus import Corpus, CorpusProblem
from veritas.reading.forgetting import forget
from veritas.reading.loading import load_corpus


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def packed(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def said(corpus: Corpus) -> set[str]:
    return {f"{Path(problem.path).name} {problem.reason}" for problem in corpus.problems}


def test_the_documents_of_a_zip_are_a_corpus(tmp_path: Path) -> None:
    path = packed(tmp_path / "manual.zip", {
        "docs/a.md": "# One\n\nThe first.", "docs/a.md.meta.json": '{"title": "Named"}', "b.txt": "The second.",
        "c.md": " ", ".git/config.md": "x", "logo.png": "x", "logo2.png": "x", "inner.zip": "x",
    })  # fmt: skip
    corpus = load_corpus([path])
    assert [document.url for document in corpus.documents] == ["corpus://manual/b.txt", "corpus://manual/docs/a.md"]
    assert corpus.by_url["corpus://manual/docs/a.md"].title == "Named"
    assert said(corpus) == {
        "manual.zip has 1 × hidden file or folder, not read",
        "manual.zip has 2 × file of a kind that is not read (.png), not read",
        "manual.zip has 1 × file of a kind that is not read (.zip), not read",
        "c.md has no text in it",
    }
    again = load_corpus([path])
    assert (again.fingerprint, again.problems) == (corpus.fingerprint, corpus.problems)
    packed(path, {"b.txt": "Another second."})
    assert [document.text for document in load_corpus([path]).documents] == ["Another second."]


def test_names_that_lead_out_and_links_are_passed_over(tmp_path: Path, home: Path) -> None:
    path = packed(tmp_path / "evil.zip", {
        "good.md": "Good.", "../up.md": "Evil.", "/etc/root.md": "Evil.", "a/../../b.md": "Evil.", "c:\\d.md": "Evil.",
    })  # fmt: skip
    link = zipfile.ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    corpus = load_corpus([path])
    assert [document.text for document in corpus.documents] == ["Good."]
    assert said(corpus) == {
        "evil.zip has 4 × name that leads out of the archive, not read", "evil.zip has 1 × symbolic link, not read",
    }  # fmt: skip
    assert [file.name for file in home.rglob("*.md")] == ["good.md"]
    assert not list(tmp_path.rglob("up.md"))


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = packed(tmp_path / "bomb.zip", {f"{i}.txt": "0" * 2_000_000 for i in range(3)})
    monkeypatch.setattr(_archive, "MAX_UNPACKED", 5_000_000)
    with pytest.raises(CorpusError, match=r"bomb\.zip unpacks to 5 MB; at most 4 MB are unpacked"):
        load_corpus([path])
    monkeypatch.setattr(_archive, "MAX_FILE_BYTES", 1_000_000)
    with pytest.raises(CorpusError, match="3 × file of more than 0 MB"):
        load_corpus([path])
    assert not list(home.rglob("*.txt"))


def test_a_size_that_is_a_lie_does_not_help(tmp_path: Path, home: Path) -> None:
    path = packed(tmp_path / "liar.zip", {"liar.txt": "0" * 2_000_000, "good.txt": "Good."})
    data = path.read_bytes()
    path.write_bytes(data.replace((2_000_000).to_bytes(4, "little"), (100).to_bytes(4, "little")))
    corpus = load_corpus([path])
    assert [document.text for document in corpus.documents] == ["Good."]
    assert said(corpus) == said(load_corpus([path])) == {
        "liar.zip has 1 × file that is damaged in the archive, not read"
    }  # fmt: skip
    assert max(file.stat().st_size for file in home.rglob("*.txt")) <= 100


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06", b"no zip at all"])
def test_what_is_no_zip_is_said_to_be_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(CorpusError, match=r"x\.zip is no zip that can be read"):
        load_corpus([tmp_path / "x.zip"])


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_file_takes_no_other_with_it(tmp_path: Path, method: int) -> None:
    path = tmp_path / "d.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("bad.txt", "A damaged text. " * 50)
        archive.writestr("good.txt", "Good.")
        at = archive.getinfo("bad.txt").header_offset + 30 + len("bad.txt")
    data = bytearray(path.read_bytes())
    data[at + 12 : at + 24] = bytes(12)
    path.write_bytes(data)
    corpus = load_corpus([path])
    assert [document.text for document in corpus.documents] == ["Good."]
    assert said(corpus) == {"d.zip has 1 × file that is damaged in the archive, not read"}


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["a.md", "./a.md"], "file of a name that stands there twice"),
        (["x/a.md", "x//a.md"], "file of a name that stands there twice"),
        (["a.md", "a.md/b.md"], "file of a name that stands there twice"),
        (["a.md/b.md", "a.md"], "file of a name that stands there twice"),
        (["a.md", f"{'x' * 300}.md"], "name that is too long"),
        (["a.md", f"{'d/' * 2000}b.md"], "name that is too long"),
    ],
)
def test_names_that_cannot_stand_beside_each_other_are_passed_over(tmp_path: Path, names: list[str], why: str) -> None:
    corpus = load_corpus([packed(tmp_path / "n.zip", {name: f"Text {name[:9]}." for name in names})])
    assert [document.text for document in corpus.documents] == [f"Text {names[0][:9]}."]
    assert said(corpus) == {f"n.zip has 1 × {why}, not read"}


def test_what_a_killed_process_left_is_removed(tmp_path: Path, home: Path) -> None:
    left = home / "cache" / "unpacked" / ".0123456789ab.part"
    left.mkdir(parents=True)
    os.utime(left, (1, 1))
    load_corpus([packed(tmp_path / "a.zip", {"a.md": "Text."})])
    assert not left.exists()


def test_what_somebody_reads_is_not_removed_with_a_copy_of_it(tmp_path: Path, home: Path) -> None:
    one = packed(tmp_path / "one.zip", {f"{n}.md": f"The pump {n} needs oil." for n in range(3)} | {"a.png": "x"})
    other = Path(shutil.copy(one, tmp_path / "other.zip"))
    cache = home / "cache" / "unpacked"
    begun = []

    def removes(problem: CorpusProblem) -> None:
        begun.append(problem)
        forget([other], home)

    assert len(load_corpus([one], on_problem=removes)) == 3
    assert begun
    assert len(list(cache.iterdir())) == 1
    forget([other], home)
    assert list(cache.iterdir()) == []
    assert len(load_corpus([one])) == 3
