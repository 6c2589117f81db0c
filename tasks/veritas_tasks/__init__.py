"""The stages as Prefect tasks: retries, timeouts, concurrency. Thin over `veritas.research`."""

from typing import Any

from prefect import Task

from veritas_tasks.render import render
from veritas_tasks.to_server import withhold_keys
from veritas_tasks.unit_tasks import contest, decompose, extract, judge, repair, research, respond, write

withhold_keys()

STAGE_TASKS: dict[str, Task[..., Any]] = {
    made.name: made for made in (decompose, research, extract, judge, contest, respond, write, repair)
}
"""Every step of the stages by its name, for `OrchestratedWork`."""

__all__ = ["STAGE_TASKS", "render"]
