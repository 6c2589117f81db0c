"""`veritas guard`: whether a proposed edit brings in a citation that does not hold; a hook for coding agents."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from veritas.cli._artifacts_option import Artifacts, CitationMap
from veritas.editor.agent_answers import Agent
from veritas.text.printable import printable


def guard(
    hook: Annotated[
        Agent | None, typer.Option("--hook", help="Answer in the form of this agent's hooks, with exit code 0.")
    ] = None,
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The project's root; by default searched above the edited file.")
    ] = None,
    artifacts: Artifacts = "docs/citations",
    citation_map: CitationMap = None,
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A policy file in place of policies/citations.yaml.")
    ] = None,
    online: Annotated[
        bool, typer.Option("--online", help="Ask the registries about references that are not in the cache.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop what nothing is known of as well.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
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
