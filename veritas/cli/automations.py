"""`veritas automations`: VERITAS's automations, installed on a running Prefect server."""

from __future__ import annotations

import importlib
import os
from typing import Annotated, Any

import typer

from veritas.errors import InputError

automations = typer.Typer(
    name="automations",
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Install automations that end killed runs and notify, on a Prefect server. veritas up installs them itself.",
)

Silence = Annotated[
    float,
    typer.Option(metavar="SECONDS", min=1, help="Time without a heartbeat after which a run counts as dead."),
]


@automations.command("install")
def install(
    webhook: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="VERITAS_WEBHOOK",
            show_envvar=True,
            help="Where failures, budgets, degraded runs and changed answers are posted, as JSON with a text. It is "
            "kept on the server, in the webhook block veritas-notify.",
        ),
    ] = None,
    silence: Silence = 300,
) -> None:
    """Install the automations on the server that PREFECT_API_URL names, or bring them up to date.

    They apply only to flow runs tagged veritas: those of the deployments and of the command line.
    """
    for line in _flows().on_server(silence, webhook, False):
        print(line)


@automations.command("sweep")
def sweep(silence: Silence = 300) -> None:
    """End runs whose process was killed, and the task runs they left open, on the server that PREFECT_API_URL names.

    A run that looks dead is checked again after the silence; live runs are left alone. Prints the runs that were
    ended.
    """
    for line in _flows().on_server(silence, None, True):
        print(line)


def _flows() -> Any:
    if not os.environ.get("PREFECT_API_URL"):
        raise InputError("PREFECT_API_URL names no server, as in http://127.0.0.1:4200/api; veritas up starts one")
    return importlib.import_module("veritas_flows.server_automations")
