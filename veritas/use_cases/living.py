"""Living questions: saved with all that they are asked by, asked again at the price of what is new, and what changed.

    from veritas.use_cases import living

    living.add("Does Prefect retry failed tasks?", corpus="docs/", tier="quick")
    for asked in await living.ask_all():
        print(asked.name, asked.state, asked.entry)

A question whose inputs are what they were is not asked again. Where they changed, or the web is searched, the last run
is replayed from the first stage that depends on them; what a model was asked before comes from the ledger (I9).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from veritas.errors import Cancelled, InputError, StoreUnavailable, Unavailable, UnknownRun, VeritasError
from veritas.frozen import Frozen, content_hash
from veritas.use_cases import _living_files as files
from veritas.use_cases._living_changes import Change, changes_between
from veritas.use_cases._living_files import Entry, Memory, Question
from veritas.use_cases._living_notices import configured_notices
from veritas.use_cases.given import Paths, Spending, given_budget, given_corpus, given_home, given_text
from veritas.use_cases.runners import Asked, in_process

if TYPE_CHECKING:
    from veritas.answers.request import Request
    from veritas.claims.graph import ClaimGraph, StageName

__all__ = [
    "Again", "Change", "Entry", "Question", "add", "ask_again", "ask_all", "configured_notices", "entries",
    "find", "last_asked", "last_run", "questions", "remove",
]  # fmt: skip

State = Literal["first", "changed", "same", "not asked", "unavailable"]
Carry = Callable[[Asked], Awaitable["ClaimGraph"]]
"""A function that carries out one run; by default in this process."""
Notices = Mapping[str, Callable[[Entry], None]]
"""Where notices go, by a name: functions that send an entry, and raise `Unavailable` where it did not go out."""
Standings = Callable[["ClaimGraph"], Awaitable[Mapping[str, str]]]
"""A function that returns the standing of each cited work by its DOI, without those of which nothing is known now."""

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
"""Characters that an entry cannot hold, or shows as nothing."""


class Again(Frozen):
    """What came of asking a question again.

    `first`: it has its first answer. `changed`: `entry` says what and why. `same`: asked, and nothing changed. `not
    asked`: its inputs are what they were, and no run was made. `unavailable`: nobody could be asked, which says nothing
    (I5); `problem` says why. `unsent` are notices that did not go out, with the reason; they are sent with the next
    asking. `cost_usd` is that of the run, None where a price is unknown.
    """

    name: str
    question: str
    state: State
    run: str | None = None
    cost_usd: float | None = 0.0
    entry: Entry | None = None
    problem: str = ""
    unsent: tuple[str, ...] = ()


def add(
    question: str,
    *,
    name: str = "",
    corpus: Paths = (),
    web: bool = False,
    tier: str = "standard",
    council: str | Path | None = None,
    policy: str | Path | None = None,
    budget: Spending | None = None,
    since: date | None = None,
    home: str | Path | None = None,
) -> Question:
    """Save a question, to be asked again, and return it. Nobody is asked yet.

    `name` is by default made of its words; the others are parameters of `veritas.research`. Raises `InputError`, also
    for a name that another question has.
    """
    from veritas.use_cases.runs import make_request

    if unfit := _NOT_IN_XML.search(given_text(question, "question")):
        raise InputError(
            f"the question holds the control character U+{ord(unfit[0]):04X}, which no entry can hold: take it out"
        )
    request = make_request(
        question=question, corpus=given_corpus(corpus), web=web, tier=tier, council=council, policy=policy,
        budget=given_budget(budget), since=since,
    )  # fmt: skip
    settings = request.model_dump(mode="json", exclude={"question"})
    kept = {key: value for key, value in settings.items() if value is not None}
    made = Question(
        name=_named(name or request.question, chosen=bool(name)), question=request.question, settings=kept,
        added_at=datetime.now(UTC),
    )  # fmt: skip
    files.create(given_home(home), made)
    return made


def questions(*, home: str | Path | None = None) -> list[Question]:
    """Return all living questions, by name."""
    return files.every(given_home(home))


def find(name: str, *, home: str | Path | None = None) -> Question:
    """Return a living question by its name, or an unambiguous beginning of it. Raises `InputError`."""
    known = questions(home=home)
    found = [each for each in known if each.name == name] or [each for each in known if each.name.startswith(name)]
    if not name or len(found) != 1:
        names = ", ".join(each.name for each in (found or known)[:10]) or "none yet"
        raise InputError(f"{len(found) if name and found else 'no'} living questions are meant by {name!r}: {names}")
    return found[0]


def remove(name: str, *, home: str | Path | None = None) -> Question:
    """Ask a question no more, and return it. Its runs and its entries stay. Raises `InputError`."""
    question = find(name, home=home)
    files.remove(given_home(home), question.name)
    return question


def entries(name: str | None = None, *, home: str | Path | None = None) -> list[Entry]:
    """Return the entries of one question, or of all, the newest first. Raises `InputError` for an unknown name."""
    place = given_home(home)
    return files.entries(place, find(name, home=place).name if name is not None else None)


def last_run(name: str, *, home: str | Path | None = None) -> str | None:
    """Return the id of the run that holds a question's present answer; None before the first. Raises `InputError`."""
    place = given_home(home)
    return files.memory(place, find(name, home=place).name).run


