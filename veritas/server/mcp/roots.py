"""Folders that a client may name files in. Nothing outside them is read or written for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veritas.errors import InputError
from veritas.settings import home


class Roots:
    """The folders that were configured when the server was started, the first of which relative paths begin at."""

    def __init__(self, folders: Sequence[str | Path]) -> None:
        """Raises `InputError` for a folder that is not there."""
        self.folders = tuple(dict.fromkeys(Path(folder).expanduser().resolve() for folder in folders))
        for folder in self.folders:
            if not folder.is_dir():
                raise InputError(f"--root {folder}: there is no such folder")
        if not self.folders:
            raise InputError("name at least one folder with --root")

    def path(self, given: str) -> Path:
        """Return the file or folder that a client names, links resolved. Raises `InputError` for one that is not there
        or lies outside the roots, in the same words: what is outside is not told."""
        wanted = Path(given).expanduser() if given.strip() else None
        for folder in self.folders if wanted is not None and "\0" not in given else ():
            try:
                place = (folder / wanted).resolve(strict=True) if wanted is not None else folder
            except (OSError, RuntimeError):  # not there, not readable, or a circle of links
                continue
            if any(place.is_relative_to(root) for root in self.folders):
                return place
        raise InputError(
            f"{given[:200]!r} is not below a folder that this server may read; paths are relative to its --root"
        )

    def paths(self, given: Sequence[str]) -> list[Path]:
        """Return several; see `path`."""
        return [self.path(each) for each in given]

    def without(self, text: str) -> str:
        """Return a text without the roots' own paths and that of `VERITAS_HOME`: a client names files as they lie below
        a root."""
        text = text.replace(str(home().resolve()), "VERITAS_HOME").replace(str(home()), "VERITAS_HOME")
        for folder in sorted(self.folders, key=lambda each: -len(str(each))):
            text = text.replace(f"{folder}/", "").replace(str(folder), ".")
        return text
