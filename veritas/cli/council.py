"""`veritas council`: the members that sit and why, whether they answer, and how to get the missing ones."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated, Any

import typer


def council(
    council: Annotated[
        str | None,
        typer.Option(help="A council file, or the name of a built-in council (default: as a run would choose)."),
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Do not ask the providers whether they answer.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
) -> None:
    """Show which council is used and why, who judges whom, what can be reached, and what is missing.

    Exit code 3 if a model of the council certainly cannot answer. The check costs nothing: it asks only for lists of
    models.
    """
    import asyncio

    from veritas.use_cases.councils import describe_council

    told = asyncio.run(describe_council(council, offline=offline))
    print(jsonlib.dumps(told, ensure_ascii=False) if json else for_reading(told))
    if any(one.get("reachable") is False for one in (*told["seats"], *told["judges"])):
        raise typer.Exit(3)


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
    lens = f"lens {one['lens']} · " if one.get("lens") else ""
    if one["model"] is None:
        weights = f" · weights {one['weights'][:12]}" if one.get("weights") else ""
        return f"{lens}{'no language model · ' if not lens else 'family '}{one['family']}{weights}"
    price = one["price"]
    cost = "price unknown" if price is None else f"${price['input']:g} / ${price['output']:g} a million tokens"
    mend = f" ({one['mend']})" if one["mend"] else ""
    state = {True: "reachable", False: f"NOT REACHABLE: {one['detail']}{mend}", None: f"{one['detail']}{mend}"}
    window = f"{one['window']:,} tokens"
    return f"{lens}{one['model']} · family {one['family']} · {window} · {cost} · {state[one['reachable']]}"
