"""Answers that earlier processes of a run paid for in a stage that was cut off: they count in this run, and once
(I9)."""

from __future__ import annotations

from collections.abc import Iterable

from veritas.claims.graph import STAGES, Call, StageName
from veritas.frozen import content_id
from veritas.store.ledger import IN_PLACE_OF, LedgerEntry


class PaidBefore:
    """The answers in a run's own ledger that no call of it accounts for yet."""

    def __init__(self, entries: Iterable[LedgerEntry]) -> None:
        self._left: dict[str, list[LedgerEntry]] = {}
        for entry in entries:
            if _of(entry, IN_PLACE_OF) is not None:
                continue  # no call: it says who took a turn
            self._left.setdefault(_asked(entry), []).append(entry)

    def accounted(self, calls: Iterable[Call]) -> None:
        """Leave out the answers to the calls of a stored stage."""
        for call in calls:
            if not call.from_ledger:
                self._taken(call.request_hash)

    def claimed(self, calls: Iterable[Call]) -> tuple[Call, ...]:
        """Return the calls, as paid calls where this run had paid for the answer itself."""
        return tuple(
            call.model_copy(update={"from_ledger": False}) if call.from_ledger and self._taken(call.request_hash)
            else call
            for call in calls
        )  # fmt: skip

    def calls(self, stage: StageName) -> list[Call]:
        """Return the answers left as the calls they were; `stage` is used where the ledger names none."""
        return [_call(entry, stage) for entries in self._left.values() for entry in entries]

    def unclaimed(self, stage: StageName) -> list[Call]:
        """Return the answers left as calls, once: those that were not asked for again when the stage was done anew."""
        made, self._left = self.calls(stage), {}
        return sorted(made, key=lambda call: call.call_id)

    def _taken(self, request_hash: str) -> bool:
        entries = self._left.get(request_hash)
        if not entries:
            return False
        entries.pop()
        return True


def _asked(entry: LedgerEntry) -> str:
    """Return the hash under which the entry's call stands in the claim graph."""
    return str(_of(entry, "call") or entry.request_hash)


def _of(entry: LedgerEntry, key: str) -> object:
    return entry.request.get(key) if isinstance(entry.request, dict) else None


def _call(entry: LedgerEntry, stage: StageName) -> Call:
    who, turn = str(_of(entry, "asked_by") or entry.model), str(_of(entry, "turn") or entry.prompt)
    told = _of(entry, "stage")
    known: StageName = next((name for name in STAGES if name == told), stage)
    searched = _of(entry, "call") is not None
    return Call(
        call_id=content_id("k", known, who, turn, entry.request_hash),
        request_hash=_asked(entry),
        stage=known,
        who=who,
        model=None if searched else entry.model,
        turn=turn,
        input_tokens=entry.input_tokens,
        output_tokens=entry.output_tokens,
        cost_usd=entry.cost_usd,
        seconds=entry.seconds,
    )
