"""`veritas referee`: a paper's arithmetic, recomputed."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from typing import Annotated

import typer


def referee(
    asked: Annotated[
        str, typer.Argument(metavar="FILE|URL|WORDS", help="A file, a URL, an arXiv id, a DOI, or search words.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="The findings as JSON on stdout.")] = False,
) -> None:
    """Recompute a paper's arithmetic, over its whole text and every table; no model.

    Test statistics against p-values, confidence intervals against their estimate and p, counts against percentages,
    sums, groups and flow of participants, changes in words, means and standard deviations of whole numbers, odds and
    risk ratios, dates. Every finding shows its calculation, the rounding allowed, and what would have to be true for
    the paper to be right. Where a number can be read in two ways, nothing is said.

    Exit code 1 if numbers do not hold together.
    """
    from veritas.use_cases.papers import referee_paper

    found = asyncio.run(referee_paper(asked))
    if as_json:
        print(found.model_dump_json())
    else:
        from veritas.report.paper.findings_text import show_refereed

        width = min(shutil.get_terminal_size((100, 24)).columns, 100)
        print(show_refereed(found, width=width, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    if found.accused:
        raise typer.Exit(1)
