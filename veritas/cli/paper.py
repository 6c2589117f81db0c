"""`veritas paper` and `referee`: a paper's argument, verified node by node and scored; its arithmetic."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veritas.cli._inputs import Corpora, Council, Quiet
from veritas.cli.runs import in_a_line, limits, print_list, report_of, stands_at
from veritas.errors import InputError, StoreUnavailable, Undecided
from veritas.text.visible import printable

if TYPE_CHECKING:
    from veritas import PaperAudit
    from veritas.use_cases.papers import Match


def paper(
    asked: Annotated[
        str | None, typer.Argument(metavar="FILE|URL|WORDS", help="A file, a URL, an arXiv id, a DOI, or search words.")
    ] = None,
    mode: Annotated[
        str | None, typer.Option("--mode", "-m", help="academic, journal, finance, or a YAML file of your own.")
    ] = None,
    corpus: Corpora = None,
    web: Annotated[
        bool, typer.Option("--web", help="Also check references at registries, and search the web.")
    ] = False,
    graphs: Annotated[
        int | None, typer.Option("--graphs", "-k", help="Number of readings of the argument (K).")
    ] = None,
    samples: Annotated[
        int | None, typer.Option("--samples", help="Number of assessments of a node by models (M).")
    ] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Maximum number of nodes of a graph.")] = None,
    rules: Annotated[str | None, typer.Option(help="Rule set of the score: veritas, paper or reference.")] = None,
    council: Council = None,
    policy: Annotated[Path | None, typer.Option(help="Another source policy.")] = None,
    verification: Annotated[
        Path | None, typer.Option(help="A file in place of policies/paper_verification.yaml.")
    ] = None,
    weights: Annotated[Path | None, typer.Option(help="A file in place of policies/scorer.yaml.")] = None,
    budget: Annotated[float | None, typer.Option(help="Maximum cost, in US dollars.", min=0)] = None,
    calls: Annotated[int | None, typer.Option(help="Maximum number of model calls, searches and pages.", min=1)] = None,
    seconds: Annotated[float | None, typer.Option(help="Maximum wall time, in seconds.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the sampled graphs.", min=0)] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Take the best match for the search words without asking.")
    ] = False,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="AUDIT", help="Continue an interrupted audit.")
    ] = None,
    replay: Annotated[
        str | None, typer.Option("--replay", metavar="AUDIT", help="Repeat an audit from the stage --from.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="STAGE", help="read, extract, verify, propagate, score or report.")
    ] = None,
    show: Annotated[str | None, typer.Option("--show", metavar="AUDIT", help="Show a stored audit.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the stored audits.")] = False,
    record: Annotated[Path | None, typer.Option(help="Record every model answer in this folder.")] = None,
    replay_calls: Annotated[Path | None, typer.Option(help="Take model answers from a recorded folder.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder of the report.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole audit as JSON on stdout.")] = False,
    quiet: Quiet = False,
) -> None:
    """Audit a paper: its argument as a graph, every node verified, trust propagated, and a score explained in parts.

    Every node is a sentence of the paper, word for word. It is checked against the paper itself, the works it cites,
    --corpus, and with --web the scholarly registries and the web; with keys, models read and assess, without any the
    embedded member does. Every stage is stored: --resume continues an interrupted audit, --replay repeats one from a
    stage, with other settings.

    Exit code 1 if no argument could be read in it, or the search words match several papers; 3 if no model of the
    council answered, or with --web nothing on the web.
    """
    if listed:
        _list(as_json)
        return
    given = [name for name, value in (("PAPER", asked), ("--resume", resume), ("--replay", replay), ("--show", show))
             if value is not None]  # fmt: skip
    if len(given) != 1:
        said = "both " + " and ".join(given) if given else "no paper"
        raise InputError(
            f"{said}: name one paper (file, URL, arXiv id, DOI or words), or give --resume, --replay or --show"
        )
    if (replay is None) != (start is None):
        raise InputError("--replay and --from belong together: which audit, and from which stage")
    from veritas.cli.run_commands import check_out, keep_calls

    _none_ignored(show, resume, {
        "--mode": mode, "--corpus": corpus, "--web": web or None, "--graphs": graphs, "--samples": samples,
        "--nodes": nodes, "--rules": rules, "--council": council, "--policy": policy, "--verification": verification,
        "--weights": weights, "--seed": seed, "--budget": budget, "--calls": calls, "--seconds": seconds,
    })  # fmt: skip
    check_out(out)
    keep_calls(record, replay_calls)
    settings: dict[str, Any] = {
        "mode": mode, "corpus": corpus, "web": web or None, "graphs": graphs, "samples": samples, "nodes": nodes,
        "rules": rules, "council": council, "policy": policy, "verification": verification, "weights": weights,
        "seed": seed, "budget": limits(usd=budget, calls=calls, seconds=seconds),
    }  # fmt: skip
    audit = _carried_out(asked, resume, replay, start, show, settings, yes, as_json, quiet)
    report, unwritten = report_of(audit, out)
    print_audit(audit, report, as_json=as_json)
    if unwritten is not None:
        again = f"The audit itself is stored: veritas paper --show {audit.audit_id} writes its report"
        raise StoreUnavailable(f"{unwritten}. {again}")
    if not quiet:
        for event in [e for e in audit.events if e.kind in _TOLD][:6]:
            print(f"veritas: {event.kind.replace('-', ' ')}: {event.subject}: {event.reason}", file=sys.stderr)
    if audit.unheard is not None and show is None:
        print(f"veritas: unavailable: {printable(audit.unheard)}", file=sys.stderr)
        raise typer.Exit(3)
    if audit.primary is None:
        raise typer.Exit(1)


def _none_ignored(show: str | None, resume: str | None, given: Mapping[str, Any]) -> None:
    """Refuse settings that would be silently ignored: a stored audit is shown as it is, and resumed as it was begun."""
    named = [name for name, value in given.items() if value]
    if named and show is not None:
        raise InputError(f"{named[0]} has no effect with --show: veritas paper --replay {show} --from STAGE repeats it")
    if named and resume is not None:
        raise InputError(
            f"{named[0]} has no effect with --resume, which keeps the audit's settings: finish it, then "
            f"veritas paper --replay {resume} --from STAGE {named[0]} …"
        )


_TOLD = frozenset({
    "extractor-unavailable", "extractor-fallback", "assessor-unavailable", "budget-degraded", "instruction-ignored",
    "abstract-only", "one-family", "paper-standing", "budget-reached", "language",
    "parts-missing",
})  # fmt: skip


def _carried_out(
    asked: str | None,
    resume: str | None,
    replay: str | None,
    start: str | None,
    show: str | None,
    settings: dict[str, Any],
    yes: bool,
    as_json: bool,
    quiet: bool,
) -> PaperAudit:
    import asyncio

    from veritas.cli.run_commands import ConsoleProgress
    from veritas.use_cases import papers

    progress = None if quiet else ConsoleProgress()
    if show is not None:
        return papers.load_paper_audit(show)
    if resume is not None:
        return asyncio.run(papers.resume_paper_audit(resume, progress=progress))
    if replay is not None:
        stage: Any = start
        return asyncio.run(papers.replay_paper_audit(replay, stage, changes=settings, progress=progress))
    assert asked is not None
    confirm = _confirm if not as_json and not yes and sys.stdin.isatty() else None
    given = {name: value for name, value in settings.items() if value is not None}
    try:
        return asyncio.run(papers.audit_paper(asked, **given, confirm=confirm, yes=yes, progress=progress))
    except Undecided as undecided:
        from veritas.report.paper.audit_text import show_candidates

        if as_json:
            found = [candidate.model_dump(mode="json") for candidate in undecided.candidates]
            print(json.dumps({"error": str(undecided), "candidates": found}))
        else:
            print(show_candidates(undecided.candidates), file=sys.stderr)
        print(f"veritas: {undecided}", file=sys.stderr)
        raise typer.Exit(1) from None


def _confirm(match: Match) -> bool:
    """Show the papers that the words may mean, and ask for confirmation."""
    from veritas.report.paper.audit_text import show_candidates

    print(f"{match.query!r} may be:\n{show_candidates((match.chosen, *match.others))}", file=sys.stderr)
    return typer.confirm("Audit the first?", default=match.decisive, err=True)


def print_audit(audit: PaperAudit, report: Path | None, *, as_json: bool) -> None:
    """Print the audit: its summary and the path of its report, or the whole as JSON and nothing else."""
    if as_json:
        print(audit.model_dump_json())
        return
    from veritas.report.paper.audit_text import show_audit

    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    print(show_audit(audit, width=width, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    print(f"\nReport: {report or 'not written'}\nAudit:  {audit.audit_id}")


def _list(as_json: bool) -> None:
    from veritas.settings import home
    from veritas.use_cases.papers import list_paper_audits

    none = f"no audits in {home() / 'papers'}: begin one with veritas paper FILE"
    print_list(list_paper_audits(), as_json, none, lambda each: (
        f"{each.audit_id}  {each.status:<11} {'  – ' if each.score is None else f'{each.score:.2f}'}  "
        f"{in_a_line(each.title or each.asked or each.problem or '')}"
        f"{' (no score: nothing was verified)' if each.scored and each.score is None else ''}"
        f"{stands_at(each.stage, each.stage_since)}"
    ))  # fmt: skip


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
