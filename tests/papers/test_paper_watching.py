"""Watching: what is new is audited once, by one of several watchers; a bad file stops nothing; outages are retried."""

from __future__ import annotations

import os
import subprocess
import sys
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
from veritas.papers import watch as audit_locks
from veritas.papers.watch import Claimed, Claims, Looked, watch_once

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


WATCH = """
import asyncio, sys
from pathlib import Path
from veritas.papers.watch import watch_once
print(len(asyncio.run(watch_once(folder=Path(sys.argv[1]), graphs=1)).papers))
"""


def test_two_watchers_share_the_work_and_do_nothing_twice(tmp_path: Path) -> None:
    for number in range(3):
        write_paper(tmp_path / "in", PAPER.replace("120 pumps", f"{120 + number} pumps"), f"p{number}.txt")
    environment = {**os.environ, "VERITAS_HOME": str(tmp_path / "h")}
    watchers = [
        subprocess.Popen([sys.executable, "-c", WATCH, str(tmp_path / "in")], env=environment, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    done = [int(each.communicate(timeout=120)[0]) for each in watchers]
    assert sum(done) == 3
    assert len(veritas.list_paper_audits(home=tmp_path / "h")) == 3


def test_a_claim_of_a_process_that_is_gone_is_taken_over_with_its_audit(tmp_path: Path) -> None:
    claims = Claims(tmp_path)
    held = claims.take("key", "a.pdf", "audit-1")
    assert held is not None
    assert claims.take("key", "a.pdf", "audit-2") is None  # its process is this one, and alive
    child = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    dead = held.model_copy(update={"process": int(child.stdout), "at": datetime.now(UTC)})
    claims.settle(dead, "auditing")
    taken = claims.take("key", "a.pdf", "audit-3")
    assert taken is not None
    assert taken.audit_id == "audit-1"
    claims.settle(taken, "audited", score=0.5)
    assert claims.take("key", "a.pdf", "audit-4") is None


def test_of_two_that_find_the_same_abandoned_claim_one_takes_it_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Claims(tmp_path).take("key", "a.pdf", "audit-1")
    assert held is not None
    Claims(tmp_path).settle(held.model_copy(update={"host": "elsewhere"}), "auditing")
    rivals: list[Claimed | None] = []

    def gone(claim: Claimed) -> bool:
        if not rivals:  # the other comes between what this one read and what it does about it
            rivals.append(None)
            rivals[0] = Claims(tmp_path).take("key", "a.pdf", "audit-2")
        return False

    monkeypatch.setattr(audit_locks, "_is_alive", gone)
    assert Claims(tmp_path).take("key", "a.pdf", "audit-3") is None
    assert rivals[0] is not None
    assert rivals[0].audit_id == "audit-1"
    assert Claims(tmp_path).read("key") == rivals[0]


def test_a_claim_that_was_given_back_or_cannot_be_read_is_free(tmp_path: Path) -> None:
    claims = Claims(tmp_path)
    first = claims.take("key", "a.pdf", "audit-1")
    assert first is not None
    claims.release(first)
    second = claims.take("key", "a.pdf", "audit-2")
    assert second is not None
    assert second.audit_id == "audit-2"
    claims.release(first)  # it is no longer theirs to give back
    assert claims.read("key") == second
    (tmp_path / "key.json").write_text("{", encoding="utf-8")
    third = claims.take("key", "a.pdf", "audit-3")
    assert third is not None
    assert third.audit_id == "audit-3"
    claims.settle(third, "failed", "no text")
    assert claims.take("key", "a.pdf", "audit-4") is None


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
