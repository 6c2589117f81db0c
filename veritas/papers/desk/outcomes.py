"""Outcomes that a registration names, sought in the paper. The record is given as a file: the study's JSON as
ClinicalTrials.gov gives it out (version 2 of its interface)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.papers.desk.concern import Quoted
from veritas.papers.desk.passages import Passage
from veritas.text.tokens import terms

LARGEST = 20_000_000
"""Bytes of a record, at most."""
ENOUGH = 0.75
"""Share of an outcome's words that one sentence must have for the outcome to count as named there."""
_PARTS = frozenset(
    {"title", "abstract", "introduction", "methods", "data", "results", "discussion", "conclusion", "other"}
)


class RegisteredOutcome(Frozen):
    """An outcome of a registration, with the sentence of the paper that names it, if one was found."""

    number: str
    """The registration's number."""
    primary: bool
    measure: str
    time_frame: str = ""
    named: Quoted | None = None


def read_outcomes(path: Path) -> tuple[RegisteredOutcome, ...]:
    """Return the outcomes of a registration's record. Raises `InputError` for a file that is none."""
    try:
        raw = path.read_bytes()
        if len(raw) > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST:,} bytes: that is no record of a registration")
        record: Any = json.loads(raw)
        protocol = record["protocolSection"]
        number = str(protocol["identificationModule"]["nctId"])
        module = protocol.get("outcomesModule", {})
        found = [
            RegisteredOutcome(
                number=number, primary=kind == "primaryOutcomes", measure=str(each["measure"]),
                time_frame=str(each.get("timeFrame", "")),
            )
            for kind in ("primaryOutcomes", "secondaryOutcomes")
            for each in module.get(kind, [])
        ]  # fmt: skip
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is no record of ClinicalTrials.gov (JSON of its interface, version 2)") from error
    return tuple(found)


def compared(
    outcomes: Sequence[RegisteredOutcome], passages: Sequence[Passage], text: str
) -> tuple[RegisteredOutcome, ...]:
    """Return the outcomes with the sentence of the paper that has most of their words, where it has enough of them.

    An outcome without a sentence may be told in other words: it is a question, and no finding that it was dropped.
    """
    searched = [(each, set(terms(each.words))) for each in passages if each.section in _PARTS and not each.heading]
    found = []
    for outcome in outcomes:
        wanted = set(terms(outcome.measure))
        best = max(searched, key=lambda pair: len(wanted & pair[1]), default=None)
        if wanted and best is not None and len(wanted & best[1]) >= ENOUGH * len(wanted):
            place = best[0].place
            named = Quoted(text=text[place.start : place.end], place=place)
            outcome = outcome.model_copy(update={"named": named})
        found.append(outcome)
    return tuple(found)
