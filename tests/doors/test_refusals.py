"""What cannot be done is refused through every door, for the same reason and in the same words."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import veritas
from tests.doors.world import Refused, World
from veritas.errors import VeritasError
from veritas.use_cases import living


class Case(NamedTuple):
    """Something that cannot be done: a part of the sentence that says why, and how each door is asked for it."""

    said: str
    doors: tuple[Callable[[World], Any], ...]


CASES = {
    "a question without words": Case("the question is empty", (
        lambda w: veritas.research("?", corpus=w.pumps),
        lambda w: w.cli("research", "?", "--corpus", w.pumps),
        lambda w: w.http("POST", "/runs", json={"question": "?", "corpus": ["library/pumps.jsonl"]}),
        lambda w: w.page("/ask", question="?", corpus="library/pumps.jsonl"),
        lambda w: w.mcp("research", question="?", corpus=[w.pumps]),
    )),
    "a run that is not there": Case("no run '20200101'", (
        lambda w: veritas.load_run("20200101"),
        lambda w: w.cli("show", "20200101"),
        lambda w: w.http("GET", "/runs/20200101/answer"),
        lambda w: w.page("/runs/20200101"),
        lambda w: w.mcp("get_run", run="20200101"),
    )),
    "a run that is over": Case("is not going on: there is nothing to cancel", (
        lambda w: veritas.cancel(w.run),
        lambda w: w.cli("cancel", w.run),
        lambda w: w.http("POST", f"/runs/{w.run}/cancel"),
        lambda w: w.page(f"/runs/{w.run}/stop", yes="yes"),
    )),
    "why of what is in no run": Case("nothing in run", (
        lambda w: veritas.why(w.run, "no such words at all"),
        lambda w: w.cli("why", w.run, "no such words at all"),
        lambda w: w.http("GET", f"/runs/{w.run}/why", params={"about": "no such words at all"}),
        lambda w: w.mcp("why", run=w.run, about="no such words at all"),
    )),
    "an audit that is not there": Case("no audit 'nothing'", (
        lambda w: veritas.load_paper_audit("nothing"),
        lambda w: w.cli("paper", "--show", "nothing"),
        lambda w: w.http("GET", "/papers/nothing"),
        lambda w: w.page("/papers/nothing"),
    )),
    "a living question that is not there": Case("no living questions are meant by 'nobody'", (
        lambda w: living.remove("nobody"),
        lambda w: w.cli("watch", "remove", "nobody"),
        lambda w: w.http("DELETE", "/living/nobody"),
        lambda w: w.page("/living/nobody/remove", yes="yes"),
        lambda w: asyncio.run(living.ask_again("nobody")),
    )),
    "a lens that is not installed": Case("no lens", (
        lambda w: veritas.judge("A pump.", "A pump.", lens="beauty"),
        lambda w: w.cli("judge", "-", "--lens", "beauty", given='{"id": "1", "claim": "a", "passage": "b"}'),
        lambda w: w.http("POST", "/judgments", json={"claim": "A pump.", "passage": "A pump.", "lens": "beauty"}),
    )),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_door_refuses_in_the_same_words(case: Case, world: World) -> None:
    for door in case.doors:
        with pytest.raises((VeritasError, Refused)) as refused:
            door(world)
        assert case.said.casefold() in " ".join(str(refused.value).split()).casefold()
