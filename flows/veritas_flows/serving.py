"""Serving of every deployment of deployments/prefect.yaml from this process, for `veritas up`.

The YAML is the only list of deployments; only the run limit is repeated here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from prefect import serve
from prefect.client.schemas.objects import ConcurrencyLimitConfig
from prefect.deployments.runner import RunnerDeployment
from prefect.schedules import Cron

from veritas.settings import checkout, project_folder

AT_ONCE = 4
"""Limit of concurrent runs, as in the work pool: more overload a server on SQLite. The others wait their turn."""


def deployments() -> list[RunnerDeployment]:
    """Return the project's deployments, ready to be served."""
    path = project_folder() / "deployments" / "prefect.yaml"
    made = []
    for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["deployments"]:
        limit = entry.get("concurrency_limit")
        made.append(
            RunnerDeployment.from_entrypoint(
                _module_path(entry["entrypoint"]),
                name=entry["name"],
                description=entry.get("description"),
                tags=entry.get("tags"),
                parameters={name: _found(value) for name, value in entry.get("parameters", {}).items()},
                schedules=[
                    Cron(s["cron"], timezone=s.get("timezone"), active=s.get("active", True))
                    for s in entry.get("schedules", [])
                ],
                concurrency_limit=ConcurrencyLimitConfig(**limit) if limit else None,
            )
        )
    return made


def _module_path(entrypoint: str) -> str:
    """Return `veritas_flows.cite.cite` for `flows/veritas_flows/cite.py:cite`: a wheel installs modules, and a server
    finds those in a checkout too."""
    file, function = entrypoint.split(":")
    return ".".join([*Path(file).with_suffix("").parts[1:], function])


def _found(value: Any) -> Any:
    """Return a default parameter with the project's own documents named where they are: a wheel carries them."""
    if isinstance(value, list):
        return [_found(each) for each in value]
    if checkout() is None and isinstance(value, str) and value not in ("", ".") and (project_folder() / value).exists():
        return str(project_folder() / value)
    return value


if __name__ == "__main__":
    serve(*deployments(), pause_on_shutdown=False, print_starting_message=False, limit=AT_ONCE)
