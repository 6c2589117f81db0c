"""What each provider asks and what it makes of an answer, over real HTTP on loopback."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from tests.loopback_web.provider_answers import ANSWERS, as_json, feed
from tests.loopback_web.web import Asked, Reply, Web, web
from veritas import plugins
from veritas.errors import Unavailable
from veritas.policy.search_providers import ProviderEntry, ProviderFile
from veritas.search.configured_providers import make_provider
from veritas.search.provider import SearchHit, SearchProvider

QUESTION = "What is the effect of aspirin on the risk of stroke?"
SINCE = date(2022, 3, 1)


def provider(name: str, served: Web, **entry: Any) -> SearchProvider:
    made = ProviderEntry.model_validate({"url": served.url(""), "key": ["SOME_API_KEY"], "interval": 0, **entry})
    return make_provider(name, ProviderFile(language="de", providers={name: made}))


def body(asked: Asked) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(asked.body)
    return said


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "k-secret-1")


def test_every_provider_has_its_test() -> None:
    seam = "search_provider"
    assert set(ANSWERS) == {name for name in plugins.installed(seam) if plugins.is_built_in(seam, name)}


@pytest.mark.parametrize("name", ANSWERS)
async def test_an_answer_becomes_ranked_hits(name: str) -> None:
    path, answer, urls = ANSWERS[name]
    with web({path: answer}) as served:
        hits = await provider(name, served).search(QUESTION, limit=10)
        assert [hit.url for hit in hits] == [url.format(url=served.url("")) for url in urls]
        assert hits[0].published_at == date(2024, 5, 6)
        assert all(isinstance(hit, SearchHit) and "<" not in hit.title + hit.snippet for hit in hits)
        assert len(await provider(name, served).search(QUESTION, limit=2)) == 2
        assert "VERITAS/" in served.asked[0].headers["user-agent"]


@pytest.mark.parametrize("name", ANSWERS)
async def test_with_a_time_window_nothing_older_comes_through(name: str) -> None:
    path, answer, urls = ANSWERS[name]
    with web({path: answer}) as served:
        hits = await provider(name, served).search(QUESTION, limit=10, since=SINCE)
    assert hits[0].published_at == date(2024, 5, 6)
    assert not [hit for hit in hits if hit.published_at and hit.published_at < SINCE]
    assert urls[1].format(url=served.url("")) not in [hit.url for hit in hits]
    # SearXNG's window is coarse and not kept to by all engines, so there an undated page is not known to be recent.
    assert len(hits) == (1 if name == "searxng" else 2)


NOTHING: dict[str, Reply] = {
    "tavily": as_json({"results": []}),
    "exa": as_json({"results": []}),
    "brave": as_json({"type": "search", "query": {"original": "x"}}),
    "perplexity": as_json({"results": []}),
    "searxng": as_json({"results": [], "unresponsive_engines": []}),
    "wikipedia": as_json({"batchcomplete": True, "query": {"search": []}}),
    "openalex": as_json({"meta": {"count": 0}, "results": []}),
    "semantic-scholar": as_json({"total": 0, "offset": 0}),
    "crossref": as_json({"status": "ok", "message": {"items": []}}),
    "arxiv": feed(),
    "europepmc": as_json({"hitCount": 0, "resultList": {"result": []}}),
}


@pytest.mark.parametrize("name", NOTHING)
async def test_nothing_found_is_an_answer(name: str) -> None:
    with web({ANSWERS[name][0]: NOTHING[name]}) as served:
        assert list(await provider(name, served).search(QUESTION, limit=5)) == []


async def test_engines_that_did_not_answer_are_not_nothing_found() -> None:
    silent = as_json({"results": [], "unresponsive_engines": [["google", "timeout"], ["bing", "CAPTCHA"]]})
    with web({"/search": silent}) as served, pytest.raises(Unavailable, match=r"none of the engines.*google, bing"):
        await provider("searxng", served).search(QUESTION, limit=5)


HOSTILE: dict[str, Reply] = {
    "HTML with a 200": Reply("<!DOCTYPE html><html><body>Sign in</body></html>", headers={"Content-Type": "text/html"}),
    "broken JSON": Reply('{"results": [', headers={"Content-Type": "application/json"}),
    "JSON of another shape": as_json({"error": "quota"}),
    "a list": as_json([1, 2]),
    "a number": as_json(7),
    "null": as_json(None),
    "nested without end": Reply("[" * 200_000),
    "no UTF-8": Reply(b"\xff\xfe\x00\x01"),
    "empty": Reply(""),
    "500": as_json({"message": "boom"}, 500),
    "502 in HTML": Reply("<html>Bad gateway</html>", 502),
    "400": as_json({"error": {"message": "bad query"}}, 400),
    "401": as_json({"detail": {"error": "invalid key"}}, 401),
    "403": Reply("no", 403),
    "404": Reply("no", 404),
    "a redirect": Reply(status=302, headers={"Location": "http://169.254.169.254/"}),
    "204": Reply(status=204, headers={"Content-Length": "0"}),
    "hung up": Reply(raw=lambda: []),
    "cut off": Reply(raw=lambda: [b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"]),
    "entities": Reply('<!DOCTYPE x [<!ENTITY a "ha">]><feed xmlns="http://www.w3.org/2005/Atom">&a;</feed>'),
}


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("name", ["tavily", "openalex", "arxiv"])
async def test_what_is_no_answer_is_unavailable_and_never_nothing(name: str, what: str) -> None:
    with web({ANSWERS[name][0]: HOSTILE[what]}) as served, pytest.raises(Unavailable) as caught:
        await provider(name, served).search(QUESTION, limit=5)
    assert name in str(caught.value)
    assert "k-secret-1" not in str(caught.value)


@pytest.mark.parametrize("name", ANSWERS)
async def test_items_of_wrong_types_are_passed_over(name: str) -> None:
    path, answer, _ = ANSWERS[name]
    if name == "arxiv":
        rubbish = Reply('<feed xmlns="http://www.w3.org/2005/Atom"><entry/><entry><id>x</id></entry></feed>')
    else:

        def spoil(value: Any) -> Any:
            if isinstance(value, list):
                return [None, 3, "x", [], {}, {"url": 5, "title": [], "DOI": 7, "doi": {}, "externalIds": 3}] + [
                    dict.fromkeys(item, wrong)
                    for item in value
                    if isinstance(item, dict)
                    for wrong in (None, 1, "javascript:x", [], {})
                ]
            return {key: spoil(inner) for key, inner in value.items()} if isinstance(value, dict) else value

        rubbish = as_json(spoil(json.loads(answer.body)))
    with web({path: rubbish}) as served:
        hits = await provider(name, served).search(QUESTION, limit=50)
    assert all(hit.url.startswith("http") for hit in hits)


@pytest.mark.parametrize("name", ANSWERS)
async def test_urls_that_are_none_are_dropped_and_twins_are_one(name: str) -> None:
    path, answer, _ = ANSWERS[name]
    if name in ("tavily", "exa", "perplexity", "searxng"):
        bad = [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "",
            None,
            7,
            "http://",
            "https://x.example.org/a b",
            "http://" + "x" * 5000,
        ]
        answer = as_json(
            {
                "results": [
                    {"url": url, "title": "t"} for url in [*bad, "https://x.example.org/", "https://x.example.org/"]
                ]
            }
        )
    with web({path: answer}) as served:
        hits = await provider(name, served).search(QUESTION, limit=50)
    assert len({hit.url for hit in hits}) == len(hits)
    if name in ("tavily", "exa", "perplexity", "searxng"):
        assert [hit.url for hit in hits] == ["https://x.example.org/"]


HARD = [
    "",
    "???",
    "a" * 9000,
    "AND OR NOT",
    'all:"x" (a OR b) [1 TO *] ~3 \\ {!x}',
    "日本 の 首都",
    "\x00\n\t",
    "is it so",
    "stroke-risk -site:x",
]


@pytest.mark.parametrize("name", ANSWERS)
async def test_any_question_can_be_asked(name: str) -> None:
    path, answer, _ = ANSWERS[name]
    with web({path: answer}) as served:
        for question in HARD:
            await provider(name, served).search(question, limit=3)
        assert all(len(a.target) < 4000 for a in served.asked)
