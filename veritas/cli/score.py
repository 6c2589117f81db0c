"""`veritas score`: scores of argument graphs, from JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer


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
    reconcile: Annotated[
        str,
        typer.Option(
            help="If parents and children disagree: prefer_parents, prefer_children, union, intersection, strict."
        ),
    ] = "prefer_parents",
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
    for made, failed in score_lines(file, rules=rules, reconcile=reconcile, weights=weights):
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
