"""How often `veritas bib` is right: valid citations, and erroneous ones made from them, with the valid ones registered.

    python benchmarks/bib_twins.py [SHARED]

SHARED (default `../shared`) holds `citations/hallmark/twins.jsonl` (HALLMARK, MIT). The registries answer over real
HTTP on this machine and hold every valid citation as it stands; each citation and each twin is an entry of a .bib file.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.citations.registry_server import Work, registry_server  # noqa: E402
from veritas.citations.bibliography.entry_verdict import Judged, Verdict  # noqa: E402
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex  # noqa: E402
from veritas.citations.bibliography.judging import verify  # noqa: E402

FOUND_OUT = (Verdict.MISATTRIBUTED, Verdict.FABRICATED)


def work_of(fields: Mapping[str, str]) -> Work:
    """A valid citation as the registries hold it."""
    proceedings = "booktitle" in fields
    return Work(
        title=fields["title"],
        authors=tuple(fields["author"].split(" and ")),
        year=int(fields["year"]),
        doi=fields.get("doi"),
        arxiv_id=fields.get("eprint"),
        venue=fields.get("booktitle") or fields.get("journal") or "",
        kind="proceedings-article" if proceedings else "journal-article",
    )


def entry_of(key: str, fields: Mapping[str, str]) -> str:
    """A citation as an entry of a .bib file."""
    kind = "inproceedings" if "booktitle" in fields else "article"
    return f"@{kind}{{{key},\n" + ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items()) + "\n}\n"


async def verdicts(works: list[Work], entries: list[str]) -> dict[str, Judged]:
    """Key -> verdict, over registries that hold `works` and nothing else."""
    with registry_server(*works) as server:
        judged = await verify(read_bibtex("\n".join(entries), "twins.bib"), server.registries(cached=False))
    return {each.entry.key: each for each in judged}


def main() -> None:
    """Measure and print a table."""
    shared = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".." / "shared")
    file = shared / "citations/hallmark/twins.jsonl"
    if not file.is_file():
        print(f"{file} is not there: nothing to measure")
        return
    twins = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    works = {re.sub(r"\W", "", twin["valid_fields"]["title"]).lower(): work_of(twin["valid_fields"]) for twin in twins}
    entries = []
    for at, twin in enumerate(twins):
        entries += [entry_of(f"valid{at}", twin["valid_fields"]), entry_of(f"wrong{at}", twin["hallucinated_fields"])]
    found = asyncio.run(verdicts(list(works.values()), entries))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for at, twin in enumerate(twins):
        counts["valid"][found[f"valid{at}"].verdict] += 1
        decisive = bool(twin["spec_gate_expected_reject_fields"])
        counts[("" if decisive else "(not decisive) ") + twin["hallucination_type"]][found[f"wrong{at}"].verdict] += 1
        if decisive:
            counts["**error in a decisive field, all**"][found[f"wrong{at}"].verdict] += 1
            if found[f"wrong{at}"].verdict not in FOUND_OUT:
                each = found[f"wrong{at}"]
                print(f"{each.verdict}: {twin['hallucination_type']}: {each.entry.record.full_title}", file=sys.stderr)
        if found[f"valid{at}"].verdict != Verdict.VERIFIED:
            each = found[f"valid{at}"]
            print(f"valid is {each.verdict}: {each.entry.record.full_title}: {each.reason}", file=sys.stderr)
    shown = [verdict for verdict in Verdict if any(row[verdict] for row in counts.values())]
    print(f"| | n | {' | '.join(shown)} |\n| --- | ---: |{' ---: |' * len(shown)}")
    for name in sorted(counts):
        row = counts[name]
        print(f"| {name} | {row.total()} | {' | '.join(str(row[verdict]) for verdict in shown)} |")


if __name__ == "__main__":
    main()
