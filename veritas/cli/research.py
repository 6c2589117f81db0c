"""`veritas research`, `ask`, `demo` and `replay`: runs that are made."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from veritas.cli._inputs import Corpora, Council, NoPreflight, Quiet, SourcePolicy, words_only
from veritas.cli.run_commands import carry_out, keep_calls
from veritas.errors import InputError
from veritas.long_waits import told_of_no_progress
from veritas.use_cases.runners import Asked


def research(
    question: Annotated[str | None, typer.Argument(help="Your question.", show_default=False)] = None,
    corpus: Corpora = None,
    tier: Annotated[str, typer.Option("--tier", "-t", help="quick, standard or deep.")] = "standard",
    policy: SourcePolicy = None,
    council: Council = None,
    budget: Annotated[float | None, typer.Option(help="Maximum cost, in US dollars.", min=0)] = None,
    max_calls: Annotated[int | None, typer.Option(help="Maximum number of turns and searches.", min=1)] = None,
    max_seconds: Annotated[
        float | None, typer.Option(help="Maximum time to wait for answers, in seconds.", min=0.1)
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Only sources dated on or after this day; none without a date."),
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="Also search the web (always done without --corpus).")] = False,
    seed: Annotated[int, typer.Option(help="The seed decides which member uses which search providers.", min=0)] = 0,
    questions: Annotated[
        Path | None, typer.Option(help="A file with one question per line, answered in order.")
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Continue an interrupted run (its id, or `latest`).")] = None,
    record: Annotated[
        Path | None, typer.Option(help="Record all answers of models and the web in this folder.")
    ] = None,
    replay_calls: Annotated[Path | None, typer.Option(help="Take all answers from a recorded folder.")] = None,
    no_preflight: NoPreflight = False,
    forecast: Annotated[
        bool, typer.Option("--forecast", help="Only print the expected cost and time; no model is asked.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for answer.md, graph.json and report.html.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The claim graph as JSON on stdout, one line per run.")] = False,
    quiet: Quiet = False,
) -> None:
    """Answer a question so that every claim traces to a verbatim passage of an admitted source.

    Example: veritas research "How are failed tasks retried?" --corpus docs/ --tier deep
    """
    if sum(x is not None for x in (question, questions, resume)) != 1:
        raise InputError("give one of: a question, --questions FILE, or --resume RUN")
    words_only(question, "a question", "name it with --corpus (documents) or --questions (a question a line)")
    settings = {
        "corpus": corpus,
        "tier": tier,
        "policy": policy,
        "council": council,
        "budget": {"usd": budget, "calls": max_calls, "seconds": max_seconds},
        "since": since.date() if since else None,
        "web": web,
        "seed": seed,
    }
    if forecast:
        return _foresee(question, settings, json)
    asked: list[Asked]
    checked = not no_preflight
    documents = None
    if resume is not None:
        _none_ignored(resume, {
            "--corpus": corpus, "--tier": tier != "standard", "--policy": policy, "--council": council,
            "--budget": budget is not None, "--max-calls": max_calls, "--max-seconds": max_seconds, "--since": since,
            "--web": web, "--seed": seed,
        })  # fmt: skip
        asked = [Asked(resume=resume, preflight=checked)]
    elif questions is not None:
        asked = [Asked(question=line, settings=settings, preflight=checked) for line in read_questions(questions)]
    else:
        asked = [Asked(question=question, settings=settings, preflight=checked)]
    keep_calls(record, replay_calls)
    with told_of_no_progress() if quiet else nullcontext():
        if questions is not None and corpus:
            from veritas.use_cases.runs import read_documents

            documents = read_documents(corpus)
        carry_out(asked, out=out, json=json, quiet=quiet, corpus=documents)


def _none_ignored(resume: str, given: dict[str, Any]) -> None:
    """Refuse settings that would be silently ignored: a run is resumed as it was begun."""
    named = [name for name, value in given.items() if value]
    if named:
        raise InputError(
            f"{named[0]} has no effect with --resume, which keeps the run's settings: start a new run, or, for another "
            f"tier, policy, council, budget or seed, veritas replay {resume} --from STAGE"
        )


def _foresee(question: str | None, settings: dict[str, Any], json: bool) -> None:
    """Print the forecast of the run (`--forecast`)."""
    if question is None:
        raise InputError("--forecast goes with a question")
    from veritas.use_cases import runs

    found = runs.forecast(runs.make_request(question=question, **settings))
    free = f"forecast: nothing is asked that costs anything, {found.seconds[0]:,.0f} to {found.seconds[1]:,.0f} s"
    print(found.model_dump_json() if json else found.said or f"{free} ({found.basis})")


def read_questions(path: Path) -> list[str]:
    """Return the questions of a file, one a line; blank lines and lines that begin with # are skipped."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--questions {path} cannot be read: {error}") from error
    found = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise InputError(f"--questions {path} holds no question: write one a line")
    return found


