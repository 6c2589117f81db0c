"""`veritas factcheck`: any text, statement by statement, against the sources it cites."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._inputs import Corpora, OneJson, Quiet, SourcePolicy
from veritas.errors import InputError
from veritas.text.plural import plural
from veritas.text.visible import printable

if TYPE_CHECKING:
    from veritas import FactCheck
    from veritas.use_cases.factchecks import Source, Told


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
    council: Annotated[
        str | None,
        typer.Option(help="A council file, or a built-in council's name, for what the embedded judge cannot tell."),
    ] = None,
    budget: Annotated[float | None, typer.Option(help="Maximum cost of the council, in US dollars.", min=0)] = None,
    mend: Annotated[
        Path | None, typer.Option("--mend", metavar="FILE", help="Write a corrected draft: only what failed changes.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report: HTML, or Markdown for a name in .md.")
    ] = None,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SARIF.")] = None,
    policy: SourcePolicy = None,
    quiet: Quiet = False,
    as_json: OneJson = False,
) -> None:
    """Check any text, statement by statement, against the sources it cites.

    Verdicts: supported, partly, contradicted, not in the source, unreachable, mark without a source, uncited, cannot
    tell; each with the passage of the source that it rests on. Each page is read once. The source policy stops
    nothing: a source's tier stands beside the verdict. A page that could not be read says nothing for or against.
    No language model is asked without --council; then a forecast of its cost comes first, and no answer is paid twice.

    Exit code 1 if a statement is contradicted, not or only partly in its source, or has a mark without a source; 3 if
    none is, but nothing could be checked.
    """
    from veritas import check_facts
    from veritas.report import factcheck_report as reports
    from veritas.use_cases.factchecks import Told, mend_facts

    if sources is not None and not sources.is_file():
        raise InputError(f"--sources {sources}: there is no such file")
    if budget is not None and council is None:
        raise InputError("--budget goes with --council: nothing else costs money")
    check = check_facts(
        _standard_input() if file == "-" else None, file=file if file != "-" else None, sources=sources,
        corpus=corpus or (), recorded=recorded, offline=offline, search=search, council=council, budget=budget,
        policy=policy, told=Told() if quiet else _progress(),
    )  # fmt: skip
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


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"standard input is not UTF-8 text: {error.reason} at byte {error.start}") from error


def _progress() -> Told:
    """Return what tells the progress on stderr: each page as it is read, then every tenth part of the statements."""
    from veritas.report.factcheck_report import could_not_be_read
    from veritas.use_cases.factchecks import Told

    total, count = 0, 0

    def begun(pages: int, statements: int) -> None:
        nonlocal total
        total = statements
        print(f"{plural(statements, 'statement')}, {plural(pages, 'page')} to read", file=sys.stderr, flush=True)

    def read(source: Source) -> None:
        said = could_not_be_read(source.problem) if source.problem else "read"
        print(printable(f"{source.url}: {said}"), file=sys.stderr, flush=True)

    def judged(statement: object) -> None:
        nonlocal count
        count += 1
        if count == total or count % max(1, total // 10) == 0:
            print(f"{count}/{total}", file=sys.stderr, flush=True)

    def forecast(said: str) -> None:
        print(printable(said), file=sys.stderr, flush=True)

    return Told(begun, read, judged, forecast)


def _write(check: FactCheck, report: Path | None, sarif: Path | None, name: str) -> None:
    from veritas.files import write_whole
    from veritas.report.factcheck_report import as_html, as_markdown, as_sarif
    from veritas.use_cases.factchecks import mend_facts

    if report is not None and report.suffix.lower() in (".md", ".markdown"):
        write_whole(report, as_markdown(check, mend_facts(check)))
    elif report is not None:
        write_whole(report, as_html(check, f"{datetime.now(UTC):%Y-%m-%d %H:%M UTC}", mend_facts(check)))
    if sarif is not None:
        write_whole(sarif, as_sarif(check, "text" if name == "-" else name) + "\n")
