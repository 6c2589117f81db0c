"""`veritas check`: every citation in code and prose checked against the artifacts, mechanically, in under a second."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._artifacts_option import Artifacts, CitationMap
from veritas.errors import Unavailable
from veritas.text.plural import plural
from veritas.text.printable import printable

if TYPE_CHECKING:
    from veritas.use_cases.citations import Report


def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH]...", help="Files or folders; by default the current folder.")
    ] = None,
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The project's root; by default searched above the first path.")
    ] = None,
    artifacts: Artifacts = "docs/citations",
    citation_map: CitationMap = None,
    keys_only: Annotated[
        bool, typer.Option("--keys-only", help="A key passes that a bibliography of the project lists.")
    ] = False,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write SARIF; - for standard output.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail the check as well.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Check that every citation resolves to a valid artifact.

    Reads comments of source code in any language (links to docs/citations/…, research: notes), footnotes, links and
    @keys in Markdown, and \\cite in LaTeX. Each artifact must have valid frontmatter, a
    matching hash, excerpts that occur verbatim in the stored text (if it is stored), and a verification within the last
    365 days. No model, no network; .gitignore is respected. Exit code 1 if anything is wrong.
    """
    from veritas.use_cases.citations import check as run

    report = run(paths or [Path()], root=root, artifacts=artifacts, citation_map=citation_map, keys_only=keys_only)
    to_stdout = sarif is not None and str(sarif) == "-"
    if sarif is not None:
        _write_sarif(report, sarif)
    if as_json and not to_stdout:
        print(
            json.dumps(
                {
                    "ok": report.ok,
                    "root": report.root,
                    "files": report.files,
                    "links": report.links,
                    "artifacts": report.artifacts,
                    "listed": report.listed,
                    "seconds": report.seconds,
                    "findings": [finding.as_json() for finding in report.findings],
                }
            )
        )
    elif not to_stdout:
        _print(report)
    if report.failed or (strict and report.findings):
        raise typer.Exit(1)
    if report.unread:
        raise typer.Exit(Unavailable.exit_code)


def _print(report: Report) -> None:
    for found in report.findings:
        level = "unknown" if found.not_read else found.level
        said = f"{found.path}:{found.line}:{found.column}: {level}: {found.message} [{found.rule}]"
        print(printable(said))
    counted = [plural(report.links, "citation"), plural(report.artifacts, "artifact"), plural(report.files, "file")]
    counts = f"{', '.join(counted)}, {report.seconds:.2f} s"
    errors = sum(found.level == "error" for found in report.findings)
    warnings = len(report.findings) - errors - report.unread
    none_kept = any(found.rule == "keeps-none" for found in report.findings)
    held = "all citations hold; " if report.links else "no citation was found; "
    held = "every key leads to an artifact or is listed; " if report.listed else held
    said = f"{plural(errors, 'error')}, {plural(warnings, 'warning')}; " if report.findings else held
    said += f"{plural(report.listed, 'key')} listed in a bibliography, and not looked up; " if report.listed else ""
    said += "citations not looked up; " if none_kept else ""
    doubted = sum(found.rule == "doubted" for found in report.findings)
    unread = report.unread - none_kept - doubted
    said += f"{unread} not read; " if unread else ""
    said += f"{doubted} in doubt; " if doubted else ""
    print(said + counts, file=sys.stderr)


def _write_sarif(report: Report, path: Path) -> None:
    from veritas.report.citation_check import as_sarif

    text = as_sarif(report)
    if str(path) == "-":
        print(text)
        return
    from veritas.files import write_whole

    write_whole(path, text + "\n")
