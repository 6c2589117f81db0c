"""The council and the search providers as they are configured, and what they lack."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from veritas.engine.units import asked
from veritas.errors import VeritasError
from veritas.frozen import Frozen
from veritas.policy.search_providers import ProviderFile, contact, load_providers, user_agent
from veritas.search.configured_providers import ProviderState, make_provider, provider_states
from veritas.search.provider import SearchHit

if TYPE_CHECKING:
    from veritas.council.model_reach import Reached
    from veritas.council.seated_council import Council
    from veritas.council.select_council import Chosen
    from veritas.policy.council_policy import JudgePolicy, ModelPolicy
    from veritas.policy.gate_policy import GatePolicy


async def describe_council(council: str | Path | None = None, *, offline: bool = False) -> dict[str, Any]:
    """Return a council as JSON values: seats, judges, verifiers, what each cost tier can do with it, what is missing.

    `council` is a file or the name of a ready one, by default the one that a run would choose. Unless `offline`, the
    providers are asked for their lists of models, which costs nothing; `reachable` of a model is False when it
    certainly cannot speak, and None when that is not known. Raises `InputError` for one that cannot sit.
    """
    from veritas.council.model_reach import reach
    from veritas.council.seated_council import build_council
    from veritas.council.select_council import choose_council, council_file

    chosen = choose_council(council_file(council) if council else None)
    models = chosen.policy.models()
    answers = await reach(models, os.environ) if not offline else []
    reached = dict(zip((m.name for m in models), answers, strict=False))
    return _described(chosen, build_council(chosen.policy), models, reached)


def _described(
    chosen: Chosen, council: Council, models: list[ModelPolicy], reached: dict[str, Reached]
) -> dict[str, Any]:
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
            {"name": m.name, "family": m.family, **_lens(m), **_model(asked.get(m.name), reached)}
            for m in chosen.policy.judges
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


def _lens(judge: JudgePolicy) -> dict[str, Any]:
    return {} if judge.lens is None else {"lens": judge.lens, "folder": judge.folder, "weights": judge.weights}


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


__all__ = ["Probe", "ProviderCheck", "ProviderState", "check_providers"]

_HITS = TypeAdapter(tuple[SearchHit, ...])
PROBE = "climate"
"""Query of a check: every index has hits for it."""


class Probe(Frozen):
    """A search that was asked of a provider: what went wrong, or None, and how many seconds it took."""

    problem: str | None
    seconds: float


class ProviderCheck(Frozen):
    """The providers of `providers.yaml`, in its order; `probes` are of those that were asked, by name."""

    providers: tuple[ProviderState, ...]
    probes: dict[str, Probe]
    contact: str | None
    """The e-mail address or URL that scholarly services are told."""
    user_agent: str
    language: str
    with_corpus: bool
    """Whether a question with a corpus is searched there too."""


async def check_providers(*, ask: bool = False) -> ProviderCheck:
    """Return which search providers there are, what is missing and how to get it. With `ask`, each that is configured
    is asked for one result, which a paid one counts; without, nobody is. Raises `InputError` (with `PolicyError`)."""
    file = load_providers()
    states = provider_states(file)
    names = [state.name for state in states if state.configured] if ask else []
    probes = dict(zip(names, await asyncio.gather(*(_probe(name, file) for name in names)), strict=True))
    return ProviderCheck(
        providers=states, probes=probes, contact=contact(), user_agent=user_agent(), language=file.language,
        with_corpus=file.with_corpus,
    )  # fmt: skip


async def _probe(name: str, file: ProviderFile) -> Probe:
    """Return how a search went. A provider that cannot be made, or breaks, is a problem of its own and not of the
    others."""

    async def search() -> Sequence[SearchHit]:
        return await make_provider(name, file).search(PROBE, limit=1)

    start, problem = perf_counter(), None
    try:
        await asked(search(), _HITS.validate_python, who=name, turn="search", stage="research")
    except VeritasError as error:
        problem = str(error)
    return Probe(problem=problem, seconds=perf_counter() - start)
