"""Citations: `veritas cite`, `triangulate` and `audit`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veritas.cli._inputs import Artifacts, CitationsPolicy, OneJson, Quiet, given_lines, record_of, words_only
from veritas.errors import InputError
from veritas.text.visible import printable

if TYPE_CHECKING:
    from veritas import Triangulation
    from veritas.use_cases.citations import Audited, Checked, Outcome, Rule, TriangulationPolicy

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
    policy: CitationsPolicy = None,
    as_json: OneJson = False,
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
        told=lambda said: print(f"{printable(said)} …", file=sys.stderr, flush=True),
    )  # fmt: skip
    outcome = asyncio.run(asked)
    raise typer.Exit(_show(outcome, form, as_json))


def _show(outcome: Outcome, form: str, as_json: bool) -> int:
    """Print the outcome; return the exit code."""
    from veritas import Citation

    if isinstance(outcome, Citation):
        printed = outcome.printed(form)
        if as_json:
            print(json.dumps({**outcome.as_json(), "form": form, "printed": printed}))
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


_WANTED = "an object of id, primary, secondary and, if there is one, cited"


def triangulate(
    file: Annotated[
        str, typer.Argument(help="JSON lines of {id, cited?, primary, secondary}; - (or nothing) for standard input.")
    ] = "-",
    rule: Annotated[
        str | None, typer.Option("--rule", help="work-aware or strict; default: the policy's rule.")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", help="A policy file in place of policies/triangulation.yaml.")
    ] = None,
    fail_on_conflict: Annotated[
        bool, typer.Option("--fail-on-conflict", help="Exit with 1 if any pair is not verified.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines and nothing else.")] = False,
) -> None:
    """Decide whether two bibliographic records describe the same work.

    Each input line {id, cited?, primary: {source, record}, secondary: {source, record}} gives one verdict {id,
    verified, same_work, conflicts, notes, rule}, in input order, written as soon as it is known. A record is what the
    API returned: semantic_scholar, openalex, crossref, arxiv, datacite, dblp; or bibtex, an object of fields. Without a
    second source, secondary is null. A record that cannot be read is not verified; a line that cannot be read ends the
    command with exit code 2; earlier output stays.
    """
    from veritas.use_cases.citations import triangulation_policy

    settings = triangulation_policy(policy)
    chosen = _rule(rule)
    failed = False
    with given_lines(file) as lines:
        for name, number, line in lines:
            place = f"{name}:{number}"
            pair = _pair(place, line)
            verdict = _judge(place, pair, settings, chosen)
            failed = failed or not verdict.verified
            print(_json(pair["id"], verdict) if as_json else _text(pair["id"], verdict), flush=True)
    if failed and fail_on_conflict:
        raise typer.Exit(1)


def _rule(name: str | None) -> Rule | None:
    if name is None or name == "strict" or name == "work-aware":
        return name  # type: ignore[return-value]
    raise InputError(f"--rule {name}: there is no such rule; use work-aware or strict")


def _pair(place: str, line: bytes) -> dict[str, Any]:
    pair = record_of(place, line, _WANTED, ("id", "primary", "secondary"))
    for key in ("primary", "secondary"):
        side = pair[key]
        if key == "secondary" and side is None:
            continue
        if not isinstance(side, dict) or not isinstance(side.get("source"), str) or "record" not in side:
            raise InputError(f"{place}: {key!r} must be an object of source and record")
    return pair


def _judge(place: str, pair: dict[str, Any], policy: TriangulationPolicy, rule: Rule | None) -> Triangulation:
    from veritas.use_cases.citations import triangulate

    try:
        return triangulate(pair["primary"], pair["secondary"], pair.get("cited"), policy=policy, rule=rule)
    except InputError as error:
        raise InputError(f"{place}: {error}") from error


def _json(given: Any, verdict: Triangulation) -> str:
    """Return one line, in ASCII: no line separator of Unicode can cut it in two for a careless reader."""
    return json.dumps({"id": given, **verdict.model_dump(mode="json", exclude={"independent"})})


def _text(given: Any, verdict: Triangulation) -> str:
    said = "verified" if verdict.verified else "not verified, the same work" if verdict.same_work else "not verified"
    name = given if isinstance(given, str) and given.isprintable() else json.dumps(given)
    lines = [f"{name}: {said}"]
    lines += [
        f"  conflict  {conflict.field}: {json.dumps(conflict.primary, ensure_ascii=False)} against "
        f"{json.dumps(conflict.secondary, ensure_ascii=False)}"
        for conflict in verdict.conflicts
    ]
    lines += [f"  note      {note}" for note in verdict.notes]
    return "\n".join(lines).encode("utf-8", "backslashreplace").decode("utf-8")


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
    policy: CitationsPolicy = None,
    quiet: Quiet = False,
    as_json: OneJson = False,
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
    from veritas.report.citation_audit import line
    from veritas.report.citation_audit import registry_json as document_of
    from veritas.use_cases.citations import check_registries

    def done(checked: Checked) -> None:
        if not quiet:
            print(line(checked), file=sys.stderr if as_json else sys.stdout, flush=True)

    found = await check_registries(policy=policy, done=done)
    document = document_of(found)
    if as_json:
        print(json.dumps(document))
    return 1 if document["broken"] else 3 if document["unavailable"] else 0
