"""`veritas audit`: changes to the papers behind a project's citations since they were verified."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._artifacts_option import Artifacts

if TYPE_CHECKING:
    from veritas.use_cases.citations import Audited, Checked


def audit(
    root: Annotated[Path, typer.Argument(metavar="[DIR]", help="The project's folder.")] = Path(),
    artifacts: Artifacts = "docs/citations",
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an HTML report.")] = None,
    diff: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the proposed changes as a patch.")] = None,
    contract: Annotated[
        bool, typer.Option("--contract", help="Check instead whether the registries still answer in the known form.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start again instead of continuing an interrupted audit.")
    ] = False,
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A policy file in place of policies/citations.yaml.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Find what went wrong with a project's citations since they were verified.

    Triangulates every artifact's identifiers again against current data: retractions, expressions of concern,
    corrections, identifiers that moved or lead to another paper, dead links, authors, titles and years that were
    corrected upstream. Rate limits are kept; an interrupted audit resumes where it stopped. Exit code 1 if anything was
    found; 2 if there is nothing to audit; 3 if nothing was found, but a registry did not answer.

    With --contract the command checks the registries instead of a project: it asks each a few real questions about
    well-known papers. Exit code 1 if one answers in another form than before; 3 if none does, but one did not answer.
    """
    import asyncio

    if contract:
        raise typer.Exit(asyncio.run(_contracts(policy, quiet, as_json)))
    from veritas.files import write_whole
    from veritas.report.citation_audit import as_diff, as_html, lines, summary
    from veritas.report.citation_audit import as_json as document
    from veritas.use_cases.citations import audit_citations

    def done(audited: Audited, count: int, total: int) -> None:
        if not quiet:
            print(f"[{count}/{total}] {audited.path}", file=sys.stderr, flush=True)

    found = asyncio.run(audit_citations(root, artifacts=artifacts, fresh=fresh, policy=policy, done=done))
    if report is not None:
        write_whole(report, as_html(found))
    if diff is not None:
        write_whole(diff, as_diff(found))
    if as_json:
        print(json.dumps(document(found)))
    else:
        for each in found.artifacts:
            for line in lines(each):
                print(line)
        print(summary(found), file=sys.stderr)
    if found.failed:
        raise typer.Exit(1)
    if not found.complete:
        raise typer.Exit(3)


async def _contracts(policy: Path | None, quiet: bool, as_json: bool) -> int:
    """Check the registries' contracts, print the result, and return the exit code."""
    from veritas.report.registry_check import as_json as document_of
    from veritas.report.registry_check import line
    from veritas.use_cases.citations import check_registries

    def done(checked: Checked) -> None:
        if not quiet:
            print(line(checked), file=sys.stderr if as_json else sys.stdout, flush=True)

    found = await check_registries(policy=policy, done=done)
    document = document_of(found)
    if as_json:
        print(json.dumps(document))
    return 1 if document["broken"] else 3 if document["unavailable"] else 0
