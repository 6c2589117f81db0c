"""The language server: diagnostics as one types, hovers, definitions, completion and quick fixes of citations.

The protocol of editors, where an editor does not keep to it: each request is answered, and older text is left.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcServerNotInitialized
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import from_fs_path, to_fs_path

from veritas.editor.open_document import Lines, OpenDocument, with_plain_ends
from veritas.errors import VeritasError
from veritas.keys import withheld_from_message
from veritas.settings import project_folder
from veritas.use_cases.bibliographies import profiles
from veritas.use_cases.writing import open_project, work_out
from veritas.version import __version__

_FARTHEST = 2**31 - 1


class Protocol(LanguageServerProtocol):
    """The protocol. pygls answers a malformed request with no word at all, one before `initialize` as any other, and
    takes the text of an older version for the newest."""

    _begun = False

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as it is sent. Raises `JsonRpcException` for a malformed one, a request after its answer."""
        if data.keys() == {"line", "character"} and all(isinstance(each, int) for each in data.values()):
            data = {name: each if 0 <= each <= _FARTHEST else _FARTHEST for name, each in data.items()}
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), (int, str)):
                self._send_response(data["id"], None, error.to_response_error())
            raise

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        self._begun = self._begun or method_name == types.INITIALIZE
        if not self._begun:
            error = JsonRpcServerNotInitialized("the first request has to be initialize")
            self._send_response(msg_id, None, error.to_response_error())
            return
        super()._handle_request(msg_id, method_name, params)

    def _handle_notification(self, method_name: str, params: Any) -> None:
        if method_name == types.TEXT_DOCUMENT_DID_CHANGE and self._begun:
            given = params.text_document
            known = self.workspace.text_documents.get(given.uri)
            if known is not None and known.version is not None and given.version < known.version:
                return
            if known is not None:
                whole = changed(known.source, params.content_changes, self.workspace.position_encoding)
                params.content_changes = [types.TextDocumentContentChangeWholeDocument(whole)]
        super()._handle_notification(method_name, params)


if TYPE_CHECKING:
    from veritas.use_cases.writing import Diagnostic, Project

T = TypeVar("T")

AFTER_TYPING = 0.15
"""Seconds without a key pressed after which a text is looked through."""
WHEN_IDLE = 1.0
"""Seconds without a key pressed after which what takes long is worked out, in a thread of its own."""
AT_THE_LATEST = 2.0
"""Seconds after which a text is looked through while keys are pressed without end."""
MOST = 500
"""Most diagnostics of a document that are sent, the gravest first; of the rest only the number is."""
_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
}
CITE = "veritas.cite"
REFRESH = "veritas.refresh"


@dataclass(frozen=True)
class Options:
    """What an editor or the command line may set. `online` asks registries, in the background alone; without `writes`
    no file is written, whoever asks."""

    root: Path | None = None
    artifacts: str = "docs/citations"
    citation_map: Path | None = None
    profile: str | None = None
    online: bool = False
    writes: bool = True


