"""Progress of a run on stderr: a line a stage with counts, time and cost, on a terminal the units too."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import monotonic
from typing import TextIO

from veritas.claims.graph import Call
from veritas.report.meter import Meter
from veritas.text.printable import printable


class ConsoleProgress:
    """Progress in lines like ` 1.2 s research 36 searches, 21 sources: 14 read, 7 rejected`.

    If models are asked, the cost so far follows: ` · $0.0412, 81,204 tokens, 37 calls`.
    """

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stderr
        self.live = self.out.isatty()
        self.begun = monotonic()
        self.stage = ""
        self.step, self.done, self.total = "", 0, 0
        self.meter = Meter()

    @property
    def _cost(self) -> str:
        return f" · {self.meter.said}" if self.meter.said else ""

    def _line(self, text: str, end: str = "\n") -> None:
        if self.live:
            self.out.write("\r\x1b[K")
        self.out.write(text + end)
        self.out.flush()

    def noted(self, text: str) -> None:
        self._line(f"veritas: {printable(text)}")

    def warned(self, text: str) -> None:
        self.noted(text)

    def stage_started(self, stage: str) -> None:
        self.stage, self.step, self.done, self.total = stage, "", 0, 0
        if self.live:
            self._line(f"{monotonic() - self.begun:6.1f} s  {stage:<10}  …", end="")

    def units_begun(self, step: str, total: int) -> None:
        self.step, self.done, self.total = step, 0, total

    def unit_done(self, calls: Sequence[Call] = ()) -> None:
        self.meter.add(calls)
        self.done += 1
        if self.live:
            elapsed = monotonic() - self.begun
            self._line(f"{elapsed:6.1f} s  {self.stage:<10}  {self.step} {self.done}/{self.total}{self._cost}", end="")

    def stage_done(self, stage: str, seconds: float, said: str, from_store: bool) -> None:
        kept = " (from the store)" if from_store else ""
        self._line(f"{monotonic() - self.begun:6.1f} s  {stage:<10}  {said}{kept}{self._cost}")
