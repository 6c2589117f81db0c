"""The cost of a run so far, in one line, while it runs."""

from __future__ import annotations

from collections.abc import Iterable

from veritas.claims.graph import Call
from veritas.report.tally import dollars, unpriced
from veritas.text.plural import plural


class Meter:
    """A sum of calls as they come in. Calls answered from the ledger cost nothing this time (I9)."""

    def __init__(self) -> None:
        self.calls = self.searches = self.tokens = self.kept = 0
        self._unpriced: list[Call] = []
        self.usd = 0.0
        self._models = False

    def add(self, calls: Iterable[Call]) -> None:
        """Count the calls of a finished unit."""
        for call in calls:
            self._models = self._models or call.model is not None
            if call.from_ledger:
                self.kept += 1
                continue
            if call.turn == "search":
                self.searches += 1
            else:
                self.calls += 1
            self.tokens += call.input_tokens + call.output_tokens
            self.usd += call.cost_usd or 0.0
            if call.cost_usd is None:
                self._unpriced.append(call)

    @property
    def said(self) -> str:
        """`$0.0412, 81,204 tokens, 37 calls, 12 searches`; empty in a run that asks no model and pays for no search."""
        unknown = unpriced(self._unpriced)
        if not (self._models or self.usd or unknown):
            return ""
        money = dollars(self.usd)
        if unknown:
            money = f"at least {money}, price of {unknown} unknown" if self.usd else f"price of {unknown} unknown"
        kept = f", {self.kept:,} from the ledger" if self.kept else ""
        searched = f", {plural(self.searches, 'search', 'searches')}" if self.searches else ""
        return f"{money}, {plural(self.tokens, 'token')}, {plural(self.calls, 'call')}{searched}{kept}"
