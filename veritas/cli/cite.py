"""`veritas cite`: from a claim to a citation with its artifact, or to a precise reason why not."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._artifacts_option import Artifacts
from veritas.cli._json_lines import words_only
from veritas.errors import InputError
from veritas.text.printable import printable

if TYPE_CHECKING:
    from veritas.use_cases.citations import Outcome

FORMATS = ("text", "bibtex", "csl-json", "ris", "cff")


def cite(
    claim: Annotated[str, typer.Argument(help="The statement that the paper must support, as a sentence.")],
    hint: Annotated[
        str | None,
        typer.Option("--hint", help="A DOI, arXiv id or PMID, a title, or an attribution: `Baruch et al., 2019`."),
    ] = None,
    root: Annotated[
        Path, typer.Option(metavar="DIR", help="The project's folder; the artifact is written below it.")
    ] = Path(),
    artifacts: Artifacts = "docs/citations",
    corpus: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="Your own copies of papers; read before any other.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help=f"What to print: {', '.join(FORMATS)}.")] = "text",
    model: Annotated[
        Path | None,
        typer.Option(metavar="COUNCIL", help="A council file whose writer proposes excerpts; default: no model."),
    ] = None,
    override: Annotated[
        str | None,
        typer.Option("--override", metavar="REASON", help="Write the artifact despite the gate's refusal, unsigned."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Your name for the override, recorded in the artifact.")
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="No network: use only the cache and --corpus.")] = False,
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A policy file in place of policies/citations.yaml.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Make a citation for a claim, with a verified artifact, or say precisely why not.

    Searches papers in scholarly indexes, triangulates authors, title and year between independent ones, and reads the
    text (your own copy, arXiv's HTML or PDF, an open copy, or only the abstract, marked as such). Passages that state
    the claim must occur in it word for word. Only then does the command write docs/citations/<slug>.md and print a
    citation.

    The verification gate decides last. A refused paper waits for a person: after `veritas approve ID` with a name and a
    reason, the same command cites it, with both in the artifact. --override skips this, is marked unsigned, and is
    refused if there is a roster of approvers.

    Exit code 1 if there is no citation: NoCandidates, TriangulationConflict, NoSupportingExcerpts, StandsNoMore,
    NotAdmitted; 3 if a source did not answer: RetriesExhausted.
    """
    import asyncio

    from veritas.use_cases.citations import cite as run

    if form not in FORMATS:
        raise InputError(f"--format {form}: use one of {', '.join(FORMATS)}")
    words_only(claim, "a claim", "write what the paper has to support, in a sentence")
    words_only(hint, "a hint", "give an id, a title or an attribution; your own copy of a paper goes to --corpus")
    asked = run(
        claim, hint, root=root, artifacts=artifacts, corpus=corpus or (), model=model, offline=offline,
        override_reason=override, override_name=name or "", policy=policy,
    )  # fmt: skip
    outcome = asyncio.run(asked)
    raise typer.Exit(_show(outcome, form, as_json))


def _show(outcome: Outcome, form: str, as_json: bool) -> int:
    """Print the outcome; return the exit code."""
    from veritas import Citation

    if isinstance(outcome, Citation):
        printed = outcome.printed(form)
        if as_json:
            document = {
                "cited": True,
                "citation": outcome.text,
                "artifact": outcome.path.as_posix(),
                "bibtex": outcome.bibtex,
                "flags": list(outcome.flags),
                "excerpts": [each.model_dump() for each in outcome.artifact.excerpts],
                "override": outcome.artifact.override_reason,
                "review": list(outcome.artifact.review),
                "form": form,
                "printed": printed,
            }
            print(json.dumps(document))
        else:
            print(printed.rstrip("\n"))
            print(f"artifact: {outcome.path}", file=sys.stderr)
            for flag in outcome.flags:
                print(f"flag: {flag}", file=sys.stderr)
            if outcome.artifact.override_reason:
                print(f"overridden: {printable(outcome.artifact.override_reason)}", file=sys.stderr)
            for note in outcome.artifact.review:
                print(f"to judge: {note}", file=sys.stderr)
        return 0
    if as_json:
        print(json.dumps(outcome.as_json()))
    else:
        print(f"veritas: no citation ({outcome.name}): {printable(outcome.reason)}", file=sys.stderr)
        for seen in outcome.candidates:
            who = ", ".join(seen.authors[:3])
            said = f"{seen.title} ({who}, {seen.year}; {seen.identifier}): {seen.why}"
            print(f"  seen: {printable(said)}", file=sys.stderr)
        if outcome.contrast:
            print(printable(outcome.contrast), file=sys.stderr)
    return 3 if outcome.name == "RetriesExhausted" else 1
