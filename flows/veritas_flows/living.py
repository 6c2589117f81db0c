"""The flow that asks living questions again: every one, or one by its name."""

from __future__ import annotations

from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from veritas.claims.graph import ClaimGraph
from veritas.engine.progress import Silent
from veritas.report.markdown_report import for_prefect, plain
from veritas.use_cases import living as questions
from veritas.use_cases.living import Again, told
from veritas.use_cases.runners import Asked
from veritas_flows.nothing_to_do import nothing_to_do
from veritas_flows.run_flow import orchestrated
from veritas_flows.run_names import named
from veritas_flows.server_events import emit_changed


@flow(name="living-questions", flow_run_name=named("living questions · {question}"), persist_result=False)
async def living(question: str = "") -> list[dict[str, Any]]:
    """Ask living questions again where something may have changed, and tell what did.

    Args:
        question: Name of one question (`veritas watch list`). Empty for all of them.
    """
    logger = get_run_logger()
    if not question and not questions.questions():
        said = "There is no living question yet: veritas watch add saves one."
        return nothing_to_do(said, list[dict[str, Any]], data=[])

    async def carry(asked: Asked) -> ClaimGraph:
        return await orchestrated(asked, Silent(), None)

    def done(again: Again) -> None:
        logger.info("%s: %s %s", again.name, again.state, again.problem)

    if question:
        found = [await questions.ask_again(question, carry=carry)]
        done(found[0])
    else:
        found = await questions.ask_all(carry=carry, done=done)
    rows = [{"question": each.name, "state": each.state, "run": each.run or "", "why": each.problem} for each in found]
    await acreate_table_artifact(rows, key="living-questions", description="Living questions")
    for each in found:
        if each.entry is not None:
            emit_changed(each.entry)
            lines = [f"- {plain(line)}" for line in told(each.entry)]
            words, key = for_prefect("\n".join(lines)), f"living-{each.name}"
            await acreate_markdown_artifact(words, key=key, description=f"Changed · {each.question}")
    return [each.model_dump(mode="json") for each in found]
