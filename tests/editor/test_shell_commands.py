"""Shell commands of agents: what they write into pages, move and remove, and what cannot be told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact
from veritas.editor.agent_answers import exit_code
from veritas.editor.edit_forms import read_edits
from veritas.editor.passages import NotReadWhole
from veritas.use_cases.writing import guard_edits

BAD, FINE = "Shown by [@nobody2020].", "Shown by [@baruch2019little]."


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    (tmp_path / "cites.md").write_text(f"{FINE}\n")
    (tmp_path / "plain.md").write_text("Old line.\n")
    return tmp_path


async def guarded(root: Path, command: str | list[str]) -> int | str:
    given = json.dumps({"tool_name": "Bash", "tool_input": {"command": command}})
    try:
        return exit_code(await guard_edits(read_edits(given), root=root))
    except NotReadWhole:
        return "not checked"


WRITES = [
    "cat > new.md <<'EOF'\n{}\nEOF\n",
    "cat >> plain.md << EOF && ls\n{}\nEOF\necho done",
    "cd docs && tee -a page.md <<EOF >/dev/null\n{}\nEOF\n",
    "echo '{}' >> plain.md; ls",
    "ls && echo '{}' | tee -a plain.md > /dev/null",
    "cat <<'EOF' | tee -a plain.md\n{}\nEOF\n",
]


@pytest.mark.parametrize("command", WRITES)
async def test_what_a_command_writes_is_read(root: Path, command: str) -> None:
    assert await guarded(root, command.format(BAD)) == 1
    assert await guarded(root, command.format(FINE)) == 0
    assert await guarded(root, ["bash", "-lc", command.format(BAD)]) == 1


@pytest.mark.parametrize(
    "command",
    [
        "python make.py > page.md",
        "make 2>&1 | tee log.md",
        "cat <<EOF > page.md\n$(make text)\nEOF",
        "echo \"$TEXT\" >> page.md",
        "echo 'unclosed > page.md",
        f"( echo a; echo '{BAD}' )>> plain.md",
        f"( echo a; echo '{BAD}' ) | tee -a plain.md",
        f"echo '{BAD}' | cat cites.md - > plain.md",
    ],
)
async def test_output_of_which_the_command_does_not_tell_what_it_is_is_not_checked(root: Path, command: str) -> None:
    assert await guarded(root, command) == "not checked"


@pytest.mark.parametrize(
    "command",
    [
        "ls docs; cat cites.md | grep -i x > out.txt",
        "sed -i 's/a/b/' plain.md",
        "git commit -F - <<'EOF'\nx > cites.md\nEOF",
        'git commit -m "it\'s cites.md"',
        "pytest -q 2>&1 | tail -3 > /dev/null",
        "grep -c x plain.md >> $LOG",
    ],
)
async def test_other_commands_are_let_through(root: Path, command: str) -> None:
    assert await guarded(root, command) == 0
