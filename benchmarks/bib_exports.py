"""How often a right reference is accused: every recorded record as the reference that its source would export.

    python benchmarks/bib_exports.py [SHARED] [--half dev|apart|all] [--show] [--json]

SHARED (default `../shared`) holds `citations/refchecker_replay/references.jsonl` (RefChecker, MIT) and
`api_recordings/` with real answers of Crossref, OpenAlex, Semantic Scholar and DBLP. People paste references from these
services, so a record of one of them is a reference as it stands in real bibliographies: with its names, its initials,
its year and its pages. Each work counts once a source. It is judged twice: by registries that hold all recorded
records, and by registries from which the source that it was exported from is missing. The second run takes only works
that another source has, by rules of this file: an identifier in common, or the same letters in the title and the same
first surname. "Accused" are misattributed and fabricated; a retracted paper is rightly found. Halves are drawn by the
hash of the title; rules may be written by looking at `dev` alone.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.bib_adversarial import folded  # noqa: E402
from benchmarks.recorded_registries import ANSWERING, Pool, RecordedServer, pools_of, read_references  # noqa: E402
from veritas.citations.bibliography.entry_verdict import Judged, Verdict  # noqa: E402
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex  # noqa: E402
from veritas.citations.bibliography.judging import verify  # noqa: E402
from veritas.works.names import PersonName  # noqa: E402
from veritas.works.records import BibRecord, Kind  # noqa: E402

ACCUSED = (Verdict.MISATTRIBUTED, Verdict.FABRICATED)
TYPES = {
    Kind.PROCEEDINGS: "inproceedings", Kind.JOURNAL: "article", Kind.CHAPTER: "incollection", Kind.BOOK: "book",
    Kind.THESIS: "phdthesis", Kind.DATASET: "dataset", Kind.PREPRINT: "article",
}  # fmt: skip
AREAS = {
    "medicine": r"medic|clinic|disease|cancer|patient|surg|health|hospital|nurs|therap|lancet|jama|psychiat|drug|pharm",
    "biology": r"biolog|gene|genom|protein|cell|ecolog|plant|species|neuro|brain|bioinform|microb|evolution|antibod",
    "physics, chemistry, engineering": r"physic|quantum|chem|material|energy|optic|mechan|engineer|robot|signal|sensor",
    "economics, social sciences, humanities": r"econom|manage|social|societ|politic|law|educat|psycholog|history",
    "mathematics, statistics": r"mathem|statist|probab|theorem|algebra|stochastic|operations research|bayes|inequalit",
    "computing": r"",
}


class Export(NamedTuple):
    """A record as a reference: the source it comes from, its area, and the entry of a .bib file."""

    source: str
    record: BibRecord
    area: str
    entry: str


def all_pools(shared: Path) -> dict[str, Pool]:
    """Every recorded record of both folders, by source."""
    pools = pools_of(read_references(shared / "citations/refchecker_replay/references.jsonl"))
    for name in ANSWERING:
        for file in sorted((shared / "api_recordings" / name).glob("*.json")):
            for each in json.loads(file.read_text(encoding="utf-8"))["interactions"]:
                for item in _records_in(name, each["response"].get("json")):
                    pools[name].add(item)
    return pools


def _records_in(source: str, answer: Any) -> Iterator[dict[str, Any]]:
    marks = {"crossref": ("DOI", "title", "author"), "openalex": ("id", "display_name", "authorships")}
    wanted = marks.get(source, ("paperId", "title", "authors"))
    if isinstance(answer, dict):
        if all(answer.get(name) for name in wanted):
            yield answer
        else:
            for value in answer.values():
                yield from _records_in(source, value)
    elif isinstance(answer, list):
        for value in answer:
            yield from _records_in(source, value)


def entry_of(key: str, record: BibRecord) -> str:
    """A record as its source exports it."""
    fields = {
        "title": (record.full_title or "").replace("{", "").replace("}", ""),
        "author": " and ".join(map(_name, record.authors)),
        "year": str(record.year),
        "volume": record.volume,
        "number": record.issue,
        "pages": record.pages,
        "doi": record.doi,
    }
    if record.venue:
        fields["booktitle" if record.kind in (Kind.PROCEEDINGS, Kind.CHAPTER) else "journal"] = record.venue
    if record.arxiv_id:
        fields |= {"eprint": record.arxiv_id, "archiveprefix": "arXiv"}
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{TYPES.get(record.kind, 'misc')}{{{key},\n{body}\n}}\n"


def _name(name: PersonName) -> str:
    if name.corporate or not name.given:
        return f"{{{name.family}}}"
    return f"{name.family}, {name.suffix}, {name.given}" if name.suffix else f"{name.family}, {name.given}"


def area_of(record: BibRecord) -> str:
    """The area whose words stand in venue and title first; computing for all others. Rough."""
    said = f"{record.venue or ''} {record.full_title or ''}".lower()
    return next(area for area, words in AREAS.items() if re.search(words, said))


def half_of(record: BibRecord) -> str:
    """The half that a work belongs to, by its title's letters."""
    return "apart" if int(hashlib.sha256(folded(record.title or "").encode()).hexdigest()[:8], 16) % 2 else "dev"


