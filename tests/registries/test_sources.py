"""Registries over real HTTP on loopback: what they hold is found, what they lack is a miss, and a fault is neither."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.citations.registry_server import (
    FAULTS,
    HOURS,
    RegistryServer,
    Reply,
    Work,
    as_json,
    crossref,
    registry_server,
)
from veritas import Unavailable
from veritas.registries.all_registries import Registries
from veritas.registries.answers_cache import AnswersCache
from veritas.registries.scholarly_source import Identifier, ScholarlySource, identifier_in
from veritas.works.records import UpdateKind

ALIE = Work(
    title="A Little Is Enough: Circumventing Defenses For Distributed Learning",
    authors=("Moran Baruch", "Gilad Baruch", "Yoav Goldberg"),
    year=2019,
    doi="10.1234/alie(2019)1:2<3",
    arxiv_id="1902.06156",
    pmid="31234567",
    abstract="A perturbation of 1.5 standard deviations suffices.",
)
DOI = Identifier(kind="doi", value=ALIE.doi or "")
ARXIV = Identifier(kind="arxiv", value="1902.06156")
PMID = Identifier(kind="pmid", value="31234567")
ABSENT = {
    "doi": Identifier(kind="doi", value="10.1234/absent"),
    "arxiv": Identifier(kind="arxiv", value="2101.00001"),
    "pmid": Identifier(kind="pmid", value="1"),
}
SOURCES = ("crossref", "openalex", "semantic_scholar", "arxiv", "datacite", "europepmc", "dblp")


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(ALIE) as running:
        yield running


def source(server: RegistryServer, name: str, **how: Any) -> ScholarlySource:
    found = server.registries(**how).named(name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", SOURCES)
async def test_a_paper_is_found_by_every_identifier_a_source_knows(server: RegistryServer, name: str) -> None:
    asked = source(server, name)
    assert isinstance(asked, ScholarlySource)
    for identifier in (DOI, ARXIV, PMID):
        if identifier.kind not in asked.knows or (name == "datacite" and identifier is DOI):
            continue
        found = await asked.look_up(identifier)
        assert found is not None, identifier
        assert found.record.source == name
        assert found.record.authors[0].family == "Baruch"
        assert found.record.year == 2019


@pytest.mark.parametrize("name", SOURCES)
async def test_a_title_is_found_however_it_is_written(server: RegistryServer, name: str) -> None:
    if name == "datacite":
        return
    found = await source(server, name).search(
        "A little is enough — circumventing “defenses” for distributed-learning, | &"
    )
    assert [each.record.title for each in found][:1] == [ALIE.title]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", SOURCES)
async def test_a_fault_is_never_read_as_an_answer(server: RegistryServer, name: str, fault: str) -> None:
    server.faults[name] = FAULTS[fault]
    policy = server.policy(attempts=1 if fault == "slow" else 2)
    entry = policy.sources[name].model_copy(update={"seconds": 0.1 if fault == "slow" else 1})
    registries = Registries(policy.model_copy(update={"sources": {**policy.sources, name: entry}}))
    asked = registries.named(name)
    assert asked is not None
    for kind in sorted(asked.knows)[:1]:
        with pytest.raises(Unavailable, match=name):
            await asked.look_up({"doi": DOI, "arxiv": ARXIV, "pmid": PMID}[kind])
    with pytest.raises(Unavailable, match=name):
        await asked.search(ALIE.title)
    del server.faults[name]
    if fault == "429 for hours":
        return
    again = source(server, name)
    assert await again.search(ALIE.title) or name == "datacite", "a fault was kept as an answer"


@pytest.mark.parametrize("status", [203, 300, 401, 403, 404, 410])
async def test_a_refusal_is_no_answer_though_its_body_is_a_record(server: RegistryServer, status: int) -> None:
    server.faults["crossref"] = as_json({"message": crossref(ALIE)}, status)
    with pytest.raises(Unavailable, match="crossref"):
        await source(server, "crossref").look_up(DOI)


async def test_a_fault_that_passes_is_tried_again(server: RegistryServer) -> None:
    times = iter([Reply(500, ""), Reply(429, "", {"Retry-After": "0"}), None])
    server.faults["crossref"] = lambda path: next(times)
    found = await source(server, "crossref").look_up(DOI)
    assert found is not None
    assert server.count("crossref") == 3


async def test_a_registry_that_asks_for_hours_is_left_alone(server: RegistryServer) -> None:
    server.faults["openalex"] = HOURS
    registries = server.registries()
    for _ in range(3):
        answers = await registries.look_up(DOI, ("openalex",))
        assert "2 h" in (answers[0].problem or "")
    assert server.count("openalex") == 1


async def test_a_registry_that_cannot_be_reached_is_told_of_once_and_left_alone(server: RegistryServer) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{closed.getsockname()[1]}"
        sources = dict(server.policy().sources)
        sources["crossref"] = sources["crossref"].model_copy(update={"url": gone})
        heard: list[str] = []
        registries = Registries(server.policy(sources=sources), told=heard.append)
        told = []
        for number in range(6):
            answers = await registries.look_up(Identifier(kind="doi", value=f"10.1234/{number}"), ("crossref",))
            told.append(answers[0].problem or "")
        assert all("crossref failed" in each for each in told)
        assert told[1].endswith("3 times in a row"), "and nothing of a pause that ends with the process"
        assert len(set(told[1:])) == 1, "who is refused during one pause is told the same"
        assert [each.partition(":")[0] for each in heard] == ["crossref failed"]


async def test_a_registry_that_is_silent_is_told_of_while_it_is_waited_for(
    server: RegistryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veritas.registries.http_registry.SOON", 0.05)
    heard: asyncio.Queue[str] = asyncio.Queue()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        sources = dict(server.policy().sources)
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        sources["crossref"] = sources["crossref"].model_copy(update={"url": url, "seconds": 30})
        registries = Registries(server.policy(sources=sources), told=heard.put_nowait)
        asked = asyncio.create_task(registries.look_up(DOI, ("crossref",)))
        assert await heard.get() == "crossref has not answered for 0.05 s"
        assert not asked.done()
        asked.cancel()


async def test_answers_are_kept_and_asked_for_once(server: RegistryServer) -> None:
    for _ in range(2):
        asked = source(server, "crossref")
        assert await asked.look_up(DOI)
        assert await asked.look_up(ABSENT["doi"]) is None
    assert server.count("crossref") == 2


async def test_offline_the_cache_answers_and_nothing_else(server: RegistryServer) -> None:
    assert await source(server, "crossref").look_up(DOI)
    before = len(server.asked)
    offline = source(server, "crossref", offline=True)
    assert await offline.look_up(DOI)
    with pytest.raises(Unavailable, match="offline"):
        await offline.look_up(ABSENT["doi"])
    assert len(server.asked) == before


async def test_an_audit_does_not_take_old_answers(server: RegistryServer) -> None:
    assert await source(server, "crossref").look_up(DOI)
    assert await source(server, "crossref", newer_than=time.time() + 1).look_up(DOI)
    assert server.count("crossref") == 2


def test_answers_and_misses_age_differently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = AnswersCache(tmp_path)
    cache.put("answer", "x", nothing=False)
    cache.put("miss", None, nothing=True)
    now = time.time()
    for days, answer, miss in [(0.5, True, True), (2, True, False), (29, True, False), (31, False, False)]:
        monkeypatch.setattr(time, "time", lambda days=days: now + days * 86_400)
        assert (cache.get("answer") is not None, cache.get("miss") is not None) == (answer, miss)
    assert cache.get("answer", offline=True) is not None
    assert cache.get("miss", offline=True) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 1}', '{"version": 1, "text": 5, "nothing": false, "at": 1}', "\x00"]
)
def test_a_damaged_entry_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    cache = AnswersCache(tmp_path)
    cache.put("ab", "x", nothing=False)
    (tmp_path / "ab" / "ab.json").write_text(text)
    assert cache.get("ab") is None


async def test_doi_org_says_whether_a_doi_is_registered(server: RegistryServer) -> None:
    registries = server.registries()
    assert await registries.registered(DOI.value)
    assert not await registries.registered("10.1234/absent")
    server.faults["doi_org"] = FAULTS["5xx"]
    with pytest.raises(Unavailable):
        await registries.registered("10.1234/other")


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_of_doi_org_is_no_word_on_a_doi(server: RegistryServer, fault: str) -> None:
    server.faults["doi_org"] = FAULTS[fault]
    policy = server.policy(attempts=1)
    entry = policy.sources["doi_org"].model_copy(update={"seconds": 0.1 if fault == "slow" else 1})
    registries = Registries(policy.model_copy(update={"sources": {**policy.sources, "doi_org": entry}}))
    with pytest.raises(Unavailable, match="doi_org"):
        await registries.registered(DOI.value)
    server.faults.clear()
    assert await server.registries().registered(DOI.value) or fault == "429 for hours"


async def test_resolving_tells_unregistered_from_undescribed(server: RegistryServer) -> None:
    registries = server.registries()
    record = await registries.resolve(DOI.value)
    assert record is not None
    assert await registries.resolve("10.1234/absent") is None
    server.works.append(Work(title="Elsewhere", doi="10.9999/elsewhere", in_=frozenset({"doi_org"})))
    with pytest.raises(Unavailable, match="registered"):
        await registries.resolve("10.9999/elsewhere")
    server.faults["crossref"] = FAULTS["5xx"]
    with pytest.raises(Unavailable, match="crossref"):
        await registries.resolve("10.1234/another")


async def test_notices_are_found_from_their_own_side(server: RegistryServer) -> None:
    server.works.append(
        Work(
            title="Retraction: A Little Is Enough",
            doi="10.1234/notice",
            updates=({"DOI": DOI.value, "type": "retraction", "source": "publisher"},),
        )
    )
    said = await server.registries().notices(DOI.value)
    assert [(update.kind, update.of_this, update.doi) for update in said] == [
        (UpdateKind.RETRACTION, True, "10.1234/notice")
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("https://doi.org/10.1234/ABC", "doi"),
        ("10.48550/arXiv.1902.06156", "arxiv"),
        ("arXiv:1902.06156v2", "arxiv"),
        ("PMID: 123", "pmid"),
        ("12345", None),
        ("a claim about 10.5 units", None),
    ],
)
def test_identifiers_in_text(text: str, kind: str | None) -> None:
    found = identifier_in(text)
    assert (found.kind if found else None) == kind


# recorded answers of the real services


RECORDINGS = Path(__file__).resolve().parents[4] / "shared" / "api_recordings"


def _recorded(api: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], Any]:
    found = {}
    for path in sorted((RECORDINGS / api).glob("*.json")):
        for each in json.loads(path.read_text(encoding="utf-8"))["interactions"]:
            parts = urlsplit(each["request"]["url"])
            found[parts.path, tuple(sorted(parse_qsl(parts.query)))] = each["response"]
    return found


@pytest.mark.shared
@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recordings beside the checkout")
@pytest.mark.parametrize("api", ["crossref", "openalex", "semantic_scholar", "datacite", "arxiv"])
async def test_recorded_answers_are_read(server: RegistryServer, api: str) -> None:
    recorded = _recorded(api)

    def replay(path: str) -> Reply | None:
        from urllib.parse import unquote

        wanted = unquote(urlsplit(path).path.removeprefix(f"/{api}")).lower()
        query = dict(parse_qsl(urlsplit(path).query))
        for (known, params), response in recorded.items():
            same = unquote(known).lower() == wanted and "/transform" not in known
            if same and (api != "arxiv" or dict(params).get("id_list") == query.get("id_list")):
                text = response.get("text")
                body = json.dumps(response["json"]) if text is None else text
                return Reply(response["status"], body, {"Content-Type": response["headers"].get("content-type", "")})
        return Reply(599, "not recorded")

    server.faults[api] = replay
    asked = source(server, api)
    read = missing = 0
    for (path, params), response in recorded.items():
        if api == "arxiv":
            listed = dict(params).get("id_list", "")
            identifier = identifier_in(f"arXiv:{listed}") if "," not in listed and "v" not in listed else None
        else:
            identifier = identifier_in(path) if path.startswith(("/works/", "/dois/", "/graph/")) else None
        if (
            identifier is None
            or identifier.kind not in asked.knows
            or path.endswith(("/transform", "/agency", "/authors"))
            or "/transform/" in path
        ):
            continue
        if response["status"] == 404 or (api == "arxiv" and "<entry" not in str(response.get("text"))):
            assert await asked.look_up(identifier) is None
            missing += 1
        elif response["status"] == 200 and (response.get("json") or response.get("text")):
            try:
                found = await asked.look_up(identifier)
            except Unavailable:
                continue  # recorded with a `select` that leaves the work's own fields out
            if found is not None and found.record.title:
                read += 1
    assert read >= 2
    assert missing >= (api in ("crossref", "openalex", "semantic_scholar"))
