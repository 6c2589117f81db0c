"""`veritas demo`: a real question, real documents, planted bad sources, no key and no network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from veritas.cli.run_commands import carry_out
from veritas.use_cases.runners import Asked


def demo(
    question: Annotated[str | None, typer.Argument(help="Another question about the installed packages.")] = None,
    tier: Annotated[str, typer.Option("--tier", "-t", help="quick, standard or deep.")] = "deep",
    out: Annotated[Path | None, typer.Option(help="Folder for answer.md, graph.json and report.html.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The claim graph as JSON on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Answer a question from the documentation of the installed packages, with planted bad sources among it.

    The report's "show the work" names every planted source and says how it was caught.
    """
    from veritas.demo import QUESTION, collect_documentation, planted_folder
    from veritas.settings import home

    planted = planted_folder()
    installed = home() / "demo" / "installed-packages"
    count = collect_documentation(installed)
    asked = question or QUESTION
    if not quiet:
        bad = len(list(planted.glob("*.md")))
        print(f"Question:  {asked}", file=sys.stderr)
        print(f"Documents: documentation of {count} installed packages, {bad} planted bad sources", file=sys.stderr)
    settings = {"corpus": [installed, planted], "tier": tier}
    carry_out([Asked(question=asked, settings=settings)], out=out, json=json, quiet=quiet)
