"""A request to a language model: the request, the answer, and the meaning of a failure.

It goes through LiteLLM, or directly to a server with OpenAI's protocol and a model of its own. LiteLLM takes long to
import (2 to 10 s). A new run with models begins to load it in a thread; everything else loads it with the first
request. It uses the network only for the request itself: its price table is the packaged one, it sends
no telemetry and reads no .env file.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import sys
import threading
from collections.abc import Coroutine, Iterable, Sequence
from functools import cache
from math import exp, inf, isfinite
from time import perf_counter
from typing import Any, Literal

from pydantic import BaseModel

from veritas.council._server_limits import Accepts, Form, without_system
from veritas.council.chat import Completion, Message
from veritas.council.failures import CallFailed, TooLong
from veritas.council.model_table import facts, is_plain
from veritas.council.prefix_marks import Marks, marks_of, with_marks
from veritas.council.reserved import most_output
from veritas.council.wire_schema import wire_schema
from veritas.event_loop import OfLoop
from veritas.keys import withheld, withheld_from_message
from veritas.policy.council_policy import ModelPolicy
from veritas.search.web.pace import retry_after
from veritas.text.visible import quoted

OFFLINE = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_AUTOROUTER_PRESETS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_LOCAL_POLICY_TEMPLATES": "True",
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_LOG": "ERROR",
    "DO_NOT_TRACK": "1",
}
"""Settings that each keep LiteLLM from one thing it would fetch, read or report unasked. One that is set already
stays."""


_loaded = False


def _load() -> Any:
    global _loaded
    for name, value in OFFLINE.items():
        os.environ.setdefault(name, value)
    import litellm
    import openai.resources  # noqa: F401 -- the first request would import it in the event loop, which stands still
    from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER

    from veritas.council.guarded_transport import guard

    guard()
    # LiteLLM's queue for observers serves one event loop and complains of a second; there are no observers.
    GLOBAL_LOGGING_WORKER.ensure_initialized_and_enqueue = lambda async_coroutine: async_coroutine.close()
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    _loaded = True
    return litellm


def _load_plain() -> None:
    pass


@cache
def load_early() -> None:
    """Begin to import LiteLLM in a thread without waiting. An error in the thread is raised again with the first
    request."""

    def quietly() -> None:
        with contextlib.suppress(Exception):
            _load()

    # Not a daemon: libraries still loading while the interpreter shuts down can crash the process.
    threading.Thread(target=quietly, name="veritas-load-litellm").start()


_under_way: OfLoop[set[asyncio.Future[Any]]] = OfLoop(set)


async def _answer(request: Coroutine[Any, Any, Any]) -> Any:
    """Return the answer to a request, which counts as open until then."""
    under_way, call = _under_way.here(), asyncio.ensure_future(request)
    under_way.add(call)
    call.add_done_callback(under_way.discard)
    return await call


async def close_clients() -> None:
    """Close LiteLLM's HTTP clients of this event loop only.

    While another run of this loop has open requests, that run closes the clients later.
    """
    if not _under_way.here() and (plain := sys.modules.get("veritas.council.chat_completions")) is not None:
        await plain.close()
    if not _loaded:
        return
    cache = _load().in_memory_llm_clients_cache
    mine = f"-{id(asyncio.get_running_loop())}"  # LiteLLM ends the key of a loop's client this way
    for key in [key for key in list(cache.cache_dict) if key.endswith(mine)]:
        # Another run may have closed it. No error may name the cache's key: an API key is part of it.
        client = cache.cache_dict.get(key)
        if client is None or _under_way.here():
            continue
        cache.delete_cache(key)
        await client.close()
    for _ in range(5):  # the sockets of closed connections end with the loop's next turns
        await asyncio.sleep(0.01)


class LiteLLMModel:
    """A `ChatModel` that asks once: no retry, no limit, no ledger.

    A request that the server refuses because of its form is sent in another form at once. This is no failure, and
    `accepts` remembers it.
    """

    def __init__(self, policy: ModelPolicy, key: str | None, accepts: Accepts | None = None) -> None:
        self.policy, self._key, self._plain = policy, key, is_plain(policy)
        self._facts = facts(policy)
        self._accepts, self._marks = accepts or Accepts(), marks_of(policy)
        self._forms: tuple[Form, ...] = ("schema", "object", "prompt") if self._facts.schema_aware else ("prompt",)

    async def ready(self) -> None:
        """Wait for LiteLLM to be loaded, so that its loading time does not count as the model's."""
        await asyncio.to_thread(_load if not self._plain else _load_plain)

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `CallFailed`, and `TooLong` when the request does not fit the model's window."""
        await self.ready()
        accepts = self._accepts
        tried: frozenset[Form] = frozenset()
        while True:
            form = accepts.form(self._forms, tried) if schema is not None else "prompt"
            folds, marks = not accepts.system, self._marks if accepts.marks else None
            try:
                asked = without_system(messages) if folds else messages
                answer = await self._ask(asked, schema, form, marks)
            except TooLong:
                raise
            except CallFailed as problem:
                status, said = _status(problem.__cause__), str(problem.__cause__)
                if marks is not None and accepts.refuses_marks(status, said):
                    continue
                if not folds and accepts.refuses_system(status, said):
                    continue
                if self.policy.alternatives and accepts.probabilities and accepts.refuses_probabilities(status, said):
                    continue
                if form == "prompt":
                    raise
                refused = accepts.refuses_form(form, status, said)
                if not refused and status not in (400, 422):
                    raise
                # The server may have refused the form without saying so; that is known once it takes another one.
                tried |= refused or {form}
            else:
                accepts.learnt(tried)
                return answer

    async def _ask(
        self, messages: Sequence[Message], schema: type[BaseModel] | None, form: Form, marks: Marks | None
    ) -> Completion:
        from veritas.council import chat_completions, guarded_transport

        policy, start = self.policy, perf_counter()
        more: dict[str, Any] = {}
        if policy.temperature is not None:
            more["temperature"] = policy.temperature
        if policy.model.startswith(("ollama/", "ollama_chat/")):
            more["num_ctx"] = self._facts.window  # Ollama would cut what is longer than its own default without a word
        if policy.alternatives and self._accepts.probabilities:
            more |= {"logprobs": True, "top_logprobs": policy.alternatives}
        if schema is not None and form != "schema":
            messages = [*messages[:-1], _with_schema(messages[-1], schema)]
        if schema is not None and form == "object":
            more["response_format"] = {"type": "json_object"}
        if schema is not None and form == "schema":
            shape = {"name": "answer", "schema": wire_schema(schema), "strict": True}
            more["response_format"] = {"type": "json_schema", "json_schema": shape}
        try:
            async with asyncio.timeout(policy.limits.timeout):  # LiteLLM's own timeout is for each read
                more |= {"messages": with_marks(messages, marks), "max_tokens": most_output(self._facts.output)}
                if self._plain:
                    request = chat_completions.asked(policy, self._key, more)
                else:
                    request = _load().acompletion(
                        model=policy.model,
                        api_base=policy.base_url,
                        # A server without a key of its own is sent none of the keys in the environment.
                        api_key=self._key or ("none" if policy.base_url else None),
                        timeout=policy.limits.timeout,
                        num_retries=0,
                        max_retries=0,
                        stream=False,
                        drop_params=True,  # per call: set globally, it makes LiteLLM swallow the reason of a 422
                        **more,
                    )
                with guarded_transport.few_pieces():
                    response = await _answer(request)
            try:
                choice = response.choices[0]
                text = _text(choice.message.content)
            except (AttributeError, IndexError, TypeError):
                raise ValueError("there is no message in its answer") from None
            alternatives = first_word(choice, policy.alternatives) if policy.alternatives else ()
        except Exception as problem:  # LiteLLM lets through any error that a provider's garbage causes in it
            raise _failure(problem, policy) from problem
        most = most_output(self._facts.output)
        paid, asked = self._is_paid(), sum(len(m.content) for m in messages)
        spent = _used(getattr(response, "usage", None), asked, len(text), most, paid=paid)
        if len(text) > LONGEST_TOKEN * most + BESIDES:
            why = f"{policy.model} was asked for {most:,} tokens and answers in {len(text):,} characters"
            raise CallFailed(why, may_pass=True, used=spent if any(spent) else None, may_be_billed=True)
        finish_reason = getattr(choice, "finish_reason", None)
        if finish_reason == "content_filter":
            used = spent if any(spent) else None
            raise CallFailed(f"{policy.model} refused to answer (content filter)", used=used, may_be_billed=True)
        finish: Literal["stop", "length"] = "length" if finish_reason == "length" else "stop"
        return Completion(
            text=withheld(text),
            finish=finish,
            input_tokens=spent[0],
            output_tokens=spent[1],
            cost_usd=None if text and not spent[1] and paid else self._cost(response, *spent),
            seconds=round(perf_counter() - start, 6),
            first_word=alternatives,
        )

    def _cost(self, response: Any, tokens_in: int, tokens_out: int) -> float | None:
        """Return the call's cost in dollars; None where the price is unknown, or the provider does not say what was
        used."""
        price = self.policy.price
        if price is not None:
            if not tokens_in and not tokens_out and (price.input or price.output):
                return None
            return round((tokens_in * price.input + tokens_out * price.output) / 1e6, 12)
        if self._facts.price is None or not (tokens_in or tokens_out):
            return None
        litellm = _load()
        try:
            cost = round(float(litellm.completion_cost(completion_response=response, model=self.policy.model)), 12)
        except (litellm.exceptions.APIError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return cost if 0 <= cost < inf else None

    def _is_paid(self) -> bool:
        price = self._facts.price
        return price is None or bool(price.input or price.output)


LONGEST_TOKEN = 16
"""Characters of a token on average, beyond what any text has."""
BESIDES = 10_000
"""Tokens or characters that may come on top: a server's own words around a request, a thought that is counted."""


def _used(usage: Any, asked: int, said: int, most: int, *, paid: bool) -> tuple[int, int]:
    """Return the tokens in and out as the server counted them; (0, 0) if one of the counts is implausible.

    `asked` and `said` are the characters of request and answer, `most` the most tokens that were requested. No request
    has more than four tokens a character, and no answer more than twice the most. A `paid` request has at least a
    sixteenth of its characters; a server of one's own may omit cached tokens, or count nothing.
    """
    counts = [getattr(usage, name, None) or 0 for name in ("prompt_tokens", "completion_tokens")]
    bounds = ((asked / LONGEST_TOKEN, 4 * asked + BESIDES), (said / LONGEST_TOKEN, 2 * most + BESIDES))
    for count, (least, largest) in zip(counts, bounds, strict=True):
        if not isinstance(count, int | float) or not (least if paid else 0) <= count <= largest:
            return 0, 0
    return int(counts[0]), int(counts[1])


def _text(content: Any) -> str:
    """Return the text of an answer: a string, or the text parts of a list whose other parts are thoughts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _with_schema(message: Message, schema: type[BaseModel]) -> Message:
    shape = json.dumps(wire_schema(schema), ensure_ascii=False)
    return message.model_copy(
        update={
            "content": f"{message.content}\n\nAnswer with one JSON object that fits this JSON Schema, and with nothing "
            f"before or after it:\n{shape}"
        }
    )


_TOO_LONG = re.compile(
    r"(?i)context.?(?:length|window|size)|(?:prompt|input|request) (?:is )?too (?:long|large)"
    r"|too many (?:input )?tokens|maximum.{0,40}tokens"
)
"""What servers say of a request that does not fit the model's window."""


def _status(problem: BaseException | None) -> Any:
    """Return the status that a server refused a request with; None without one."""
    return getattr(problem, "status_code", None) or getattr(getattr(problem, "response", None), "status_code", None)


def _failure(problem: Exception, policy: ModelPolicy) -> CallFailed:
    """Return the error for a failed call, and whether it may pass."""
    kinds = {kind.__name__ for kind in type(problem).__mro__}
    status = _status(problem)
    where = policy.base_url or policy.model.split("/", 1)[0]
    said = _short(problem)
    if "ContextWindowExceededError" in kinds or ("HTTPStatusError" in kinds and status in (400, 413, 422, 500)
                                                 and _TOO_LONG.search(str(problem))):  # fmt: skip
        return TooLong(f"the request is longer than the window of {policy.model}")
    if "ContentPolicyViolationError" in kinds:
        return CallFailed(f"{policy.model} refused to answer", said=said)
    if kinds & {"Timeout", "TimeoutError", "TimeoutException"} and "ConnectTimeout" not in kinds:
        why = f"{policy.model} gave no answer within {policy.limits.timeout:g} s"
        return CallFailed(why, may_pass=True, may_be_billed=True, silent=True)
    if status in (401, 403):
        return CallFailed(f"{where} refuses the key (status {status})", lasting=True, said=said)
    if status == 404:
        return CallFailed(f"{where} has no model {policy.model} (status 404)", lasting=True, said=said)
    if status == 429:
        return CallFailed(f"{where} is asked too often (status 429)", may_pass=True, wait=_wait(problem), said=said)
    if isinstance(status, int) and 300 <= status < 400:
        return CallFailed(f"{where} redirects to another server (status {status})", said=said)
    if isinstance(status, int) and status < 500 and status != 408:
        return CallFailed(f"{where} does not take the request (status {status})", said=said)
    answered = isinstance(status, int) and _refused_with(problem)
    why = f"{where} answers with status {status}" if answered else f"{where} gave no readable answer"
    return CallFailed(
        why if isinstance(status, int) else f"{why}: {said}", may_pass=True, wait=_wait(problem),
        may_be_billed=not _refused_with(problem), said=said if isinstance(status, int) else "",
    )  # fmt: skip


_REFUSALS = frozenset({"HTTPStatusError", "ConnectError", "ConnectTimeout"})


def _refused_with(problem: BaseException) -> bool:
    """Return whether the server answered with an error, or no connection was made, so that nothing was billed.

    LiteLLM also reports a closed connection and an unreadable answer as error 500, so the cause is checked.
    """
    cause: BaseException | None = problem
    for _ in range(10):
        if cause is None:
            return False
        if type(cause).__name__ in _REFUSALS:
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _short(problem: Exception) -> str:
    """Return the text of a failure in quotation marks, to mark it as the server's; otherwise the failure's name."""
    text = " ".join(withheld_from_message(str(problem)).split())
    return quoted(text[:220]) or type(problem).__name__


def _wait(problem: Exception) -> float | None:
    """Return the seconds that the provider asks to wait: `Retry-After` in seconds or as a date, or `retry-after-ms`."""
    headers = getattr(getattr(problem, "response", None), "headers", None) or {}
    further = getattr(problem, "litellm_response_headers", None) or {}
    found = {str(k).lower(): str(v) for source in (headers, further) for k, v in dict(source).items()}
    thousandths = retry_after(found.get("retry-after-ms"))
    return retry_after(found.get("retry-after")) if thousandths is None else thousandths / 1000


LONGEST_WORD = 32
"""Most characters of a word."""
BEFORE_IT = 4
"""Tokens that may come before the first word: blanks, signs of a template."""
ROUNDING = 0.01
"""What probabilities may sum up to beyond 1."""

Alternatives = tuple[tuple[str, float], ...]


def first_word(choice: Any, most: int) -> Alternatives:
    """Return at most `most` alternatives to the first word of an answer, likeliest first; none if the server returns
    none, or if its values are no probabilities of different words."""
    tokens = _get(_get(choice, "logprobs"), "content")
    if not isinstance(tokens, list):
        return ()
    for token in tokens[:BEFORE_IT]:
        word = _get(token, "token")
        if not isinstance(word, str):
            return ()
        if any(character.isalnum() for character in word):
            others = _get(token, "top_logprobs")
            return _sound([token, *(others[: 2 * most] if isinstance(others, list) else [])], most)
    return ()


def _sound(tokens: Iterable[Any], most: int) -> Alternatives:
    found: dict[str, float] = {}
    for token in tokens:
        word, log = _get(token, "token"), _get(token, "logprob")
        if not isinstance(word, str) or isinstance(log, bool) or not isinstance(log, int | float):
            return ()
        if not isfinite(log) or log > ROUNDING:
            return ()
        found[withheld(word)[:LONGEST_WORD]] = min(1.0, exp(log))
    if sum(found.values()) > 1 + ROUNDING:
        return ()
    return tuple(sorted(found.items(), key=lambda one: (-one[1], one[0]))[:most])


def _get(of: Any, name: str) -> Any:
    return of.get(name) if isinstance(of, dict) else getattr(of, name, None)
