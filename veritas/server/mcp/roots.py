"""Files that a client may name: below the server's folders, as with the rest of the server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veritas.errors import CorpusError
from veritas.server.roots import corpus_paths, document_path
from veritas.server.settings import Settings


class Roots:
    """The folders that a server was started with. Nothing outside them is read or written for a client.

    With `absolute` a client may name them by whole paths as well: one on the same machine, over stdio.
    """

    def __init__(self, settings: Settings, *, absolute: bool = False) -> None:
        self._settings, self._absolute = settings, absolute
        self.folders = tuple(settings.roots.values())

    @property
    def settings(self) -> Settings:
        """What the server was started with."""
        return self._settings

    def path(self, given: str) -> Path:
        """Return a file or folder, or a document of an upload, links resolved. Raises `CorpusError` for what is not
        there and for what lies outside the roots, in the same words: what is outside is not told."""
        return document_path(self._named(given), self._settings)

    def project(self, given: str) -> Path:
        """Return a project's folder, the first root for "". Raises as `path` does."""
        place = self.path(given) if given else self.folders[0]
        if not place.is_dir():
            raise CorpusError(f"{given[:200]!r} is no folder: name the project's folder")
        return place

    def corpora(self, given: Sequence[str]) -> list[str]:
        """Return corpora: files, folders, uploads and packages. Raises as `path` does."""
        return corpus_paths([self._named(each) for each in given], self._settings)

    def without(self, text: str) -> str:
        """Return a text in which no path of this machine stands."""
        from veritas.server.problems import without_paths

        return without_paths(text, self._settings)

    def _named(self, given: str) -> str:
        """Return a name below a root for a whole path, if that is allowed; every other name as it is."""
        if not given.strip():
            raise CorpusError('the name of a file is empty; the first folder of the server is "."')
        if self._absolute and "\0" not in given and Path(given).expanduser().is_absolute():
            whole = Path(given).expanduser()
            for name, folder in self._settings.roots.items():
                if whole.is_relative_to(folder):
                    return f"{name}/{whole.relative_to(folder).as_posix()}"
        return given
