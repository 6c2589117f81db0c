"""What lies in the caches is never another corpus, nor part of one: files that were swapped, altered or changed
meanwhile."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from veritas.errors import CorpusError
from veritas.reading import loading
from veritas.reading._listing import Root
from veritas.reading.corpus import Corpus
from veritas.reading.loading import load_corpus

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def after_listing(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Do something between the listing of the next corpus and its reading."""
    real = loading.list_root

    def arrange(change: Callable[[], object]) -> None:
        def listed(*given: object) -> Root:
            root = real(*given)  # type: ignore[arg-type]
            monkeypatch.setattr(loading, "list_root", real)
            change()
            return root

        monkeypatch.setattr(loading, "list_root", listed)

    return arrange


def texts(corpus: Corpus) -> list[str]:
    return sorted(document.text for document in corpus.documents)


@pytest.mark.parametrize("ending", ["corpus", "place", "hashes"])
def test_a_kept_file_in_the_place_of_another_is_made_anew(tmp_path: Path, home: Path, ending: str) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        (folder / "a.md").write_text(f"The text of {folder.name}.")
        load_corpus([folder])
    first, second = sorted((home / "cache" / "corpora").glob(f"*.{ending}"))
    held = first.read_bytes()
    shutil.copy(second, first)
    second.write_bytes(held)
    corpora = [load_corpus([folder]) for folder in folders]
    assert [texts(corpus) for corpus in corpora] == [["The text of one."], ["The text of two."]]
    assert {p.reason for corpus in corpora for p in corpus.problems} == {"was damaged; it is made anew"}


def test_records_that_change_meanwhile_are_not_kept_as_the_ones_before(
    tmp_path: Path, after_listing: Callable[[Callable[[], object]], None]
) -> None:
    path = tmp_path / "r.jsonl"
    before, behind = (json.dumps({"id": "1", "text": f"Alpha is {number}."}) for number in (10, 99))
    path.write_text(before)
    after_listing(lambda: path.write_text(behind))
    with pytest.raises(CorpusError, match=r"r\.jsonl was changed while the corpus was read: ask again"):
        load_corpus([path])
    path.write_text(before)
    assert texts(load_corpus([path])) == ["Alpha is 10."]


def test_a_sidecar_that_changes_meanwhile_names_no_document(
    tmp_path: Path, after_listing: Callable[[Callable[[], object]], None]
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text(f"Text {name}.")
    sidecar = tmp_path / "a.md.meta.json"
    sidecar.write_text('{"title": "Good"}')
    after_listing(lambda: sidecar.write_text('{"title": "Evil"}'))
    corpus = load_corpus([tmp_path])
    assert texts(corpus) == ["Text b."]
    (problem,) = corpus.problems
    assert problem.reason == "has a sidecar that was changed while the corpus was read: ask again"
    sidecar.write_text('{"title": "Good"}')
    assert {document.title for document in load_corpus([tmp_path]).documents} == {"Good", "b"}


def test_a_sidecar_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.json").write_text('{"title": "From elsewhere"}')
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("Text.")
    (folder / "a.md.meta.json").symlink_to(tmp_path / "elsewhere.json")
    assert [document.title for document in load_corpus([folder]).documents] == ["a"]


def test_a_file_that_was_gone_for_a_moment_is_not_missing_for_good(
    tmp_path: Path, after_listing: Callable[[Callable[[], object]], None]
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text(f"Text {name}.")
    after_listing((tmp_path / "a.md").unlink)
    assert texts(load_corpus([tmp_path])) == ["Text b."]
    (tmp_path / "a.md").write_text("Text a.")
    assert texts(load_corpus([tmp_path])) == ["Text a.", "Text b."]


def _altered(files: Path) -> None:
    (files / "a.md").write_text("Alpha is 99.")


def _linked(files: Path) -> None:
    shutil.rmtree(files.parent)
    (files.parents[1] / "x" / "files").mkdir(parents=True)
    _altered(files.parents[1] / "x" / "files")
    files.parent.symlink_to(files.parents[1] / "x")


@pytest.mark.parametrize(
    "damage",
    [
        lambda files: (files / "b.md").unlink(), _altered, lambda files: (files / "c.md").write_text("Planted."),
        lambda files: shutil.rmtree(files.parent) or files.parent.write_text("x"), _linked,
        lambda files: (files.parent / "listing").write_text("["),
    ],
)  # fmt: skip
def test_an_archive_is_unpacked_again_where_its_copy_was_altered(
    tmp_path: Path, home: Path, damage: Callable[[Path], object]
) -> None:
    path = tmp_path / "m.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.md", "Alpha is 10.")
        archive.writestr("b.md", "Beta is 20.")
    load_corpus([path])
    (files,) = (home / "cache" / "unpacked").glob("*/files")
    damage(files)
    assert texts(load_corpus([path])) == ["Alpha is 10.", "Beta is 20."]
