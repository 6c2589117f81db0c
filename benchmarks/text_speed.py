"""How fast words and numbers are read, as ratios: a tree of VERITAS before, and this one, in turns.

python benchmarks/text_speed.py FOLDER_OF_CLAIMS [OLDER_TREE]: the claims are JSON lines with a `passage` each; an older
tree is a checkout (`git worktree add OLDER_TREE COMMIT`). Every figure is the best of several turns, in sentences a
second; the ratio is this tree's to the older one's, more is faster.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TURNS = 5
PASSAGES = 150
HERE = Path(__file__).resolve().parents[1]


def measure(root: str, folder: str) -> dict[str, float]:
    """Sentences a second of each function of the tree at `root`, which must be imported by this process alone."""
    sys.path.insert(0, root)
    import veritas

    assert Path(veritas.__file__).is_relative_to(root)
    from veritas.text.quantities import quantities
    from veritas.text.sentences import split_sentences
    from veritas.text.tokens import index_terms, terms

    texts = [
        json.loads(line)["passage"]
        for name in ("scifact", "wice") for line in _lines(Path(folder) / f"{name}.jsonl")[:PASSAGES]
    ]
    pieces = [text[a:b] for text in texts for a, b in split_sentences(text)]
    work: dict[str, tuple[Callable[[str], Any], list[str]]] = {
        "quantities": (quantities, list(dict.fromkeys(pieces))), "terms": (terms, pieces),
        "index_terms": (index_terms, pieces), "split_sentences": (split_sentences, texts),
    }  # fmt: skip
    try:
        from veritas.text.sentences import statements
    except ImportError:
        pass
    else:
        work["statements"] = statements, texts
    found = {}
    for name, (read, items) in work.items():
        best = float("inf")
        for _ in range(3):
            if hasattr(read, "cache_clear"):
                read.cache_clear()
            begun = time.process_time()
            for item in items:
                read(item)
            best = min(best, time.process_time() - begun)
        found[name] = len(pieces) / best
    return found


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def main(folder: str, older: str | None) -> None:
    """Prints the table."""
    trees = [str(HERE), *([str(Path(older).resolve())] if older else [])]
    best: dict[str, dict[str, float]] = {tree: {} for tree in trees}
    for _ in range(TURNS):
        for tree in trees:
            told = subprocess.run(
                [sys.executable, __file__, "--one", tree, folder], capture_output=True, text=True, check=True
            )
            for name, speed in json.loads(told.stdout).items():
                best[tree][name] = max(speed, best[tree].get(name, 0.0))
    for name, speed in best[trees[0]].items():
        before = best[trees[-1]].get(name) if older else None
        print(f"{name:16} {speed:9,.0f} a second" + (f", {speed / before:.2f} of before" if before else ""))


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        print(json.dumps(measure(sys.argv[2], sys.argv[3])))
    else:
        main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
