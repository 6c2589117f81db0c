"""A hundred rules of the product, broken one at a time: does a test notice?

    python benchmarks/mutants.py [--only PART_OF_A_RULE]… [--jobs 2] [--limit 300]     or: make mutants

`mutants.yaml` names the rules: a line of code that keeps each, the line that breaks it, and the tests that should
notice, the likeliest first. Every mutant is tried in a copy of the tree in a temporary folder; the checkout is only
read. A mutant is noticed when a named test fails, or is not done within the limit; a test that cannot be collected
notices nothing.

Ends in 1 when fewer than 97 of 100 are noticed, and in 2 when a mutant does not apply any more or a named test fails
without any mutant.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from xml.etree import ElementTree

import yaml

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_name("mutants.yaml")
LEAST = 97
"""Percent of the mutants that have to be noticed."""
LIMIT = 300.0
"""Seconds for the tests of one mutant."""
CODE = ("veritas", "tasks", "flows")


@dataclass(frozen=True)
class Mutant:
    """A rule, and the text of a file that keeps it (`old`, which stands there once) or breaks it (`new`)."""

    rule: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    """What should notice: paths or node ids of pytest, the likeliest first."""


@dataclass(frozen=True)
class Tried:
    """What became of a mutant: `by` is the test that noticed it, or why none could, empty where it survived."""

    mutant: Mutant
    noticed: bool
    by: str
    seconds: float


def read(table: Path = TABLE) -> list[Mutant]:
    """The mutants of the table."""
    rows = yaml.safe_load(table.read_text(encoding="utf-8"))
    return [Mutant(row["rule"], row["file"], row["old"], row["new"], tuple(row["tests"])) for row in rows]


def drift(mutants: Sequence[Mutant], root: Path = ROOT) -> Iterator[str]:
    """What does not apply any more, a sentence each: texts that are gone or stand twice, tests that are not there."""
    for mutant in mutants:
        source = (root / mutant.file).read_text(encoding="utf-8")
        times = source.count(mutant.old)
        if times != 1:
            yield f"{mutant.rule}: its text stands {times} times in {mutant.file}, and not once: {mutant.old!r}"
            continue
        try:
            broken = ast.dump(ast.parse(source.replace(mutant.old, mutant.new)))
        except SyntaxError as error:
            yield f"{mutant.rule}: {mutant.file} cannot be parsed with it: {error}"
            continue
        if broken == _meaning(source):
            yield f"{mutant.rule}: its new text means what the old one means"
        for test in mutant.tests:
            path, _, name = test.partition("::")
            if not (root / path).is_file() or (name and name not in _functions(root / path)):
                yield f"{mutant.rule}: there is no test {test}"


@lru_cache
def _meaning(source: str) -> str:
    return ast.dump(ast.parse(source))


@lru_cache
def _functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


class Copy:
    """A copy of the tree at `root` in `folder`, in which one mutant at a time is tried."""

    def __init__(self, folder: Path, root: Path = ROOT) -> None:
        self.tree, self._temporary = folder / "tree", folder / "tmp"
        away = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "out")

        def ignored(path: str, names: list[str]) -> set[str]:
            own = {name for name in names if name != "demo"} if Path(path) == root / "data" else set()
            return own | set(away(path, names))

        shutil.copytree(root, self.tree, symlinks=True, ignore=ignored)
        code = [name for name in CODE if (self.tree / name).is_dir()]
        if code:  # else it would compile what is installed
            subprocess.run([sys.executable, "-m", "compileall", "-q", *code], cwd=self.tree, check=True)

    def attempt(self, mutant: Mutant, limit: float) -> Tried:
        """The mutant in place, its tests run, and the file as it was before."""
        path = self.tree / mutant.file
        before, source = path.stat(), path.read_text(encoding="utf-8")
        path.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")
        # The compiled file is told from the source by its time, in seconds: another one, whatever the clock says.
        os.utime(path, (before.st_atime, before.st_mtime + 10))
        begun = time.perf_counter()
        try:
            noticed, by = self.run(mutant.tests, limit)
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, (before.st_atime, before.st_mtime))
        return Tried(mutant, noticed, by, time.perf_counter() - begun)

    def run(self, tests: Sequence[str], limit: float) -> tuple[bool, str]:
        """Whether a test failed, or was not done within the limit; which one, or what kept them from running."""
        shutil.rmtree(self._temporary, ignore_errors=True)
        self._temporary.mkdir()
        told = self._temporary / "told.xml"
        paths = [self.tree, self.tree / "tasks", self.tree / "flows"]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": str(self._temporary),
        }
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"--junitxml={told}", *tests]
        process = subprocess.Popen(
            command, cwd=self.tree, env=environment, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            said, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return True, f"not done within {limit:g} s"
        if process.returncode == 0:
            return False, ""
        cases = ElementTree.parse(told).iter("testcase") if told.exists() else ()
        failed = next((case for case in cases if case.find("failure") is not None), None)
        if failed is not None:
            return True, failed.get("name", "")
        return False, "no test failed, and pytest did not end well: " + " ".join(said.split())[-300:]


def attempt_all(
    mutants: Sequence[Mutant], folder: Path, jobs: int, limit: float, root: Path = ROOT
) -> Iterator[Tried]:
    """Each mutant as it is done; `jobs` copies are at work at once."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for number in range(jobs):
        (folder / str(number)).mkdir()
        free.put(Copy(folder / str(number), root))

    def one(mutant: Mutant) -> Tried:
        copy = free.get()
        try:
            return copy.attempt(mutant, limit)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(jobs) as pool:
        asked = [pool.submit(one, mutant) for mutant in mutants]
        try:
            for done in as_completed(asked):
                yield done.result()
        finally:
            for each in asked:
                each.cancel()


def sound(mutants: Sequence[Mutant], folder: Path) -> str:
    """Why the named tests tell nothing, if they fail as the tree is; empty if they pass."""
    return Copy(folder).run(list(dict.fromkeys(test for mutant in mutants for test in mutant.tests)), 3600.0)[1]


def main() -> int:
    """Try the mutants, print those that survive, and say by the exit code whether enough are noticed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="PART", help="of a rule's name; may be repeated")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for the tests of one mutant")
    parser.add_argument("--unchecked", action="store_true", help="take for granted that the tests pass as the tree is")
    given = parser.parse_args()
    mutants = [m for m in read() if not given.only or any(part in m.rule for part in given.only)]
    gone = list(drift(mutants))
    if gone or not mutants:
        print("\n".join(gone) or "no rule is called that", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        (folder / "sound").mkdir()
        if not given.unchecked and (why := sound(mutants, folder / "sound")):
            print(f"a test fails without any mutant: {why}", file=sys.stderr)
            return 2
        tried = []
        for one in attempt_all(mutants, folder, given.jobs, given.limit):
            tried.append(one)
            said = f"by {one.by}" if one.noticed else f"SURVIVED {one.by}"
            print(f"{len(tried)}/{len(mutants)} {one.seconds:5.1f} s  {one.mutant.rule}: {said}", flush=True)
    survivors = [one for one in tried if not one.noticed]
    print(f"\n{len(tried) - len(survivors)} of {len(tried)} mutants are noticed")
    for one in sorted(survivors, key=lambda one: one.mutant.file):
        print(f"\n{one.mutant.rule}\n  {one.mutant.file}\n  - {one.mutant.old}\n  + {one.mutant.new}")
    return int(100 * (len(tried) - len(survivors)) < LEAST * len(tried))


if __name__ == "__main__":
    sys.exit(main())
