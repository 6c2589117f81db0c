"""Reviewers that support everything, over real HTTP: a sentence that differs from its quote passes none of them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from tests.loopback.server import Asked, Reply, loopback
from tests.loopback.yes_men import YES, council, judging
from tests.reviews.reviewing_model import Claims, model, said
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_runs import start


def test_no_sentence_of_a_review_passes_that_differs_from_its_quote(corpus: Corpus, tmp_path: Path) -> None:
    lied: dict[str, str] = {}

    def writes(claims: Claims) -> list[dict[str, Any]]:
        made = []
        for name, quote in claims.items():
            lie = re.sub(r"\b(was|were|should) ", r"\1 not ", quote, count=1)
            made.append(said(quote, name))
            if lie != quote:
                lied[lie] = quote
                made.append(said(lie, name))
        return made or [said("[Citation needed: all of it]", kind="gap")]

    honest = model(writes, lambda sentence, claims: said(sentence, next(iter(claims))))

    def yes(asked: Asked) -> Reply:
        return Reply(YES) if judging(asked) else honest(asked)

    with loopback(yes, ("writer", "green", "blue")) as server:
        request = {"topic": "drying", "corpus": "drying", "council": council(tmp_path, server)}
        made = asyncio.run(start(ReviewRequest.model_validate(request)))
    assert lied
    assert made.layers.passed
    assert not {s.text for s in made.manuscript.sentences} & lied.keys()
    unsure = ("differs", "doubtful")
    refused = [v for v in made.first.verdicts if v.decision is not None and v.decision.verdict in unsure]
    assert refused, [(v.verdict, v.reason) for v in made.first.verdicts]
