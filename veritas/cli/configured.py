"""What is installed and configured: `veritas plugins`, `providers`, `council`."""

from __future__ import annotations

import asyncio
import json as json_text
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from veritas.use_cases.councils import Probe, ProviderState

def plugins(
    seam: Annotated[str | None, typer.Argument(help="One seam, such as lens or search-provider; default: all.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """List the plug-ins of every seam, built-in ones among them: its package, and whether it can be loaded and made.

    Exit code 1 if one of them cannot.
    """
    from veritas.errors import InputError
    from veritas.text.visible import one_line
    from veritas.use_cases.plugin_listing import list_plugins, seam_names

    wanted = None if seam is None else seam.replace("-", "_").removeprefix("veritas.")
    found = list_plugins(wanted)
    if wanted is not None and not found:
        raise InputError(f"nothing is registered for a seam {seam!r}; there are {', '.join(seam_names())}")
    if json:
        print(json_text.dumps({"plugins": [asdict(each) for each in found]}))
    else:
        for name, group in groupby(found, key=lambda each: each.seam):
            print(name)
            for each in group:
                package = f"{each.package} {each.version}" if each.package else "of no package"
                print(f"  {'✗' if each.problem else '✓'} {one_line(each.name):<22} {one_line(package)}")
                if each.problem:
                    print(f"    {one_line(each.problem)}")
    if any(each.problem for each in found):
        raise typer.Exit(1)


def providers(
    check: Annotated[
        bool, typer.Option("--check", help="Ask each configured provider for one result (a paid one charges for it).")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show where a question without a corpus is searched: what is configured, what is missing and how to get it.

    Only --check uses the network; it exits with 3 when no provider can be reached.
    """
    from veritas.use_cases.councils import check_providers

    found = asyncio.run(check_providers(ask=check))
    states, probes = found.providers, found.probes
    if as_json:
        told = found.model_dump(mode="json", exclude={"providers", "probes"}) | {"checked": check}
        listed = [{**s.model_dump(mode="json"), **_found(probes.get(s.name))} for s in states]
        print(json_text.dumps({"providers": listed, **told}))
    else:
        for state in states:
            print(_line(state, probes.get(state.name)))
        if not found.contact:
            print("\nVERITAS_CONTACT is not set: with your e-mail address in it, scholarly services answer faster, and")
            print("Unpaywall can be asked for open copies of what is behind a paywall.")
    if check and not any(probe.problem is None for probe in probes.values()):
        raise typer.Exit(3)


def _found(probe: Probe | None) -> dict[str, Any]:
    """Return a probe's result as JSON values; `reachable` is None if it was not asked."""
    if probe is None:
        return {"reachable": None, "problem": None, "seconds": None}
    return {"reachable": probe.problem is None, "problem": probe.problem, "seconds": round(probe.seconds, 3)}


def _line(state: ProviderState, probe: Probe | None) -> str:
    if not state.configured:
        mark, said = "–", state.missing or ""
    elif probe is None:
        mark, said = "✓", state.url or ""
    elif probe.problem is None:
        mark, said = "✓", f"{state.url}  answered in {probe.seconds:.1f} s"
    else:
        mark, said = "✗", probe.problem
    advice = f"\n{'':<21}{state.advice}" if state.configured and state.advice else ""
    return f"{mark} {state.name:<18} {said}{advice}"


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
    print(json_text.dumps(told, ensure_ascii=False) if json else for_reading(told))
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
