"""Documents that a caller may name: below a configured folder, an upload, or an installed package; nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from veritas.errors import CorpusError
from veritas.server.below import resembling
from veritas.server.settings import Settings

_UPLOAD = re.compile(r"upload:([0-9a-f]{16})")
_UPLOADED = re.compile(r"upload:([0-9a-f]{16})/([^/\\\0]{1,150})")
_ALONE = frozenset({".zip", ".jsonl"})
"""Endings of files that are a corpus each, and that a folder is not read with."""
_PACKAGE = re.compile(r"package:[A-Za-z0-9][A-Za-z0-9._-]*")


def uploads_folder(settings: Settings) -> Path:
    """Return the folder of what was uploaded."""
    return settings.home / "uploads"


def corpus_paths(names: Iterable[str], settings: Settings) -> list[str]:
    """Return the corpora that a caller names, for the use cases: `NAME/sub/folder` below the root NAME (the name may be
    left out where there is one root), `upload:ID`, one document of it (`upload:ID/NAME`), or `package:NAME`.

    Raises `CorpusError` for anything else, for what leads out of its root, and for what is not there.
    """
    return [path for name in names for path in _each(name, settings)]


def path_below(name: str, settings: Settings) -> Path:
    """Return a file or folder below a root. Raises as `corpus_paths` does."""
    if not _plain(name):
        raise _refused(name, settings)
    pure = PurePosixPath(name)
    for root, path in _meant(pure, settings):
        try:
            place = path.resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            continue
        if not place.is_relative_to(root):
            break
        return place
    raise _refused(name, settings)


def document_path(name: str, settings: Settings) -> Path:
    """Return one document: below a root, or of an upload as `upload:ID/NAME`. Raises as `corpus_paths` does."""
    found = _UPLOADED.fullmatch(name)
    if found is None:
        return path_below(name, settings)
    path = uploads_folder(settings) / found[1] / found[2]
    if found[2].startswith(".") or not path.is_file():
        raise CorpusError(f"there is no document {name!r}")
    return path.resolve()


def _each(name: str, settings: Settings) -> list[str]:
    """Return the corpora of one name: an upload's archives are corpora of their own, beside its other documents."""
    if _PACKAGE.fullmatch(name):
        return [name]
    if upload := _UPLOAD.fullmatch(name):
        place = uploads_folder(settings) / upload[1]
        if not place.is_dir():
            raise CorpusError(f"there is no upload {name}")
        held = sorted(each for each in place.iterdir() if not each.name.startswith("."))
        alone = [each for each in held if each.suffix.lower() in _ALONE]
        beside = [place] if len(alone) < len(held) or not held else []
        return [str(each.resolve()) for each in (*beside, *alone)]
    return [str(document_path(name, settings))]


def _meant(pure: PurePosixPath, settings: Settings) -> list[tuple[Path, Path]]:
    """Return the roots that a name may be below, each with the path there."""
    found = []
    if pure.parts and pure.parts[0] in settings.roots:
        root = settings.roots[pure.parts[0]]
        found.append((root, root.joinpath(*pure.parts[1:])))
    if len(settings.roots) == 1:
        root = next(iter(settings.roots.values()))
        found.append((root, root / pure))
    return found


def _refused(name: str, settings: Settings) -> CorpusError:
    """Return one error for what is not there and for what may not be read: which of them is not told."""
    roots = ", ".join(sorted(settings.roots)) or "none"
    said = f"there is no document or folder {name!r} below the folders that the server may read ({roots})"
    near = [each.name for each in resembling(name, settings, 3)] if _plain(name) else []
    return CorpusError(said + (f": do you mean {' or '.join(near)}?" if near else ""))


def _plain(name: str) -> bool:
    """Return whether a name may be looked for below the roots: no way out of them, and no path of a machine."""
    pure = PurePosixPath(name)
    outside = "\0" in name or "\\" in name or ":" in name or pure.is_absolute() or ".." in pure.parts
    return bool(pure.name) and not outside
