"""A server that takes a question and never answers: nobody waits for it anew in every turn, and who waits is told."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.loopback.scripted import heard, honest
from tests.loopback.server import Asked, Loopback, Reply, fault, loopback
from tests.pumps import QUESTION, write_corpus
from veritas.claims import ClaimGraph
from veritas.cli.run_commands import ConsoleProgress
from veritas.council.connections import Switchboard
from veritas.council.failures import CallFailed, LeftOut
from veritas.council.litellm_model import close_clients
from veritas.council.model_lens import ModelLens
from veritas.policy.council_policy import ModelPolicy
from veritas.store.call_record import collecting_calls
from veritas.use_cases import runs

CLAIM, PASSAGE = "Water boils at 100 °C.", "Water boils at 100 °C. At sea level, that is."
LIMITS = {"timeout": 1.5, "retries": 2, "backoff": 0.01}


class Hanging:
    """Answers honestly until it is told to hang, from some turn on."""

    def __init__(self) -> None:
        self.over, self.turn = threading.Event(), ""

    def __call__(self, asked: Asked) -> Reply:
        if self.turn in ("", heard(asked).turn):
            self.turn = ""
            self.over.wait(60)
            return fault(500)
        return honest(asked)


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    made = Hanging()
    yield made
    made.over.set()


def council(folder: Path, server: Loopback, local: bool) -> Path:
    """One family of language models; its claims are judged by rules."""
    file = folder / "council.yaml"
    file.write_text(
        f"""members:
  - name: red
    model: openai/model-red
    family: crimson
    base_url: {server.url}
    structured: schema
    window: 32000
    local: {str(local).lower()}
    limits: {{timeout: 3, retries: 2, backoff: 0.01}}
verifiers: [embedded-entailment]
writer: red
""",
        encoding="utf-8",
    )
    return file


async def ask(tmp_path: Path, server: Loopback, local: bool) -> tuple[ClaimGraph, str]:
    request = runs.make_request(
        question=QUESTION, corpus=[str(write_corpus(tmp_path))], council=str(council(tmp_path, server, local))
    )
    said = io.StringIO()
    return await runs.start(request, home=tmp_path / "home", progress=ConsoleProgress(said)), said.getvalue()


@pytest.mark.parametrize(("local", "times"), [(False, 1), (True, 2)])
async def test_a_council_of_one_family_that_hangs_ends_the_run_and_is_not_waited_for_in_every_turn(
    tmp_path: Path, hanging: Hanging, local: bool, times: int
) -> None:
    with loopback(hanging, ("model-red",)) as server:
        graph, said = await ask(tmp_path, server, local)
        hanging.over.set()
    assert graph.answer.status == "unavailable"
    assert "gave no answer" in (graph.answer.reason or "")
    # One of one's own may have been loading the first time.
    assert len(server.asked) == times
    assert "veritas: waiting for openai/model-red (decompose), " in said


# -- one question ---------------------------------------------------------------------------------------------------


@pytest.fixture
async def board() -> Any:
    made = Switchboard()
    yield made
    await made.close()
    await close_clients()


def lens(server: Loopback, board: Switchboard, name: str, *, local: bool) -> ModelLens:
    given = {"model": f"openai/{name}", "family": f"house-{name}", "structured": "schema", "base_url": server.url,
             "local": local, "limits": LIMITS, "price": {"input": 1, "output": 4}}  # fmt: skip
    return ModelLens(name, f"house-{name}", board.connect(ModelPolicy.model_validate({"name": name, **given})))


async def test_a_model_that_answered_is_given_up_at_its_second_silence_and_its_calls_may_be_billed(
    board: Switchboard, hanging: Hanging
) -> None:
    hanging.turn = "never"
    with loopback(hanging) as server:
        judge = lens(server, board, "a", local=False)
        await judge.judge(CLAIM, PASSAGE)
        hanging.turn = ""
        with collecting_calls() as calls:
            with pytest.raises(CallFailed, match="gave no answer within"):
                await judge.judge(CLAIM, f"{PASSAGE} Surely.")
            with pytest.raises(LeftOut, match="gave no answer"):
                await judge.judge(CLAIM, f"{PASSAGE} Truly.")
            with pytest.raises(LeftOut):
                await judge.judge(CLAIM, f"{PASSAGE} Indeed.")
        assert len(server.asked) == 3
        assert [call.who for call in calls] == ["a", "a"]
        hanging.over.set()
