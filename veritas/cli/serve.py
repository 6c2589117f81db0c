"""`veritas serve`: the server of the interface for programs and of the pages, and the tokens that it takes."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.errors import InputError

if TYPE_CHECKING:
    from veritas.server.settings import Settings
    from veritas.server.tokens import Token

serve = typer.Typer(
    name="serve", add_completion=False, rich_markup_mode=None, invoke_without_command=True,
    help="Serve VERITAS over HTTP: pages for a browser, and an interface for programs under /api/v1.\n\n"
    "Prints the address to open as soon as it answers; it holds a token for this start. Runs until Ctrl-C; "
    "runs in the background go on, and what was cut off goes on at the next start. "
    "Example: veritas serve --root ~/papers",
)  # fmt: skip
tokens = typer.Typer(
    name="tokens", add_completion=False, rich_markup_mode=None, no_args_is_help=True,
    help="Tokens for programs and other persons, each with its roles.",
)  # fmt: skip
serve.add_typer(tokens)


@serve.callback()
def start(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8765,
    root: Annotated[
        list[Path] | None,
        typer.Option(help="A folder whose documents may be named as a corpus; may be repeated (default: this folder)."),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="A further host name by which the server is called; may be repeated.")
    ] = None,
    at_once: Annotated[int, typer.Option(help="Runs that are carried out at a time.", min=1, max=64)] = 2,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Allow an address that other machines can reach.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the address in a browser.")] = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    local = _checked(host, allow_remote)
    from veritas.server.settings import Settings, authorities, check_folders, named_roots
    from veritas.server.tokens import ROLES, new_token
    from veritas.settings import home

    roots = named_roots(root or [Path.cwd()])
    check_folders(home().resolve())
    listening = listening_at(host, port)
    port = listening.getsockname()[1]
    settings = Settings(
        home=home().resolve(), roots=roots, authorities=authorities(host, port, name or ()), local=local,
        at_once=at_once,
    )  # fmt: skip
    token, record = new_token("the person who started the server", ROLES)
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{port}/?token={token}"

    def up() -> None:
        said = f"VERITAS is up: {url}\nDocuments may be named below: {', '.join(roots)}\nCtrl-C stops it."
        print(said, flush=True)
        if not no_browser:
            import webbrowser

            webbrowser.open(url)

    _serve(settings, record, listening, up)


def _serve(settings: Settings, token: Token, listening: socket.socket, up: Callable[[], None]) -> None:
    """Serve until the end; `up` is called once a request would be answered."""
    import uvicorn

    from veritas.server.app import create_app
    from veritas.server.connections import bounded

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                up()

    server = Server(
        uvicorn.Config(
            create_app(settings, [token]), log_level="warning", access_log=False, server_header=False,
            proxy_headers=False, timeout_graceful_shutdown=3, limit_concurrency=1_000, http=bounded(),
        )
    )  # fmt: skip
    with listening:
        server.run(sockets=[listening])


def _checked(host: str, allow_remote: bool) -> bool:
    """Return whether nobody but this machine can reach an address. Raises `InputError` where others can, unless that is
    allowed."""
    try:
        local = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    if local:
        return True
    if not allow_remote:
        raise InputError(
            f"--host {host} can be reached by other machines: anyone with a token could read the documents below the "
            "roots and spend money, and the connection is not encrypted. Put a proxy with TLS before it, and add "
            "--allow-remote if that is meant"
        )
    print(
        f"veritas: {host} can be reached by other machines, and the connection is not encrypted: put a proxy with TLS "
        "before it",
        file=sys.stderr,
    )
    return False


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket at the address. Raises `InputError` where it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
    except OSError as problem:
        raise InputError(f"the server cannot listen at {host}: {problem.strerror or problem}") from problem
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(1024)  # whoever follows the printed address at once waits, and is not refused
    except OSError as problem:
        made.close()
        raise InputError(
            f"the server cannot listen at {host}:{port} ({problem.strerror or problem}): if something answers there "
            "already, stop it, or choose another --port"
        ) from problem
    return made


@tokens.command("add")
def add(
    role: Annotated[list[str], typer.Option(help="read, run or approve; may be repeated. Who may run may read.")],
    label: Annotated[str, typer.Option(help="Whose token it is, for the list.")] = "",
    budget: Annotated[
        float | None, typer.Option(help="Maximum cost of all runs of the token together, in US dollars.", min=0)
    ] = None,
    days: Annotated[float | None, typer.Option(help="Days for which it is valid.", min=0.001)] = None,
) -> None:
    """Make a token, and print it: it is shown this once. A running server takes it at once."""
    from veritas.server.tokens import Keeper, new_token
    from veritas.settings import home

    token, record = new_token(label, role, budget_usd=budget, days=days)
    Keeper(home()).add(record)
    print(token)
    print(f"token {record.token_id} ({', '.join(sorted(record.roles))}); only its hash is kept", file=sys.stderr)


@tokens.command("list")
def listed() -> None:
    """List the tokens, with their roles."""
    from veritas.server.tokens import Keeper
    from veritas.settings import home
    from veritas.text.visible import one_line

    for each in Keeper(home()).kept():
        until = f"until {each.expires_at:%Y-%m-%d %H:%M}" if each.expires_at is not None else "without an end"
        over = " (over)" if each.expired() else ""
        spent = f"{each.budget_usd:g} USD" if each.budget_usd is not None else "no budget"
        print(f"{each.token_id}  {','.join(sorted(each.roles))}  {until}{over}  {spent}  {one_line(each.label)}")


@tokens.command("revoke")
def revoke(token: Annotated[str, typer.Argument(help="The token's id, or its beginning.")]) -> None:
    """Revoke a token: from now on it opens nothing."""
    from veritas.server.tokens import Keeper
    from veritas.settings import home

    gone = Keeper(home()).revoke(token)
    print(f"token {gone.token_id} is revoked")
