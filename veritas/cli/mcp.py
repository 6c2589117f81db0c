"""`veritas mcp`: the use cases as tools for a language model, over standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def mcp(
    root: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="A folder that clients may name files in; repeatable. Default: the current folder."
        ),
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="Documents to use where a client names none; repeatable."),
    ] = None,
    council: Annotated[
        str | None, typer.Option(help="A council file, or the name of a built-in council, for research.")
    ] = None,
    budget: Annotated[
        float | None, typer.Option(help="Maximum cost of one research call, in US dollars.", min=0)
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Answers of registries from the cache alone.")] = False,
) -> None:
    """Serve the checks as tools for a language model: the Model Context Protocol over standard input and output.

    A client such as Claude Desktop, Claude Code, Cursor, VS Code or Zed starts this command; docs/mcp.md has the
    configuration of each. Clients reach only files below --root. No tool approves what the gate refused: that stays
    with a person.
    """
    import anyio

    from veritas.errors import InputError
    from veritas.server.mcp.app import make_server
    from veritas.server.mcp.roots import Roots
    from veritas.server.mcp.tools import Served
    from veritas.server.settings import Settings, check_folders, named_roots
    from veritas.settings import home

    documents = [path.expanduser().resolve() for path in corpus or ()]
    for path in documents:
        if not path.exists():
            raise InputError(f"--corpus {path}: there is no such file or folder")
    check_folders(home().resolve())
    settings = Settings(home=home().resolve(), roots=named_roots(root or [Path.cwd()]))
    served = Served(
        roots=Roots(settings, absolute=True), corpus=tuple(map(str, documents)), council=council, budget=budget,
        offline=offline,
    )  # fmt: skip
    anyio.run(make_server(served).run_stdio_async)
