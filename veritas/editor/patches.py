"""Unified diffs and the patches of coding agents, applied to the files that they are about."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veritas.editor.passages import NotReadWhole, now, span_of
from veritas.editor.shell_commands import PAGE
from veritas.errors import InputError
from veritas.use_cases.writing import Edit

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$")
_MOVED = re.compile(r"^\*\*\* Move to: (.+)$")
_OTHER_FORM = re.compile(
    r"@@@ |diff --(?:cc|combined) |\*{15}|\*\*\* \d+(?:,\d+)? \*{4}|\d+(?:,\d+)?[acd]\d+(?:,\d+)?$"
)
"""Combined, context and normal diffs."""
_WITHOUT_TEXT = ("deleted file mode ", "old mode ", "rename from ", "Binary files ", "GIT binary patch", "copy from ")
"""What git says of a file whose text is not changed, or is none."""
_UNREAD = re.compile(r"(?:rename|copy) to |GIT binary patch")
"""What git says of a file whose text is not in the diff."""


def of_patch_or_diff(text: str, folder: Path) -> list[Edit]:
    """Return the edits of agents' patches and of unified diffs, in order, each file once.

    Raises `InputError` for one that does not fit its file, and `NotReadWhole` where a part of the text may be a change
    that is not understood.
    """
    texts: dict[str, str] = {}  # what the patch has made of each file so far
    made: dict[str, Edit] = {}
    for edit in _edits(text.replace("\r\n", "\n").split("\n"), folder, texts):
        earlier = made.get(edit.path)
        made[edit.path] = Edit(edit.path, earlier.before if earlier else edit.before, edit.after)
        texts[edit.path] = edit.after
    return list(made.values())


def _edits(lines: Sequence[str], folder: Path, texts: Mapping[str, str]) -> Iterator[Edit]:
    at, known = 0, False
    while at < len(lines):
        line = lines[at]
        if _BEGIN in line:
            end = next((n for n in range(at + 1, len(lines)) if lines[n].strip().startswith(_END)), len(lines))
            yield from _of_patch(lines[at + 1 : end], folder, texts)
            at, known = end + 1, True
        elif line.startswith("--- ") and lines[at + 1 : at + 2] and lines[at + 1].startswith("+++ "):
            at, edits = _of_diff(lines, at, folder, texts)
            known = True
            yield from edits
        elif known and _FILE.match(line.strip()):
            raise NotReadWhole(f"line {at + 1} of the patch, {line[:60]!r}, stands behind {_END!r}")
        elif _OTHER_FORM.match(line):
            raise NotReadWhole(f"line {at + 1} of the patch, {line[:60]!r}: only unified diffs and patches between "
                               f"{_BEGIN!r} and {_END!r} are read")  # fmt: skip
        elif _UNREAD.match(line) and (page := _page_without_text(lines, at)):
            raise NotReadWhole(f"{page}: the diff does not hold its text")
        elif _HUNK.match(line):
            raise NotReadWhole(f"line {at + 1} of the patch: a part that names no file")
        else:
            known = known or line.startswith(_WITHOUT_TEXT)
            at += 1
    if not known:
        raise NotReadWhole("the patch names no file")


def _page_without_text(lines: Sequence[str], at: int) -> str | None:
    """Return the page that a diff of git renames, copies or holds as bytes, without a change that is read."""
    if any(each.startswith("--- ") for each in lines[at + 1 : at + 4]):
        return None
    header = next((each for each in reversed(lines[max(at - 6, 0) : at]) if each.startswith("diff --git ")), "")
    return next((word for word in header.split() if PAGE.fullmatch(word)), None)


def _gone(source: str, text: str) -> list[Edit]:
    """Return the edit of a file that is moved away, at its old place."""
    return [Edit(source, text, "")] if text else []


def _now(path: str, texts: Mapping[str, str]) -> str:
    return texts[path] if path in texts else now(path)


def _moved(before: str, source: str, target: str) -> str:
    """Return what of a moved file's text was there before; as another kind of file its citations are new."""
    return before if os.path.splitext(source)[1] == os.path.splitext(target)[1] else ""


