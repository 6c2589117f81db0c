"""`veritas up` and `automations`: a local Prefect server with its database, and what ends killed runs and notifies."""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veritas.cli.serve import listening_at
from veritas.errors import InputError, Unavailable

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

PATIENCE = 120.0
"""Seconds the server may take to start; a first start creates its database."""

_DATABASE = "PREFECT_SERVER_DATABASE_"
_DATABASES = (_DATABASE, "PREFECT_API_DATABASE_")
"""Prefixes of the settings of the server's database; the second is an older name that Prefect still reads."""


def up(
    port: Annotated[int, typer.Option(help="Port of the server and its UI.", min=1, max=65535)] = 4200,
    host: Annotated[str, typer.Option(help="Address to listen on. The server has no password: keep it local.")]
    = "127.0.0.1",
    database_url: Annotated[
        str | None,
        typer.Option(
            envvar="PREFECT_SERVER_DATABASE_CONNECTION_URL", show_default=False,
            help="PostgreSQL database for the server's data: postgresql://USER:PASSWORD@HOST/NAME. Give a URL with a "
            "password by the variable: others on this machine can see a command line.",
        ),
    ] = None,
    reports: Annotated[
        int | None,
        typer.Option(help="Port that serves the reports on 127.0.0.1; by default the next one.", min=1, max=65535),
    ] = None,
) -> None:
    """Start a local Prefect server, serve every deployment of deployments/prefect.yaml, and print the UI's address.

    Runs until Ctrl-C. Paths in the forms are relative to the root of the checkout; with an installation from a wheel,
    to the folder in which the command was started. The server's data are in VERITAS_HOME/prefect, in SQLite, unless you
    name a database. Reports are served on 127.0.0.1 (VERITAS_REPORTS_URL names another address). Killed runs are ended,
    and VERITAS_WEBHOOK sets the webhook for notifications.
    """
    from veritas.report.browser_address import VARIABLE, reports_folder, serving
    from veritas.settings import checkout, home

    root = checkout() or Path.cwd()
    url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    reports = reports or (port + 1 if port < 65535 else port - 1)
    if reports == port:
        raise InputError(f"--reports {reports} is the server's own port: choose another")
    environment = {
        **os.environ,
        "PREFECT_HOME": os.environ.get("PREFECT_HOME") or str((home() / "prefect").resolve()),
        "PREFECT_API_URL": f"{url}/api",
        "PREFECT_UI_API_URL": f"{url}/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": os.environ.get("PREFECT_FLOWS_HEARTBEAT_FREQUENCY") or "30",
        "VERITAS_HOME": str(home().resolve()),
    }
    database = asked_database(database_url)
    listening_at(host, port).close()  # what is in the way is told before anything is started
    if database is not None:
        reached(database)
        environment = server_settings(database) | environment | {_DATABASE + "CONNECTION_URL": database}
    (home() / "prefect").mkdir(parents=True, exist_ok=True)
    held = _Held(home() / "prefect" / "up.lock")
    log = home() / "prefect" / "server.log"
    print(f"Starting the Prefect server at {url} (log: {log}) …", file=sys.stderr)
    children: list[subprocess.Popen[bytes]] = []
    cleanup = ExitStack()
    previous = signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
    try:
        if not environment.get(VARIABLE):
            cleanup.enter_context(serving(reports_folder(), reports))
        with log.open("ab") as out:
            children.append(
                subprocess.Popen(
                    [sys.executable, "-m", "prefect", "server", "start", "--host", host, "--port", str(port)],
                    env=environment, cwd=root, stdout=out, stderr=subprocess.STDOUT, pass_fds=held.passed,
                )
            )  # fmt: skip
        _wait_for(url, children[0], log)
        # Flows read strangers' text, and need no access to the server's database.
        apart = {name: value for name, value in environment.items() if not name.startswith(_DATABASES)}
        children.append(
            subprocess.Popen([sys.executable, "-m", "veritas_flows.serving"], env=apart, cwd=root, pass_fds=held.passed)
        )
        held.by(os.getpid(), *(child.pid for child in children))
        subprocess.run([sys.executable, "-m", "veritas_flows.server_automations"], env=apart, cwd=root, check=False)
        print(
            f"\nVERITAS is up: {url}/deployments\n"
            "Choose quick, standard or deep, then Run > Custom run: question, corpus, policy and budget are a form.\n"
            f"To run from here through this server: PREFECT_API_URL={url}/api veritas research \"…\" --corpus PATH\n"
            "Ctrl-C stops it."
        )
        sys.stdout.flush()
        while all(child.poll() is None for child in children):
            time.sleep(0.5)
        raise Unavailable(f"the server or its deployments stopped by themselves; the log is {log}")
    except KeyboardInterrupt:
        print("\nStopping …", file=sys.stderr)
    finally:
        signal.signal(signal.SIGTERM, previous)
        for child in reversed(children):
            _stop(child)
        cleanup.close()
        held.close()


