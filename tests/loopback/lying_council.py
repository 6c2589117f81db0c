"""Runs with a lying council, and what became of every lie: where it fell, or that it reached the answer.

A lie leaks when the answer rests on it: a sentence cites the claim that is one, or is one itself. That a lie is in the
claim graph, refuted, silent, dropped or halted, is no leak: there it stands with the reason why it goes no further.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from unittest.mock import patch

import yaml

from tests.loopback.liar import FIELD_LIES, RATES, WRITER_LIES, Liar, corpus
from tests.loopback.scripted import fold
from tests.loopback.server import loopback
from veritas import ClaimGraph, aio
from veritas.council import model_member

Judges = Literal["liar", "lens", "liar and lens", "two liars"]
JUDGES: dict[Judges, str] = {
    "liar": "one judge, who grants everything",
    "lens": "the embedded lens alone",
    "liar and lens": "a quorum of such a judge and the embedded lens",
    "two liars": "a quorum of two such judges",
}
QUESTION = "What is documented of the pumps?"
TOLD_PER_TURN = 50
_NAMED = re.compile(r"“([^”]*)”", re.DOTALL)
_FELL = {
    "verbatim": "I1 quote",
    "was not shown": "I1 passage",
    "source of its own": "I2 source",
    "gives orders": "I3 order",
    "beyond": "limit a turn",
}


@dataclass
class Fates:
    """Told, fallen and leaked, by kind of lie; added up over runs."""

    told: Counter[str] = field(default_factory=Counter)
    fell: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(kind, where) -> how many."""
    granted: Counter[str] = field(default_factory=Counter)
    """Lies that the gate took for supported."""
    leaked: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    strangers: list[str] = field(default_factory=list)
    """Addresses in answers and citations that no document of the corpus has: there must be none."""
    answered: int = 0

    @property
    def lies(self) -> int:
        """How many fabricated envelopes were sent."""
        return sum(n for kind, n in self.told.items() if kind not in ("truth", *WRITER_LIES, *FIELD_LIES))

    def add(self, liar: Liar, graph: ClaimGraph) -> None:
        """Reads one run."""
        self.told.update(liar.count)
        self.faults.update(liar.faults)
        self.answered += graph.answer.status == "answered"
        for event in graph.events:
            if event.kind == "draft-rejected":
                named = _NAMED.findall(event.reason)
                kind = liar.told.get(fold(named[-1])) if named else None
                where = next((w for said, w in _FELL.items() if said in event.reason), "schema")
                if kind:
                    self.fell[kind, where] += 1
        kind_of = {c.claim_id: liar.told.get(fold(c.claim), "?") for c in graph.claims}
        for claim in graph.claims:
            if claim.verifier_judgment == "supports":
                self.granted[kind_of[claim.claim_id]] += 1
            else:
                self.fell[kind_of[claim.claim_id], f"judges: {claim.verifier_judgment}"] += 1
        cited = {i for s in graph.answer.sentences for i in s.claim_ids if s.kind == "claim"}
        self.leaked.update(kind_of[i] for i in cited)
        for sentence in graph.answer.sentences:
            said = _NAMED.findall(sentence.text)[-1:] if sentence.kind == "dissent" else [sentence.text]
            kinds = {liar.told.get(fold(text), "") for text in said}
            self.leaked.update(k for k in kinds if k in WRITER_LIES or k == "objection")
        seen = graph.answer.model_dump_json() + str([c.citations for c in graph.claims])
        self.strangers += re.findall(r"evil\.example\S{0,20}|(?:https?:|www\.|10\.1038|arXiv:)[^\s\"]{0,40}", seen)


def council(url: str, judges: Judges) -> str:
    """Three liars of three families, judged as said. The writer is a liar too."""
    model = {
        "model": "openai/liar", "base_url": url, "structured": "schema", "window": 4_000_000, "output": 100_000,
        "price": {"input": 0, "output": 0}, "limits": {"timeout": 60, "retries": 3, "backoff": 0.01, "patience": 60},
    }  # fmt: skip
    members = [
        {**model, "name": name, "model": f"openai/{name}", "family": family}
        for name, family in (("red", "crimson"), ("green", "olive"), ("blue", "navy"))
    ]
    if judges in ("lens", "liar and lens"):
        members = [{**m, "judge": "embedded-entailment"} for m in members]
    judge = {**model, "name": "judge", "model": "openai/judge", "family": "grey"}
    return json.dumps(  # which is YAML
        {
            "members": members,
            "judges": [] if judges == "lens" else [judge],
            "verifiers": ["embedded-entailment"] if judges == "lens" else ["judge"],
            "writer": "red",
            "providers": {url: {"at_once": 16}},
        }
    )


def _tiers(judges: Judges, policies: Path) -> str:
    tiers = yaml.safe_load((policies / "cost_tiers.yaml").read_text(encoding="utf-8"))
    tiers["tiers"]["standard"].update(
        {
            "rounds": 2, "providers_per_member": 1, "hits_per_search": 30, "sources_per_search": 30,
            "claims_per_turn": TOLD_PER_TURN, "verifier": "dedicated" if judges in ("liar", "lens") else "quorum",
        }
    )  # fmt: skip
    return yaml.safe_dump(tiers)


def _lay_out(folder: Path, judges: Judges, rows: list[dict[str, str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pumps.jsonl").write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
    (folder / "tiers.yaml").write_text(_tiers(judges, Path(__file__).parents[2] / "policies"), encoding="utf-8")


async def tell(
    folder: Path, judges: Judges, envelopes: int, rates: dict[str, float] | None = None, *, pumps: int = 300
) -> Fates:
    """Runs until so many fabricated envelopes were sent, each with another seed; what became of them."""
    fates, rows, seed = Fates(), corpus(pumps), 0
    _lay_out(folder, judges, rows)
    while fates.lies < envelopes:
        # Of 18 turns a run; not many more than are wanted.
        drafts = min(TOLD_PER_TURN, max(4, (envelopes - fates.lies) // 24))
        liar = Liar(rows, {**RATES, **(rates or {})}, drafts=drafts, seed=seed)
        # Each liar is shown all that it read, as it was read. Of the likeliest passages, a stand-in would be sent what
        # it was sent before, and its answer, told once, would count twice.
        as_read = patch.object(model_member, "SHOWN", 1000)
        with as_read, loopback(liar.script) as server:
            (folder / "council.yaml").write_text(council(server.url, judges), encoding="utf-8")
            graph = await aio.research(
                QUESTION, home=folder / "home", corpus=[str(folder / "pumps.jsonl")], seed=seed,
                council=str(folder / "council.yaml"), cost_tiers=str(folder / "tiers.yaml"), tier="standard",
            )  # fmt: skip
        fates.add(liar, graph)
        seed += 1
    return fates
