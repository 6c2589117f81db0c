"""How long one check of a text takes while it is typed: `python benchmarks/editor.py [--keys N]`.

Writes a project into a temporary folder: a document of 2,000 lines with 150 citations, each with an artifact, a
bibliography of 500 entries, quotations among them. It is opened in the language server and typed in, a key at a time,
at places all over the document; each key is followed by a whole check, as after the pause that the server waits for.
The time runs from the new text to the diagnostics that would be sent. Also: opening it, and typing in the bibliography.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.citations.artifact_samples import NOW, artifact  # noqa: E402
from veritas.citations.artifacts import Excerpt, write_artifact  # noqa: E402
from veritas.editor.features import make_server  # noqa: E402
from veritas.editor.language_server import CitationServer  # noqa: E402
from veritas.editor.open_document import OpenDocument  # noqa: E402
from veritas.use_cases.writing import work_out  # noqa: E402

LINES, CITED, ENTRIES = 2_000, 150, 500
NOUNS = "aggregation gradients defenses attacks clients models rounds updates noise privacy accuracy budgets".split()
VERBS = "reduces raises bounds delays limits explains predicts doubles".split()


def sentence(draw: random.Random) -> str:
    """Return a plain sentence with a number in it."""
    first, second, third = draw.sample(NOUNS, 3)
    return f"Robust {first} {draw.choice(VERBS)} the {second} of {third} by {draw.randint(2, 98)} percent"


def write_project(root: Path, draw: random.Random) -> str:
    """Write artifacts and a bibliography below `root`, and return the document."""
    folder = root / "docs/citations"
    entries, cited = [], []
    for at in range(ENTRIES):
        key, said = f"author{at}2020", sentence(draw)
        entries.append(
            f"@article{{{key},\n  title = {{On {said}}},\n  author = {{Author, Ann and Bibliographer, Ben}},\n"
            f"  year = {{2020}},\n  journal = {{Journal of Tests}},\n  doi = {{10.5555/test.{at}}}\n}}\n"
        )
        if at < CITED:
            made = artifact(
                title=f"On {said}", arxiv_id=None, doi=f"10.5555/test.{at}", abstract=f"{said}. We show how.",
                excerpts=(Excerpt(text=f"{said}.", location="Abstract"),), verified_at=NOW,
                bibtex=f"@article{{{key},\n  title={{On {said}}}\n}}",
            )  # fmt: skip
            write_artifact(made, folder, f"10.5555_test.{at}-baruch-on")
            cited.append((key, said))
    (root / "references.bib").write_text("\n".join(entries), encoding="utf-8")
    lines = [f"{sentence(draw)}." if draw.random() < 0.8 else "" for _ in range(LINES)]
    for (key, said), at in zip(cited, sorted(draw.sample(range(LINES), CITED)), strict=True):
        lines[at] = f'They write that "{said}" [@{key}].' if draw.random() < 0.4 else f"{said} [@{key}]."
    return "\n".join(lines) + "\n"


async def opened(server: CitationServer, path: Path, text: str) -> tuple[OpenDocument, float]:
    """Open a document, work out what it leaves open, and return it with the milliseconds of the first check."""
    document = server.open(path.as_uri(), None)
    assert document is not None
    first, _ = checked(server, document, text)
    await work_out(document.project)
    checked(server, document, text)
    return document, first


def checked(server: CitationServer, document: OpenDocument, text: str) -> tuple[float, float]:
    """Return the milliseconds of one check, on the clock and of the processor, with the diagnostics as they are
    sent."""
    begun, worked = time.perf_counter(), time.process_time()
    document.change(text, 1, "utf-16")
    for found in document.diagnose():
        if found.level != "unknown":
            server.shown(document, found)
    return (time.perf_counter() - begun) * 1000, (time.process_time() - worked) * 1000


def typed(server: CitationServer, document: OpenDocument, keys: int, draw: random.Random) -> list[tuple[float, float]]:
    """Type keys all over a document and return the milliseconds of each check."""
    text, taken = document.lines.text, []
    for _ in range(keys):
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice('aeiost @]"') + text[at:]
        taken.append(checked(server, document, text))
    return taken


def told(name: str, taken: list[tuple[float, float]]) -> None:
    """Print one row."""
    clock, processor = ([each[at] for each in taken] for at in (0, 1))
    shown = (statistics.median(clock), statistics.quantiles(clock, n=100)[94], max(clock),
             statistics.median(processor), statistics.quantiles(processor, n=100)[94])  # fmt: skip
    print(f"| {name} | {' | '.join(f'{each:.1f}' for each in shown)} |")


async def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=300)
    keys = parser.parse_args().keys
    draw = random.Random(16)
    with tempfile.TemporaryDirectory() as place:
        os.environ["VERITAS_HOME"] = str(Path(place) / "home")
        root = Path(place) / "project"
        text = write_project(root, draw)
        server = make_server()
        gc.freeze()  # as the command does
        document, first = await opened(server, root / "paper.md", text)
        latex, _ = await opened(server, root / "paper.tex", text.replace("[@", "\\cite{").replace("]", "}"))
        bib, _ = await opened(server, root / "references.bib", (root / "references.bib").read_text(encoding="utf-8"))
        print(f"{len(text.splitlines())} lines, {CITED} citations, {ENTRIES} entries; opened in {first:.0f} ms; load "
              f"{os.getloadavg()[0]:.1f}\n\n| typed in | median ms | 95 % ms | most ms | processor: median | 95 % |\n"
              "| --- | ---: | ---: | ---: | ---: | ---: |")  # fmt: skip
        told("Markdown", typed(server, document, keys, draw))
        told("LaTeX", typed(server, latex, keys, draw))
        told("the bibliography", typed(server, bib, keys, draw))


if __name__ == "__main__":
    asyncio.run(main())
