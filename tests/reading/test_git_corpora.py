"""A Git repository as a corpus: its documentation at one commit, and nothing of it carried out."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from veritas.errors import CorpusError, Unavailable
from veritas.reading import git_repository
from veritas.reading.loading import load_corpus

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs the program git")


def git(folder: Path, *arguments: str) -> None:
    identity = {f"GIT_{who}_{what}": "ada@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **identity}
    subprocess.run(["git", "-c", "init.defaultBranch=main", *arguments], cwd=folder, env=environment, check=True,
                   capture_output=True)  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "tarn.git"
    (folder / "docs").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "README.md").write_text("# Tarn\n\nTarn reads folders.\n")
    (folder / "docs" / "guide.adoc").write_text("= Guide\n\nThe pump needs no oil.\n")
    (folder / "tests" / "page.md").write_text("A test of it.\n")
    (folder / "docs" / "away.md").symlink_to("/etc/hostname")
    # What would be carried out, left out or changed by a clone that trusts the repository.
    (folder / ".gitattributes").write_text("docs export-ignore\n* filter=evil export-subst\n")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "First")
    git(folder, "tag", "v1")
    return folder


@needs_git
def test_the_documentation_of_a_repository_is_read_and_fetched_once(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"git+file://{repository}"
    corpus = load_corpus([url])
    assert {d.url: d.text for d in corpus.documents} == {
        "corpus://tarn/README.md": "Tarn\n\nTarn reads folders.",
        "corpus://tarn/docs/guide.adoc": "= Guide\n\nThe pump needs no oil.",
    }
    said = {problem.reason for problem in corpus.problems}
    assert any("1 × document outside of its documentation" in reason for reason in said)
    assert any("symbolic link" in reason for reason in said)
    assert {problem.path for problem in corpus.problems} == {url}
    (repository / "README.md").write_text("# Tarn\n\nChanged.\n")
    git(repository, "commit", "--quiet", "-am", "Second")
    assert "Changed." in load_corpus([Path(url)]).by_url["corpus://tarn/README.md"].text
    with monkeypatch.context() as patched:
        patched.setattr(git_repository._Git, "packed", None)  # the commit is kept
        assert "Changed." in load_corpus([url]).by_url["corpus://tarn/README.md"].text
    assert "folders" in load_corpus([f"{url}@v1"]).by_url["corpus://tarn/README.md"].text
    (only,) = load_corpus([f"{url}@v1#subdirectory=tests"]).documents
    assert only.url == "corpus://tarn/page.md"
    assert len(load_corpus([f"{url}#subdirectory=."])) == 3


@needs_git
def test_what_does_not_answer_is_unavailable_and_what_is_not_there_is_told(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Unavailable, match="cannot be fetched"):
        load_corpus([f"git+file://{tmp_path}/nowhere"])
    with pytest.raises(CorpusError, match="no branch or tag v9"):
        load_corpus([f"git+file://{repository}@v9"])
    with pytest.raises(CorpusError, match="has no folder nowhere"):
        load_corpus([f"git+file://{repository}#subdirectory=nowhere"])
    monkeypatch.setattr(git_repository, "MAX_SECONDS", -1.0)
    with pytest.raises(Unavailable, match="takes longer"):
        load_corpus([f"git+file://{repository}@v1"])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="git is not installed"):
        load_corpus([f"git+file://{repository}"])
    home = Path(os.environ["VERITAS_HOME"])
    assert not [each for each in (home / "cache" / "git").iterdir() if each.suffix != ".zip"]


@pytest.mark.parametrize(
    "given",
    [
        "https://example.org/page.html", "git+ssh://example.org/a.git", "git+ext://sh/a.git", "http://example.org/a.git",
        "git+https://ada:secret@example.org/a.git", "git+https://example.org/a.git@--upload-pack=x", "git+https://",
        "git+https://example.org/a.git#subdirectory=../..", "git+https://example.org/a.git#egg=x",
    ],
)  # fmt: skip
def test_other_addresses_are_an_error_that_tells_no_password(given: str) -> None:
    for name in (given, Path(given)):
        with pytest.raises(CorpusError) as raised:
            load_corpus([name])
        assert "secret" not in str(raised.value)
