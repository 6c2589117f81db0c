"""Living questions: saved with all that they are asked by, asked again at the price of what is new, and what changed.

    from veritas.use_cases import living

    living.add("Does Prefect retry failed tasks?", corpus="docs/", tier="quick")
    for asked in await living.ask_all():
        print(asked.name, asked.state, asked.entry)

A question whose inputs are what they were is not asked again. Where they changed, or the web is searched, the last run
is replayed from the first stage that depends on them; what a model was asked before comes from the ledger (I9).
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import ConfigDict, ValidationError

from veritas.errors import Absent, Cancelled, InputError, StoreUnavailable, UnknownRun, VeritasError
from veritas.files import write_new, write_whole
from veritas.frozen import Frozen, content_hash
from veritas.store._process_lock import ProcessLock
from veritas.text.visible import one_line
from veritas.use_cases.given import given_budget, given_corpus, given_home, given_text
from veritas.use_cases.runners import Asked, in_process

if TYPE_CHECKING:
    from veritas.answers.request import Request
    from veritas.claims.graph import ClaimGraph, StageName
    from veritas.claims.run_diff import Cause, RunDiff

State = Literal["first", "changed", "same", "not asked", "unavailable"]
Carry = Callable[[Asked], Awaitable["ClaimGraph"]]
"""A function that carries out one run; by default in this process."""
Standings = Callable[["ClaimGraph"], Awaitable[Mapping[str, str]]]
"""A function that returns the standing of each cited work by its DOI, without those of which nothing is known now."""
M = TypeVar("M", bound=Frozen)

FRESH = 86_400.0
"""Seconds for which a registry's answer counts."""
UNKNOWN = "the records of the two runs do not tell the cause"
_NEW, _GONE = "not in the answer", "not found"


class Question(Frozen):
    """A living question. `settings` are the fields of a request, but for the question."""

    name: str
    question: str
    settings: Mapping[str, Any]
    added_at: datetime


class Change(Frozen):
    """A change of an answer. `what` is the sentence, claim, source or work; `why` are the causes, in words."""

    kind: Literal["answer", "verdict", "source", "standing"]
    what: str
    before: str
    after: str
    why: tuple[str, ...] = ()


class Entry(Frozen):
    """What changed about a question's answer, and why. `cost_usd` is that of the run that found it."""

    id: str
    name: str
    question: str
    at: datetime
    run: str
    run_before: str | None
    status: str
    changes: tuple[Change, ...]
    cost_usd: float | None = 0.0


class Memory(Frozen):
    """What is known of a question since it was last asked. `pending` is a run that was begun, and not seen to end."""

    model_config = ConfigDict(extra="ignore")  # earlier versions kept notices here

    run: str | None = None
    asked_at: datetime | None = None
    standings: Mapping[str, str] = {}
    pending: str | None = None


class Again(Frozen):
    """What came of asking a question again.

    `first`: it has its first answer. `changed`: `entry` says what and why. `same`: asked, and nothing changed. `not
    asked`: its inputs are what they were, and no run was made. `unavailable`: nobody could be asked, which says nothing
    (I5); `problem` says why. `cost_usd` is that of the run, None where a price is unknown.
    """

    name: str
    question: str
    state: State
    run: str | None = None
    cost_usd: float | None = 0.0
    entry: Entry | None = None
    problem: str = ""


# -- what is saved ----------------------------------------------------------------------------------------------------


def add(question: str, *, name: str = "", home: str | Path | None = None, **settings: Any) -> Question:
    """Save a question, to be asked again, and return it. Nobody is asked yet.

    `name` is by default made of its words; `settings` are parameters of `veritas.research`. Raises `InputError`, also
    for a name that another question has.
    """
    from veritas.use_cases.runs import make_request

    corpus, budget = given_corpus(settings.pop("corpus", ())), given_budget(settings.pop("budget", None))
    request = make_request(question=given_text(question, "question"), corpus=corpus, budget=budget, **settings)
    kept = request.model_dump(mode="json", exclude={"question"}, exclude_none=True)
    made = Question(
        name=_named(name or request.question, chosen=bool(name)), question=request.question,
        settings=kept, added_at=datetime.now(UTC),
    )  # fmt: skip
    place = _folder(given_home(home)) / made.name
    try:
        place.mkdir(parents=True, exist_ok=True)
        new = write_new(place / "question.json", made.model_dump_json(indent=1))
    except OSError as error:
        raise StoreUnavailable(f"the question cannot be saved: {error.strerror or error}") from error
    if not new:
        raise InputError(f"there is a living question {made.name!r} already: choose another --name, or remove it")
    return made


