"""Many identifiers in one request: the same verdicts with a fraction of the requests, whatever the batch answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.citations.registry_server import FAULTS, RegistryServer, Reply, Work, registry_server
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_verdict import Judged
from veritas.citations.bibliography.judging import verify
from veritas.registries.all_registries import Registries

NUMBER = 30
WORKS = [
    Work(
        title=f"Effects of compound {number:02d} on the growth of barley seedlings under drought",
        authors=("Ann Author", "Ben Builder"),
        year=2010 + number % 10,
        doi=None if number % 3 == 2 else f"10.1234/barley.{number}",
        arxiv_id=f"2101.{number:05d}" if number % 3 == 2 else None,
        pmid=f"3000{number}" if number % 4 == 0 else None,
        venue="Journal of Tests",
        in_=frozenset({"crossref", "openalex", "semantic_scholar", "arxiv", "datacite", "europepmc", "doi_org"}),
    )
    for number in range(NUMBER)
]
NOTICE = Work(
    title="Retraction: Effects of compound 01",
    doi="10.1234/notice",
    updates=({"DOI": "10.1234/barley.1", "type": "retraction", "source": "publisher"},),
)
BATCHES: dict[str, Callable[[str], bool]] = {
    "crossref": lambda path: "filter=doi" in path or "updates%3A10.1234%2Fbarley.0%2C" in path,
    "openalex": lambda path: "filter=doi" in path,
    "semantic_scholar": lambda path: "/batch" in path,
    "arxiv": lambda path: "id_list=" in path and "%2C" in path,
    "europepmc": lambda path: "+OR+" in path or "%20OR%20" in path,
}


def entry(work: Work, **changes: str) -> Entry:
    fields = {"title": work.title, "author": " and ".join(work.authors), "year": str(work.year), "journal": work.venue}
    if work.doi:
        fields["doi"] = work.doi
    if work.arxiv_id:
        fields |= {"eprint": work.arxiv_id, "archiveprefix": "arXiv"}
    return Entry(file="x.bib", key=work.title[20:24], line=1, type="article", fields=fields | changes)


ENTRIES = [
    *(entry(work) for work in WORKS),
    entry(WORKS[0], doi="10.1234/nowhere"),
    entry(WORKS[3], year="1999"),
    entry(WORKS[4], title="Something else entirely about the sea", doi="10.1234/nobody,comma|pipe"),
]


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(*WORKS, NOTICE) as running:
        yield running


def said(judged: list[Judged]) -> list[tuple[str, str, str]]:
    return [(each.verdict.value, each.reason, each.evidence.status.standing) for each in judged]


async def one_by_one(
    server: RegistryServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Any, entries: list[Entry] = ENTRIES
) -> list[Judged]:
    """The verdicts as they are without looking ahead, from a cache of their own."""

    async def nothing(self: Registries, identifiers: Any) -> None:
        return None

    with monkeypatch.context() as patch:
        patch.setenv("VERITAS_HOME", str(tmp_path / "another-home"))
        patch.setattr(Registries, "look_ahead", nothing)
        return await verify(entries, server.registries())


async def test_the_verdicts_are_those_of_single_requests_and_the_requests_a_fraction(
    server: RegistryServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    singly = await one_by_one(server, monkeypatch, tmp_path)
    requests = len(server.asked)
    server.asked.clear()
    together = await verify(ENTRIES, server.registries())
    assert said(together) == said(singly)
    assert [each.verdict.value for each in together[:2]] == ["verified", "retracted"]
    assert len(server.asked) < requests / 3
    assert server.count("crossref") < 15


REPLIES = {name: FAULTS[name] for name in ("5xx", "truncated", "a proxy's 404")} | {
    "wrong form": Reply(200, '{"status": "fine"}'),
}


@pytest.mark.parametrize("fault", REPLIES)
async def test_a_batch_that_fails_leaves_everything_to_single_requests(
    server: RegistryServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Any, fault: str
) -> None:
    entries = [*ENTRIES[:6], *ENTRIES[-3:]]
    singly = await one_by_one(server, monkeypatch, tmp_path, entries)
    reply = REPLIES[fault]
    for name, is_batch in BATCHES.items():
        server.faults[name] = lambda path, is_batch=is_batch: reply if is_batch(path) else None
    assert said(await verify(entries, server.registries())) == said(singly)
    assert [name for name, path in server.asked if BATCHES.get(name, lambda _: False)(path)]


async def test_metered_searches_that_are_refused_for_hours_leave_free_look_ups_open(server: RegistryServer) -> None:
    batch = BATCHES["openalex"]
    server.faults["openalex"] = lambda path: FAULTS["429 for hours"] if batch(path) or "search" in path else None
    registries = server.registries()
    judged = await verify(ENTRIES[:6], registries)
    assert {each.verdict.value for each in judged} <= {"verified", "retracted"}
    assert not [problem for each in judged for problem in each.evidence.problems]


async def test_a_paper_in_the_wrong_place_of_a_batch_is_held_against_the_entry(server: RegistryServer) -> None:
    """A service that answers in another order, or with other papers, verifies nothing."""
    from tests.citations.registry_server import as_json, semantic_scholar

    def turned(path: str) -> Reply | None:
        ours = [semantic_scholar(work) for work in WORKS[:4]]
        return as_json(list(reversed(ours))) if "/batch" in path else None

    server.faults["semantic_scholar"] = turned
    judged = await verify(ENTRIES[:4], server.registries())
    assert [each.verdict.value for each in judged] == ["verified", "retracted", "verified", "verified"]
    found = [c for each in judged for c in each.evidence.candidates if c.source == "semantic_scholar"]
    assert [c for c in found if not c.conflicts] == []
