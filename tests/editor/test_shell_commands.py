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
from veritas.editor.patches import of_patch_or_diff
from veritas.use_cases.writing import guard_edits

ARTIFACT = f"docs/citations/{SLUG}.md"
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
    "echo '{}' | tee -a plain.md",
    'printf "%s\\n" "{}" >> plain.md',
    "bash -c \"echo '{}' > plain.md\"",
    "echo '{}' | sponge plain.md",
    "dd of=plain.md <<'EOF'\n{}\nEOF\n",
    "for f in a b; do echo '{}' | sudo tee -a plain.md; done",
    "echo '{}' > made.txt && mv made.txt page.md",
    "cat > run.sh <<'EOF'\necho '{}' >> plain.md\nEOF\nbash run.sh",
]


@pytest.mark.parametrize("command", WRITES)
async def test_what_a_command_writes_is_read(root: Path, command: str) -> None:
    assert await guarded(root, command.format(BAD)) == 1
    assert await guarded(root, command.format(FINE)) == 0
    assert await guarded(root, ["bash", "-lc", command.format(BAD)]) == 1


@pytest.mark.parametrize(
    "command",
    [
        "sed -i 's/does not/does/' cites.md",
        "sed -i 's/x/[@nobody2020]/' plain.md",
        "perl -pi -e 's/a/b/' cites.md",
        "find . -name '*.md' -exec sed -i 's/a/b/' {} +",
        "python make.py > page.md",
        "make 2>&1 | tee log.md",
        "cat <<EOF > page.md\n$(make text)\nEOF",
        "python - <<'EOF'\nopen('page.md', 'w').write(text())\nEOF",
        "pandoc notes.docx -o page.md",
        "echo \"$TEXT\" >> page.md",
        "echo 'unclosed > page.md",
        f"( echo a; echo '{BAD}' )>> plain.md",
        f"{{ echo a; echo '{BAD}'; }} >> plain.md",
        f"for f in plain.md; do echo '{BAD}' >> $f; done",
        f"F=plain.md; echo '{BAD}' >> $F",
        f"echo '{BAD}' >> plai?.md",
        f"echo plain.md | xargs -I{{}} sh -c \"echo '{BAD}' >> {{}}\"",
        "sed 's/Old/[@nobody2020]/' plain.md > t && mv t plain.md",
        "awk '{sub(/of/,\"by\")}1' cites.md > t; cp t cites.md",
        f"node -e \"require('fs').appendFileSync('plain.md', '{BAD}')\"",
        f"cat > x.py <<'EOF'\nopen('plain.md', 'a').write('{BAD}')\nEOF\npython3 x.py",
        f"Set-Content -Path plain.md -Value '{BAD}'",
        f"@'\n{BAD}\n'@ | Out-File plain.md",
        "git checkout other -- plain.md",
    ],
)
async def test_a_command_that_does_not_tell_what_it_writes_is_not_checked(root: Path, command: str) -> None:
    assert await guarded(root, command) == "not checked"


@pytest.mark.parametrize(
    "command",
    [
        "ls docs; cat cites.md | grep -i x > out.txt",
        "sed -i 's/a/b/' plain.md",
        "sed -n '1,5p' cites.md",
        "git commit -F - <<'EOF'\nx > cites.md\nEOF",
        'git commit -m "it\'s cites.md"',
        "pytest -q 2>&1 | tail -3 > /dev/null",
        "cp plain.md copy.md && rm copy.md",
        "pip install -i https://example.org README.md",
        "rm plain.md",
        "> plain.md",
        "sed 's/Old/New/' plain.md > t && mv t plain.md",
        "Set-Content plain.md 'New line.'",
        "for f in *.md; do wc -l $f; done > counts.txt",
        "grep -c x plain.md >> $LOG",
        "vim plain.md",
        "git checkout main && git restore plain.md",
    ],
)
async def test_other_commands_are_let_through(root: Path, command: str) -> None:
    assert await guarded(root, command) == 0


@pytest.mark.parametrize(
    "command",
    [
        f"rm {ARTIFACT}",
        "rm -rf docs/citations",
        "cd docs && git rm citations/19*.md",
        f"mv {ARTIFACT} docs/old.md",
        f"git mv {ARTIFACT} docs/old.md",
        "find docs/citations -name '19*' -delete",
        f"truncate -s 0 {ARTIFACT}",
    ],
)
async def test_an_artifact_that_is_cited_is_not_taken_away(root: Path, command: str) -> None:
    assert await guarded(root, command) == 1
    (root / "cites.md").unlink()
    assert await guarded(root, command) == 0


