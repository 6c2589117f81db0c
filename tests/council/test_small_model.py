"""A whole run with a real, small language model on this machine. Not part of the normal tests: `make small-model`.

A model of 135 million parameters is a poor researcher. What is held here is that the run ends honestly all the same:
every claim stands verbatim in what was read, every sentence of the answer rests on one that another family judged to be
supported, and what the model could not do has a row.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pumps import QUESTION, write_corpus
from veritas.claims import ClaimGraph
from veritas.documents.verbatim import fold_whitespace
from veritas.policy.council_policy import read_council
from veritas.use_cases import runs

ROOT = Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("SMALL_MODEL_PYTHON")

pytestmark = [
    pytest.mark.small_model,
    pytest.mark.skipif(PYTHON is None, reason="make small-model installs a model of 100 MB and runs this"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The base URL of the model's server."""
    assert PYTHON is not None
    with subprocess.Popen(
        [PYTHON, str(ROOT / "tests" / "loopback" / "small_model.py")], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.fixture(scope="module")
def graph(server: str, tmp_path_factory: pytest.TempPathFactory) -> ClaimGraph:
    """A quick run with the council for a local server, its window and answers cut to a model of this size."""
    folder = tmp_path_factory.mktemp("small-model")
    council = (ROOT / "policies" / "councils" / "llama-cpp.yaml").read_text(encoding="utf-8")
    assert "window: 8192" in council
    council = council.replace("window: 8192", "window: 4096\n    output: 256")
    (folder / "council.yaml").write_text(council, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERITAS_LOCAL_URL", server)
        assert read_council(folder / "council.yaml")
        return asyncio.run(
            runs.research(
                QUESTION,
                home=folder / "home",
                corpus=[str(write_corpus(folder))],
                council=str(folder / "council.yaml"),
                tier="quick",
            )
        )


def test_the_model_was_asked_and_what_it_could_not_do_has_a_row(graph: ClaimGraph) -> None:
    local = [c for c in graph.calls if c.model]
    assert {c.turn for c in local} >= {"decompose", "assert"}
    assert sum(c.output_tokens for c in local) > 100
    said = [e for e in graph.events if e.kind in ("member-unavailable", "draft-rejected", "claim-refuted")]
    asserted = [c for c in graph.claims if c.asserted_by == "local"]
    assert said or asserted


def test_every_claim_stands_verbatim_in_what_was_read(graph: ClaimGraph) -> None:
    passages = {p.passage_id: p for p in graph.passages}
    for claim in graph.claims:
        for span, text in zip(claim.spans, claim.source_passages, strict=True):
            assert fold_whitespace(text) in fold_whitespace(passages[span.passage_id].text)
        assert {c.url for c in claim.citations} <= {s.url for s in graph.sources if s.status == "read"}


def test_nobody_judged_their_own(graph: ClaimGraph) -> None:
    families = {c.claim_id: c.provenance.family for c in graph.claims}
    for judgment in graph.judgments:
        assert judgment.family != families.get(judgment.subject_id) or judgment.label == "unavailable"


def test_the_run_ends_in_an_answer_that_is_supported_or_in_none(graph: ClaimGraph) -> None:
    assert graph.answer.status in ("answered", "insufficient_evidence")
    assert graph.answer.reason or graph.answer.sentences
    claims = {c.claim_id: c for c in graph.claims}
    for sentence in graph.answer.sentences:
        if sentence.kind == "claim":
            assert sentence.claim_ids
            assert all(claims[i].verifier_judgment in ("supports", None) for i in sentence.claim_ids)
    # The forum thread of the corpus was rejected: nothing of it was read.
    assert not [c for c in graph.claims if "trust me" in " ".join(c.source_passages)]
