"""What a run has cost so far, in one line, while it runs."""

from __future__ import annotations

from collections.abc import Iterable

from veritas.claims.graph import Call
from veritas.report.tally import dollars, plural


class Meter:
    """Adds up calls as they come in. Those answered from the ledger cost nothing this time (I9)."""

    def __init__(self) -> None:
        self.calls = self.tokens = self.unpriced = self.kept = 0
        self.usd = 0.0
        self._models = False

    def add(self, calls: Iterable[Call]) -> None:
        """Counts the calls of a unit that is done."""
        for call in calls:
            self._models = self._models or call.model is not None
            if call.from_ledger:
                self.kept += 1
                continue
            self.calls += 1
            self.tokens += call.input_tokens + call.output_tokens
            self.usd += call.cost_usd or 0.0
            self.unpriced += call.cost_usd is None

    @property
    def said(self) -> str:
        """`$0.0412, 81,204 tokens, 37 calls`; empty in a run that asks no model and pays for no search."""
        if not (self._models or self.usd or self.unpriced):
            return ""
        if self.unpriced and not self.usd:
            money = f"price of {plural(self.unpriced, 'call')} unknown"
        elif self.unpriced:
            money = f"at least {dollars(self.usd)} (price of {plural(self.unpriced, 'call')} unknown)"
        else:
            money = dollars(self.usd)
        kept = f", {self.kept:,} from the ledger" if self.kept else ""
        return f"{money}, {plural(self.tokens, 'token')}, {plural(self.calls, 'call')}{kept}"
