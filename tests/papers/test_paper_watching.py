"""Watching: what is new is audited once; a bad file stops nothing; outages are retried."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import veritas
from tests.citations.arxiv_site import environment, html_page, pages
from tests.citations.registry_server import RegistryServer, Work, registry_server
from tests.loopback_web.web import web
from tests.papers.pump_papers import PAPER, write_paper
from veritas import InputError
from veritas.errors import Unavailable
from veritas.papers.audit import PaperAudit
from veritas.papers.watch import Kept, Looked, watch_once
from veritas.store._process_lock import ProcessLock

SEALS = PAPER.replace("pumps", "valves").replace("Pumps", "Valves")


def outcomes(looked: Looked) -> dict[str, str]:
    return {Path(p.asked).name: p.outcome for p in looked.papers}


async def test_a_folder_is_audited_once_and_a_bad_file_stops_nothing(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    write_paper(inbox)
    (inbox / "bad.pdf").write_bytes(b"%PDF-1.4 junk")
    (inbox / "empty.txt").write_text("")
    first = await watch_once(folder=inbox, graphs=1)
    assert outcomes(first) == {"bad.pdf": "failed", "empty.txt": "failed", "pumps.txt": "audited"}
    again = await watch_once(folder=inbox, graphs=1)
    assert (again.papers, again.known) == ((), 3)
    (inbox / "pumps.txt").rename(inbox / "renamed.txt")
    write_paper(inbox, SEALS, "valves.txt")
    assert outcomes(await watch_once(folder=inbox, graphs=1)) == {"valves.txt": "audited"}
    assert len([a for a in veritas.list_paper_audits() if a.status == "finished"]) == 2


async def test_no_more_than_asked_for_at_a_time(tmp_path: Path) -> None:
    write_paper(tmp_path / "in")
    write_paper(tmp_path / "in", SEALS, "valves.txt")
    looked = await watch_once(folder=tmp_path / "in", graphs=1, most=1)
    assert (len(looked.papers), looked.left) == (1, 1)


async def test_one_process_watches_at_a_time(tmp_path: Path) -> None:
    write_paper(tmp_path / "in")
    folder = tmp_path / "h" / "papers" / "watched"
    folder.mkdir(parents=True)
    lock = ProcessLock.take(folder / "lock")
    assert lock is not None
    with lock, pytest.raises(Unavailable, match="another process"):
        await watch_once(folder=tmp_path / "in", home=tmp_path / "h", graphs=1)


async def test_an_audit_whose_process_died_is_continued(tmp_path: Path) -> None:
    asked: list[str] = []

    async def failing(paper: str, audit_id: str, settings: dict[str, object]) -> PaperAudit:
        asked.append(audit_id)
        raise InputError("no text")

    path = write_paper(tmp_path / "in")
    key = hashlib.sha256(path.read_bytes()).hexdigest()
    kept = Kept(key=key, asked="a.pdf", audit_id="audit-1", at=datetime.now(UTC))
    folder = tmp_path / "h" / "papers" / "watched"
    folder.mkdir(parents=True)
    (folder / f"{key}.json").write_text(kept.model_dump_json())
    for _ in range(2):
        await watch_once(folder=tmp_path / "in", home=tmp_path / "h", audit=failing, graphs=1)
    assert asked == ["audit-1"]


PUMPS = Work(
    title="A Randomised Trial of Dry Pumps in Clean Rooms", authors=("Ada Author",), year=2021, arxiv_id="2101.00001",
    venue="arXiv", abstract="Dry pumps last longer.",
)  # fmt: skip


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[RegistryServer]:
    with registry_server(PUMPS) as running, web(pages(PUMPS, as_html=html_page(PUMPS, PAPER * 2))) as served:
        for name, value in (running.environment() | environment(served)).items():
            monkeypatch.setenv(name, value)
        # The listing's own query is a category; the server knows works by words of their titles.
        yield running


async def test_a_listing_of_arxiv_is_watched(world: RegistryServer) -> None:
    looked = await watch_once(listing="A Randomised Trial of Dry Pumps in Clean Rooms", graphs=1)
    assert [(p.asked, p.outcome) for p in looked.papers] == [("arXiv:2101.00001", "audited")]
    assert (await watch_once(listing="A Randomised Trial of Dry Pumps in Clean Rooms", graphs=1)).known == 1


async def test_a_paper_that_cannot_be_had_now_is_tried_again(
    world: RegistryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = "A Randomised Trial of Dry Pumps in Clean Rooms"
    with monkeypatch.context() as closed:
        closed.setenv("VERITAS_ARXIV_SITE_URL", "http://127.0.0.1:9/arxiv")
        assert [p.outcome for p in (await watch_once(listing=title, graphs=1)).papers] == ["unavailable"]
    assert [p.outcome for p in (await watch_once(listing=title, graphs=1)).papers] == ["audited"]


@pytest.mark.parametrize("given", [{}, {"folder": Path("x"), "listing": "cat:cs.CL"}, {"folder": Path("nowhere")}])
async def test_one_place_is_watched_and_it_is_there(given: dict[str, object]) -> None:
    with pytest.raises(InputError):
        await watch_once(**given)  # type: ignore[arg-type]
