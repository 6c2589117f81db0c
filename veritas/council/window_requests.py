"""Requests that fit their model's window, made smaller if the provider still refuses them as too long."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel

from veritas.council.context_window import Shown, fit, tokens
from veritas.council.failures import TooLong
from veritas.council.model_table import facts
from veritas.council.structured_answer import SHOWN_BACK
from veritas.council.wire_schema import wire_schema
from veritas.policy.council_policy import ModelPolicy

R = TypeVar("R")
Texts = Sequence[tuple[str, str]]
"""Name and text of each item."""

OVERHEAD = 40
"""Tokens for the fence of one block."""
SHARES = (1.0, 0.5, 0.25)
"""Shares of the room that are used, in order, while a provider finds the request too long."""


async def windowed(
    policy: ModelPolicy,
    bare_prompt: str,
    fixed: Sequence[str],
    texts: Mapping[str, Texts],
    about: str,
    shape: type[BaseModel],
    ask: Callable[[Mapping[str, Sequence[Shown]], tuple[str, ...]], Awaitable[R]],
) -> R:
    """Return the result of `ask` for as much of `texts` as fits beside the `fixed` text, with the cuts.

    Room is kept for the schema and for showing an unfit answer again. Raises `TooLong` if not even a quarter fits.
    """
    room = facts(policy).input_room
    spent = tokens(bare_prompt) + sum(tokens(t) + OVERHEAD for t in fixed)
    spent += 2 * tokens(json.dumps(wire_schema(shape))) + min(SHOWN_BACK // 3, room // 8)
    left = room - spent
    every = [(key, name, text) for key, part in texts.items() for name, text in part]
    if left < OVERHEAD and every:
        raise TooLong(
            f"{policy.name}: the window of {policy.model} ({facts(policy).window:,} tokens) has no room beside what "
            "must be said; set window: if it is larger, or seat a model with a larger one"
        )
    most = min(left, sum(tokens(text) + OVERHEAD for _, _, text in every))
    for share in SHARES:
        shown, cuts = fit([(str(i), text) for i, (_, _, text) in enumerate(every)], about, int(most * share), OVERHEAD)
        parts: dict[str, list[Shown]] = {key: [] for key in texts}
        for one in shown:
            key, name, _ = every[int(one.name)]
            parts[key].append(Shown(name, one.text, one.start, one.end, one.length))
        named = tuple(f"{every[int(number)][1]}: {said}" for number, _, said in (c.partition(": ") for c in cuts))
        try:
            return await ask(parts, named)
        except TooLong:
            if share == SHARES[-1] or not every:
                raise
    raise AssertionError("unreachable")
