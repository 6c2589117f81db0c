"""The requests of editors, each answered from the state of `CitationServer`."""

from __future__ import annotations

from lsprotocol import types

from veritas.editor.citing import can_cite, cite_sentence
from veritas.editor.completing import TRIGGERS, complete
from veritas.editor.hovering import hover
from veritas.editor.language_server import CITE, REFRESH, CitationServer, Options, line_range, uri_of
from veritas.editor.mending import fixes
from veritas.editor.open_document import OpenDocument

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
