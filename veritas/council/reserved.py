"""A model whose every request is reserved in the run's budget before it is sent, and settled when it is answered."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from contextvars import ContextVar

from pydantic import BaseModel

from veritas.context_value import within
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.context_window import tokens
from veritas.council.failures import CallFailed
from veritas.council.model_table import facts, table_row
from veritas.council.spending import OverBudget, current_spending, lose
from veritas.council.turn_calls import who_asks
from veritas.council.wire_schema import wire_schema
from veritas.policy.cost_tiers import UNKNOWN_MODEL
from veritas.policy.council_policy import ModelPolicy, Price

UNLEARNT = {"decompose": 500, "judge": 400, "repair": 400}
LONGER, THINKING = 800, 4
"""Least tokens that are reserved for an answer, by turn and for all other turns, before a turn has enough answers; and
the factor for a model that thinks before it answers."""
ENOUGH, MARGIN = 3, 100
"""Answers of a turn from which its length is learnt; `MARGIN` tokens are added to twice the longest."""
_FREE = Price(input=0.0, output=0.0)

_most: ContextVar[int | None] = ContextVar("veritas_most_output", default=None)


def most_output(output: int) -> int:
    """Return the most tokens of the answer to the request at hand: `output`, or fewer where the budget pays for
    fewer."""
    most = _most.get()
    return output if most is None else min(output, most)


def budget_price(policy: ModelPolicy) -> Price:
    """Return the price at which a budget counts a model: its own; nothing for an own server without one; else a high
    estimate."""
    known = facts(policy).price
    if known is not None:
        return known
    return _FREE if policy.own_server else UNKNOWN_MODEL


def is_paid(policy: ModelPolicy) -> bool:
    """Return whether asking a model costs money, or may."""
    price = budget_price(policy)
    return bool(price.input or price.output)


def _sent_tokens(messages: Sequence[Message], schema: type[BaseModel] | None) -> int:
    """Return about how many tokens a request has, rather too many: messages, their frames, and the schema."""
    size = sum(tokens(m.content) + 8 for m in messages) + 16
    return size if schema is None else size + tokens(json.dumps(wire_schema(schema)))


class Reserved:
    """A model that asks once, and reserves each request in the run's budget. Outside of a run it changes nothing.

    Where the budget has no room for the longest answer, the request names the longest it pays for; an answer cut off
    there is no answer, and raises `OverBudget`.
    """

    def __init__(self, inner: ChatModel, policy: ModelPolicy) -> None:
        self._inner, self._policy = inner, policy
        self._thinks = bool((table_row(policy.model) or {}).get("supports_reasoning"))
        self._heard: dict[str, list[int]] = {}
        self._counted: list[float] = []
        """Tokens of requests as the provider counted them, as a share of the estimate."""

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`."""
        spending = current_spending()
        if spending is None:
            return await self._inner.complete(messages, schema=schema)
        asks, price = who_asks(), budget_price(self._policy)
        estimate = _sent_tokens(messages, schema)
        sent, longest = math.ceil(estimate * self._share()), facts(self._policy).output
        usual = min(longest, self._usual(asks.turn, spending.longest.get(asks.turn, 0)))

        def cost(come: int, go: int) -> float:
            return (come * price.input + go * price.output) / 1e6

        held = await spending.reserve(cost(sent, longest), cost(sent, usual), stage=asks.stage)
        settled, most = held.usd, None
        if not held.full:
            most = max(usual, int((held.usd * 1e6 - sent * price.input) / price.output)) if price.output else longest
        try:
            with within(_most, most):
                answer = await self._inner.complete(messages, schema=schema)
            settled = answer.cost_usd if answer.cost_usd is not None else cost(
                answer.input_tokens or sent, answer.output_tokens or max(usual, tokens(answer.text))
            )
            if answer.input_tokens:
                self._counted.append(answer.input_tokens / estimate)
            if most is not None and most < longest and answer.finish == "length":
                self._heard.setdefault(asks.turn, []).append(most * 2)
                lose(settled)
                raise spending.no_room("usd")
            self._heard.setdefault(asks.turn, []).append(answer.output_tokens)
            return answer
        except CallFailed as failure:
            if failure.used is not None:
                settled = cost(*failure.used)
            else:
                settled = cost(sent, usual) if failure.may_be_billed else 0.0
            lose(settled)
            raise
        except OverBudget:
            raise
        except BaseException:  # the call was cut off: it was sent, and may be billed
            settled = cost(sent, usual)
            lose(settled)
            raise
        finally:
            spending.settle(held, settled)

    def _usual(self, turn: str, before: int) -> int:
        """Return the tokens that an answer hardly exceeds. `before` is the longest of earlier runs, 0 for none."""
        heard = self._heard.get(turn, [])
        if len(heard) >= ENOUGH or before:
            return 2 * max([before, *heard]) + MARGIN
        return UNLEARNT.get(turn, LONGER) * (THINKING if self._thinks else 1)

    def _share(self) -> float:
        """Return the factor for estimates of this model's requests: a little more than the largest share that was
        counted."""
        return (1.1 if len(self._counted) >= ENOUGH else 1.3) * max(self._counted) if self._counted else 1.0
