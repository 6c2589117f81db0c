"""Lenses measured: how often each is right on labelled claims, at which price it errs; how much they agree."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationError

from veritas.claims.envelope import Label
from veritas.claims.judgment import Judgment
from veritas.errors import InputError, VeritasError
from veritas.frozen import Frozen
from veritas.gate.lens_accuracy import Answer, LensAccuracy, accuracy_of, calibration_error
from veritas.gate.lens_agreement import ENOUGH, Agreement, measure
from veritas.use_cases.given import given_home

if TYPE_CHECKING:
    from veritas.council.lenses.calibration import Calibration
    from veritas.judging.lens import Lens

__all__ = ["LensAccuracy", "LensMeasured", "Pair", "calibrate_lens", "measure_lenses"]

LABELS = ("supports", "refutes", "silent")
AT_ONCE = 16


class _Given(Frozen):
    """Probabilities of labels, as a lens gives them; a plug-in's are checked like every other answer of one."""

    chances: dict[Label, Annotated[float, Field(ge=0, le=1)]] = Field(min_length=2)


class Pair(Frozen):
    """A claim, a passage and the true label: `supports`, `refutes` or `silent`. `source_dataset` is the set it is of,
    if any."""

    claim: str
    passage: str
    label: str
    source_dataset: str = ""


class LensMeasured(Frozen):
    """A lens on labelled claims. What it did not judge is counted in `unavailable`, and nowhere else.

    `two_labels` is true for a lens that never refutes: to it, a refuted claim is `silent`. `seconds`, `tokens` and
    `dollars` are for one pair; None where they are not known. `sets` has the accuracy on each set, where the pairs name
    any.
    """

    lens: str
    family: str
    two_labels: bool
    all: LensAccuracy
    sets: Mapping[str, LensAccuracy]
    unavailable: int
    why: str | None
    """Reason of the first judgment that could not be had."""
    seconds: float | None
    tokens: float | None
    dollars: float | None


class _Board:
    """The lenses that can be named: those of a council, and those installed."""

    def __init__(self, council: str | Path | None) -> None:
        self.seated: Mapping[str, Lens] = {}
        self.verifiers: tuple[str, ...] = ()
        self.kinds: dict[str, str] = {}
        self._switchboard: Any = None
        if council is None:
            return
        from veritas.council.connections import Switchboard
        from veritas.council.seated_council import build_council
        from veritas.council.select_council import choose_council, council_file

        policy = choose_council(council_file(council)).policy
        self._switchboard = Switchboard(policy.providers)
        self.kinds = {judge.name: judge.lens for judge in policy.judges if judge.lens is not None}
        seated = build_council(policy, self._switchboard)
        self.seated = seated.lenses
        self.verifiers = tuple(lens.name for lens in seated.verifiers)

    def lens(self, name: str) -> Lens:
        """Return the council's lens of that name, else an installed one. Raises `InputError` if there is neither."""
        from veritas.use_cases.claims import lens_named

        return self.seated[name] if name in self.seated else lens_named(name)

    async def close(self) -> None:
        """Close the connections to models."""
        if self._switchboard is not None:
            await self._switchboard.close()


async def measure_lenses(
    pairs: Sequence[Pair],
    lenses: Sequence[str] = (),
    *,
    council: str | Path | None = None,
    on_judged: Callable[[str, int], None] = lambda lens, count: None,
) -> list[LensMeasured]:
    """Return what lenses are worth on labelled pairs: the embedded lens first, then `lenses`, each by its name.

    Names are those of a council's judges (`council` is a file or the name of a ready one) and of installed lenses;
    without any, the verifiers of the council, or the installed lenses that need nothing. `on_judged` hears after each
    judgment how many the lens has given. Raises `InputError` without pairs and for a name that no lens has.
    """
    if not pairs:
        raise InputError("there are no labelled claims to measure on")
    from veritas.use_cases.claims import lens_named

    board = _Board(council)
    asked = {(first := lens_named()).name: first}
    for lens in (board.lens(name) for name in _names(board, lenses)):
        if type(asked.setdefault(lens.name, lens)) is not type(lens):
            raise InputError(f"two lenses call themselves {lens.name!r}: measure one of them at a time")
    try:
        return [await _measured(lens, pairs, on_judged) for lens in asked.values()]
    finally:
        await board.close()


async def calibrate_lens(
    pairs: Sequence[Pair], lens: str, file: str | Path, *, council: str | Path, fitted_on: str = ""
) -> Calibration:
    """Fit the temperature of a council's lens on labelled pairs, write it to `file`, and return it as a `Calibration`.

    The file is what `calibration:` of the judge names. Raises `InputError` for a lens without probabilities of its own,
    `Unavailable` if it does not judge a pair: what it fails on may be what it is unsure of.
    """
    from veritas.council.lenses.calibration import Calibration, cooled, fit_temperature, keep_calibration
    from veritas.gate.lens_calls import answered, longest
    from veritas.policy.gate_policy import load_gate_policy

    if not pairs:
        raise InputError("there are no labelled claims to calibrate on")
    board = _Board(council)
    found: Any = board.lens(lens)
    if lens not in board.kinds or not hasattr(found, "chances"):
        able = ", ".join(board.kinds) or "none is"
        raise InputError(f"the lens {lens} is not set up under judges: with lens: in the council, and {able}")
    turn, seconds = asyncio.Semaphore(AT_ONCE), load_gate_policy().lens_seconds

    async def chances(pair: Pair) -> dict[str, float]:
        async def ask() -> _Given:
            return _Given(chances=await found.chances(pair.claim, pair.passage))

        async with turn:
            given = await answered(found, ask, _Given, lens, longest(found, seconds))
        return {label: chance for label, chance in given.chances.items()}  # noqa: C416 (a label is a text here)

    try:
        given = await asyncio.gather(*map(chances, pairs))
    finally:
        await board.close()
    truth = [_as_seen(pair.label, _two_labels(found)) for pair in pairs]
    temperature = fit_temperature(given, truth)

    def error(at: float) -> float:
        answers = [max(cooled(one, at).items(), key=lambda item: item[1]) for one in given]
        return round(calibration_error(truth, answers) or 0.0, 4)

    made = Calibration(
        lens=board.kinds[lens], of=found.weighs, temperature=temperature, items=len(pairs),
        error_before=error(1.0), error_after=error(temperature), fitted_on=fitted_on,
    )  # fmt: skip
    keep_calibration(Path(file), made)
    return made


