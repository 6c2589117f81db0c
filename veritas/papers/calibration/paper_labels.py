"""People's labels of papers as numbers, and the two groups of papers that AUROC tells apart."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from veritas.errors import InputError
from veritas.papers.calibration.labelled_papers import CachedPaper
from veritas.scoring.graph import Bools, Floats

NAME_COLUMNS = ("paper", "case", "id", "name", "doi", "title")
LABEL_COLUMNS = ("label", "rating", "score", "class")
_ORDERS = (("bad", "neutral", "good"), ("no", "yes"), ("false", "true"), ("reject", "accept"), ("negative", "positive"))
FEW_LEVELS = 6


@dataclass(frozen=True, eq=False)
class Labels:
    """A number for each paper, higher is better. AUROC tells `upper` from `lower`; `meaning` describes these groups."""

    values: Floats  # (P)
    upper: Bools  # (P)
    lower: Bools  # (P)
    meaning: str

    @property
    def binary(self) -> bool:
        """True if there are two different labels."""
        return len(np.unique(self.values)) == 2

    @property
    def strata(self) -> Sequence[int]:
        """The stratum of each paper, for folds with equal shares: each label, or quarters of many."""
        levels = np.unique(self.values)
        if len(levels) <= FEW_LEVELS:
            return list(map(int, np.searchsorted(levels, self.values)))
        cuts = np.quantile(self.values, (0.25, 0.5, 0.75))
        return list(map(int, np.searchsorted(cuts, self.values)))


def read_labels(path: Path, order: Sequence[str] = ()) -> dict[str, float]:
    """Return labels by the paper's name in lower case, from CSV with a header or JSON lines.

    Labels are numbers or words; `order` lists words from worst to best. Raises `InputError` for a file or a label that
    cannot be read, and for two labels of one paper that differ.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as UTF-8 text: {error}") from None
    rows = _json_lines(text, path) if text.lstrip()[:1] == "{" else _csv(text, path)
    found: dict[str, tuple[str, Any]] = {}
    for where, name, label in rows:
        key = name.strip().casefold()
        if not key:
            raise InputError(f"{where}: no name of a paper")
        if key in found and found[key][1] != label:
            raise InputError(f"{where}: a second label for {name.strip()!r}, and another one")
        found[key] = where, label
    if not found:
        raise InputError(f"{path} holds no label")
    scale = _scale([label for _, label in found.values()], order)
    labels = {}
    for key, (where, label) in found.items():
        value = _number(label) if scale is None else scale.get(str(label).strip().casefold())
        if value is None:
            known = "a number" if scale is None else "one of " + ", ".join(scale)
            raise InputError(f"{where}: the label {str(label)[:40]!r} is not {known}; --order names words, worst first")
        labels[key] = value
    return labels


def labelled(
    papers: Sequence[CachedPaper], labels: dict[str, float]
) -> tuple[list[CachedPaper], Labels, list[str]]:
    """Return the papers that have a label, their labels, and a line for each paper or label without its other half.

    Raises `InputError` if there are not two different labels among them, or if one may belong to several papers.
    """
    owners = Counter(name for paper in papers for name in {name.casefold() for name in paper.names})
    for key in labels:
        if owners[key] > 1:
            meant = [paper.name for paper in papers if key in map(str.casefold, paper.names)]
            raise InputError(
                f"the label of {key!r} may be that of {owners[key]} papers, {meant[0]!r} and {meant[1]!r} among them: "
                "name the paper by another of its names"
            )
    chosen: list[CachedPaper] = []
    values: list[float] = []
    problems = []
    used = set()
    for paper in papers:
        keys = {name.casefold() for name in paper.names} & set(labels)
        if len({labels[key] for key in keys}) > 1:
            raise InputError(f"{paper.name!r} has different labels under its names {', '.join(sorted(keys))}")
        if not keys:
            problems.append(f"{paper.name}: left out, it has no label")
            continue
        used |= keys
        chosen.append(paper)
        values.append(labels[min(keys)])
    problems += [f"{key}: labelled, but not among the runs" for key in sorted(set(labels) - used)]
    if len(set(values)) < 2:
        raise InputError(
            f"{len(chosen)} of {len(papers)} papers have a label, and not two different ones among them; labels name "
            f"papers as the runs do, such as {papers[0].name!r}"
        )
    return chosen, _groups(np.array(values)), problems


def _groups(values: Floats) -> Labels:
    levels = np.unique(values)
    if len(levels) == 2:
        return Labels(values, values == levels[1], values == levels[0], f"label {levels[1]:g} against {levels[0]:g}")
    if len(levels) <= FEW_LEVELS:
        between = int(np.count_nonzero((values > levels[0]) & (values < levels[-1])))
        said = f"label {levels[-1]:g} against {levels[0]:g}; {between} papers in between do not count in it"
        return Labels(values, values == levels[-1], values == levels[0], said)
    middle = float(np.median(values))
    return Labels(values, values > middle, values <= middle, f"labels above the median {middle:g} against the others")


def _csv(text: str, path: Path) -> list[tuple[str, str, Any]]:
    sample = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=sample.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns = {(name or "").strip().casefold(): name for name in reader.fieldnames or ()}
    name = next((columns[c] for c in NAME_COLUMNS if c in columns), None)
    label = next((columns[c] for c in LABEL_COLUMNS if c in columns), None)
    if name is None or label is None:
        raise InputError(
            f"{path}: the first line names no column {'/'.join(NAME_COLUMNS)} and {'/'.join(LABEL_COLUMNS)}, "
            f"but {', '.join(filter(None, columns)) or 'nothing'}"
        )
    try:
        return [
            (f"{path}, line {reader.line_num}", row[name] or "", row[label])
            for row in reader
            if any((value or "").strip() for value in row.values() if isinstance(value, str))
        ]
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from None


def _json_lines(text: str, path: Path) -> list[tuple[str, str, Any]]:
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where}: not JSON ({error})") from None
        name = next((value[c] for c in NAME_COLUMNS if c in value), None) if isinstance(value, dict) else None
        label = next((value[c] for c in LABEL_COLUMNS if c in value), None) if isinstance(value, dict) else None
        if name is None or label is None:
            raise InputError(f"{where}: no object with {'/'.join(NAME_COLUMNS)} and {'/'.join(LABEL_COLUMNS)}")
        rows.append((where, str(name), label))
    return rows


def _scale(labels: Sequence[Any], order: Sequence[str]) -> dict[str, float] | None:
    """Return the numbers of words; None if labels are numbers, or words of no known scale."""
    if order:
        return {word.strip().casefold(): float(place) for place, word in enumerate(order)}
    if all(_number(label) is not None for label in labels):
        return None
    words = {str(label).strip().casefold() for label in labels}
    for known in _ORDERS:
        if words <= set(known):
            return {word: float(place) for place, word in enumerate(known)}
    return None


def _number(label: Any) -> float | None:
    try:
        value = float(label)
    except (TypeError, ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None
