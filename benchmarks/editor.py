"""How long one check of a text takes while it is typed: `python benchmarks/editor.py [--keys N]`.

Writes a project into a temporary folder: a document of 2,000 lines with 150 citations, each with an artifact, a
bibliography of 500 entries, quotations among them. It is opened in the language server and typed in, a key at a time,
at places all over the document; each key is followed by a whole check, as after the pause that the server waits for.
The time runs from the new text to the diagnostics that would be sent. Also: opening it, and typing in the bibliography.

    python benchmarks/editor.py --entries 5000 20000

measures large bibliographies of which nobody looked anything up: processor time of reading one, of typing in it and in
a page of 2,000 lines that cites it, of a completion, and of the guard on a page that cites every entry; and how long a
hover takes on the clock while all of it is being looked through. Each is also given as a multiple of reading the .bib
once, which is what no program can do without.

    python benchmarks/editor.py --large --keys 40

measures a thesis of one million characters with 2,000 citations of 300 works, in Markdown and in LaTeX, and the
document of 2,000 lines in a project of 20,000 artifacts.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.citations.artifact_samples import NOW, artifact  # noqa: E402
from veritas.citations.artifacts import Excerpt, write_artifact  # noqa: E402
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex  # noqa: E402
from veritas.editor.features import complete, hover, make_server  # noqa: E402
from veritas.editor.language_server import CitationServer, prepare_process  # noqa: E402
from veritas.editor.open_document import OpenDocument  # noqa: E402
from veritas.use_cases.writing import Edit, guard_edits, work_out  # noqa: E402

LINES, CITED, ENTRIES = 2_000, 150, 500
THESIS, WORKS, CITATIONS, ARTIFACTS = 25_000, 300, 2_000, 20_000
NOUNS = "aggregation gradients defenses attacks clients models rounds updates noise privacy accuracy budgets".split()
VERBS = "reduces raises bounds delays limits explains predicts doubles".split()


def sentence(draw: random.Random) -> str:
    """Return a plain sentence with a number in it."""
    first, second, third = draw.sample(NOUNS, 3)
    return f"Robust {first} {draw.choice(VERBS)} the {second} of {third} by {draw.randint(2, 98)} percent"


def write_project(root: Path, draw: random.Random, lines: int = LINES, works: int = CITED) -> str:
    """Write artifacts and a bibliography below `root`, and return the document of so many lines, which cites so many
    works."""
    folder = root / "docs/citations"
    entries, cited = [], []
    for at in range(ENTRIES):
        key, said = f"author{at}2020", sentence(draw)
        entries.append(
            f"@article{{{key},\n  title = {{On {said}}},\n  author = {{Author, Ann and Bibliographer, Ben}},\n"
            f"  year = {{2020}},\n  journal = {{Journal of Tests}},\n  doi = {{10.5555/test.{at}}}\n}}\n"
        )
        if at < works:
            made = artifact(
                title=f"On {said}", arxiv_id=None, doi=f"10.5555/test.{at}", abstract=f"{said}. We show how.",
                excerpts=(Excerpt(text=f"{said}.", location="Abstract"),), verified_at=NOW,
                bibtex=f"@article{{{key},\n  title={{On {said}}}\n}}",
            )  # fmt: skip
            write_artifact(made, folder, f"10.5555_test.{at}-baruch-on")
            cited.append((key, said))
    (root / "references.bib").write_text("\n".join(entries), encoding="utf-8")
    text = [f"{sentence(draw)}." if draw.random() < 0.8 else "" for _ in range(lines)]
    for (key, said), at in zip(cited, sorted(draw.sample(range(lines), works)), strict=True):
        text[at] = f'They write that "{said}" [@{key}].' if draw.random() < 0.4 else f"{said} [@{key}]."
    return "\n".join(text) + "\n"


def latex_of(text: str) -> str:
    """Return a document with the citations of LaTeX."""
    return text.replace("[@", "\\cite{").replace("]", "}")


def copy_artifacts(root: Path, number: int) -> None:
    """Write so many more artifacts below `root`, each of a work of its own, that nobody cites."""
    folder = root / "docs/citations"
    text = min(folder.glob("*.md")).read_text(encoding="utf-8")
    key, doi = (found[0] for found in (re.findall(r"author\d+2020", text), re.findall(r"10\.5555/test\.\d+", text)))
    for at in range(ENTRIES, ENTRIES + number):
        made = text.replace(key, f"author{at}2020").replace(doi, f"10.5555/test.{at}")
        (folder / f"10.5555_test.{at}-baruch-on.md").write_text(made, encoding="utf-8")


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


def write_large(root: Path, entries: int, draw: random.Random) -> tuple[str, str]:
    """Write a bibliography below `root`, and return a page that cites a few of its entries, and one that cites all."""
    (root / ".git").mkdir(parents=True)
    (root / "references.bib").write_text("\n".join(
        f"@article{{author-{at},\n  title = {{On {sentence(draw)}}},\n  author = {{Author, Ann and Baker, Ben}},\n"
        f"  year = {{2020}},\n  journal = {{Journal of Tests}},\n  doi = {{10.5555/test.{at}}}\n}}\n"
        for at in range(entries)
    ), encoding="utf-8")  # fmt: skip
    head = "---\nbibliography: references.bib\n---\n\n"
    marks = (f" [@author-{draw.randrange(entries)}]" if at % 13 == 0 else "" for at in range(LINES))
    some = (sentence(draw) + mark for mark in marks)
    every = (f"{sentence(draw)} [@author-{at}].\n" for at in range(entries))
    return head + ".\n".join(some), head + "\n".join(every)


def spent(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that something takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


async def slowest_hover(server: CitationServer, page: OpenDocument, bib: OpenDocument) -> float:
    """Return the milliseconds of the slowest of the hovers while the bibliography is looked through and judged."""
    at, taken = page.lines.text.index("[@") + 3, list[float]()
    looking = asyncio.ensure_future(asyncio.gather(server.look_through(bib), server.work_out()))
    while not looking.done() or not taken:
        begun = time.perf_counter()
        await server.aside(lambda now: hover(now, at), page)
        taken.append((time.perf_counter() - begun) * 1000)
        await asyncio.sleep(0.05)
    await looking
    return statistics.quantiles(taken, n=20)[-1] if len(taken) > 1 else taken[0]


async def large(entries: int, keys: int, draw: random.Random) -> None:
    """Measure one large bibliography, and print its row."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["VERITAS_HOME"] = str(Path(place) / "home")
        root = Path(place) / "project"
        some, every = write_large(root, entries, draw)
        text = (root / "references.bib").read_text(encoding="utf-8")
        reading = min(spent(lambda: read_bibtex(text, "references.bib")) for _ in range(3))
        edit = Edit(str(root / "page.md"), "", every)
        begun = time.process_time()
        found = await guard_edits([edit], root=root)
        guarding = time.process_time() - begun
        assert sum(each.diagnostic.code == "unknown" for each in found) == entries
        server = make_server()
        server.text_document_publish_diagnostics = lambda params: None  # type: ignore[method-assign]
        bib, page = (server.open((root / name).as_uri(), None) for name in ("references.bib", "page.md"))
        assert bib is not None and page is not None  # noqa: PT018
        bib.change(text, 1, "utf-16")
        page.change(some, 1, "utf-16")
        hovering = await slowest_hover(server, page, bib)
        typing = [[work for _, work in typed(server, each, keys, draw)] for each in (page, bib)]
        middle = [statistics.median(each) for each in typing]
        most = [statistics.quantiles(each, n=20)[-1] for each in typing]
        offering = spent(lambda: complete(page, page.lines.text.index("[@") + 3)) * 1000
    once = reading * 1000
    print(f"| {entries:,} | {once:.0f} | {guarding * 1000:.0f} ({guarding / reading:.1f} ×) "
          f"| {middle[0]:.0f}, {most[0]:.0f} ({most[0] / once:.2f} ×) | {middle[1]:.0f}, {most[1]:.0f} "
          f"({most[1] / once:.2f} ×) | {offering:.0f} | {hovering:.0f} |")  # fmt: skip


