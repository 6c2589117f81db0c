"""Proposed edits as coding agents describe them to their hooks, read into whole texts before and after."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veritas.errors import InputError
from veritas.use_cases.writing import Edit

MAX_INPUT = 50_000_000
"""Most characters of a proposed edit."""
_PATHS = ("file_path", "filePath", "path", "target_file", "notebook_path", "absolute_path")
_WHOLE = ("content", "contents", "file_text", "new_source", "code_edit")
_OLD = ("old_string", "oldString", "old_str", "old", "oldText")
_NEW = ("new_string", "newString", "new_str", "new", "newText")
_DONE = frozenset({"afterfileedit", "posttooluse", "aftertool"})
"""Events that come when the edit is made, and the file holds it already."""
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_PATCH = "*** Begin Patch"
_PATCH_SIGN = re.compile(r"\*\*\* Begin Patch|^@@ -\d", re.MULTILINE)


def read_edits(text: str) -> list[Edit]:
    """Return the edits that a hook's JSON, an agent's patch or a unified diff proposes; none if it is about no file.

    Reads the files that are to be edited. Raises `InputError` for what is none of these, and for an edit that does not
    fit its file.
    """
    if len(text) > MAX_INPUT:
        raise InputError(f"the edit is longer than {MAX_INPUT:,} characters")
    bare = text.lstrip("\ufeff \t\r\n")
    if bare[:1] == "{":
        try:
            given = json.loads(bare)
        except (ValueError, RecursionError) as error:
            raise InputError(f"standard input is no JSON: {error}") from error
        return _of_hook(given)
    if re.search(r"^(?:diff --git |--- |\*\*\* Begin Patch)", text, re.MULTILINE):
        return list(_of_patch(text, Path()) if _PATCH in text else _of_diff(text, Path()))
    raise InputError("standard input is neither a JSON object nor a unified diff")


def _of_hook(given: Mapping[str, Any]) -> list[Edit]:
    folder = Path(given["cwd"]) if isinstance(given.get("cwd"), str) else Path()
    inner: Any = next((given[name] for name in ("tool_input", "toolArgs", "toolInput") if name in given), given)
    if isinstance(inner, str):
        try:
            inner = json.loads(inner)
        except (ValueError, RecursionError):
            inner = {"input": inner}
    if not isinstance(inner, dict):
        raise InputError("the tool's input is no JSON object")
    if (patch := _patch_in(inner)) is not None:
        return list(_of_patch(patch, folder) if _PATCH in patch else _of_diff(patch, folder))
    path = next((inner[name] for name in _PATHS if isinstance(inner.get(name), str)), None)
    if path is None:
        if inner is given and not given.get("tool_name"):
            raise InputError("the JSON object names no file: give path, old and new, or a hook's own form")
        return []
    changes = list(_changes(inner))
    if not changes and not any(name in inner for name in _WHOLE):
        if inner is given:
            raise InputError("the JSON object proposes no text: give new, and old for the passage it replaces")
        return []  # a tool that reads a file
    place = str(folder / path)
    event = str(given.get("hook_event_name") or "").lower().replace("_", "")
    return [_made(place, inner, changes) if event in _DONE else _proposed(place, inner, changes)]


def _patch_in(inner: Mapping[str, Any]) -> str | None:
    """Return the patch or diff that a tool is given, as one text or as a word of a command."""
    given = [inner.get(name) for name in ("input", "patch", "command", "diff")]
    texts = [each for value in given for each in (value if isinstance(value, list) else [value])]
    return next((each for each in texts if isinstance(each, str) and _PATCH_SIGN.search(each)), None)


def _changes(inner: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Yield each replacement: old text, new text, and whether it is made everywhere."""
    listed = inner.get("edits")
    for each in listed if isinstance(listed, list) else [inner]:
        if not isinstance(each, dict):
            raise InputError("edits is no list of objects")
        new = next((each[name] for name in _NEW if name in each), None)
        if new is None:
            continue
        old = next((each[name] for name in _OLD if name in each), None)
        if not isinstance(new, str) or not isinstance(old, str | None):
            raise InputError("old and new are texts")
        several = each.get("replace_all") or each.get("allow_multiple") or each.get("expected_replacements", 1) != 1
        yield old or "", new, bool(several)


