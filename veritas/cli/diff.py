"""`veritas diff`: the differences of two runs, and their causes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veritas.claims.run_diff import Cause, Effect, RunDiff


def diff(
    first: Annotated[str, typer.Argument(help="A run's id or a beginning of it.")],
    second: Annotated[str, typer.Argument(help="The run to compare it with.")],
    json: Annotated[bool, typer.Option("--json", help="The comparison as one JSON document.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="End with 1 if the findings differ.")] = False,
) -> None:
    """Show what changed between two runs, cause by cause, with the affected claims and sentences.

    `veritas why RUN ID` shows the whole chain of one item.
    """
    from veritas.claims.run_diff import diff_runs
    from veritas.use_cases.stored_graph import stored_graph

    found = diff_runs(stored_graph(first), stored_graph(second))
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
