"""How much the lenses agree, from every judgment in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veritas.frozen import Frozen
from veritas.gate.lens_agreement import ENOUGH, Agreement, measure
from veritas.use_cases.given import given_home

__all__ = ["ENOUGH", "Agreement", "LensAgreement", "lens_agreement"]

_JUDGMENTS = """
    SELECT run_id, subject_id, purpose, passage_ids, lens, family, label FROM judgments ORDER BY run_id, position
"""


class LensAgreement(Frozen):
    """`families` and `unavailable` are by lens: its family, and how many of its judgments were none."""

    runs: int
    agreement: Agreement
    families: Mapping[str, str]
    unavailable: Mapping[str, int]


def lens_agreement(runs: Sequence[str] = (), *, home: str | Path | None = None) -> LensAgreement:
    """Return how much the lenses agree beyond chance in the runs of these ids (or `latest`); without any, in all runs,
    audits of papers and reviews. Raises `UnknownRun`."""
    from veritas.store import RunStore, find_run
    from veritas.store.catalogue import query
    from veritas.use_cases._stored_judgments import of_audits, of_reviews

    place = given_home(home)
    rows: list[dict[str, Any]] = []
    for name in dict.fromkeys(find_run(place, given) for given in runs):
        with RunStore.open(place, name, read_only=True) as store:
            rows += store.query(_JUDGMENTS)
    if not runs:
        rows = [*query(place, _JUDGMENTS), *of_audits(place), *of_reviews(place)]
    answers: dict[str, dict[Any, str]] = {}
    families: dict[str, str] = {}
    missing: dict[str, int] = {}
    for row in rows:
        # The same item in a replay is the same item: the last word on it counts, once.
        item = (row["subject_id"], row["purpose"], tuple(row["passage_ids"] or ()))
        families[row["lens"]] = row["family"]
        answers.setdefault(row["lens"], {})[item] = row["label"]
        missing[row["lens"]] = missing.get(row["lens"], 0) + (row["label"] == "unavailable")
    count = len({row["run_id"] for row in rows})
    return LensAgreement(runs=count, agreement=measure(answers), families=families, unavailable=missing)