def last_asked(name: str, *, home: str | Path | None = None) -> datetime | None:
    """Return when it was last looked whether a question has to be asked again; None before the first time. Raises
    `InputError`."""
    place = given_home(home)
    return files.memory(place, find(name, home=place).name).asked_at


async def ask_all(
    *,
    carry: Carry | None = None,
    standings: Standings | None = None,
    notices: Notices | None = None,
    done: Callable[[Again], None] = lambda asked: None,
    home: str | Path | None = None,
) -> list[Again]:
    """Ask every living question again, one after the other; see `ask_again`. What one cannot be asked for is its
    `problem`, and the others are asked all the same. `done` hears of each."""
    found = []
    for question in questions(home=home):
        try:
            again = await ask_again(question.name, carry=carry, standings=standings, notices=notices, home=home)
        except Cancelled:
            raise
        except VeritasError as error:
            again = Again(name=question.name, question=question.question, state="unavailable", problem=str(error))
        found.append(again)
        done(again)
    return found


async def ask_again(
    name: str,
    *,
    carry: Carry | None = None,
    standings: Standings | None = None,
    notices: Notices | None = None,
    home: str | Path | None = None,
) -> Again:
    """Ask a living question again if anything may have changed, and return what came of it.

    `carry` carries out the run; `standings` asks for the standing of what the answer cites, by default the scholarly
    registries; `notices` are sent for what changed, by default to `VERITAS_WEBHOOK`. Raises
    `InputError` for an unknown name, for what can no longer be used, such as a corpus that is gone, and while another
    process asks the same question.
    """
    place = given_home(home)
    question = find(name, home=place)
    told = configured_notices() if notices is None else notices
    with files.held(place, question.name):
        again = await _asked(question, carry or _in_process, standings or _registered, told, place)
        return again.model_copy(update={"unsent": await _send(question.name, told, place)})


async def _in_process(asked: Asked) -> ClaimGraph:
    from veritas.engine.progress import Silent

    return await in_process(asked, Silent(), None)


async def _send(name: str, notices: Notices, home: Path) -> tuple[str, ...]:
    """Send the notices that have not gone out yet; return the reasons of those that did not go out now either."""
    memory = files.memory(home, name)
    entries_of = {entry.id: entry for entry in files.entries(home, name)}
    left, reasons = [], []
    for where, of in memory.untold:
        if where not in notices or of not in entries_of:
            continue  # it is no longer wanted
        try:
            await asyncio.to_thread(notices[where], entries_of[of])
        except Unavailable as error:
            left.append((where, of))
            reasons.append(f"{where}: {error}")
    if tuple(left) != memory.untold:
        files.remember(home, name, memory.model_copy(update={"untold": tuple(left)}))
    return tuple(reasons)


