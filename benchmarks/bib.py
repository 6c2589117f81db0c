"""How a bibliography of some hundred entries is verified: requests a registry, time at its pace, cache, snapshot.

    python benchmarks/bib.py [--entries N]

The bibliography is made up, and so are the registries: they answer over real HTTP on this machine, in the forms of the
real ones and without pauses. "At its pace" is the number of requests times the pause that policies/citations.yaml keeps
between two requests to that registry; registries are asked side by side, so the slowest of them sets the time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.citations.registry_server import RegistryServer, Work, crossref, registry_server, semantic_scholar  # noqa: E402
from veritas.policy.citation_policy import load_citation_policy  # noqa: E402

WORDS = (
    "adaptive barley carbon diffusion estuary federated genome harvest isotope kinetic lattice membrane neural "
    "oxidation plasma quantum robust seismic thermal urban viral wetland yeast zeolite bayesian catalytic drought"
).split()
NAMES = "Almeida Berg Costa Dube Eriksson Fofana Garcia Haddad Ito Jensen Kaya Lopez Mbeki Novak Okafor Petrov".split()
KINDS = {"with a DOI": 0.6, "on arXiv": 0.15, "title alone": 0.2, "made up": 0.05}


def bibliography(count: int) -> tuple[list[Work], str]:
    """Works that the registries hold and a .bib file that cites them, and a few that nobody wrote."""
    chance = random.Random(11)
    works, entries = [], []
    for number in range(count):
        month = f"{chance.randrange(15, 25)}{chance.randrange(1, 13):02d}"
        kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
        title = " ".join(chance.sample(WORDS, 7)).capitalize()
        authors = tuple(f"{chance.choice('ABCDEF')}. {name}" for name in chance.sample(NAMES, 3))
        work = Work(
            title=title,
            authors=authors,
            year=chance.randrange(1995, 2025),
            doi=None if kind == "on arXiv" else f"10.5555/made.{number}",
            arxiv_id=f"{month}.{number:05d}" if kind == "on arXiv" else None,
            pmid=str(30_000_000 + number) if number % 4 == 0 else None,
            venue="arXiv" if kind == "on arXiv" else "Journal of Made Measurements",
        )
        if kind != "made up":
            works.append(work)
        fields = {"title": title, "author": " and ".join(authors), "year": str(work.year), "journal": work.venue}
        if kind == "with a DOI":
            fields["doi"] = work.doi or ""
        if kind == "on arXiv":
            fields |= {"eprint": work.arxiv_id or "", "archiveprefix": "arXiv", "journal": "arXiv"}
        body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        entries.append(f"@article{{key{number},\n{body}\n}}\n")
    return works, "\n".join(entries)


def run(server: RegistryServer, folder: Path, *arguments: str) -> tuple[float, dict[str, int]]:
    """Seconds and counts of `veritas bib`, as a person runs it."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "veritas", "bib", "refs.bib", "--json", "-q", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | server.environment() | {"VERITAS_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)},
        check=False,
    )
    if done.returncode not in (0, 1, 3):
        raise SystemExit(done.stderr)
    return time.perf_counter() - begun, json.loads(done.stdout)["counts"]


async def one_by_one(server: RegistryServer, text: str) -> None:
    """Every identifier in a request of its own."""
    from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
    from veritas.citations.bibliography.judging import verify

    await verify(read_bibtex(text, "refs.bib"), server.registries(cached=False))


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=500)
    count = parser.parse_args().entries
    works, text = bibliography(count)
    with tempfile.TemporaryDirectory() as name, registry_server(*works) as server:
        folder = Path(name)
        (folder / "refs.bib").write_text(text, encoding="utf-8")
        asyncio.run(one_by_one(server, text))
        singly = Counter(source for source, _ in server.asked)
        server.asked.clear()
        rows = [("first run", *run(server, folder), len(server.asked))]
        together = Counter(source for source, _ in server.asked)
        for label, arguments in (("again, from the cache", ()), ("again, --offline", ("--offline",))):
            server.asked.clear()
            rows.append((label, *run(server, folder, *arguments), len(server.asked)))
        for source, shape in (("crossref", crossref), ("semantic_scholar", semantic_scholar)):
            lines = [json.dumps(shape(work)) for work in works if source != "crossref" or work.doi]
            (folder / f"{source}.jsonl").write_text("\n".join(lines), encoding="utf-8")
        begun = time.perf_counter()
        dumps = ["crossref=crossref.jsonl", "semantic_scholar=semantic_scholar.jsonl", "--out", "snap.duckdb"]
        subprocess.run(
            [sys.executable, "-m", "veritas", "bib", "snapshot", *dumps],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        built = time.perf_counter() - begun
        server.asked.clear()
        offline = run(server, folder, "--offline", "--snapshot", "snap.duckdb", "--policy", _no_cache(folder))
        rows.append((f"--offline, from a snapshot (made in {built:.1f} s)", *offline, len(server.asked)))

    pace = {name: entry.interval for name, entry in load_citation_policy().sources.items()}
    print(f"{count} entries\n\n| registry | one by one | at its pace, s | together | at its pace, s |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for source in pace:
        if singly[source]:
            one, many = singly[source], together[source]
            print(f"| {source} | {one} | {one * pace[source]:.0f} | {many} | {many * pace[source]:.0f} |")
    print("\n| run | s | requests | verdicts |\n| --- | ---: | ---: | --- |")
    for label, seconds, counts, asked in rows:
        said = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
        print(f"| {label} | {seconds:.1f} | {asked} | {said} |")


def _no_cache(folder: Path) -> str:
    """A policy whose registries are elsewhere, so that no kept answer of theirs counts."""
    path = folder / "elsewhere.yaml"
    names = load_citation_policy().sources
    path.write_text("sources:\n" + "".join(f"  {name}: {{url: 'http://127.0.0.1:9/{name}'}}\n" for name in names))
    return str(path)


if __name__ == "__main__":
    main()
