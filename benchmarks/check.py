"""How long `veritas check` takes on a large tree, beside ripgrep and git grep on the same tree in the same run.

    python benchmarks/check.py [TREE] [--files N]

Without TREE a tree of N files (default 20,000) is made in a temporary folder, with 200 artifacts and a citation in
every tenth file. Each program runs five times; the fastest run counts, process start included, and the least processor
time of all its threads.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

RUNS = 5
PATTERN = r"docs/citations/|research(\([^)]*\))?:|\[\^|@"
FEWEST = r"@|\\cite"
"""What costs ripgrep least: the names alone of files that may hold a key."""


@contextmanager
def made_tree(files: int) -> Iterator[Path]:
    """A tree of source files with citations that all hold."""
    from veritas.citations.artifacts import Artifact, Excerpt, Trail, write_artifact

    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / ".git").mkdir()
        (root / ".gitignore").write_text("build/\n*.log\n", encoding="utf-8")
        slugs = []
        for number in range(200):
            arxiv_id = f"2001.{number:05d}"
            slugs.append(f"{arxiv_id}-author-title")
            sentence = f"Method number {number} needs 3.5 percent less memory than the baseline."
            artifact = Artifact(
                title=f"Title {number}",
                authors=("Ann Author", "Ben Author"),
                year=2020,
                arxiv_id=arxiv_id,
                urls={"abs": f"https://arxiv.org/abs/{arxiv_id}"},
                sources_consulted=("arxiv", "openalex"),
                triangulation=Trail(primary_source="arxiv", secondary_source="openalex", decisive_fields_agreed=True),
                text_excerpts_unavailable=True,
                verified_at=datetime.now(UTC),
                claim_supported=sentence,
                abstract=f"We measure. {sentence} The rest is the same.",
                excerpts=(Excerpt(text=sentence, location="Abstract"),),
                snippet=f"Ann Author, Ben Author. *Title {number}*. arXiv:{arxiv_id} (2020).",
                bibtex=f"@article{{author2020title{number},\n  year={{2020}}\n}}",
            )
            write_artifact(artifact, root / "docs" / "citations", slugs[-1])
        chance = random.Random(7)
        words = "alpha beta gamma delta value total index research result model layer docs".split()
        for number in range(files):
            folder = root / f"pkg{number % 97}" / f"mod{number % 13}"
            folder.mkdir(parents=True, exist_ok=True)
            count = chance.randrange(20, 300)
            lines = [f"{chance.choice(words)}_{n} = {chance.choice(words)}({n})" for n in range(count)]
            if number % 10 == 0:
                lines.insert(3, f"# research(2026-05): Author et al.\n# see docs/citations/{chance.choice(slugs)}.md")
            suffix = ("py", "ts", "go", "rs")[number % 4] if number % 10 else "py"
            (folder / f"file{number}.{suffix}").write_text("\n".join(lines) + "\n", encoding="utf-8")
        yield root


def fastest(command: list[str], cwd: Path) -> tuple[float, float]:
    """Seconds of the fastest of several runs, start of the process included, and of processor time."""
    taken, used = [], []
    for _ in range(RUNS):
        begun = time.perf_counter()
        process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, process.returncode, usage = os.wait4(process.pid, 0)
        taken.append(time.perf_counter() - begun)
        used.append(usage.ru_utime + usage.ru_stime)
    return min(taken), min(used)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", nargs="?", type=Path)
    parser.add_argument("--files", type=int, default=20_000)
    given = parser.parse_args()
    if given.tree is not None:
        measure(given.tree.resolve())
    else:
        with made_tree(given.files) as tree:
            measure(tree)


def measure(tree: Path) -> None:
    """One tree, all programs."""
    programs = {"veritas check": [sys.executable, "-m", "veritas", "check", str(tree)]}
    if shutil.which("rg"):
        programs["ripgrep, the same needles"] = ["rg", "--hidden", "-c", PATTERN, str(tree)]
        programs["ripgrep, one thread"] = ["rg", "--hidden", "-j1", "-c", PATTERN, str(tree)]
        programs["ripgrep, names of files"] = ["rg", "-l", FEWEST, str(tree)]
    if shutil.which("git"):
        command = ["git", "grep", "--no-index", "--exclude-standard", "-cE", PATTERN, "--", "."]
        programs["git grep --no-index"] = command
    took = {name: fastest(command, tree) for name, command in programs.items()}
    _, own = took["veritas check"]
    print(f"{sum(1 for path in tree.rglob('*') if path.is_file()):,} files; the last column: veritas check against it")
    for name, (seconds, processor) in took.items():
        print(f"{name:<28} {seconds:7.3f} s   {processor:7.3f} s of processor   {own / processor:5.1f} x")


if __name__ == "__main__":
    main()
