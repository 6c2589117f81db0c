"""Whole runs whose claims are judged by a fact-checking model on loopback, or by a model in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.council.lenses.tiny_model import folder
from tests.loopback.fact_checker import checks
from tests.loopback.server import loopback
from tests.pumps import QUESTION, write_corpus
from veritas import ClaimGraph, aio
from veritas.council.lenses.weights import weights_hash

MEMBERS = """
members:
  - {name: a, member: embedded-lead, judge: embedded-coverage}
  - {name: b, member: embedded-salience, judge: embedded-numeric}
writer: a
"""


async def ask(tmp_path: Path, judge: str, verifiers: str, **settings: Any) -> ClaimGraph:
    file = tmp_path / "council.yaml"
    file.write_text(f"{MEMBERS}judges:\n  - {judge}\nverifiers: [{verifiers}]\n", encoding="utf-8")
    corpus = write_corpus(tmp_path)
    return await aio.research(
        QUESTION, home=tmp_path / "home", corpus=[str(corpus)], council=str(file), tier="quick", **settings
    )


def checker(url: str) -> str:
    asked = f"model: openai/m, family: bespoke, base_url: '{url}', limits: {{retries: 0}}"
    return f"{{name: checker, lens: minicheck, {asked}}}"


async def test_a_fact_checker_judges_the_claims_of_a_run_and_its_calls_are_in_the_graph(tmp_path: Path) -> None:
    with loopback(checks(0.9), models=("m",)) as server:
        graph = await ask(tmp_path, checker(server.url), "checker")
    verified = [j for j in graph.judgments if j.purpose == "verify"]
    assert verified
    assert {j.lens for j in verified} == {"checker"}
    assert {j.family for j in verified} == {"bespoke"}
    calls = [call for call in graph.calls if call.who == "checker"]
    assert {call.turn for call in calls} == {"judge"}
    assert len(server.asked) == len([call for call in calls if not call.from_ledger])


async def test_a_replay_with_other_weights_says_so(tmp_path: Path) -> None:
    model = folder(tmp_path / "m")
    first = weights_hash(model)
    judge = f"{{name: nli, lens: onnx, folder: {model}, family: microsoft}}"
    graph = await ask(tmp_path, judge, "nli")
    folder(model, labels={"0": "entailed", "1": "neutral", "2": "contradiction"})
    second = weights_hash(model)
    again = await aio.replay(graph.run.run_id, "verify", home=tmp_path / "home")
    for made, weights in ((graph, first), (again, second)):
        said = [j.rationale for j in made.judgments if j.lens == "nli"]
        assert said
        assert all(f"[weights {weights[:12]}]" in rationale for rationale in said)
    assert any(first in event.reason for event in graph.events)
    assert first != second
