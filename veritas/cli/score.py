"""`veritas score`: scores of argument graphs, from JSON lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def score(
    file: Annotated[
        Path | None,
        typer.Argument(help="JSON lines {case, graph, settings}, a graph, or a paper's audit; - or nothing: stdin."),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            help="paper: the published formulas; reference: as the authors' program; veritas: our own, as audits."
        ),
    ] = "paper",
    weights: Annotated[
        Path | None, typer.Option(help="Read the scorer's weights here, not in policies/scorer.yaml.")
    ] = None,
    reconcile: Annotated[
        str,
        typer.Option(
            help="Where parents and children disagree: prefer_parents, prefer_children, union, intersection, strict."
        ),
    ] = "prefer_parents",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for programs.")] = False,
) -> None:
    """Score argument graphs, one per line, or those of a paper's audit.

    A line {case, graph, settings} gives {case, expected}: one result for each setting, or one under the default
    weights. {case, graph, order} gives the state after every node's verification, {case, input} the check of a graph.
    An audit (veritas paper --json) gives an answer for each reading of its argument, the shown one first, under --rules
    and --weights, not those of the audit: --rules veritas gives the audit's own. A graph that cannot be scored gives
    its errors; the others are still scored, and the exit code is 1.
    """
    from veritas.papers import score_lines

    chosen = score_lines.options(rules, reconcile, weights)
    with score_lines.opened(file) as stream:
        refused = score_lines.run(stream, chosen, as_json=as_json)
    if refused:
        raise typer.Exit(1)
