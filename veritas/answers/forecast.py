"""Forecast of a run's calls, tokens, money and time, from runs like it, or from usual values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from veritas.claims.graph import StageName
from veritas.council.spending import Spending
from veritas.errors import VeritasError
from veritas.frozen import Frozen
from veritas.policy.cost_tiers import Plan
from veritas.policy.council_policy import Price
from veritas.store.catalogue import query
from veritas.text.plural import plural

if TYPE_CHECKING:
    from veritas.answers.runtime import Runtime

RUNS = 5
"""Limit of earlier runs that are read, the newest first."""
SUB_QUERIES = 4
"""Assumed sub-questions of a question that is not decomposed yet, without earlier runs."""
KNOWN, GUESSED = (0.8, 1.25), (0.4, 2.5)
"""Factors of the expected value that make the range (low, high), with earlier runs and without."""
ONCE = (0.5, 2.0)
"""The same of the time where one earlier run is known: the next one, with a question of its own, takes up to twice as
long. Of several, the fastest and the slowest are known."""
_PATIENCE = 0.2

_USUAL: Mapping[tuple[StageName, str], tuple[int, int]] = {
    ("decompose", "decompose"): (700, 250),
    ("extract", "assert"): (4_000, 800),
    ("verify", "judge"): (900, 120),
    ("debate", "contest"): (5_000, 400),
    ("debate", "judge"): (900, 120),
    ("debate", "respond"): (2_500, 300),
    ("synthesize", "synthesize"): (2_500, 900),
}
"""Assumed tokens in and out of one call, without earlier runs."""
_SECONDS = 6.0
"""Seconds of one model's answer; the longest chain of a run has one for each kind of call."""
_SECONDS_READ = 2.0
"""Seconds that a member reads, quotes and judges in a round without a model, so that a deeper run is never shown as the
faster one."""


class Per(NamedTuple):
    """The cost of one kind of call: calls per unit of the stage's size, and tokens and seconds per call."""

    calls: float
    tokens: float
    usd: float
    model: bool = True
    longest: int = 0
    """Tokens of the longest answer so far; 0 without any."""


class Forecast(Frozen):
    """The forecast of a run, each value as (low, high): model calls, searches, tokens, US dollars and seconds.

    `runs` is the number of earlier runs it is based on; `basis` describes them.
    """

    model_calls: tuple[int, int]
    searches: tuple[int, int]
    tokens: tuple[int, int]
    usd: tuple[float, float]
    seconds: tuple[float, float]
    runs: int
    basis: str = ""

    @property
    def said(self) -> str:
        """The forecast as one line; empty for a run that asks no model and no paid search."""
        if not self.model_calls[1] and not self.usd[1]:
            return ""
        usd = "nothing to pay" if not self.usd[1] else f"${self.usd[0]:.4f} to ${self.usd[1]:.4f}"
        return (
            f"forecast: {self.model_calls[0]:,} to {self.model_calls[1]:,} model calls, {self.searches[0]:,} to "
            f"{self.searches[1]:,} searches, {self.tokens[0]:,} to {self.tokens[1]:,} tokens, {usd}, "
            f"{self.seconds[0]:,.0f} to {self.seconds[1]:,.0f} s ({self.basis})"
        )


