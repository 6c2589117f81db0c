"""The flow that cites a claim as `veritas cite` does, with an artifact in the Prefect UI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_markdown_artifact

from veritas import approvals
from veritas.citations.citing import Citation, Outcome, RetriesExhausted, verify_and_cite
from veritas.errors import Unavailable
from veritas.policy.source_tiers import load_source_policy
from veritas.reading.loading import load_corpus
from veritas.reading.web import WebReader
from veritas.registries.all_registries import Registries
from veritas.report.markdown_report import for_prefect
from veritas_flows.run_names import named
from veritas_flows.waiting import AtTheForm


@flow(name="cite", flow_run_name=named("cite · {claim}"), persist_result=False)
async def cite(
    claim: str,
    hint: str | None = None,
    project: str = ".",
    corpus: list[str] | None = None,
    override_reason: str | None = None,
    wait_for_person: float = 0,
) -> dict[str, Any]:
    """Write a citation with its verified artifact into a project, or say precisely why not.

    Args:
        claim: The statement that the paper must support, as a sentence.
        hint: A DOI, arXiv id or PMID, a title, or an attribution such as `Baruch et al., 2019`. May be empty.
        project: Folder of the project on the machine that runs the flow; the artifact is written to docs/citations in
            it.
        corpus: Folders or files with your own copies of papers, read before any other.
        override_reason: A reason for writing the artifact despite the gate's refusal, unsigned. Refused with a roster.
            Empty to let the gate decide.
        wait_for_person: Minutes to wait for a person if the gate could not confirm the citation. 0 leaves it out at
            once.
    """

    async def asked() -> Outcome:
        return await verify_and_cite(
            claim,
            hint or None,
            folder=Path(project) / "docs" / "citations",
            registries=Registries(),
            reader=WebReader(load_source_policy()),
            corpus=load_corpus(corpus) if corpus else None,
            override=bool(override_reason),
            override_reason=override_reason or None,
        )

    outcome = await asked()
    if wait_for_person > 0 and not isinstance(outcome, Citation) and outcome.approval:
        waiting = approvals.find(outcome.approval)
        if waiting.state() == "pending":
            await AtTheForm(wait_for_person).wait([waiting])
            outcome = await asked()
    if isinstance(outcome, Citation):
        text = outcome.path.read_text(encoding="utf-8")
        await acreate_markdown_artifact(f"```markdown\n{text}\n```", description=f"Citation · {outcome.path.name}")
        return {"cited": True, "citation": outcome.text, "artifact": str(outcome.path), "flags": list(outcome.flags)}
    get_run_logger().warning("no citation (%s): %s", outcome.name, outcome.reason)
    said = f"No citation ({outcome.name}): {outcome.reason}" + (f"\n\n{outcome.contrast}" if outcome.contrast else "")
    await acreate_markdown_artifact(for_prefect(said), description=f"Refused · {claim}")
    if isinstance(outcome, RetriesExhausted):  # nobody could say: that is no refusal
        raise Unavailable(f"no citation: {outcome.reason}")
    return outcome.as_json()
