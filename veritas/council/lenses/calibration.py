"""Calibration of a lens: one temperature for its probabilities, fitted on labelled claims and kept in a file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from veritas.errors import InputError
from veritas.files import write_whole
from veritas.frozen import Frozen, first_fault

COLDEST, HOTTEST = 0.05, 20.0
LEAST = 1e-6
"""Probability that a lens is taken to give at least: what it excludes may be so."""
LONGEST = 100_000
"""Most bytes of a file of calibration."""

Chances = Mapping[str, float]
"""Probability of each label that a lens gives."""


class Calibration(Frozen):
    """A temperature, what it was fitted for and on. `of` is the model's name, or the hash of its weights."""

    lens: str
    of: str
    temperature: float = Field(ge=0.01, le=100)
    items: int = Field(ge=1)
    error_before: float
    """Expected calibration error on the claims that it was fitted on, without it; `error_after` with it."""
    error_after: float
    fitted_on: str = ""
    """Name of the file of claims."""


def cooled(chances: Chances, temperature: float) -> dict[str, float]:
    """Return probabilities at another temperature: above 1 they come closer to each other, below 1 apart."""
    logs = {label: math.log(max(p, LEAST)) / temperature for label, p in chances.items()}
    top = max(logs.values())
    parts = {label: math.exp(log - top) for label, log in logs.items()}
    whole = sum(parts.values())
    return {label: part / whole for label, part in parts.items()}


def fit_temperature(given: Sequence[Chances], truth: Sequence[str]) -> float:
    """Return the temperature at which the true labels are likeliest, from 0.05 to 20. Raises `InputError` without
    claims. A label that the lens does not give counts as the least likely."""
    if not given:
        raise InputError("there is nothing to fit a calibration on: the lens judged no claim")

    def loss(power: float) -> float:
        at = math.exp(power)
        return sum(-math.log(max(cooled(one, at).get(label, 0.0), LEAST))
                   for one, label in zip(given, truth, strict=True))  # fmt: skip

    low, high = math.log(COLDEST), math.log(HOTTEST)
    ratio = (math.sqrt(5) - 1) / 2
    while high - low > 1e-3:  # the loss has one valley: golden section
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if loss(a) <= loss(b) else (a, high)
    return round(math.exp((low + high) / 2), 4)


def read_calibration(file: Path) -> Calibration:
    """Return a calibration that was kept. Raises `InputError` for a file that is none."""
    try:
        with file.open("rb") as source:
            data = source.read(LONGEST + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > LONGEST:
        raise InputError(f"{file} is larger than {LONGEST:,} bytes: that is no calibration")
    try:
        return Calibration.model_validate_json(data)
    except ValidationError as error:
        raise InputError(f"{file} is no calibration: {first_fault(error)}") from error


def keep_calibration(file: Path, made: Calibration) -> None:
    """Write a calibration. Raises `StoreUnavailable` if it cannot be written."""
    write_whole(file, made.model_dump_json(indent=2) + "\n")
