"""The flow that checks a text as `veritas factcheck` does, with the report in the Prefect UI."""

from __future__ import annotations

from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_markdown_artifact

from veritas.errors import Unavailable
from veritas.report.factcheck_report import as_json, as_markdown
from veritas.report.markdown_report import for_prefect
from veritas.use_cases.factchecks import Told, check_facts, mend_facts
from veritas_flows.run_names import named


@flow(name="factcheck", flow_run_name=named("factcheck · {file}"), persist_result=False)
async def factcheck(
    file: str,
    sources: str | None = None,
    corpus: list[str] | None = None,
    recorded: str | None = None,
    offline: bool = False,
    search: bool = False,
    council: str | None = None,
    budget: float | None = None,
) -> dict[str, Any]:
    """Check a text, statement by statement, against the sources it cites.

    Args:
        file: The text: a path on the machine that runs the flow, or an address.
        sources: A file with its list of sources, if that is kept beside it. May be empty.
        corpus: Folders or files with copies of the pages, read before the web.
        recorded: A folder of recorded pages with a manifest.json; nothing else is asked then. May be empty.
        offline: Do not ask the web.
        search: Look for statements without a citation.
        council: A council file or the name of a ready one, for what the embedded judge cannot tell. May be empty.
        budget: The most the council may cost, in US dollars. Empty for no limit.
    """
    check = await check_facts(
        file=file, sources=sources or None, corpus=corpus or (), recorded=recorded or None, offline=offline,
        search=search, council=council or None, budget=budget,
        told=Told(forecast=lambda said: get_run_logger().info("%s", said)),
    )  # fmt: skip
    mended = mend_facts(check)
    await acreate_markdown_artifact(for_prefect(as_markdown(check, mended)), description=f"Fact check · {check.name}")
    get_run_logger().info("%s", check.headline)
    unread = any(source.problem for source in check.sources)
    if unread and not offline and not check.was_checked and not check.has_findings:
        raise Unavailable(check.headline)
    return as_json(check, mended)
