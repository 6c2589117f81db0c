"""What the check of a text is measured by: the labelled reports, what was found in them, and the figures.

`benchmarks/factcheck.py` runs it. The labels are described in `benchmarks/factcheck/README.md`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

FOLDER = Path(__file__).resolve().parent / "factcheck"
VERDICTS = (
    "supported", "partly", "contradicted", "not_in_source", "unreachable", "mark_without_source", "uncited",
)  # fmt: skip
SET_ASIDE = "set_aside"
HEADS = ("lead_in", "column_head")
"""Labels of what other statements lean on: its marks count where it is read as a statement, and it is not judged."""
MISSED = "missed"
"""The verdict of a labelled statement that was not found in the text."""


@dataclass(frozen=True, slots=True)
class Label:
    """A statement as it was labelled. `verdict` is None where only its marks are measured."""

    statement: str
    citations: tuple[str, ...]
    scope: str | None
    verdict: str | None
    altered: str | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A text to check, the style of its marks, the file with its list of sources, and its labels."""

    file: Path
    style: str
    sources: Path | None
    verdicts: bool
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A statement that was found: `citations` has None for a mark without a source."""

    statement: str
    citations: tuple[str | None, ...] = ()
    scope: str | None = None
    verdict: str | None = None
    kind: str = "statement"
    passage: str | None = None
    difference: str | None = None


@dataclass(slots=True)
class Marks:
    """Marks there, found and right, statements whose scope is right, and sentences that are set aside rightly."""

    there: int = 0
    found: int = 0
    right: int = 0
    scopes: list[bool] = field(default_factory=list)
    aside: list[bool] = field(default_factory=list)
    kept: list[bool] = field(default_factory=list)

    def add(self, other: Marks) -> None:
        """Count what another has counted too."""
        self.there += other.there
        self.found += other.found
        self.right += other.right
        self.scopes += other.scopes
        self.aside += other.aside
        self.kept += other.kept


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled statement with what was found for it."""

    report: str
    style: str
    label: Label
    verdict: str
    found: Found | None


