"""The process of a run in the background, whatever its work: `python -m veritas.use_cases.background_run RUN`."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veritas.errors import CRASHED, Cancelled, StoreUnavailable, VeritasError
from veritas.frozen import Frozen
from veritas.sinks import withhold_in_logs, withhold_on_streams
from veritas.store import jobs as stored
from veritas.store._process_lock import ProcessLock
from veritas.store.jobs import job_asked_to_stop
from veritas.store.paths import run_path
from veritas.use_cases import events
from veritas.use_cases.background import Wanted, Work, advance
from veritas.use_cases.events import Ended, Failed, Stopped, tell
from veritas.use_cases.runners import Asked, runner

if TYPE_CHECKING:
    from veritas.claims.graph import ClaimGraph


async def carry_out(told: Writing, wanted: Wanted) -> Ended:
    """Do the work, store its result beside its events, and return how it ended. Raises what its use case raises."""
    files, ended = await _WORK[wanted.work](told, dict(wanted.settings))
    stored.write_files(told.home, told.run_id, files)
    return ended


async def _bibliography(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.citations.bibliography.parse import decoded
    from veritas.report.bibliography_verdicts import as_html, as_json
    from veritas.use_cases.bibliographies import audit_bibliography, correct_bibliography

    def begun(entries: Sequence[Any]) -> None:
        told.units_begun("entries", len(entries))

    silent: list[str] = []

    def done(judged: Any) -> None:
        told.stop_if_asked()
        told.unit_done()
        if judged.verdict.value == "unavailable" and not given.get("offline") and not silent:
            silent.append("not everybody answers, so some entries stay open; another try asks for those again")
            told.noted(silent[0], outage=True)

    judged = await audit_bibliography(
        given["files"], offline=given.get("offline", False), profile=given.get("profile"), pages=given.get("pages"),
        begun=begun, done=done, told=partial(told.noted, outage=True),
    )  # fmt: skip
    plain = [  # where the file lay is nobody's business who reads the result
        each.model_copy(update={"entry": each.entry.model_copy(update={"file": Path(each.entry.file).name})})
        for each in judged
    ]
    made = as_json(plain)
    files = {
        "result.json": json.dumps(made),
        "report.html": as_html(plain, f"{datetime.now(UTC):%Y-%m-%d %H:%M UTC}"),
    }
    if len(given["files"]) == 1:
        source = Path(given["files"][0])
        target = stored.made_folder(told.home, told.run_id) / "corrected.bib"
        correct_bibliography(source, target, judged)
        files["corrected.bib"] = decoded(target.read_bytes(), target.name)
    found = "unavailable" if made["unanswered"] else "findings" if any(each.refused for each in judged) else "checked"
    return files, Ended(run_id=told.run_id, status=found, cost_usd=0.0)


async def _cite(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.citations.citing import Citation
    from veritas.use_cases.citations import cite

    outcome = await cite(
        given["claim"], given.get("hint"), root=given["root"], corpus=given.get("corpus", ()),
        offline=given.get("offline", False), told=partial(told.noted, outage=True),
    )  # fmt: skip
    made = outcome.as_json()
    if isinstance(outcome, Citation):
        text = (Path(given["root"]) / outcome.path).read_text(encoding="utf-8")
        made |= {"artifact": outcome.path.name, "artifact_text": text}
    status = "cited" if made["cited"] else str(made.get("refusal", "refused"))
    return {"result.json": json.dumps(made)}, Ended(run_id=told.run_id, status=status)


async def _factcheck(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.report.factcheck_report import as_html, as_json, as_markdown, could_not_be_read
    from veritas.use_cases.factchecks import Told, check_facts, mend_facts

    def begun(pages: int, statements: int) -> None:
        told.units_begun("statements", statements)

    def read(source: Any) -> None:
        told.stop_if_asked()
        said = could_not_be_read(source.problem) if source.problem else "read"
        told.noted(f"{source.url}: {said}", outage=source.outage)

    def judged(statement: Any) -> None:
        told.stop_if_asked()
        told.unit_done()

    check = await check_facts(
        given.get("text"), file=given.get("file"), sources=given.get("sources"), corpus=given.get("corpus", ()),
        offline=given.get("offline", False), search=given.get("search", False), council=given.get("council"),
        budget=given.get("budget"), told=Told(begun, read, judged, told.noted),
    )  # fmt: skip
    mended = mend_facts(check)
    files = {
        "result.json": json.dumps(as_json(check, mended)),
        "report.html": as_html(check, f"{datetime.now(UTC):%Y-%m-%d %H:%M UTC}", mended),
        "report.md": as_markdown(check, mended), "corrected.md": mended.text,
    }  # fmt: skip
    status = "findings" if check.has_findings else "checked" if check.was_checked else "unavailable"
    return files, Ended(run_id=told.run_id, status=status, cost_usd=check.cost_usd)


async def _corpus(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.use_cases.corpora import add_to_corpus

    def on_paper(key: str, claims: int) -> None:
        told.stop_if_asked()
        told.noted(f"{key}: {claims} claims")

    made = await add_to_corpus(
        given["name"], given.get("paths", ()), run=given.get("run"), extractor=given.get("extractor", "auto"),
        on_paper=on_paper,
    )  # fmt: skip
    result = [each.model_dump(mode="json") for each in made]
    costs = [each.cost_usd for each in made]
    cost = None if None in costs else sum(each or 0.0 for each in costs)
    waiting = any(each.unavailable for each in made)
    ended = Ended(run_id=told.run_id, status="unavailable" if waiting else "added", cost_usd=cost)
    return {"result.json": json.dumps({"additions": result})}, ended


async def _paper(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.use_cases.papers import audit_paper, replay_paper_audit, resume_paper_audit
    from veritas.use_cases.reports import write_report
    from veritas.use_cases.run_archive import is_stored

    if is_stored("audit", told.run_id, home=told.home):
        audit = await resume_paper_audit(told.run_id, progress=told, home=told.home)
    elif "replay" in given:
        audit = await replay_paper_audit(
            given["replay"], given["from_stage"], changes=given.get("changes"), audit_id=told.run_id, progress=told,
            home=told.home,
        )  # fmt: skip
    else:
        audit = await audit_paper(**given, audit_id=told.run_id, yes=True, progress=told, home=told.home)
    write_report(audit)
    status = "unavailable" if audit.unheard is not None else "audited"
    ended = Ended(run_id=audit.audit_id, status=status, cost_usd=audit.cost_usd)
    return {"result.json": json.dumps({"audit_id": audit.audit_id})}, ended


async def _review(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.use_cases.reports import write_report
    from veritas.use_cases.reviews import replay_review, resume_review, write_review
    from veritas.use_cases.run_archive import is_stored

    if is_stored("review", told.run_id, home=told.home):
        review = await resume_review(told.run_id, progress=told, home=told.home)
    elif "replay" in given:
        review = await replay_review(
            given["replay"], given["from_stage"], changes=given.get("changes"), new_id=told.run_id, progress=told,
            home=told.home,
        )  # fmt: skip
    else:
        review = await write_review(**given, review_id=told.run_id, progress=told, home=told.home)
    write_report(review)
    ended = Ended(run_id=review.review_id, status="unavailable" if review.unjudged is not None else "written")
    return {"result.json": json.dumps({"review_id": review.review_id})}, ended


async def _living(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.use_cases import living
    from veritas.use_cases.runners import runner

    carried_out_by = runner()

    async def carry(asked: Asked) -> ClaimGraph:
        told.stop_if_asked()
        return await carried_out_by(asked, told, None)

    def done(again: living.Again) -> None:
        told.noted(f"{again.name}: {again.state}" + (f" ({again.problem})" if again.problem else ""))

    if given.get("name") is None:
        found = await living.ask_all(carry=carry, done=done, home=told.home)
    else:
        found = [await living.ask_again(given["name"], carry=carry, home=told.home)]
        done(found[0])
    states = [again.state for again in found]
    status = next((each for each in ("unavailable", "changed", "first", "same") if each in states), "not asked")
    costs = [again.cost_usd for again in found]
    cost = None if None in costs else sum(each or 0.0 for each in costs)
    result = {"asked": [again.model_dump(mode="json") for again in found]}
    return {"result.json": json.dumps(result)}, Ended(run_id=told.run_id, status=status, cost_usd=cost)


_WORK: Mapping[Work, Callable[[Writing, dict[str, Any]], Awaitable[tuple[dict[str, str], Ended]]]] = {
    "bibliography": _bibliography, "cite": _cite, "corpus": _corpus, "factcheck": _factcheck, "living": _living,
    "paper": _paper, "review": _review,
}  # fmt: skip


MOST, LONGEST = 300, 400
"""Most things of a kind in one event, and most characters of a text: the claim graph has all of it."""


class Writing(events.Telling):
    """A `Progress` that appends each event to those of a run in the background, for the process that carries it out."""

    def __init__(self, home: Path, run_id: str, details: bool = True) -> None:
        """`details` are told of research: the stages of other work have other outputs."""
        self.home, self.run_id, self._details = home, run_id, details

    def stop_if_asked(self) -> None:
        """Raise `Cancelled` if somebody has asked the run to stop."""
        if job_asked_to_stop(self.home, self.run_id):
            raise Cancelled(f"run {self.run_id} was stopped on request")

    def tell(self, event: Frozen) -> None:
        """Append an event. Raises `StoreUnavailable`."""
        tell(self.home, self.run_id, event)

    def stage_started(self, stage: str) -> None:
        self.stop_if_asked()  # it may have been asked before there was a run to be asked
        super().stage_started(stage)

    def stage_output(self, stage: str, output: Any) -> None:
        """Tell what a stage found, judged and left out."""
        if not self._details:
            return
        for event in _DETAILS.get(stage, _nothing)(output):
            self.tell(event)
        if out := getattr(output, "events", ()):
            seen = [
                events.OutSeen(kind=each.kind, subject_id=_short(each.subject_id), reason=_short(each.reason))
                for each in out[:MOST]
            ]
            self.tell(events.LeftOut(stage=stage, out=tuple(seen), more=max(0, len(out) - MOST)))


def _nothing(output: Any) -> list[Frozen]:
    return []


def _sources(output: Any) -> list[Frozen]:
    sources = output.sources
    seen = [
        events.SourceSeen(
            source_id=each.source_id, title=_short(each.title), url=_short(each.url), status=each.status,
            tier=each.tier, rule=_short(each.rule), reason=_short(each.problem or each.justification),
        )
        for each in sources[:MOST]
    ]  # fmt: skip
    return [events.SourcesFound(sources=tuple(seen), more=max(0, len(sources) - MOST))]


def _claims(stage: str, output: Any) -> events.ClaimsSeen:
    claims = output.claims
    live = set(getattr(output, "live", [each.claim_id for each in claims]))
    seen = [
        events.ClaimSeen(
            claim_id=each.claim_id, claim=_short(each.claim), asserted_by=each.asserted_by,
            label=each.verifier_judgment, debate_status=each.debate_status, badges=each.badges,
            live=each.claim_id in live,
        )
        for each in claims[:MOST]
    ]  # fmt: skip
    return events.ClaimsSeen(stage=stage, claims=tuple(seen), more=max(0, len(claims) - MOST))


def _debate(output: Any) -> list[Frozen]:
    return [events.Agreement(rounds=tuple(output.rounds)), _claims("debate", output)]


_DETAILS: Mapping[str, Callable[[Any], list[Frozen]]] = {
    "research": _sources,
    "extract": lambda output: [_claims("extract", output)],
    "verify": lambda output: [_claims("verify", output)],
    "debate": _debate,
}


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def main(arguments: Sequence[str]) -> int:
    """Carry out the run, tell how it ended, and begin the next in line; return the exit code. `LOCK` is the number of
    the file whose lock the process was started with."""
    from veritas.settings import home

    withhold_on_streams()
    withhold_in_logs()
    place, run_id = home(), arguments[0]
    if len(arguments) > 1:
        lock: ProcessLock | None = ProcessLock(stored.job_folder(place, run_id) / "lock", int(arguments[1]))
    else:
        lock = stored.hold_job(place, run_id)
    if lock is None:
        return 0  # another process carries it out
    told = Writing(place, run_id)
    ended = _carried_out(told)
    try:
        told.tell(ended)
        stored.mark_done(place, run_id)
    finally:
        lock.release()
    advance(home=place)
    return ended.exit_code if isinstance(ended, Failed) else 0


def _carried_out(told: Writing) -> Ended | Failed | Stopped:
    try:
        if stored.job_asked_to_stop(told.home, told.run_id):
            return Stopped()
        return _run(told)
    except Cancelled as stopped:
        return Stopped(said=str(stopped))
    except VeritasError as error:
        return Failed(error=type(error).__name__, said=str(error), exit_code=error.exit_code)
    except BaseException as error:  # noqa: BLE001 - whoever follows must learn of it, whatever it is
        traceback.print_exc()
        said = f"the run crashed ({type(error).__name__}): this is a defect of veritas, and its log says where"
        return Failed(error="Crash", said=said, exit_code=CRASHED)


def _run(told: Writing) -> Ended:
    wanted: Wanted = stored.read_job(told.home, told.run_id, Wanted)
    if wanted.work == "research":
        return _research(told, wanted)

    return asyncio.run(carry_out(Writing(told.home, told.run_id, details=False), wanted))


def _research(told: Writing, wanted: Wanted) -> Ended:
    from veritas.use_cases.reports import write_report

    if wanted.resume is not None or run_path(told.home, told.run_id).exists():  # cut off before, or stopped
        asked = Asked(resume=told.run_id, preflight=wanted.preflight)
    else:
        asked = Asked(
            question=wanted.question, settings=wanted.settings, replay=wanted.replay, start_stage=wanted.start_stage,
            preflight=wanted.preflight, run_id=told.run_id,
        )  # fmt: skip
    graph = asyncio.run(runner()(asked, told, None))
    try:
        write_report(graph, told.home / "reports" / graph.run.run_id)
    except StoreUnavailable as problem:  # the answer is paid for and stored all the same
        told.noted(str(problem))
    costs = [call.cost_usd for call in graph.calls if not call.from_ledger]
    return Ended(
        run_id=graph.run.run_id, status=graph.answer.status, reason=graph.answer.reason,
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
    )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
