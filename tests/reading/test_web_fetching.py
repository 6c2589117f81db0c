"""Fetching from a hostile web, over real HTTP on loopback."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from tests.loopback_web.web import Asked, Reply, fetcher, html, redirect, web
from veritas import InputError, Unavailable
from veritas.policy.search_providers import ReadingEntry
from veritas.reading.web.destination import Refused
from veritas.reading.web.fetching import Fetcher, loopback_allowed

PAGE = html("<p>Water boils at 100 degrees.</p>")


def chunked(pieces: Iterator[bytes], *headers: str) -> Reply:
    """A body of unknown length."""

    def raw() -> Iterator[bytes]:
        yield "\r\n".join(("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", *headers, "", "")).encode()
        for piece in pieces:
            yield f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
        yield b"0\r\n\r\n"

    return Reply(raw=raw)


async def test_a_page_comes_with_the_address_that_answered(tmp_path: Path) -> None:
    with web({"a.example.org/x": redirect("/y"), "b.example.org/z": PAGE}) as served:
        served.pages["a.example.org/y"] = redirect(f"http://b.example.org:{served.port}/z#part")
        page = await fetcher(served, tmp_path).fetch(served.url("/x", "a.example.org"))
    assert page.status == 200
    assert page.final_url == served.url("/z", "b.example.org")
    assert b"Water boils" in page.body


async def test_the_reader_says_who_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERITAS_CONTACT", "desk@example.org")
    with web({"/": PAGE}) as served:
        await fetcher(served, tmp_path).fetch(served.url("/"))
    agent = served.asked[-1].headers["user-agent"]
    assert re.fullmatch(r"VERITAS/[\d.]+ \(research with cited sources; mailto:desk@example\.org\)", agent)


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/", "http://127.0.0.1:1/", "http://169.254.169.254/latest/meta-data/", "http://2852039166/",
        "http://0xa9fea9fe/", "http://[::ffff:169.254.169.254]/", "http://[::]/", "http://0/", "http://localhost./",
        "http://metadata.google.internal/", "http://inward.example.org/", "file:///etc/passwd", "ftp://example.org/",
        "http://user@example.org/", "http://[::1", "javascript:alert(1)", "http://example.org:22/",
    ],
)  # fmt: skip
async def test_a_redirect_inwards_is_refused(tmp_path: Path, target: str) -> None:
    with web({"/": redirect(target)}) as served:
        reader = fetcher(served, tmp_path, names={"inward.example.org": ("10.0.0.7",)})
        with pytest.raises(Unavailable) as caught:
            await reader.fetch(served.url("/"))
    said = str(caught.value)
    assert isinstance(caught.value, Refused) or "Invalid URL in location" in said or "absolute URLs" in said
    assert served.paths() == ["/"]


async def test_the_connection_goes_to_the_address_that_was_checked(tmp_path: Path) -> None:
    """A name that answers a second look-up otherwise gains nothing: there is no second look-up."""
    answers = iter([("127.0.0.1",), ("10.0.0.1",), ("10.0.0.1",)])
    asked = []
    with web({"/": PAGE}) as served:
        reader = fetcher(served, tmp_path, robots=False)

        async def fickle(host: str, port: int) -> tuple[str, ...]:
            asked.append(host)
            return next(answers)

        object.__setattr__(reader._destinations, "resolver", fickle)
        page = await reader.fetch(served.url("/", "fickle.example.org"))
        assert page.status == 200
        assert asked == ["fickle.example.org"]
        with pytest.raises(Refused):
            await reader.fetch(served.url("/2", "fickle.example.org"))
    assert served.paths() == ["/"]
    assert served.asked[0].headers["host"] == f"fickle.example.org:{served.port}"


async def test_endless_redirects_end(tmp_path: Path) -> None:
    with web({}) as served:
        served.pages["/n"] = lambda asked: redirect(f"/n?i={int(asked.query.get('i', 0)) + 1}")
        with pytest.raises(Unavailable, match="more than 8 times"):
            await fetcher(served, tmp_path).fetch(served.url("/n"))
        assert len(served.paths()) == 9
        served.pages["/a"], served.pages["/b"] = redirect("/b"), redirect("/a")
        with pytest.raises(Unavailable, match="in a circle"):
            await fetcher(served, tmp_path).fetch(served.url("/a"))


async def test_a_body_without_end_is_left_at_the_limit(tmp_path: Path) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 1_000_000_000:
            sent += 65_536
            yield b"x" * 65_536

    with web({"/": chunked(endless())}) as served:
        tracemalloc.start()
        with pytest.raises(Unavailable, match="goes on after 2,000,000 bytes"):
            await fetcher(served, tmp_path, megabytes=2).fetch(served.url("/"))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert sent < 60_000_000
    assert peak < 40_000_000


def bomb(size: int) -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*(squeeze.compress(b"\0" * 1_000_000) for _ in range(size // 1_000_000)), squeeze.flush()])


BOMB = bomb(50_000_000)
"""Ten times what the reader of the test takes."""


@pytest.mark.parametrize(
    ("encoding", "body", "why"),
    [
        ("gzip", BOMB, "goes on after"),
        ("gzip", gzip.compress(BOMB), None),
        ("gzip, gzip", gzip.compress(gzip.compress(b"x")), "not asked for"),
        ("br", b"\x1b\x00\x00", "not asked for"),
        ("zstd", b"\x28\xb5\x2f\xfd", "not asked for"),
        ("gzip", gzip.compress(b"<p>text</p>" * 5000)[:-30], "cut off in the middle"),
        ("gzip", b"<p>not compressed at all</p>", "said to be compressed"),
        ("gzip", gzip.compress(b"one ") + gzip.compress(b"two"), None),
        ("deflate", zlib.compress(b"with a header"), None),
        ("deflate", zlib.compress(b"without a header", wbits=-15), None),
        ("gzip", gzip.compress(b"", mtime=0) * 100_000, None),
        ("identity", b"plain", None),
    ],
    # named, for a gzip header holds the time and two workers must agree on what the cases are called
    ids=[
        "bomb", "bomb in a bomb", "twice", "brotli", "zstd", "cut off", "not compressed", "two members", "zlib",
        "raw deflate", "empty members", "plain",
    ],
)  # fmt: skip
async def test_what_unpacks_without_end_is_left_at_the_limit(
    tmp_path: Path, encoding: str, body: bytes, why: str | None
) -> None:
    with web({"/": Reply(body, headers={"Content-Encoding": encoding})}) as served:
        reader = fetcher(served, tmp_path, megabytes=5)
        start = time.perf_counter()
        if why is None:
            assert len((await reader.fetch(served.url("/"))).body) < 5_000_000
        else:
            with pytest.raises(Unavailable, match=why):
                await reader.fetch(served.url("/"))
        assert time.perf_counter() - start < 3
    assert served.asked[-1].headers["accept-encoding"] == "gzip, deflate"


async def test_a_damaged_stream_is_no_text(tmp_path: Path) -> None:
    body = bytearray(gzip.compress(os.urandom(50_000)))
    body[30_000:30_100] = bytes(100)
    body[40_000:] = bytes(len(body) - 40_000)
    with web({"/": Reply(bytes(body), headers={"Content-Encoding": "gzip"})}) as served, pytest.raises(Unavailable):
        await fetcher(served, tmp_path).fetch(served.url("/"))


async def test_a_server_that_drips_is_left_in_time(tmp_path: Path) -> None:
    def raw() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
        for _ in range(100):
            time.sleep(0.1)
            yield b"x"

    def head() -> Iterator[bytes]:
        for byte in b"HTTP/1.1 200 OK\r\nX-Pad: " + b"a" * 1000:
            time.sleep(0.05)
            yield bytes([byte])

    with web({"/body": Reply(raw=raw), "/head": Reply(raw=head), "/r": redirect("/body")}) as served:
        for path in ("/body", "/head", "/r"):
            start = time.perf_counter()
            with pytest.raises(Unavailable, match=r"longer than 0\.6 s"):
                await fetcher(served, tmp_path, seconds=0.6).fetch(served.url(path))
            assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    "wire",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 300_000 + b"\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"",
        b"HTTP/1.1 999999 What\r\n\r\n",
        b"\x00\x01\x02",
    ],
)
async def test_broken_http_is_unavailable(tmp_path: Path, wire: bytes) -> None:
    with web({"/": Reply(raw=lambda: [wire])}) as served, pytest.raises(Unavailable):
        await fetcher(served, tmp_path, seconds=2, robots=False).fetch(served.url("/"))


async def test_more_than_declared_is_not_read(tmp_path: Path) -> None:
    wire = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort and then some"
    with web({"/": Reply(raw=lambda: [wire])}) as served:
        page = await fetcher(served, tmp_path, robots=False).fetch(served.url("/"))
    assert page.body == b"short"


async def test_hours_of_retry_after_are_reported_and_not_waited_for(tmp_path: Path) -> None:
    later = (datetime.now(UTC) + timedelta(hours=7)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    busy = {"/a": Reply(status=429, headers={"Retry-After": "10800"}), "/b": PAGE}
    with web(busy) as served:
        reader = fetcher(served, tmp_path)
        start = time.perf_counter()
        with pytest.raises(Unavailable, match=r"asks to wait 3 h \(429\)"):
            await reader.fetch(served.url("/a"))
        # The rest of its pages are left alone as well.
        with pytest.raises(Unavailable, match=r"asks to wait 3 h \(429\)"):
            await reader.fetch(served.url("/b"))
        assert time.perf_counter() - start < 2
        assert served.paths() == ["/a"]
        served.pages["/a"] = Reply(status=503, headers={"Retry-After": later})
        with pytest.raises(Unavailable, match=r"asks to wait 7 h \(503\)"):
            await fetcher(served, tmp_path).fetch(served.url("/a"))


async def test_a_host_that_fails_again_and_again_is_left_alone(tmp_path: Path) -> None:
    with web({"/": Reply(raw=lambda: [])}) as served:
        reader = fetcher(served, tmp_path, robots=False)
        for _ in range(3):
            with pytest.raises(Unavailable, match="breaks off"):
                await reader.fetch(served.url("/"))
        with pytest.raises(Unavailable, match="3 times in a row"):
            await reader.fetch(served.url("/"))
    assert len(served.asked) == 3


async def test_robots_txt_is_kept_to_and_read_once(tmp_path: Path) -> None:
    robots = Reply("User-agent: *\nDisallow: /private\n", headers={"Content-Type": "text/plain"})
    with web({"/robots.txt": robots, "/private/x": PAGE, "/open": PAGE, "/way": redirect("/private/x")}) as served:
        reader = fetcher(served, tmp_path)
        await reader.fetch(served.url("/open"))
        for path in ("/private/x", "/way"):
            with pytest.raises(Unavailable, match=r"robots\.txt of 127\.0\.0\.1 keeps this page"):
                await reader.fetch(served.url(path))
        assert "/private/x" not in served.paths()
        assert [a.path for a in served.asked].count("/robots.txt") == 1
        await fetcher(served, tmp_path / "other", robots=False).fetch(served.url("/private/x"))


@pytest.mark.parametrize(("status", "read"), [(404, True), (403, True), (500, False), (503, False), (429, False)])
async def test_a_robots_txt_that_is_missing_allows_and_one_that_fails_forbids(
    tmp_path: Path, status: int, read: bool
) -> None:
    with web({"/robots.txt": Reply("x", status), "/": PAGE}) as served:
        reader = fetcher(served, tmp_path)
        if read:
            assert (await reader.fetch(served.url("/"))).status == 200
        else:
            with pytest.raises(Unavailable, match="cannot be had"):
                await reader.fetch(served.url("/"))


async def test_a_page_is_kept_then_asked_for_with_conditions(tmp_path: Path) -> None:
    version = "one"

    def script(asked: Asked) -> Reply:
        if asked.headers.get("if-none-match") == f'"{version}"':
            return Reply(status=304)
        return html(f"<p>{version}</p>", ETag=f'"{version}"')

    with web({"/": script}) as served:
        first = await fetcher(served, tmp_path).fetch(served.url("/"))
        again = await fetcher(served, tmp_path).fetch(served.url("/"))
        assert (again.body, again.final_url, again.fetched_at) == (first.body, first.final_url, first.fetched_at)
        assert len(served.paths()) == 1
        stale = fetcher(served, tmp_path, fresh_hours=0)
        confirmed = await stale.fetch(served.url("/"))
        assert confirmed.body == first.body
        assert confirmed.fetched_at > first.fetched_at
        version = "two"
        assert (await stale.fetch(served.url("/"))).body == b"<p>two</p>"
        assert (await fetcher(served, tmp_path).fetch(served.url("/"))).body == b"<p>two</p>"


async def test_what_is_damaged_old_or_not_to_be_stored_is_not_taken_from_the_cache(tmp_path: Path) -> None:
    with web({"/": PAGE, "/secret": html("x", **{"Cache-Control": "no-store"}), "/gone": Reply("x", 500)}) as served:
        url = served.url("/")
        await fetcher(served, tmp_path, robots=False).fetch(url)
        (body,) = (tmp_path / "bodies").iterdir()
        body.write_bytes(b"Water boils at 20 degrees.")
        assert b"100 degrees" in (await fetcher(served, tmp_path, robots=False).fetch(url)).body
        (entry,) = (tmp_path / "pages").iterdir()
        outside = json.dumps({**json.loads(entry.read_bytes()), "sha256": "../../x"}).encode()
        for damage in (b"", b"{", b"[]", b'{"url": 3}', outside):
            entry.write_bytes(damage)
            assert b"100 degrees" in (await fetcher(served, tmp_path, robots=False).fetch(url)).body
        assert b"100 degrees" in (await fetcher(served, tmp_path, robots=False, keep_days=0).fetch(url)).body
        before = len(served.paths())
        for path in ("/secret", "/secret", "/gone", "/gone"):
            await fetcher(served, tmp_path, robots=False).fetch(served.url(path))
        assert len(served.paths()) == before + 4


async def test_a_cache_that_cannot_be_written_is_gone_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with web({"/": PAGE}) as served:
        assert (await fetcher(served, tmp_path / "file" / "x").fetch(served.url("/"))).status == 200


async def test_pages_of_one_host_are_asked_for_one_by_one_with_pauses(tmp_path: Path) -> None:
    at: list[float] = []

    def script(asked: Asked) -> Reply:
        at.append(time.monotonic())
        return PAGE

    with web({f"/{i}": script for i in range(4)}) as served:
        reader = fetcher(served, tmp_path, interval=0.15, robots=False)
        await asyncio.gather(*(reader.fetch(served.url(f"/{i}")) for i in range(4)))
    assert all(later - earlier >= 0.14 for earlier, later in pairwise(at))


async def test_through_a_proxy_the_proxy_resolves_and_inner_addresses_are_refused_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with web({"/x": PAGE}) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        entry = ReadingEntry(interval=0, robots=False)
        reader = Fetcher(entry, folder=tmp_path)
        page = await reader.fetch("http://example.org/x")
        assert page.final_url == "http://example.org/x"
        assert proxy.asked[0].headers["proxied"].startswith("http://example.org")
        for url in ("http://169.254.169.254/x", "http://2130706433/x", "http://localhost/x", "http://intranet/x"):
            with pytest.raises(Refused):
                await reader.fetch(url)
    assert len(proxy.asked) == 1


async def test_tls_asks_for_the_name_although_the_address_is_connected_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ssl

    from tests.loopback_web.certificate import certificate

    made = certificate("paper.example.org", tmp_path)
    trusting = ssl.create_default_context(cafile=str(made))
    monkeypatch.setattr("veritas.reading.web.pinned_connection.tls", lambda: trusting)
    with web({"/": PAGE}, certificate=made) as served:
        reader = fetcher(served, tmp_path / "cache", robots=False)
        page = await reader.fetch(served.url("/", "paper.example.org", "https"))
        assert page.status == 200
        assert served.names == ["paper.example.org"]
        assert served.asked[0].host == "paper.example.org"
        # The certificate is for that name alone.
        with pytest.raises(Unavailable, match=r"(?i)certificate|hostname"):
            await reader.fetch(served.url("/", "other.example.org", "https"))


def test_the_list_for_tests_is_read_strictly(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loopback_allowed() == frozenset()
    monkeypatch.setenv("VERITAS_FETCH_ALLOW", "127.0.0.1:80, localhost:9000")
    assert loopback_allowed() == {"127.0.0.1:80", "localhost:9000"}
    monkeypatch.setenv("VERITAS_FETCH_ALLOW", "all")
    with pytest.raises(InputError, match="no host:port"):
        loopback_allowed()