class _Held:
    """A lock of a running server in its home, held by this process and its children: two servers on one database would
    conflict, and processes left by a killed server must be named."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a+")
        self.passed: tuple[int, ...] = ()
        try:
            import fcntl
        except ImportError:  # not on Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            self._file.seek(0)
            pids = " ".join(self._file.read().split()[:8])
            self._file.close()
            raise InputError(
                f"a server of veritas up works in {path.parent} already (processes {pids or 'that are starting'}): "
                "stop it, or choose another VERITAS_HOME"
            ) from problem
        self.passed = (self._file.fileno(),)

    def by(self, *pids: int) -> None:
        """Record the processes that hold it, to be named to another server."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(" ".join(map(str, pids)))
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _healthy(url: str) -> bool:
    import httpx

    try:
        return httpx.get(f"{url}/api/health", timeout=2, trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise Unavailable(f"the Prefect server did not start (exit {server.returncode}); the log is {log}")
        if _healthy(url):
            return
        time.sleep(0.3)
    raise Unavailable(f"the Prefect server did not answer within {PATIENCE:g} seconds; the log is {log}")


def _stop(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.send_signal(signal.SIGINT)
        try:
            child.wait(timeout=15)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


DATABASE_PATIENCE = 10.0
"""Seconds that the database may take to accept a connection."""


def asked_database(given: str | None) -> str | None:
    """Return the URL as the server wants it, with its asynchronous driver; None if none was given.

    `postgresql://`, `postgres://` and Prefect's own forms are accepted. Raises `InputError` for anything else, in words
    that hold no password.
    """
    if not given or not given.strip():
        return None
    url = _parsed(given.strip())
    if url.drivername in ("postgresql", "postgres", "postgresql+asyncpg"):
        if not url.database:
            raise InputError(f"no database is named on {_place(url)}: add its name, as in postgresql://HOST/NAME")
        return url.set(drivername="postgresql+asyncpg").render_as_string(hide_password=False)
    if url.drivername == "sqlite+aiosqlite":
        return given.strip()
    raise InputError(
        f"{url.drivername} is no database that a Prefect server can use: give postgresql://USER:PASSWORD@HOST/NAME, "
        "or nothing for SQLite"
    )


def server_settings(database: str) -> dict[str, str]:
    """Return settings for a server that uses this database on a busy machine; settings in the environment go before.

    All its connections are kept: by default each burst of work opens new ones, within 5 seconds or not at all.
    """
    if not database.startswith("postgresql"):
        return {}
    return {
        "PREFECT_SERVER_DATABASE_SQLALCHEMY_POOL_SIZE": "15",
        "PREFECT_SERVER_DATABASE_CONNECTION_TIMEOUT": "30",
        "PREFECT_SERVER_DATABASE_TIMEOUT": "60",
    }


def reached(database: str) -> None:
    """Return once the PostgreSQL database accepts a connection. Raises `Unavailable`, without any password."""
    url = _parsed(database)
    if not url.drivername.startswith("postgresql"):
        return
    problem = asyncio.run(_problem(url))
    if problem is not None:
        raise Unavailable(f"the database {_place(url)} cannot be used: {problem}")


def _parsed(text: str) -> URL:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        if text.count("@") < 2:  # after a second one, the end of a password would be taken for the host
            return make_url(text)
    except (ArgumentError, ValueError):
        pass
    # Without its text: it may hold a password.
    raise InputError(
        "the database's URL cannot be read: it is postgresql://USER:PASSWORD@HOST/NAME, with a password's special "
        "characters percent-encoded"
    )


def _place(url: URL) -> str:
    """Return the place of the database, without user, password and options."""
    return f"{url.host or 'this machine'}{f':{url.port}' if url.port else ''}/{url.database or ''}"


async def _problem(url: URL) -> str | None:
    """Return why the database does not answer; None if it does."""
    from sqlalchemy import text
    from sqlalchemy.exc import SQLAlchemyError
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(url)
    try:
        async with asyncio.timeout(DATABASE_PATIENCE):
            async with engine.connect() as connection:
                await connection.execute(text("SELECT 1"))
        return None
    except TimeoutError:
        return f"no answer within {DATABASE_PATIENCE:g} seconds"
    except SQLAlchemyError as error:
        return str(getattr(error, "orig", None) or error).split("\n")[0]
    except Exception as error:  # noqa: BLE001 - asyncpg's own errors, the network's, a wrong option in the URL
        return str(error).split("\n")[0] or type(error).__name__
    finally:
        await engine.dispose()


automations = typer.Typer(
    name="automations", add_completion=False, rich_markup_mode=None, no_args_is_help=True,
    help="Install automations that end killed runs and notify, on a Prefect server. veritas up installs them itself.",
)  # fmt: skip

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