class Forecaster:
    """A forecaster of calls by kind. Sizes: a stage up to verification scales with members and sub-questions, the
    debate with members; the rest is done once a run."""

    def __init__(
        self,
        kinds: Mapping[tuple[StageName, str], Per],
        plan: Plan,
        sub_queries: float,
        seconds: Sequence[float],
        runs: int,
        basis: str = "",
    ) -> None:
        """`seconds` are those of each earlier run, or one guess."""
        self._kinds, self._plan, self._runs, self._basis = dict(kinds), plan, runs, basis
        self._sub_queries, self._seconds = sub_queries, tuple(seconds)

    @classmethod
    def of(cls, runtime: Runtime, home: Path | None = None) -> Forecaster:
        """Make a forecaster from the similar runs in `home`, else from usual values."""
        plan = full_plan(runtime)
        if home is not None:
            learnt = _learnt(runtime, plan, home)
            if learnt is not None:
                return learnt
        kinds = _usual(runtime)
        asked = sum(kind.model for kind in kinds.values())
        read = _SECONDS_READ * plan.members * max(1, plan.rounds)
        return cls(kinds, plan, SUB_QUERIES, (_SECONDS * asked + read + 2.0,), 0, _guessed_from(runtime, plan))

    def _sized(self, plan: Plan, sub_queries: float) -> dict[tuple[StageName, str], tuple[float, Per]]:
        """Return how many calls of each kind a plan makes."""
        found = {}
        for (stage, turn), per in self._kinds.items():
            size = _size(stage, plan.members, sub_queries)
            if turn == "search":
                size *= plan.providers_per_member / self._plan.providers_per_member
            if stage == "debate" and plan.rounds < (3 if turn == "respond" else 2):
                size = 0.0
            found[stage, turn] = (size * per.calls, per)
        return found

    def usd(self, plan: Plan, sub_queries: int, *, after: Sequence[StageName] = ()) -> float:
        """Return the expected cost of a plan in US dollars, without the stages that are done."""
        sized = self._sized(plan, sub_queries).items()
        return sum(calls * per.usd for (stage, _), (calls, per) in sized if stage not in after)

    def longest(self) -> dict[str, int]:
        """Return the tokens of the longest answer in earlier runs, by turn."""
        found: dict[str, int] = {}
        for (_, turn), per in self._kinds.items():
            found[turn] = max(per.longest, found.get(turn, 0))
        return found

    def debate(self, plan: Plan) -> float:
        """Return the expected cost in US dollars of the rounds of debate after the first."""
        sized = self._sized(plan, 1.0).items()
        return sum(calls * per.usd for (stage, _), (calls, per) in sized if stage == "debate")

    def forecast(self) -> Forecast:
        """Return the forecast of the whole run."""
        sized = list(self._sized(self._plan, self._sub_queries).values())
        low, high = KNOWN if self._runs else GUESSED
        soon, late = ONCE if self._runs == 1 else (low, high)
        models = sum(calls for calls, per in sized if per.model)
        searches = sum(calls for calls, per in sized if not per.model)
        tokens = sum(calls * per.tokens for calls, per in sized)
        usd = sum(calls * per.usd for calls, per in sized)
        return Forecast(
            model_calls=(round(models * low), round(models * high)),
            searches=(round(searches * low), round(searches * high)),
            tokens=(round(tokens * low), round(tokens * high)),
            usd=(usd * low, usd * high),
            seconds=(min(self._seconds) * soon, max(self._seconds) * late),
            runs=self._runs,
            basis=self._basis,
        )

    def keep_back(self, spending: Spending, plan: Plan, sub_queries: int) -> None:
        """Reserve money and calls for judges and the writer, because unjudged drafts are useless."""
        limit = spending.budget
        sized = self._sized(plan, sub_queries)
        ahead = [(stage, calls, per) for (stage, _), (calls, per) in sized.items() if stage != "decompose"]
        for stage, most in (("verify", 0.3), ("synthesize", 0.2)):
            name: StageName = stage  # type: ignore[assignment]
            mine = [(calls, per) for of, calls, per in ahead if of == stage]
            usd, count = 0.0, 0
            if limit.usd is not None:
                left = max(0.0, limit.usd - spending.usd)
                all_of_it = sum(calls * per.usd for _, calls, per in ahead)
                needed = sum(calls * per.usd for calls, per in mine)
                part = needed * min(1.25, left / all_of_it) if all_of_it else 0.0
                # Reservations exceed what they are settled to, most of all those of first calls.
                first = max((2 * per.usd for _, per in mine), default=0.0)
                usd = min(max(part, first), most * left)
            if limit.calls is not None:
                all_calls = sum(calls for _, calls, per in ahead)
                rate = min(1.25, max(0, limit.calls - spending.calls) / all_calls) if all_calls else 0.0
                count = int(sum(calls for calls, _ in mine) * rate)
            spending.keep(name, usd, count)


def full_plan(runtime: Runtime) -> Plan:
    """Return the tier's plan, before any cut by a budget."""
    return Plan(
        providers_per_member=max(1, min(runtime.tier.providers_per_member, len(runtime.providers))),
        members=len(runtime.council.seats),
        rounds=runtime.tier.rounds,
    )


def _size(stage: StageName, members: int, sub_queries: float) -> float:
    if stage in ("research", "extract", "verify"):
        return members * sub_queries
    return members if stage == "debate" else 1.0


def _usual(runtime: Runtime) -> dict[tuple[StageName, str], Per]:
    """Return the usual values of each kind of call, at the prices of the models that would be asked."""
    council, tier = runtime.council, runtime.tier
    prices = runtime.switchboard.prices() if runtime.switchboard is not None else {}
    members = [seat.model for seat in council.seats]
    judges = [getattr(lens, "model", None) for lens in council.verifiers]
    writer = [council.seat(council.writer).model]
    claims = 0.6 * tier.claims_per_turn * runtime.judges
    counts: dict[tuple[StageName, str], tuple[float, list[str | None]]] = {
        ("decompose", "decompose"): (1.0, writer),
        ("extract", "assert"): (1.0, members),
        ("verify", "judge"): (claims, judges),
        ("debate", "contest"): (1.0, members),
        ("debate", "judge"): (float(runtime.judges), judges),
        ("debate", "respond"): (0.5, members),
        ("synthesize", "synthesize"): (1.0, writer),
    }
    kinds = {}
    for kind, (calls, asked) in counts.items():
        models = [model for model in asked if model is not None]
        if models:
            share = len(models) / len(asked)
            come, go = _USUAL[kind]
            usd = fmean(_cost(prices.get(model), come, go) for model in models)
            kinds[kind] = Per(calls * share, come + go, usd)
    known = [runtime.search_prices.get(name, 0.0) for name in runtime.providers]
    if known:
        usd = fmean(Spending.search_price(price) for price in known)
        each = full_plan(runtime).providers_per_member
        kinds["research", "search"] = Per(each, 0.0, usd, model=False)
    return kinds