async def _asked(
    question: Question, carry: Carry, standings: Standings, notices: Notices, home: Path
) -> Again:
    from veritas.use_cases.run_archive import diff_runs
    from veritas.use_cases.runs import make_request

    memory = files.memory(home, question.name)
    request = make_request(question=question.question, **question.settings)
    before = _graph(memory.run, home)
    stage = _first_stage(request, before, home) if before is not None else None
    said = {"name": question.name, "question": question.question}
    after = before
    cost: float | None = 0.0
    if before is None or stage is not None:
        made = await _run(question, memory, before, stage, carry, home)
        cost = _cost(made)
        if made.answer.status == "unavailable":
            files.remember(home, question.name, memory.model_copy(update={"pending": None}))
            return Again(**said, state="unavailable", run=made.run.run_id, cost_usd=cost,
                         problem=made.answer.reason or "nobody could be asked")  # fmt: skip
        after = made
    assert after is not None
    known = dict(await standings(after))
    found: list[Change] = []
    if before is not None and after is not before:
        found += changes_between(before, after, diff_runs(before, after))
    found += _standing_changes(after, memory.standings, known)
    now = Memory(
        run=after.run.run_id, asked_at=datetime.now(UTC), standings={**memory.standings, **known}, untold=memory.untold
    )
    entry = None
    if found:
        entry = Entry(
            id=content_hash([question.name, now.run, [each.model_dump(mode="json") for each in found]])[:16],
            name=question.name, question=question.question, at=now.asked_at or datetime.now(UTC), run=after.run.run_id,
            run_before=before.run.run_id if before is not None else None, status=after.answer.status,
            changes=tuple(found), cost_usd=cost,
        )  # fmt: skip
        files.enter(home, entry)
        now = now.model_copy(update={"untold": (*now.untold, *((where, entry.id) for where in notices))})
    files.remember(home, question.name, now)
    state: State = "changed" if entry else "first" if before is None else "same" if after is not before else "not asked"
    return Again(**said, state=state, run=now.run, cost_usd=cost, entry=entry)


async def _run(
    question: Question, memory: Memory, before: ClaimGraph | None, stage: StageName | None, carry: Carry, home: Path
) -> ClaimGraph:
    """Return the run of a question: the one that was cut off gone on with, a replay of the last, or a first one.

    Its id is remembered before it begins, so that what it had paid for is not lost with it.
    """
    from veritas.store.paths import new_run_id

    if memory.pending is not None:
        try:
            return await carry(Asked(resume=memory.pending))
        except InputError:  # it was not begun, or its inputs changed meanwhile
            pass
    run_id = new_run_id()
    files.remember(home, question.name, memory.model_copy(update={"pending": run_id}))
    if before is None or stage is None:
        return await carry(Asked(question=question.question, settings=question.settings, run_id=run_id))
    return await carry(Asked(replay=before.run.run_id, start_stage=stage, run_id=run_id))


def _graph(run: str | None, home: Path) -> ClaimGraph | None:
    """Return the claim graph of a question's last run; None where there is none any more."""
    from veritas.use_cases.run_archive import load_run

    if run is None:
        return None
    try:
        return load_run(run, home=home)
    except (UnknownRun, StoreUnavailable):
        return None


def _first_stage(request: Request, before: ClaimGraph, home: Path) -> StageName | None:
    """Return the first stage whose inputs changed since a run; None where none of them did."""
    from veritas.answers.runtime import build_runtime
    from veritas.policy.search_providers import load_providers
    from veritas.store import RunStore

    runtime = build_runtime(request)
    if [m.name for m in runtime.council.describe()] != [m.name for m in before.council]:
        return "decompose"
    if request.web or not request.corpus or load_providers().with_corpus:
        return "research"  # the web says of itself whether it changed
    with RunStore.open(home, before.run.run_id, read_only=True) as store:
        stored = store.stage_output("decompose")
    # As the first stage of a run hashes what it depends on (`engine/staged_run.py`).
    now = content_hash(["decompose", content_hash([request.model_dump(mode="json"), runtime.fingerprint])])
    return None if stored is not None and stored.input_hash == now else "research"


def _cost(graph: ClaimGraph) -> float | None:
    costs = [call.cost_usd for call in graph.calls if not call.from_ledger]
    return None if None in costs else sum(cost or 0.0 for cost in costs)


async def _registered(graph: ClaimGraph) -> Mapping[str, str]:
    from veritas.use_cases._living_standing import standings

    return await standings(graph)


def _standing_changes(graph: ClaimGraph, before: Mapping[str, str], now: Mapping[str, str]) -> Sequence[Change]:
    """Return the changes of standing. A work that is cited for the first time is told only if it does not stand."""
    titles = {reference.doi: reference.title or reference.url for reference in graph.answer.bibliography}
    return [
        Change(
            kind="standing", what=titles.get(doi) or doi, before=before.get(doi, "not known"), after=standing,
            why=(f"the registries say so of doi:{doi}",),
        )
        for doi, standing in now.items()
        if standing != before.get(doi, "current")
    ]  # fmt: skip


def _named(words: str, *, chosen: bool) -> str:
    """Return a name that can be a folder's. Raises `InputError` for a chosen one that cannot."""
    given_text(words, "name")
    made = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:60].strip("-")
    if chosen and (made != words or not made):
        raise InputError(f"{words[:80]!r} is no name: use up to 60 small letters, digits and '-'")
    return made or f"question-{content_hash(words)[:8]}"
