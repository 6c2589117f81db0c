"""What of a member's passages is put before it again in R2 and R3."""

from __future__ import annotations

import json
from pathlib import Path

from tests.council.test_model_runs import NAMES, THREE, council
from tests.loopback.scripted import answer, heard
from tests.loopback.server import Asked, Reply, loopback
from tests.pumps import QUESTION, ROWS
from veritas import aio
from veritas.claims.sources import Passage

REST = " The rest of this page is about the town, its market and its church." * 12


def passage(text: str) -> Passage:
    return Passage(passage_id=f"p{hash(text)}", document_id="d", start=0, end=len(text), text=text)


FILLING = (
    "Bakers rise early.", "Trains run late.", "Apples ripen in autumn.", "Glass is made of sand.", "Wool shrinks.",
    "Bees dance.", "Salt lowers the freezing point.", "Paper yellows.", "Iron rusts.", "Clay cracks in the sun.",
)  # fmt: skip


async def test_model_is_asked_in_r2_with_what_bears_on_the_claims_and_a_row_says_what_was_left_away(
    tmp_path: Path,
) -> None:
    """The contest is found all the same, and a defence may quote what was put before its asserter."""
    filler = [
        {"id": f"pump-{i}", "title": f"Water and pumps {i}", "text": f"Of the pump. {text}{REST}"}
        for i, text in enumerate(FILLING)
    ]
    corpus = tmp_path / "many.jsonl"
    corpus.write_text("\n".join(json.dumps(row) for row in [*ROWS, *filler]), encoding="utf-8")

    def script(asked: Asked) -> Reply:
        to = heard(asked)
        said = answer(to)
        if to.turn == "assert":
            said["claims"] = [c for c in said["claims"] if "Borealis" in c["claim"]]
        if to.turn == "contest":
            tested = next(((name, text) for name, text in to.under("passage") if "In our test" in text), None)
            said = {
                "objections": [
                    {
                        "claim_id": name,
                        "objection": "The test measured a tenth of it.",
                        "counter_claim": tested[1],
                        "quotes": [{"passage_id": tested[0], "quote": tested[1]}],
                    }
                    for name, text in to.under("claim")
                    if "moves 40 litres" in text and tested is not None
                ]
            }
        return Reply(json.dumps(said))

    with loopback(script) as server:
        graph = await aio.research(
            QUESTION, home=tmp_path / "home", corpus=[str(corpus)], tier="deep", preflight=False,
            council=str(council(tmp_path, server, THREE, **NAMES)),
        )  # fmt: skip
        shown = {turn: [len(heard(a).under("passage")) for a in server.asked if heard(a).turn == turn]
                 for turn in ("assert", "contest", "respond")}  # fmt: skip
    assert [x for x in graph.contestations if x.resolution != "invalid"]
    assert max(shown["contest"]) < max(shown["assert"])
    assert max(shown["respond"]) < max(shown["assert"])
    for turn in ("R2: ", "R3: "):
        assert [e for e in graph.events if e.stage == "debate" and e.kind == "note" and e.reason.startswith(turn)]
