"""What a run has spent and how it shrinks to fit its budget: step by step, never an abort (section IX)."""

from __future__ import annotations

from veritas.council.spending import OverBudget, Spending
from veritas.policy.cost_tiers import CostTier, Plan, Step

__all__ = ["OverBudget", "Spending", "estimate_calls", "fit", "fit_rounds"]


def estimate_calls(plan: Plan, sub_queries: int, tier: CostTier, judges: int) -> int:
    """About how many calls a plan makes: searches, drafts, judgments by so many judges, debate turns, the answer."""
    turns = plan.members * sub_queries
    claims = turns * tier.claims_per_turn
    debate = 0
    if plan.rounds >= 2:
        debate += plan.members * (1 + 2 * judges)
    if plan.rounds >= 3:
        debate += plan.members * (1 + judges)
    return 1 + turns * (plan.providers_per_member + 1) + claims * judges + debate + 1


def fit(
    plan: Plan, sub_queries: int, tier: CostTier, judges: int, spending: Spending, order: tuple[Step, ...]
) -> Plan:
    """The largest plan the budget lets stand: fewer providers first, then what else `order` names.

    Only calls can be foreseen. Money and time already gone when the plan is made take one step each for good measure;
    the rest is decided before the debate, by what was really spent.
    """
    limit = spending.budget.calls
    if limit is not None:
        for step in order:
            while (need := estimate_calls(plan, sub_queries, tier, judges)) > limit:
                smaller = plan.smaller(step, f"about {need} calls were planned, the budget is {limit}")
                if smaller is None:
                    break
                plan = smaller
    gone = spending.over()
    if gone is not None:
        for step in order:
            while (smaller := plan.smaller(step, gone)) is not None:
                plan = smaller
    return plan


def fit_rounds(rounds: int, spending: Spending) -> tuple[int, list[str]]:
    """How many rounds of debate are still affordable, and why fewer if so. R1 costs nothing."""
    gone = spending.over()
    if rounds > 1 and gone is not None:
        return 1, [f"1 debate round instead of {rounds}: {gone}"]
    return rounds, []
