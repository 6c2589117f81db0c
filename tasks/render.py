"""Stage 6 as a task: the report's files, and what a person sees of the run in the Prefect UI."""

from __future__ import annotations

from pathlib import Path

from prefect import task
from prefect.artifacts import acreate_link_artifact, acreate_markdown_artifact, acreate_table_artifact
from prefect.cache_policies import NO_CACHE

from veritas.claims.graph import ClaimGraph
from veritas.report import render_markdown, write_report


@task(name="render", cache_policy=NO_CACHE, persist_result=False)
async def render(graph: ClaimGraph, folder: Path) -> dict[str, str]:
    """Writes the report into `folder` and publishes answer, claims, rejected sources and report as artifacts."""
    paths = write_report(graph, folder)
    report = paths["report.html"].resolve()
    key = graph.run.run_id.lower().replace("_", "-")
    await acreate_markdown_artifact(
        key=f"answer-{key}",
        markdown=f"{render_markdown(graph)}\n\n---\nFull report, with the work shown: `{report}`\n",
        description=f"Answer · {graph.run.question}",
    )
    await acreate_table_artifact(
        key=f"claims-{key}",
        table=[
            {
                "claim": c.claim,
                "type": c.claim_type,
                "asserted by": c.asserted_by,
                "judgment": c.verifier_judgment or "not judged",
                "debate": c.debate_status,
                "tier": c.best_tier,
                "source": c.citations[0].url,
            }
            for c in graph.claims
        ],
        description=f"Claims · {graph.run.question}",
    )
    await acreate_table_artifact(
        key=f"rejected-{key}",
        table=[
            {"url": s.url, "tier": str(s.tier), "why": s.justification, "rule": s.rule, "remark": s.note or ""}
            for s in graph.sources
            if s.status == "rejected"
        ],
        description=f"Rejected sources · {graph.run.question}",
    )
    await acreate_link_artifact(
        key=f"report-{key}",
        link=report.as_uri(),
        link_text=f"report.html of {graph.run.run_id}",
        description=f"Report with the work shown, on the machine that ran it: {report}",
    )
    return {name: str(path) for name, path in paths.items()}
