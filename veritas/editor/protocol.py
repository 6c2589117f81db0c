"""The protocol of editors, where an editor does not keep to it: each request is answered, and older text is left."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcServerNotInitialized
from pygls.protocol import LanguageServerProtocol

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
        super()._handle_notification(method_name, params)
