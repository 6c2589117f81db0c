"""`veritas diff` and `why`: what differs between two runs, and what led a thing into an answer or kept it out."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veritas.claims.run_diff import Cause, Effect, RunDiff


def diff(
    first: Annotated[str, typer.Argument(help="A run's id or its beginning.")],
    second: Annotated[str, typer.Argument(help="The run to compare it with.")],
    json: Annotated[bool, typer.Option("--json", help="The comparison as one JSON document.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="End with 1 if the findings differ.")] = False,
) -> None:
    """Show what changed between two runs, cause by cause, with the affected claims and sentences.

    `veritas why RUN ID` shows the whole chain of one item.
    """
    from veritas.use_cases.run_states import diff_runs

    found = diff_runs(first, second)
    if json:
        print(found.model_dump_json())
    else:
        print("\n".join(_lines(found)))
    if exit_code and not found.same:
        raise typer.Exit(1)


def _lines(found: RunDiff) -> Iterator[str]:
    from veritas.text.visible import one_line

    yield f"{found.first} → {found.second}"
    for name, (before, after) in found.settings.items():
        yield f"  setting {name}: {one_line(str(before))} → {one_line(str(after))}"
    if found.status[0] != found.status[1]:
        yield f"  status: {found.status[0]} → {found.status[1]}"
    if found.same:
        yield "  the findings are the same"
        return
    for number, cause in enumerate(found.causes, 1):
        yield ""
        yield from _of_cause(number, cause)


def _of_cause(number: int, cause: Cause) -> Iterator[str]:
    from veritas.text.visible import one_line

    yield f"{number}. {one_line(cause.said)}  ({cause.stage}, {one_line(cause.id)})"
    if cause.before or cause.after:
        yield f"     was: {one_line(cause.before) or 'nothing'}"
        yield f"     is:  {one_line(cause.after) or 'nothing'}"
    idle = [e for e in cause.effects if e.kind == "source" and not e.resting]
    for effect in cause.effects:
        if effect not in idle:
            yield from _of_effect(effect)
    if idle:
        number_of = f"{len(idle)} source{'' if len(idle) == 1 else 's'}"
        yield f"   · {number_of} on which no claim rested in either run (--json names them)"


def _of_effect(effect: Effect) -> Iterator[str]:
    from veritas.text.visible import one_line

    sign = "+" if effect.before.startswith("not ") else "-" if effect.after.startswith("not ") else "~"
    more = f" (and {effect.alike} more of the same words)" if effect.alike else ""
    yield f"   {sign} {effect.kind} {one_line(effect.id)}{more}: {one_line(effect.text)}"
    if effect.before != effect.after and effect.kind == "claim":
        yield f"       {one_line(effect.before)} → {one_line(effect.after)}"


def why(
    run: Annotated[str, typer.Argument(help="The id of a run or its beginning, or `latest`.")],
    asked: Annotated[
        str,
        typer.Argument(help="A sentence, claim or title, or a part of one; a URL; an id; or [n] of the answer."),
    ],
    json: Annotated[bool, typer.Option("--json", help="The chain as one JSON document.")] = False,
) -> None:
    """Show why something is in an answer or not: each step from hit to sentence, with its rule, judge and words.

    If several items match, they are listed by id; at a terminal you are asked which one you mean.

    Example: veritas why latest "[1]"
    """
    from veritas.claims.chain import Chains
    from veritas.report.wording import render_why
    from veritas.use_cases.run_states import load_run
    from veritas.use_cases.why import Ambiguous
    from veritas.use_cases.why import why as chain_of

    graph = load_run(run)
    try:
        chain = chain_of(graph, asked)
    except Ambiguous as several:
        if json or not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise
        import click

        print(several)
        number = typer.prompt("Which of these, by number", type=click.IntRange(1, len(several.candidates)))
        found = Chains(graph).of(several.candidates[number - 1].id)
        assert found is not None, "what was found in the graph has a chain"
        chain = found
    if json:
        print(chain.model_dump_json())
        return
    print(render_why(chain, width=min(shutil.get_terminal_size((100, 24)).columns, 110)))