def questions(*, home: str | Path | None = None) -> list[Question]:
    """Return all living questions, by name. Raises `StoreUnavailable` for one that cannot be read."""
    return [_read(path, Question) for path in sorted(_folder(given_home(home)).glob("*/question.json"))]


def find(name: str, *, home: str | Path | None = None) -> Question:
    """Return a living question by its name, or an unambiguous beginning of it. Raises `InputError`."""
    known = questions(home=home)
    found = [each for each in known if each.name == name] or [each for each in known if each.name.startswith(name)]
    if not name or len(found) != 1:
        names = ", ".join(each.name for each in (found or known)[:10]) or "none yet"
        raise Absent(f"{len(found) if name and found else 'no'} living questions are meant by {name!r}: {names}")
    return found[0]


def remove(name: str, *, home: str | Path | None = None) -> Question:
    """Ask a question no more, and return it. Its runs and its entries stay. Raises `InputError`."""
    question = find(name, home=home)
    place = _folder(given_home(home)) / question.name
    (place / "question.json").unlink(missing_ok=True)
    shutil.rmtree(place, ignore_errors=True)
    return question


def memory(name: str, *, home: str | Path | None = None) -> Memory:
    """Return what is known of a question: `run` holds its present answer, `asked_at` is when it was last looked whether
    it has to be asked again. Raises `InputError`."""
    return _memory(given_home(home), find(name, home=home).name)


def entries(name: str | None = None, *, home: str | Path | None = None) -> list[Entry]:
    """Return the entries of one question, or of all, the newest first. Raises `InputError` for an unknown name."""
    place = given_home(home)
    wanted = find(name, home=place).name if name is not None else None
    try:
        lines = (_folder(place) / "entries.jsonl").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    found: dict[str, Entry] = {}
    for line in lines:
        with suppress(ValidationError):  # a line that a killed process left half-written
            each = Entry.model_validate_json(line)
            if wanted in (None, each.name):
                found[each.id] = each
    return sorted(found.values(), key=lambda each: each.at, reverse=True)


def enter(entry: Entry, *, home: str | Path | None = None) -> None:
    """Append an entry."""
    path = _folder(given_home(home)) / "entries.jsonl"
    with path.open("ab") as file:
        file.write(b"\n" * (file.tell() > 0 and not path.read_bytes().endswith(b"\n")))
        file.write(entry.model_dump_json().encode() + b"\n")


def told(entry: Entry) -> list[str]:
    """Return what changed in lines, each cause once, behind the changes that it made."""
    by_cause: dict[tuple[str, ...], list[str]] = {}
    for change in entry.changes:
        what = one_line(change.what)
        if change.kind == "answer" and change.before == _NEW:
            what = f"The answer says, as it did not before: “{what}”"
        elif change.kind == "answer" and change.after == _NEW:
            what = f"The answer no longer says: “{what}”"
        elif change.kind != "source":
            what = f"{what}: {one_line(change.before) or 'nothing'} → {one_line(change.after) or 'nothing'}"
        by_cause.setdefault(change.why, []).append(what)
    return [
        line
        for causes, said in by_cause.items()
        for line in dict.fromkeys([*said, *(f"  cause: {one_line(each)}" for each in causes if each not in said)])
    ]


# -- asked again ------------------------------------------------------------------------------------------------------


async def ask_all(
    *,
    carry: Carry | None = None,
    standings: Standings | None = None,
    done: Callable[[Again], None] = lambda asked: None,
    home: str | Path | None = None,
) -> list[Again]:
    """Ask every living question again, one after the other; see `ask_again`. What one cannot be asked for is its
    `problem`, and the others are asked all the same. `done` hears of each."""
    found = []
    for question in questions(home=home):
        try:
            again = await ask_again(question.name, carry=carry, standings=standings, home=home)
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
    home: str | Path | None = None,
) -> Again:
    """Ask a living question again if anything may have changed, and return what came of it.

    `carry` carries out the run; `standings` asks for the standing of what the answer cites, by default the scholarly
    registries. Raises `InputError` for an unknown name, for what can no longer be used, such as a corpus that is gone,
    and while another process asks the same question.
    """
    place = given_home(home)
    question = find(name, home=place)
    with _held(place, question.name):
        return await _asked(question, carry or _in_process, standings or registered, place)