def _proposed(path: str, inner: Mapping[str, Any], changes: Sequence[tuple[str, str, bool]]) -> Edit:
    before = _now(path)
    if not changes:
        return Edit(path, before, _whole(inner))
    after = before
    for old, new, everywhere in changes:
        if not old:
            after = new
        elif (fitting := _fitting(old, after)) is not None:
            after = after.replace(fitting, new) if everywhere else after.replace(fitting, new, 1)
        else:
            raise InputError(f"{path}: the passage that the edit replaces is not in the file")
    return Edit(path, before, after)


def _made(path: str, inner: Mapping[str, Any], changes: Sequence[tuple[str, str, bool]]) -> Edit:
    after = _now(path)
    before = after if changes else ""
    for old, new, everywhere in reversed(changes):
        if new and new in before:
            before = before.replace(new, old) if everywhere else before.replace(new, old, 1)
    return Edit(path, before, after or (_whole(inner) if not changes else ""))


def _fitting(old: str, text: str) -> str | None:
    """Return the passage as it stands in the text, whose line ends may be Windows'."""
    if old in text:
        return old
    other = old.replace("\r\n", "\n").replace("\n", "\r\n")
    return other if other in text else None


def _whole(inner: Mapping[str, Any]) -> str:
    content = next(inner[name] for name in _WHOLE if name in inner)
    if not isinstance(content, str):
        raise InputError("the content of a file is a text")
    return content


def _now(path: str) -> str:
    """Return a file's text; nothing if it is not there."""
    try:
        with open(path, "rb") as file:
            return file.read(MAX_INPUT).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _of_diff(text: str, folder: Path) -> Iterator[Edit]:
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
        before = _now(path) if source is not None else ""
        old = before.replace("\r\n", "\n").removesuffix("\n").split("\n") if before else []
        new: list[str] = []
        taken = 0
        while at < len(lines) and (hunk := _HUNK.match(lines[at])):
            at, taken = _applied(lines, at + 1, hunk, old, new, taken, path)
        new += old[taken:]
        yield Edit(path, before, "\n".join(new) + ("\n" if new else ""))


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


def _of_patch(text: str, folder: Path) -> Iterator[Edit]:
    """Yield the edits of a patch between `*** Begin Patch` and `*** End Patch`, whose hunks have no line numbers."""
    body = text.partition(_PATCH)[2].partition("*** End Patch")[0].replace("\r\n", "\n").split("\n")
    files = [(number, found) for number, line in enumerate(body) if (found := _FILE.match(line))]
    for index, (number, found) in enumerate(files):
        lines = body[number + 1 : files[index + 1][0] if index + 1 < len(files) else len(body)]
        path = str(folder / found[2].strip())
        if found[1] == "Add":
            yield Edit(path, _now(path), "".join(f"{line[1:]}\n" for line in lines if line.startswith("+")))
        elif found[1] == "Update":
            before = _now(path)
            yield Edit(path, before, _patched(before, lines, path))


def _patched(before: str, lines: Sequence[str], path: str) -> str:
    after, at = before.replace("\r\n", "\n"), 0
    for hunk in re.split(r"(?m)^@@.*$\n?|^\*\*\* Move to: .*$\n?", "\n".join(lines) + "\n"):
        rows = [row for row in hunk.split("\n")[:-1] if not row.startswith("*** End of File")]
        old = "".join(f"{row[1:]}\n" for row in rows if row[:1] in ("-", " ", ""))
        new = "".join(f"{row[1:]}\n" for row in rows if row[:1] in ("+", " ", ""))
        if not rows:
            continue
        found = after.find(old, at)
        if found < 0 and (found := (after + "\n").find(old, at)) < 0:
            raise InputError(f"{path}: a passage that the patch replaces is not in the file")
        after = after[:found] + new + after[found + len(old) :]
        at = found + len(new)
    return after
