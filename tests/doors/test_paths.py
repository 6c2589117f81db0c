"""No door that a token opens tells where the documents and the store lie on the machine."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client

from tests.doors.world import World

RUN = ("answer", "graph", "why?about=[1]", *(f"export?format={form}" for form in ("json", "markdown", "html")))
AUDIT = ("", *(f"/export?format={form}" for form in ("json", "html", "graphml", "nodes")))
OTHERS = ("/runs", "/living", "/living/entries", "/approvals?every=true", "/corpora", "/papers",
          "/corpora/paths", "/corpora/paths/search?q=oil", "/reviews", "/uploads")  # fmt: skip


@pytest.fixture
def asked(world: World) -> dict[str, str]:
    """Work of each kind, begun over HTTP; the ids by kind."""
    corpus, document = ["library/pumps.jsonl"], "library/pumps.txt"
    upload = world.http("POST", "/uploads?name=oil.md", content=b"# Oil\n\nThe pump needs no oil.\n")["corpus"]
    begun = {
        "bibliographies": {"document": "library/nobody.bib", "offline": True},
        "citations": {"claim": "The pump needs no oil.", "hint": "Pumps", "offline": True, "corpus": corpus},
        "corpora/paths/papers": {"documents": [*corpus, document, upload]},
        "reviews": {"topic": "oil in pumps", "corpus": "paths"},
        "papers": {"document": document, "graphs": 1, "corpus": corpus},
    }
    ids = {path: world.http("POST", f"/{path}", json=given)["id"] for path, given in begun.items()}
    question = {"question": "Does the pump need oil?", "tier": "quick"}
    world.http("POST", "/living", json={**question, "corpus": corpus, "name": "paths"})
    ids["living"] = world.http("POST", "/living/paths/run")["id"]
    ids["runs"] = world.http("POST", "/runs", json={**question, "corpus": ["library", upload]})["run_id"]
    return ids


def read(world: World, asked: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Everything that a token may read, with where it stands."""
    paths = [*OTHERS, f"/runs/{asked['runs']}/diff/{world.run}", f"/reviews/{asked['reviews']}"]
    paths += [f"/runs/{run}/{what}" for run in (world.run, asked["runs"]) for what in RUN]
    paths += [f"/papers/{audit}{what}" for audit in (world.audit, asked["papers"]) for what in AUDIT]
    for name in asked.values():
        paths += [f"/runs/{name}/events", *([] if name == asked["runs"] else [f"/work/{name}", f"/work/{name}/result"])]
    paths += [f"/work/{asked['bibliographies']}/files/{name}" for name in ("corrected.bib", "report.html")]
    for path in paths:
        yield path, json.dumps(world.http("GET", path))
    run, paper, review = asked["runs"], asked["papers"], asked["reviews"]
    for path in (
        "/", "/library", "/papers", "/reviews", "/living", "/approvals", f"/runs/{run}", f"/runs/{world.run}/replay",
        f"/runs/{run}/compare/{world.run}", f"/papers/{paper}", f"/papers/{paper}/report", f"/reviews/{review}",
        f"/reviews/{review}/report", "/reviews/corpora/paths", f"/work/{asked['bibliographies']}",
        f"/work/{asked['citations']}",
    ):  # fmt: skip
        yield path, world.source(path)
    yield "get_run", json.dumps(world.mcp("get_run", run=run))
    yield "why", json.dumps(world.mcp("why", run=run, about="[1]"))
    for form in ("graph", "answer"):
        yield form, asyncio.run(_resource(world, f"veritas://runs/{run}/{form}"))


async def _resource(world: World, uri: str) -> str:
    async with Client(world.tools, raise_exceptions=True) as client:
        found: Any = await client.read_resource(uri)
        return str(found.contents[0].text)


def test_no_door_tells_a_path_of_the_machine(world: World, asked: dict[str, str]) -> None:
    own = (str(world.home), str(world.library), str(world.home.parent), sys.prefix)
    told = [(where, place) for where, text in read(world, asked) for place in own if place in text]
    assert told == []


def test_words_of_a_document_stay_as_they_are_though_they_name_a_path(world: World) -> None:
    sentence = f"The manual of the pump lies below {world.library}/manuals/pump on the pump's own computer."
    (world.library / "place.md").write_text(f"# The manual\n\n{sentence}\n", encoding="utf-8")
    asked = {"question": "Where does the manual of the pump lie?", "corpus": ["library/place.md"], "tier": "quick"}
    graph = world.http("GET", f"/runs/{world.http('POST', '/runs', json=asked)['run_id']}/graph")
    assert any(sentence in passage["text"] for passage in graph["passages"])
    assert graph["run"]["settings"]["corpus"] == ["library/place.md"]
