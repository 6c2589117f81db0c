"""Proposed edits as coding agents describe them to their hooks, read into whole texts before and after."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veritas.editor.passages import MAX_INPUT, NotReadWhole, now, span_of
from veritas.editor.patches import of_patch_or_diff
from veritas.editor.shell_commands import PAGE, of_command
from veritas.errors import InputError
from veritas.use_cases.writing import Edit

_PATHS = ("file_path", "filePath", "path", "target_file", "notebook_path", "absolute_path", "relative_path",
          "pathInProject", "TargetFile", "filename", "file")  # fmt: skip
_WHOLE = ("content", "contents", "file_text", "new_source", "code_edit")
_OLD = ("old_string", "oldString", "old_str", "old", "oldText", "old_text")
_NEW = ("new_string", "newString", "new_str", "new", "newText", "new_text")
_LISTS = ("edits", "replacements", "files", "changes")
"""Names of lists of edits. Each may name its own file."""
_WRITES = re.compile(
    r"write|edit|replace|insert|append|create|update|patch|modify|save|put|refactor|apply|add|commit", re.IGNORECASE
)
"""Words in the name of a tool that may write."""
_DONE = frozenset({"afterfileedit", "posttooluse", "aftertool"})
"""Events that come when the edit is made, and the file holds it already."""
_PATCH_SIGN = re.compile(
    r"\*\*\* Begin Patch|^@@ -\d+(?:,\d+)? \+\d|^@@@ -\d|^diff --(?:git|cc|combined) |^\*{15}$", re.MULTILINE
)
_DIFF_SIGN = re.compile(r"^(?:diff --(?:git|cc|combined) |--- |\s*\*\*\* Begin Patch|\*\*\* \S)", re.MULTILINE)


def read_edits(text: str) -> list[Edit]:
    """Return the edits that a hook's JSON, an agent's patch or a unified diff proposes; none if it is about no file.

    Reads the files that are to be edited. Raises `InputError` for what is none of these, and for an edit that does not
    fit its file; `NotReadWhole` for one of which a part is not understood.
    """
    if len(text) > MAX_INPUT:
        raise InputError(f"the edit is longer than {MAX_INPUT:,} characters")
    bare = text.lstrip("\ufeff \t\r\n")
    if bare[:1] == "{":
        try:
            given = json.loads(bare, parse_int=_number, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            raise InputError(f"standard input is no JSON: {error}") from error
        return _of_hook(given)
    if _DIFF_SIGN.search(text):
        return of_patch_or_diff(text, Path())
    raise InputError("standard input is neither a JSON object nor a unified diff")


def _of_hook(given: Mapping[str, Any]) -> list[Edit]:
    folder = Path(given["cwd"]) if isinstance(given.get("cwd"), str) else Path()
    inner: Any = _one(given, ("tool_input", "toolArgs", "toolInput"), given)
    if isinstance(inner, str):
        try:
            inner = json.loads(inner, object_pairs_hook=_once)
        except (ValueError, RecursionError):
            inner = {"input": inner}
    if not isinstance(inner, dict):
        raise InputError("the tool's input is no JSON object")
    _unambiguous(inner)
    patched = [edit for patch in _patches_in(inner) for edit in of_patch_or_diff(patch, folder)]
    listed = _with_own_paths(inner)
    if listed and not patched:
        return _together([edit for each in listed for edit in _of_fields(given, each, folder, patched=False)])
    return [*patched, *_of_fields(given, inner, folder, patched=bool(patched))]


def _with_own_paths(inner: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the edits of a list of which each names its file, without the list. Raises `NotReadWhole` where only some
    do."""
    name = next((name for name in _LISTS if isinstance(inner.get(name), list)), None)
    if name is None:
        return []
    named = [each for each in inner[name] if isinstance(each, dict) and any(path in each for path in _PATHS)]
    if not named:
        return []
    if len(named) < len(inner[name]) or any(path in inner for path in _PATHS):
        raise NotReadWhole(f"{name!r} names files for some of its edits only, or the tool names another")
    for each in named:
        _unambiguous(each)
    return named


