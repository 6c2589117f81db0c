"""`veritas review`: a literature review from a corpus, in which no citation can be invented."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veritas.cli._inputs import Council, Quiet
from veritas.cli.runs import in_a_line, limits, print_list, report_of, stands_at
from veritas.errors import InputError, StoreUnavailable
from veritas.text.plural import plural
from veritas.text.visible import printable

if TYPE_CHECKING:
    from veritas import Review


def review(
    topic: Annotated[str | None, typer.Argument(help="The topic of the review.", show_default=False)] = None,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="NAME", help="The corpus to write from (see veritas corpus list).")
    ] = None,
    structure: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="imrad (a model's default), thematic, or a YAML file.")
    ] = None,
    council: Council = None,
    year_from: Annotated[int | None, typer.Option(help="Only claims of papers from this year on.")] = None,
    year_to: Annotated[int | None, typer.Option(help="Only claims of papers up to this year.")] = None,
    stop: Annotated[
        bool, typer.Option("--stop", help="Write nothing until a person has approved the corpus.")
    ] = False,
    budget: Annotated[float | None, typer.Option(help="Maximum cost, in US dollars.", min=0)] = None,
    calls: Annotated[int | None, typer.Option(help="Maximum number of model calls.", min=1)] = None,
    seconds: Annotated[float | None, typer.Option(help="Maximum wall time, in seconds.", min=0.1)] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the files [VERITAS_HOME/reviews/ID].")
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="REVIEW", help="Continue an interrupted review, or apply later approvals."),
    ] = None,
    replay: Annotated[
        str | None, typer.Option(metavar="REVIEW", help="Repeat a review from the stage --from, as a new review.")
    ] = None,
    stage: Annotated[
        str, typer.Option("--from", metavar="STAGE", help="With --replay: retrieve, write, review or revise.")
    ] = "write",
    list_them: Annotated[bool, typer.Option("--list", help="List the stored reviews, newest first.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The review as one JSON document on stdout.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write a literature review from the claims of a corpus, and have every sentence reviewed.

    Makes manuscript.tex and .md, references.bib, review.json and report.html. Every factual sentence cites claims of
    the corpus, each with a quote on a page of a paper. A subject that the corpus does not cover is marked [Citation
    needed: …]. A sentence that the reviewer does not verify goes back to the writer once; if it still fails, it is left
    out and waits for a person (veritas approvals). Without a language model the text consists of quotations, and says
    so.

    Exit code 1 if the text has no sentence, 3 if the writer did not answer or could not be paid, or nobody could judge
    any sentence.
    """
    if list_them:
        _list(as_json)
        return
    import asyncio

    from veritas.cli.run_commands import ConsoleProgress
    from veritas.use_cases import reviews

    given = {
        "topic": topic, "corpus": corpus, "structure": structure, "council": council, "stop": stop or None,
        "year_from": year_from, "year_to": year_to,
        "budget": limits(usd=budget, calls=calls, seconds=seconds),
    }  # fmt: skip
    set_now = {name: value for name, value in given.items() if value is not None}
    if resume is not None and (replay is not None or set_now):
        raise InputError("--resume continues a review with its own settings: give it alone, or --replay to change them")
    progress = None if quiet else ConsoleProgress()
    if resume is not None:
        made = asyncio.run(reviews.resume_review(resume, progress=progress))
    elif replay is not None:
        changed = {k: v for k, v in set_now.items() if k not in ("year_from", "year_to")}
        from_stage: Any = stage
        made = asyncio.run(reviews.replay_review(replay, from_stage, changes=changed, progress=progress))
    else:
        wanted: dict[str, Any] = {k: v for k, v in set_now.items() if k not in ("topic", "corpus")}
        asked = reviews.write_review(*_asked(topic, corpus), **wanted, progress=progress)
        made = asyncio.run(asked)
    report, unwritten = report_of(made, out)
    if as_json:
        print(json.dumps(made.model_dump(mode="json"), ensure_ascii=False))
    else:
        _show(made, report.parent if report is not None else None)
    if unwritten is not None:
        again = f"The review itself is stored: veritas review --resume {made.review_id} writes its files"
        raise StoreUnavailable(f"{unwritten}. {again}")
    if made.unjudged is not None:
        again = reviews.judge_again(made)
        said = printable(made.unjudged)
        print(f"veritas: unavailable: no sentence could be checked ({said}); to try again: {again}", file=sys.stderr)
        raise typer.Exit(3)
    if made.nothing_stands is not None:
        print(f"veritas: the review has no text: {printable(made.nothing_stands)}", file=sys.stderr)
        raise typer.Exit(1)


