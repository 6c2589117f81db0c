"""The flow that writes a review as `veritas review` does, with its text and figures as artifacts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from veritas.errors import Cancelled, Unavailable
from veritas.policy.cost_tiers import Budget
from veritas.report.markdown_report import for_prefect
from veritas.report.review import write_review
from veritas.report.tally import expense
from veritas.reviews import review_runs
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import Filters
from veritas.reviews.corpus_file import corpus_names
from veritas.reviews.rendering.pandoc_manuscript import markdown
from veritas.reviews.review_document import Review
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_store import reviews_folder
from veritas.settings import home
from veritas_flows.carry_out import stopped
from veritas_flows.nothing_to_do import nothing_to_do
from veritas_flows.progress_artifact import LoggedProgress
from veritas_flows.run_names import named
from veritas_flows.waiting import AtTheForm
from veritas_tasks.stage_task import review_as_tasks as as_tasks


@flow(name="review", flow_run_name=named("review · {topic}"), persist_result=False)
async def review(
    topic: str = "",
    corpus: str = "corpus",
    structure: str = "auto",
    council: str = "",
    budget: Budget | None = None,
    year_from: int | None = None,
    year_to: int | None = None,
    wait_for_person: float = 0,
    resume: str = "",
    replay: str = "",
    replay_from: Literal["retrieve", "write", "review", "revise"] = "write",
) -> dict[str, Any] | Any:
    """Write a literature review from a corpus; a reviewer that shares nothing with the writer checks every sentence.

    Args:
        topic: The topic of the review.
        corpus: The corpus to write from (see the deployment corpus-add).
        structure: auto, imrad, thematic, or the path of a YAML file on the machine that runs the flow.
        council: A council file or the name of a built-in council; empty for the one that `veritas council` names.
        budget: The most it may spend. What does not fit is left out, never the rest of it.
        year_from: Only claims of papers from this year on.
        year_to: Only claims of papers up to this year.
        wait_for_person: Minutes to wait, with a form, for each of the two approvals, of the corpus and of the text. 0
            continues at once, and the text stays marked as a draft.
        resume: A review to continue, or to apply later approvals to. Empty for a new one.
        replay: A review to repeat from `replay_from`, as a new review. Empty for none.
        replay_from: The first stage to repeat.
    """
    logger = get_run_logger()
    person = AtTheForm(wait_for_person) if wait_for_person > 0 else None
    how: dict[str, Any] = {"person": person, "progress": LoggedProgress(), "around": as_tasks}
    try:
        if resume:
            made = await review_runs.resume(resume, **how)
        elif replay:
            changes: dict[str, Any] = {"budget": budget} if budget is not None else {}
            made = await review_runs.replay(replay, replay_from, **changes, **how)
        elif not corpus_names(home()) or not Corpus.open(corpus).claims():
            return nothing_to_do(f"the corpus {corpus} holds no claims yet: start corpus-add/corpus-add first", dict)
        else:
            request = ReviewRequest.model_validate(
                {
                    "topic": topic,
                    "corpus": corpus,
                    "structure": structure,
                    "council": council or None,
                    "budget": budget or Budget(),
                    "filters": Filters(year_from=year_from, year_to=year_to),
                }
            )
            made = await review_runs.start(request, **how)
    except Cancelled as asked:
        return stopped(asked, dict)
    if made.nothing_stands is not None:
        logger.warning("the review has no text: %s", made.nothing_stands)
    return await _shown(made)


async def _shown(made: Review) -> dict[str, Any]:
    """Publish the review as artifacts, and return the paths of its files."""
    folder: Path = reviews_folder() / made.review_id
    files = write_review(made, Corpus.open(made.corpus.name), folder)
    await acreate_markdown_artifact(for_prefect(markdown(made)), description=f"Review · {made.topic}")
    rows = [
        {
            "sentence": s.text,
            "cites": ", ".join(s.keys),
            "verdict": verdict.verdict if (verdict := made.verdict(s.sentence_id)) else "gap",
            "why": verdict.reason if verdict else "",
        }
        for s in made.manuscript.sentences
    ]
    if rows:
        await acreate_table_artifact(rows, description="Sentences, what they cite, and the reviewer's verdicts")
    spent = expense(made.calls)
    await acreate_table_artifact(
        [{**made.layers.model_dump(), "calls": spent.calls, "cost": spent.price}],
        description="What each layer caught, and what it cost",
    )
    if made.unjudged is not None:
        raise Unavailable(f"nobody could judge any sentence of {made.review_id}: {made.unjudged}")
    return {
        "review_id": made.review_id,
        "files": {name: str(path) for name, path in files.items()},
        "layers": made.layers.model_dump(),
        "left_out": len(made.left_out),
        "approved": made.approved,
        "cost_usd": round(spent.cost, 6),
        "calls": spent.calls,
    }
