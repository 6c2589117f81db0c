"""What the language server offers in a document: hovers, completion, fixes, a citation for a sentence."""

from __future__ import annotations

import asyncio
import os
import re
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from veritas.editor.language_server import CITE, REFRESH, CitationServer, Options, line_range, uri_of
from veritas.editor.mending import fixes
from veritas.editor.open_document import OpenDocument
from veritas.errors import VeritasError
from veritas.text.visible import visible
from veritas.use_cases.writing import Citable, entry_at, said_of_entry, sentence_at, some_citable_keys

if TYPE_CHECKING:
    from veritas.editor.language_server import CitationServer, Options
    from veritas.use_cases.writing import Entry, Resolved

_KINDS = [types.CodeActionKind.QuickFix]


def make_server(options: Options | None = None) -> CitationServer:
    """Return a language server with all its features; it is not started yet."""
    server = CitationServer(options)

    @server.feature(types.INITIALIZE)
    def initialize(ls: CitationServer, params: types.InitializeParams) -> None:
        if isinstance(params.initialization_options, dict):
            ls.set(params.initialization_options)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: CitationServer, params: types.DidOpenTextDocumentParams) -> None:
        document = ls.take(params.text_document.uri, params.text_document.language_id)
        if document is not None:
            await ls.look_through(document)
            ls.when_idle()

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: CitationServer, params: types.DidChangeTextDocumentParams) -> None:
        if (document := ls.take(params.text_document.uri)) is not None:
            ls.soon(document)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: CitationServer, params: types.DidSaveTextDocumentParams) -> None:
        await ls.refresh()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: CitationServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.close(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def touched(ls: CitationServer, params: types.DidChangeWatchedFilesParams) -> None:
        await ls.refresh()

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(ls: CitationServer, params: types.HoverParams) -> types.Hover | None:
        document = ls.documents.get(params.text_document.uri)
        return await ls.aside(lambda now: _hover(ls, now, params.position), document) if document else None

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def defined(ls: CitationServer, params: types.DefinitionParams) -> types.Location | None:
        document = ls.documents.get(params.text_document.uri)
        return await ls.aside(lambda now: _definition(ls, now, params.position), document) if document else None

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=TRIGGERS))
    async def completed(ls: CitationServer, params: types.CompletionParams) -> types.CompletionList | None:
        document = ls.documents.get(params.text_document.uri)
        return await ls.aside(lambda now: _completion(ls, now, params.position), document) if document else None

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=_KINDS))
    async def acted(ls: CitationServer, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        document = ls.documents.get(params.text_document.uri)
        return await ls.aside(lambda now: _actions(ls, now, params), document) if document else None

    @server.command(REFRESH)
    async def refresh(ls: CitationServer) -> None:
        await ls.refresh()

    @server.command(CITE)
    async def cite(ls: CitationServer, uri: str, line: int, column: int) -> None:
        if (document := ls.documents.get(uri)) is not None and can_cite(ls.options):
            await cite_sentence(ls, document, ls.offset(document, types.Position(line, column)))

    return server


def _hover(ls: CitationServer, document: OpenDocument, position: types.Position) -> types.Hover | None:
    if not document.lines.holds(position.line):
        return None
    shown = hover(document, ls.offset(document, position))
    if shown is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, shown[2])
    return types.Hover(content, ls.range(document, shown[0], shown[1]))


def _definition(ls: CitationServer, document: OpenDocument, position: types.Position) -> types.Location | None:
    if not document.lines.holds(position.line):
        return None
    cited = document.citation_at(ls.offset(document, position))
    if cited is None:
        return None
    if cited.artifact is not None and cited.artifact.digest:
        return types.Location(uri_of(cited.artifact.path), line_range(1))
    if cited.entry is not None and cited.entry.file:
        return types.Location(uri_of(cited.entry.file), line_range(cited.entry.line))
    return None


def _completion(ls: CitationServer, document: OpenDocument, position: types.Position) -> types.CompletionList:
    at = ls.offset(document, position)
    start, keys, more = complete(document, at)
    place = ls.range(document, start, at)
    return types.CompletionList(
        is_incomplete=more,
        items=[
            types.CompletionItem(
                label=each.key,
                kind=types.CompletionItemKind.Reference,
                detail=f"do not cite: {each.wrong}" if each.wrong else each.detail,
                documentation=each.title,
                tags=[types.CompletionItemTag.Deprecated] if each.wrong else None,
                sort_text=f"{'2' if each.wrong else '0' if each.verified else '1'}{each.key}",
                text_edit=types.TextEdit(place, each.key),
            )
            for each in keys
        ],
    )


def _actions(ls: CitationServer, document: OpenDocument, params: types.CodeActionParams) -> list[types.CodeAction]:
    start, end = ls.offset(document, params.range.start), ls.offset(document, params.range.end)
    actions = []
    found = [each for each in document.found_between(start, end) if each.level != "unknown"]
    for each in found:
        for fix in fixes(document, each):
            edits = [types.TextEdit(ls.range(document, a, b), new) for a, b, new in fix.edits]
            actions.append(
                types.CodeAction(
                    fix.title,
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[ls.shown(document, each)],
                    is_preferred=fix.preferred or None,
                    edit=types.WorkspaceEdit(changes={document.uri: edits}),
                )
            )
    if not document.is_bibliography and can_cite(ls.options):
        title = "Find a paper for this sentence and cite it with its artifact"
        at = params.range.start
        command = types.Command(title, CITE, arguments=[document.uri, at.line, at.character])
        actions.append(types.CodeAction(title, kind=types.CodeActionKind.QuickFix, command=command))
    return actions


