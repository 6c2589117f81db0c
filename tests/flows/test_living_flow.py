"""Living questions on a real Prefect server: asked by their flow, told in the UI and by an event."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pumps import QUESTION, ROWS
from veritas.use_cases import living as questions

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


async def test_the_flow_asks_what_is_saved_and_tells_what_changed(tmp_path: Path) -> None:
    from prefect.client.orchestration import get_client

    from veritas_flows.living import living

    assert await living() == []
    corpus = tmp_path / "pumps.jsonl"
    corpus.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    questions.add(QUESTION, name="pump", corpus=corpus, tier="quick")
    assert [each["state"] for each in await living()] == ["first"]
    assert [each["state"] for each in await living()] == ["not asked"]
    rows = [{**row, "text": row["text"].replace("40 litres", "55 litres")} for row in ROWS]
    corpus.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (changed,) = await living("pump")
    assert changed["state"] == "changed"
    async with get_client() as client:
        shown = [each for each in await client.read_artifacts() if each.key == "living-pump"]
        (latest,) = [each for each in shown if "55 litres" in str(each.data)]
        assert QUESTION in (latest.description or "")
