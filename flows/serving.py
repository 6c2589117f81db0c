"""Serves every deployment of deployments/prefect.yaml from this process: what `veritas up` starts.

The YAML is the one list of deployments; nothing of it is repeated here but the run limit.
"""

from __future__ import annotations

from pathlib import Path

import yaml
from prefect import serve
from prefect.client.schemas.objects import ConcurrencyLimitConfig
from prefect.deployments.runner import RunnerDeployment
from prefect.schedules import Cron

ROOT = Path(__file__).resolve().parents[1]

AT_ONCE = 4
"""Runs at a time, as the work pool takes by default: more overrun a server on SQLite. The others wait their turn."""


def deployments(path: Path = ROOT / "deployments" / "prefect.yaml") -> list[RunnerDeployment]:
    """The deployments of the file, ready to be served."""
    made = []
    for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["deployments"]:
        limit = entry.get("concurrency_limit")
        made.append(
            RunnerDeployment.from_entrypoint(
                entry["entrypoint"],
                name=entry["name"],
                description=entry.get("description"),
                tags=entry.get("tags"),
                parameters=entry.get("parameters", {}),
                schedules=[
                    Cron(s["cron"], timezone=s.get("timezone"), active=s.get("active", True))
                    for s in entry.get("schedules", [])
                ],
                concurrency_limit=ConcurrencyLimitConfig(**limit) if limit else None,
            )
        )
    return made


if __name__ == "__main__":
    serve(*deployments(), pause_on_shutdown=False, print_starting_message=False, limit=AT_ONCE)
