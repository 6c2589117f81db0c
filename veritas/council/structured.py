"""A model asked for an answer of a given shape; what does not fit is asked for again, twice at most."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from veritas.claims.graph import StageName
from veritas.council.asking import asking
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.prompt import Block, prompt
from veritas.council.wire_schema import wire_schema
from veritas.errors import UnreadableAnswer, VeritasError

A = TypeVar("A", bound=BaseModel)

AGAIN = 2
"""Further times a model is asked when its answer does not fit."""
SHOWN_BACK = 4_000
"""Characters of an unreadable answer that the model is shown again."""

_THINKING = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"\A```[\w-]*[^\S\n]*\n(.*?)\n?```\Z", re.DOTALL)


class Unfit(VeritasError):
    """The answer does not fit; `str(error)` is what the model is told."""


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
) -> A:
    """The answer as `shape`. `check` says what is wrong with one that has the shape, or None.

    Raises `UnreadableAnswer` after `AGAIN` further tries, `Unavailable` when there is no answer at all.
    """
    again = prompt("again")
    asked, used = list(messages), prompt_id
    for attempt in range(AGAIN + 1):
        with asking(who, turn, stage, used, cuts):
            completion = await model.complete(asked, schema=shape)
        try:
            return _read(completion, shape, check)
        except Unfit as why:
            if attempt == AGAIN:
                raise UnreadableAnswer(
                    f"{who} answered {AGAIN + 1} times at {turn}, never as it was asked to: {why}"
                ) from None
            said = completion.text[:SHOWN_BACK] or "(an empty answer)"
            told = again.fill(
                {
                    # The number also keeps a second complaint about the same answer from being answered by the ledger.
                    "attempt": attempt + 2,
                    "tries": AGAIN + 1,
                    "fault": Block("what was wrong", str(why)),
                    "schema": Block("JSON Schema", json.dumps(wire_schema(shape), ensure_ascii=False)),
                }
            )
            # Only the last answer is shown again: the conversation does not grow.
            asked = [*messages, Message(role="assistant", content=said), told[-1]]
            used = f"{prompt_id}+{again.id}"
    raise AssertionError("unreachable")


def _read(completion: Completion, shape: type[A], check: Callable[[A], str | None]) -> A:
    text = _THINKING.sub("", completion.text).strip().removeprefix("\ufeff")
    if not text:
        raise Unfit("it was empty")
    fenced = _FENCE.fullmatch(text)
    text = fenced[1] if fenced else text
    try:
        value = json.loads(text, parse_constant=_no_constant)
        answer = shape.model_validate_json(json.dumps(value))
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, e['loc'])) or 'it'}: {e['msg']}" for e in error.errors(include_url=False)]
        raise Unfit(f"it does not fit the schema: {'; '.join(faults[:5])}") from None
    except (ValueError, RecursionError) as error:
        if completion.finish == "length":
            raise Unfit("it was cut off because it grew too long: say less") from None
        raise Unfit(f"it is not one JSON object and nothing else: {error}") from None
    fault = check(answer)
    if fault is not None:
        raise Unfit(fault)
    return answer


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
