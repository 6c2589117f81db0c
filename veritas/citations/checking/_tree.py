"""The files of a tree, as git would list them: ignore files respected, links not followed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

_NEVER = frozenset({".git", ".hg", ".svn", ".jj", "__pycache__"})
_BINARY = frozenset(
    """
    png jpg jpeg gif bmp ico webp avif tif tiff psd svgz pdf zip gz bz2 xz zst 7z rar tar tgz jar war whl egg class pyc
    pyo pyd so o a dylib dll exe bin obj lib wasm ttf otf woff woff2 eot mp3 mp4 m4a wav ogg flac avi mov mkv webm
    parquet feather arrow npy npz pt pth onnx safetensors h5 hdf5 db sqlite duckdb pack idx lock docx xlsx pptx odt
    """.split()
)


class Ignored:
    """The patterns of one folder's ignore files."""

    __slots__ = ("_names", "_patterns", "_suffixes")

    def __init__(self, text: str) -> None:
        self._names: set[str] = set()
        self._suffixes: set[str] = set()
        compiled = [(line.rstrip(), found) for line in text.splitlines() if (found := _pattern(line)) is not None]
        # Without negation the order has no meaning, and most are plain names and suffixes, which need no pattern.
        unordered = not any(negated for _, (_, negated, _, _) in compiled)
        patterns = []
        for line, pattern in compiled:
            if unordered and re.fullmatch(r"[\w.+~@-]+", line):
                self._names.add(line)
            elif unordered and re.fullmatch(r"\*\.[\w.+~-]+", line) and line.count(".") == 1:
                self._suffixes.add(line[1:])
            else:
                patterns.append(pattern)
        if unordered:
            patterns.sort(key=itemgetter(2, 3))
        self._patterns = [
            (re.compile("|".join(f"(?:{regex})" for regex, *_ in alike), re.DOTALL).fullmatch, *kind)
            for kind, alike in groupby(reversed(patterns), key=itemgetter(1, 2, 3))
        ]

    def decide(self, relative: str, name: str, *, folder: bool) -> bool | None:
        """Return whether a path in this folder is ignored, None if no pattern matches; `relative` has slashes."""
        if name in self._names or (self._suffixes and name[name.rfind(".") :] in self._suffixes and "." in name):
            return True
        for matches, negated, only_folders, anchored in self._patterns:
            if (folder or not only_folders) and matches(relative if anchored else name):
                return not negated
        return None


def _pattern(line: str) -> tuple[str, bool, bool, bool] | None:
    """Return the regular expression of a line, whether it is negated, for folders alone, and for a whole path."""
    line = re.sub(r"(?<!\\)\s+$", "", line)
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    line = line[1:] if negated else line
    only_folders = line.endswith("/")
    line = line.rstrip("/")
    anchored = "/" in line
    line = line.lstrip("/")
    if not line:
        return None
    regex = _regex(line)
    try:
        re.compile(regex)
    except re.error:
        return None
    return regex, negated, only_folders, anchored


def _regex(glob: str) -> str:
    out = ""
    at = 0
    while at < len(glob):
        sign = glob[at]
        if glob.startswith("**/", at) and (at == 0 or glob[at - 1] == "/"):
            out, at = out + "(?:.*/)?", at + 3
        elif glob.startswith("/**", at) and at + 3 == len(glob):
            out, at = out + "/.+", at + 3
        elif sign == "*":
            out, at = out + "[^/]*", at + 1
            while glob[at : at + 1] == "*":
                at += 1
        elif sign == "?":
            out, at = out + "[^/]", at + 1
        elif sign == "[" and (end := glob.find("]", at + 2)) > 0:
            inner = glob[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            out, at = out + "[" + ("^" + inner[1:] if inner[0] in "!^" else inner) + "]", end + 1
        elif sign == "\\" and at + 1 < len(glob):
            out, at = out + re.escape(glob[at + 1]), at + 2
        else:
            out, at = out + re.escape(sign), at + 1
    return out


def _read(folder: str, *names: str) -> Ignored | None:
    text = ""
    for name in names:
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                text += file.read(1_000_000) + "\n"
        except OSError:
            continue
    return Ignored(text) if text.strip() else None


def _above(folder: str) -> list[tuple[str, Ignored]]:
    """Return the ignore files of the folders above, up to the repository's root."""
    found: list[tuple[str, Ignored]] = []
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
    waiting: list[tuple[str, Sequence[tuple[str, Ignored]]]] = [(root, _above(root))]
    while waiting:
        folder, rules = waiting.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=_name)
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
                if name not in _NEVER and not (rules and _is_ignored(entry.path, name, rules, folder=True)):
                    folders.append((entry.path, rules))
            elif name[name.rfind(".") + 1 :].lower() not in _BINARY and not (
                rules and _is_ignored(entry.path, name, rules, folder=False)
            ):
                yield entry.path
        waiting += reversed(folders)


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _is_ignored(path: str, name: str, rules: Sequence[tuple[str, Ignored]], *, folder: bool) -> bool:
    for base, ignored in reversed(rules):
        relative = path[len(base) :].lstrip("/" + os.sep)
        decided = ignored.decide(relative if os.sep == "/" else relative.replace(os.sep, "/"), name, folder=folder)
        if decided is not None:
            return decided
    return False
