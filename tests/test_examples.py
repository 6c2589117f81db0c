"""The examples: each runs as it stands, offline, and shows what it says it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import preloaded

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
SHOWS = {
    "ask_the_store.py": ["corpus://documents/service-handbook.md", "oil change every 500 hours"],
    "audit_a_paper.py": ["Conclusion: We conclude", "the paper says 25.0 %; recomputed: 20.0 %"],
    "corpus_of_claims.py": ["“Dry pumps used 9 percent more electricity than oiled pumps.”"],
    "judge_claims.py": ["supports  0.", "refutes   0.", "silent    0."],
    "own_lens.py": ["admitted  supports", "dropped   refutes", "halted    unavailable", "dropped   fabricated"],
    "replay_at_another_tier.py": ["from verify on", "21 of one judge a claim, then 42 of two"],
    "research.py": ["answered, in run ", "supports: “", "Left out, and why:"],
    "same_work.py": ["the right entry: verified True", "the wrong entry: verified False", "Zhang / Liu"],
    "score_an_argument.py": ["weak: nothing  score 0.6", "fragility 0.80"],
    "source_tiers.py": ["tier 4, rejected: https://pumps.example.com", "tier 2, admitted: https://pumps.example.com"],
}
GUARDED = (
    "import runpy, sys, tests.conftest, warnings; warnings.simplefilter('error', SyntaxWarning); "
    "runpy.run_path(sys.argv[1], run_name='__main__')"
)
"""The guard of every test against the network stands in the program as well."""


def _environment(home: Path) -> dict[str, str]:
    path = os.pathsep.join([str(preloaded.commands()), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "VERITAS_HOME": str(home), "TMPDIR": str(home.parent)}


def test_every_example_is_listed_and_says_what_it_shows() -> None:
    programs = {path.name for path in EXAMPLES.glob("*.py")}
    assert programs == set(SHOWS)
    listed = re.findall(r"^\| \[(\w+\.py)\]\(\1\) \|", (EXAMPLES / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(programs)


@pytest.mark.parametrize("name", sorted(SHOWS))
def test_example_runs_offline_and_shows_what_it_says(name: str, own_home: Path) -> None:
    ended = preloaded.run(["-c", GUARDED, EXAMPLES / name], cwd=ROOT, env=_environment(own_home))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert [text for text in SHOWS[name] if text not in ended.stdout] == [], ended.stdout


def test_the_walk_through_runs_block_by_block(own_home: Path) -> None:
    text = (EXAMPLES / "WALKTHROUGH.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 5
    said = []
    for block in blocks:
        ended = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            cwd=ROOT, env=_environment(own_home), capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert ended.returncode == 0, f"{block}\n{ended.stdout}{ended.stderr}"
        said.append(ended.stdout)
    asked, looked, again, tested, tiers = said
    assert "15.2 months" in asked
    assert "18.0 months" in asked
    assert looked.startswith("supports corpus://documents/")
    assert len(re.findall(r"^\d{8}-\d{6}-\w+", again, re.MULTILINE)) >= 2
    assert "supports" in tested.lower()
    assert "refutes" in tested.lower()
    assert "tier 4" in tiers
