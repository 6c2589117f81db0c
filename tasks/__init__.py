"""The stages as Prefect tasks: retries, timeouts, concurrency. Thin over `veritas.research`."""

from typing import Any

from prefect import Task

from tasks.debate import contest, respond
from tasks.decompose import decompose
from tasks.extract import extract
from tasks.render import render
from tasks.research import research
from tasks.synthesize import repair, write
from tasks.to_server import withhold_keys
from tasks.verify import judge

withhold_keys()

STAGE_TASKS: dict[str, Task[..., Any]] = {
    made.name: made for made in (decompose, research, extract, judge, contest, respond, write, repair)
}
"""Every step of the stages by its name: what `OrchestratedWork` runs."""

__all__ = ["STAGE_TASKS", "render"]
