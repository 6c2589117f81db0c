"""A council whose three models behave as those of three vendors do, on real servers: courtesy behind a fence, prose
before the JSON, refusals, an answer that never ends, errors that advertise."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.loopback.failing import HOUSES, council
from tests.loopback.scripted import honest
from tests.loopback.server import Asked, Reply, fault, loopback
from tests.pumps import QUESTION, write_corpus
from veritas import ClaimGraph, aio
from veritas.report import render_markdown, render_terminal

ADVERT = "Internal error. Please upgrade your plan at https://vendor.example/billing"


def _courteous(refused: list[Asked]) -> Callable[[Asked], Reply]:
    count = itertools.count(1)

    def script(asked: Asked) -> Reply:
        if next(count) % 3 == 0:
            refused.append(asked)
            return Reply("I'm sorry, but I can't help with that request.")
        return Reply(f"```json\n{honest(asked).text}\n```\nI hope this helps! Let me know if you need anything else.")

    return script


def _thoughtful() -> Callable[[Asked], Reply]:
    count = itertools.count(1)

    def script(asked: Asked) -> Reply:
        if next(count) % 6 == 0:
            return Reply("Let me reason. " + "The passage needs careful thought. " * 6_000)
        return Reply(f"Sure! Here is my careful analysis. Let me think it through.\n\n{honest(asked).text}")

    return script


def _failing() -> Callable[[Asked], Reply]:
    count = itertools.count(1)
    return lambda asked: fault(500, ADVERT) if next(count) > 2 else honest(asked)


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> tuple[ClaimGraph, int, int]:
    refused: list[Asked] = []
    folder: Path = tmp_path_factory.mktemp("vendors")
    with ExitStack() as stack:
        scripts = (_courteous(refused), _thoughtful(), _failing())
        servers = {
            name: stack.enter_context(loopback(script, (f"model-{name}",)))
            for name, script in zip(HOUSES, scripts, strict=True)
        }
        corpus, file = str(write_corpus(folder)), str(council(folder, servers))
        graph = asyncio.run(aio.research(QUESTION, home=folder / "home", corpus=[corpus], council=file, tier="deep"))
        again = [a for s in servers.values() for a in s.asked if a.messages[-2]["role"] == "assistant"]
        return graph, len(again), len(refused)


def test_they_answer_and_nobody_judged_their_own(ended: tuple[ClaimGraph, int, int]) -> None:
    graph, *_ = ended
    assert graph.answer.status == "answered"
    families = {c.claim_id: c.provenance.family for c in graph.claims}
    assert not [j for j in graph.judgments if families.get(j.subject_id) == j.family]


def test_prose_and_courtesy_cost_no_further_call(ended: tuple[ClaimGraph, int, int]) -> None:
    """Asked again with a complaint are refusals alone."""
    graph, again, refused = ended
    assert 0 < again <= refused
    assert not [line for line in graph.answer.missing if "words around it" in line]


def test_what_a_vendor_writes_into_its_errors_is_in_the_ledger_alone(ended: tuple[ClaimGraph, int, int]) -> None:
    graph, *_ = ended
    shown = render_terminal(graph, 100) + render_markdown(graph) + json.dumps(graph.answer.missing)
    assert any("vendor.example" in (call.error or "") for call in graph.calls)
    assert "vendor.example" not in shown
    assert "upgrade your plan" not in shown
