"""Servers that speak over standard input and output: `veritas mcp` and `veritas lsp`."""

from __future__ import annotations

import contextlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from veritas.cli._inputs import Artifacts, CitationMap
from veritas.errors import InputError, NotInstalled


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
    from veritas.server.mcp.tools import Roots, Served
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


def lsp(
    tcp: Annotated[
        int | None, typer.Option("--tcp", metavar="PORT", min=1, max=65535, help="Listen on this port of 127.0.0.1.")
    ] = None,
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The project's root; by default searched above each file.")
    ] = None,
    artifacts: Artifacts = "docs/citations",
    citation_map: CitationMap = None,
    profile: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="What the profile of veritas bib refuses is an error: strict, …"),
    ] = None,
    online: Annotated[
        bool, typer.Option("--online", help="Ask the registries about references, in the background and when idle.")
    ] = False,
) -> None:
    """Check citations in the editor as you type.

    A language server for Markdown, Quarto, LaTeX, reStructuredText and BibTeX, on standard input and output: keys
    without an artifact or an entry, quotations that the artifact does not hold, claims that its excerpts deny, and
    references that were retracted, misattributed or made up. With hovers, completion of keys, and quick fixes. Reads
    what `veritas bib` kept of the registries' answers, and asks nobody unless --online. Beside veritas-cite alone it
    needs its extra: pip install 'veritas-cite[editor]'.
    """
    if find_spec("pygls") is None:
        needed = "the language server needs pygls, which is not installed"
        raise NotInstalled(f"{needed}: pip install 'veritas-cite[editor]'")
    from veritas.editor.features import make_server
    from veritas.editor.language_server import Options, prepare_process
    from veritas.use_cases.bibliographies import check_profile

    # Whoever reaches the port may speak to it, so what writes files is for the editor that started the server alone.
    if profile is not None:
        check_profile(profile)
    options = Options(
        root=root, artifacts=artifacts, citation_map=citation_map, profile=profile, online=online, writes=tcp is None
    )
    server = make_server(options)
    prepare_process()
    if tcp is None:
        # A stream of its own: pygls closes it in the end, and what is printed by mistake is no part of the protocol.
        spoken = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        with contextlib.redirect_stdout(sys.stderr):
            server.start_io(None, spoken)
    else:
        try:
            server.start_tcp("127.0.0.1", tcp)
        except OSError as error:
            raise InputError(f"--tcp {tcp}: 127.0.0.1 cannot be listened on there: {error.strerror}") from error
