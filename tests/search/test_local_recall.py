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
async def test_a_gold_abstract_is_mostly_among_the_first_ten_of_hundreds() -> None:
    if not (CLAIMS / "scifact_documents.jsonl").is_file():
        pytest.skip("the shared data is absent")
    rows = [json.loads(line) for line in (CLAIMS / "scifact_documents.jsonl").read_text("utf-8").splitlines()]
    questions = []
    for line in (CLAIMS / "scifact_retrieval.jsonl").read_text("utf-8").splitlines()[::20]:
        row = json.loads(line)
        if gold := {f"corpus://s/{key}" for key, label in row["labels"].items() if label != "silent"}:
            questions.append((row["claim"], gold))
    wanted = {url for _, gold in questions for url in gold}
    rows = [row for at, row in enumerate(rows) if at % 10 == 0 or f"corpus://s/{row['id']}" in wanted]
    index = LocalIndex(
        Document(document_id=document_id(row["text"]), url=f"corpus://s/{row['id']}", title=row["title"],
                 text=row["text"], fetched_at=date(2026, 1, 1)) for row in rows
    )  # fmt: skip
    found = 0
    for question, gold in questions:
        found += bool(gold & {hit.url for hit in await index.search(question, limit=10)})
    assert found >= 0.9 * len(questions), (found, len(questions))
