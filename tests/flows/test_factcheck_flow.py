"""The flow of any text on a real Prefect server: what it returns and shows, and how an outage ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.factcheck.test_checking import PAGE, URL

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    (tmp_path / "arn.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "manifest.json").write_text(json.dumps({URL: {"file": "arn.html", "type": "text/html"}}), "utf-8")
    (tmp_path / "arn.md").write_text(f"The Arn bridge is 412 metres long ({URL}). It is 512 metres long ({URL}).\n")
    (tmp_path / "lost.md").write_text("The Arn bridge is 412 metres long (https://bridges.example/gone).\n")
    return tmp_path


async def test_the_verdicts_are_returned_and_shown(recorded: Path) -> None:
    from prefect.client.orchestration import get_client

    from veritas_flows.factcheck import factcheck

    said = await factcheck(str(recorded / "arn.md"), recorded=str(recorded))
    assert said["counts"].keys() >= {"supported"}
    assert len(said["statements"]) == 2
    async with get_client() as client:
        (shown,) = [a for a in await client.read_artifacts() if a.description == "Fact check · arn.md"]
    assert "412 metres long" in str(shown.data)
