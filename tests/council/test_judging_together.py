"""Several claims judged in one call: each has a passage, a context, a label and a reason of its own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import date

import pytest

from tests.loopback.scripted import Heard, answer, heard
from tests.loopback.server import Asked, Loopback, Reply, Script, loopback
from veritas.council.connections import Switchboard
from veritas.council.litellm_model import close_clients
from veritas.council.model_lens import ModelLens
from veritas.documents.document import Document, document_id
from veritas.gate import Attribution, Decision, Finding, Gate, StoredDocuments
from veritas.policy.council_policy import CallLimits, ModelPolicy
from veritas.policy.gate_policy import load_gate_policy

TEXT = "# Local HTTPS\n\nCaddy's local CA is powered by Smallstep. It works only on the local machine. Ports stay open."
QUOTES = ("Caddy's local CA is powered by Smallstep.", "It works only on the local machine.", "Ports stay open.")
CLAIMS = (QUOTES[0], "Local HTTPS works with every browser of the house.", QUOTES[2])
PAGE = Document(
    document_id=document_id(TEXT), url="https://caddy.example/https", title="Caddy", text=TEXT,
    fetched_at=date(2026, 11, 1),
)  # fmt: skip


@pytest.fixture(autouse=True)
async def closed() -> AsyncIterator[None]:
    yield
    await close_clients()


async def decided(script: Script, together: int) -> tuple[tuple[Decision, ...], list[Heard]]:
    with loopback(script) as server:
        gate = Gate(
            StoredDocuments([PAGE]), [lens(server)], rule="dedicated",
            policy=load_gate_policy().model_copy(update={"together": together}),
        )  # fmt: skip
        findings = [
            Finding(
                finding_id=f"f{n}", kind="research-claim", claim=claim, passages=(quote,), family="acme",
                sources=(Attribution(document_id=PAGE.document_id),),
            )
            for n, (claim, quote) in enumerate(zip(CLAIMS, QUOTES, strict=True))
        ]  # fmt: skip
        decisions = await gate.decide_all(findings)
        return decisions, [heard(a) for a in server.asked]


def lens(server: Loopback) -> ModelLens:
    policy = ModelPolicy(
        name="m", model="openai/scripted", family="olive", base_url=server.url, window=16_000, structured="schema",
        limits=CallLimits(retries=0),
    )  # fmt: skip
    return ModelLens("m-judge", "olive", Switchboard(environ={}).connect(policy))


def labels(decisions: tuple[Decision, ...]) -> list[str]:
    return [d.judgments[0].label for d in decisions]


def judging(asked: Asked) -> Reply:
    return Reply(json.dumps(answer(heard(asked))))


@pytest.mark.parametrize(("together", "calls"), [(1, 3), (2, 2), (6, 1)])
async def test_each_claim_gets_the_label_that_it_gets_alone(together: int, calls: int) -> None:
    decisions, asked = await decided(judging, together)
    assert len(asked) == calls
    assert labels(decisions) == ["supports", "silent", "supports"]


async def test_judge_reads_where_a_passage_stands_and_supports_by_the_passage_alone() -> None:
    _, (asked,) = await decided(judging, 6)
    assert [text for _, text in asked.under("passage")] == list(QUOTES)
    told = asked.under("context")[1][1]
    assert told.startswith("Caddy")
    assert told.endswith("Caddy's local CA is powered by Smallstep. [passage] Ports stay open.")


async def test_judge_that_forgets_a_claim_is_asked_about_each_alone() -> None:
    def forgetful(asked: Asked) -> Reply:
        said = answer(heard(asked))
        return Reply(json.dumps({"verdicts": said["verdicts"][1:]} if "verdicts" in said else said))

    decisions, asked = await decided(forgetful, 6)
    assert labels(decisions) == ["supports", "silent", "supports"]
    assert [len(to.under("claim")) for to in asked] == [3, 3, 3, 1, 1, 1]