class CitationServer(LanguageServer):
    """One connection of an editor."""

    def __init__(self, options: Options | None = None) -> None:
        super().__init__("veritas", __version__, types.TextDocumentSyncKind.Incremental, protocol_cls=Protocol)
        self.options = options or Options()
        self.documents: dict[str, OpenDocument] = {}
        self.projects: dict[str, Project] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._idle: asyncio.Task[None] | None = None
        self._working = asyncio.Lock()
        self._worker = ThreadPoolExecutor(1, "veritas-lsp")  # one after the other: a text is never read by two at once
        self._answering = ThreadPoolExecutor(4, "veritas-lsp-answers")
        self._told: dict[str, float] = {}
        self._looking: set[str] = set()
        self._again: set[str] = set()
        self._typed = 0

    def set(self, given: Mapping[str, Any]) -> None:
        """Take the settings that an editor gives on beginning; what is no setting is left aside."""
        if isinstance(given.get("online"), bool):
            self.options = replace(self.options, online=given["online"])
        if isinstance(given.get("artifacts"), str):
            self.options = replace(self.options, artifacts=given["artifacts"])
        if isinstance(given.get("map"), str):
            self.options = replace(self.options, citation_map=Path(given["map"]))
        if given.get("profile") in profiles():
            self.options = replace(self.options, profile=given["profile"])

    # The documents

    def open(self, uri: str, language: str | None) -> OpenDocument | None:
        """Return the open document under an address; None for one that is no file."""
        document = self.documents.get(uri)
        if document is None and (path := to_fs_path(uri) if uri.startswith("file:") else None):
            document = self.documents[uri] = OpenDocument(uri, path, language, self._project(path))
        return document

    def _project(self, path: str) -> Project:
        options = self.options
        project = open_project(
            path, root=options.root, artifacts=options.artifacts, citation_map=options.citation_map,
            profile=options.profile,
        )  # fmt: skip
        return self.projects.setdefault(project.root, project)

    def take(self, uri: str, language: str | None = None) -> OpenDocument | None:
        """Take a document's text as the editor has it now."""
        document = self.open(uri, language)
        if document is not None:
            given = self.workspace.get_text_document(uri)
            document.change(given.source, given.version, _named(self.workspace.position_encoding))
            self._typed += 1
        return document

    async def look_through(self, document: OpenDocument) -> None:
        """Look a document through, in a thread, and tell the editor what was found in this version of it.

        One that is being looked through is looked through once more after that, however often it was asked for.
        """
        uri = document.uri
        if uri in self._looking:
            self._again.add(uri)
            return
        self._looking.add(uri)
        try:
            while True:
                self._again.discard(uri)
                await self._look_once(document)
                if uri not in self._again:
                    return
        finally:
            self._looking.discard(uri)

    async def _look_once(self, document: OpenDocument) -> None:
        """Nothing is told of a version that was typed over meanwhile, unless keys are pressed without end."""
        try:
            work = asyncio.get_running_loop().run_in_executor(self._worker, document.look_through)
            version, lines, told = await work
        except Exception as error:  # noqa: BLE001 (a defect costs this answer, and not all that come after it)
            said = f"veritas: {os.path.basename(document.path)} was not looked through: {type(error).__name__}: {error}"
            self.window_log_message(types.LogMessageParams(types.MessageType.Error, withheld_from_message(said)))
            return
        late = document.lines is not lines
        if self.documents.get(document.uri) is not document or (late and not self._overdue(document)):
            return
        if not late:
            document.found = told
        self._told[document.uri] = asyncio.get_running_loop().time()
        found = sorted((each for each in told if each.level in _SEVERITY), key=lambda each: _SEVERITY[each.level])
        sent = [self.shown(document, each, lines) for each in found[:MOST]]
        if (more := len(found) - MOST) > 0:
            said = f"and {more:,} more, none graver than these: veritas check lists them all"
            sent.append(types.Diagnostic(line_range(1), said, types.DiagnosticSeverity.Information, source="veritas"))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, sent, version=version))

    def _overdue(self, document: OpenDocument) -> bool:
        return asyncio.get_running_loop().time() - self._told.get(document.uri, 0.0) > AT_THE_LATEST

    def shown(self, document: OpenDocument, found: Diagnostic, lines: Lines | None = None) -> types.Diagnostic:
        """Return a diagnostic in the protocol's form, by the lines that it was found in."""
        related = [
            types.DiagnosticRelatedInformation(
                types.Location(uri_of(each.path), line_range(each.line)), message=each.message
            )
            for each in found.related
        ]
        return types.Diagnostic(
            range=_range(lines or document.lines, found.start, found.end),
            message=found.message,
            severity=_SEVERITY.get(found.level),
            code=found.code,
            code_description=types.CodeDescription(href=_explained(found.code)),
            source="veritas",
            related_information=related or None,
        )

    def range(self, document: OpenDocument, start: int, end: int) -> types.Range:
        """Return a place of a document in the editor's units."""
        return _range(document.lines, start, end)

    # When what is done

    def soon(self, document: OpenDocument) -> None:
        """Look a document through when no key is pressed for a moment, and at the latest after a while; and work out
        what it leaves open after that."""
        waiting = self._waiting.pop(document.uri, None)
        if waiting is not None and not self._overdue(document):
            waiting.cancel()
        elif waiting is not None and not waiting.done():
            self._waiting[document.uri] = waiting  # it is late enough
            return
        self._waiting[document.uri] = asyncio.ensure_future(self._after_typing(document))

    async def _after_typing(self, document: OpenDocument) -> None:
        await asyncio.sleep(AFTER_TYPING)
        if self._waiting.get(document.uri) is asyncio.current_task():
            del self._waiting[document.uri]
        if self.documents.get(document.uri) is not document:
            return
        lines = document.lines
        await self.look_through(document)
        if document.lines is not lines:
            return  # what was typed meanwhile waits for its own turn
        if document.is_bibliography:
            await self.look_through_all(document.project, but=document)
        self.when_idle()

    async def look_through_all(self, project: Project | None = None, *, but: OpenDocument | None = None) -> None:
        """Look every open document through, of one project or of all."""
        for document in list(self.documents.values()):
            if document is not but and project in (None, document.project):
                await self.look_through(document)

    def when_idle(self) -> None:
        """Work out what is left open, when no key is pressed for a while."""
        if self._idle is None or self._idle.done():
            self._idle = asyncio.ensure_future(self._while_idle())

    async def _while_idle(self) -> None:
        typed = -1
        while typed != self._typed:
            typed = self._typed
            await asyncio.sleep(WHEN_IDLE)
        await self.work_out()

    async def work_out(self) -> None:
        """Work out what the open documents left open, in a thread, and show what it tells."""
        async with self._working:
            for project in list(self.projects.values()):
                begun = self._typed
                try:
                    told = await asyncio.to_thread(self._work_out, project, begun)
                except VeritasError as error:
                    self.window_log_message(types.LogMessageParams(types.MessageType.Warning, f"veritas: {error}"))
                    continue
                if told:
                    await self.look_through_all(project)
        if any(project.verdicts.waiting or project.readings.waiting for project in self.projects.values()):
            self._idle = asyncio.ensure_future(self._while_idle())

    def _work_out(self, project: Project, begun: int) -> bool:
        """Work out what one project left open, until a key is pressed."""
        return asyncio.run(work_out(project, online=self.options.online, going_on=lambda: begun == self._typed))

    async def aside(self, answer: Callable[[OpenDocument], T], document: OpenDocument) -> T:
        """Return an answer about a document as it is now, worked out in a thread: it may have to go over
        thousands of entries. It does not wait for a bibliography that is being read."""
        now = copy(document)

        def answered() -> T:
            with now.project.bibliographies.at_once():
                return answer(now)

        return await asyncio.get_running_loop().run_in_executor(self._answering, answered)

    async def refresh(self) -> None:
        """Ask again what nobody answered, and look every document through: files changed on the disk."""
        for project in self.projects.values():
            project.ask_again()
        await self.look_through_all()
        self.when_idle()

    def close(self, uri: str) -> None:
        """Forget a document, and what was found in it."""
        if (waiting := self._waiting.pop(uri, None)) is not None:
            waiting.cancel()
        self._told.pop(uri, None)
        if (document := self.documents.pop(uri, None)) is not None:
            document.close()
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    def offset(self, document: OpenDocument, position: types.Position) -> int:
        """Return the character at an editor's position."""
        return document.lines.offset(position.line, position.character)


