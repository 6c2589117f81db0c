"""A corpus that was read stays read: what is kept, when it counts, and what happens where it is damaged."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from veritas.documents.document import document_id
from veritas.errors import CorpusError
from veritas.reading import _making
from veritas.reading._shelf import Shelf
from veritas.reading.converter_pool import GivenUp
from veritas.reading.corpus import Corpus
from veritas.reading.formats import Converted
from veritas.reading.loading import load_corpus
from veritas.search.local import segment

DAY = date(2026, 1, 2)

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number, word in enumerate(("anchor", "bridge", "castle", "desert", "engine")):
        (folder / f"{word}.md").write_text(f"# The {word}\n\nThe {word} of number {number} is old.")
    return folder


@pytest.fixture
def converted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The beginnings of all texts that are converted from here on."""
    found: list[str] = []
    real = _making.convert

    def convert(data: bytes, kind: str) -> Converted:
        found.append(data[:12].decode())
        return real(data, kind)

    monkeypatch.setattr(_making, "convert", convert)
    return found


def urls(corpus: Corpus) -> list[str]:
    return [document.url.rsplit("/", 1)[1] for document in corpus.documents]


async def found(corpus: Corpus, query: str) -> list[list[str]]:
    return [[hit.url.rsplit("/", 1)[1] for hit in await corpus.index.search(query, limit=10)]]


