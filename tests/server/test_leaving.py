"""Whoever hangs up is worked for no longer: what is read for an answer is read no further."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from tests.server.conftest import AUTHORITY
from veritas.errors import Cancelled
from veritas.long_waits import Counting, ended_when
from veritas.server import connections

MANY = 250


def requested(messages: list[dict[str, Any]]) -> Callable[[], Any]:
    """What a server gives of a request, message by message; then nothing comes."""
    left = iter(messages)

    async def receive() -> Any:
        if (message := next(left, None)) is None:
            await asyncio.Event().wait()
        return message

    return receive


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LOOK", 0.01)


@pytest.mark.usefixtures("impatient")
async def test_what_would_never_end_ends_when_its_caller_leaves() -> None:
    seen: list[int] = []

    def endless() -> None:
        seen.extend(Counting("counting", "numbers").through(itertools.count(), None))

    request = Request({"type": "http"}, requested([{"type": "http.disconnect"}]))
    with pytest.raises(ClientDisconnect):
        await connections.while_there(request, endless)
    assert seen == sorted(seen), "and has ended: the numbers are whole"


@pytest.mark.usefixtures("impatient")
async def test_a_caller_who_stays_gets_the_answer_or_the_error() -> None:
    request = Request({"type": "http"}, requested([]))
    assert await connections.while_there(request, max, 3, 5) == 5
    with pytest.raises(ZeroDivisionError):
        await connections.while_there(request, divmod, 1, 0)


def test_only_what_is_done_inside_ends() -> None:
    def counted() -> Iterator[int]:
        return Counting("counting", "numbers").through(range(3), 3)

    with ended_when(lambda: True), pytest.raises(Cancelled):
        list(counted())
    with ended_when(lambda: False):
        assert list(counted()) == [0, 1, 2]
    assert list(counted()) == [0, 1, 2]


@pytest.mark.usefixtures("impatient")
async def test_a_corpus_is_read_no_further_than_its_caller_waits(
    app: Any, tokens: Any, root: Path, own_home: Path
) -> None:
    folder = root / "many"
    folder.mkdir()
    for number in range(MANY):
        (folder / f"{number}.md").write_text(f"# Pump {number}\n\nIt weighs {number} kg.", encoding="utf-8")
    body = json.dumps({"claim": "A pump weighs 12 kg.", "corpus": ["library/many"]}).encode()
    scope = {
        "type": "http", "method": "POST", "path": "/api/v1/verifications", "query_string": b"", "root_path": "",
        "scheme": "http", "http_version": "1.1", "server": ("127.0.0.1", 8765), "client": ("127.0.0.1", 1),
        "headers": [(b"host", AUTHORITY.encode()), (b"content-type", b"application/json"),
                    (b"authorization", f"Bearer {tokens['all'][0]}".encode())],
    }  # fmt: skip
    answered: list[Any] = []

    async def send(message: Any) -> None:
        answered.append(message)

    said = [{"type": "http.request", "body": body, "more_body": False}, {"type": "http.disconnect"}]
    await app(scope, requested(said), send)
    assert answered == []
    assert not list((own_home / "cache" / "corpora").glob("*.corpus")), "the corpus was not read to its end"
