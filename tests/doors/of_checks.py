"""The use cases that judge one thing: a claim, a source, the citations of a text, a bibliography, a citation."""

from __future__ import annotations

import json
from typing import Any

import veritas
from tests.doors.table import UseCase, fields
from tests.doors.world import BIBLIOGRAPHY, NOTES, World
from veritas.report.bibliography_verdicts import as_json as bibliography_json
from veritas.report.factcheck_report import as_json

CLAIM = "The Borealis pump needs no oil."
PASSAGE = "The Borealis pump needs no oil, because its bearings are made of graphite."
TIER = ("tier", "paywalled", "admitted", "justification", "rule")
URL = "https://doi.org/10.1038/nature12373"
FACTS = """The Borealis pump needs no oil [1]. Its price is lost [3].

References

1. The Borealis pump manual. https://example.org/manual
"""
GRAPH = {"nodes": [
    {"id": "h", "role": "Hypothesis", "text": "Pumps need no oil.", "parents": [], "children": ["e"],
     "metrics": {"credibility": 0.5, "relevance": 0.5, "evidence_strength": 0.5, "method_rigor": 0.5,
                 "reproducibility": 0.5, "citation_support": 0.5}},
    {"id": "e", "role": "Evidence", "text": "Ten pumps ran dry for a year.", "parents": ["h"], "children": [],
     "metrics": {"credibility": 0.9, "relevance": 0.9, "evidence_strength": 0.9, "method_rigor": 0.9,
                 "reproducibility": 0.9, "citation_support": 0.9}},
]}  # fmt: skip


def _verdict(found: Any) -> dict[str, Any]:
    return {
        **fields(found, "verdict"),
        "evidence": [(each["passage"], each["url"], each["label"]) for each in found["evidence"]],
    }


def _label(found: Any) -> dict[str, Any]:
    return fields(found, "label", "rationale")


def _findings(found: Any) -> dict[str, Any]:
    return {"ok": found["ok"], "findings": [(each["line"], each["level"]) for each in found["findings"]]}


def _facts(found: Any) -> dict[str, Any]:
    told = [(each["statement"], each["verdict"], each.get("source") or None) for each in found["statements"]]
    return {"headline": found["headline"], "statements": sorted(told)}


def _entries(found: Any) -> dict[str, Any]:
    return {"entries": [(each["key"], each["verdict"], each["title"], each["reason"]) for each in found["entries"]]}


def _refusal(found: Any) -> dict[str, Any]:
    return fields(found, "cited", "refusal", "reason")


def _cited(world: World) -> dict[str, Any]:
    outcome = veritas.cite(CLAIM, root=world.library, offline=True)
    assert isinstance(outcome, veritas.Refusal)
    return _refusal(json.loads(json.dumps(outcome.as_json())))


USE_CASES = [
    UseCase(
        "judge", ("judge",),
        lambda w: _label(veritas.judge(CLAIM, PASSAGE).model_dump(mode="json")),
        lambda w: _label(w.cli_json("judge", "-", given=json.dumps({"id": "1", "claim": CLAIM, "passage": PASSAGE}))),
        lambda w: _label(w.http("POST", "/judgments", json={"claim": CLAIM, "passage": PASSAGE})),
        lambda w: w.page("/check/passage", claim=CLAIM, passage=PASSAGE),
        shown=lambda found: [found["rationale"]],
    ),
    UseCase(
        "verify", ("verify",),
        lambda w: _verdict(veritas.verify(CLAIM, w.pumps).model_dump(mode="json")),
        lambda w: _verdict(w.cli_json("verify", CLAIM, "-c", w.pumps, "--json", "-q")),
        lambda w: _verdict(w.http("POST", "/verifications", json={"claim": CLAIM, "corpus": ["library/pumps.jsonl"]})),
        lambda w: w.page("/check/claim", claim=CLAIM, corpus="library/pumps.jsonl"),
        lambda w: _verdict(w.mcp("verify_claim", claim=CLAIM, corpus=[w.pumps])),
        lambda found: [found["verdict"], found["evidence"][0][0]],
    ),
    UseCase(
        "tier", ("tier",),
        lambda w: fields(veritas.tier(URL).model_dump(mode="json"), *TIER),
        lambda w: fields(w.cli_json("tier", URL, "--json"), *TIER),
        lambda w: fields(w.http("GET", "/tier", params={"url": URL}), *TIER),
        lambda w: w.page(f"/check/source?url={URL}"),
        lambda w: fields(w.mcp("source_tier", url=URL), *TIER),
        lambda found: [found["justification"]],
    ),
    UseCase(
        "check of a text", ("check",),
        lambda w: _findings(veritas.check(w.library / "notes.md", root=w.library).as_json()),
        lambda w: _findings(w.cli_json("check", "notes.md", "--root", ".", "--json", exits=(1,))),
        lambda w: _findings(w.http("POST", "/checks", json={"text": NOTES, "project": "library"})),
        lambda w: w.page("/check", text=NOTES, project="library"),
        lambda w: _findings(w.mcp("check_text", text=NOTES, project=str(w.library))),
        lambda found: ["there is no such artifact"],
    ),
    UseCase(
        "check of any text", ("check_facts", "factcheck"),
        lambda w: _facts(as_json(veritas.check_facts(FACTS, corpus=w.pumps, offline=True))),
        lambda w: _facts(w.cli_json(
            "factcheck", "-", "-c", w.pumps, "--offline", "--json", "-q", given=FACTS, exits=(1,),
        )),
        lambda w: _facts(w.work("/factchecks", text=FACTS, corpus=["library/pumps.jsonl"], offline=True)),
        lambda w: w.page("/check/facts", text=FACTS, corpus="library/pumps.jsonl", offline="yes"),
        lambda w: _facts(w.mcp("check_facts", text=FACTS, corpus=[w.pumps])),
        lambda found: [found["headline"], "Its price is lost"],
    ),
    UseCase(
        "audit of a bibliography", ("audit_bibliography", "bib"),
        lambda w: _entries(bibliography_json(veritas.audit_bibliography(w.library / "nobody.bib", offline=True))),
        lambda w: _entries(w.cli_json("bib", "nobody.bib", "--offline", "--json", "-q", exits=(3,))),
        lambda w: _entries(w.work("/bibliographies", document="library/nobody.bib", offline=True)),
        lambda w: w.page("/check/bibliography", document="library/nobody.bib", offline="yes"),
        lambda w: _entries(w.mcp("audit_bibliography", text=BIBLIOGRAPHY)),
        lambda found: [key for key, *_ in found["entries"]],
    ),
    UseCase(
        "cite", ("cite",),
        _cited,
        lambda w: _refusal(w.cli_json("cite", CLAIM, "--offline", "--json", exits=(3,))),
        lambda w: _refusal(w.work("/citations", claim=CLAIM, project="library", offline=True)),
        "asked for by a program or an agent, which holds the text it belongs in",
        lambda w: _refusal(w.mcp("cite", claim=CLAIM, project=str(w.library))),
    ),
    UseCase(
        "score", ("score_graph", "score"),
        lambda w: {"score": veritas.score_graph(GRAPH).as_json()["score"]},
        lambda w: fields(w.cli_json("score", "-", "--rules", "veritas", "--json", given=json.dumps(GRAPH))
                         ["expected"][0], "score"),
        lambda w: fields(w.http("POST", "/scores", json={"graph": GRAPH}), "score"),
        "a bare graph comes from a program; the page of an audit scores that of a paper",
    ),
]  # fmt: skip