def _of_diff(
    lines: Sequence[str], at: int, folder: Path, texts: Mapping[str, str]
) -> tuple[int, list[Edit]]:
    """Return the line behind a file of a unified diff, and its edits: applied to the file as it is, without text for
    one that is deleted."""
    source, target = _name(lines[at]), _name(lines[at + 1])
    at += 2
    path = _beside(folder, target or source or "", source)
    if target is None:
        while at < len(lines) and (hunk := _HUNK.match(lines[at])):
            at = _behind(lines, at + 1 + int(hunk[2] or 1), path)
        before = _now(path, texts)
        return at, _gone(path, before)
    before, origin = _now(path, texts) if source is not None else "", path
    if source is not None and not before:  # git's rename with changes
        origin = str(folder / (source.removeprefix("a/") if target.startswith("b/") else source))
        before = _now(origin, texts)
    old = before.replace("\r\n", "\n").removesuffix("\n").split("\n") if before else []
    new: list[str] = []
    taken = hunks = 0
    while at < len(lines) and (hunk := _HUNK.match(lines[at])):
        at, taken = _applied(lines, at + 1, hunk, old, new, taken, path)
        hunks += 1
    if not hunks:
        raise NotReadWhole(f"{path}: the diff has no part that is read")
    new += old[taken:]
    after = "\n".join(new) + ("\n" if new else "")
    gone = _gone(origin, before) if origin != path else []
    return at, [*gone, Edit(path, _moved(before, origin, path), after)]


def _behind(lines: Sequence[str], at: int, path: str) -> int:
    """Return the first line behind a hunk. Raises `NotReadWhole` for a line that its header does not count."""
    while at < len(lines) and lines[at].startswith("\\"):
        at += 1
    if at < len(lines) and lines[at][:1] in ("+", "-", " ") and lines[at].strip() not in ("", "--"):
        if lines[at].startswith("--- ") and lines[at + 1 : at + 2] and lines[at + 1].startswith("+++ "):
            return at
        raise NotReadWhole(f"{path}: a part of the diff is longer than its header says, at {lines[at][:60]!r}")
    return at


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
    while at < len(lines) - (not lines[-1]) and (left > 0 or right > 0):
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
            raise NotReadWhole(f"{path}: {lines[at - 1][:60]!r} stands where its header counts a line of the diff")
    if left or right:
        raise NotReadWhole(f"{path}: a part of the diff is shorter than its header says")
    return _behind(lines, at, path), taken


def _name(line: str) -> str | None:
    name = line[4:].split("\t")[0].strip()
    if name.startswith('"'):
        raise NotReadWhole(f"{name}: the name of the file is written in escapes")
    return None if name == "/dev/null" else name


def _beside(folder: Path, target: str, source: str | None) -> str:
    """Return the file that a diff means: git writes `a/` and `b/` before names, other programs do not."""
    plain = target.partition("/")[2] if target.startswith("b/") and (source is None or source.startswith("a/")) else ""
    chosen = plain or target
    return str(folder / (target if plain and os.path.exists(folder / target) else chosen))


def _of_patch(body: Sequence[str], folder: Path, texts: Mapping[str, str]) -> Iterator[Edit]:
    """Yield the edits of a patch between `*** Begin Patch` and `*** End Patch`, whose hunks have no line numbers."""
    files = [(number, found) for number, line in enumerate(body) if (found := _FILE.match(line.strip()))
             and line[:1] not in ("+", "-")]  # fmt: skip
    ahead = body[: files[0][0]] if files else body
    if not files or any(line.strip() for line in ahead):
        raise NotReadWhole(f"the patch begins with no file: {next(filter(str.strip, ahead), '')[:60]!r}")
    for index, (number, found) in enumerate(files):
        lines = body[number + 1 : files[index + 1][0] if index + 1 < len(files) else len(body)]
        path = str(folder / found[2].strip())
        odd = next((line for line in lines if not _fits(line, found[1])), None)
        if odd is not None:
            raise NotReadWhole(f"{path}: {odd[:60]!r} is no line of a patch that {found[1].lower()}s a file")
        if found[1] == "Add":
            yield Edit(path, _now(path, texts), "".join(f"{line[1:]}\n" for line in lines if line.startswith("+")))
        elif found[1] == "Update":
            before = _now(path, texts)
            to = _MOVED.match(next(filter(str.strip, lines), "").strip())
            moved = str(folder / to[1].strip()) if to else path
            yield from _gone(path, before) if moved != path else ()
            yield Edit(moved, _moved(before, path, moved), _patched(before, lines, path))
        elif before := _now(path, texts):  # deleted
            yield Edit(path, before, "")


def _fits(line: str, kind: str) -> bool:
    """Return whether a line may stand in a file's part of a patch."""
    if not line.strip() or (kind == "Add" and line.startswith("+")):
        return True
    return kind == "Update" and (line[0] in "+- " or line.startswith(("@@", "*** End of File", "*** Move to: ")))


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