def _names(board: _Board, named: Sequence[str]) -> Sequence[str]:
    if named:
        return named
    if board.verifiers:
        return board.verifiers
    from veritas.judging.lenses import builtin_lenses

    return tuple(builtin_lenses())


async def _measured(lens: Lens, pairs: Sequence[Pair], on_judged: Callable[[str, int], None]) -> LensMeasured:
    from veritas.council.succession import connection
    from veritas.store.call_record import collecting_calls
    from veritas.use_cases.claims import judge_with

    model = connection(lens)
    turn = asyncio.Semaphore(1 if model is None else AT_ONCE)
    count = 0

    async def judged(pair: Pair) -> Judgment:
        nonlocal count
        async with turn:
            found = await judge_with(lens, pair.claim, pair.passage)
        count += 1
        on_judged(lens.name, count)
        return found

    start = perf_counter()
    with collecting_calls() as calls:
        said = await asyncio.gather(*map(judged, pairs))
    seconds = perf_counter() - start
    two = _two_labels(lens)
    heard = [i for i, one in enumerate(said) if one.label != "unavailable"]
    answers: list[Answer] = [(one.label, one.score) for one in said]

    def on(places: Sequence[int]) -> LensAccuracy:
        return accuracy_of([pairs[i].label for i in places], [answers[i] for i in places], two_labels=two)

    names = sorted({pair.source_dataset for pair in pairs if pair.source_dataset})
    prices = [call.cost_usd for call in calls]
    silent = [one.rationale for one in said if one.label == "unavailable"]
    return LensMeasured(
        lens=lens.name, family=lens.family, two_labels=two, all=on(heard),
        sets={name: on([i for i in heard if pairs[i].source_dataset == name]) for name in names},
        unavailable=len(silent), why=silent[0] if silent else None, seconds=seconds / len(pairs),
        tokens=sum(c.input_tokens + c.output_tokens for c in calls) / len(pairs) if model is not None else None,
        dollars=_sum(prices, len(pairs)) if model is not None else None,
    )  # fmt: skip


def _sum(prices: Sequence[float | None], count: int) -> float | None:
    known = [price for price in prices if price is not None]
    return sum(known) / count if len(known) == len(prices) else None


def _two_labels(lens: object) -> bool:
    """Return whether a lens says of itself that it never refutes."""
    labels = getattr(lens, "labels", None)
    return isinstance(labels, frozenset) and "refutes" not in labels


def _as_seen(label: str, two_labels: bool) -> str:
    return "silent" if two_labels and label == "refutes" else label


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


logger = logging.getLogger(__name__)


def of_audits(home: Path) -> Iterator[dict[str, Any]]:
    """Yield a row for each judgment on a statement of a finished audit, in the form of the table `judgments`.

    The same statement of the same paper on the same passages is the same subject in every audit.
    """
    from veritas.papers.audit_runs import load_audit, papers_home
    from veritas.store.paths import run_ids

    for audit_id in run_ids(papers_home(home)):
        try:
            audit = load_audit(audit_id, home)
        except VeritasError as problem:
            logger.info("%s is not counted: %s", audit_id, problem)
            continue
        for node in audit.nodes:
            if node.grounding is not None:
                subject = f"{audit.paper.document_id} {node.text}"
                evidence = [e.text for e in audit.evidence if e.id in node.grounding.evidence]
                yield from _rows(audit_id, subject, "paper-node", evidence, node.grounding.judgments)


def of_reviews(home: Path) -> Iterator[dict[str, Any]]:
    """Yield a row for each judgment on a sentence of a review, in the same form."""
    from veritas.reviews.review_store import review_ids, stored_outputs
    from veritas.reviews.reviewing.reviewer import Report

    for review_id in review_ids(home):
        try:
            outputs = list(stored_outputs(review_id, home))
            reports = [Report.model_validate(output["report"]) for _, output in outputs if "report" in output]
        except (VeritasError, ValidationError) as problem:
            logger.info("%s is not counted: %s", review_id, problem)
            continue
        for report in reports:
            for verdict in report.verdicts:
                if (decision := verdict.decision) is not None:
                    claim, passages = decision.finding.claim, list(decision.finding.passages)
                    yield from _rows(review_id, claim, "review-sentence", passages, decision.judgments)


def _rows(
    run_id: str, subject: str, purpose: str, passages: list[str], judgments: tuple[Judgment, ...]
) -> Iterator[dict[str, Any]]:
    item = {"run_id": run_id, "subject_id": subject, "purpose": purpose, "passage_ids": passages}
    for judgment in judgments:
        yield item | judgment.model_dump(include={"lens", "family", "label"})
