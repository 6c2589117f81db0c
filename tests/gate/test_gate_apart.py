"""Somebody else's lens in the gate: it may cancel itself and others, block, or try to end the program."""

from __future__ import annotations

import asyncio
import threading
import time
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import pytest

from veritas import Judgment
from veritas.gate import Ask, Attribution, Decision, Finding, Gate, InProcess, OracleAnswer
from veritas.long_waits import told_of_waits
from veritas.policy.gate_policy import load_gate_policy
from veritas.testing import FakeLens

POLICY = load_gate_policy().model_copy(update={"seconds": 0.3, "lens_seconds": 0.3})
CLAIM = "Water boils."
held = threading.Event()
"""What a lens waits for that blocks: set at the end of each test, so that no thread stays."""


@pytest.fixture(autouse=True)
def _released() -> Any:
    held.clear()
    yield
    held.set()


class Confirms:
    name = "confirms"

    async def confirm(self, finding: Finding) -> OracleAnswer:
        return OracleAnswer(oracle=self.name, verdict="confirmed", rationale="it is there")


@dataclass
class Theirs:
    """A lens as somebody else writes it. What it does, it does to claims that hold `word`."""

    name: str = "theirs"
    family: str = "acme"
    word: str = "Odd"

    async def judge(self, claim: str, passage: str) -> Judgment:
        if self.word in claim:
            await self.odd()
        return Judgment(label="supports", score=1, rationale="so it is", lens=self.name, family=self.family)

    async def odd(self) -> None:
        raise asyncio.CancelledError


class CancelsItself(Theirs):
    async def odd(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)


class Blocks(Theirs):
    async def odd(self) -> None:
        held.wait(30)


class BlocksLater(Theirs):
    async def odd(self) -> None:
        await asyncio.sleep(0.01)
        held.wait(30)


class Hangs(Theirs):
    async def odd(self) -> None:
        await asyncio.sleep(30)


class Stops(Theirs):
    async def odd(self) -> None:
        raise KeyboardInterrupt("stop")


class Leaves(Theirs):
    async def odd(self) -> None:
        raise SystemExit(7)


class Panics(Theirs):
    """As a library in Rust does: its exception is no `Exception`."""

    async def odd(self) -> None:
        raise BaseException("index out of bounds")


class Groups(Theirs):
    async def odd(self) -> None:
        raise BaseExceptionGroup("several", [asyncio.CancelledError(), ValueError()])


class Closes(Theirs):
    async def odd(self) -> None:
        raise GeneratorExit


class StopsTheLoop(Theirs):
    async def odd(self) -> None:
        asyncio.get_running_loop().stop()
        await asyncio.sleep(30)


class LeavesLater(Theirs):
    async def odd(self) -> None:
        async def leave() -> None:
            raise SystemExit(0)

        await asyncio.gather(leave(), asyncio.sleep(30))


class Iterates(Theirs):
    async def odd(self) -> None:
        next(iter(()))


def finding(claim: str) -> Finding:
    return Finding(
        finding_id=claim, kind="citation", claim=claim, passages=(claim,), family="somebody",
        sources=(Attribution(url="https://example.org/"),),
    )  # fmt: skip


async def decided(lens: Any, *claims: str) -> list[Decision]:
    gate = Gate(Confirms(), [lens], policy=POLICY, rule="dedicated")
    return list(await gate.decide_all([finding(claim) for claim in claims]))


@pytest.mark.parametrize(
    "lens",
    [Theirs(), CancelsItself(), Blocks(), BlocksLater(), Hangs(), Iterates(), Panics(), Groups(), Closes(), Leaves(),
     StopsTheLoop(), LeavesLater()],
    ids=lambda o: type(o).__name__,
)  # fmt: skip
async def test_lens_that_fails_at_one_finding_halts_that_one_alone(lens: Theirs) -> None:
    claims = ["First.", "Odd.", *(f"Claim {i}." for i in range(8))]
    start = time.monotonic()
    found = await decided(lens, *claims)
    assert time.monotonic() - start < 15
    assert [d.action for d in found] == ["halted" if "Odd" in claim else "admitted" for claim in claims]
    assert (found[1].verdict, found[1].judgments[0].label) == ("unavailable", "unavailable")
    assert "theirs" in found[1].reason


