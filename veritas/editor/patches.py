"""Unified diffs and the patches of coding agents, applied to the files that they are about."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veritas.editor.passages import now, span_of
from veritas.errors import InputError
from veritas.use_cases.writing import Edit

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_BEGIN, _END = "*** Begin Patch", "*** End Patch"


def of_patch_or_diff(text: str, folder: Path) -> list[Edit]:
    """Return the edits of an agent's patch or of a unified diff. Raises `InputError` for one that does not fit."""
    texts: dict[str, str] = {}  # what the patch has made of each file so far
    made: dict[str, Edit] = {}
    for edit in _of_patch(text, folder, texts) if _BEGIN in text else _of_diff(text, folder, texts):
        earlier = made.get(edit.path)
        made[edit.path] = Edit(edit.path, earlier.before if earlier else edit.before, edit.after)
        texts[edit.path] = edit.after
    return list(made.values())


def _now(path: str, texts: Mapping[str, str]) -> str:
    return texts[path] if path in texts else now(path)


def _moved(before: str, source: str, target: str) -> str:
    """Return what of a moved file's text was there before; as another kind of file its citations are new."""
    return before if os.path.splitext(source)[1] == os.path.splitext(target)[1] else ""


def _of_diff(text: str, folder: Path, texts: Mapping[str, str]) -> Iterator[Edit]:
    """Yield the edits of a unified diff, each applied to its file as it is."""
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        if not (lines[at].startswith("--- ") and lines[at + 1 : at + 2] and lines[at + 1].startswith("+++ ")):
            at += 1
            continue
        source, target = _name(lines[at]), _name(lines[at + 1])
        at += 2
        if target is None:  # the file is deleted
            continue
        path = _beside(folder, target, source)
        before, origin = _now(path, texts) if source is not None else "", path
        if source is not None and not before:  # git's rename with changes
            origin = str(folder / (source.removeprefix("a/") if target.startswith("b/") else source))
            before = _now(origin, texts)
        old = before.replace("\r\n", "\n").removesuffix("\n").split("\n") if before else []
        new: list[str] = []
        taken = 0
        while at < len(lines) and (hunk := _HUNK.match(lines[at])):
            at, taken = _applied(lines, at + 1, hunk, old, new, taken, path)
        new += old[taken:]
        yield Edit(path, _moved(before, origin, path), "\n".join(new) + ("\n" if new else ""))


def _applied(
    lines: Sequence[str], at: int, hunk: re.Match[str], old: Sequence[str], new: list[str], taken: int, path: str
) -> tuple[int, int]:
    """Apply one hunk to `new`; return the next line of the diff and the next line of the old text."""
    left, right = int(hunk[2] or 1), int(hunk[4] or 1)
    start = int(hunk[1]) - (1 if left else 0)
    if start < taken or start > len(old):
        raise InputError(f"{path}: the diff does not fit the file")
    new += old[taken:start]
    taken = start
    while at < len(lines) and (left > 0 or right > 0):
        sign, rest = lines[at][:1], lines[at][1:]
        at += 1
        if sign == "\\":
            continue
        if sign in ("-", " ", ""):
            if taken >= len(old) or old[taken] != rest:
                raise InputError(f"{path}: the diff does not fit the file at line {taken + 1}")
            taken, left = taken + 1, left - 1
        if sign in ("+", " ", ""):
            new.append(rest)
            right -= 1
        elif sign != "-":
            raise InputError(f"{path}: {lines[at - 1][:60]!r} is no line of a diff")
    return at, taken


def _name(line: str) -> str | None:
    name = line[4:].split("\t")[0].strip().strip('"')
    return None if name == "/dev/null" else name


def _beside(folder: Path, target: str, source: str | None) -> str:
    """Return the file that a diff means: git writes `a/` and `b/` before names, other programs do not."""
    plain = target.partition("/")[2] if target.startswith("b/") and (source is None or source.startswith("a/")) else ""
    chosen = plain or target
    return str(folder / (target if plain and os.path.exists(folder / target) else chosen))


_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$")
_MOVED = re.compile(r"^\*\*\* Move to: (.+)$")


def _of_patch(text: str, folder: Path, texts: Mapping[str, str]) -> Iterator[Edit]:
    """Yield the edits of a patch between `*** Begin Patch` and `*** End Patch`, whose hunks have no line numbers."""
    body = list(_patch_lines(text))
    files = [(number, found) for number, line in enumerate(body) if (found := _FILE.match(line))]
    for index, (number, found) in enumerate(files):
        lines = body[number + 1 : files[index + 1][0] if index + 1 < len(files) else len(body)]
        path = str(folder / found[2].strip())
        if found[1] == "Add":
            yield Edit(path, _now(path, texts), "".join(f"{line[1:]}\n" for line in lines if line.startswith("+")))
        elif found[1] == "Update":
            before = _now(path, texts)
            moved = next((str(folder / to[1].strip()) for line in lines if (to := _MOVED.match(line))), path)
            yield Edit(moved, _moved(before, path, moved), _patched(before, lines, path))


def _patch_lines(text: str) -> Iterator[str]:
    """Yield the lines of each patch in a text, such as a shell's command; a patch ends with a line of its own."""
    inside = False
    for line in text.replace("\r\n", "\n").split("\n"):
        if not inside:
            inside = _BEGIN in line
        elif line.startswith(_END):
            inside = False
        else:
            yield line


def _patched(before: str, lines: Sequence[str], path: str) -> str:
    after, at = before.replace("\r\n", "\n"), 0
    for hunk in _hunks(lines):
        old = [row[1:] for row in hunk if row[:1] in ("-", " ", "")]
        new = "".join(f"{row[1:]}\n" for row in hunk if row[:1] in ("+", " ", ""))
        if not old:  # what replaces nothing goes to the end
            after += new if not after or after.endswith("\n") else f"\n{new}"
            continue
        if not after.endswith("\n"):
            after += "\n"
        found = span_of("".join(f"{row}\n" for row in old), after, at)
        if found is None and not hunk[-1].strip():  # an empty line that only parts the hunk from the next
            new = new.removesuffix("\n")
            found = span_of("".join(f"{row}\n" for row in old[:-1]), after, at)
        if found is None:
            raise InputError(f"{path}: a passage that the patch replaces is not in the file")
        after = after[: found[0]] + new + after[found[1] :]
        at = found[0] + len(new)
    return after


def _hunks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of each hunk; empty lines between hunks belong to none."""
    hunk: list[str] = []
    for line in lines:
        if line.startswith("@@") or _MOVED.match(line) or line.startswith("*** End of File"):
            if hunk:
                yield hunk
            hunk = []
        elif hunk or line:
            hunk.append(line)
    if hunk:
        yield hunk
