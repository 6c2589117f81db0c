"""The files of a tree, as git would list them: ignore files respected, links not followed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from operator import attrgetter

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_NEVER = frozenset({".git", ".hg", ".svn", ".jj", "__pycache__"})
_BINARY = frozenset(
    """
    png jpg jpeg gif bmp ico webp avif tif tiff psd svgz pdf zip gz bz2 xz zst 7z rar tar tgz jar war whl egg class pyc
    pyo pyd so o a dylib dll exe bin obj lib wasm ttf otf woff woff2 eot mp3 mp4 m4a wav ogg flac avi mov mkv webm
    parquet feather arrow npy npz pt pth onnx safetensors h5 hdf5 db sqlite duckdb pack idx lock docx xlsx pptx odt
    """.split()
)


def _read(folder: str, *names: str) -> GitIgnoreSpec | None:
    """Return the patterns of a folder's ignore files; None without any. A line that is no pattern is left out."""
    lines: list[str] = []
    for name in names:
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                lines += file.read(1_000_000).splitlines()
        except OSError:
            continue
    patterns = []
    for line in lines:
        with suppress(ValueError, re.error):
            patterns.append(GitIgnoreSpecPattern(line))
    return GitIgnoreSpec(patterns) if patterns else None


def _above(folder: str) -> list[tuple[str, GitIgnoreSpec]]:
    """Return the ignore files of the folders above, up to the repository's root."""
    found: list[tuple[str, GitIgnoreSpec]] = []
    at = folder
    while not os.path.exists(os.path.join(at, ".git")):
        parent = os.path.dirname(at)
        if parent == at:
            return []  # in no repository, so nothing above speaks of it
        at = parent
        if (rules := _read(at, ".gitignore", ".ignore")) is not None:
            found.append((at, rules))
    if (rules := _read(at, os.path.join(".git", "info", "exclude"))) is not None:
        found.append((at, rules))
    return found[::-1]


def walk(root: str, unread: Callable[[str, OSError], object] = lambda path, error: None) -> Iterator[str]:
    """Yield every file below `root` (absolute) that is not ignored, in a fixed order; binary suffixes are left out.

    A folder that cannot be read is left out, and `unread` is told of it.
    """
    waiting: list[tuple[str, Sequence[tuple[str, GitIgnoreSpec]]]] = [(root, _above(root))]
    while waiting:
        folder, rules = waiting.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=attrgetter("name"))
        except OSError as error:
            unread(folder, error)
            continue
        names = {entry.name for entry in entries}
        if ".gitignore" in names or ".ignore" in names:
            own = _read(folder, ".gitignore", ".ignore")
            rules = rules if own is None else [*rules, (folder, own)]
        folders = []
        for entry in entries:
            name = entry.name
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_folder and not entry.is_file(follow_symlinks=False):
                    continue
            except OSError:
                continue
            if is_folder:
                if name not in _NEVER and not (rules and _is_ignored(entry.path, rules, folder=True)):
                    folders.append((entry.path, rules))
            elif name[name.rfind(".") + 1 :].lower() not in _BINARY and not (
                rules and _is_ignored(entry.path, rules, folder=False)
            ):
                yield entry.path
        waiting += reversed(folders)


def _is_ignored(path: str, rules: Sequence[tuple[str, GitIgnoreSpec]], *, folder: bool) -> bool:
    for base, spec in reversed(rules):
        relative = path[len(base) :].lstrip("/" + os.sep).replace(os.sep, "/")
        decided = spec.check_file(f"{relative}/" if folder else relative).include
        if decided is not None:
            return decided
    return False
