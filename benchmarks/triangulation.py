"""How often triangulation is right, strict and work-aware: a table in Markdown.

    python benchmarks/triangulation.py [SHARED]

SHARED (default `../shared`) holds `api_recordings/triangulation/pairs.jsonl`, the same paper as two APIs returned it,
and `citations/hallmark/twins.jsonl`, a valid citation beside the erroneous one made from it. A pair is accepted, and a
twin rejected, by `verified`; the twin is compared with its valid citation.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from veritas.citations.triangulation import triangulate_raw
from veritas.policy.triangulation_policy import Rule

RULES: tuple[Rule, ...] = ("strict", "work-aware")


class Row(NamedTuple):
    """A line of the table: how many of `total` each rule got right."""

    group: str
    total: int
    right: tuple[int, ...]


class Accuracy(NamedTuple):
    """Everything that was measured."""

    pairs: list[Row]
    twins: list[Row]

    def share(self, table: str, group: str, rule: Rule) -> float:
        """The share of a group that a rule got right, 0 to 1."""
        row = next(row for row in (self.pairs if table == "pairs" else self.twins) if row.group == group)
        return row.right[RULES.index(rule)] / row.total


def measure(shared: Path) -> Accuracy:
    """Run both rules over both sets."""
    return Accuracy(pairs=_table(_pairs(shared)), twins=_table(_twins(shared)))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _pairs(shared: Path) -> Iterator[tuple[list[str], list[bool]]]:
    for pair in _lines(shared / "api_recordings/triangulation/pairs.jsonl"):
        sides = [{"source": pair[side], "record": pair[f"{side}_record"]} for side in ("primary", "secondary")]
        accepted = [triangulate_raw(sides[0], sides[1], rule=rule).verified for rule in RULES]
        if "different_authors" in pair["tags"]:
            yield ["other works (to be rejected)"], [not each for each in accepted]
            continue
        cited = [triangulate_raw(sides[0], sides[1], pair["cited"], rule=rule).verified for rule in RULES]
        yield ["**same work, all**"], accepted
        yield ["same work, with the citation that led to it"], cited
        yield [f"{pair['primary']} / {pair['secondary']}"], accepted
        yield [f"tag {tag}" for tag in pair["tags"]], accepted


def _twins(shared: Path) -> Iterator[tuple[list[str], list[bool]]]:
    for twin in _lines(shared / "citations/hallmark/twins.jsonl"):
        valid = {"source": "bibtex", "record": twin["valid_fields"]}
        wrong = {"source": "bibtex", "record": twin["hallucinated_fields"]}
        rejected = [not triangulate_raw(wrong, valid, rule=rule).verified for rule in RULES]
        decisive = bool(twin["spec_gate_expected_reject_fields"])
        yield [("" if decisive else "(not decisive) ") + twin["hallucination_type"]], rejected
        if decisive:
            yield ["**error in a decisive field, all**"], rejected
        yield ["valid citation with itself (accepted)"], [
            triangulate_raw(valid, valid, rule=rule).verified for rule in RULES
        ]


def _table(results: Iterable[tuple[list[str], list[bool]]]) -> list[Row]:
    totals: dict[str, int] = defaultdict(int)
    right: dict[str, list[int]] = defaultdict(lambda: [0] * len(RULES))
    for groups, outcome in results:
        for group in groups:
            totals[group] += 1
            for at, good in enumerate(outcome):
                right[group][at] += good
    return [Row(group, totals[group], tuple(right[group])) for group in sorted(totals)]


def _markdown(title: str, rows: list[Row]) -> str:
    lines = [f"| {title} | n | {' | '.join(RULES)} |", "| --- | ---: | ---: | ---: |"]
    for row in rows:
        shares = " | ".join(f"{100 * right / row.total:.1f} %" for right in row.right)
        lines.append(f"| {row.group} | {row.total} | {shares} |")
    return "\n".join(lines)


def main() -> None:
    shared = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[1] / ".." / "shared")
    if not (shared / "api_recordings").is_dir():
        print(f"{shared} holds no recorded pairs: nothing to measure")
        return
    found = measure(shared)
    print(_markdown("accepted", found.pairs))
    print()
    print(_markdown("rejected", found.twins))


if __name__ == "__main__":
    main()
