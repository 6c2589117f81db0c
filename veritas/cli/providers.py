"""`veritas providers`: the configured search providers, whether they answer, and what the others lack."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from veritas.use_cases.provider_check import Probe, ProviderState


def providers(
    check: Annotated[
        bool, typer.Option("--check", help="Ask each configured provider for one result (a paid one charges for it).")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show where a question without a corpus is searched: what is configured, what is missing and how to get it.

    Only --check uses the network; it exits with 3 when no provider can be reached.
    """
    from veritas.use_cases.provider_check import check_providers

    found = asyncio.run(check_providers(ask=check))
    states, probes = found.providers, found.probes
    if as_json:
        print(
            json.dumps(
                {
                    "providers": [{**s.model_dump(mode="json"), **_found(probes.get(s.name))} for s in states],
                    "contact": found.contact,
                    "user_agent": found.user_agent,
                    "language": found.language,
                    "with_corpus": found.with_corpus,
                    "checked": check,
                }
            )
        )
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
