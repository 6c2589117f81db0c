"""`veritas ask`: a question in short, and the evidence brief on the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veritas.cli._corpus_option import Corpora
from veritas.cli._json_lines import words_only
from veritas.cli.run_commands import carry_out
from veritas.use_cases.runners import Asked


def ask(
    question: Annotated[str, typer.Argument(help="Your question.", show_default=False)],
    corpus: Corpora = None,
    tier: Annotated[str, typer.Option("--tier", "-t", help="quick, standard or deep.")] = "quick",
    web: Annotated[bool, typer.Option("--web", help="Also search the web (always done without --corpus).")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for answer.md, graph.json and report.html.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The claim graph as JSON on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Ask a question: `veritas research` at the tier quick, with the answer and its sources alone on the terminal.

    Example: veritas ask "How do I set a timeout?" --corpus docs/
    """
    words_only(question, "a question", "name it with --corpus")
    asked = Asked(question=question, settings={"corpus": corpus, "tier": tier, "web": web})
    carry_out([asked], out=out, json=json, quiet=quiet, short=True)
