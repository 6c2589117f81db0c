"""Stage 6 as a task: the report's files, and the run's artifacts in the Prefect UI."""

from __future__ import annotations

import re
from pathlib import Path

from prefect import task
from prefect.artifacts import acreate_link_artifact, acreate_markdown_artifact, acreate_table_artifact
from prefect.cache_policies import NO_CACHE

from veritas.claims.graph import ClaimGraph
from veritas.frozen import content_hash
from veritas.report import render_markdown
from veritas.report.browser_address import address_of
from veritas.report.markdown_report import for_prefect
from veritas.use_cases.reports import write_report


def history_key(graph: ClaimGraph) -> str:
    """Return the part of an artifact's key that runs of one question on one corpus share, whatever their tier.

    With it the UI shows the answers to a question asked every night as versions of one artifact.
    """
    words = re.findall(r"[a-z0-9]+", graph.run.question.lower())
    asked = content_hash([" ".join(graph.run.question.split()), graph.run.settings.get("corpus") or []])[:8]
    return "-".join([*words[:8], asked])[-80:].lstrip("-")


@task(name="report", task_run_name="report · files and artifacts", cache_policy=NO_CACHE, persist_result=False)
async def render(graph: ClaimGraph, folder: Path, foot: str = "") -> dict[str, str]:
    """Write the report into `folder` and publish answer, claims, rejected sources and report as artifacts; `foot` is
    Markdown below the answer.

    The report is a link if reports are served (`VERITAS_REPORTS_URL`): no browser follows a link from the UI to a
    file.
    """
    paths = write_report(graph, folder)
    report = paths["report.html"].resolve()
    link = address_of(report)
    key = history_key(graph)
    shown = f"[report.html of {graph.run.run_id}]({link}) (`{report}`)" if link else f"`{report}`"
    await acreate_markdown_artifact(
        key=f"answer-{key}",
        markdown=f"{for_prefect(render_markdown(graph))}\n\n---\nFull report, with the work shown: {shown}\n\n{foot}\n",
        description=f"Answer · {graph.run.question}",
    )
    await acreate_table_artifact(
        key=f"claims-{key}",
        table=[
            {
                # Short columns first: the table of the UI wraps no words, and what is right of a long one is not seen.
                "judgment": c.verifier_judgment or "not judged",
                "debate": c.debate_status,
                "tier": c.best_tier,
                "asserted by": c.asserted_by,
                "type": c.claim_type,
                "claim": c.claim,
                "source": c.citations[0].url,
            }
            for c in graph.claims
        ],
        description=f"Claims · {graph.run.question}",
    )
    rejected = [
        {"tier": str(s.tier), "url": s.url, "rule": s.rule, "why": s.justification, "remark": s.note or ""}
        for s in graph.sources
        if s.status == "rejected"
    ]
    await acreate_table_artifact(
        key=f"rejected-{key}",
        table=rejected,
        description=f"{'Rejected sources' if rejected else 'No source was rejected'} · {graph.run.question}",
    )
    if link:
        await acreate_link_artifact(
            key=f"report-{key}",
            link=link,
            link_text=f"report.html of {graph.run.run_id}",
            description=f"Report with the work shown · {graph.run.question}",
        )
    return {name: str(path) for name, path in paths.items()}
