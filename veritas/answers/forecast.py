"""Forecast of a run's calls, tokens, money and time, from runs like it, or from usual values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from veritas.answers.member_search import LEAST
from veritas.claims.graph import StageName
from veritas.council.embedded.questions import sub_queries
from veritas.council.model_member import SHOWN
from veritas.council.model_table import facts
from veritas.council.prompt import prompt
from veritas.council.spending import Spending
from veritas.documents.passages import cut_passages
from veritas.errors import Unavailable, VeritasError
from veritas.frozen import Frozen
from veritas.policy.cost_tiers import Plan, load_cost_tiers
from veritas.policy.council_policy import Price
from veritas.search.local.index import LocalIndex
from veritas.store.catalogue import query
from veritas.text.plural import plural

if TYPE_CHECKING:
    from veritas.answers.runtime import Runtime

RUNS = 5
"""Limit of earlier runs that are read, the newest first."""
KNOWN, GUESSED = (0.8, 1.25), (0.7, 1.4)
"""Factors of the expected value that make the range (low, high), with earlier runs and without."""
ONCE = (0.5, 2.0)
"""The same of the time where one earlier run is known: the next one, with a question of its own, takes up to twice as
long. Of several, the fastest and the slowest are known."""
_PATIENCE = 0.2

CLAIMS = 0.9
"""Share of the claims that a tier asks of a turn which a model makes."""
SPLIT = 2
"""Sub-questions that a model usually makes of a question."""
FRESH = 0.3
"""Share of what a further sub-question finds and brings that no other did: they lead to the same documents."""
KEPT = 0.7
"""Share of the claims that are supported, and not the same as another."""
BEARING = 0.75
"""Share of the passages that are shown beside the claims of others."""
ASKED_AGAIN = 1.15
"""Calls for each answer: one in seven is lost on the way, refused, or asked for again."""
MENDED = 1.0
"""Printed sentences that a model is asked to mend, each of which is judged again."""
CONTESTED = 0.35
"""Objections that a member raises in a round."""
SENTENCE, MARKS, LETTERS = 25, 25, 4
"""Tokens of a sentence, tokens that mark one block of a prompt, and characters of a token."""
ROOMY = 1.6
"""How much too high the tokens of a text are estimated when it is fitted into a window."""
PASSAGE = 150
"""Tokens of a passage of the web."""
SAMPLE = 20
"""Documents of a corpus whose passages are measured."""
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
        parts = _parts(runtime)
        return cls(kinds, plan, parts, (_SECONDS * asked + read + 2.0,), 0, _guessed_from(runtime, plan, parts))

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

    @property
    def parts(self) -> int:
        """The expected number of sub-questions."""
        return max(1, round(self._sub_queries))

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
        for stage, most in (("verify", 0.5), ("synthesize", 0.2)):
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
    """Return the expected values of each kind of call, from the prompts, the passages of the corpus and the limits of
    the tier, at the prices of the models that would be asked."""
    council, tier, judges = runtime.council, runtime.tier, runtime.judges
    prices = runtime.switchboard.prices() if runtime.switchboard is not None else {}
    members = [seat.model for seat in council.seats]
    lenses = [getattr(lens, "model", None) for lens in council.verifiers]
    writer = [council.seat(council.writer).model]
    parts = _parts(runtime)
    read, passage, most = _passages(runtime)
    shown = min(SHOWN, read)
    turn = min(CLAIMS * tier.claims_per_turn, shown)
    own = min(turn * (1 + FRESH * (parts - 1)), most)
    claims = own * len(members)
    kept = KEPT * claims
    bear = BEARING * min(read * (1 + FRESH * (parts - 1)), most)
    judged = judges * ceil(own / runtime.gate.together)
    each = own / ceil(own / runtime.gate.together)
    one = SENTENCE + passage + MARKS
    rooms = [facts(seat.connected.policy).input_room for seat in council.seats if seat.connected is not None]
    room = fmean(rooms) / ROOMY if rooms else 0.0
    judging = _said("judge", one * each), SENTENCE * each
    counts: dict[tuple[StageName, str], tuple[float, list[str | None], tuple[float, float]]] = {
        ("decompose", "decompose"): (1.0, writer, (_said("decompose", SENTENCE), SENTENCE * (parts + 0.5))),
        ("extract", "assert"): (
            1.0, members, (min(room, _said("assert", SENTENCE + shown * (passage + MARKS))), turn * 4.8 * SENTENCE)
        ),
        ("verify", "judge"): (judged / parts, lenses, judging),
        ("debate", "contest"): (
            1.0, members,
            (min(room, _said("contest", kept * (SENTENCE + MARKS) + bear * (passage + MARKS))), 4 * SENTENCE),
        ),
        ("debate", "judge"): (CONTESTED * judges, lenses, (_said("judge", one), SENTENCE)),
        ("debate", "respond"): (CONTESTED, members, (_said("respond", 12 * SENTENCE), 2 * SENTENCE)),
        ("synthesize", "synthesize"): (
            1.0, writer, (_said("synthesize", kept * 2 * SENTENCE), kept * 1.5 * SENTENCE)
        ),
        ("synthesize", "repair"): (MENDED, writer, (_said("repair", one + 4 * SENTENCE), SENTENCE)),
        ("synthesize", "judge"): (MENDED * judges, lenses, (_said("judge", one), SENTENCE)),
    }  # fmt: skip
    kinds = {}
    for kind, (calls, asked, (come, go)) in counts.items():
        models = [model for model in asked if model is not None]
        if models:
            usd = fmean(_cost(prices.get(model), come, go) for model in models)
            kinds[kind] = Per(ASKED_AGAIN * calls * len(models) / len(asked), come + go, usd)
    known = [runtime.search_prices.get(name, 0.0) for name in runtime.providers]
    if known:
        usd = fmean(Spending.search_price(price) for price in known)
        each = full_plan(runtime).providers_per_member
        kinds["research", "search"] = Per(each, 0.0, usd, model=False)
    return kinds


def _parts(runtime: Runtime) -> int:
    """Return how many sub-questions are expected."""
    seat = runtime.council.seat(runtime.council.writer)
    return max(len(sub_queries(runtime.request.question)), SPLIT if seat.model is not None else 1)


def _said(name: str, data: float) -> float:
    """Return the tokens of a prompt with so many tokens of data."""
    return len(prompt(name).bare) / LETTERS + data


def _passages(runtime: Runtime) -> tuple[int, float, int]:
    """Return how many passages a member gets for a sub-question, the tokens of one, and how many there are."""
    tier = runtime.tier
    sources, most, tokens = tier.sources_per_search * full_plan(runtime).providers_per_member, 10**6, float(PASSAGE)
    index = next((p for p in runtime.providers.values() if isinstance(p, LocalIndex)), None)
    if index is not None and len(runtime.providers) == 1 and (segments := index.segments()):
        most = sum(len(segment.windows.lengths) for segment in segments)
        sources = min(tier.sources_per_search, sum(len(segment.documents) for segment in segments))
        sizes = [(s.documents, len(s.documents)) for s in segments]
        sample = [documents[i] for documents, size in sizes for i in range(0, size, size // SAMPLE + 1)]
        texts = [passage.text for document in sample for passage in cut_passages(document)]
        tokens = fmean(map(len, texts)) / LETTERS if texts else tokens
    return min(most, max(LEAST, tier.passages_per_source * sources // 2)), tokens, most


def enough(runtime: Runtime, forecaster: Forecaster) -> str:
    """Return what a person should know of a budget in money that the forecast exceeds; "" where it is enough. Raises
    `Unavailable` if it is not enough for the smallest run."""
    limit = runtime.request.budget.usd
    plan = full_plan(runtime)
    needed = forecaster.usd(plan, forecaster.parts)
    if not limit or needed <= limit:
        return ""
    tiers = load_cost_tiers(Path(runtime.request.cost_tiers) if runtime.request.cost_tiers else None)
    takes = sorted(
        (_whole(replace(runtime, tier=tier)), name) for name, tier in tiers.tiers.items()
        if name != runtime.request.tier
    )  # fmt: skip
    within = [one for one in takes if one[0] <= limit] or [one for one in takes[:1] if one[0] < needed]
    advice = "".join(f", and --tier {name} about ${usd:.4f}" for usd, name in within[-1:])
    said = f"tier {runtime.request.tier} takes about ${needed:.4f} with its judges, more than the budget of ${limit:g}"
    smallest = plan.model_copy(update={"providers_per_member": 1, "members": 1, "rounds": 1})
    least = forecaster.usd(smallest, forecaster.parts)
    if limit < least:
        raise Unavailable(f"{said}{advice}. The smallest run takes about ${least:.4f}, so it was not begun, and "
                          "nothing was spent (--no-preflight, or preflight switched off in the form, begins it all the "
                          "same)")  # fmt: skip
    return f"{said}{advice}; the run is made smaller"


def _whole(runtime: Runtime) -> float:
    """Return the expected cost of a run without earlier ones, in US dollars."""
    made = Forecaster.of(runtime)
    return made.usd(full_plan(runtime), made.parts)


def _cost(price: Price | None, come: float, go: float) -> float:
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


def _guessed_from(runtime: Runtime, plan: Plan, sub_queries: int) -> str:
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
        f"from the plan of the tier {runtime.request.tier}: {parts} and {plural(sub_queries, 'sub-question')}; no run "
        f"like it is stored{within}"
    )


def _runs_like(runtime: Runtime, home: Path) -> list[str]:
    request = runtime.request
    rows = query(
        home,
        "SELECT run_id, settings, len(degraded) AS lacks, "
        "(SELECT list(name || ' ' || coalesce(model, '') ORDER BY name) FROM members m "
        "WHERE m.run_id = r.run_id) AS council FROM runs r WHERE tier = ? "
        "AND answer_status IN ('answered', 'closest_passages') AND replayed_from IS NULL "
        "ORDER BY started_at DESC LIMIT ?",
        [request.tier, 10 * RUNS], patience=_PATIENCE,
    )  # fmt: skip
    council = sorted(f"{m.name} {m.model or ''}" for m in runtime.council.describe())
    mine = (list(request.corpus), request.web)
    return [
        row["run_id"] for row, held in ((row, json.loads(row["settings"])) for row in rows)
        if row["council"] == council and _searched(held) == mine
        and not (row["lacks"] and any((held.get("budget") or {}).values()))  # a budget cut it
    ][:RUNS]  # fmt: skip


def _searched(held: Mapping[str, Any]) -> tuple[list[Any], bool]:
    return list(held.get("corpus") or ()), bool(held.get("web"))
