"""`veritas plugin`: start a plug-in of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

plugin = typer.Typer(
    add_completion=False, rich_markup_mode=None, no_args_is_help=True, help="Create a plug-in."
)


@plugin.callback()
def _group() -> None:
    """Create a plug-in."""


@plugin.command("new")
def new(
    kind: Annotated[
        str,
        typer.Argument(
            help="search-provider, lens, reader, source-policy, scholarly-source, member, embedder, oracle or "
            "report-renderer."
        ),
    ],
    name: Annotated[str, typer.Argument(help="The plug-in's name; for a reader the file extension without the dot.")],
    folder: Annotated[Path, typer.Option("--in", help="The folder in which to create the package.")] = Path(),
) -> None:
    """Create a working package: a module, its test, pyproject.toml with the entry point, and a README.

    Example: veritas plugin new lens shouting && pip install -e veritas-shouting
    """
    from veritas.use_cases.new_plugin import write_plugin

    package, *written = write_plugin(kind, name, folder)
    for path in written:
        print(path)
    print(f"\npip install -e {package}\npython -m pytest {package}\nveritas plugins {kind}")