async def test_lens_that_gives_no_answer_in_time_is_then_asked_one_thing_at_a_time_and_named_while_it_lasts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("veritas.long_waits.LONG", 0.05)
    asked, said = [], []

    class Forgets(Theirs):
        async def odd(self) -> None:
            asked.append(1)
            await asyncio.sleep(30)

    with told_of_waits(said.append):
        found = await decided(Forgets(), *(f"Odd {i}." for i in range(80)))
    assert {d.action for d in found} == {"halted"}
    assert len(asked) < 40
    assert any("of its answers in a row have not come in time" in d.reason for d in found)
    of_it = [each for each in said if "theirs" in each]  # on a busy machine the oracle may take as long
    named = f"the plug-in {Forgets.__module__}.{Forgets.__qualname__}"
    assert set(of_it) == {f"waiting for theirs ({named}), 0.3 s at most"}
    assert len(of_it) < len(asked)


async def test_lens_that_always_blocks_holds_a_batch_no_longer_for_being_larger() -> None:
    lens = Blocks(word="")
    start = time.monotonic()
    found = await decided(lens, *(f"Claim {i}." for i in range(60)))
    assert time.monotonic() - start < 10  # sixty times its limit is eighteen seconds
    assert {d.verdict for d in found} == {"unavailable"}
    assert any("is asked no more" in d.reason for d in found)
    held.set()
    for _ in range(100):  # it comes back, and is asked again
        if (await decided(lens, "Later."))[0].admitted:
            break
        await asyncio.sleep(0.05)
    else:
        pytest.fail("it was never asked again")


async def test_others_go_on_while_a_lens_blocks() -> None:
    turned = 0

    async def turn() -> None:
        nonlocal turned
        while True:
            turned += 1
            await asyncio.sleep(0.01)

    ours = FakeLens(name="ours", family="us")
    beside = asyncio.ensure_future(turn())
    try:
        asks = [Ask(Blocks(word=""), CLAIM, CLAIM), Ask(ours, CLAIM, CLAIM)]
        theirs, own = await InProcess(0.3)(asks)
    finally:
        beside.cancel()
    assert (theirs.label, own.label) == ("unavailable", "supports")
    assert turned > 5


def test_ctrl_c_ends_the_program() -> None:
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(decided(Stops(), "First.", "Odd."))


async def test_lens_that_cancels_all_tasks_it_finds_holds_up_no_batch() -> None:
    class CancelsAll(Theirs):
        async def odd(self) -> None:
            time.sleep(0.1)  # noqa: ASYNC251 (until the others are in the queue, some of them with a task)
            for _ in range(2):
                for task in asyncio.all_tasks() - {asyncio.current_task()}:
                    task.cancel()  # before its first step
                await asyncio.sleep(0)

    lens = CancelsAll()
    asks = [Ask(lens, claim, CLAIM) for claim in ("Odd.", *(f"Claim {i}." for i in range(8)))]
    async with asyncio.timeout(10):
        found = await InProcess(5.0)(asks)
        assert [j.label for j in await InProcess(5.0)(asks[1:])] == ["supports"] * 8
    assert {j.label for j in found} == {"supports", "unavailable"}
    assert all("it was cancelled, not by its asker" in j.rationale for j in found if j.label == "unavailable")


async def test_lens_that_blocks_behind_its_answer_holds_up_no_later_batch() -> None:
    class BlocksBehind(Theirs):
        async def odd(self) -> None:
            asyncio.get_running_loop().call_soon(held.wait, 30)

    async with asyncio.timeout(15):
        assert (await decided(BlocksBehind(), "Odd."))[0].admitted
        assert (await decided(BlocksBehind(), "Later."))[0].admitted


async def test_asker_that_is_cancelled_is_cancelled_and_so_is_what_it_asked() -> None:
    seen: list[str] = []

    class Watches(Theirs):
        async def odd(self) -> None:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                seen.append("cancelled")
                raise

    task = asyncio.ensure_future(decided(Watches(), "Odd."))
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for _ in range(100):
        if seen:
            break
        await asyncio.sleep(0.02)
    assert seen == ["cancelled"]


async def test_what_a_lens_keeps_for_its_event_loop_stays_of_use_and_it_hears_its_context() -> None:
    said: ContextVar[str] = ContextVar("said", default="nothing")
    loops, heard = set(), set()

    class Keeps(Theirs):
        async def odd(self) -> None:
            loops.add(asyncio.get_running_loop())
            heard.add(said.get())

    said.set("word")
    for _ in range(3):
        await decided(Keeps(word=""), *(f"Claim {i}." for i in range(20)))
    assert len(loops) == 1
    assert loops != {asyncio.get_running_loop()}
    assert heard == {"word"}