_MARKDOWN = re.compile(r"(?<![\w.@/\\+])@\{?([\w:.#$%&+?<>~/-]*)\Z")
_LATEX = re.compile(r"\\\w{0,40}[Cc]ite\w{0,40}\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{(?:[^{}]*,)?\s*([^{},\s]*)\Z")
_RST = re.compile(r":(?:foot)?cite(?::[a-z]{1,40}){0,3}:`(?:[^`]*,)?\s*([^`,\s{}]*)\Z")
TRIGGERS = ["@", "{", ",", "`"]
"""Signs behind which a key may begin."""
_BEFORE = 4_000
MOST = 500
"""Most keys that are offered at once. Of more, an editor asks again with each letter."""


def complete(document: OpenDocument, at: int) -> tuple[int, list[Citable], bool]:
    """Return where the key begins that ends at a place, the keys it may become (none where no key is typed), and
    whether these are a part of them: of many, those that have the letters typed so far in their order; or those that
    are known while a bibliography is being read."""
    text = document.lines.text
    before = text[max(0, at - _BEFORE) : at]
    suffix = os.path.splitext(document.path)[1].lower()
    latex = document.kind == "latex" or suffix in (".tex", ".ltx", ".latex")
    rst = document.kind == "rst" or suffix in (".rst", ".rest")
    typed = (_LATEX if latex else _RST if rst else _MARKDOWN).search(before)
    if typed is None or document.is_bibliography:
        return at, [], False
    begun = typed[1]
    project = document.project
    keys, more = some_citable_keys(text, document.path, project, begun, MOST, kind=document.kind)
    return at - len(begun), keys, more or project.bibliographies.went_without


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


_LONGEST = 600
_MARKUP = re.compile(r"([\\`*_{}\[\]#|!~])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "://": "&#58;//"}
"""What could become markup of HTML, or an address that is made a link."""


def hover(document: OpenDocument, at: int) -> tuple[int, int, str] | None:
    """Return the place and the Markdown that is shown at a place of a document; None where nothing is known."""
    if document.is_bibliography:
        entry = entry_at(document.lines.text, document.path, document.project, at)
        return (at, at, _of_work(entry[0], entry[1])) if entry else None
    cited = document.citation_at(at)
    if cited is None:
        found = next(iter(document.found_between(at, at)), None)
        return (found.start, found.end, _plain(found.message)) if found and found.level != "unknown" else None
    shown = _of_artifact(cited) or _of_entry(cited, document)
    return (cited.place.start, cited.place.end, shown) if shown else None


def _of_artifact(cited: Resolved) -> str | None:
    artifact = cited.artifact
    if artifact is None or not artifact.fields:
        return None
    fields = artifact.fields
    authors = fields.get("authors")
    authors = authors if isinstance(authors, list) else []
    names = ", ".join(map(str, authors[:3])) + (" et al." if len(authors) > 3 else "")
    told = [f"**{_plain(fields.get('title'))}**", _plain(f"{names} ({fields.get('year') or 'no year'})")]
    told += [f"> {_plain(quote)}\n>\n> — {_plain(place) or 'text'}" for quote, place in artifact.excerpts[:3]]
    standing = "the check of its artifact fails: " if artifact.checked.problems else ""
    standing += "; ".join(message for _, message in artifact.checked.problems[:3]) or f"standing: {artifact.standing}"
    told.append(_plain(f"{standing}; verified {str(fields.get('verified_at') or 'at an unknown time')[:10]}"))
    if tier := _tier_of(fields.get("urls")):
        told.append(_plain(tier))
    return "\n\n".join(told)


def _of_entry(cited: Resolved, document: OpenDocument) -> str | None:
    entry = cited.entry
    return f"{_of_work(entry, said_of_entry(entry, document.project))}\n\nNo artifact." if entry else None


def _of_work(entry: Entry, said: str) -> str:
    """Return an entry's work and its verdict, in the bibliography as where it is cited."""
    work = entry.record
    names = [" ".join(filter(None, (each.given, each.family))) for each in work.authors]
    who = ", ".join(names[:3]) + (" et al." if len(names) > 3 or (names and not work.authors_complete) else "")
    title = work.title or entry.text or entry.key
    return "\n\n".join((f"**{_plain(title)}**", _plain(f"{who} ({work.year or 'no year'})".strip()), _plain(said)))


def _tier_of(urls: Any) -> str:
    """Return the tier of a work's source, in words."""
    if not isinstance(urls, dict):
        return ""
    url = next((url for url in urls.values() if isinstance(url, str) and url.startswith("http")), None)
    return _tier(url) if url else ""


@lru_cache(maxsize=512)
def _tier(url: str) -> str:
    from veritas.errors import VeritasError
    from veritas.use_cases.claims import tier

    try:
        verdict = tier(url)
    except VeritasError:
        return ""
    return f"source: tier {verdict.tier} ({verdict.justification})"


def _plain(value: Any) -> str:
    """Return a stranger's text as Markdown that shows it and does nothing else."""
    text = " ".join(visible(str(value or "")).split())
    text = _MARKUP.sub(r"\\\1", text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")
    return re.sub("[&<>]|://", lambda found: _ENTITIES[found.group()], text)
