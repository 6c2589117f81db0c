"""The language server as an editor starts it: the command, on standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def test_the_command_speaks_the_protocol_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    def sent(method: str, params: Any = None, **more: Any) -> bytes:
        message = json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | more)
        return f"Content-Length: {len(message)}\r\n\r\n{message}".encode()

    document = {"uri": (tmp_path / "page.md").as_uri(), "languageId": "markdown", "version": 1, "text": "[@nobody2020]"}
    given = (
        sent("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
        + sent("initialized", {})
        + sent("textDocument/didOpen", {"textDocument": document})
        + sent("shutdown", id=2)
        + sent("exit")
    )
    command = [sys.executable, "-m", "veritas", "lsp"]
    done = subprocess.run(command, input=given, capture_output=True, timeout=120, check=False)
    assert b'"unknown-key"' in done.stdout, done.stderr[-2000:]
    assert done.stdout.startswith(b"Content-Length")
    assert done.returncode == 0, done.stderr[-2000:]
