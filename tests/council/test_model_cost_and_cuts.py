"""What a run with models says of itself while it runs and after: its cost so far, and every text that was cut."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.council.test_model_runs import NAMES, THREE, council
from tests.loopback.scripted import answer, heard
from tests.loopback.server import Asked, Loopback, Reply, loopback
from tests.pumps import QUESTION
from veritas import ClaimGraph, aio
from veritas.claims.graph import Call
from veritas.report.meter import Meter


def call(usd: float | None = 0.01, **more: object) -> Call:
    return Call.model_validate(
        {
            "call_id": "k", "request_hash": "r", "stage": "extract", "who": "red", "model": "m", "turn": "assert",
            "input_tokens": 1000, "output_tokens": 200, "cost_usd": usd, **more,
        }
    )  # fmt: skip


def test_meter_adds_up_money_tokens_and_calls_and_says_which_prices_are_unknown() -> None:
    meter = Meter()
    assert meter.said == ""
    meter.add([call(), call(0.03)])
    assert meter.said == "$0.0400, 2,400 tokens, 2 calls"
    meter.add([call(None), call(from_ledger=True)])
    assert meter.said == "at least $0.0400, price of 1 call of m unknown, 3,600 tokens, 3 calls, 1 from the ledger"
    unknown = Meter()
    unknown.add([call(None), call(None)])
    assert unknown.said == "price of 2 calls of m unknown, 2,400 tokens, 2 calls"


def edited(folder: Path, server: Loopback, more: str) -> str:
    file = council(folder, server, THREE, **NAMES)
    said = file.read_text(encoding="utf-8")
    file.write_text(said.replace("    structured:", f"    {more}\n    structured:"), encoding="utf-8")
    return str(file)


def long_corpus(folder: Path) -> Path:
    made = folder / "long"
    made.mkdir()
    for i in range(8):
        filler = " ".join(
            f"The Borealis pump number {i}{n} was looked at by the inspectors of the northern works." for n in range(9)
        )
        text = f"The Borealis pump moves {40 + i} litres of water per minute at full speed. {filler}"
        (made / f"pump{i}.md").write_text(f"# Pump {i}\n\n{text}\n", encoding="utf-8")
    return made


async def with_window(tmp_path: Path, server: Loopback, window: int) -> ClaimGraph:
    return await aio.research(
        QUESTION,
        home=tmp_path / "home",
        corpus=[str(long_corpus(tmp_path))],
        council=edited(tmp_path, server, f"window: {window}"),
        tier="standard",
    )


async def test_every_text_cut_in_a_members_turn_has_a_row_in_the_graph(tmp_path: Path) -> None:
    def script(asked: Asked) -> Reply:
        return Reply(json.dumps(answer(heard(asked))))

    with loopback(script, tuple(NAMES.values())) as server:
        graph = await with_window(tmp_path, server, 4700)
        shown = {(m, len(t)) for a in server.asked for m, t in heard(a).blocks}
    cuts = [e for e in graph.events if e.kind == "text-cut"]
    assert {e.reason.split(",")[0] for e in cuts} >= {"assert", "contest"}
    passages = {e.subject_id for e in cuts if e.stage == "extract"}
    assert all(p.startswith("p-") for p in passages)
    for event in cuts:
        assert event.member in THREE
        assert re.search(r"characters [\d,]+ to [\d,]+ of [\d,]+|left out, there was no room", event.reason)
    assert any("characters" in name for name, _ in shown)
    # The rows are those of the calls, each once.
    told = {(c.stage, c.who, cut) for c in graph.calls for cut in c.cuts if c.error is None}
    assert len(told) == len(cuts)
