"""A run's plan made smaller to fit its budget: step by step, never an abort (section IX)."""

from __future__ import annotations

from collections.abc import Callable

from veritas.council.spending import OverBudget, Spending
from veritas.policy.cost_tiers import CostTier, Plan, Step

__all__ = ["OverBudget", "Spending", "estimate_calls", "fit", "fit_rounds"]


def estimate_calls(plan: Plan, sub_queries: int, tier: CostTier, judges: int) -> int:
    """Return about how many calls a plan makes: searches, drafts, judgments by so many judges, debate turns, the
    answer."""
    turns = plan.members * sub_queries
    claims = turns * tier.claims_per_turn
    debate = 0
    if plan.rounds >= 2:
        debate += plan.members * (1 + 2 * judges)
    if plan.rounds >= 3:
        debate += plan.members * (1 + judges)
    return 1 + turns * (plan.providers_per_member + 1) + claims * judges + debate + 1


def fit(
    plan: Plan,
    sub_queries: int,
    tier: CostTier,
    judges: int,
    spending: Spending,
    order: tuple[Step, ...],
    cost: Callable[[Plan], float] = lambda plan: 0.0,
) -> Plan:
    """Return the largest plan that fits the budget: fewer providers first, then the other steps in `order`.

    `cost` estimates the remaining cost of a plan in US dollars. If time has already been used, the plan also takes one
    step of each kind; later decisions, before the debate and for each call, use the real spending.
    """
    limit = spending.budget

    def too_much(plan: Plan) -> str | None:
        if limit.calls is not None and (need := estimate_calls(plan, sub_queries, tier, judges)) > limit.calls:
            return f"about {need} calls were planned, the budget is {limit.calls}"
        if limit.usd and (money := cost(plan)) > max(0.0, limit.usd - spending.usd):
            left = max(0.0, limit.usd - spending.usd)
            return f"about ${money:.4f} were planned, ${left:.4f} of ${limit.usd:g} are left"
        return None

    for step in order:
        while (why := spending.over() or too_much(plan)) is not None:
            smaller = plan.smaller(step, why)
            if smaller is None:
                break
            plan = smaller
    return plan


def fit_rounds(rounds: int, spending: Spending, cost: float = 0.0) -> tuple[int, list[str]]:
    """Return how many rounds of debate are still affordable, and why fewer if so. R1 costs nothing; `cost` is the
    foreseen cost of the others in US dollars."""
    gone = spending.over()
    left, calls = spending.left("debate")
    if gone is None and (left < cost or calls < 1) and spending.budget.usd != 0:
        free = f"it may cost ${cost:.4f}, ${max(0.0, left):.4f} are free" if left < cost else "no calls are free"
        gone = f"{free}: the rest is kept for the answer"
    if rounds > 1 and gone is not None:
        return 1, [f"1 debate round instead of {rounds}: {gone}"]
    return rounds, []