def ask(
    question: Annotated[str, typer.Argument(help="Your question.", show_default=False)],
    corpus: Corpora = None,
    tier: Annotated[str, typer.Option("--tier", "-t", help="quick, standard or deep.")] = "quick",
    web: Annotated[bool, typer.Option("--web", help="Also search the web (always done without --corpus).")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for answer.md, graph.json and report.html.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The claim graph as JSON on stdout.")] = False,
    quiet: Quiet = False,
) -> None:
    """Ask a question: `veritas research` at the tier quick, with the answer and its sources alone on the terminal.

    Example: veritas ask "How do I set a timeout?" --corpus docs/
    """
    words_only(question, "a question", "name it with --corpus")
    asked = Asked(question=question, settings={"corpus": corpus, "tier": tier, "web": web})
    carry_out([asked], out=out, json=json, quiet=quiet, short=True)


def demo(
    question: Annotated[str | None, typer.Argument(help="Another question about the installed packages.")] = None,
    tier: Annotated[str, typer.Option("--tier", "-t", help="quick, standard or deep.")] = "deep",
    out: Annotated[Path | None, typer.Option(help="Folder for answer.md, graph.json and report.html.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The claim graph as JSON on stdout.")] = False,
    quiet: Quiet = False,
) -> None:
    """Answer a question from the documentation of the installed packages, with planted bad sources among it.

    The report's "show the work" names every planted source and says how it was caught.
    """
    from veritas.demo import QUESTION, collect_documentation, planted_folder
    from veritas.settings import home

    planted = planted_folder()
    installed = home() / "demo" / "installed-packages"
    count = collect_documentation(installed)
    asked = question or QUESTION
    if not quiet:
        bad = len(list(planted.glob("*.md")))
        print(f"Question:  {asked}", file=sys.stderr)
        print(f"Documents: documentation of {count} installed packages, {bad} planted bad sources", file=sys.stderr)
    settings = {"corpus": [installed, planted], "tier": tier}
    carry_out([Asked(question=asked, settings=settings)], out=out, json=json, quiet=quiet)


def replay(
    run: Annotated[str, typer.Argument(help="The run's id or its beginning, or `latest`.")],
    start: Annotated[
        str,
        typer.Option("--from", help="decompose, research, extract, verify, debate, synthesize or render."),
    ],
    tier: Annotated[str | None, typer.Option("--tier", "-t", help="Another cost tier.")] = None,
    policy: Annotated[Path | None, typer.Option(help="Another source policy.")] = None,
    council: Annotated[
        str | None, typer.Option(help="Another council: a file, or the name of a built-in council.")
    ] = None,
    budget: Annotated[float | None, typer.Option(help="Another budget, in US dollars.", min=0)] = None,
    max_calls: Annotated[int | None, typer.Option(help="Another limit of turns and searches.", min=1)] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Another limit of seconds.", min=0.1)] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed.", min=0)] = None,
    record: Annotated[Path | None, typer.Option(help="Record every model answer in this folder.")] = None,
    replay_calls: Annotated[Path | None, typer.Option(help="Take model answers from a recorded folder.")] = None,
    no_preflight: NoPreflight = False,
    out: Annotated[Path | None, typer.Option(help="Folder for answer.md, graph.json and report.html.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The claim graph as JSON on stdout.")] = False,
    quiet: Quiet = False,
) -> None:
    """Repeat an earlier run from a stage, as a new run that keeps the stages before it.

    The earlier run is never changed. Compare the two with veritas diff.
    """
    limits = {"usd": budget, "calls": max_calls, "seconds": max_seconds}
    changes = {
        "tier": tier,
        "policy": policy,
        "council": council,
        "budget": {name: limit for name, limit in limits.items() if limit is not None} or None,
        "seed": seed,
    }
    given = {key: value for key, value in changes.items() if value is not None}
    keep_calls(record, replay_calls)
    asked = Asked(replay=run, start_stage=start, settings=given, preflight=not no_preflight)
    carry_out([asked], out=out, json=json, quiet=quiet)
