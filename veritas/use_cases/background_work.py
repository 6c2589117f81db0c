"""Work in the background that is not research: each of its use cases, carried out with the settings of a job."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veritas.store import jobs as stored
from veritas.use_cases.background import Wanted, Work
from veritas.use_cases.background_progress import Writing
from veritas.use_cases.events import Ended

if TYPE_CHECKING:
    from veritas.claims.graph import ClaimGraph


async def carry_out(told: Writing, wanted: Wanted) -> Ended:
    """Do the work, store its result beside its events, and return how it ended. Raises what its use case raises."""
    files, ended = await _WORK[wanted.work](told, dict(wanted.settings))
    stored.write_files(told.home, told.run_id, files)
    return ended


async def _bibliography(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.citations.bibliography.parse import decoded
    from veritas.report.bibliography_verdicts import as_html, counts, entry_json, profile_json
    from veritas.use_cases.bibliographies import audit_bibliography, correct_bibliography

    def begun(entries: Sequence[Any]) -> None:
        told.units_begun("entries", len(entries))

    def done(judged: Any) -> None:
        told.stop_if_asked()
        told.unit_done()

    judged = await audit_bibliography(
        given["files"], offline=given.get("offline", False), profile=given.get("profile"), pages=given.get("pages"),
        begun=begun, done=done,
    )  # fmt: skip
    plain = [  # where the file lay is nobody's business who reads the result
        each.model_copy(update={"entry": each.entry.model_copy(update={"file": Path(each.entry.file).name})})
        for each in judged
    ]
    entries = [entry_json(each) for each in plain]
    tally = counts(judged)
    files = {
        "result.json": json.dumps({"entries": entries, "counts": tally, "profile": profile_json(judged)}),
        "report.html": as_html(plain, f"{datetime.now(UTC):%Y-%m-%d %H:%M UTC}"),
    }
    if len(given["files"]) == 1:
        source = Path(given["files"][0])
        target = stored.made_folder(told.home, told.run_id) / "corrected.bib"
        correct_bibliography(source, target, judged)
        files["corrected.bib"] = decoded(target.read_bytes(), target.name)
    found = "unavailable" if tally["unavailable"] else "checked"
    return files, Ended(run_id=told.run_id, status=found, cost_usd=0.0)


async def _cite(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.citations.citing import Citation
    from veritas.use_cases.citations import cite

    outcome = await cite(
        given["claim"], given.get("hint"), root=given["root"], corpus=given.get("corpus", ()),
        offline=given.get("offline", False),
    )  # fmt: skip
    made: dict[str, Any] = {"cited": False, **json.loads(json.dumps(outcome.as_json()))} if not isinstance(
        outcome, Citation
    ) else {
        "cited": True, "citation": outcome.text, "artifact": outcome.path.name,
        "artifact_text": (Path(given["root"]) / outcome.path).read_text(encoding="utf-8"),
        "bibtex": outcome.bibtex, "flags": list(outcome.flags),
        "excerpts": [each.model_dump(mode="json") for each in outcome.artifact.excerpts],
        "review": list(outcome.artifact.review),
    }  # fmt: skip
    status = "cited" if made["cited"] else str(made.get("refusal", "refused"))
    return {"result.json": json.dumps(made)}, Ended(run_id=told.run_id, status=status)


async def _factcheck(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.report.factcheck_report import as_html, as_json, as_markdown
    from veritas.use_cases.factchecks import Told, check_facts, mend_facts

    def begun(pages: int, statements: int) -> None:
        told.units_begun("statements", statements)

    def read(source: Any) -> None:
        told.stop_if_asked()
        told.noted(f"{source.url}: " + (f"not read, it {source.problem}" if source.problem else "read"))

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
    ended = Ended(run_id=audit.audit_id, status="audited", cost_usd=audit.cost_usd)
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
    ended = Ended(run_id=review.review_id, status="written")
    return {"result.json": json.dumps({"review_id": review.review_id})}, ended


async def _living(told: Writing, given: dict[str, Any]) -> tuple[dict[str, str], Ended]:
    from veritas.use_cases import living
    from veritas.use_cases.runners import Asked, runner

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
