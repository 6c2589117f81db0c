"""`veritas providers`: the configured search providers, whether they answer, and what the others lack."""

from __future__ import annotations

import asyncio
import json
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veritas.errors import Unavailable

if TYPE_CHECKING:
    from veritas.policy.search_providers import ProviderFile
    from veritas.search.configured_providers import ProviderState

PROBE = "climate"
"""Query of a check: every index has hits for it."""


def providers(
    check: Annotated[
        bool, typer.Option("--check", help="Ask each configured provider for one result (a paid one counts it).")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show where a question without a corpus is searched: what is configured, what is missing and how to get it.

    Only --check uses the network; it exits with 3 when no provider can be reached.
    """
    from veritas.policy.search_providers import contact, load_providers, user_agent
    from veritas.search.configured_providers import provider_states

    file = load_providers()
    states = provider_states(file)
    probes = asyncio.run(_probe_all(states, file)) if check else {}
    said = contact()
    if as_json:
        print(
            json.dumps(
                {
                    "providers": [{**s.model_dump(mode="json"), **_found(probes.get(s.name))} for s in states],
                    "contact": said,
                    "user_agent": user_agent(),
                    "language": file.language,
                    "with_corpus": file.with_corpus,
                    "checked": check,
                }
            )
        )
    else:
        for state in states:
            print(_line(state, probes.get(state.name)))
        if not said:
            print("\nVERITAS_CONTACT is not set: with your e-mail address in it, scholarly services answer faster, and")
            print("Unpaywall can be asked for open copies of what is behind a paywall.")
    if check and not any(problem is None for problem, _ in probes.values()):
        raise typer.Exit(3)


Probe = tuple[str | None, float]
"""The problem, if any, and the seconds that the search took."""


async def _probe_all(states: tuple[ProviderState, ...], file: ProviderFile) -> dict[str, Probe]:
    names = [state.name for state in states if state.configured]
    return dict(zip(names, await asyncio.gather(*(_probe(name, file) for name in names)), strict=True))


async def _probe(name: str, file: ProviderFile) -> Probe:
    from veritas.search.configured_providers import make_provider

    start = perf_counter()
    try:
        await make_provider(name, file).search(PROBE, limit=1)
    except Unavailable as error:
        return str(error), perf_counter() - start
    return None, perf_counter() - start


def _found(probe: Probe | None) -> dict[str, Any]:
    """Return a probe's result as JSON values; `reachable` is None if it was not asked."""
    if probe is None:
        return {"reachable": None, "problem": None, "seconds": None}
    return {"reachable": probe[0] is None, "problem": probe[0], "seconds": round(probe[1], 3)}


def _line(state: ProviderState, probe: Probe | None) -> str:
    if not state.configured:
        mark, said = "–", state.missing or ""
    elif probe is None:
        mark, said = "✓", state.url or ""
    elif probe[0] is None:
        mark, said = "✓", f"{state.url}  answered in {probe[1]:.1f} s"
    else:
        mark, said = "✗", probe[0]
    advice = f"\n{'':<21}{state.advice}" if state.configured and state.advice else ""
    return f"{mark} {state.name:<18} {said}{advice}"