def _cost(price: Price | None, come: int, go: int) -> float:
    return 0.0 if price is None else (come * price.input + go * price.output) / 1e6


def _learnt(runtime: Runtime, plan: Plan, home: Path) -> Forecaster | None:
    """Make a forecaster from runs of the same tier, council and documents that no budget cut; None without any, or if
    the catalogue cannot be read now."""
    try:
        runs = _runs_like(runtime, home)
        if not runs:
            return None
        marks = ", ".join("?" * len(runs))
        calls = query(
            home,
            "SELECT run_id, stage, turn, model IS NOT NULL AS model, count(*) AS made, "
            "sum(input_tokens + output_tokens) AS tokens, sum(cost_usd) AS usd, max(output_tokens) AS longest "
            "FROM calls "
            f"WHERE NOT from_ledger AND (model IS NOT NULL OR turn = 'search') AND run_id IN ({marks}) "
            "GROUP BY ALL",
            runs, patience=_PATIENCE,
        )  # fmt: skip
        sizes = query(
            home,
            "SELECT run_id, started_at, (SELECT count(*) FROM sub_queries s WHERE s.run_id = r.run_id) AS asked, "
            "(SELECT count(*) FROM members m WHERE m.run_id = r.run_id) AS members, "
            "(SELECT sum(seconds) FROM stages t WHERE t.run_id = r.run_id) AS seconds "
            f"FROM runs r WHERE run_id IN ({marks})",
            runs, patience=_PATIENCE,
        )  # fmt: skip
    except VeritasError:
        return None
    kinds: dict[tuple[StageName, str], Per] = {}
    for stage, turn, model in dict.fromkeys((c["stage"], c["turn"], c["model"]) for c in calls):
        mine = {c["run_id"]: c for c in calls if (c["stage"], c["turn"], c["model"]) == (stage, turn, model)}
        made = sum(c["made"] for c in mine.values())
        size = sum(_size(stage, s["members"], s["asked"]) for s in sizes)
        tokens, usd = sum(c["tokens"] for c in mine.values()), sum(c["usd"] or 0.0 for c in mine.values())
        longest = max(c["longest"] for c in mine.values())
        kinds[stage, turn] = Per(made / size, tokens / made, usd / made, model, longest)
    asked = fmean(s["asked"] for s in sizes)
    # A run that waited in line behind others waited for longer than it took to open its documents.
    opening = min(_before(s["run_id"], s["started_at"]) for s in sizes)
    seconds = [opening + (s["seconds"] or 0.0) for s in sizes]
    basis = f"as {plural(len(runs), 'earlier run')} like it, of the tier {runtime.request.tier}"
    return Forecaster(kinds, plan, asked, seconds, len(runs), basis)


def _before(run_id: str, started: datetime) -> float:
    """Return the seconds between the creation of a run's id and its first stage, in which the process starts and opens
    the documents; 0 for an id that the user gave."""
    try:
        asked = datetime.strptime(run_id[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return 0.0
    return max(0.0, (started.replace(tzinfo=started.tzinfo or UTC) - asked).total_seconds())


def _guessed_from(runtime: Runtime, plan: Plan) -> str:
    """Describe what a forecast without similar runs is based on: the tier's plan and the request's budget."""
    counts = ((plan.members, "member"), (plan.providers_per_member, "search provider"), (plan.rounds, "round"))
    parts = ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for count, what in counts)
    budget = runtime.request.budget
    limits = [
        *([f"${budget.usd:g}"] if budget.usd is not None else []),
        *([f"{budget.calls:,} calls"] if budget.calls is not None else []),
        *([f"{budget.seconds:g} s"] if budget.seconds is not None else []),
    ]
    within = f"; the budget ends it at {' or '.join(limits)}" if limits else ""
    return (
        f"a rough guess from the plan of the tier {runtime.request.tier}: {parts} and {SUB_QUERIES} parts, which a "
        f"long question has; no run like it is stored{within}"
    )


def _runs_like(runtime: Runtime, home: Path) -> list[str]:
    request = runtime.request
    rows = query(
        home,
        "SELECT run_id, settings, (SELECT list(name || ' ' || coalesce(model, '') ORDER BY name) FROM members m "
        "WHERE m.run_id = r.run_id) AS council FROM runs r WHERE tier = ? "
        "AND answer_status IN ('answered', 'closest_passages') AND replayed_from IS NULL AND len(degraded) = 0 "
        "ORDER BY started_at DESC LIMIT ?",
        [request.tier, 10 * RUNS], patience=_PATIENCE,
    )  # fmt: skip
    council = sorted(f"{m.name} {m.model or ''}" for m in runtime.council.describe())
    mine = (list(request.corpus), request.web)
    return [row["run_id"] for row in rows if row["council"] == council and _searched(row["settings"]) == mine][:RUNS]


def _searched(settings: str) -> tuple[list[Any], bool]:
    held = json.loads(settings)
    return list(held.get("corpus") or ()), bool(held.get("web"))
