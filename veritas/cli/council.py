"""`veritas council`: the members that sit and why, whether they answer, and how to get the missing ones."""

from __future__ import annotations

import json as jsonlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from veritas.council.model_reach import Reached
    from veritas.council.seated_council import Council
    from veritas.council.select_council import Chosen
    from veritas.policy.council_policy import ModelPolicy
    from veritas.policy.gate_policy import GatePolicy


def council(
    council: Annotated[
        str | None, typer.Option(help="A council file, or the name of a ready one (default: as a run would choose).")
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Do not ask the providers whether they answer.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """Show which council is used and why, who judges whom, what can be reached, and what is missing.

    Exit code 3 if a model of the council certainly cannot answer. The check costs nothing: it asks only for lists of
    models.
    """
    import asyncio
    import os

    from veritas.council.model_reach import reach
    from veritas.council.seated_council import build_council
    from veritas.council.select_council import choose_council, council_file

    chosen = choose_council(council_file(council) if council else None)
    models = [m for m in (*(m.as_model() for m in chosen.policy.members), *chosen.policy.judges) if m is not None]
    answers = asyncio.run(reach(models, os.environ)) if not offline else []
    reached = dict(zip((m.name for m in models), answers, strict=False))
    told = describe(chosen, build_council(chosen.policy), models, reached)
    print(jsonlib.dumps(told, ensure_ascii=False) if json else for_reading(told))
    if any(r.ok is False for r in reached.values()):
        raise typer.Exit(3)


def describe(
    chosen: Chosen, council: Council, models: list[ModelPolicy], reached: dict[str, Reached]
) -> dict[str, Any]:
    """Return the council as JSON values."""
    from veritas.council.seating import grouped
    from veritas.policy.cost_tiers import load_cost_tiers
    from veritas.policy.gate_policy import load_gate_policy

    tiers, gate = load_cost_tiers(), load_gate_policy()
    asked = {m.name: m for m in models}
    seats = []
    for seat in council.seats:
        verifier = council.panel(seat.name, seat.member.family, gate.rule(tiers.tier("standard").verifier))
        peers = council.panel(seat.name, seat.member.family, gate.rule(tiers.tier("deep").verifier))
        seats.append(
            {
                "name": seat.name,
                "family": seat.member.family,
                **_model(asked.get(seat.name), reached),
                "judges_with": seat.judge.name,
                "judged_by": ", ".join(v.name for v in verifier) if verifier else None,
                "quorum": [p.name for p in peers] if peers else None,
            }
        )
    absent = [*chosen.absent, *(one for p in chosen.passed_over for one in p.absent)]
    return {
        "council": chosen.name,
        "file": str(chosen.file),
        "because": chosen.because,
        "description": chosen.policy.description,
        "seats": seats,
        "judges": [
            {"name": m.name, "family": m.family, **_model(m, reached)} for m in chosen.policy.judges
        ],
        "verifiers": [v.name for v in council.verifiers],
        "writer": council.writer,
        "tiers": _tiers(seats),
        "review": _review(council, gate),
        "passed_over": [{"council": p.council, "why": p.why} for p in chosen.passed_over],
        "missing": [
            {"set": what, "get": get, "for": list(names)} for (what, get), names in grouped(absent).items()
        ],
    }


def _model(model: ModelPolicy | None, reached: dict[str, Reached]) -> dict[str, Any]:
    if model is None:
        return {"model": None}
    from veritas.council.model_table import facts

    known, found = facts(model), reached.get(model.name)
    return {
        "model": model.model,
        "base_url": model.base_url,
        "window": known.window,
        "structured": "schema" if known.schema_aware else "prompt",
        "price": known.price.model_dump() if known.price else None,
        "reachable": found.ok if found else None,
        "detail": found.detail if found else "not asked",
        "mend": found.mend or None if found else None,
    }


def _tiers(seats: list[dict[str, Any]]) -> dict[str, str]:
    """Return what the council can do at each cost tier, in words."""
    unjudged = [s["name"] for s in seats if s["judged_by"] is None]
    no_quorum = [s["name"] for s in seats if s["quorum"] is None]
    halts = "claims of {} halt: no judge of another family"
    dedicated = halts.format(", ".join(unjudged)) if unjudged else "every claim has a judge of another family"
    quorum = (
        f"claims of {', '.join(no_quorum)} halt: there are no two judges independent of them and of each other"
        if no_quorum
        else "every claim has two independent judges"
    )
    return {"quick": dedicated, "standard": dedicated, "deep": quorum}


def _review(council: Council, gate: GatePolicy) -> str:
    """Return the judges of a review's sentences, in words."""
    from veritas.council.families import is_embedded
    from veritas.council.panel import panel, rule_for

    family = council.seat(council.writer).member.family
    if is_embedded(family):
        return "quotations, each held against its paper letter by letter"
    name = rule_for(gate, "review-sentence", family, lambda rule: council.bench("", rule))
    judges = panel(council.bench("", gate.rule(name)), gate.rule(name), family)
    if judges is None:
        return f"sentences of {council.writer} halt: no judges of other families for the rule {name}"
    return f"sentences of {council.writer} are judged by {', '.join(j.name for j in judges)} ({name})"


def for_reading(told: dict[str, Any]) -> str:
    """Return the council as text for a person."""
    lines = [f"Council: {told['council']} — {told['because']}", f"         {told['file']}"]
    if told["description"]:
        lines.append(f"         {told['description']}")
    lines += ["", "Members"]
    for seat in told["seats"]:
        lines.append(f"  {seat['name']:<16}{_speaker(seat)}")
        judged = f"judged by {seat['judged_by']}" if seat["judged_by"] else "nobody may judge it"
        quorum = f"in a quorum by {' and '.join(seat['quorum'])}" if seat["quorum"] else "no quorum"
        lines.append(f"{'':<18}{judged}; {quorum}")
    if told["judges"]:
        lines += ["", "Judges"]
        lines += [f"  {judge['name']:<16}{_speaker(judge)}" for judge in told["judges"]]
    lines += ["", f"Verifiers, in order: {', '.join(told['verifiers'])}", f"Writer: {told['writer']}", ""]
    lines += [f"--tier {tier:<9} {said}" for tier, said in told["tiers"].items()]
    lines.append(f"review          {told['review']}")
    if told["passed_over"]:
        lines += ["", "Passed over"]
        lines += [f"  {p['council']:<16}{p['why']}" for p in told["passed_over"]]
    if told["missing"]:
        lines += ["", "Not set, and what it would bring"]
        lines += [f"  {m['set']:<42}{m['get']} ({', '.join(m['for'])})" for m in told["missing"]]
    return "\n".join(lines)


def _speaker(one: dict[str, Any]) -> str:
    if one["model"] is None:
        return f"no language model · {one['family']}"
    price = one["price"]
    cost = "price unknown" if price is None else f"${price['input']:g} / ${price['output']:g} a million tokens"
    mend = f" ({one['mend']})" if one["mend"] else ""
    state = {True: "reachable", False: f"NOT REACHABLE: {one['detail']}{mend}", None: f"{one['detail']}{mend}"}
    window = f"{one['window']:,} tokens"
    return f"{one['model']} · family {one['family']} · {window} · {cost} · {state[one['reachable']]}"
