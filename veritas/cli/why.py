"""`veritas why`: the chain that let a sentence, a claim or a source of a run in, or left it out."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer


def why(
    run: Annotated[str, typer.Argument(help="The id of a run, a beginning of it, or `latest`.")],
    asked: Annotated[
        str,
        typer.Argument(help="A sentence, claim or title, or a piece of one; a URL; an id; or [n] of the answer."),
    ],
    json: Annotated[bool, typer.Option("--json", help="The chain as one JSON document.")] = False,
) -> None:
    """Show why something is in an answer or not: each step from hit to sentence, with its rule, judge and words.

    If several items match, they are listed by id; at a terminal you are asked which one you mean.

    Example: veritas why latest "[1]"
    """
    from veritas.claims.chain import Chains
    from veritas.report.why_text import render_why
    from veritas.use_cases.stored_graph import stored_graph
    from veritas.use_cases.why import Ambiguous, why_in

    graph = stored_graph(run)
    try:
        chain = why_in(graph, asked)
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
