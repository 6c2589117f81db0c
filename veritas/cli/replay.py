"""`veritas replay`: a stored run made again from one of its stages on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veritas.cli.run_commands import carry_out, keep_calls
from veritas.use_cases.runners import Asked


def replay(
    run: Annotated[str, typer.Argument(help="The run's id or its beginning, or `latest`.")],
    start: Annotated[
        str,
        typer.Option("--from", help="decompose, research, extract, verify, debate, synthesize or render."),
    ],
    tier: Annotated[str | None, typer.Option("--tier", "-t", help="Another cost tier.")] = None,
    policy: Annotated[Path | None, typer.Option(help="Another source policy.")] = None,
    council: Annotated[
        str | None, typer.Option(help="Another council: a file, or the name of a built-in council.")
    ] = None,
    budget: Annotated[float | None, typer.Option(help="Another budget, in US dollars.", min=0)] = None,
    max_calls: Annotated[int | None, typer.Option(help="Another limit of turns and searches.", min=1)] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Another limit of seconds.", min=0.1)] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed.", min=0)] = None,
    record: Annotated[Path | None, typer.Option(help="Record every model answer in this folder.")] = None,
    replay_calls: Annotated[Path | None, typer.Option(help="Take model answers from a recorded folder.")] = None,
    no_preflight: Annotated[
        bool, typer.Option("--no-preflight", help="Skip the check that models and providers are available.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for answer.md, graph.json and report.html.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The claim graph as JSON on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Repeat an earlier run from a stage, as a new run that keeps the stages before it.

    The earlier run is never changed. Compare the two with veritas diff.
    """
    limits = {"usd": budget, "calls": max_calls, "seconds": max_seconds}
    changes = {
        "tier": tier,
        "policy": policy,
        "council": council,
        "budget": {name: limit for name, limit in limits.items() if limit is not None} or None,
        "seed": seed,
    }
    given = {key: value for key, value in changes.items() if value is not None}
    keep_calls(record, replay_calls)
    asked = Asked(replay=run, start_stage=start, settings=given, preflight=not no_preflight)
    carry_out([asked], out=out, json=json, quiet=quiet)
