"""The command that finds a paper for a sentence and cites it: the full install's, and online."""

from __future__ import annotations

import asyncio
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

from lsprotocol import types

from veritas.errors import VeritasError
from veritas.use_cases.writing import sentence_at

if TYPE_CHECKING:
    from veritas.editor.language_server import CitationServer, Options
    from veritas.editor.open_document import OpenDocument

_KEY = re.compile(r"@\w+\{\s*([^\s,{}]+)\s*,")
_NEEDED = ("docling", "lxml", "pypdfium2")
"""What reads papers, which the light install lacks."""


def can_cite(options: Options) -> bool:
    """Return whether papers can be looked for and read here, and their artifacts written."""
    return options.online and options.writes and all(find_spec(name) is not None for name in _NEEDED)


async def cite_sentence(server: CitationServer, document: OpenDocument, at: int) -> None:
    """Make a citation of the sentence at a place, with its artifact, and set its key behind it; or say why not."""
    from veritas import Refusal
    from veritas.use_cases.citations import cite

    place = sentence_at(document.lines.text, at)
    if place is None:
        return
    _, end, claim = place
    version = document.version
    options = server.options
    try:
        outcome = await asyncio.to_thread(
            asyncio.run, cite(claim, root=document.project.root, artifacts=options.artifacts)
        )
    except VeritasError as error:
        _say(server, types.MessageType.Error, str(error))
        return
    if isinstance(outcome, Refusal):
        _say(server, types.MessageType.Warning, f"{outcome.name}: {outcome.reason}")
        return
    found = _KEY.search(outcome.bibtex)
    key = found[1] if found else outcome.path.stem
    if document.version != version:
        _say(server, types.MessageType.Info, f"the artifact of @{key} is written; cite it where the sentence is now")
        return
    behind = end - 1 if document.lines.text[end - 1 : end] in (".", "!", "?") else end
    new = f" \\cite{{{key}}}" if document.path.endswith((".tex", ".ltx")) else f" [@{key}]"
    new = f" :cite:`{key}`" if document.path.endswith(".rst") else new
    edit = types.TextEdit(server.range(document, behind, behind), new)
    await server.workspace_apply_edit_async(
        types.ApplyWorkspaceEditParams(types.WorkspaceEdit(changes={document.uri: [edit]}), label="cite")
    )


def _say(server: CitationServer, kind: types.MessageType, said: str) -> None:
    server.window_show_message(types.ShowMessageParams(kind, f"veritas: {said}"))
