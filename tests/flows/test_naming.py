"""A flow run is named after what it is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.mark.server
@pytest.mark.usefixtures("prefect_server")
async def test_a_run_is_named_and_an_audit_of_nothing_says_so(tmp_path: Path) -> None:
    from prefect.client.orchestration import get_client
    from prefect.flow_engine import run_flow_async

    from veritas_flows.audit import audit

    parameters: dict[str, Any] = {"project": str(tmp_path), "report": ""}
    shown = []
    async with get_client() as client:
        for name in ("before the release", "brave-otter"):
            made = await client.create_flow_run(audit, name=name, parameters=parameters)
            await run_flow_async(audit, flow_run=made, parameters=parameters)
            shown.append(await client.read_flow_run(made.id))
        ours = {run.id for run in shown}
        said = [a for a in await client.read_artifacts() if a.key == "citation-audit" and a.flow_run_id in ours]
    assert [run.name for run in shown] == [f"audit · {' '.join(str(tmp_path).split())}"] * 2
    for run in shown:
        assert run.state is not None
        assert run.state.is_completed()
        assert run.state.name == "Nothing to audit"
        assert str(tmp_path) in (run.state.message or "")
    assert said
    assert all("Nothing to audit" in str(a.data) for a in said)
