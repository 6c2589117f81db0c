"""Labelled claims as a command reads them: JSON lines of {claim, passage, label, source_dataset?}."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veritas.cli._json_lines import given_lines, record_of
from veritas.errors import InputError
from veritas.text.printable import printable

if TYPE_CHECKING:
    from veritas.use_cases.lens_benchmark import Pair


def labelled_claims(file: str) -> list[Pair]:
    """Return the pairs of a file, or of standard input for `-`. Other keys are ignored, blank lines skipped. Raises
    `InputError` for the first line that is none, and for a file without any."""
    with given_lines(file) as lines:
        pairs = [_pair(f"{name} line {number}", line) for name, number, line in lines]
    if not pairs:
        raise InputError(f"{file} has no labelled claims: lines of {{claim, passage, label}}")
    return pairs


def _pair(place: str, line: bytes) -> Pair:
    from veritas.use_cases.lens_benchmark import LABELS, Pair

    keys = ("claim", "passage", "label")
    record = record_of(place, line, "a JSON object of claim, passage and label", keys)
    for key in keys:
        if not isinstance(record[key], str):
            raise InputError(f"{place}: {key!r} must be a string")
    if record["label"] not in LABELS:
        said = printable(record["label"][:40])
        raise InputError(f"{place}: the label is {said!r}, and there are {', '.join(LABELS)}")
    dataset = record.get("source_dataset") or ""
    if not isinstance(dataset, str):
        raise InputError(f"{place}: 'source_dataset' must be a string")
    return Pair(claim=record["claim"], passage=record["passage"], label=record["label"], source_dataset=dataset)
