"""The language server as an editor starts it: the command, on standard input and output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def test_the_command_speaks_the_protocol_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    def sent(method: str, params: Any = None, **more: Any) -> bytes:
        message = json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | more)
        return f"Content-Length: {len(message)}\r\n\r\n{message}".encode()

    (tmp_path / "refs.bib").write_text("@book{somebody2020, title={A book}}")
    document = {"uri": (tmp_path / "page.md").as_uri(), "languageId": "markdown", "version": 1, "text": "[@nobody2020]"}
    begun = (
        sent("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
        + sent("initialized", {})
        + sent("textDocument/didOpen", {"textDocument": document})
    )
    command = [sys.executable, "-m", "veritas", "lsp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(begun)
        server.stdin.flush()
        told = b""
        while b'"unknown-key"' not in told and (part := os.read(server.stdout.fileno(), 1 << 16)):
            told += part
        _, err = server.communicate(sent("shutdown", id=2) + sent("exit"), timeout=120)
    assert b'"unknown-key"' in told, err[-2000:]
    assert told.startswith(b"Content-Length")
    assert server.returncode == 0, err[-2000:]
