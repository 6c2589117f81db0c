"""A corpus that was read stays read: what is kept, when it counts, and what happens where it is damaged."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from veritas import long_waits
from veritas.documents.document import document_id
from veritas.errors import CorpusError
from veritas.reading import _making, _shelf, loading
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


def test_content_counts_and_the_times_of_a_file_do_not(docs: Path, converted: list[str]) -> None:
    first = load_corpus([docs], today=DAY)
    for path in docs.iterdir():
        os.utime(path, (1, 1))
    assert load_corpus([docs], today=date(2027, 1, 1)).fingerprint == first.fingerprint
    assert len(converted) == 5
    path = docs / "desert.md"
    before = path.stat()
    path.write_text(path.read_text().replace("old", "wet"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert load_corpus([docs], today=DAY).fingerprint != first.fingerprint


def test_a_file_that_was_not_touched_for_long_is_not_read_again(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the first reading is set forward: the files were changed long before it."""
    from veritas.reading import _listing

    real = time.time_ns
    monkeypatch.setattr(_listing.time, "time_ns", lambda: real() + 3600 * 10**9)
    load_corpus([docs])
    monkeypatch.setattr(_listing, "read_bytes", lambda path, follow: pytest.fail(f"{path} was read"))
    assert len(load_corpus([docs])) == 5


def test_a_folder_that_was_moved_is_known_by_its_content(docs: Path, converted: list[str], tmp_path: Path) -> None:
    first = load_corpus([docs], today=DAY)
    there = tmp_path / "there" / "docs"
    shutil.copytree(docs, there)
    shutil.rmtree(docs)
    assert load_corpus([there], today=DAY).fingerprint == first.fingerprint
    (there / "zoo.md").write_text("# The zoo\n\nThe zoo is open.")
    load_corpus([there], today=DAY)
    assert len(converted) == 6


def test_another_engine_reads_anew(docs: Path, converted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    load_corpus([docs])
    monkeypatch.setattr(loading, "engine", lambda: "another")
    load_corpus([docs])
    assert len(converted) == 10


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


async def test_many_small_additions_do_not_stay_many(docs: Path, converted: list[str]) -> None:
    for number in range(12):
        (docs / f"n{number}.md").write_text(f"# Note {number}\n\nThe note is of number {number}.")
        corpus = load_corpus([docs], today=DAY)
    assert len(converted) == 17
    assert len(corpus.index.segments()) <= loading._FEW + 2
    assert len(corpus) == 17
    assert (await found(corpus, "castle"))[0][0] == "castle.md"


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


def test_records_that_are_added_cost_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "notes.jsonl"
    lines = ['{"id": "a", "text": "One.", "note": "mine"}', '{"id": "b", "text": "Two.", "date": "2020"}']
    path.write_text("\n".join(lines))
    assert len(load_corpus([path])) == 2
    made: list[str] = []
    real = _making.Maker._of_record
    monkeypatch.setattr(
        _making.Maker, "_of_record", lambda self, root, record: made.append(record.id) or real(self, root, record)
    )
    path.write_text("\n".join([lines[1], '{"id": "c", "text": "Three."}', lines[0]]))
    corpus = load_corpus([path])
    assert made == ["c"]
    assert urls(corpus) == ["b", "c", "a"]
    assert dict(load_corpus([path]).notes) == dict(corpus.notes) == {"corpus://notes/a": "mine"}
    assert corpus.undated_and_older(date(2021, 1, 1)) == (2, 1)


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


def test_how_far_the_reading_is_gets_said(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_waits, "LONG", 0.0)
    said: list[str] = []
    with long_waits.told_of_waits(said.append), long_waits.overheard() as waits:
        load_corpus([docs])
    assert f"reading {docs}: 3 of 5 documents" in said
    assert waits == []  # it is no wait of the run
    said.clear()
    with long_waits.told_of_waits(said.append), long_waits.told_of_no_progress():
        load_corpus([docs])
    assert said == []


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


def test_a_full_cache_forgets_what_was_read_longest_ago(
    docs: Path, home: Path, converted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = sorted(docs.iterdir())[:3]
    for path in paths:
        load_corpus([path])
    shelf, now = Shelf(home / "cache" / "corpora", DAY, lambda path, reason: None), time.time()
    size = next(shelf.folder.glob("*.segment")).stat().st_size
    monkeypatch.setattr(_shelf, "MAX_KEPT", 2 * size + size // 2)
    shelf.tidy(now + 7200)  # all are in use
    assert len(list(shelf.folder.glob("*.place"))) == 3
    oldest = [each for each in shelf.folder.iterdir() if _shelf.sign_of(paths[1]) in each.read_text("latin-1")]
    corpus = json.loads(oldest[0].read_bytes().split(b"\n", 1)[1])["corpus"]
    for each in (*oldest, shelf.folder / f"{corpus}.corpus"):
        os.utime(each, (now - 86400,) * 2)
    shelf.tidy(now + 86400 + 7200)
    converted.clear()
    for path in (paths[0], paths[2], paths[1]):
        load_corpus([path])
    assert [text.strip() for text in converted] == [paths[1].read_text()[:12].strip()]


def test_a_key_that_was_set_after_a_corpus_was_read_stays_in_nothing_that_is_kept(
    docs: Path, home: Path, converted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    value = "tarn-4f9a77c1e2b8"
    path = sorted(docs.iterdir())[0]
    path.write_text(f"{path.read_text()} The key is {value} here.")

    def holding() -> list[str]:
        files = [each for each in (home / "cache").rglob("*") if each.is_file()]
        return [each.name for each in files if value.encode() in each.read_bytes()]

    load_corpus([docs])
    assert holding()
    monkeypatch.setenv("TARN_API_KEY", value)
    corpus = load_corpus([docs])
    assert holding() == []
    assert any("TARN_API_KEY-withheld here." in document.text for document in corpus.documents)
    converted.clear()
    again = load_corpus([docs])
    assert (converted, again.fingerprint, again.problems) == ([], corpus.fingerprint, ())


def test_the_structure_of_a_document_is_kept_with_it_and_part_of_what_a_run_stands_on(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n\nRead:\n\n```sh\nls\n```\n")
    first = load_corpus([tmp_path], today=DAY)
    again = load_corpus([tmp_path], today=DAY)
    (document,) = again.documents
    assert document == first.documents[0]
    assert [(block.kind, block.level, block.language) for block in document.blocks] == [
        ("heading", 1, ""), ("prose", 0, ""), ("code", 0, "sh"),
    ]  # fmt: skip
    guessed = document.model_copy(update={"blocks": ()})
    assert type(document).model_validate_json(guessed.model_dump_json()) == guessed
    assert '"blocks"' not in guessed.model_dump_json()
    assert Corpus([guessed]).fingerprint != again.fingerprint == Corpus([document]).fingerprint
