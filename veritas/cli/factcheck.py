"""`veritas factcheck`: any text, statement by statement, against the sources it cites."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._corpus_option import Corpora
from veritas.errors import InputError

if TYPE_CHECKING:
    from veritas import FactCheck


def factcheck(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL|-",
            help="Markdown, HTML, DOCX, PDF, LaTeX, text, or a conversation's export in JSON; - for standard input.",
        ),
    ],
    sources: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The text's list of sources, kept beside it.")
    ] = None,
    corpus: Corpora = None,
    recorded: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Recorded pages, with a manifest.json; nothing else is asked."),
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Do not ask the web.")] = False,
    search: Annotated[bool, typer.Option("--search", help="Look for statements without a citation.")] = False,
    mend: Annotated[
        Path | None, typer.Option("--mend", metavar="FILE", help="Write a corrected draft: only what failed changes.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report: HTML, or Markdown for a name in .md.")
    ] = None,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SARIF.")] = None,
    policy: Annotated[Path | None, typer.Option(help="Source policy (default: policies/source_tiers.yaml).")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Check any text, statement by statement, against the sources it cites.

    Verdicts: supported, partly, contradicted, not in the source, unreachable, mark without a source, uncited, cannot
    tell; each with the passage of the source that it rests on. Each page is read once. The source policy stops
    nothing: a source's tier stands beside the verdict. A page that could not be read says nothing for or against.

    Exit code 1 if a statement is contradicted, not or only partly in its source, or has a mark without a source; 3 if
    none is, but nothing could be checked.
    """
    from veritas import check_facts
    from veritas.factcheck.checking import Told
    from veritas.report import factcheck_report as reports
    from veritas.use_cases.factchecks import mend_facts

    told = Told() if quiet else _progress()
    beside = _list(sources)
    given = {"file": file} if file != "-" else {"text": _standard_input()}
    check = check_facts(
        **given, sources=beside, corpus=corpus or (), recorded=recorded, offline=offline, search=search, policy=policy,
        told=told,
    )  # type: ignore[arg-type]  # fmt: skip
    mended = mend_facts(check) if mend is not None else None
    _write(check, report, sarif, file)
    if mend is not None and mended is not None:
        from veritas.files import write_whole

        write_whole(mend, mended.text)
    if as_json:
        print(json.dumps(reports.as_json(check, mended)))
    else:
        print(check.headline)
        for statement in check.worst_first:
            if statement.verdict != "supported":
                print(reports.line(check, statement))
        for note in check.notes:
            print(note)
        for rate in check.rates:
            print(reports.said_of(rate), file=sys.stderr)
    if check.has_findings:
        raise typer.Exit(1)
    if not check.was_checked:
        raise typer.Exit(3)
