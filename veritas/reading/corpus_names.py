"""The names of a corpus: a path, `package:NAME`, or the URL of a Git repository."""

from __future__ import annotations

from pathlib import Path

from veritas.reading.git_repository import git_named
from veritas.reading.packages import package_named


def kept_name(corpus: Path | str) -> str:
    """Return a corpus's name in a form that is valid in any folder: a path is made absolute. Raises `CorpusError` for a
    URL that is no repository."""
    if package_named(corpus) is not None:
        return str(corpus)
    repository = git_named(corpus)
    return repository.name if repository is not None else str(Path(corpus).expanduser().resolve())
