"""The guard: edits as agents describe them, what they bring in, and the answer that each agent understands."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact
from veritas.cli import main
from veritas.editor.agent_answers import Agent, answer, answer_unread, exit_code, told
from veritas.editor.edit_forms import read_edits
from veritas.errors import InputError
from veritas.use_cases.writing import Edit, guard_edits, open_project

GOOD, BAD = "Shown by [@baruch2019little].\n", "Shown by [@nobody2020].\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    (tmp_path / "page.md").write_text(f"# Page\n\nOld line.\n\n{GOOD}")
    return tmp_path


def after(given: Mapping[str, Any] | str) -> list[str]:
    return [edit.after for edit in read_edits(given if isinstance(given, str) else json.dumps(given))]


WHOLE = f"# Page\n\n{BAD}\n{GOOD}"
FORMS: dict[str, dict[str, Any]] = {
    "Claude Code, Edit": {
        "hook_event_name": "PreToolUse", "tool_name": "Edit",
        "tool_input": {"file_path": "page.md", "old_string": "Old line.\n", "new_string": BAD},
    },
    "Claude Code, MultiEdit": {
        "hook_event_name": "PreToolUse", "tool_name": "MultiEdit", "tool_input": {"file_path": "page.md", "edits": [
            {"old_string": "Old line", "new_string": "New line"}, {"old_string": "New line.\n", "new_string": BAD}]},
    },
    "Claude Code, Write": {
        "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "page.md", "content": WHOLE},
    },
    "Gemini CLI, replace": {
        "hook_event_name": "BeforeTool", "tool_name": "replace",
        "tool_input": {"file_path": "page.md", "old_string": "Old line.\n", "new_string": BAD},
    },
    "Gemini CLI, write_file": {
        "hook_event_name": "BeforeTool", "tool_name": "write_file",
        "tool_input": {"file_path": "page.md", "content": WHOLE},
    },
    "Cursor, preToolUse": {
        "hook_event_name": "preToolUse", "tool_name": "Write", "workspace_roots": ["/"],
        "tool_input": {"file_path": "page.md", "contents": WHOLE},
    },
    "Copilot": {
        "toolName": "edit", "toolArgs": json.dumps({"path": "page.md", "old_str": "Old line.\n", "new_str": BAD}),
    },
    "any program": {"path": "page.md", "old": "Old line.\n", "new": BAD},
    "any program, the whole file": {"path": "page.md", "new": WHOLE},
    "Codex, in a shell": {"tool_name": "shell", "tool_input": {"command": ["apply_patch",
        f"*** Begin Patch\n*** Update File: page.md\n-Old line.\n+{BAD}*** End Patch\n"]}},
    "Codex": {"tool_name": "apply_patch", "tool_input": {"command":
        f"*** Begin Patch\n*** Update File: page.md\n@@\n # Page\n \n-Old line.\n+{BAD}*** End Patch\n"}},
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_an_edit_is_read_in_the_form_of_each_agent(root: Path, form: str) -> None:
    edits = read_edits(json.dumps(FORMS[form]))
    assert [(Path(each.path).name, each.after) for each in edits] == [("page.md", WHOLE)]
    found = asyncio.run(guard_edits(edits))
    assert exit_code(found) == 1
    assert told(found, 1).startswith("page.md:3: @nobody2020: no bibliography")
    assert "[unknown-key]" in told(found, 1)


def test_a_patch_is_read_as_its_agent_applies_it(root: Path) -> None:
    (root / "long.md").write_text("One.\nTwo “twice”. \nThree.\nFour.\n")
    inside = "*** Begin Patch\n*** Update File: long.md\n@@\n One.\n-Two \"twice\".\n+2\n Three.\n*** End Patch"
    assert after(inside) == ["One.\n2\nThree.\nFour.\n"]
    hidden = f"*** Begin Patch\n*** Add File: new.md\n+<!-- *** End Patch -->\n+{BAD}*** End Patch\n"
    assert after(hidden) == [f"<!-- *** End Patch -->\n{BAD}"]
    parted = "*** Begin Patch\n*** Update File: long.md\n@@\n-One.\n+1\n\n@@\n-Four.\n+4\n@@\n+Five.\n*** End Patch\n"
    assert after(parted) == ["1\nTwo “twice”. \nThree.\n4\nFive.\n"]
    two = inside + "\n" + hidden
    assert len(after({"tool_name": "shell", "tool_input": {"command": ["bash", "-lc", two]}})) == 2


def test_what_was_wrong_before_is_not_held_against_an_edit(root: Path) -> None:
    before = f"{BAD}\nThey write \"A perturbation of 9.5 standard deviations suffices\" [@baruch2019little].\n"
    moved = "# A heading\n\n" + before + "And more words.\n"
    assert asyncio.run(guard_edits([Edit("page.md", before, moved)])) == []
    assert asyncio.run(guard_edits([Edit("page.md", before, before.replace("9.5", "1.5"))])) == []
    worse = asyncio.run(guard_edits([Edit("page.md", before, before.replace("9.5", "7.5"))]))
    assert [each.diagnostic.code for each in worse] == ["quote-altered"]
    assert exit_code(worse) == 1


def test_a_wrong_key_under_a_new_claim_is_judged_again(root: Path) -> None:
    before = "Attacks on averages are cheap [@nobody2020].\n\nOther words.\n"
    other = before.replace("Attacks on averages are cheap", "Coffee prolongs the life of mice by a year")
    reworded = before.replace("are cheap", "are inexpensive")
    moved = f"# New\n\nA first line.\n\n{before}"
    assert [len(asyncio.run(guard_edits([Edit("page.md", before, text)]))) for text in (other, reworded, moved)] == [
        1, 0, 0]  # fmt: skip
    for old, new in (("lowers", "raises"), ("lowers", "lowers no"), ("in 40 adults", "in 90 adults")):
        claim = "Treatment X lowers mortality in 40 adults [@nobody2020].\n"
        (found,) = asyncio.run(guard_edits([Edit("page.md", claim, claim.replace(old, new))]))
        assert found.diagnostic.code == "unknown-key"
    again = f"{before}\nCoffee prolongs life [@nobody2020].\n"
    (found,) = asyncio.run(guard_edits([Edit("page.md", before, again)]))
    assert (found.line, found.diagnostic.code) == (5, "unknown-key")


def test_of_a_bibliography_only_what_is_new_is_judged(root: Path) -> None:
    entry = "@article{%s,\n  title = {A study of %s things},\n  author = {A, B},\n  year = {2020}\n}\n"
    before = "".join(entry % (f"key{number}", f"{number} odd") for number in range(20))
    project = open_project(root)
    edit = Edit("refs.bib", before, before + entry % ("more2020", "no"))
    (found,) = asyncio.run(guard_edits([edit], project=project))
    assert found.diagnostic.key == "more2020"
    twice = Edit("refs.bib", before, before + entry % ("again2020", "7 odd"))
    (found,) = asyncio.run(guard_edits([twice], project=project))
    assert found.diagnostic.code == "unknown"


def test_what_nothing_is_known_of_is_unknown_and_stops_nothing_unless_asked_to(root: Path) -> None:
    entry = "@article{somebody2020,\n  title = {A study of many things},\n  author = {A, B},\n  year = {2020}\n}\n"
    found = asyncio.run(guard_edits([Edit("refs.bib", "", entry)]))
    assert exit_code(found) == 3
    assert exit_code(found, strict=True) == 1
    assert told(found, 3)
    plain = root / "plain"  # a project without artifacts
    plain.mkdir()
    (plain / "refs.bib").write_text(entry)
    cited = "Errors are frequent in reports [@somebody2020].\n"
    meant = cited.replace("frequent", "never frequent")
    edits = [Edit(str(plain / "page.md"), old, meant) for old in ("", cited)]
    told_of = [asyncio.run(guard_edits([each], root=plain)) for each in edits]
    assert [exit_code(each) for each in told_of] == [3, 0], "no more is unknown now"
    other = 'They write "wholly other words about cats and dogs" [@baruch2019little].\n'
    assert exit_code(asyncio.run(guard_edits([Edit("page.md", "", other)]))) == 3


@pytest.mark.parametrize(
    "given",
    ["", "no edit", "[1]", "{", '{"path": 3}', "{}", '{"path": "page.md"}',
     '{"path": "page.md", "old": "not there", "new": "x"}',
     '{"path": "page.md", "new": 3}', '{"tool_input": [1]}', '{"path": "page.md", "edits": [3]}', "{" * 100_000,
     '{"path": "page.md", "old": 3, "new": "x"}', '{"path": "\\u0000", "new": "x"}', '{"path": "docs", "new": "x"}',
     "--- a/page.md\n+++ b/page.md\n@@ -1,2 +1,2 @@\n # Other\n-Old\n+New\n",
     "--- a/page.md\n+++ b/page.md\n@@ -90 +90 @@\n-Old\n+New\n",
     "*** Begin Patch\n*** Update File: page.md\n@@\n-Not there\n+x\n*** End Patch\n"],
)  # fmt: skip
def test_what_is_no_edit_is_bad_input(root: Path, given: str) -> None:
    with pytest.raises(InputError):
        read_edits(given)


def test_each_agent_gets_the_answer_that_it_reads(root: Path) -> None:
    def of(agent: Agent, code: int, event: str = "PreToolUse") -> Any:
        return json.loads(answer(agent, event, code, "page.md:3: a reason"))

    for agent in (Agent.CLAUDE_CODE, Agent.CODEX):
        told_no = of(agent, 1)["hookSpecificOutput"]
        assert told_no["permissionDecision"] == "deny"
        assert "a reason" in told_no["permissionDecisionReason"]
        assert "permissionDecision" not in json.dumps(of(agent, 3))
        assert of(agent, 0) == {}
    assert of(Agent.CLAUDE_CODE, 1, "PostToolUse")["decision"] == "block"
    assert of(Agent.GEMINI_CLI, 1)["decision"] == "deny"
    assert "decision" not in of(Agent.GEMINI_CLI, 3)
    assert [of(Agent.CURSOR, code)["permission"] for code in (0, 1, 3)] == ["allow", "deny", "allow"]
    assert of(Agent.COPILOT, 1)["permissionDecision"] == "deny"
    assert of(Agent.COPILOT, 3) == {}


def test_an_edit_that_cannot_be_read_is_told_by_each_agents_hook() -> None:
    for agent in Agent:
        given = json.loads(answer_unread(agent, "PreToolUse", "no JSON"))
        assert "was not checked: no JSON" in json.dumps(given)
        asks = agent in (Agent.CLAUDE_CODE, Agent.CURSOR, Agent.COPILOT)
        assert ('"ask"' in json.dumps(given)) == asks
    assert "systemMessage" in json.loads(answer_unread(Agent.CLAUDE_CODE, "PostToolUse", "no JSON"))


def test_a_file_that_is_moved_keeps_its_faults_and_one_that_becomes_markdown_brings_them(root: Path) -> None:
    for name, faults in (("old.md", 0), ("old.txt", 1)):
        (root / name).write_text(f"One.\n\n{BAD}")
        patch = f"*** Begin Patch\n*** Update File: {name}\n*** Move to: new.md\n@@\n-One.\n+Two.\n*** End Patch\n"
        diff = f"diff --git a/{name} b/new.md\nrename from {name}\n"
        diff += f"--- a/{name}\n+++ b/new.md\n@@ -1 +1 @@\n-One.\n+Two.\n"
        for given in (patch, diff):
            edits = read_edits(given)
            made = [(Path(each.path).name, each.after) for each in edits]
            assert made == [(name, ""), ("new.md", f"Two.\n\n{BAD}")]
            assert len(asyncio.run(guard_edits(edits))) == faults


def run(given: str, *options: str, monkeypatch: pytest.MonkeyPatch) -> int:
    class Input(io.TextIOWrapper):
        pass

    monkeypatch.setattr("sys.stdin", Input(io.BytesIO(given.encode())))
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["guard", *options]))
    return int(ended.value.code or 0)


def test_the_command_ends_with_the_documented_codes(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def code(given: Mapping[str, Any] | str, *options: str) -> tuple[int, str, str]:
        ended = run(given if isinstance(given, str) else json.dumps(given), *options, monkeypatch=monkeypatch)
        return ended, *capsys.readouterr()

    assert code({"path": "page.md", "new": GOOD}) == (0, "", "")
    ended, out, err = code({"path": "page.md", "new": BAD})
    assert (ended, out) == (1, "")
    assert "@nobody2020" in err
    assert code({"path": "p.tex", "new": "\\cite{x}"})[0] == 3
    assert code("nothing of the kind")[0] == 2
    ended, out, err = code("*** page.md\n--- page.md\n***************\n*** 3 ****\n! Old line.\n--- 3 ----\n! x\n")
    assert (ended, out, err.startswith("this edit was not checked: line 3")) == (3, "", True)
    two = {"path": "page.md", "new": "fine", "content": BAD}
    assert code(two, "--strict")[0] == 1
    assert "not checked" in code(two, "--hook", "codex")[1]
    ended, out, _ = code("nothing of the kind", "--hook", "claude-code")
    assert (ended, json.loads(out)["hookSpecificOutput"]["permissionDecision"]) == (0, "ask")
    ended, out, err = code(FORMS["Claude Code, Write"], "--hook", "claude-code")
    assert (ended, err) == (0, "")
    assert json.loads(out)["hookSpecificOutput"]["permissionDecision"] == "deny"
    ended, out, _ = code({"path": "page.md", "new": BAD}, "--json")
    assert json.loads(out)["found"][0]["code"] == "unknown-key"
    assert ended == 1


def test_a_reason_shows_what_strangers_wrote_and_obeys_none_of_it(root: Path) -> None:
    text = "See docs/citations/\u202eevil\x1b[31m.md\n"
    found = asyncio.run(guard_edits([Edit("page.md", "", text)]))
    assert "\x1b" not in told(found, 1)
    assert "\u202e" not in told(found, 1)
    assert found


@pytest.mark.parametrize("agent", list(Agent))
@pytest.mark.parametrize(
    ("command", "quick"),
    [("ls -la", True), ("git diff > a.txt", True), ("echo x > page.md", False), ("printf x > page\\u002emd", False)],
)
def test_a_command_that_can_write_no_page_is_answered_before_typer_is_imported(
    agent: Agent, command: str, quick: bool
) -> None:
    asked = '{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "' + command + '"}}'
    run = """import sys
from veritas.cli import main
try:
    main()
except SystemExit:
    pass
assert 'typer' not in sys.modules
"""
    words = [sys.executable, "-c", run, "guard", "--hook", agent.value]
    done = subprocess.run(words, input=asked, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is quick, done.stderr
    if quick:
        assert done.stdout.strip() == answer(agent, "PreToolUse", 0, "")
