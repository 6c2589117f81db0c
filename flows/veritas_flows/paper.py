"""The flows that audit papers: one paper from a form, and new ones in a folder or an arXiv listing."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from veritas.errors import Cancelled, Unavailable
from veritas.papers import audit_runs
from veritas.papers.audit import PaperAudit
from veritas.papers.audit_request import make_paper_request
from veritas.papers.headline import headline_of
from veritas.papers.watch import watch_once
from veritas.report.browser_address import address_of
from veritas.report.paper import write_paper_report
from veritas.report.paper.audit_text import show_audit
from veritas.scoring.parameters import read_parameters
from veritas.settings import home
from veritas.store.paths import run_path
from veritas_flows.carry_out import own_run_id, stopped
from veritas_flows.nothing_to_do import nothing_to_do
from veritas_flows.progress_artifact import LoggedProgress
from veritas_flows.run_names import named
from veritas_flows.waiting import AtTheForm
from veritas_tasks.stage_task import paper_as_tasks as as_tasks


@flow(name="paper", flow_run_name=named("paper · {paper}"), persist_result=False)
async def paper(
    paper: str,
    mode: str = "academic",
    corpus: list[str] | None = None,
    web: bool = False,
    graphs: int = 5,
    samples: int = 3,
    nodes: int = 16,
    rules: Literal["veritas", "paper", "reference"] = "veritas",
    council: str | None = None,
    budget_usd: float | None = None,
    seed: int = 0,
    wait_for_person: float = 0,
) -> dict[str, Any]:
    """Audit a paper: its argument as a graph, every statement verified, trust propagated, and a score explained in
    parts.

    Args:
        paper: A file on the machine that runs the flow, a URL, an arXiv id, a DOI, or search words (the best match is
            used).
        mode: academic, journal or finance, or a YAML file of your own.
        corpus: Folders or files with documents to check it against.
        web: Whether scholarly registries are asked about its references, and the web about its statements.
        graphs: Number of readings of the argument; more readings estimate the score's uncertainty better.
        samples: Number of assessments of a statement by language models, if there are any.
        nodes: Maximum number of statements of a graph.
        rules: The rule set of the score, as in `veritas score`.
        council: A council file or the name of a built-in council; empty for the one that `veritas council` shows.
        budget_usd: Maximum cost, in US dollars. Empty for no limit.
        seed: The same seed gives the same graphs.
        wait_for_person: Minutes to wait for a person if the gate could not decide. 0 leaves the statement undecided at
            once.
    """
    request = make_paper_request(
        paper, mode=mode, corpus=corpus, web=web, graphs=graphs, samples=samples, nodes=nodes, rules=rules,
        council=council, seed=seed, budget={"usd": budget_usd} if budget_usd is not None else None,
    )  # fmt: skip
    how: dict[str, Any] = {"progress": LoggedProgress(), "around": as_tasks}
    how["person"] = AtTheForm(wait_for_person) if wait_for_person > 0 else None
    audit_id = own_run_id(audit_runs.papers_home())  # a flow run that is tried again goes on with its audit
    try:
        if run_path(audit_runs.papers_home(), audit_id).exists():
            made = await audit_runs.resume(audit_id, **how)
        else:
            made = await audit_runs.start(request, audit_id=audit_id, yes=True, **how)
    except Cancelled as asked:
        return stopped(asked, dict)
    return await _reported(made)


def inbox() -> Path:
    """Return the folder that is watched when none is named, made if missing; only VERITAS's own folder is made."""
    folder = home() / "papers" / "inbox"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@flow(name="paper-watch", flow_run_name=named("paper-watch · {folder}{listing}"), persist_result=False)
