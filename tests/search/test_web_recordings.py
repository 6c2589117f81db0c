"""Genuine answers of the scholarly APIs, served on loopback and read by the providers. They lie beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.loopback_web.web import Reply, web
from veritas import Unavailable
from veritas.policy.search_providers import ProviderEntry, ProviderFile, ReadingEntry
from veritas.reading.web.web_reader import find_open_copies
from veritas.search.configured_providers import make_provider

RECORDINGS = Path(__file__).resolve().parents[2].parent / "shared" / "api_recordings"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recordings beside the checkout"),
]

PATHS = {
    "openalex": "/works",
    "semantic-scholar": "/graph/v1/paper/search",
    "crossref": "/works",
    "arxiv": "/api/query",
    "europepmc": "/search",
}
FILES = {
    "openalex": ("openalex", "*title_search*"),
    "semantic-scholar": ("semantic_scholar", "s2py_search_paper*"),
    "crossref": ("crossref", "*works_query.json"),
    "arxiv": ("arxiv", "arxivpy_*"),
    "europepmc": ("europepmc", "*search*"),
}


def interactions(folder: str, pattern: str) -> list[dict[str, Any]]:
    found = sorted((RECORDINGS / folder).glob(pattern))
    return [each for file in found for each in json.loads(file.read_text(encoding="utf-8"))["interactions"]]


def reply(response: dict[str, Any]) -> Reply:
    body = json.dumps(response["json"]) if response.get("json") is not None else response.get("text") or ""
    return Reply(body, int(response["status"]))


@pytest.mark.parametrize("name", FILES)
async def test_genuine_answers_become_hits(name: str) -> None:
    found = 0
    with web({}) as served:
        entry = ProviderEntry(url=served.url(""))
        provider = make_provider(name, ProviderFile(providers={name: entry}))
        for each in interactions(*FILES[name]):
            served.pages[PATHS[name]] = reply(each["response"])
            try:
                hits = await provider.search("testing", limit=50)
            except Unavailable:
                assert each["response"]["status"] != 200
                continue
            found += len(hits)
            assert all(hit.title or name == "semantic-scholar" for hit in hits)
            assert all(hit.url.startswith("http") for hit in hits)
    assert found > 0


async def test_genuine_answers_of_unpaywall_and_openalex_name_open_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERITAS_CONTACT", "desk@example.org")
    with web({}) as served:
        file = ProviderFile(reading=ReadingEntry(unpaywall=served.url("/up"), openalex=served.url("/oa")))
        copies = 0
        for each in interactions("unpaywall", "*doi_search*"):
            answer = each["response"]["json"]
            served.pages = {f"/up/v2/{answer['doi']}": reply(each["response"])}
            known = await find_open_copies(answer["doi"], file)
            assert known.work.title
            assert not known.problems
            assert bool(known.urls) <= bool(answer["is_oa"])
            copies += len(known.urls)
        assert copies
        for each in interactions("openalex", "*doi_search*"):
            answer = each["response"]["json"]
            doi = str(answer["doi"]).removeprefix("https://doi.org/")
            served.pages = {f"/oa/works/doi:{doi}": reply(each["response"])}
            assert (await find_open_copies(doi, file)).work.title
