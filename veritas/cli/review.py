"""`veritas review`: a literature review from a corpus, in which no citation can be invented."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.errors import InputError, StoreUnavailable
from veritas.text.printable import printable

if TYPE_CHECKING:
    from veritas.reviews.review_document import Review
    from veritas.reviews.review_request import ReviewRequest


def review(
    topic: Annotated[str | None, typer.Argument(help="What the review is about.", show_default=False)] = None,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="NAME", help="The corpus it is written from: veritas corpus list.")
    ] = None,
    structure: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="imrad, thematic, or a YAML file of your own.")
    ] = None,
    council: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Who writes and who judges: a file, or a ready council's name.")
    ] = None,
    year_from: Annotated[int | None, typer.Option(help="Only claims of papers from this year on.")] = None,
    year_to: Annotated[int | None, typer.Option(help="Only claims of papers up to this year.")] = None,
    stop: Annotated[
        bool, typer.Option("--stop", help="Write nothing until a person has approved the corpus.")
    ] = False,
    budget: Annotated[float | None, typer.Option(help="The most it may cost, in US dollars.", min=0)] = None,
    calls: Annotated[int | None, typer.Option(help="The most calls of models.", min=1)] = None,
    seconds: Annotated[float | None, typer.Option(help="The most wall time, in seconds.", min=0.1)] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the files go [reviews/ID at home].")] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="REVIEW", help="Go on with one that was cut off, or take in what was approved since."),
    ] = None,
    replay: Annotated[
        str | None, typer.Option(metavar="REVIEW", help="A new review that takes over the stages before --from.")
    ] = None,
    stage: Annotated[
        str, typer.Option("--from", metavar="STAGE", help="With --replay: retrieve, write, review or revise.")
    ] = "write",
    list_them: Annotated[bool, typer.Option("--list", help="List the stored reviews, newest first.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The review as one JSON document on stdout.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Write a literature review from the claims of a corpus, and have every sentence reviewed.

    Makes manuscript.tex and .md, references.bib, review.json and report.html. Every factual sentence cites claims of
    the corpus, whose quotes stand on a page of a paper; what the corpus does not carry is marked [Citation needed: …].
    What the reviewer does not verify goes back to the writer once and is then left out, before a person (veritas
    approvals). Without a language model the text is put together from quotations, and says so.

    Exit code 1 if no sentence stands in the text, 3 if the writer did not answer, could not be paid, or nobody could
    judge any sentence.
    """
    if list_them:
        _list(as_json)
        return
    import asyncio

    from veritas.cli.progress import ConsoleProgress
    from veritas.engine.progress import Silent
    from veritas.reviews import review_stages
    from veritas.reviews.review_document import REVIEW_STAGES

    given = {
        "topic": topic, "corpus": corpus, "structure": structure, "council": council, "stop": stop or None,
        "year_from": year_from, "year_to": year_to,
        "budget": _limits(usd=budget, calls=calls, seconds=seconds),
    }  # fmt: skip
    set_now = {name: value for name, value in given.items() if value is not None}
    if resume is not None and (replay is not None or set_now):
        raise InputError("--resume goes on with a review as it was begun: give it alone, or --replay with what changes")
    if stage not in REVIEW_STAGES:
        raise InputError(f"--from {stage}: name one of {', '.join(REVIEW_STAGES)}")
    progress = Silent() if quiet else ConsoleProgress()
    if resume is not None:
        made = asyncio.run(review_stages.resume(resume, progress=progress))
    elif replay is not None:
        changed = {k: v for k, v in set_now.items() if k not in ("year_from", "year_to")}
        found = review_stages.replay(replay, stage, progress=progress, **changed)  # type: ignore[arg-type]
        made = asyncio.run(found)
    else:
        made = asyncio.run(review_stages.start(_request(topic, corpus, set_now), progress=progress))
    folder: Path | None = None
    unwritten: StoreUnavailable | None = None
    try:
        folder = _written(made, out)
    except StoreUnavailable as problem:  # the review is paid for and stored: it is said all the same
        unwritten = problem
    if as_json:
        print(json.dumps(made.model_dump(mode="json"), ensure_ascii=False))
    else:
        _show(made, folder)
    if unwritten is not None:
        again = f"The review itself is stored: veritas review --resume {made.review_id} writes its files"
        raise StoreUnavailable(f"{unwritten}. {again}")
    if made.unjudged is not None:
        again = _ask_again(made)
        said = printable(made.unjudged)
        print(f"veritas: unavailable: nobody could judge any sentence ({said}); ask again: {again}", file=sys.stderr)
        raise typer.Exit(3)
    if made.nothing_stands is not None:
        print(f"veritas: nothing stands in the review: {printable(made.nothing_stands)}", file=sys.stderr)
        raise typer.Exit(1)


