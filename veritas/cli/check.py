"""`veritas check`: citations checked mechanically; `veritas guard`: a proposed edit, as a hook for coding agents."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._inputs import Artifacts, CitationMap, CitationsPolicy, OneJson
from veritas.editor.agent_answers import Agent
from veritas.errors import Unavailable
from veritas.text.plural import plural
from veritas.text.visible import printable

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
    as_json: OneJson = False,
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
        print(json.dumps(report.as_json()))
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
    unread = report.unread - none_kept
    said += f"{unread} not read; " if unread else ""
    print(said + counts, file=sys.stderr)


def _write_sarif(report: Report, path: Path) -> None:
    from veritas.report.citation_audit import as_sarif

    text = as_sarif(report)
    if str(path) == "-":
        print(text)
        return
    from veritas.files import write_whole

    write_whole(path, text + "\n")


def guard(
    hook: Annotated[
        Agent | None, typer.Option("--hook", help="Answer in the form of this agent's hooks, with exit code 0.")
    ] = None,
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The project's root; by default searched above the edited file.")
    ] = None,
    artifacts: Artifacts = "docs/citations",
    citation_map: CitationMap = None,
    policy: CitationsPolicy = None,
    online: Annotated[
        bool, typer.Option("--online", help="Ask the registries about references that are not in the cache.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop what nothing is known of as well.")] = False,
    as_json: OneJson = False,
) -> None:
    """Check a proposed edit, read from standard input, for citations that it brings in and that do not hold.

    Reads the JSON that Claude Code, Codex, Cursor, Gemini CLI and Copilot give their hooks, {"path", "old", "new"}, a
    unified diff, or a patch of an agent. What was wrong before the edit is not held against it. Uses the artifacts, the
    bibliographies and the answers that `veritas bib` kept; no network unless --online.

    Exit code 0 if nothing wrong is brought in; 1, with the reason on standard error, for a citation that does not
    resolve, an altered quotation, or a fabricated, misattributed or retracted reference; 3 if nothing here tells, and
    for an edit that was not read whole, so not checked; 2 for input that is no edit.
    """
    import asyncio
    import gc

    from veritas.editor.agent_answers import answer, answer_unread, brought_json, exit_code, told
    from veritas.editor.edit_forms import read_edits
    from veritas.editor.passages import MAX_INPUT, NotReadWhole
    from veritas.errors import VeritasError
    from veritas.use_cases.writing import guard_edits

    gc.set_threshold(100_000, 50, 100)  # a fifth of the time of a page with thousands of citations
    text = sys.stdin.buffer.read(4 * MAX_INPUT).decode("utf-8", "replace")
    try:
        found = asyncio.run(
            guard_edits(
                read_edits(text), root=root, artifacts=artifacts, citation_map=citation_map, online=online,
                policy=policy,
            )
        )  # fmt: skip
    except VeritasError as error:
        # A guard that cannot read an edit knows nothing against it, but somebody should know that it was not checked.
        if hook is not None:
            print(answer_unread(hook, _event(text), str(error)))
            return
        if not isinstance(error, NotReadWhole):
            raise
        if as_json:
            print(json.dumps({"exit_code": 1 if strict else 3, "found": [], "not_checked": str(error)}))
        print(f"this edit was not checked: {printable(str(error))}", file=sys.stderr)
        raise typer.Exit(1 if strict else 3) from error
    code = exit_code(found, strict=strict)
    said = told(found, code)
    if hook is not None:
        print(answer(hook, _event(text), code, said))
        return
    if as_json:
        print(json.dumps({"exit_code": code, "found": [brought_json(each) for each in found]}))
    if said:
        print(said, file=sys.stderr)
    if code:
        raise typer.Exit(code)


def _event(text: str) -> str:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    return str(given.get("hook_event_name") or "") if isinstance(given, dict) else ""
