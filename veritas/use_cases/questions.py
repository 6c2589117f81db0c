"""A question: answered, followed while it is answered, gone on with, replayed."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.use_cases.events import streamed
from veritas.use_cases.given import (
    Paths,
    Spending,
    Tier,
    given_budget,
    given_corpus,
    given_home,
    given_paths,
    given_text,
)

if TYPE_CHECKING:
    from veritas.claims.graph import ClaimGraph, StageName
    from veritas.engine.progress import Progress


async def research(
    question: str,
    *,
    corpus: Paths = (),
    web: bool = False,
    tier: Tier = "standard",
    council: str | Path | None = None,
    policy: str | Path | None = None,
    cost_tiers: str | Path | None = None,
    budget: Spending | None = None,
    since: date | None = None,
    seed: int = 0,
    preflight: bool = True,
    progress: Progress | None = None,
    home: str | Path | None = None,
) -> ClaimGraph:
    """Return the claim graph of a new run on `question`: the answer, and all that it stands on.

    `corpus` are folders or files of documents; without one the web is searched, with `web` both. `tier` is quick,
    standard or deep; `council` a ready council or a council file, by default the first that can sit; `policy` a file
    of source tiers; `budget` the most the run may spend, in US dollars, or a `Budget` of dollars, calls and seconds;
    `since` leaves out what was published before. `seed` fixes every choice between equals. `progress` is told how the
    run goes (`veritas.engine.progress.Progress`; `stream` yields the same). `home` is where the run is stored, by
    default `VERITAS_HOME`.

    A run in which nobody could speak ends with the status `unavailable`, not with an exception; unless `preflight` is
    false, who cannot speak is known before anything is spent, and `Unavailable` is raised when nobody can. Raises
    `InputError` and `PolicyError` for what cannot be used.
    """
    from veritas.use_cases.runs import make_request, start

    request = make_request(
        question=question, corpus=given_corpus(corpus), web=web, tier=tier, council=council,
        policy=policy, cost_tiers=cost_tiers, budget=given_budget(budget), since=since, seed=seed,
    )  # fmt: skip
    return await start(request, home=given_home(home), progress=progress, preflight=preflight)


stream = streamed(
    research,
    """Yield what a run tells while it goes; the last event is `RunEnded` with the claim graph.

    Parameters and errors are those of `research`. Whoever stops listening stops the run, which can be resumed.
    """,
)


async def resume(
    run: str = "latest", *, preflight: bool = True, progress: Progress | None = None, home: str | Path | None = None
) -> ClaimGraph:
    """Return the claim graph of a run that was cut off, gone on with after its last stored stage; of a finished run, as
    it is. `run` is an id, an unambiguous beginning of one, or `latest`. Raises `UnknownRun`, `InputError`."""
    from veritas.use_cases import runs

    place = given_home(home)
    return await runs.resume(given_text(run, "run"), home=place, progress=progress, preflight=preflight)


async def replay(
    run: str,
    from_stage: StageName,
    *,
    corpus: Paths | None = None,
    web: bool | None = None,
    tier: Tier | None = None,
    council: str | Path | None = None,
    policy: str | Path | None = None,
    cost_tiers: str | Path | None = None,
    budget: Spending | None = None,
    since: date | None = None,
    seed: int | None = None,
    preflight: bool = True,
    progress: Progress | None = None,
    home: str | Path | None = None,
) -> ClaimGraph:
    """Return the claim graph of a new run that takes the stages before `from_stage` from `run` and does the rest anew.

    A setting that is given replaces the one of `run`, which is read and never changed (I6). Raises `UnknownRun`,
    `InputError`, and what `research` raises.
    """
    from veritas.use_cases import runs

    changes = {
        "corpus": None if corpus is None else given_paths(corpus), "web": web, "tier": tier, "council": council,
        "policy": policy, "cost_tiers": cost_tiers, "budget": given_budget(budget), "since": since, "seed": seed,
    }  # fmt: skip
    given = {name: value for name, value in changes.items() if value is not None}
    return await runs.replay(
        given_text(run, "run"), from_stage, changes=given, home=given_home(home), progress=progress,
        preflight=preflight,
    )  # fmt: skip
