"""Outcomes that a registration names, sought in the paper. The record is given as a file: the study's JSON as
ClinicalTrials.gov gives it out (version 2 of its interface)."""

from __future__ import annotations

import json
import re
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
_RANK = re.compile(r"\b(primary|secondary) (?:\w+ ){0,2}(?:outcomes?|end ?points?|measures?)\b", re.IGNORECASE)
_LISTS = re.compile(
    r"\b(?:primary|secondary) (?:\w+ ){0,2}(?:outcomes?|end ?points?|measures?)(?: of (?:this|the) (?:study|trial))? ?"
    r"(?::|was\b|were\b|is\b|are\b|includ|compris|consist)",
    re.IGNORECASE,
)
LEAST_WORDS = 3
"""Words of a registered outcome below which it is too short to be told from others that have the same words."""


class RegisteredOutcome(Frozen):
    """An outcome of a registration, with the sentence of the paper that names it, if one was found."""

    number: str
    """The registration's number."""
    primary: bool
    measure: str
    time_frame: str = ""
    named: Quoted | None = None
    otherwise: Quoted | None = None
    """The sentence that calls it a secondary outcome where it is registered as primary, or the other way round."""

    @property
    def subject(self) -> str:
        """Number and measure: what a decision on this outcome is about."""
        return f"{self.number}: {self.measure}"


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

    An outcome without a sentence may be told in other words: it is a question, and no finding that it was dropped. One
    is told otherwise if a sentence of abstract or methods with all of its words lists it with the other rank, and no
    sentence with its words names its registered one.
    """
    searched = [(each, set(terms(each.words))) for each in passages if each.section in _PARTS and not each.heading]
    found = []
    for outcome in outcomes:
        wanted = set(terms(outcome.measure))
        best = max(searched, key=lambda pair: len(wanted & pair[1]), default=None)
        if wanted and best is not None and len(wanted & best[1]) >= ENOUGH * len(wanted):
            whole = [each for each, words in searched if wanted <= words]
            otherwise = _otherwise(outcome, whole, text) if len(wanted) >= LEAST_WORDS else None
            outcome = outcome.model_copy(update={"named": _quoted(best[0], text), "otherwise": otherwise})
        found.append(outcome)
    return tuple(found)


def _otherwise(outcome: RegisteredOutcome, naming: Sequence[Passage], text: str) -> Quoted | None:
    """Return the sentence that gives an outcome the rank that it was not registered with. A sentence with both ranks
    may divide them either way, and speaks for neither."""
    ranks = [(each, {match[1].casefold() for match in _RANK.finditer(each.words)}) for each in naming]
    own, other = ("primary", "secondary") if outcome.primary else ("secondary", "primary")
    if any(own in said for _, said in ranks):
        return None
    lists = [each for each, said in ranks if said == {other} and _LISTS.search(each.words)]
    return next((_quoted(each, text) for each in lists if each.section in ("abstract", "methods")), None)


def _quoted(passage: Passage, text: str) -> Quoted:
    return Quoted(text=text[passage.place.start : passage.place.end], place=passage.place)
