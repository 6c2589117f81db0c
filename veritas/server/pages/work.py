"""Other background work: watched while it runs, and its results."""

from __future__ import annotations

import re
from time import monotonic, sleep
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import RedirectResponse, Response

from veritas import FactCheck
from veritas.errors import UnknownRun
from veritas.report import factcheck_report, wording
from veritas.report.bibliography_verdicts import worst_first
from veritas.server.access import Reader, Runner
from veritas.server.api import work as api
from veritas.server.context import Context, Here
from veritas.server.pages.check import VERDICT_WORDS
from veritas.server.pages.frame import cleaner, page
from veritas.server.pages.live import live
from veritas.server.stored import load_result
from veritas.use_cases import background

router = APIRouter(include_in_schema=False)

WorkName = Annotated[str, Path(max_length=100)]
TITLES = {
    "bibliography": "A bibliography is checked", "cite": "A citation is made", "corpus": "A corpus is filled",
    "factcheck": "A text is checked",
    "living": "Living questions are asked", "paper": "A paper is audited", "review": "A review is written",
}  # fmt: skip
AREA = {
    "bibliography": "/check/", "cite": "/check/", "corpus": "/reviews/", "factcheck": "/check/", "living": "/living/",
    "paper": "/papers/", "review": "/reviews/",
}  # fmt: skip
"""The area in which a kind of work is begun."""
STOPS_WITHIN = 10.0
"""Seconds that "Try again" waits for work that is under way to stop."""


@router.get("/work/{work}")
def shown(work: WorkName, request: Request, who: Reader, here: Here) -> Response:
    """Show how work goes, or what it came to."""
    job = background.find_job(work, home=here.home)
    if job.wanted.work == "research":
        return RedirectResponse(f"/runs/{work}", status_code=303)
    state = api.state_of(job, here, "page")
    if state.state != "finished":
        view = live(background.read_events(work, home=here.home), ())
        followed = state.state in ("queued", "running", "interrupted")
        return page(
            request, "job.html", work=state, title=TITLES[state.work], view=view, followed=followed, words=wording,
            clean=cleaner(here), about=_about(state, here),
            area=AREA[state.work],
        )  # fmt: skip
    if state.work == "paper":
        return RedirectResponse(f"/papers/{background.result(work, home=here.home)['audit_id']}", status_code=303)
    if state.work == "review":
        return RedirectResponse(f"/reviews/{background.result(work, home=here.home)['review_id']}", status_code=303)
    if state.work == "corpus":
        return RedirectResponse(f"/reviews/corpora/{job.wanted.settings['name']}", status_code=303)
    if state.work == "living":
        return RedirectResponse("/living", status_code=303)
    area = AREA[state.work]
    if state.work == "bibliography":
        result = load_result(work, here.settings)
        return page(
            request, "bibliography.html", work=state, entries=worst_first(result["entries"]),
            unanswered=result.get("unanswered", []), counts=result["counts"], words=VERDICT_WORDS, area=area,
            mended=_has_file(work, "corrected.bib", here), about=_about(state, here),
        )  # fmt: skip
    if state.work == "factcheck":
        told = load_result(work, here.settings)
        check = FactCheck.model_validate({name: told[name] for name in FactCheck.model_fields})
        return page(
            request, "facts.html", work=state, check=check, rows=factcheck_report.rows(check), area=area,
            report=factcheck_report, words=factcheck_report.WORDS, findings=factcheck_report.FINDINGS,
            tiers=factcheck_report.TIERS, sources=factcheck_report.by_tier(check.sources), about=_about(state, here),
        )  # fmt: skip
    return page(request, "cited.html", area=area, work=state, result=load_result(work, here.settings))


def _about(state: api.WorkState, here: Context) -> str:
    """Return the subject of work: for an upload, the name of its file."""
    return cleaner(here)(re.sub("^upload:[0-9a-f]+/", "", state.about))


def _has_file(work: str, name: str, here: Context) -> bool:
    try:
        return bool(background.result_file(work, name, home=here.home))
    except UnknownRun:
        return False


@router.post("/work/{work}/stop")
def stop(work: WorkName, who: Runner, here: Here) -> Response:
    """Ask work to stop, and show it."""
    return RedirectResponse(f"/work/{api.cancel(work, who, here).id}", status_code=303)


@router.post("/work/{work}/go-on")
def go_on(work: WorkName, who: Runner, here: Here) -> Response:
    """Let work go on, and show it. What is under way stops first; where that takes longer, its page says so."""
    until = monotonic() + STOPS_WITHIN
    if background.find_job(work, home=here.home).state == "running":
        api.cancel(work, who, here)
        while background.find_job(work, home=here.home).state == "running" and monotonic() < until:
            sleep(0.2)
    return RedirectResponse(f"/work/{api.resume(work, who, here, Response()).id}", status_code=303)