async def _in_process(asked: Asked) -> ClaimGraph:
    from veritas.engine.progress import Silent

    return await in_process(asked, Silent(), None)


async def _asked(question: Question, carry: Carry, standings: Standings, home: Path) -> Again:
    from veritas.use_cases.run_states import diff_runs
    from veritas.use_cases.runs import make_request

    known = _memory(home, question.name)
    request = make_request(question=question.question, **question.settings)
    before = _graph(known.run, home)
    stage = _first_stage(request, before, home) if before is not None else None
    said = {"name": question.name, "question": question.question}
    after, cost = before, 0.0 if before is not None else None
    if before is None or stage is not None:
        after = await _run(question, known, before, stage, carry, home)
        costs = [call.cost_usd for call in after.calls if not call.from_ledger]
        cost = None if None in costs else sum(each or 0.0 for each in costs)
        if after.answer.status == "unavailable":
            _remember(home, question.name, known.model_copy(update={"pending": None}))
            return Again(**said, state="unavailable", run=after.run.run_id, cost_usd=cost,
                         problem=after.answer.reason or "nobody could be asked")  # fmt: skip
    assert after is not None
    standing = dict(await standings(after))
    found: list[Change] = []
    if before is not None and after is not before:
        found += changes_between(before, after, diff_runs(before, after))
    titles = {reference.doi: reference.title or reference.url for reference in after.answer.bibliography}
    found += [  # a work that is cited for the first time is told only if it does not stand
        Change(
            kind="standing", what=titles.get(doi) or doi, before=known.standings.get(doi, "not known"), after=now,
            why=(f"the registries say so of doi:{doi}",),
        )
        for doi, now in standing.items()
        if now != known.standings.get(doi, "current")
    ]  # fmt: skip
    run_id, at = after.run.run_id, datetime.now(UTC)
    entry = None
    if found:
        entry = Entry(
            id=content_hash([question.name, run_id, [each.model_dump(mode="json") for each in found]])[:16], **said,
            at=at, run=run_id, run_before=before.run.run_id if before is not None else None,
            status=after.answer.status, changes=tuple(found), cost_usd=cost,
        )  # fmt: skip
        enter(entry, home=home)
    _remember(home, question.name, Memory(
        run=run_id, asked_at=at, standings={**known.standings, **standing}))  # fmt: skip
    state: State = "changed" if entry else "first" if before is None else "same" if after is not before else "not asked"
    return Again(**said, state=state, run=run_id, cost_usd=cost, entry=entry)


async def _run(
    question: Question, known: Memory, before: ClaimGraph | None, stage: StageName | None, carry: Carry, home: Path
) -> ClaimGraph:
    """Return the run of a question: the one that was cut off gone on with, a replay of the last, or a first one.

    Its id is remembered before it begins, so that what it had paid for is not lost with it.
    """
    from veritas.store.paths import new_run_id

    if known.pending is not None:
        with suppress(InputError):  # it was not begun, or its inputs changed meanwhile
            return await carry(Asked(resume=known.pending))
    run_id = new_run_id()
    _remember(home, question.name, known.model_copy(update={"pending": run_id}))
    if before is None or stage is None:
        return await carry(Asked(question=question.question, settings=question.settings, run_id=run_id))
    return await carry(Asked(replay=before.run.run_id, start_stage=stage, run_id=run_id))


def _graph(run: str | None, home: Path) -> ClaimGraph | None:
    """Return the claim graph of a question's last run; None where there is none any more."""
    from veritas.use_cases.run_states import load_run

    with suppress(UnknownRun, StoreUnavailable):
        return load_run(run, home=home) if run is not None else None
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


