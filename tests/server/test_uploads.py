"""Uploads: written to the disk as they come, once under a key, within the room of a token and of all."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import io
import json
import os
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import AUTHORITY, detail
from veritas.server import uploads
from veritas.server.app import create_app
from veritas.server.settings import Settings
from veritas.server.tokens import Keeper, Token, new_token
from veritas.use_cases import background

UPLOADS = "/api/v1/uploads"


def files(home: Path) -> list[str]:
    """All that lies in the folder of uploads, with what is hidden."""
    return sorted(str(path.relative_to(home / "uploads")) for path in (home / "uploads").rglob("*") if path.is_file())


def small(settings: Settings, **limits: int) -> tuple[TestClient, TestClient]:
    """Clients of two stored tokens, at a server with little room."""
    made = [new_token(name, ["run"]) for name in ("first", "second")]
    for _, record in made:
        Keeper(settings.home).add(record)
    app = create_app(dataclasses.replace(settings, **limits))
    one, other = (
        TestClient(app, base_url=f"http://{AUTHORITY}", headers={"Authorization": f"Bearer {token}"})
        for token, _ in made
    )
    return one, other


def test_the_same_key_stores_one_upload(client: TestClient, own_home: Path) -> None:
    key = {"Idempotency-Key": "notes"}
    told = [client.post(f"{UPLOADS}?name=a.txt", content=b"text", headers=key) for _ in range(3)]
    assert [each.status_code for each in told] == [201] * 3
    assert len({each.json()["corpus"] for each in told}) == 1
    assert len([name for name in files(own_home) if not name.startswith(".")]) == 1
    other = client.post(f"{UPLOADS}?name=a.txt", content=b"other", headers=key)
    assert "idempotency key" in detail(other, 409)
    assert client.get(UPLOADS).json()["uploads"] == [told[0].json()]


def test_a_refused_request_leaves_its_key_unused(client: TestClient, own_home: Path, no_process: None) -> None:
    asked, key = {"question": "?", "corpus": ["library"]}, {"Idempotency-Key": "again"}
    assert "empty" in detail(client.post("/api/v1/runs", json=asked, headers=key), 422)
    right = {**asked, "question": "Does the pump need oil?"}
    told = [client.post("/api/v1/runs", json=right, headers=key) for _ in range(2)]
    assert [each.status_code for each in told] == [202, 202]
    assert {each.json()["run_id"] for each in told} == set(background.job_ids(home=own_home))


def test_a_token_has_room_for_so_much_and_all_for_so_much(settings: Settings, own_home: Path) -> None:
    one, other = small(settings, uploads_of_token=100_000, uploads_of_all=150_000)
    kept = one.post(f"{UPLOADS}?name=a.txt", content=b"x" * 90_000).json()
    assert kept["bytes"] == 90_000
    assert "DELETE" in detail(one.post(f"{UPLOADS}/{kept['corpus'][7:]}?name=b.txt", content=b"x" * 20_000), 413)
    assert "whoever runs the server" in detail(other.post(f"{UPLOADS}?name=a.txt", content=b"x" * 90_000), 507)
    gone = f"{UPLOADS}/{kept['corpus'][7:]}"
    assert "no upload" in detail(other.delete(gone), 404)
    assert one.delete(gone).status_code == 204
    assert files(own_home) == []
    assert other.post(f"{UPLOADS}?name=a.txt", content=b"x" * 90_000).status_code == 201


def test_many_small_files_take_room_as_well(settings: Settings) -> None:
    one, _ = small(settings, uploads_of_token=10_000)
    assert [one.post(f"{UPLOADS}?name=a.txt", content=b"x").status_code for _ in range(3)] == [201, 201, 413]


async def _halves(app: Any, token: str, home: Path, count: int, size: int) -> tuple[list[int], int, list[str]]:
    """Begin uploads whose callers send half and go away; return the statuses of those that were refused, the bytes that
    lie on the disk meanwhile, and what is left afterwards."""
    go, refused = asyncio.Event(), list[int]()

    async def send() -> None:
        messages = iter([{"type": "http.request", "body": b"x" * (size // 2), "more_body": True}])

        async def receive() -> Any:
            if (message := next(messages, None)) is not None:
                return message
            await go.wait()
            return {"type": "http.disconnect"}

        async def answered(message: Any) -> None:
            if message["type"] == "http.response.start":
                refused.append(message["status"])

        told = {"host": AUTHORITY, "authorization": f"Bearer {token}", "content-length": str(size)}
        scope = {
            "type": "http", "method": "POST", "path": UPLOADS, "query_string": b"name=a.txt", "client": ("::1", 1),
            "headers": [(name.encode(), value.encode()) for name, value in told.items()], "http_version": "1.1",
            "scheme": "http", "root_path": "", "server": ("127.0.0.1", 8765),
        }  # fmt: skip
        await app(scope, receive, answered)

    tasks = [asyncio.create_task(send()) for _ in range(count)]
    written = 0
    for _ in range(500):
        written = sum(path.stat().st_size for path in (home / "uploads").glob(".part-*"))
        if written == 3 * (size // 2) and len(refused) == count - 3:
            break
        await asyncio.sleep(0.01)
    go.set()
    await asyncio.gather(*tasks)
    return refused, written, files(home)


def test_half_uploads_lie_on_the_disk_and_hold_their_room(
    settings: Settings, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from veritas.server import uploads

    monkeypatch.setattr(uploads, "PIECE", 50_000)
    token, record = new_token("half", ["run"])
    limited = dataclasses.replace(settings, uploads_of_token=350_000)
    refused, written, left = asyncio.run(_halves(create_app(limited, [record]), token, own_home, 5, 100_000))
    assert refused == [413, 413]
    assert written == 150_000
    assert left == []


def test_what_a_killed_server_left_is_removed_when_the_next_one_starts(settings: Settings, own_home: Path) -> None:
    app = create_app(settings)
    folder = own_home / "uploads"
    folder.mkdir(parents=True)
    old, new = folder / ".part-old", folder / ".part-new"
    for path in (old, new):
        path.write_bytes(b"x")
    os.utime(old, (time.time() - 86_400,) * 2)
    app.state.context.uploads.sweep()
    assert files(own_home) == [".part-new"]


def test_forms_of_one_caller_hold_so_much_at_a_time(settings: Settings, tokens: dict[str, tuple[str, Token]]) -> None:
    token, record = tokens["run"]
    client = TestClient(
        create_app(dataclasses.replace(settings, forms_limit=1_000), [record]), base_url=f"http://{AUTHORITY}",
        headers={"Authorization": f"Bearer {token}"},
    )  # fmt: skip
    asked = {"claim": "A pump.", "passage": "A pump. " * 200}
    for _ in range(2):
        answer = client.post("/api/v1/judgments", json=asked)
        assert "wait" in detail(answer, 429)
        assert answer.headers["Retry-After"] == "1"
    assert client.post("/api/v1/judgments", json={**asked, "passage": "A pump."}).status_code == 200


def zipped(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


@pytest.mark.parametrize("name", ["pumps.zip", "pumps.jsonl"])
def test_an_archive_is_a_corpus_under_the_name_that_the_upload_gives(client: TestClient, name: str) -> None:
    text = "The pump needs oil every week."
    sent = zipped({"a.txt": text}) if name.endswith(".zip") else json.dumps({"id": "a", "text": text}).encode()
    kept = client.post(f"{UPLOADS}?name={name}", content=sent).json()
    asked = {"claim": "The pump needs oil every week.", "corpus": [kept["corpus"]]}
    told = client.post("/api/v1/verifications", json=asked)
    assert told.status_code == 200, told.text
    assert told.json()["verdict"] == "supports"
    client.post(f"{UPLOADS}/{kept['corpus'][7:]}?name=b.txt", content=b"Valves are made of brass.")
    asked = {"claim": "Valves are made of brass.", "corpus": [kept["corpus"]]}
    assert client.post("/api/v1/verifications", json=asked).json()["verdict"] == "supports"


def test_an_archive_of_too_many_files_or_bytes_or_none_is_refused_at_once(
    client: TestClient, settings: Settings, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_ARCHIVED", 3)
    many = zipped({f"{number}.txt": "x" for number in range(4)})
    assert "may hold 3 files" in detail(client.post(f"{UPLOADS}?name=many.zip", content=many), 413)
    assert "none that can be read" in detail(client.post(f"{UPLOADS}?name=a.zip", content=b"text"), 422)
    one, _ = small(settings, uploads_of_token=100_000)
    bomb = zipped({"a.txt": "x" * 200_000})
    assert "may unpack to 100,000 bytes" in detail(one.post(f"{UPLOADS}?name=bomb.zip", content=bomb), 413)
    assert "may unpack to 100,000 bytes" in detail(one.post(f"{UPLOADS}?name=a.docx", content=bomb), 413)
    packed = gzip.compress(b"x" * 70_000) + gzip.compress(b"x" * 70_000)  # whose end names the second alone
    assert "may unpack to 100,000 bytes" in detail(one.post(f"{UPLOADS}?name=pump.1.gz", content=packed), 413)
    assert [name for name in files(own_home) if name.endswith((".zip", ".part", ".docx", ".gz"))] == []
    nested = io.BytesIO()
    with zipfile.ZipFile(nested, "w") as outer:
        outer.writestr("paper.docx", bomb)
    assert "may unpack to 100,000 bytes" in detail(one.post(f"{UPLOADS}?name=n.zip", content=nested.getvalue()), 413)
    for name in ("torn.docx", "torn.gz"):  # which is told of when it is read
        assert one.post(f"{UPLOADS}?name={name}", content=packed[:40]).status_code == 201


def test_an_archive_takes_the_room_that_it_unpacks_to(settings: Settings, own_home: Path) -> None:
    one, other = small(settings, uploads_of_token=300_000, uploads_of_all=500_000)
    many, few = zipped({"a.txt": "Oil the pump. " * 15_000}), zipped({"a.txt": "Oil the pump."})
    kept = one.post(f"{UPLOADS}?name=a.zip", content=many)
    assert kept.status_code == 201
    assert 210_000 < kept.json()["bytes"] == one.get(UPLOADS).json()["bytes"] < 220_000
    assert "unpack" in detail(one.post(f"{UPLOADS}?name=b.zip", content=many), 413)
    assert one.post(f"{UPLOADS}?name=b.zip", content=few).status_code == 201
    assert other.post(f"{UPLOADS}?name=c.zip", content=many).status_code == 201
    assert "whoever runs the server" in detail(other.post(f"{UPLOADS}?name=d.txt", content=b"x" * 80_000), 507)
    assert one.delete(f"{UPLOADS}/{kept.json()['corpus'][7:]}").status_code == 204
    assert one.post(f"{UPLOADS}?name=b.zip", content=many).status_code == 201


def made_of(home: Path) -> set[str]:
    """What the cache holds, without the salt, the signs of keys, and the vectors, which all go at once."""
    found = (home / "cache" / each for each in ("unpacked", "corpora", "converted"))
    held = {str(path.relative_to(home)) for folder in found for path in folder.rglob("*") if path.is_file()}
    return {name for name in held if not name.endswith((".clean", "salt", "passages.vectors"))}


def test_what_was_made_of_an_upload_goes_with_it(client: TestClient, own_home: Path) -> None:
    texts = {"a.txt": "The pump needs oil every week.", "b.html": "<p>The valve is of brass.</p>"}

    def asked(*corpus: str) -> None:
        told = client.post("/api/v1/verifications", json={"claim": "The pump needs oil.", "corpus": list(corpus)})
        assert told.status_code == 200, told.text

    asked("library/pumps.jsonl")
    before = made_of(own_home)
    kept = client.post(f"{UPLOADS}?name=pumps.zip", content=zipped(texts)).json()["corpus"]
    client.post(f"{UPLOADS}/{kept[7:]}?name=beside.txt", content=b"The pump needs oil every month.")
    other = client.post(f"{UPLOADS}?name=pumps.txt", content=b"The pump needs oil every day.").json()["corpus"]
    asked(kept)
    asked(kept, "library/pumps.jsonl")
    with_one = made_of(own_home)
    assert {name.split("/")[1] for name in with_one - before} >= {"unpacked", "corpora"}
    client.post(f"{UPLOADS}/{kept[7:]}?name=pumps.zip", content=zipped({**texts, "c.txt": "The seal is of rubber."}))
    assert not {name for name in made_of(own_home) if "unpacked" in name}
    asked(kept)
    asked(other)
    with_both = made_of(own_home)
    assert client.delete(f"{UPLOADS}/{kept[7:]}").status_code == 204
    assert not (own_home / "cache/corpora/passages.vectors").exists()
    left = made_of(own_home)
    assert before < left < with_both
    asked(other)
    asked("library/pumps.jsonl")
    assert made_of(own_home) == left
    assert client.delete(f"{UPLOADS}/{other[7:]}").status_code == 204
    assert made_of(own_home) == before
