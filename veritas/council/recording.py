"""Answers recorded in a folder, and runs answered from it: identical, without a provider.

Each request has a file, `<hash>.json`, with the request and the outcome of each time it was asked, failures included: a
run in which a model failed is repeated with its failure.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from veritas.council._asked_request import AskedRequest, request_of
from veritas.council.chat import ChatModel, Completion, Message
from veritas.council.failures import CallFailed, LeftOut, NotKnown, TooLong
from veritas.council.select_council import Chosen, choose_council
from veritas.errors import InputError, Unavailable
from veritas.files import write_whole
from veritas.frozen import Frozen
from veritas.policy.council_policy import CouncilPolicy, ModelPolicy

RECORD, REPLAY = "VERITAS_RECORD", "VERITAS_REPLAY_CALLS"


class Outcome(Frozen):
    """The outcome of asking once: an answer, or the text and kind of the error (`superseded` in older recordings)."""

    answer: Completion | None = None
    unavailable: str | None = None
    kind: Literal["", "failed", "too-long", "left-out", "superseded"] = ""

    def settle(self) -> Completion:
        """Return the answer, or raise the recorded error."""
        if self.answer is not None:
            return self.answer
        said = self.unavailable or "no answer was recorded"
        if self.kind == "left-out":
            raise LeftOut(said)
        if self.kind == "too-long":
            raise TooLong(said)
        raise CallFailed(said)


@dataclass(frozen=True)
class Recording:
    """The folder in which answers are recorded, or the one they are taken from; at most one of the two is set."""

    record: Path | None = None
    replay: Path | None = None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Recording:
        """Return the recording of `VERITAS_RECORD` and `VERITAS_REPLAY_CALLS`. Raises `InputError` for both at once, a
        record path that is no folder, or a replay folder without answers."""
        record, replay = environ.get(RECORD), environ.get(REPLAY)
        if record and replay:
            raise InputError("answers are either recorded or replayed: give --record or --replay-calls, not both")
        if replay and not any(Path(replay).glob("*.json")):
            raise InputError(f"--replay-calls {replay}: there are no recorded answers (make some with --record DIR)")
        if record and Path(record).exists() and not Path(record).is_dir():
            raise InputError(f"--record {record} is not a folder")
        return cls(Path(record) if record else None, Path(replay) if replay else None)


class Recorded:
    """A model whose outcomes are all written down."""

    def __init__(self, inner: ChatModel, policy: ModelPolicy, folder: Path) -> None:
        self._inner, self._policy, self._folder = inner, policy, folder

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `StoreUnavailable` when the folder cannot be written."""
        request = request_of(self._policy, messages, schema)
        try:
            answer = await self._inner.complete(messages, schema=schema)
        except NotKnown:
            raise
        except Unavailable as problem:
            kind: Literal["failed", "too-long", "left-out"] = "failed"
            if isinstance(problem, LeftOut | TooLong):
                kind = "left-out" if isinstance(problem, LeftOut) else "too-long"
            await self._keep(request, Outcome(unavailable=str(problem), kind=kind))
            raise
        await self._keep(request, Outcome(answer=answer))
        return answer

    async def _keep(self, request: AskedRequest, outcome: Outcome) -> None:
        await asyncio.to_thread(_append, self._folder, request, outcome)


class Replayed:
    """A `ChatModel` that gives the recorded outcomes in their order, and then repeats the last one."""

    def __init__(self, policy: ModelPolicy, folder: Path) -> None:
        self._policy, self._folder = policy, folder
        self._asked: dict[str, int] = {}

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        """See `ChatModel`. Raises `Unavailable` for a request that was never asked when the recording was made."""
        request = request_of(self._policy, messages, schema)
        key = request.request_hash
        outcomes = await asyncio.to_thread(_outcomes, self._folder, key)
        if not outcomes:
            raise NotKnown(
                f"the recording {self._folder} has no answer of {self._policy.name} to this request ({key[:12]}): "
                "documents, policies, prompts or versions differ from when it was made"
            )
        at = self._asked.get(key, 0)
        self._asked[key] = at + 1
        return outcomes[min(at, len(outcomes) - 1)].settle()


_writing = threading.Lock()


def _outcomes(folder: Path, key: str) -> list[Outcome]:
    file = folder / f"{key}.json"
    try:
        kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return [Outcome.model_validate(o) for o in kept["outcomes"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise Unavailable(f"the recorded answer {file} cannot be read: {error}") from error


def _append(folder: Path, request: AskedRequest, outcome: Outcome) -> None:
    key = request.request_hash
    with _writing:
        outcomes = [*_outcomes(folder, key), outcome]
        kept = {"request": request.model_dump(mode="json"), "outcomes": [o.model_dump(mode="json") for o in outcomes]}
        write_whole(folder / f"{key}.json", json.dumps(kept, indent=1) + "\n")


_COUNCIL = "council.json"


def council_of_run(named: Path | None, recording: Recording) -> Chosen:
    """Return the council of a run: on replay the recorded one, else that of `choose_council`, which is stored while
    recording.

    It contains no key. Raises what `choose_council` raises, and `InputError` for a recorded council that cannot be
    read.
    """
    if recording.replay is not None and (recording.replay / _COUNCIL).exists():
        return _recorded(recording.replay / _COUNCIL)
    chosen = choose_council(named)
    if recording.record is not None:
        policy = chosen.policy.model_dump(mode="json", exclude_unset=True)
        kept = {"council": chosen.file.name, "because": chosen.because, "policy": policy}
        write_whole(recording.record / _COUNCIL, json.dumps(kept, ensure_ascii=False, indent=1) + "\n")
    return chosen


def _recorded(file: Path) -> Chosen:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        policy = CouncilPolicy.model_validate(kept["policy"])
        return Chosen(policy, file.parent / Path(str(kept["council"])).name, str(kept["because"]))
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise InputError(f"the recorded council {file} cannot be read: {error}") from error