def changed(
    text: str,
    changes: Sequence[types.TextDocumentContentChangeEvent],
    encoding: types.PositionEncodingKind | str | None,
) -> str:
    """Return a text after an editor's changes, one after the other; its line ends become `\\n`. The places are counted
    here: pygls counts lines as Python does, for which U+2028 ends one."""
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            lines, place = Lines(with_plain_ends(text), _named(encoding)), change.range
            start = lines.offset(place.start.line, place.start.character)
            end = max(start, lines.offset(place.end.line, place.end.character))
            text = f"{lines.text[:start]}{with_plain_ends(change.text)}{lines.text[end:]}"
        else:
            text = change.text
    return text


def _named(encoding: types.PositionEncodingKind | str | None) -> str:
    return str(getattr(encoding, "value", encoding))


def prepare_process() -> None:
    """Set this process up to answer while it works: requests do not wait long for the threads that look texts through,
    and memory is seldom gone over for cycles, of which a text that is read again makes next to none. A collection in
    the middle of a bibliography of 5,000 entries takes as long as looking it through."""
    sys.setswitchinterval(0.001)
    gc.set_threshold(100_000, 50, 100)
    gc.freeze()  # what is loaded now stays


def uri_of(path: str) -> str:
    """Return a file's address."""
    return from_fs_path(path) or Path(path).as_uri()


def _range(lines: Lines, start: int, end: int) -> types.Range:
    (line, column), (last, until) = lines.position(start), lines.position(end)
    return types.Range(types.Position(line, column), types.Position(last, until))


def line_range(number: int) -> types.Range:
    """Return the beginning of a line, counted from 1."""
    return types.Range(types.Position(max(0, number - 1), 0), types.Position(max(0, number - 1), 0))


def _explained(code: str) -> str:
    """Return where the documentation that is installed explains a code."""
    return f"{(project_folder() / 'docs' / 'editor.md').as_uri()}#{code}"
