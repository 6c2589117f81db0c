"""An API that is busy, broken or slow, over HTTP on loopback; and what is known of providers without asking them."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.loopback_web.web import Asked, Reply, web
from veritas import InputError, PolicyError, Unavailable
from veritas.policy.search_providers import email, load_providers, user_agent
from veritas.search.configured_providers import live_providers, provider_states
from veritas.search.web.api import Api
from veritas.search.web.parse_hits import day, hit, plain

GOOD = Reply('{"ok": 1}')


async def test_hours_of_retry_after_are_reported_and_the_provider_rests() -> None:
    with web({"/x": Reply(status=429, headers={"Retry-After": "12000"})}) as served:
        api = Api("busy", served.url(""))
        start = time.perf_counter()
        with pytest.raises(Unavailable, match=r"busy .* asks to wait 3 h"):
            await api.json("/x")
        with pytest.raises(Unavailable, match=r"earlier request to wait 3 h$"):
            await Api("busy", served.url("")).json("/x")
        assert time.perf_counter() - start < 1
        assert len(served.asked) == 1


async def test_a_slow_or_endless_answer_is_left() -> None:
    def drip() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
        for _ in range(50):
            time.sleep(0.1)
            yield b" "

    def endless() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
        yield gzip.compress(b" " * 60_000_000)

    def padded() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"{}")
        yield from (bytes(1_000_000) for _ in range(25))

    with web({"/slow": Reply(raw=drip), "/bomb": Reply(raw=endless), "/padded": Reply(raw=padded)}) as served:
        start = time.perf_counter()
        with pytest.raises(Unavailable, match=r"did not answer within 0\.5 s"):
            await Api("slow", served.url(""), seconds=0.5).json("/slow")
        assert time.perf_counter() - start < 2
        with pytest.raises(Unavailable, match="goes on after 20,000,000 bytes"):
            await Api("bomb", served.url("")).json("/bomb")
        with pytest.raises(Unavailable, match="goes on after 20,000,000 bytes"):
            await Api("padded", served.url("")).json("/padded")


async def test_a_redirect_is_not_followed() -> None:
    with web({"/x": Reply(status=301, headers={"Location": "/y"}), "/y": GOOD}) as served:
        with pytest.raises(Unavailable, match="correct its base URL"):
            await Api("moved", served.url("")).json("/x")
        assert [a.path for a in served.asked] == ["/x"]


async def test_requests_keep_their_distance_across_clients_of_one_host() -> None:
    at: list[float] = []

    def script(asked: Asked) -> Reply:
        at.append(time.monotonic())
        return GOOD

    with web({"/x": script}) as served:
        await asyncio.gather(*(Api("a", served.url(""), interval=0.1).json("/x") for _ in range(4)))
    assert all(second - first > 0.09 for first, second in pairwise(at))


def test_keys_and_urls_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_SEARCH_API_KEY", "b")
    monkeypatch.setenv("VERITAS_SEARXNG_URL", "http://127.0.0.1:8888/")
    monkeypatch.setenv("VERITAS_SEMANTIC_SCHOLAR_URL", "http://127.0.0.1:9/s2")
    monkeypatch.setenv("VERITAS_UNPAYWALL_URL", "http://127.0.0.1:9/up")
    monkeypatch.setenv("VERITAS_LANGUAGE", "FR")
    file = load_providers()
    urls = {name: entry.url for name, entry in file.providers.items()}
    assert urls["searxng"] == "http://127.0.0.1:8888"
    assert urls["semantic-scholar"] == "http://127.0.0.1:9/s2"
    assert urls["wikipedia"] == "https://fr.wikipedia.org"
    assert file.reading.unpaywall == "http://127.0.0.1:9/up"
    assert [p.name for p in live_providers(file)][:3] == ["brave", "searxng", "wikipedia"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("VERITAS_SEARXNG_URL", "localhost:8888"), ("VERITAS_LANGUAGE", "english"), ("VERITAS_ARXIV_URL", "ftp://x")],
)
def test_a_setting_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=name):
        load_providers()


def test_a_key_or_contact_with_control_characters_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "abc\ndef")
    with pytest.raises(InputError, match="TAVILY_API_KEY"):
        provider_states()
    monkeypatch.setenv("VERITAS_CONTACT", "a@b\r\nX-Evil: 1")
    with pytest.raises(InputError, match="VERITAS_CONTACT"):
        user_agent()
    monkeypatch.setenv("VERITAS_CONTACT", "https://lab.example.org/contact@us")
    assert email() is None


def test_mistakes_in_the_file_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "providers.yaml"
    for text, why in (
        ("providers:\n  tavily:\n    url: tavily.com\n", r"providers\.yaml:3"),
        ("providers:\n  tavily:\n    limit: 3\n", "no such key"),
        ("language: english\n", "language"),
        ("reading:\n  redirects: 99\n", r":2"),
    ):
        path.write_text(text)
        with pytest.raises(PolicyError, match=why):
            load_providers(path)


@given(st.text(max_size=300))
def test_titles_are_one_line_of_what_prints(text: str) -> None:
    made = plain(text, 100)
    assert made.isprintable()
    assert len(made) <= 100


@given(st.one_of(st.text(max_size=70), st.integers(), st.lists(st.integers(), max_size=4), st.none(), st.floats()))
def test_whatever_is_given_as_a_date_is_a_date_or_none(value: object) -> None:
    assert day(value) is None or isinstance(day(value), date)
    assert hit(value, value, value, value) is None or isinstance(value, str)
