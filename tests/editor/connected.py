"""A language server and a client of pygls, joined by a loopback connection in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any

from lsprotocol import types
from pygls.io_ import run_async
from pygls.lsp.client import LanguageClient

from veritas.editor.features import make_server
from veritas.editor.language_server import CitationServer, Options


class Editor:
    """The client: what it opened, and what it was told."""

    def __init__(self, client: LanguageClient, server: CitationServer) -> None:
        self.client, self.server = client, server
        self.told: dict[str, types.PublishDiagnosticsParams] = {}
        self.log: list[types.LogMessageParams] = []
        self.news = asyncio.Event()

    def open(self, path: Path, text: str, language: str = "", version: int = 1) -> str:
        uri = path.as_uri()
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, version, text))
        )
        return uri

    def change(self, uri: str, text: str, version: int) -> None:
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=version, uri=uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def diagnostics(self, uri: str, version: int = 1, *, code: str | None = None) -> list[types.Diagnostic]:
        """Wait for the diagnostics of a version, and for one with a code among them."""
        async with asyncio.timeout(60):
            while True:
                told = self.told.get(uri)
                now = told is not None and told.version == version
                if told is not None and now and (code is None or any(each.code == code for each in told.diagnostics)):
                    return list(told.diagnostics)
                self.news.clear()
                await self.news.wait()

    async def logged(self, words: str) -> types.LogMessageParams:
        """Wait for a line of the log that has these words."""
        async with asyncio.timeout(60):
            while not (said := [each for each in self.log if words in each.message]):
                self.news.clear()
                await self.news.wait()
        return said[0]

    def at(self, uri: str, line: int, column: int) -> dict[str, Any]:
        return {"text_document": types.TextDocumentIdentifier(uri), "position": types.Position(line, column)}


@asynccontextmanager
async def connected(options: Options | None = None, settings: Any = None, **general: Any) -> AsyncIterator[Editor]:
    """Yield an editor that is connected to a server of its own."""
    server, client, stop = make_server(options), LanguageClient("tests", "1"), Event()
    writers: list[asyncio.StreamWriter] = []

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.protocol.set_writer(writer)
        writers.append(writer)
        await run_async(stop_event=stop, reader=reader, protocol=server.protocol)

    listening = await asyncio.start_server(served, "127.0.0.1", 0)
    editor = Editor(client, server)

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params: types.PublishDiagnosticsParams) -> None:
        editor.told[params.uri] = params
        editor.news.set()

    @client.feature(types.WINDOW_LOG_MESSAGE)
    def logged(params: types.LogMessageParams) -> None:
        editor.log.append(params)
        editor.news.set()

    try:
        await client.start_tcp("127.0.0.1", listening.sockets[0].getsockname()[1])
        capabilities = types.ClientCapabilities(general=types.GeneralClientCapabilities(**general))
        await client.initialize_async(types.InitializeParams(capabilities, initialization_options=settings))
        client.initialized(types.InitializedParams())
        yield editor
        await client.shutdown_async(None)
    finally:
        stop.set()
        for writer in writers:
            writer.close()  # each side waits for the other's next line
        await client.stop()
        listening.close()
        server.shutdown()
