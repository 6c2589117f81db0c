"""Calibrate from files, for both the command and the flow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast, get_args

from veritas.errors import InputError
from veritas.papers.calibration.labelled_papers import read_runs
from veritas.papers.calibration.paper_labels import labelled, read_labels
from veritas.papers.calibration.rank_measures import Measure
from veritas.papers.calibration.report import CalibrationReport
from veritas.papers.calibration.study import Choices, calibrate
from veritas.policy.yaml_file import read_yaml_model
from veritas.scoring.evaluation import RULES, Rules
from veritas.scoring.scorer_policy import ScorerPolicy
from veritas.settings import policy_file


def checked(
    rules: str, measure: str, settings: int, folds: int, inner_folds: int, seed: int, processes: int
) -> Choices:
    """Return choices checked as a person gave them; an empty `measure` leaves it to the labels. Raises `InputError`."""
    for name, value, allowed in (("rules", rules, RULES), ("measure", measure, ("", *get_args(Measure)))):
        if value not in allowed:
            raise InputError(f"--{name} is {value!r}, none of {', '.join(filter(None, allowed))}")
    return Choices(cast(Rules, rules), cast(Measure, measure) or None, settings, folds, inner_folds, seed, processes)


def calibrated(
    runs: Path,
    labels: Path,
    choices: Choices,
    weights: Path | None = None,
    order: Sequence[str] = (),
    on_line: Callable[[str], None] | None = None,
) -> tuple[CalibrationReport, ScorerPolicy]:
    """Return the report, and the policy it began with. `on_line` is called with lines on what is left out and on
    progress, a tenth at a time.

    Raises `InputError`.
    """
    say = on_line or (lambda _line: None)
    policy = read_yaml_model(weights or policy_file("scorer.yaml"), ScorerPolicy)
    given = read_labels(labels, order)
    papers, left_out = read_runs(runs)
    chosen, known, more = labelled(papers, given)
    left_out += more
    for line in left_out:
        say(line)
    said = 0

    def progress(done: int, total: int) -> None:
        nonlocal said
        tenth = 10 * done // total
        if tenth > said:
            said = tenth
            say(f"{done:,} of {total:,} settings")

    report = calibrate(chosen, known, policy, choices, (runs.name, labels.name), left_out, progress)
    return report, policy
