"""The id of a flow run's run says when it began, and is found again when the flow run is tried again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from veritas.store.paths import run_path


def test_a_run_that_was_scheduled_long_before_bears_the_time_at_which_it_begins(own_home: Path) -> None:
    from prefect.client.schemas.objects import FlowRun
    from prefect.context import FlowRunContext

    from veritas_flows.carry_out import own_run_id

    now = datetime.now(UTC)
    scheduled = FlowRun(id=uuid4(), flow_id=uuid4(), created=now - timedelta(days=3), expected_start_time=now)
    papers = own_home / "papers"
    with FlowRunContext.model_construct(flow_run=scheduled):
        first = own_run_id()
        assert f"{now:%Y%m%d-%H%M%S}" <= first <= f"{datetime.now(UTC):%Y%m%d-%H%M%S}~"
        made = f"20260101-000000-{scheduled.id.hex[-12:]}"
        run_path(papers, made).parent.mkdir(parents=True)
        run_path(papers, made).touch()
        assert own_run_id(papers) == made, "a second try goes on with the run of the first"
        assert own_run_id()[-12:] == made[-12:]
    with FlowRunContext.model_construct(flow_run=FlowRun(id=uuid4(), flow_id=uuid4())):
        assert own_run_id(papers) != made
