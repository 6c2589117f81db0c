"""The names that a corpus may have: a path, `package:NAME`, or the URL of a Git repository."""

from __future__ import annotations

from pathlib import Path

from veritas.reading.git_repository import git_named
from veritas.reading.packages import package_named


def kept_name(corpus: Path | str) -> str:
    """Return a corpus's name for keeping, from which it is found again in any folder: a path is made absolute.

    Raises `CorpusError` for a URL that no repository can be read from.
    """
    if package_named(corpus) is not None:
        return str(corpus)
    repository = git_named(corpus)
    return repository.name if repository is not None else str(Path(corpus).expanduser().resolve())
