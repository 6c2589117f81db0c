"""The stages as Prefect tasks: retries, timeouts, concurrency. Thin over `veritas.research`."""

from typing import Any

from prefect import Task

from veritas_tasks.debate import contest, respond
from veritas_tasks.decompose import decompose
from veritas_tasks.extract import extract
from veritas_tasks.render import render
from veritas_tasks.research import research
from veritas_tasks.synthesize import repair, write
from veritas_tasks.to_server import withhold_keys
from veritas_tasks.verify import judge

withhold_keys()

STAGE_TASKS: dict[str, Task[..., Any]] = {
    made.name: made for made in (decompose, research, extract, judge, contest, respond, write, repair)
}
"""Every step of the stages by its name, for `OrchestratedWork`."""

__all__ = ["STAGE_TASKS", "render"]
