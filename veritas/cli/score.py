"""`veritas score` and `calibrate`: argument graphs, and the weights of their scores."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from veritas.cli._inputs import Quiet
from veritas.errors import InputError, StoreUnavailable


def score(
    file: Annotated[
        Path | None,
        typer.Argument(help="JSON lines {case, graph, settings}, a graph, or a paper's audit; - or nothing: stdin."),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            help="paper: the published formulas; reference: the authors' program; veritas: our own, used by audits."
        ),
    ] = "paper",
    weights: Annotated[
        Path | None, typer.Option(help="Read the scorer's weights here, not in policies/scorer.yaml.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Score argument graphs, one per line, or those of a paper's audit.

    A line {case, graph, settings} gives {case, expected}: one result for each setting, or one under the default
    weights. {case, graph, order} gives the state after every node's verification, {case, input} the check of a graph.
    An audit (veritas paper --json) gives an answer for each reading of its argument, the shown one first, under --rules
    and --weights, not those of the audit: --rules veritas gives the audit's own. A graph that cannot be scored gives
    its errors; the others are still scored, and the exit code is 1.
    """
    from veritas.use_cases.papers import score_lines

    refused = 0
    for made, failed in score_lines(file, rules=rules, weights=weights):
        refused += failed
        print(json.dumps(made, allow_nan=False) if as_json else _for_people(made), flush=True)
    if refused:
        raise typer.Exit(1)


def _for_people(made: dict[str, Any]) -> str:
    lines = [f"{made['case']}{' (shown)' if made.get('shown') else ''}{_titled(made.get('paper'))}"]
    if "raises" in made:
        lines.append(f"  cannot be scored: {made['message']}")
    for error in made.get("errors", ()):
        lines.append(f"  cannot be scored: {error}")
    for warning in made.get("warnings", ()):
        lines.append(f"  note: {warning}")
    for result in made.get("expected", ()):
        parts = "  ".join(f"{name} {value:.3f}" for name, value in result["components"].items())
        lines.append(f"  {result['setting']}: {result['score']:.4f}  ({parts})")
        if "score_interval" in result and result["score_interval"][0] != result["score_interval"][1]:
            low, high = result["score_interval"]
            lines.append(f"    between {low:.4f} and {high:.4f}: not every node is verified")
        if result["best_path_nodes"]:
            lines.append(f"    best path: {' -> '.join(result['best_path_nodes'])}")
    for step in made.get("steps", ()):
        lines.append(f"  after {step['node']}: {step['score']:.4f}")
    for mode, verdict in made.get("by_reconcile", {}).items():
        said = "; ".join(verdict.get("errors", ())) or verdict.get("message") or f"{len(verdict['edges'])} edges"
        lines.append(f"  {mode}: {'ok' if verdict.get('ok') else 'refused'}, {said}")
    return "\n".join(lines)


def _titled(title: str | None) -> str:
    return f": {' '.join(title.split())}" if title else ""


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
    settings: Annotated[int, typer.Option(min=20, max=10_000_000, help="Settings of the dense stage.")] = 20_000,
    rules: Annotated[
        str,
        typer.Option(help="Rule set: paper, reference or veritas. Use the one you show; veritas paper shows veritas."),
    ] = "paper",
    weights: Annotated[
        Path | None, typer.Option(help="Initial weights, instead of policies/scorer.yaml.")
    ] = None,
    folds: Annotated[int, typer.Option(min=2, max=50, help="Folds of papers, each held out once.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same result.")] = 0,
    quiet: Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document, for programs.")] = False,
) -> None:
    """Search for weights that rank papers as their labels do, from stored graphs; no model is asked.

    Example: veritas calibrate audits/ --labels ratings.csv --out scorer.yaml

    The reliable figure comes from cross-validation: the search is tested on papers that it did not see. The report also
    shows the optimistic figure of tuning and testing on the same papers. The weights change only if the new ones are
    better on held-out papers.
    """
    from veritas.use_cases.papers import calibrate as choose

    _writable(out)
    report, policy = choose(
        runs, labels, order=order.split(",") if order else (), settings=settings, rules=rules, weights=weights,
        folds=folds, seed=seed, on_line=None if quiet else _say,
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
