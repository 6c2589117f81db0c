"""What a person typed as a run's name stays; what Prefect made up gives way to a readable name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def test_names_that_prefect_makes_up_are_known_and_those_of_persons_are_not() -> None:
    from prefect.utilities.names import generate_slug

    from veritas_flows.run_names import made_up

    assert all(made_up(generate_slug(2)) for _ in range(50))
    assert made_up("Rustic-Akita")
    # As the UI made them up that is shown first; its form fills the field in.
    of_the_sky = ["sigma2-kayal-v", "alpha-canis-majoris", "mu417-zuvan-nebula", "omega6-comae-berenices-z"]
    assert all(made_up(name) for name in of_the_sky)
    typed = ["beta-test", "beta2-test", "alpha-release-a", "pi-kayal-daily", "delta", "alpha-"]
    typed += ["nightly-check", "brave test", "Small-test", "Otter", "", "-", "a-b-c", "Tasty-", "Akita-Rustic"]
    assert not [name for name in typed if made_up(name)]


@pytest.mark.server
@pytest.mark.usefixtures("prefect_server")
async def test_a_typed_name_stays_and_an_audit_of_nothing_says_so(tmp_path: Path) -> None:
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
    assert [run.name for run in shown] == ["before the release", f"audit · {' '.join(str(tmp_path).split())}"]
    for run in shown:
        assert run.state is not None
        assert run.state.is_completed()
        assert run.state.name == "Nothing to audit"
        assert str(tmp_path) in (run.state.message or "")
    assert said
    assert all("Nothing to audit" in str(a.data) for a in said)
