"""An audit that somebody asks to stop: no further call is made, nothing that is free is waited for, it can go on."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.citations.registry_server import Reply as Answered
from tests.citations.registry_server import registry_server
from tests.loopback.server import Asked, Loopback, Reply, loopback
from tests.papers.pump_papers import PAPER, SUPPORTING, write_documents, write_paper
from tests.papers.test_paper_models import SOUND, assessment, graph, script, turn
from tests.papers.test_paper_models import council as two_models
from veritas import aio
from veritas.errors import Cancelled
from veritas.papers import audit_runs
from veritas.papers.audit import PaperAudit
from veritas.settings import policy_file
from veritas.store.journal import ask_to_cancel
from veritas.store.paths import run_ids


def one_call_at_a_time(folder: Path, server: Loopback) -> Path:
    """A council whose server is asked one thing at a time, so that what is under way can be counted."""
    path = two_models(folder, server)
    limits = f"providers:\n  {server.url}: {{at_once: 1}}\n"
    path.write_text(path.read_text(encoding="utf-8") + limits, encoding="utf-8")
    return path


def cancel_every_audit() -> None:
    place = audit_runs.papers_home()
    for audit_id in run_ids(place):
        ask_to_cancel(place, audit_id)


def stopped_at(first: str) -> Any:
    """A script that asks for the stop as soon as somebody takes that turn, and answers all the same."""

    def reply(asked: Asked) -> Reply:
        if turn(asked) == first:
            cancel_every_audit()
        return script(lambda a: graph(SOUND))(asked)

    return reply


@pytest.mark.parametrize(("first", "made"), [
    ("argument", {"argument": 1}), ("assess", {"argument": 2, "assess": 1}),
])  # fmt: skip
async def test_no_call_is_made_after_the_one_that_was_under_way_and_the_audit_goes_on_later(
    first: str, made: dict[str, int], tmp_path: Path
) -> None:
    paper, corpus = write_paper(tmp_path, PAPER), write_documents(tmp_path, SUPPORTING)
    with loopback(stopped_at(first), ("model-red", "model-green")) as server:
        made_of = {"graphs": 2, "samples": 2, "council": one_call_at_a_time(tmp_path, server), "corpus": [corpus]}
        with pytest.raises(Cancelled, match="veritas paper --resume"):
            await aio.audit_paper(str(paper), **made_of)
        assert Counter(turn(asked) for asked in server.asked) == made
        before = [json.dumps(asked.body, sort_keys=True) for asked in server.asked]
        server.script = script(lambda a: graph(SOUND), assessment)
        (audit_id,) = run_ids(audit_runs.papers_home())
        audit = await audit_runs.resume(audit_id)
        after = [json.dumps(asked.body, sort_keys=True) for asked in server.asked[len(before) :]]
    assert audit.scoring() is not None
    assert all(node.grounding is not None for node in audit.nodes)
    assert not set(before) & set(after), "what was under way was paid for, and is taken from the ledger"


def patient_policies(folder: Path) -> Path:
    """A folder of policies in which a registry may take five minutes to answer."""
    whole = policy_file("citations.yaml").read_text(encoding="utf-8")
    made = folder / "policies" / "citations.yaml"
    made.parent.mkdir()
    others = re.sub(r"\n    seconds: .*", "", whole)
    made.write_text(re.sub(r"(\n    url: .*)", r"\1\n    seconds: 300", others), encoding="utf-8")
    return made.parent


async def test_registries_that_are_silent_are_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, released = threading.Event(), threading.Event()

    def silent(path: str) -> Answered:
        asked.set()
        released.wait(300)
        return Answered(503, "down")

    monkeypatch.setattr("veritas.search.configured_providers.live_providers", lambda file=None: ())
    monkeypatch.setenv("VERITAS_POLICIES", str(patient_policies(tmp_path)))
    with registry_server() as registries:
        registries.faults = dict.fromkeys(("crossref", "openalex", "semantic_scholar", "datacite", "doi_org"), silent)
        for name, value in registries.environment().items():
            monkeypatch.setenv(name, value)
        auditing: asyncio.Task[PaperAudit] = asyncio.create_task(
            aio.audit_paper(str(write_paper(tmp_path)), graphs=1, web=True)
        )
        try:
            assert await asyncio.to_thread(asked.wait, 120)
            cancel_every_audit()
            with pytest.raises(Cancelled, match="veritas paper --resume"):
                await asyncio.wait_for(auditing, 200)  # a registry is waited for longer than that
        finally:
            released.set()
            auditing.cancel()
