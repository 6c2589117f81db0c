"""Councils that support everything, over real HTTP: what differs from its passage reaches no answer, no citation and no
node of a paper. Reviews: tests/reviews/test_reviews_yes_men.py."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.citations.citing.test_citing import ALIE, FLPOISON, FLPOISON_TEXT
from tests.citations.program import veritas
from tests.citations.registry_server import registry_server
from tests.loopback.scripted import _BLOCK, fold, heard
from tests.loopback.server import Asked, Reply, loopback
from tests.loopback.yes_men import YES, council, judging
from tests.papers.pump_papers import write_documents, write_paper
from tests.papers.test_paper_models import SOUND, assessment, graph
from tests.papers.test_paper_models import script as auditing
from tests.reviews.reviewing_model import said
from veritas import ClaimGraph, aio

LIES = {
    "The Torr pump weighs 40 kilograms.": "The Torr pump weighs 50 kilograms.",
    "The Dray pump was not certified in 2019.": "The Dray pump was certified in 2019.",
}
TRUTHS = [*LIES, "The Sable pump moves 3 litres of water per minute."]


def researching(asked: Asked) -> Reply:
    """Every member states each truth and its lie, with the truth as the quote; the judges support all of it; the writer
    prints every claim, and each lie once more on the claim that it was made of."""
    to = heard(asked)
    if to.turn == "judge":
        return Reply(YES)
    if to.turn == "decompose":
        return Reply(json.dumps({"sub_queries": [{"text": to.text("question"), "facet": "all"}]}))
    if to.turn == "assert":
        claims = [
            {"claim": claim, "claim_type": "factual", "confidence": 0.99,
             "quotes": [{"passage_id": name, "quote": truth}]}
            for name, text in to.under("passage") for truth in TRUTHS if truth in fold(text)
            for claim in (truth, LIES.get(truth)) if claim
        ]  # fmt: skip
        return Reply(json.dumps({"claims": claims}))
    if to.turn == "contest":
        return Reply(json.dumps({"objections": []}))
    if to.turn == "repair":
        return Reply(json.dumps({"sentence": None}))
    sentences: list[dict[str, Any]] = []
    for name, text in to.under("claim"):
        stated = fold(text.partition("\nStanding objection")[0])
        sentences += [said(each, name) for each in (stated, LIES.get(stated)) if each]
    return Reply(json.dumps({"sentences": sentences}))


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> ClaimGraph:
    folder = tmp_path_factory.mktemp("research")
    corpus = folder / "pumps.jsonl"
    corpus.write_text(
        "".join(
            json.dumps({"id": f"p{i}", "title": f"Pump {i}", "text": f"This is a sheet of a pump. {truth}"}) + "\n"
            for i, truth in enumerate(TRUTHS)
        ),
        encoding="utf-8",
    )
    with loopback(researching, ("writer", "green", "blue")) as server:
        return asyncio.run(
            aio.research(
                "What is documented of the pumps?", corpus=[str(corpus)], council=str(council(folder, server)),
                tier="standard", home=folder / "home",
            )
        )  # fmt: skip


def test_an_answer_holds_the_truths_and_none_of_the_lies(answered: ClaimGraph) -> None:
    printed = {s.text for s in answered.answer.sentences if s.kind == "claim"}
    assert printed == set(TRUTHS)


def test_a_claim_that_differs_is_dropped_with_the_difference(answered: ClaimGraph) -> None:
    lies = {c.claim_id for c in answered.claims if c.claim in LIES.values()}
    assert lies
    rows = {e.subject_id: e for e in answered.events if e.subject_id in lies}
    assert {row.kind for row in rows.values()} == {"claim-dropped"}
    assert {j.lens for j in answered.judgments if j.subject_id in lies and j.label != "supports"} == {"comparison"}
    told = {j.rationale for j in answered.judgments if j.lens == "comparison"}
    assert {row.reason for row in rows.values()} <= told


def test_a_sentence_that_differs_from_its_reference_is_taken_out_with_the_difference(answered: ClaimGraph) -> None:
    rows = [e.reason for e in answered.events if e.kind == "sentence-removed"]
    assert {lie for lie in LIES.values() if any(f"it was “{lie}”" in row for row in rows)} == set(LIES.values())


def advising(asked: Asked) -> Reply:
    user = asked.messages[-1]["content"]
    if judging(asked):
        return Reply(YES)
    if "State in one sentence" in user:
        text = next(m["text"] for m in _BLOCK.finditer(user) if m["label"] == "text")
        return Reply(json.dumps({"claim": text}))
    if "Which of these papers" in user:
        return Reply(json.dumps({"numbers": [1, 2]}))
    stated = re.findall(r"[A-Z][^\n]*?\.(?=\s|$)", user)
    return Reply(json.dumps({"quotes": [sentence for sentence in stated if "Gaussian" in sentence]}))


@pytest.mark.parametrize(
    ("claim", "cited"),
    [
        ("The Gaussian attack draws noise with a standard deviation of 0.5", True),
        ("The Gaussian attack draws noise with a standard deviation of 0.9", False),
    ],
)
def test_no_citation_is_made_for_a_claim_that_differs_from_its_excerpt(
    tmp_path: Path, claim: str, cited: bool
) -> None:
    paper = tmp_path / "papers.jsonl"
    paper.write_text(json.dumps({"id": "p", "title": FLPOISON.title, "text": FLPOISON_TEXT}) + "\n", encoding="utf-8")
    with loopback(advising, ("writer", "green", "blue")) as models, registry_server(ALIE, FLPOISON) as registries:
        done = veritas(
            registries, tmp_path, "cite", claim, "--hint", "arXiv:2502.03801", "--corpus", str(paper),
            "--model", str(council(tmp_path, models)), "--json",
        )  # fmt: skip
        assert any(map(judging, models.asked))
    found = json.loads(done.stdout)
    assert found["cited"] is cited, (found, done.stderr)
    assert bool(list(tmp_path.glob("docs/citations/*.md"))) is cited
    assert cited or "0.9" in found["reason"]


@pytest.mark.parametrize(
    ("evidence", "decision"),
    [
        ("Dry pumps lasted 14.2 months on average, oiled pumps 11.8 months (p = 0.003).", "grounded"),
        ("Dry pumps lasted 19.2 months on average, oiled pumps 11.8 months (p = 0.003).", "unverified"),
    ],
)
async def test_no_node_of_a_paper_is_grounded_in_what_differs_from_it(
    tmp_path: Path, evidence: str, decision: str
) -> None:
    corpus = write_documents(
        tmp_path, {"id": "field", "title": "Field data", "text": f"We followed pumps in nine factories. {evidence}"}
    )
    with loopback(auditing(lambda a: graph(SOUND), assessment), ("writer", "green", "blue")) as server:
        audit = await aio.audit_paper(
            str(write_paper(tmp_path)), council=council(tmp_path, server), corpus=[corpus], home=tmp_path / "home",
            graphs=1, samples=1,
        )  # fmt: skip
        assert any(map(judging, server.asked))
    node = next(n for n in audit.nodes if n.base_role == "Result")
    assert node.grounding is not None
    assert node.grounding.decision in (decision, "contradicted" if decision == "unverified" else decision)
