"""Recall of the local providers on real abstracts: a floor, so that a change that ruins ranking is noticed."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from veritas.documents.document import Document, document_id
from veritas.search.local import LocalIndex

CLAIMS = Path(__file__).resolve().parents[2] / ".." / "shared" / "claims"


@pytest.mark.shared
async def test_a_gold_abstract_is_mostly_among_the_first_ten_of_5000() -> None:
    if not (CLAIMS / "scifact_documents.jsonl").is_file():
        pytest.skip("the shared data is absent")
    rows = [json.loads(line) for line in (CLAIMS / "scifact_documents.jsonl").read_text("utf-8").splitlines()]
    index = LocalIndex(
        Document(document_id=document_id(row["text"]), url=f"corpus://s/{row['id']}", title=row["title"],
                 text=row["text"], fetched_at=date(2026, 1, 1)) for row in rows
    )  # fmt: skip
    questions = []
    for line in (CLAIMS / "scifact_retrieval.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if gold := {f"corpus://s/{key}" for key, label in row["labels"].items() if label != "silent"}:
            questions.append((row["claim"], gold))
    questions = questions[::4]
    for provider, floor in ((index, 0.9),):
        found = 0
        for question, gold in questions:
            found += bool(gold & {hit.url for hit in await provider.search(question, limit=10)})
        assert found >= floor * len(questions), (provider.name, found, len(questions))
