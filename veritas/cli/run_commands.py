"""What the commands that make runs share: carry them out, show their progress on stderr, print the result."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from veritas.claims.graph import Call
from veritas.cli.runs import report_of
from veritas.errors import InputError, Unavailable, VeritasError
from veritas.report.meter import Meter
from veritas.text.visible import printable
from veritas.use_cases.runners import Asked, runner

if TYPE_CHECKING:
    from veritas import ClaimGraph
    from veritas.use_cases.runs import Corpus

_REASONS, _NAMED = 5, 3
"""Most reasons on the terminal, and most documents named for each."""


def check_out(out: Path | None) -> None:
    """Raise `InputError` for an `--out` that cannot be a folder, before any work is done."""
    if out is None:
        return
    standing = next((p for p in (out, *out.absolute().parents) if p.exists()), out)
    if not standing.is_dir():
        raise InputError(f"--out {out}: {standing} is a file, and a folder is needed for the three files of a report")


def _warn(graph: ClaimGraph, told: set[str]) -> None:
    """Print on stderr what a person should know without opening the report: documents left out, cuts by the budget.
    What was `told` of an earlier run is not told again."""
    from veritas.report.wording import cut_back

    unread = [e for e in graph.events if e.stage == "research" and not e.subject_id.startswith(("s-", "f-", "q-"))]
    lost = [e for e in unread if e.kind == "source-unavailable"]
    alike: dict[str, list[str]] = {}
    for event in lost:
        alike.setdefault(event.reason, []).append(event.subject_id)
    lines = [
        f"not read: {names[0]} {reason}" if len(names) == 1
        else f"not read: {len(names)} files, {', '.join(names[:_NAMED])}{' …' if len(names) > _NAMED else ''}: {reason}"
        for reason, names in alike.items()
    ]
    if len(lines) > _REASONS:
        more = sum(len(names) for names in list(alike.values())[_REASONS:])
        lines[_REASONS:] = [f"not read: {more} more, each with its reason in the report"]
    lines += [f"made smaller to fit the budget: {reason}" for reason in cut_back(graph)]
    for line in lines:
        if line not in told:
            told.add(line)
            print(f"veritas: {printable(line)}", file=sys.stderr)


def keep_calls(record: Path | None, replay_calls: Path | None) -> None:
    """Set where the command's runs keep models' answers (`--record`) or take them from (`--replay-calls`)."""
    if record is not None:
        os.environ["VERITAS_RECORD"] = str(record.resolve())
    if replay_calls is not None:
        os.environ["VERITAS_REPLAY_CALLS"] = str(replay_calls.resolve())


def carry_out(
    asked: Sequence[Asked],
    *,
    out: Path | None,
    json: bool,
    quiet: bool,
    corpus: Corpus | None = None,
    short: bool = False,
) -> None:
    """Carry out the runs one after the other; answer and report path (or one JSON line a run) on stdout.

    With `short` the answer is printed with its sources alone, and the command that shows the rest.
    With several runs a failure of one is reported on stderr and the others go on; the exit code is then the worst.
    """
    from veritas.report import render_terminal
    from veritas.settings import home
    from veritas.use_cases.run_archive import find_run
    from veritas.use_cases.runs import Silent

    check_out(out)
    run_one = runner()
    worst = 0
    told: set[str] = set()
    for number, each in enumerate(asked, 1):
        if len(asked) > 1 and not quiet:
            print(f"[{number}/{len(asked)}] {each.question}", file=sys.stderr)
        progress = Silent() if quiet else ConsoleProgress()
        try:
            goes_on = find_run(each.resume) if each.resume is not None else ""
            graph = asyncio.run(run_one(each, progress, corpus))
            folder = home() / "reports" / graph.run.run_id if out is None else out
            if out is not None and len(asked) > 1:
                folder = out / graph.run.run_id
        except VeritasError as error:
            if len(asked) == 1:
                raise
            print(f"veritas: {error}", file=sys.stderr)
            worst = max(worst, error.exit_code)
            continue
        report, unwritten = report_of(graph, folder)
        if json:
            print(graph.model_dump_json())
        else:
            width = min(shutil.get_terminal_size((100, 24)).columns, 100)
            color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
            print(render_terminal(graph, width=width, color=color, short=short))
            if short:
                print(f"How it was checked: veritas show {graph.run.run_id}")
            else:
                print(f"\nReport: {report or 'not written'}\nRun:    {graph.run.run_id}")
        sys.stdout.flush()
        if unwritten is not None:
            again = f"The run itself is stored: veritas show {graph.run.run_id} writes its report"
            print(f"veritas: {unwritten}. {again}", file=sys.stderr)
            worst = max(worst, unwritten.exit_code)
        if not quiet and each.resume is not None and goes_on != graph.run.run_id:
            then = f"it continues as {graph.run.run_id}"
            print(f"veritas: run {goes_on} had ended unavailable; {then}", file=sys.stderr)
        _warn(graph, told)
        if graph.answer.status == "unavailable":
            why = printable(graph.answer.reason or "") if json else "this run says nothing about the question"
            print(f"veritas: unavailable: {why}", file=sys.stderr)
            worst = max(worst, Unavailable.exit_code)
    if worst:
        raise SystemExit(worst)


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
