"""How often two works are taken for one: recorded records of like titles that name a person in common.

    python benchmarks/bib_pairs.py [SHARED] [--show]

SHARED (default `../shared`) holds recorded answers (see `bib_exports.py`). A pair is two records with different
identifiers whose titles share most words (70 of 100, in any order) and who share an author, or whose titles have the
same letters. Nothing labels them: `--show` prints the merged ones, once a pair of identifiers, for a person to read.
Those of the same letters, people and year or of a preprint and its publication come last.

Each pair is compared as two records, and each of its records as a citation without identifiers with the other one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

from rapidfuzz import fuzz

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.bib_adversarial import folded  # noqa: E402
from benchmarks.bib_exports import all_pools, entry_of  # noqa: E402
from veritas.citations._work_aware import compare_work_aware  # noqa: E402
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex  # noqa: E402
from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy  # noqa: E402
from veritas.works.identifiers import doi_stem, is_preprint_doi  # noqa: E402
from veritas.works.names import family_keys  # noqa: E402
from veritas.works.records import BibRecord, Kind  # noqa: E402
from veritas.works.title_comparison import title_words  # noqa: E402

ALIKE = 70
MOST = 300
"""Records with one word or surname beyond which it tells nothing."""


def identity(record: BibRecord) -> str:
    return doi_stem(record.doi) if record.doi else record.arxiv_id or record.dblp_key or ""


def near_pairs(records: list[BibRecord]) -> list[tuple[BibRecord, BibRecord]]:
    """Pairs that could be taken for one work."""
    titles = [" ".join(title_words(record.full_title or "")) for record in records]
    groups: dict[str, set[int]] = defaultdict(set)
    for at, record in enumerate(records):
        groups[f"title {titles[at]}"].add(at)
        for name in record.authors[:30]:
            for key in family_keys(name):
                groups[f"name {key}"].add(at)
    found: set[tuple[int, int]] = set()
    for group in groups.values():
        if len(group) <= MOST:
            found.update(
                (a, b)
                for a, b in combinations(sorted(group), 2)
                if identity(records[a]) != identity(records[b]) and fuzz.token_set_ratio(titles[a], titles[b]) >= ALIKE
            )
    return [(records[a], records[b]) for a, b in sorted(found)]


def cited(record: BibRecord) -> BibRecord:
    """A record as a citation without identifiers."""
    bare = record.model_copy(update={"doi": None, "arxiv_id": None})
    return read_bibtex(entry_of("cited", bare), "pairs.bib")[0].record


def merged(one: BibRecord, other: BibRecord, policy: TriangulationPolicy) -> str:
    """How the two are taken for one work without a conflict; empty if they are not."""
    ways = {"as records": (one, other), "as cited": (cited(one), other), "as cited, the other": (cited(other), one)}
    found = {name: compare_work_aware(*pair, policy) for name, pair in ways.items()}
    return ", ".join(name for name, each in found.items() if each.same_work and not each.conflicts)


def alike(one: BibRecord, other: BibRecord) -> bool:
    """Whether letters and people are the same, and the year too unless one is a preprint."""
    preprint = any(each.kind is Kind.PREPRINT or is_preprint_doi(each.doi) or not each.doi for each in (one, other))
    names = [sorted(folded(name.family) for name in each.authors) for each in (one, other)]
    same = folded(one.full_title or "") == folded(other.full_title or "") and names[0] == names[1]
    return same and (preprint or one.year == other.year)


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", default=str(ROOT / ".." / "shared"))
    parser.add_argument("--show", action="store_true", help="print the merged pairs")
    given = parser.parse_args()
    if not (Path(given.shared) / "citations/refchecker_replay/references.jsonl").is_file():
        print(f"{given.shared} holds no recorded answers: nothing to measure")
        return
    kept: dict[tuple[str, str], BibRecord] = {}
    for source, pool in all_pools(Path(given.shared)).items():
        for _, record, _ in pool.items:
            if record.authors and identity(record):
                kept.setdefault((source, identity(record)), record)
    policy, pairs = load_triangulation_policy(), near_pairs(list(kept.values()))
    counts: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    shown: list[tuple[bool, str]] = []
    for one, other in pairs:
        own = tuple(sorted((identity(one), identity(other))))
        how = merged(one, other, policy)
        if not how:
            counts["two works"] += 1
            continue
        counts["one work"] += 1
        if own in seen:
            continue
        seen.add(own)
        same = alike(one, other)
        counts["one work, other letters, people or year" if not same else "one work, alike"] += 1
        lines = [
            f"    {r.source} {identity(r)} {r.year} {r.kind.value} | {(r.full_title or '')[:120]} | "
            f"{'; '.join(str(name) for name in r.authors[:3])} ({len(r.authors)}) | {r.venue or ''}"
            for r in (one, other)
        ]
        shown.append((same, "\n".join((f"merged {how}", *lines))))
    if given.show:
        print("\n".join(text for _, text in sorted(shown, key=lambda each: each[0])))
    print(f"{len(kept)} records, {len(pairs)} near pairs: {dict(counts)}")


if __name__ == "__main__":
    main()