async def paper_watch(
    folder: str = "",
    listing: str = "",
    most: int = 5,
    mode: str = "academic",
    corpus: list[str] | None = None,
    web: bool = False,
    graphs: int = 5,
    rules: Literal["veritas", "paper", "reference"] = "veritas",
    council: str | None = None,
    budget_usd: float | None = None,
) -> dict[str, Any]:
    """Audit new papers in a folder or in an arXiv listing. Audited papers are remembered; an unreadable file does not
    stop the others.

    The run fails at its end when papers could not be audited because something did not answer: they are tried again at
    the next run.

    Args:
        folder: Folder of papers on the machine that runs the flow. Empty to watch the listing or, without a listing,
            the inbox papers/inbox in VERITAS_HOME, which is created if it is missing.
        listing: A listing in arXiv's language, such as `cat:cs.CL`. Empty to watch a folder.
        most: Maximum number of papers per run; the others wait for the next run.
        mode: academic, journal or finance, or a YAML file of your own.
        corpus: Folders or files with documents to check the papers against.
        web: Whether scholarly registries are asked about their references, and the web about their statements.
        graphs: Number of readings of an argument.
        rules: The rule set of the score.
        council: A council file or the name of a built-in council; empty for the one that `veritas council` shows.
        budget_usd: Maximum cost of one paper, in US dollars. Empty for no limit.
    """
    logger = get_run_logger()
    place = home()
    watched = Path(folder) if folder else None if listing else inbox()

    async def audit(asked: str, audit_id: str, settings: dict[str, Any]) -> PaperAudit:
        progress = LoggedProgress()
        if run_path(audit_runs.papers_home(place), audit_id).exists():
            made = await audit_runs.resume(audit_id, progress=progress, around=as_tasks)
        else:
            request = make_paper_request(asked, **settings)
            made = await audit_runs.start(request, audit_id=audit_id, progress=progress, around=as_tasks, yes=True)
        write_paper_report(made, place / "reports" / "papers" / made.audit_id, read_parameters())
        return made

    try:
        looked = await watch_once(
            folder=watched, listing=listing or None, most=most, home=place, audit=audit,
            mode=mode, corpus=corpus, web=web, graphs=graphs, rules=rules, council=council,
            budget={"usd": budget_usd} if budget_usd is not None else None,
        )  # fmt: skip
    except Cancelled as asked:
        return stopped(asked, dict)
    for each in looked.papers:
        if each.reason:
            logger.warning("%s: %s (%s)", each.asked, each.outcome, each.reason)
    found = looked.model_dump(mode="json")
    if not looked.papers:
        known = f" ({looked.known} audited before)" if looked.known else ""
        return nothing_to_do(f"nothing new in {watched or listing}{known}", dict, data=found)
    await acreate_table_artifact(found["papers"], description=f"Papers audited · {watched or listing}")
    waiting = [each for each in looked.papers if each.outcome == "unavailable"]
    if waiting:
        many = f"{len(waiting)} of {len(looked.papers)} new papers"
        raise Unavailable(f"{many} wait for the next time: {waiting[0].reason}")
    return found


async def _reported(audit: PaperAudit) -> dict[str, Any]:
    """Write the report, show the summary in the UI, and return the results for a caller."""
    path = write_paper_report(audit, home() / "reports" / "papers" / audit.audit_id, read_parameters())["report.html"]
    link = address_of(path)
    report = f"[{path.name}]({link}) (`{path}`)" if link else f"`{path}`"
    text = f"```\n{show_audit(audit)}\n```\n\nReport: {report}"
    await acreate_markdown_artifact(text, description=f"Paper · {audit.paper.title}")
    if audit.unheard is not None:
        raise Unavailable(f"{audit.unheard} (audit {audit.audit_id})")
    headline = headline_of(audit)
    return {
        "audit": audit.audit_id,
        "title": audit.paper.title,
        "score": headline.score,
        "interval": list(headline.interval) if headline.interval is not None else None,
        "needs": list(headline.needs),
        "flaws": len(audit.flaws),
        "findings": len(audit.findings),
        "report": str(path),
    }