def changes_between(before: ClaimGraph, after: ClaimGraph, diff: RunDiff) -> list[Change]:
    """Return the changes from one run's answer to the other's, each with its cause.

    What neither answer rests on is left out: drafts that were not cited, and sources that were only found.
    """
    found = []
    if before.answer.status != after.answer.status:
        why = tuple(dict.fromkeys(cause.said for cause in diff.causes))[:3]
        status = {"before": before.answer.status, "after": after.answer.status}
        found.append(Change(kind="answer", what="the answer's status", **status, why=why or (UNKNOWN,)))
    sentences = [s for graph in (before, after) for s in _own_sentences(graph) if s.kind != "frame"]
    own, cited = {s.sentence_id for s in sentences}, {c for s in sentences for c in s.claim_ids}
    resting = {r.source_id for graph in (before, after) for r in graph.answer.bibliography}
    titles = {source.url: source.title for graph in (before, after) for source in graph.sources}
    for cause in diff.causes:
        why = _why(cause, titles)
        if cause.kind == "source" and cause.id in resting:
            found.append(Change(kind="source", what=cause.said, before="", after="", why=why))
        for effect in cause.effects:
            if effect.kind == "sentence" and effect.id in own:
                same = effect.before == effect.after
                now = "in the answer, with other claims or marks" if same else effect.after
                found.append(Change(kind="answer", what=effect.text, before=effect.before, after=now, why=why))
            elif effect.kind == "claim" and effect.id in cited and effect.before != effect.after:
                found.append(
                    Change(kind="verdict", what=effect.text, before=effect.before, after=effect.after, why=why)
                )
    answer = {each.what for each in found if each.kind == "answer"}
    once = {(e.kind, e.what, e.after): e for e in found if e.kind != "verdict" or e.what not in answer}
    return list(once.values())


def _own_sentences(graph: ClaimGraph) -> list[Any]:
    """Return the sentences that an answer tells as its own, without those of passages that are only the closest."""
    brief = graph.answer.brief
    far = {p.sentence_id for p in brief.passages if p.far} if brief is not None else frozenset()
    return [sentence for sentence in graph.answer.sentences if sentence.sentence_id not in far]


def _why(cause: Cause, titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return a cause in words. Where it is that other sources were found, it names them: they are what is new."""
    named = [
        f"{what}: {titles.get(effect.text) or ''} {effect.text}".replace("  ", " ")
        for what, side in (("a source that was not found before", "before"), ("a source is no longer found", "after"))
        for effect in cause.effects
        if effect.kind == "source" and getattr(effect, side) == _GONE
    ][:3]
    return tuple(named) if cause.kind == "search" and named else (cause.said, *named)


async def registered(graph: ClaimGraph) -> Mapping[str, str]:
    """Return DOI -> standing of the works that an answer cites, by the scholarly registries. One that no registry tells
    of now is left out (I5). Nobody is asked for an answer that cites nothing with a DOI."""
    cited = {reference.doi: reference for reference in graph.answer.bibliography if reference.doi}
    if not cited:
        return {}
    from veritas.citations.bibliography.entry import Entry as BibEntry
    from veritas.citations.bibliography.judging import verify
    from veritas.use_cases.citations import configured_registries

    bib = [
        BibEntry(
            file="answer", key=doi, line=1, type="article",
            fields={name: value for name, value in {
                "doi": doi, "title": reference.title, "author": " and ".join(reference.authors),
                "year": str(reference.year or ""),
            }.items() if value},
        )
        for doi, reference in cited.items()
    ]  # fmt: skip
    judged = await verify(bib, configured_registries(newer_than=time.time() - FRESH))
    return {
        each.entry.key: standing for each in judged if (standing := each.evidence.status.standing) is not None
    }


# -- files ------------------------------------------------------------------------------------------------------------


def _folder(home: Path) -> Path:
    return home / "living"


def _memory(home: Path, name: str) -> Memory:
    path = _folder(home) / name / "memory.json"
    return _read(path, Memory) if path.exists() else Memory()


def _remember(home: Path, name: str, known: Memory) -> None:
    write_whole(_folder(home) / name / "memory.json", known.model_dump_json(indent=1))


@contextmanager
def _held(home: Path, name: str) -> Iterator[None]:
    """Hold a question while it is asked. Raises `InputError` where another process holds it."""
    lock = ProcessLock.take(_folder(home) / name / "lock")
    if lock is None:
        raise InputError(f"the living question {name!r} is being asked by another process")
    with lock:
        yield


def _read(path: Path, kind: type[M]) -> M:
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise StoreUnavailable(f"{path} cannot be read as a part of a living question") from error


def _named(words: str, *, chosen: bool) -> str:
    """Return a name that can be a folder's. Raises `InputError` for a chosen one that cannot."""
    given_text(words, "name")
    made = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")[:60].strip("-")
    if chosen and (made != words or not made):
        raise InputError(f"{words[:80]!r} is no name: use up to 60 small letters, digits and '-'")
    return made or f"question-{content_hash(words)[:8]}"
