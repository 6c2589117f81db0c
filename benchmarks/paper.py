"""Paper audits end to end with the embedded member: seconds a stage and peak memory, a process a paper.

    python benchmarks/paper.py                       papers and manuals that are found on this machine
    python benchmarks/paper.py a.pdf b.pdf -c corpus

Prints a Markdown table. The first column is what a stranger would see: how many statements in which roles.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

PLACES = (
    Path("/usr/share/doc/texlive-doc/support/makeindex/ind.pdf"),
    Path("/usr/share/doc/texlive-doc/dvipdfmx/dvipdfmx-special.pdf"),
    Path("/usr/share/doc/texlive-doc/bibtex/base/btxdoc.pdf"),
    Path("/usr/share/doc/texlive-doc/texlive/texlive-en/texlive-en.pdf"),
    Path("/usr/share/doc/texlive-doc/latex/koma-script/scrguide-en.pdf"),
    Path(__file__).resolve().parents[2] / "shared" / "specs" / "platos-cave.md",
    Path(__file__).resolve().parents[2] / "shared" / "specs" / "citation-grounded-rag.md",
)

COLUMNS = (
    "paper", "pages", "characters", "statements", "references (cited)", "read", "extract", "verify", "all", "MB",
    "score",
)  # fmt: skip

ONE = """
import asyncio, json, resource, sys, time
from veritas import aio
begun = time.perf_counter()
audit = asyncio.run(aio.audit_paper(sys.argv[1], graphs=int(sys.argv[2]), corpus=sys.argv[3:]))
total = time.perf_counter() - begun
scoring = audit.scoring()
nodes = [audit.node(n).base_role for n in scoring.nodes] if scoring else []
print(json.dumps({
    "title": audit.paper.title, "pages": audit.paper.pages, "characters": audit.paper.characters, "roles": nodes,
    "references": len(audit.references), "cited": sum(r.cited > 0 for r in audit.references),
    "stages": {t.stage: t.seconds for t in audit.timings}, "total": total,
    "score": scoring.score if scoring else None, "interval": list(scoring.interval) if scoring else None,
    "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    "mb_reader": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
}))
"""


def measured(paper: Path, corpus: list[str], graphs: int) -> dict[str, object] | None:
    """One audit in a process of its own with an empty store, or None where it failed."""
    with tempfile.TemporaryDirectory() as home:
        ended = subprocess.run(
            [sys.executable, "-c", ONE, str(paper), str(graphs), *corpus],
            env={**os.environ, "VERITAS_HOME": home}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if ended.returncode:
        print(f"{paper.name}: {ended.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    found: dict[str, object] = json.loads(ended.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", nargs="*", help="Papers; by default those that are found on this machine.")
    parser.add_argument("-c", "--corpus", action="append", default=[], help="Documents to check them against.")
    parser.add_argument("-k", "--graphs", type=int, default=5)
    asked = parser.parse_args()
    papers = [Path(p) for p in asked.papers] or [p for p in PLACES if p.exists()]
    if not papers:
        print("no paper was named and none was found on this machine")
        return
    print(f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}")
    for paper in papers:
        found = measured(paper, asked.corpus, asked.graphs)
        if found is None:
            continue
        stages: dict[str, float] = found["stages"]  # type: ignore[assignment]
        roles = Counter(found["roles"])  # type: ignore[arg-type]
        interval = found["interval"]
        score = f"{found['score']:.2f} ({interval[0]:.2f} to {interval[1]:.2f})" if interval else "none"  # type: ignore[index]
        told = ", ".join(f"{count} {role}" for role, count in roles.most_common())
        print(
            f"| {str(found['title'])[:40]} | {found['pages'] or '–'} | {found['characters']:,} | {told or 'none'} "
            f"| {found['references']} ({found['cited']}) | {stages['read']:.1f} | {stages['extract']:.1f} "
            f"| {stages['verify']:.1f} | {found['total']:.1f} | {found['mb']} + {found['mb_reader']} | {score} |"
        )


if __name__ == "__main__":
    main()