async def great(keys: int, draw: random.Random) -> None:
    """Measure a thesis, and a project of many artifacts, and print their rows."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["VERITAS_HOME"] = str(Path(place) / "home")
        root = Path(place) / "thesis"
        lines = write_project(root, draw, THESIS, WORKS).split("\n")
        for at in draw.sample(range(THESIS), CITATIONS - WORKS):
            lines[at] += f" This was shown before [@author{draw.randrange(WORKS)}2020]."
        text, server = "\n".join(lines), make_server()
        for name, written in (("thesis.md", text), ("thesis.tex", latex_of(text))):
            document, first = await opened(server, root / name, written)
            told(f"{name}, {len(written):,} signs, {CITATIONS:,} citations, opened in {first:,.0f} ms",
                 typed(server, document, keys, draw))  # fmt: skip
        root = Path(place) / "project"
        text = write_project(root, draw)
        copy_artifacts(root, ARTIFACTS - CITED)
        document, first = await opened(make_server(), root / "paper.md", text)
        told(f"paper.md beside {ARTIFACTS:,} artifacts, opened in {first:,.0f} ms", typed(server, document, keys, draw))


async def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", type=int, default=300)
    parser.add_argument("--entries", type=int, nargs="+", default=[])
    parser.add_argument("--large", action="store_true")
    given = parser.parse_args()
    keys = given.keys
    prepare_process()  # as the command does
    if given.entries:
        print(f"load {os.getloadavg()[0]:.1f}\n\n| entries | read once, ms | the guard on all | page: median, 95 % ms "
              "| .bib: median, 95 % ms | completion, ms | hover meanwhile, 95 % ms |\n"
              "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")  # fmt: skip
        for entries in given.entries:
            await large(entries, keys, random.Random(16))
        return
    draw = random.Random(16)
    head = ("| typed in | median ms | 95 % ms | most ms | processor: median | 95 % |\n"
            "| --- | ---: | ---: | ---: | ---: | ---: |")  # fmt: skip
    if given.large:
        print(f"load {os.getloadavg()[0]:.1f}\n\n{head}")
        await great(keys, draw)
        return
    with tempfile.TemporaryDirectory() as place:
        os.environ["VERITAS_HOME"] = str(Path(place) / "home")
        root = Path(place) / "project"
        text = write_project(root, draw)
        server = make_server()
        document, first = await opened(server, root / "paper.md", text)
        latex, _ = await opened(server, root / "paper.tex", latex_of(text))
        bib, _ = await opened(server, root / "references.bib", (root / "references.bib").read_text(encoding="utf-8"))
        print(f"{len(text.splitlines())} lines, {CITED} citations, {ENTRIES} entries; opened in {first:.0f} ms; load "
              f"{os.getloadavg()[0]:.1f}\n\n{head}")  # fmt: skip
        told("Markdown", typed(server, document, keys, draw))
        told("LaTeX", typed(server, latex, keys, draw))
        told("the bibliography", typed(server, bib, keys, draw))


if __name__ == "__main__":
    asyncio.run(main())
