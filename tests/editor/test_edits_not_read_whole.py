"""Proposed edits of which a part is not understood, and what may hide a change in one that is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from veritas.editor.agent_answers import exit_code
from veritas.editor.edit_forms import read_edits
from veritas.editor.passages import NotReadWhole
from veritas.use_cases.writing import guard_edits

BAD = "Shown by [@nobody2020].\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text("# Page\n\nOld line.\n")
    (tmp_path / "refs.bib").write_text("@book{known, title={Tides}, year={2001}}\n")
    return tmp_path


HEAD = "--- a/page.md\n+++ b/page.md\n"
NOT_WHOLE = {
    "a context diff": "*** page.md\n--- page.md\n***************\n*** 3 ****\n! Old line.\n--- 3 ----\n! x\n",
    "a combined diff": f"diff --cc page.md\n--- a/page.md\n+++ b/page.md\n@@@ -1,1 -1,1 +1,2 @@@\n  # Page\n++{BAD}",
    "a hunk that is longer than it says": f"{HEAD}@@ -3,1 +3,1 @@\n-Old line.\n+New.\n+{BAD}",
    "a hunk that is shorter than it says": f"{HEAD}@@ -3,2 +3,4 @@\n-Old line.\n+{BAD}",
    "a hunk that goes on in another file": f"{HEAD}@@ -3,1 +3,9 @@\n-Old line.\n+{BAD}diff --git a/x b/x\n",
    "a diff of no file": f"--- page.md\n@@ -3,1 +3,1 @@\n-Old line.\n+{BAD}",
    "a patch of no file": f"*** Begin Patch\n{BAD}*** End Patch\n",
    "a line before the first file": f"*** Begin Patch\n+{BAD}*** Update File: page.md\n-Old line.\n+x\n*** End Patch\n",
    "a line without a sign": f"*** Begin Patch\n*** Add File: new.md\n+x\n{BAD}*** End Patch\n",
    "a diff behind a patch": f"*** Begin Patch\n*** Add File: x.md\n+x\n*** End Patch\n@@ -3,1 +3,1 @@\n+{BAD}",
    "a normal diff in a hook": json.dumps({"tool_name": "x", "tool_input": {"patch": f"3c3\n< Old\n---\n> {BAD}"}}),
    "two texts": json.dumps({"path": "page.md", "new": "fine", "content": BAD}),
    "two new texts": json.dumps({"path": "page.md", "old": "Old line.", "new": "fine", "new_string": BAD}),
    "a text and edits": json.dumps({"path": "page.md", "content": "fine", "edits": [{"old": "Old", "new": BAD}]}),
    "two files": json.dumps({"file_path": "page.txt", "path": "page.md", "new": BAD}),
    "two inputs": json.dumps({"tool_input": {"path": "a.md", "new": "x"}, "toolArgs": {"path": "a.md", "new": BAD}}),
    "a file behind its end": f"*** Begin Patch\n*** Update File: page.md\n@@\n-Old line.\n+x\n*** End Patch\n"
                             f"*** Update File: page.md\n@@\n-x\n+{BAD}*** End Patch\n",
    "one line in an unknown field": json.dumps({"tool_name": "put", "tool_input": {"path": "page.md", "body": "x"}}),
    "an unknown field for the file": json.dumps({"tool_name": "Write", "tool_input": {"uri": "page.md", "text": "x"}}),
    "a list of an unknown name": json.dumps({"tool_name": "replace_file_content",
                                             "tool_input": {"path": "page.md", "Chunks": [{"Text": BAD}]}}),
    "edits of which one names its file": json.dumps({"tool_name": "multi_edit", "tool_input": {
        "edits": [{"path": "page.md", "old": "Old", "new": "x"}, {"old": "Old", "new": BAD}]}}),
    "a cell that is not there": json.dumps({"tool_name": "NotebookEdit", "tool_input": {
        "notebook_path": "book.ipynb", "cell_id": "nowhere", "new_source": BAD}}),
    "a path that is no text": json.dumps({"tool_name": "Write", "tool_input": {"file_path": 7, "content": BAD}}),
    "a file in an object": json.dumps({"tool_name": "mcp__git__commit_file", "tool_input": {
        "file": {"name": "page.md", "data": BAD}}}),
    "a file in base64 in an object": json.dumps({"tool_name": "mcp__x__commit", "tool_input": {
        "files": [{"name": "page.md", "data": "U2hvd24gYnkgW0Bub2JvZHkyMDIwXS4gQW5kIG1vcmUgb2YgaXQu"}]}}),
    "a text in base64": json.dumps({"tool_name": "create_file", "tool_input": {
        "path": "page.md", "content": "aGVsbG8=", "encoding": "base64"}}),
    "a name twice": '{"path": "page.md", "new": "[@nobody2020]", "new": "fine"}',
}  # fmt: skip


@pytest.mark.parametrize("form", NOT_WHOLE)
def test_an_edit_that_is_not_read_whole_is_not_checked_and_says_so(root: Path, form: str) -> None:
    with pytest.raises(NotReadWhole):
        read_edits(NOT_WHOLE[form])


READ_NOW = {
    "edits with their own files": {"edits": [{"file_path": "page.md", "old_string": "Old line.", "new_string": BAD}]},
    "replacements": {"explanation": "x", "replacements": [
        {"filePath": "page.md", "oldString": "Old line.", "newString": BAD}]},
    "files": {"files": [{"path": "one.md", "content": "x"}, {"path": "page.md", "content": BAD}]},
}  # fmt: skip


@pytest.mark.parametrize("form", READ_NOW)
def test_edits_that_name_their_own_files_are_read(root: Path, form: str) -> None:
    for text, code in ((BAD, 1), ("Fine.\n", 0)):
        given = json.dumps({"tool_name": "x", "tool_input": READ_NOW[form]}).replace(json.dumps(BAD), json.dumps(text))
        assert exit_code(asyncio.run(guard_edits(read_edits(given)))) == code


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": "page.md", "what": "x"}),
        ("TodoWrite", {"todos": [{"content": "write a page", "status": "pending"}]}),
        ("str_replace_editor", {"command": "view", "path": "page.md", "view_range": [1, 2]}),
        ("create_directory", {"path": "docs"}),
    ],
)
def test_a_tool_that_writes_no_page_is_let_through(root: Path, tool: str, given: dict[str, object]) -> None:
    assert read_edits(json.dumps({"tool_name": tool, "tool_input": given})) == []
