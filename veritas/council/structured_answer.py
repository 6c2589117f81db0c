"""A model asked for an answer of a given schema; an unfit answer is asked for again, at most twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from veritas.claims.graph import StageName
from veritas.council.answer_shape import Shaped, shaped
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.json_in_text import Unreadable, said_values
from veritas.council.prompt import Block, prompt
from veritas.council.turn_calls import asking
from veritas.council.wire_schema import wire_schema
from veritas.errors import UnreadableAnswer, VeritasError
from veritas.store.call_record import record_unfit

A = TypeVar("A", bound=BaseModel)

AGAIN = 2
"""Most further times a model is asked when its answer does not fit."""
SHOWN_BACK = 4_000
"""Most characters of an unreadable answer that the model is shown again."""


class Unfit(VeritasError):
    """The answer does not fit; `str(error)` is the text for the model."""


@dataclass(frozen=True)
class Wanted(Generic[A]):
    """A wanted answer. `check` returns what is wrong with an answer that fits the schema, or None.

    `parts` names the list whose items are independent: valid ones are kept, and only the others are asked for again,
    once. `decides` marks an answer that is a decision: nothing in it is guessed.
    """

    messages: tuple[Message, ...]
    shape: type[A]
    who: str
    turn: str
    prompt_id: str
    check: Callable[[A], str | None] = lambda _: None
    parts: str | None = None
    decides: bool = False


@dataclass(frozen=True)
class Heard(Generic[A]):
    """The end of a dialogue: the answer, and its unusable parts."""

    answer: A
    left_out: str = ""
    fits: bool = True
    """False where the last answer was of no use."""


@dataclass(frozen=True)
class Dialogue(Generic[A]):
    """The state of a dialogue: `asked` is the next request. It depends only on the exchanged texts, so it can be
    followed in the ledger as well as with a model."""

    wanted: Wanted[A]
    asked: tuple[Message, ...]
    used: str
    attempt: int = 0
    kept: A | None = None
    missing: tuple[str, ...] = ()
    """Faults of the items that are not in `kept`."""

    @classmethod
    def of(cls, wanted: Wanted[A]) -> Dialogue[A]:
        """Return a new dialogue."""
        return cls(wanted, wanted.messages, wanted.prompt_id)

    def hear(self, said: Completion) -> Heard[A] | Dialogue[A]:
        """Return the answer, or the dialogue with the next request. Raises `UnreadableAnswer` after the last try."""
        try:
            found = self._read(said)
        except Unfit as why:
            if self.kept is not None:
                said_again = f"asked for them again, {self.wanted.who} gave no better answer: {why}"
                return replace(self._settled(self.kept, said_again), fits=False)
            return self._again(said, str(why))
        if self.kept is not None:
            return self._settled(self._joined(self.kept, found.answer), "; ".join(found.faults))
        if found.faults:
            return self._rest(said, found)
        return Heard(found.answer)

    def _read(self, said: Completion) -> Shaped[A]:
        wanted = self.wanted
        if not said.text.strip():
            raise Unfit("it was empty")
        shown = "\n".join(m.content for m in wanted.messages) if wanted.decides else None
        try:
            values = said_values(said.text, guess=not wanted.decides, whole=said.finish == "stop")
            if wanted.decides and said.finish == "length" and any(value.after.strip() for value in values):
                raise Unreadable("it was going to say more")
            found = shaped(values, wanted.shape, wanted.parts, shown)
        except (Unreadable, ValueError, RecursionError) as error:
            if said.finish == "length":
                raise Unfit("it was cut off because it grew too long: say less") from None
            raise Unfit(str(error)) from None
        fault = wanted.check(found.answer)
        if fault is not None:
            raise Unfit(fault)
        return found

    def _again(self, said: Completion, why: str) -> Dialogue[A]:
        who, turn = self.wanted.who, self.wanted.turn
        if self.attempt == AGAIN:
            raise UnreadableAnswer(f"{who} answered {AGAIN + 1} times at {turn}, never as it was asked to: {why}")
        # The number also keeps a second complaint about the same answer from being answered by the ledger.
        numbers = {"attempt": self.attempt + 2, "tries": AGAIN + 1}
        return replace(self._told(said, "again", numbers, "what was wrong", why), attempt=self.attempt + 1)

    def _rest(self, said: Completion, found: Shaped[A]) -> Dialogue[A]:
        told = self._told(said, "rest", {"kept": len(self._items(found.answer))}, "what was wrong with the others",
                          "\n".join(found.faults))  # fmt: skip
        return replace(told, kept=found.answer, missing=found.faults)

    def _told(self, said: Completion, name: str, numbers: dict[str, int], label: str, fault: str) -> Dialogue[A]:
        filled, wanted = prompt(name), self.wanted
        schema = Block("JSON Schema", json.dumps(wire_schema(wanted.shape), ensure_ascii=False))
        told = filled.fill({**numbers, "fault": Block(label, fault), "schema": schema})
        shown = Message(role="assistant", content=said.text[:SHOWN_BACK] or "(an empty answer)")
        # Only the last answer is shown again: the conversation does not grow.
        return replace(self, asked=(*wanted.messages, shown, told[-1]), used=f"{wanted.prompt_id}+{filled.id}")

    def _items(self, answer: A) -> tuple[BaseModel, ...]:
        found: tuple[BaseModel, ...] = getattr(answer, self.wanted.parts or "")
        return found

    def _joined(self, kept: A, more: A) -> A:
        items = self._items(kept)
        return kept.model_copy(
            update={self.wanted.parts or "": (*items, *(i for i in self._items(more) if i not in items))}
        )

    def _settled(self, answer: A, why: str) -> Heard[A]:
        """Return the answer, and what is still missing. Items are counted, because a repeated one looks like a new one.
        """
        given = len(self._items(answer)) - (len(self._items(self.kept)) if self.kept is not None else 0)
        if given >= len(self.missing) and not why:
            return Heard(answer)
        counted = f"of an answer at {self.wanted.turn}, {len(self._items(answer))} item(s) could be used and not these"
        again = why or f"asked for them again, {self.wanted.who} gave {given}"
        return Heard(answer, f"{counted}: {'; '.join(self.missing[:5])}; {again}")


async def ask(
    model: ChatModel,
    messages: Sequence[Message],
    shape: type[A],
    *,
    who: str,
    turn: str,
    stage: StageName,
    prompt_id: str,
    cuts: tuple[str, ...] = (),
    check: Callable[[A], str | None] = lambda _: None,
    parts: str | None = None,
    decides: bool = False,
) -> A:
    """Return the answer as `shape`. `check`, `parts` and `decides`: see `Wanted`.

    Unusable parts are recorded with the unit being done (I7). Raises `UnreadableAnswer` after `AGAIN` further tries,
    `Unavailable` when there is no answer at all.
    """
    wanted = Wanted(tuple(messages), shape, who, turn, prompt_id, check, parts, decides)
    stand = Dialogue.of(wanted)
    while True:
        with asking(who, turn, stage, stand.used, cuts, stand.hear):
            said = await model.complete(stand.asked, schema=shape)
        heard = stand.hear(said)
        if isinstance(heard, Heard):
            if heard.left_out:
                record_unfit(heard.left_out)
            return heard.answer
        stand = heard