@pytest.mark.parametrize(
    "command",
    [
        "printf 'Shown by [@%s].\\n' nobody2020 >> plain.md",
        "printf 'Shown by [\\100nobody2020].\\n' >> plain.md",
        "echo -e 'Shown by [\\x40nobody2020].' >> plain.md",
    ],
)
async def test_what_echo_and_printf_make_of_signs_is_read(root: Path, command: str) -> None:
    assert await guarded(root, command) == 1
    assert await guarded(root, command.replace("nobody2020", "baruch2019little")) == 0


async def test_a_cited_artifact_is_not_renamed_by_a_patch(root: Path) -> None:
    def renamed(target: str) -> str:
        return f"diff --git a/{ARTIFACT} b/{target}\nrename from {ARTIFACT}\nrename to {target}\n"

    moved = f"*** Begin Patch\n*** Update File: {ARTIFACT}\n*** Move to: docs/old.md\n*** End Patch\n"
    for patch in (renamed("docs/old.md"), moved):
        assert exit_code(await guard_edits(of_patch_or_diff(patch, root), root=root)) == 1
    within = of_patch_or_diff(renamed("docs/citations/1902.06156-other.md"), root)
    assert exit_code(await guard_edits(within, root=root)) == 0  # the key that is cited goes with it
    (root / "cites.md").write_text(f"See [it]({ARTIFACT}).\n")
    assert exit_code(await guard_edits(within, root=root)) == 1


async def test_a_page_in_binary_form_is_not_checked(root: Path) -> None:
    for name, wanted in (("plain.md", "not checked"), ("plot.png", 0)):
        patch = f"diff --git a/{name} b/{name}\nindex 1..2 100644\nGIT binary patch\nliteral 10\nRcmZQzU|?VbVPIeX0\n\n"
        try:
            found: int | str = exit_code(await guard_edits(of_patch_or_diff(patch, root), root=root))
        except NotReadWhole:
            found = "not checked"
        assert found == wanted


async def test_what_is_typed_into_a_running_shell_is_read(root: Path) -> None:
    given = {"tool_name": "write_stdin", "tool_input": {"session_id": 1, "chars": f"echo '{BAD}' >> plain.md\n"}}
    assert exit_code(await guard_edits(read_edits(json.dumps(given)), root=root)) == 1


PATCH = "--- a/plain.md\n+++ b/plain.md\n@@ -1 +1 @@\n-Old line.\n+{}\n"
APPLIED = [
    "git apply --index x.patch",
    "git -C . apply x.patch",
    "git am x.patch",
    "patch -p1 < x.patch",
    "patch -p1 -i x.patch",
    "patch plain.md x.patch",
    "cat x.patch | git apply",
]


@pytest.mark.parametrize("command", APPLIED)
async def test_a_patch_in_a_file_is_read(root: Path, command: str) -> None:
    (root / "x.patch").write_text(PATCH.format(BAD))
    assert await guarded(root, command) == 1
    (root / "x.patch").write_text(PATCH.format(FINE))
    assert await guarded(root, command) == 0
    (root / "x.patch").write_text(PATCH.format(BAD).replace("plain.md", "plain.c"))
    assert await guarded(root, command.replace("plain.md", "plain.c")) == 0


async def test_a_patch_that_the_command_makes_first_is_read(root: Path) -> None:
    made = f"cat > new.patch <<'END'\n{PATCH.format(BAD)}END\ngit apply new.patch"
    assert await guarded(root, made) in (1, "not checked")


@pytest.mark.parametrize(
    "command",
    [
        "git apply gone.patch",
        "curl -s https://example.org/x.patch | git apply",
        "git apply -R x.patch",
        "patch cites.md x.patch",
        "git apply misfit.patch",
    ],
)
async def test_a_patch_that_cannot_be_read_is_not_checked(root: Path, command: str) -> None:
    (root / "x.patch").write_text(PATCH.format(FINE))
    (root / "misfit.patch").write_text(PATCH.format(FINE).replace("Old line", "No such line"))
    assert await guarded(root, command) == "not checked"


@pytest.mark.parametrize("command", ["git apply --check x.patch", "git apply --stat x.patch", "git am --abort",
                                     "patch --dry-run -p1 -i x.patch", "git am --continue"])  # fmt: skip
async def test_a_command_that_applies_no_patch_is_let_through(root: Path, command: str) -> None:
    (root / "x.patch").write_text(PATCH.format(BAD))
    assert await guarded(root, command) == 0
