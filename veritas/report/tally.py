"""The numbers of a run: how much was found, admitted, claimed, judged and cited, and its cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veritas.claims.graph import STAGES, Call, ClaimGraph
from veritas.claims.judgment import verdicts
from veritas.report.graph_index import GraphIndex
from veritas.report.planted_sources import planted
from veritas.text.plural import plural

TIER_NAMES = {"1": "Primary", "2": "Institutional", "3": "Vetted secondary", "4": "Rejected", "wikipedia": "Wikipedia"}


@dataclass(frozen=True)
class Tally:
    """Counts over one graph. What several members say in the same words is one claim, here as in the library, on the
    page of a source and while a run is watched. `judged` counts claims by their final verdict, `cited_claims` those
    that the answer cites."""

    searches: int
    searches_failed: int
    sources: int
    read: int
    rejected: int
    orientation: int
    unread: int
    unreadable: int
    planted: int
    claims: int
    judged: dict[str, int]
    contestations: int
    resolutions: dict[str, int]
    cited_claims: int
    references: int
    left_out: int

    @classmethod
    def of(cls, index: GraphIndex) -> Tally:
        graph = index.graph
        status = Counter(source.status for source in graph.sources)
        return cls(
            searches=len(graph.searches),
            searches_failed=sum(search.unavailable is not None for search in graph.searches),
            sources=len(graph.sources),
            read=status["read"], rejected=status["rejected"],
            orientation=status["orientation"], unread=status["unread"], unreadable=status["unavailable"],
            planted=len(planted(index)[0]),
            claims=len({c.claim for c in graph.claims}),
            judged=dict(Counter(verdicts(graph.claims).values())),
            contestations=len(graph.contestations),
            resolutions=dict(Counter(c.resolution for c in graph.contestations)),
            cited_claims=len({index.claims[i].claim for i in index.sentences_of if i in index.claims}),
            references=len(graph.answer.bibliography),
            left_out=len(graph.events),
        )


def summary(tally: Tally) -> str:
    """Return one line of counts, for the foot of an answer."""
    verdicts = [f"{tally.judged[label]} {label}" for label in ("supports", "refutes", "silent", "unavailable")
                if tally.judged.get(label)]
    parts = [
        f"{plural(tally.sources, 'source')} found, {tally.read:,} read, {tally.rejected:,} rejected"
        + (f", {left:,} not read" if (left := tally.orientation + tally.unread + tally.unreadable) else "")
        + (f", {tally.planted:,} planted among them" if tally.planted else ""),
        plural(tally.claims, "claim") + (f" ({', '.join(verdicts)})" if verdicts else ""),
        plural(tally.contestations, "objection") if tally.contestations else "",
        f"{plural(tally.cited_claims, 'claim')} cited from {plural(tally.references, 'reference')}"
        if tally.references else "",
    ]
    return " · ".join(filter(None, parts))


def unpriced(calls: Iterable[Call]) -> str:
    """Return the calls of unknown price, in words: `7 searches by exa`, `3 calls of openai/gpt-x`; "" for none."""
    counted = Counter((c.who, None) if c.model is None else (c.model, c.model)
                      for c in calls if c.cost_usd is None and not c.from_ledger)
    kinds = (("search by", "searches by"), ("call of", "calls of"))
    return ", ".join(
        plural(many, *(f"{words} {who}" for words in kinds[model is not None]))
        for (who, model), many in sorted(counted.items(), key=lambda item: item[0][0])
    )


def tier_mix(graph: ClaimGraph, index: GraphIndex) -> list[tuple[str, dict[str, int]]]:
    """Count citations by tier: those of the bibliography, and those of every claim that was not turned down.

    A claim and a source count once, however many passages join them.
    """
    answer = Counter(str(reference.tier) for reference in graph.answer.bibliography)
    gone = {"refuted", "unavailable", "dropped", "conceded"}
    claims = Counter(
        str(citation.tier)
        for claim in graph.claims if index.outcome(claim).key not in gone
        for citation in claim.citations
    )
    return [("References of the answer", dict(answer)), ("Citations of all standing claims", dict(claims))]


@dataclass(frozen=True)
class Expense:
    """The sum of one speaker's turns of one kind in a stage. `cost` sums the known prices, of all but `unpriced`.

    `questions` counts the questions in the calls, `calls` or more: a lens judges pairs in batches. Tokens and seconds
    are those of this run: an answer from a ledger took none.
    """

    stage: str
    who: str
    turn: str
    calls: int
    questions: int
    from_ledger: int
    failed: int
    input_tokens: int
    output_tokens: int
    seconds: float
    cost: float
    unpriced: int

    @property
    def price(self) -> str:
        """The cost in words: a sum, a lower bound, or that it is unknown."""
        if self.unpriced and not self.cost:
            return "unknown"
        return f"{'at least ' if self.unpriced else ''}{dollars(self.cost)}"


def dollars(amount: float) -> str:
    """Return US dollars to the cent, finer below ten cents, and plain 0 as `$0`."""
    return "$0" if amount == 0 else f"${amount:,.4f}" if amount < 0.1 else f"${amount:,.2f}"


def expenses(calls: Iterable[Call]) -> list[Expense]:
    """Return one line for each stage, speaker and turn, in the stages' order."""
    grouped: dict[tuple[str, str, str], list[Call]] = {}
    for call in calls:
        grouped.setdefault((call.stage, call.who, call.turn), []).append(call)
    order = {stage: position for position, stage in enumerate(STAGES)}
    lines = [expense(group, *key) for key, group in grouped.items()]
    return sorted(lines, key=lambda line: (order[line.stage], line.who, line.turn))  # type: ignore[index]


def expense(calls: Sequence[Call], stage: str = "", who: str = "", turn: str = "") -> Expense:
    """Sum some calls. A call answered from the ledger cost nothing this time."""
    paid = [call for call in calls if not call.from_ledger]
    return Expense(
        stage, who, turn,
        calls=len(calls),
        questions=sum(call.count for call in calls),
        from_ledger=len(calls) - len(paid),
        failed=sum(call.error is not None for call in calls),
        input_tokens=sum(call.input_tokens for call in paid),
        output_tokens=sum(call.output_tokens for call in paid),
        seconds=sum(call.seconds for call in paid),
        cost=sum(call.cost_usd or 0.0 for call in paid),
        unpriced=sum(call.cost_usd is None for call in paid),
    )
