"""What a review may spend: what its stages keep back for those after them, and in words what was not allowed."""

from __future__ import annotations

from collections.abc import Mapping

from veritas.council.spending import Spending


def keep_back(spending: Spending, share: float) -> None:
    """Keeps a share of what is left, 0 to 1, from the calls to come until the next word: sentences that nobody can
    judge are worth nothing."""
    limit = spending.budget
    usd = share * max(0.0, limit.usd - spending.usd) if limit.usd is not None else 0.0
    calls = int(share * max(0, limit.calls - spending.calls)) if limit.calls is not None else 0
    spending.keep("render", usd, calls)  # which comes after all that writers and judges are asked for


def cut_back(refused: Mapping[str, Mapping[str, int]]) -> str:
    """Return what the budget did not allow, in a sentence; "" if it allowed all. `refused` are calls by stage and
    limit."""
    counts = {stage: count for stage, limits in refused.items() if (count := sum(limits.values()))}
    if not counts:
        return ""
    named = ", ".join(f"{count} in stage {stage}" for stage, count in counts.items())
    return f"The budget had no room for {sum(counts.values())} call(s) ({named}), so parts are missing or unjudged."