def _together(edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits of several files. Raises `NotReadWhole` for two of one file, whose texts would not fit."""
    if len({each.path for each in edits}) < len(edits):
        raise NotReadWhole("several edits of one file are in separate parts")
    return list(edits)


def _of_fields(given: Mapping[str, Any], inner: Mapping[str, Any], folder: Path, *, patched: bool) -> list[Edit]:
    path = next((inner[name] for name in _PATHS if isinstance(inner.get(name), str)), None)
    if path is None:
        command = inner.get("command", inner.get("cmd", inner.get("script", inner.get("chars"))))
        if not patched and isinstance(command, str | list):
            return of_command(command, folder)
        odd = next((name for name in _PATHS if name in inner), None)
        if not patched and _writes(given) and (name := odd or _names_a_page(inner)) is not None:
            raise NotReadWhole(f"{name!r} of this tool may name the file that it writes, and is not understood")
        if inner is given and not given.get("tool_name") and not patched:
            raise InputError("the JSON object names no file: give path, old and new, or a hook's own form")
        return []
    if isinstance(inner.get("insert_line"), int) and (text := _inserted(inner)) is not None:
        return [_with_lines(str(folder / path), int(inner["insert_line"]), text)]
    changes = list(_changes(inner))
    if not changes and not any(name in inner for name in _WHOLE):
        if inner is given and not patched:
            raise InputError("the JSON object proposes no text: give new, and old for the passage it replaces")
        if not patched and _writes(given) and inner.get("command") != "view" and PAGE.fullmatch(path):
            raise NotReadWhole(f"{path}: what this tool writes into it is not understood")
        return []  # a tool that reads a file
    place = str(folder / path)
    if place.lower().endswith(".ipynb") and "new_source" in inner:
        raise NotReadWhole(f"{path}: an edit of one cell is not read")
    event = str(given.get("hook_event_name") or "").lower().replace("_", "")
    return [_made(place, inner, changes) if event in _DONE else _proposed(place, inner, changes)]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Of a name that it has twice programs take the one or the other."""
    given = dict(pairs)
    if len(given) < len(pairs):
        twice = next(name for number, (name, _) in enumerate(pairs) if name in dict(pairs[:number]))
        raise NotReadWhole(f"the JSON has {twice!r} twice")
    return given


def _one(given: Mapping[str, Any], names: Sequence[str], default: Any = None) -> Any:
    """Return the value under one of several names. Raises `NotReadWhole` where two of them say different things."""
    said = {name: given[name] for name in names if given.get(name) is not None}
    values = list(said.values())
    if any(value != values[0] for value in values[1:]):
        raise NotReadWhole(f"{' and '.join(map(repr, said))} say different things, and only one of them is the edit")
    return values[0] if values else default


def _unambiguous(inner: Mapping[str, Any]) -> None:
    """Raise `NotReadWhole` for a tool's input that proposes two texts for one file: which is written is not known."""
    for names in (_WHOLE, _OLD, _NEW):
        _one(inner, names)
    if "base64" in [inner.get(name) for name in ("encoding", "content_encoding", "contentEncoding")]:
        raise NotReadWhole("a text in base64 is not read")
    given = [[name for name in names if inner.get(name) is not None]
             for names in (_WHOLE, (*_NEW, "insert_text"), ("edits",))]  # fmt: skip
    if len(several := [names[0] for names in given if names]) > 1:
        raise NotReadWhole(f"{' and '.join(map(repr, several))} are two texts, and only one of them is the edit")
    if any(several):
        _one(inner, _PATHS)


def _patches_in(inner: Mapping[str, Any]) -> Iterator[str]:
    """Yield the patches and diffs that a tool is given, each as one text or as a word of a command."""
    for name in ("input", "patch", "command", "diff"):
        value = inner.get(name)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and _PATCH_SIGN.search(each):
                yield each
            elif isinstance(each, str) and name in ("patch", "diff") and "\n" in each.strip():
                raise NotReadWhole(f"{name!r} is neither a unified diff nor an agent's patch")


def _writes(given: Mapping[str, Any]) -> bool:
    return _WRITES.search(str(given.get("tool_name") or given.get("toolName") or "")) is not None


def _names_a_page(inner: Mapping[str, Any]) -> str | None:
    """Return the name of a field, however deep, that may name a file with citations."""
    waiting: list[tuple[str, Any]] = list(inner.items())
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str) and PAGE.fullmatch(value):
            return name
        held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting += [(name, each) for each in held]
    return None


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) < 20 else float(digits)


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


def _inserted(inner: Mapping[str, Any]) -> str | None:
    return next((inner[name] for name in ("insert_text", *_NEW) if isinstance(inner.get(name), str)), None)


def _with_lines(path: str, line: int, text: str) -> Edit:
    """Return the edit that sets a text behind a line, counted from 1; 0 is the file's beginning."""
    before = now(path)
    lines = before.splitlines(keepends=True)
    text = text if text.endswith("\n") else f"{text}\n"
    ahead = "".join(lines[: max(line, 0)])
    between = "\n" if ahead and not ahead.endswith("\n") else ""
    return Edit(path, before, f"{ahead}{between}{text}{''.join(lines[max(line, 0) :])}")


def _proposed(path: str, inner: Mapping[str, Any], changes: Sequence[tuple[str, str, bool]]) -> Edit:
    before = now(path)
    if not changes:
        return Edit(path, before, _whole(inner))
    after = before
    for old, new, everywhere in changes:
        if not old:
            after = new
        elif (span := span_of(old, after)) is not None:
            fitting = after[span[0] : span[1]]
            after = after.replace(fitting, new) if everywhere else after.replace(fitting, new, 1)
        else:
            raise InputError(f"{path}: the passage that the edit replaces is not in the file")
    return Edit(path, before, after)


def _made(path: str, inner: Mapping[str, Any], changes: Sequence[tuple[str, str, bool]]) -> Edit:
    after = now(path)
    before = after if changes else ""
    for old, new, everywhere in reversed(changes):
        if new and new in before:
            before = before.replace(new, old) if everywhere else before.replace(new, old, 1)
    return Edit(path, before, after or (_whole(inner) if not changes else ""))


def _whole(inner: Mapping[str, Any]) -> str:
    content = next(inner[name] for name in _WHOLE if name in inner)
    if not isinstance(content, str):
        raise InputError("the content of a file is a text")
    return content