def exports(pools: Mapping[str, Pool], half: str) -> list[Export]:
    """Each work once a source, if the record has a title, authors and a year."""
    found: dict[tuple[str, str, str], Export] = {}
    for source, pool in pools.items():
        for _, record, _ in pool.items:
            if not (record.title and record.authors and record.year and record.authors_complete):
                continue
            if half not in ("all", half_of(record)):
                continue
            own = (source, folded(record.full_title or ""), folded(record.authors[0].family))
            key = f"{source}{len(found)}"
            found.setdefault(own, Export(source, record, area_of(record), entry_of(key, record)))
    return list(found.values())


def known_elsewhere(each: Export, pools: Mapping[str, Pool]) -> bool:
    """Whether a source other than the exporting one has the work."""
    mine = each.record
    for source, pool in pools.items():
        if source == each.source:
            continue
        for kind, value in (("doi", mine.doi), ("arxiv", mine.arxiv_id)):
            if value and pool.under(kind, value):
                return True
        for item in pool.search(mine.full_title or "", 0.9, 5):
            theirs = next(record for kept, record, _ in pool.items if kept is item)
            if theirs.authors and _signed(theirs) == _signed(mine):
                return True
    return False


def _signed(record: BibRecord) -> tuple[str, str]:
    return folded(record.full_title or ""), folded(record.authors[0].family)


async def verdicts(entries: Sequence[Export], pools: Mapping[str, Pool], dois: set[str]) -> list[Judged]:
    """The verdicts of one run over registries that hold `pools`; `dois` are those that doi.org knows."""
    server = RecordedServer(pools)
    server.dois = dois
    try:
        listed = read_bibtex("\n".join(each.entry for each in entries), "exports.bib")
        return await verify(listed, server.registries(cached=False))
    finally:
        server.close()


def shown(each: Export, judged: Judged, run: str) -> None:
    said = "; ".join(f"{d.field}: {d.cited} / {d.found}" for d in judged.differences if not d.minor)
    print(f"{run}: {judged.verdict}: {judged.entry.key}: {each.record.full_title}\n    {judged.reason} [{said}]",
          file=sys.stderr)  # fmt: skip


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", default=str(ROOT / ".." / "shared"))
    parser.add_argument("--half", choices=("dev", "apart", "all"), default="all")
    parser.add_argument("--show", action="store_true", help="print each accused reference; never for `apart`")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    shared = Path(given.shared)
    if not (shared / "citations/refchecker_replay/references.jsonl").is_file():
        print(f"{shared} holds no recorded answers: nothing to measure")
        return
    pools = all_pools(shared)
    dois = {record.doi for pool in pools.values() for _, record, _ in pool.items if record.doi}
    listed = exports(pools, given.half)
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    judged = asyncio.run(verdicts(listed, pools, dois))
    runs = [("all sources", each, one) for each, one in zip(listed, judged, strict=True)]
    for source in pools:
        rest = {name: pool if name != source else Pool(name) for name, pool in pools.items()}
        own = [each for each in listed if each.source == source and known_elsewhere(each, pools)]
        if own:
            found = asyncio.run(verdicts(own, rest, dois))
            runs += [("without its own", each, one) for each, one in zip(own, found, strict=True)]
    for run, each, one in runs:
        for name in (f"**{run}**", f"{run}: {each.source}", f"{run}: {each.area}"):
            rows[name].update({"n": 1, "accused": one.verdict in ACCUSED, one.verdict.value: 1})
        if given.show and given.half == "dev" and one.verdict in ACCUSED:
            shown(each, one, run)
    if given.json:
        print(json.dumps(rows))
        return
    kinds = [verdict.value for verdict in Verdict]
    print(f"| | n | accused | {' | '.join(kinds)} |\n| --- | ---: | ---: |{' ---: |' * len(kinds)}")
    for name in sorted(rows):
        row = rows[name]
        print(f"| {name} | {row['n']} | {row['accused']} | {' | '.join(str(row[kind]) for kind in kinds)} |")


if __name__ == "__main__":
    main()
