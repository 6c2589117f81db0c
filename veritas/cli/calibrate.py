"""`veritas calibrate`: the scorer's weights from labelled papers, tested on papers they were not chosen on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from veritas.errors import InputError, StoreUnavailable


def calibrate(
    runs: Annotated[
        Path, typer.Argument(help="Paper audits or JSON lines {paper, graph}: a file, or a folder of .json and .jsonl.")
    ],
    labels: Annotated[
        Path, typer.Option(help="CSV with a header, or JSON lines: paper, label. Higher labels are better.")
    ],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the chosen weights here, as YAML.")] = None,
    order: Annotated[
        str, typer.Option(metavar="WORDS", help="The order of labels that are words, worst first: poor,fair,good.")
    ] = "",
    measure: Annotated[
        str, typer.Option(help="What to tune: auroc or spearman (default: auroc for two labels).", show_default=False)
    ] = "",
    settings: Annotated[int, typer.Option(min=20, max=10_000_000, help="Settings of the dense stage.")] = 20_000,
    rules: Annotated[
        str,
        typer.Option(help="Rule set: paper, reference or veritas. Use the one you show; veritas paper shows veritas."),
    ] = "paper",
    weights: Annotated[
        Path | None, typer.Option(help="Initial weights, instead of policies/scorer.yaml.")
    ] = None,
    folds: Annotated[int, typer.Option(min=2, max=50, help="Outer folds.")] = 5,
    inner_folds: Annotated[int, typer.Option(min=2, max=50, help="Inner folds.")] = 4,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same result.")] = 0,
    processes: Annotated[int, typer.Option(min=1, max=256, help="Processes for a long search.")] = 2,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document, for programs.")] = False,
) -> None:
    """Search for weights that rank papers as their labels do, from stored graphs; no model is asked.

    Example: veritas calibrate audits/ --labels ratings.csv --out scorer.yaml

    The reliable figure comes from nested cross-validation: the whole search, including the choice of its stage, is
    tested on held-out papers. The report also shows simple baselines, and the optimistic figure of tuning and testing
    on the same papers.
    """
    from veritas.use_cases.calibration import calibrate as choose

    _writable(out)
    report, policy = choose(
        runs, labels, order=order.split(",") if order else (), measure=measure, settings=settings, rules=rules,
        weights=weights, folds=folds, inner_folds=inner_folds, seed=seed, processes=processes,
        on_line=None if quiet else _say,
    )  # fmt: skip
    from veritas.files import write_whole
    from veritas.report.calibration_study import as_policy, as_text

    if out is not None:
        write_whole(out, as_policy(report, policy))
    if as_json:
        print(report.model_dump_json())
    else:
        print(as_text(report))
        if out is not None:
            print(f"\nwritten: {out}")


def _writable(out: Path | None) -> None:
    """Raise an error for an unusable `--out` before minutes are spent on the result."""
    if out is None:
        return
    standing = next(p for p in out.absolute().parents if p.exists())
    if out.is_dir() or not standing.is_dir():
        what = f"{standing} is a file" if not standing.is_dir() else "it is a folder, and a file is written"
        raise InputError(f"--out {out}: {what}")
    if not os.access(standing, os.W_OK):
        raise StoreUnavailable(f"--out {out}: {standing} cannot be written to")


def _say(line: str) -> None:
    import sys

    print(f"veritas: {line}", file=sys.stderr, flush=True)
