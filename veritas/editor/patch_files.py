"""Shell commands that apply a patch from a file: what `git apply`, `git am` and `patch` write into pages."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veritas.editor.passages import NotReadWhole, now
from veritas.editor.patches import of_patch_or_diff
from veritas.editor.shell_scripts import NAMED, Simple
from veritas.errors import InputError
from veritas.use_cases.writing import Edit

APPLIES = re.compile(r"\bpatch\b|\bgit\b[^\n;|&]*\s(?:apply|am)\b")
"""What stands in a command that may apply a patch."""
_LEAVES_ALL = re.compile(
    r"--(?:check|stat|numstat|summary|dry-run|abort|continue|skip|quit|help|version|show-current-patch\S*)"
)
_BACKWARDS = frozenset({"-R", "--reverse"})
_VALUED = frozenset({"-i", "-p", "-d", "-F", "-o", "-r", "-B", "-z", "-D", "-C"})
"""Options of `patch` and `git apply` whose value may be a word of its own."""


def applied(one: Simple, folder: Path, written: Mapping[str, str | None]) -> Iterator[Edit]:
    """Yield the edits of pages that a command makes by a patch in a file; none for a command that applies none.
    `written` are the files that its script has made so far.

    Raises `NotReadWhole` where the patch cannot be read.
    """
    words, folder = _arguments(one.words, folder)
    if words is None or any(map(_LEAVES_ALL.fullmatch, words)):
        return
    named, inputs = _named(words[1:])
    if words[0] == "patch":
        sources, target = inputs or named[1:2], named[0] if named else ""
    else:
        sources, target = named, ""
    sources = [*sources, *([one.reads] if one.reads else []), *_piped(one)]
    if one.behind and not sources:
        raise NotReadWhole(f"the patch that {one.behind[0]} gives to {words[0]} is not known")
    for source in sources:
        yield from _of_file(source, target, folder, written, backwards=bool(_BACKWARDS & {*words}))


def _arguments(words: Sequence[str], folder: Path) -> tuple[Sequence[str] | None, Path]:
    """Return the words from `patch`, `apply` or `am` on, and the folder that they count in; None for other commands."""
    name = os.path.basename(words[0]) if words else ""
    if name == "patch":
        return ["patch", *words[1:]], folder
    rest = list(words[1:])
    while name == "git" and rest[:1] == ["-C"] and len(rest) > 2:
        folder, rest = folder / os.path.expanduser(rest[1]), rest[2:]
    return (rest if name == "git" and rest[:1] in (["apply"], ["am"]) else None), folder


def _named(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the files that arguments name, and those behind `-i`."""
    named: list[str] = []
    inputs: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word in _VALUED:
            inputs += words[at + 1 : at + 2] if word == "-i" else []
            at += 1
        elif word.startswith("--input="):
            inputs.append(word.partition("=")[2])
        elif not word.startswith("-"):
            named.append(word)
        at += 1
    return named, inputs


def _piped(one: Simple) -> list[str]:
    """Return the files that `cat` hands on."""
    return [each for each in one.behind[1:] if not each.startswith("-")] if one.behind[:1] == ("cat",) else []


def _of_file(
    source: str, target: str, folder: Path, written: Mapping[str, str | None], *, backwards: bool
) -> Iterator[Edit]:
    path = str(folder / os.path.expanduser(source))
    text = written[path] if path in written else now(path)
    if not text:
        raise NotReadWhole(f"{source}: the patch cannot be read before the command")
    if not NAMED.search(text) and not NAMED.search(target):
        return
    if backwards:
        raise NotReadWhole(f"{source}: a patch that is applied backwards is not read")
    if target and os.path.basename(target) not in text:
        raise NotReadWhole(f"{target}: {source} is applied to another file than it names")
    try:
        yield from of_patch_or_diff(text, folder)
    except InputError as error:
        raise NotReadWhole(f"{source}: {error}") from error