def fresh(docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """The corpus as it is read where nothing is kept."""
    with monkeypatch.context() as patch:
        patch.setenv("VERITAS_HOME", str(tmp_path / "elsewhere"))
        shutil.rmtree(tmp_path / "elsewhere", ignore_errors=True)
        return load_corpus([docs], today=DAY)


async def test_a_corpus_is_read_once_and_is_the_same_ever_after(docs: Path, converted: list[str]) -> None:
    first = load_corpus([docs], today=DAY)
    assert len(converted) == 5
    again = load_corpus([docs], today=DAY)
    assert len(converted) == 5
    assert list(again.documents) == list(first.documents)
    assert again.fingerprint == first.fingerprint == Corpus(first.documents).fingerprint
    assert dict(again.by_url) == dict(first.by_url)
    assert "corpus://docs/nobody.md" not in again.by_url
    assert await found(again, "old castle") == await found(first, "old castle")
    assert (await found(again, "castle"))[0][0] == "castle.md"


async def test_a_new_file_costs_itself_and_the_corpus_is_as_if_read_whole(
    docs: Path, converted: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_corpus([docs], today=DAY)
    converted.clear()
    (docs / "aqueduct.md").write_text("# The aqueduct\n\nThe aqueduct is old, and so is the castle.")
    (docs / "castle.md").write_text("# The castle\n\nThe castle is new.")
    (docs / "bridge.md").unlink()
    grown = load_corpus([docs], today=DAY)
    assert sorted(converted) == ["# The aqueduct"[:12], "# The castle"[:12]]
    whole = fresh(docs, tmp_path, monkeypatch)
    assert list(grown.documents) == list(whole.documents)
    assert grown.fingerprint == whole.fingerprint
    assert urls(grown) == ["anchor.md", "aqueduct.md", "castle.md", "desert.md", "engine.md"]
    for query in ("old castle", "bridge number", "the new castle", "aqueduct"):
        assert await found(grown, query) == await found(whole, query)
    assert "corpus://docs/bridge.md" not in grown.by_url
    assert grown.by_url["corpus://docs/castle.md"].text.endswith("The castle is new.")


@pytest.mark.parametrize("suffix", [".segment", ".corpus", ".place", ".hashes"])
@pytest.mark.parametrize("damage", ["cut", "flipped", "gone"])
async def test_what_is_damaged_is_made_anew_and_said(
    docs: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, damage: str
) -> None:
    whole = load_corpus([docs], today=DAY)
    (path,) = (home / "cache" / "corpora").glob(f"*{suffix}")
    data = path.read_bytes()
    path.unlink()
    if damage != "gone":
        middle = len(data) // 2
        path.write_bytes(data[:middle] if damage == "cut" else data[:middle] + b"\xff" + data[middle + 1 :])
    (docs / "castle.md").write_text("# The castle\n\nThe castle is new.")  # so that every file is asked for
    again = load_corpus([docs], today=DAY)
    expected = fresh(docs, tmp_path, monkeypatch)
    assert list(again.documents) == list(expected.documents)
    assert await found(again, "old castle") == await found(expected, "old castle")
    said = [problem for problem in again.problems if "damaged" in problem.reason]
    if suffix != ".corpus":  # of another content, which nobody asks for
        assert len(said) == (damage != "gone")
    assert whole.fingerprint != again.fingerprint
    assert load_corpus([docs], today=DAY).problems == ()


async def test_a_reading_that_was_cut_off_goes_on_behind_what_was_kept(
    docs: Path, home: Path, converted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment, "FULL_WINDOWS", 1)
    real = _making.Maker._of_file

    def killed(self: _making.Maker, root: object, file: object, path: Path, done: Converted) -> _making.Made:
        if path.name == "desert.md":
            raise KeyboardInterrupt
        return real(self, root, file, path, done)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(_making.Maker, "_of_file", killed)
        with pytest.raises(KeyboardInterrupt):
            load_corpus([docs], today=DAY)
    assert not list((home / "cache" / "corpora").glob("*.corpus"))
    converted.clear()
    corpus = load_corpus([docs], today=DAY)
    assert len(converted) == 2
    assert (await found(corpus, "castle"))[0][0] == "castle.md"
    assert len(corpus) == 5


def test_several_may_read_at_once(docs: Path, home: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        corpora = list(threads.map(lambda _: load_corpus([docs], today=DAY), range(8)))
    assert len({corpus.fingerprint for corpus in corpora}) == 1
    assert all(list(corpus.documents) == list(corpora[0].documents) for corpus in corpora)
    assert not list((home / "cache" / "corpora").glob(".*"))


async def test_where_nothing_can_be_kept_the_corpus_is_read_into_memory(docs: Path, home: Path) -> None:
    (home / "cache").write_text("a file where the folder should be")
    corpus = load_corpus([docs], today=DAY)
    assert (await found(corpus, "castle"))[0][0] == "castle.md"
    assert corpus.by_url["corpus://docs/castle.md"].title == "The castle"


def test_a_copy_is_one_voice_and_speaks_when_the_first_is_gone(docs: Path) -> None:
    shutil.copy(docs / "castle.md", docs / "zastle.md")
    first = load_corpus([docs])
    assert "zastle.md" not in urls(first)
    assert load_corpus([docs]).problems == first.problems
    (docs / "castle.md").unlink()
    assert "zastle.md" in urls(load_corpus([docs]))


def test_what_cannot_be_read_is_remembered_and_what_may_pass_is_tried_again(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (docs / "empty.md").write_text("   \n")
    tried: list[str] = []
    real = _making.convert

    def convert(data: bytes, kind: str) -> Converted:
        tried.append(kind)
        if b"engine" in data and tried.count(kind) <= 6:
            raise GivenUp("takes longer than 1 s to read")
        return real(data, kind)

    monkeypatch.setattr(_making, "convert", convert)
    first = load_corpus([docs])
    assert {problem.reason for problem in first.problems} == {"has no text in it", "takes longer than 1 s to read"}
    second = load_corpus([docs])
    assert tried.count("markdown") == 7
    assert [problem.reason for problem in second.problems] == ["has no text in it"]
    assert load_corpus([docs]).problems == second.problems
    assert tried.count("markdown") == 7
    with pytest.raises(CorpusError, match="has no text in it"):
        load_corpus([docs / "empty.md"])


def test_no_key_is_kept_and_one_that_was_set_later_is_not_shown(
    docs: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    early, late = "sk-early-2f8a90c1d4e7b356a0b9", "sk-late-91b7c3d5e8f0a2467c1d"
    monkeypatch.setenv("OPENAI_API_KEY", early)
    (docs / "keys.md").write_text(f"# Keys\n\nOne is {early} and one {late}, said the castle.")
    load_corpus([docs])
    kept = b"".join(path.read_bytes() for path in (home / "cache" / "corpora").iterdir())
    assert early.encode() not in kept
    monkeypatch.setenv("ANTHROPIC_API_KEY", late)
    shown = load_corpus([docs]).by_url["corpus://docs/keys.md"]
    assert late not in shown.text
    assert shown.document_id == document_id(shown.text)


def test_what_nobody_refers_to_is_removed(docs: Path, home: Path) -> None:
    folder = home / "cache" / "corpora"
    load_corpus([docs])
    (folder / ".17-cut.part").write_bytes(b"half")
    old = {path.name for path in folder.iterdir()}
    for path in docs.iterdir():
        path.write_text(path.read_text() + " And new.")
    load_corpus([docs])
    new = {path.name for path in folder.iterdir() if path.suffix != ".clean"} - old
    later: Callable[[float], None] = Shelf(folder, DAY, lambda path, reason: None).tidy
    later(time.time() + 60)
    assert old <= {path.name for path in folder.iterdir()}
    later(time.time() + 7200)
    left = {path.name for path in folder.iterdir()}
    assert new <= left
    assert {Path(name).suffix for name in old - left} - {".clean"} == {".segment", ".corpus", ".part"}
    assert all(name.removesuffix(".clean") in left for name in left)
    assert len(load_corpus([docs])) == 5