def _limits(**given: float | None) -> dict[str, float] | None:
    """The limits of a budget that are given; None where none is."""
    return {name: limit for name, limit in given.items() if limit is not None} or None


def _ask_again(made: Review) -> str:
    """The command that has judged what nobody could judge."""
    from veritas.council.spending import BUDGET

    reasons = (v.reason for v in (*made.first.verdicts, *made.second.verdicts) if v.verdict == "UNAVAILABLE")
    more = " --budget USD" if any(BUDGET in reason for reason in reasons) else ""
    return f"veritas review --replay {made.review_id} --from review{more}"


def _list(as_json: bool) -> None:
    from veritas.cli.runs import stands_at
    from veritas.reviews.review_store import list_reviews, reviews_folder

    found = list_reviews()
    if as_json:
        for each in found:
            print(each.model_dump_json())
        return
    if not found:
        print(f"no reviews in {reviews_folder()}: begin one with veritas review TOPIC --corpus NAME")
    for each in found:
        topic = printable(" ".join((each.topic or each.problem or "").split()))
        line = topic if len(topic) <= 70 else topic[:69] + "…"
        print(f"{each.review_id}  {each.status:<11} {line}{stands_at(each.stage, each.stage_since)}")


def _request(topic: str | None, corpus: str | None, given: Mapping[str, object]) -> ReviewRequest:
    from veritas.reviews.corpus_file import corpus_names
    from veritas.reviews.filters import Filters
    from veritas.reviews.review_request import ReviewRequest
    from veritas.settings import home

    if not topic:
        raise InputError('a review needs a topic: veritas review "freeze-drying of vaccines" --corpus NAME')
    if corpus is None:
        there = corpus_names(home())
        hint = f"there are {', '.join(there)}" if there else "make one with: veritas corpus add NAME PATH…"
        raise InputError(f"a review needs a corpus, --corpus NAME: {hint}")
    years = {name: given[name] for name in ("year_from", "year_to") if name in given}
    rest = {name: value for name, value in given.items() if name not in years}
    if len(str(topic)) > 1_000:
        raise InputError(f"the topic has {len(str(topic)):,} characters, the limit is 1,000")
    return ReviewRequest.model_validate({**rest, "filters": Filters.model_validate(years)})


def _written(made: Review, out: Path | None) -> Path:
    from veritas.report.review import write_review
    from veritas.reviews.claim_corpus import Corpus
    from veritas.reviews.review_store import reviews_folder

    folder = out or reviews_folder() / made.review_id
    write_review(made, Corpus.open(made.corpus.name), folder)
    return folder


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
    print(
        f"{layers.drafted} sentences drafted: {layers.passed} passed all layers; {layers.gaps} the corpus could not "
        f"carry, {layers.reviewer} the reviewer did not verify, {layers.person} a person rejected; {layers.restored} "
        "of these stand in the text after all"
    )
    spent = expense(made.calls)
    cuts = sum(len(call.cuts) for call in made.calls)
    print(
        f"{spent.calls} calls of models, {spent.input_tokens + spent.output_tokens:,} tokens, {spent.price}"
        + (f"; {cuts} claims or quotes were shown to a model in part" if cuts else "")
    )
    unjudged = sum(v.verdict == "UNAVAILABLE" for v in (*made.first.verdicts, *made.second.verdicts))
    if unjudged:
        again = _ask_again(made)
        print(f"{unjudged} could not be judged by anybody; ask again: {again}")
    print(visible(made.manuscript.note))
    waiting = [entry for entry in made.left_out if entry.state == "pending"]
    if waiting:
        print(f"{len(waiting)} left out, and before a person: veritas approvals")
    for what, stop in (("corpus", made.corpus_stop), ("text", made.text_stop)):
        if stop.state == "pending":
            print(f"approve the {what}: veritas approve {stop.approval_id} --name NAME --reason WHY")
    if folder is None:
        return
    print(f"\n{folder / 'report.html'}\n{folder / 'manuscript.tex'}\n{folder / 'manuscript.md'}")
