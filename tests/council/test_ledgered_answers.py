"""What the ledger gives again: answers that do, and what led to one; never what a sick server once said."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.council.test_model_runs import ask, council, turns
from tests.loopback.scripted import answer, heard, honest
from tests.loopback.server import Asked, Loopback, Reply, Script, fault, loopback
from veritas import aio
from veritas.claims.graph import Call, SubQuery
from veritas.claims.sources import Passage
from veritas.council.connections import Switchboard
from veritas.council.litellm_model import close_clients
from veritas.council.model_lens import ModelLens
from veritas.council.model_member import ModelMember
from veritas.council.recording import Recording
from veritas.errors import Unavailable, UnreadableAnswer
from veritas.policy.council_policy import ModelPolicy
from veritas.store.call_record import Spent, collecting_calls, spending
from veritas.store.ledger import Ledger, LedgerEntry, MemoryLedger, read_entry, write_entry

CLAIM, PASSAGE = "Water boils at 100 °C.", "Water boils at 100 °C. At sea level, that is."
EMPTY: Script = lambda _: Reply("")  # noqa: E731


@pytest.fixture(autouse=True)
async def _closed() -> AsyncIterator[None]:
    yield
    await close_clients()


def lens(server: Loopback, ledger: Ledger, script: Script, recording: Recording | None = None) -> ModelLens:
    """A judge of a new run over a ledger that is there already."""
    server.script = script
    server.asked.clear()
    board = Switchboard(environ={}, recording=recording or Recording())
    board.bind(ledger)
    limits = {"timeout": 20.0, "retries": 0}
    policy = ModelPolicy.model_validate(
        {"name": "judge", "model": "openai/m", "family": "acme", "base_url": server.url, "limits": limits}
    )
    return ModelLens("judge", "acme", board.connect(policy))


async def unreadable(judge: ModelLens) -> None:
    with pytest.raises(UnreadableAnswer):
        await judge.judge(CLAIM, PASSAGE)


async def judged(judge: ModelLens) -> tuple[str, list[Call]]:
    with collecting_calls() as calls:
        return (await judge.judge(CLAIM, PASSAGE)).label, list(calls)


async def test_empty_answers_of_a_sick_server_fail_no_later_run(server: Loopback) -> None:
    ledger = MemoryLedger()
    await unreadable(lens(server, ledger, EMPTY))
    assert len(server.asked) == 3
    label, calls = await judged(lens(server, ledger, honest))
    assert label == "supports"
    assert [call.from_ledger for call in calls] == [False]
    # And from here on the good answer is there.
    label, calls = await judged(lens(server, ledger, EMPTY))
    assert label == "supports"
    assert [call.from_ledger for call in calls] == [True]
    assert not server.asked


async def test_bad_answer_that_led_to_a_good_one_is_paid_for_once(server: Loopback) -> None:
    ledger = MemoryLedger()
    left = [Reply("Hm."), Reply('{"label": "supports"}')]
    first, calls = await judged(lens(server, ledger, lambda asked: left.pop(0) if left else honest(asked)))
    second, again = await judged(lens(server, ledger, EMPTY))
    assert first == second == "supports"
    assert [(c.request_hash, c.from_ledger) for c in again] == [(c.request_hash, True) for c in calls]
    assert len(calls) == 3
    assert not server.asked


async def test_bad_answer_and_no_server_is_unavailable_and_not_the_bad_answer(server: Loopback) -> None:
    ledger = MemoryLedger()
    await unreadable(lens(server, ledger, EMPTY))
    with pytest.raises(Unavailable, match="answers with status 503") as problem:
        await lens(server, ledger, lambda _: fault(503)).judge(CLAIM, PASSAGE)
    assert not isinstance(problem.value, UnreadableAnswer)


class OfFile:
    """The ledger of a file as an older version wrote it: nothing says whether an answer fits."""

    def __init__(self, file: Path) -> None:
        self.connection = duckdb.connect(file)
        self.connection.execute(
            "CREATE TABLE ledger (request_hash VARCHAR PRIMARY KEY, model VARCHAR, prompt VARCHAR, request VARCHAR, "
            "answer VARCHAR, answer_bytes BLOB, input_tokens INTEGER, output_tokens INTEGER, cost_usd DOUBLE, "
            "seconds DOUBLE, answered_at TIMESTAMP)"
        )

    def get(self, request_hash: str) -> LedgerEntry | None:
        return read_entry(self.connection, request_hash)

    def put(self, entry: LedgerEntry) -> None:
        write_entry(self.connection, entry)


@pytest.mark.parametrize("old", ["", "It does.", '{"label": "supports"}'])
async def test_bad_entry_of_an_older_file_is_asked_anew_and_gives_way(
    server: Loopback, tmp_path: Path, old: str
) -> None:
    ledger = OfFile(tmp_path / "old.duckdb")
    with collecting_calls() as calls:
        await lens(server, MemoryLedger(), honest).judge(CLAIM, PASSAGE)
    entry = LedgerEntry(
        request_hash=calls[0].request_hash, model="openai/m", prompt="judge.v1", request={"finish": "stop"},
        answer=old, at=datetime.now(UTC),
    )
    ledger.put(entry)
    assert (await judged(lens(server, ledger, honest)))[0] == "supports"
    assert len(server.asked) == 1
    kept = ledger.get(entry.request_hash)
    assert kept is not None
    assert kept.fits is True
    assert kept.answer == honest(server.asked[0]).text


async def test_rest_that_did_not_come_is_asked_for_by_a_later_run_and_what_came_is_kept(server: Loopback) -> None:
    passages = [Passage(passage_id=f"p{i}", document_id="d", start=0, end=9, text=f"Pump {i} is red.") for i in (1, 2)]
    question = SubQuery(sub_query_id="q", text="What colour are pumps?")

    def half(asked: Asked) -> Reply:
        if len(asked.messages) > 2:
            return Reply("")
        claims = answer(heard(asked))["claims"]
        return Reply(json.dumps({"claims": [claims[0], {"claim": claims[1]["claim"]}]}))

    def whole(asked: Asked) -> Reply:
        return Reply(json.dumps({"claims": answer(heard(asked))["claims"][1:]}))

    ledger = MemoryLedger()

    async def drafts(script: Script) -> tuple[int, Spent]:
        model: Any = lens(server, ledger, script).connected
        with spending(Spent()) as spent:
            return len(await ModelMember("m", "acme", model).assert_claims(question, passages)), spent

    kept, spent = await drafts(half)
    assert (kept, len(server.asked), len(spent.unfit)) == (1, 2, 1)
    kept, spent = await drafts(whole)
    assert (kept, len(server.asked), spent.unfit) == (2, 1, [])
    assert [call.from_ledger for call in spent.calls] == [True, False]
    assert (await drafts(EMPTY))[0] == 2
    assert not server.asked


async def test_replay_of_a_run_whose_model_said_nothing_once_finds_its_claims(tmp_path: Path) -> None:
    families = {"red": "crimson", "green": "olive"}
    with loopback(lambda asked: Reply("") if heard(asked).turn == "assert" else honest(asked)) as server:
        file = council(tmp_path, server, families)
        silent = await ask(tmp_path, file)
        assert not silent.claims
        server.script = honest
        server.asked.clear()
        graph = await aio.replay(silent.run.run_id, "extract", home=tmp_path / "home")
    assert graph.claims
    assert turns(server)["assert"] == len([c for c in graph.calls if c.turn == "assert"])
    assert turns(server)["decompose"] == 0