def _list(as_json: bool) -> None:
    from veritas.settings import home
    from veritas.use_cases.reviews import list_reviews

    none = f"no reviews in {home() / 'reviews'}: begin one with veritas review TOPIC --corpus NAME"
    print_list(list_reviews(), as_json, none, lambda each: (
        f"{each.review_id}  {each.status:<11} {in_a_line(each.topic or each.problem or '')}"
        f"{stands_at(each.stage, each.stage_since)}"
    ))  # fmt: skip


def _asked(topic: str | None, corpus: str | None) -> tuple[str, str]:
    """Return topic and corpus. Raises `InputError` for what is missing, with what there is."""
    from veritas.use_cases.corpora import list_corpora

    if not topic:
        raise InputError('a review needs a topic: veritas review "freeze-drying of vaccines" --corpus NAME')
    if corpus is None:
        there = list_corpora()
        hint = f"there are {', '.join(there)}" if there else "make one with: veritas corpus add NAME PATH…"
        raise InputError(f"a review needs a corpus, --corpus NAME: {hint}")
    return topic, corpus


def _show(made: Review, folder: Path | None) -> None:
    from veritas.report.tally import expense
    from veritas.text.visible import one_line, visible

    print(f"{visible(made.manuscript.title)}\n")
    for section in made.manuscript.sections:
        print(f"## {one_line(section.title)}\n")
        for paragraph in made.manuscript.paragraphs(section.section_id):
            for s in paragraph:
                text = f"“{one_line(s.text)}”" if s.kind == "quotation" else one_line(s.text)
                cites = "; ".join(
                    c.paper_key + (f", p. {', '.join(map(str, c.pages))}" if c.pages else "") for c in s.cites
                )
                print(f"{text} [{cites}]" if cites else text)
            print()
    layers = made.layers
    counts = {
        "not supported by the corpus": layers.gaps, "not verified by the reviewer": layers.reviewer,
        "rejected by a person": layers.person, "of these in the text after a revision or a decision": layers.restored,
    }  # fmt: skip
    others = "".join(f", {count} {what}" for what, count in counts.items() if count)
    print(f"{plural(layers.drafted, 'sentence')} drafted: {layers.passed} passed every check{others}")
    spent = expense(made.calls)
    cuts = sum(len(call.cuts) for call in made.calls)
    print(
        f"{plural(spent.calls, 'model call')}, {spent.input_tokens + spent.output_tokens:,} tokens, {spent.price}"
        + (f"; {cuts} claims or quotes were shortened for a model" if cuts else "")
    )
    from veritas.use_cases.reviews import judge_again

    unjudged = sum(v.verdict == "UNAVAILABLE" for v in (*made.first.verdicts, *made.second.verdicts))
    if unjudged:
        again = judge_again(made)
        print(f"{plural(unjudged, 'sentence')} could not be checked; to check again: {again}")
    print(visible(made.manuscript.note))
    waiting = [entry for entry in made.left_out if entry.state == "pending"]
    if waiting:
        print(f"{plural(len(waiting), 'sentence')} left out until a person decides: veritas approvals")
    for what, stop in (("corpus", made.corpus_stop), ("text", made.text_stop)):
        if stop.state == "pending" and made.nothing_stands is None:
            print(f"To approve the {what}: veritas approve {stop.approval_id} --name NAME --reason WHY")
    if folder is None:
        return
    print(f"\n{folder / 'report.html'}\n{folder / 'manuscript.tex'}\n{folder / 'manuscript.md'}")