def reports(part: str, folder: Path = FOLDER) -> list[Report]:
    """Return the reports of a part, in the order of their names."""
    found = []
    for path in sorted((folder / part / "reports").glob("*.labels.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        labels = tuple(
            Label(
                each["statement"], tuple(each["citations"]), each["scope"], each.get("verdict"), each.get("altered"),
                each.get("kind"),
            )
            for each in told["statements"]
        )  # fmt: skip
        beside = path.parent / told["sources"] if told["sources"] else None
        found.append(Report(path.parent / told["text"], told["style"], beside, told["verdicts"], labels))
    return found


def plain(url: str | None) -> str | None:
    """Return an address in the form in which two are compared: without scheme, fragment, trackers and last slash."""
    if url is None:
        return None
    parts = urlsplit(url)
    query = urlencode([(key, value) for key, value in parse_qsl(parts.query) if not key.startswith("utm_")])
    return parts.netloc.lower().removeprefix("www.") + parts.path.rstrip("/") + (f"?{query}" if query else "")


def words(text: str) -> Counter[str]:
    """Return the words of a text and the pairs of neighbours, without markup."""
    each = re.findall(r"\w+", text.lower())
    return Counter(each + [f"{one} {two}" for one, two in pairwise(each)])


def matched(labels: Sequence[Label], found: Sequence[Found]) -> list[int | None]:
    """Return for each label the index of the statement that has most of its words, at least half of either's."""
    there = [words(each.statement) for each in found]
    pairs: list[int | None] = []
    for label in labels:
        asked = words(label.statement)
        best, most = None, 0.0
        for at, told in enumerate(there):
            shared = (asked & told).total()
            if not shared or 2 * shared < min(asked.total(), told.total()):
                continue
            like = 2 * shared / (asked.total() + told.total())
            if like > most:
                best, most = at, like
        pairs.append(best)
    return pairs


def cited(label: Label) -> Counter[str | None]:
    """Return the addresses that a labelled statement leans on; None for a mark without a source."""
    if label.verdict == "mark_without_source":
        return Counter([None])
    return Counter(plain(url) for url in set(label.citations))


def marks_of(labels: Sequence[Label], found: Sequence[Found]) -> Marks:
    """Count the marks of a report. A statement and an address make one mark, however often it is set."""
    pairs = matched(labels, found)
    counted = Marks()
    belongs: dict[int, list[Label]] = {}
    for label, at in zip(labels, pairs, strict=True):
        if at is not None:
            belongs.setdefault(at, []).append(label)
        found_kind = found[at].kind if at is not None else None
        if label.verdict == SET_ASIDE:
            # What is not found at all was set aside too.
            counted.aside.append(found_kind != "statement")
            continue
        if label.kind in HEADS:
            if found_kind != "statement":
                continue
        else:
            counted.kept.append(found_kind == "statement")
            counted.scopes.append(at is not None and found[at].scope == label.scope)
        there = set(cited(label))
        told = {plain(url) for url in found[at].citations} if at is not None and found_kind == "statement" else set()
        counted.there += len(there)
        counted.right += len(there & told)
    for at, each in enumerate(found):
        told = {plain(url) for url in each.citations}
        if each.kind == "statement" and told:
            # Two labels in one statement: its marks are found once for each.
            counted.found += len(told) * max(1, len([x for x in belongs.get(at, []) if x.verdict != SET_ASIDE]))
    return counted


def judged_of(report: Report, found: Sequence[Found]) -> list[Judged]:
    """Return the labelled statements of a report with their verdicts; those to set aside are left out."""
    pairs = matched(report.labels, found)
    return [
        Judged(report.file.name, report.style, label, (found[at].verdict or MISSED) if at is not None else MISSED,
               found[at] if at is not None else None)
        for label, at in zip(report.labels, pairs, strict=True)
        if label.verdict in VERDICTS
    ]  # fmt: skip


def macro_f1(judged: Sequence[Judged]) -> float:
    """Return the mean F1 of the verdicts that occur among the labels, from 0 to 1."""
    scores = [f1 for _, _, _, f1 in by_verdict(judged)]
    return sum(scores) / len(scores) if scores else 0.0


def by_verdict(judged: Sequence[Judged]) -> list[tuple[str, int, int, float]]:
    """Return for each labelled verdict: how many there are, how many of them are right, and its F1."""
    rows = []
    for verdict in VERDICTS:
        there = sum(j.label.verdict == verdict for j in judged)
        told = sum(j.verdict == verdict for j in judged)
        right = sum(j.label.verdict == verdict == j.verdict for j in judged)
        if there:
            rows.append((verdict, there, right, 2 * right / (there + told)))
    return rows


def share(of: Iterable[bool]) -> dict[str, float | int | None]:
    """Return how many of all are true, and the percentage."""
    told = list(of)
    return {"right": sum(told), "of": len(told), "percent": round(100 * sum(told) / len(told), 1) if told else None}


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the figures of the verdicts. A share that is to be small says so by its name."""
    contradicted = [j for j in judged if j.label.verdict == "contradicted"]
    others = [j for j in judged if j.label.verdict != "contradicted"]
    altered = [j for j in judged if j.label.altered]
    return {
        "verdicts right": share(j.verdict == j.label.verdict for j in judged),
        "macro-F1": round(macro_f1(judged), 3),
        "contradicted, called supported": share(j.verdict == "supported" for j in contradicted),
        "not contradicted, called contradicted": share(j.verdict == "contradicted" for j in others),
        "not altered, called contradicted": share(j.verdict == "contradicted" for j in others if not j.label.altered),
        "altered, found": share(j.verdict not in ("supported", "uncited", MISSED) for j in altered),
        "cannot tell": share(j.verdict == "cannot_tell" for j in judged),
        "not found in the text": share(j.verdict == MISSED for j in judged),
    }


def told_of(marks: Mapping[str, Marks], judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the figures of a part as one object."""
    whole = Marks()
    for each in marks.values():
        whole.add(each)
    return {
        "styles": {
            style: style_figures(each, [j for j in judged if j.style == style]) for style, each in marks.items()
        },
        "marks": style_figures(whole, judged),
        "set aside rightly": share(whole.aside),
        "statements kept": share(whole.kept),
        "verdicts": figures(judged) if judged else None,
        "by verdict": {name: {"there": there, "right": right, "F1": round(f1, 3)}
                       for name, there, right, f1 in by_verdict(judged)},
        "by kind of alteration": {kind: share(j.verdict not in ("supported", "uncited", MISSED) for j in judged
                                              if j.label.altered == kind)
                                  for kind in sorted({j.label.altered for j in judged if j.label.altered})},
    }  # fmt: skip


def style_figures(marks: Marks, judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the figures of one style, in percent."""
    return {
        "marks": marks.there,
        "precision": round(100 * marks.right / marks.found, 1) if marks.found else None,
        "recall": round(100 * marks.right / marks.there, 1) if marks.there else None,
        "scopes": share(marks.scopes)["percent"],
        "verdicts": share(j.verdict == j.label.verdict for j in judged),
    }
