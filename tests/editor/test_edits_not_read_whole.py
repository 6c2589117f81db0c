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
    "a name twice": '{"path": "page.md", "new": "[@nobody2020]", "new": "fine"}',
}  # fmt: skip


@pytest.mark.parametrize("form", NOT_WHOLE)
def test_an_edit_that_is_not_read_whole_is_not_checked_and_says_so(root: Path, form: str) -> None:
    with pytest.raises(NotReadWhole):
        read_edits(NOT_WHOLE[form])


DECOYS = {
    "blank lines": f"\n\n*** Begin Patch\n\n*** Update File: page.md\n\n@@\n-Old line.\n+{BAD}*** End Patch\n",
    "indented headers": f"  *** Begin Patch\n  *** Update File: page.md\n-Old line.\n+{BAD}  *** End Patch\n",
    "a diff that speaks of a patch": f"{HEAD}@@ -3,1 +3,2 @@\n-Old line.\n+{BAD}+*** Begin Patch\n",
    "a diff behind a patch": f"*** Begin Patch\n*** Add File: x.md\n+x\n*** End Patch\n{HEAD}"
                             f"@@ -3,1 +3,1 @@\n-Old line.\n+{BAD}",
    "a signature": f"{HEAD}@@ -3,1 +3,1 @@\n-Old line.\n+{BAD}-- \n2.40\n",
}  # fmt: skip


@pytest.mark.parametrize("form", DECOYS)
def test_what_stands_around_a_patch_hides_nothing(root: Path, form: str) -> None:
    assert exit_code(asyncio.run(guard_edits(read_edits(DECOYS[form])))) == 1


def test_a_file_that_git_renames_brings_its_citations_and_names_in_octal_are_read(root: Path) -> None:
    (root / "notes.txt").write_text(BAD)
    (root / "über.md").write_text("Old line.\n")
    renamed = "diff --git a/notes.txt b/notes.md\nsimilarity index 100%\nrename from notes.txt\nrename to notes.md\n"
    assert exit_code(asyncio.run(guard_edits(read_edits(renamed)))) == 1
    octal = '--- "a/\\303\\274ber.md"\n+++ "b/\\303\\274ber.md"\n@@ -1 +1 @@\n-Old line.\n+New line.\n'
    assert [(Path(each.path).name, each.before) for each in read_edits(octal)] == [("über.md", "Old line.\n")]
    assert read_edits("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n") == []
