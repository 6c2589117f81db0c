"""The use cases of cases that wait for a person, and of living questions."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

from tests.doors.table import UseCase, fields
from tests.doors.world import World
from tests.pumps import QUESTION
from veritas import approvals
from veritas.use_cases import living

DECISION = {"name": "Ada Lovelace", "reason": "The manual says so."}


def _waiting(found: list[Any]) -> list[str]:
    return sorted(each["approval_id"] for each in found)


def _pending(world: World) -> list[str]:
    world.case()
    return _waiting([each.model_dump(mode="json") for each in approvals.pending()])


def _case(world: World) -> dict[str, Any]:
    found = approvals.find(world.case().approval_id)
    world.waiting = found.approval_id
    return {"claim": found.case.claim, "sentence": found.sentence, "fingerprint": found.fingerprint}


def _told(found: Any) -> dict[str, Any]:
    return {"claim": found["case"]["claim"], "sentence": found["sentence"], "fingerprint": found["fingerprint"]}


def _settled(state: str, found: Any) -> dict[str, Any]:
    (decision,) = found["decisions"]
    return {"state": state, **fields(decision, "verdict", "name", "reason")}


def _decided(world: World, how: Any) -> dict[str, Any]:
    """A new case is decided in some way; what is stored of it."""
    found = world.case()
    how(found)
    now = approvals.find(found.approval_id)
    return _settled(now.state(), now.model_dump(mode="json"))


def _kept(name: str) -> dict[str, Any]:
    """A living question as it is stored, which is then removed."""
    found = living.find(name)
    living.remove(name)
    return {"question": found.question, "tier": found.settings["tier"], "corpus": list(found.settings["corpus"])}


def _form(name: str) -> dict[str, Any]:
    return {"question": QUESTION, "name": name, "tier": "quick", "corpus": ["library/pumps.jsonl"]}


def _add(world: World, name: str) -> None:
    living.add(QUESTION, name=name, corpus=world.pumps, tier="quick")


def _asked(world: World, how: Any) -> list[str]:
    """A new question is asked twice; what came of it."""
    _add(world, "asked")
    try:
        return [how(world), how(world)]
    finally:
        living.remove("asked")


def _removed(world: World, how: Any) -> list[str]:
    _add(world, "gone")
    how(world)
    return ["gone", *[each.name for each in living.questions()]]


def _listed(world: World, how: Any) -> Any:
    _add(world, "listed")
    try:
        return how(world)
    finally:
        living.remove("listed")


def _changed(world: World, how: Any) -> Any:
    """A question of which a change is entered; what is told of it."""
    _add(world, "told")
    change = living.Change(kind="source", what="A pump manual", before="cited", after="left out", why=("it is gone",))
    entry = living.Entry(
        id="0" * 16, name="told", question=QUESTION, at=datetime(2026, 1, 1, tzinfo=UTC), run=world.other,
        run_before=world.run, status="answered", changes=(change,),
    )  # fmt: skip
    if not living.entries("told"):
        living.enter(entry, home=world.home)
    try:
        return how(world)
    finally:
        living.remove("told")


def _names(found: list[Any]) -> list[tuple[str, str]]:
    return [(each["name"], each["question"]) for each in found]


USE_CASES = [
    UseCase(
        "list of approvals", ("approvals",),
        _pending,
        lambda w: _waiting(w.cli_lines("approvals", "--json")),
        lambda w: _waiting(w.http("GET", "/approvals")["cases"]),
        lambda w: w.page("/approvals"),
        "deciding is a person's, and so are the cases",
        lambda found: [approvals.find(each).case.claim for each in found],
    ),
    UseCase(
        "a case", (),
        _case,
        lambda w: _told(w.cli_json("approvals", w.waiting, "--json")),
        lambda w: _told(w.http("GET", f"/approvals/{w.waiting}")),
        lambda w: w.page(f"/approvals/{w.waiting}"),
        "deciding is a person's, and so are the cases",
        lambda found: [found["claim"], found["sentence"]],
    ),
    UseCase(
        "approve", ("approve",),
        lambda w: _decided(w, lambda case: approvals.settle(
            case.approval_id, "approve", *DECISION.values(), seen=case.fingerprint)),
        lambda w: _decided(w, lambda case: w.cli(
            "approve", case.approval_id, "--name", DECISION["name"], "--reason", DECISION["reason"], "--seen",
            case.fingerprint)),
        lambda w: _decided(w, lambda case: w.http(
            "POST", f"/approvals/{case.approval_id}/decision",
            json={"verdict": "approve", **DECISION, "seen": case.fingerprint})),
        lambda w: _decided(w, lambda case: w.page(
            f"/approvals/{case.approval_id}", verdict="approve", **DECISION, seen=case.fingerprint)),
        "approving is never a tool",
    ),
    UseCase(
        "save a living question", ("watch",),
        lambda w: (_add(w, "of-python"), _kept("of-python"))[1],
        lambda w: (w.cli("watch", "add", QUESTION, "--name", "of-cli", "--corpus", w.pumps, "-t", "quick"),
                   _kept("of-cli"))[1],
        lambda w: (w.http("POST", "/living", json=_form("of-http")), _kept("of-http"))[1],
        lambda w: (w.page("/living", **_form("of-page")), _kept("of-page"))[1],
    ),
    UseCase(
        "list of living questions", (),
        lambda w: _listed(w, lambda w: _names([each.model_dump(mode="json") for each in living.questions()])),
        lambda w: _listed(w, lambda w: _names(w.cli_lines("watch", "list", "--json"))),
        lambda w: _listed(w, lambda w: _names(w.http("GET", "/living"))),
        lambda w: _listed(w, lambda w: w.page("/living")),
        shown=lambda found: [text for each in found for text in each],
    ),
    UseCase(
        "ask a living question again", (),
        lambda w: _asked(w, lambda w: asyncio.run(living.ask_again("asked")).state),
        lambda w: _asked(w, lambda w: w.cli_json("watch", "run", "asked", "--json")["state"]),
        lambda w: _asked(w, lambda w: w.work("/living/asked/run")["asked"][0]["state"]),
        lambda w: _asked(w, lambda w: w.page("/living/asked/ask", yes="yes") and "") and w.page("/living"),
        shown=lambda states: ["Living questions"],
    ),
    UseCase(
        "what changed about a living question", (),
        lambda w: _changed(w, lambda w: [each.model_dump(mode="json") for each in living.entries("told")]),
        lambda w: _changed(w, lambda w: w.cli_lines("watch", "log", "told", "--json")),
        lambda w: _changed(w, lambda w: w.http("GET", "/living/entries", params={"name": "told"})),
        lambda w: _changed(w, lambda w: w.page("/living")),
        shown=lambda found: [line for entry in found for line in living.told(living.Entry.model_validate(entry))],
    ),
    UseCase(
        "remove a living question", (),
        lambda w: _removed(w, lambda w: living.remove("gone")),
        lambda w: _removed(w, lambda w: w.cli("watch", "remove", "gone")),
        lambda w: _removed(w, lambda w: w.http("DELETE", "/living/gone")),
        lambda w: _removed(w, lambda w: w.page("/living/gone/remove", yes="yes")),
    ),
]  # fmt: skip
