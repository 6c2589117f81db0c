"""A lens that runs an entailment model from a folder with ONNX Runtime (the extra `onnx`).

The model is loaded with the first judgment and runs in a thread, so that the event loop is not blocked. The folder
holds an exported model: model.onnx, tokenizer.json, config.json. Its small files are checked before the model is
loaded.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from veritas.claims.envelope import Label
from veritas.claims.judgment import Judgment
from veritas.council.lenses.calibration import Chances, cooled
from veritas.council.lenses.chunks import chunks, nearest
from veritas.council.lenses.setup import LensSetup
from veritas.council.lenses.weights import weights_hash
from veritas.errors import InputError, Unavailable
from veritas.event_loop import OfLoop

LARGEST = 2_000_000
"""Most bytes of a file of settings."""
DEFAULT_WINDOW, LARGEST_WINDOW = 512, 8192
"""Tokens of premise and claim together: where the folder does not tell, and at the most."""
_PADDED = ("roberta", "camembert", "mpnet", "longformer", "bart")
"""Models whose first two positions are taken."""

_NAMES: tuple[tuple[Label, str], ...] = (
    ("supports", "entailment entails entailed entail supports supported support consistent attributable yes"),
    ("refutes", "contradiction contradicts contradicted contradict contradictory refutes refuted refute"),
    ("silent", "neutral silent notentailment nonentailment notentailed notsupported unsupported notenoughinfo "
               "notenoughinformation nei inconsistent notconsistent notattributable hallucinated irrelevant no"),
)  # fmt: skip
_MEANINGS = {name: label for label, names in _NAMES for name in names.split()}


@dataclass(frozen=True)
class Checkpoint:
    """A checked folder. `labels` are the meanings of the model's outputs, in order; `window` is the most tokens of
    premise and claim, including the tokenizer's own."""

    model: Path
    tokenizer: Path
    labels: tuple[Label, ...]
    window: int


def read_checkpoint(folder: Path) -> Checkpoint:
    """Return what a folder holds. Raises `InputError` that says what is missing or wrong."""
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder" if folder.exists() else f"there is no folder {folder}")
    model = next((f for f in (folder / "model.onnx", folder / "onnx" / "model.onnx") if f.is_file()), None)
    if model is None:
        raise InputError(f"{folder} has no model.onnx, and none in a folder onnx: export the model to ONNX first")
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise InputError(f"{folder} has no tokenizer.json: save the model's fast tokenizer there")
    config = _settings(folder / "config.json")
    more = _settings(folder / "tokenizer_config.json") if (folder / "tokenizer_config.json").is_file() else {}
    return Checkpoint(model, tokenizer, _labels(config, folder / "config.json"), _window(config, more))


def _settings(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as source:
            data = source.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise InputError(f"{file} is larger than {LARGEST:,} bytes")
        value = json.loads(data)
    except FileNotFoundError:
        raise InputError(f"{file.parent} has no {file.name}") from None
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise InputError(f"{file} is no JSON object")
    return value


def _labels(config: dict[str, Any], file: Path) -> tuple[Label, ...]:
    named = config.get("id2label")
    if not isinstance(named, dict) or set(named) != {str(i) for i in range(len(named))} or len(named) < 2:
        raise InputError(f"{file} has no id2label that names each output of the model from 0 on, two at least")
    found: list[Label] = []
    for i in range(len(named)):
        said = str(named[str(i)])
        meaning = _MEANINGS.get(re.sub(r"[^a-z]", "", said.casefold()))
        if meaning is None:
            raise InputError(
                f"{file}: id2label calls output {i} {said[:40]!r}, which says nothing of entailment: write entailment, "
                "neutral, contradiction or not_entailment there"
            )
        found.append(meaning)
    if "supports" not in found or set(found) == {"supports"}:
        raise InputError(f"{file}: id2label has no output for entailment, or no other: {', '.join(found)}")
    return tuple(found)


def _window(config: dict[str, Any], tokenizer: dict[str, Any]) -> int:
    taken = 2 if any(name in str(config.get("model_type")).casefold() for name in _PADDED) else 0
    told = (tokenizer.get("model_max_length"), config.get("max_position_embeddings"))
    sizes = [
        value - (taken if i else 0)
        for i, value in enumerate(told)
        if isinstance(value, int | float) and not isinstance(value, bool) and 8 <= value <= LARGEST_WINDOW
    ]
    return int(min(sizes, default=DEFAULT_WINDOW))


NEEDED = ("onnxruntime", "tokenizers")
FEEDS = ("input_ids", "attention_mask", "token_type_ids")
LEAST_ROOM = 16
"""Tokens of a premise below which there is no room for it."""


class OnnxLens:
    """Judges by the probabilities of entailment, contradiction and neither; the passage is the premise. Of a long
    passage the chunk with the clearest verdict counts."""

    takes_setup = True
    waits_for_itself = True
    """Its judgments follow each other, and the time of each begins with its turn."""

    def __init__(self, setup: LensSetup) -> None:
        """Raises `InputError` for a folder that holds no such model, and where the extra is not installed."""
        if setup.folder is None:
            raise InputError(f"the judge {setup.name} reads a model from a folder: add folder: to its lines")
        if setup.model is not None:
            raise InputError(f"the judge {setup.name} asks nobody: take model: out of its lines")
        if missing := [name for name in NEEDED if find_spec(name) is None]:
            raise InputError(
                f"the judge {setup.name} needs {' and '.join(missing)}: pip install 'veritas-research[onnx]'"
            )
        self.name, self.family, self._setup = setup.name, setup.family, setup
        self._checkpoint = read_checkpoint(setup.folder)
        self._loaded: _Loaded | None = None
        self._loading = Lock()
        self._turn = OfLoop(asyncio.Lock)
        self._late: asyncio.Future[Any] | None = None

    @property
    def labels(self) -> frozenset[str]:
        """The labels that the model can give."""
        return frozenset(self._checkpoint.labels)

    @property
    def weighs(self) -> str:
        """What a calibration of this lens is for."""
        return self._setup.weights or ""

    async def chances(self, claim: str, passage: str) -> Chances:
        """Return the probability of each label before calibration. Raises `Unavailable` when the model cannot judge."""
        return (await self._judged(claim, passage))[0]

    async def judge(self, claim: str, passage: str) -> Judgment:
        """See `Lens`. Raises `Unavailable` when the model cannot judge, or takes longer than its limit (I5)."""
        raw, judged, of = await self._judged(claim, passage)
        chances = cooled(raw, self._setup.temperature)
        label: Label = max(self._checkpoint.labels, key=lambda one: (raw[one], one != "supports"))
        said = {"supports": "follows from", "refutes": "contradicts", "silent": "neither follows from nor contradicts"}
        rationale = f"the model finds that the claim {said[label]} the passage"
        if label == "silent" and "refutes" not in self.labels:
            rationale = "the model finds that the claim does not follow from the passage"
        if of > 1:
            rationale += f" [{judged} of {of} parts of the passage]"
        rationale += f" [weights {(self._setup.weights or 'unknown')[:12]}]"
        return Judgment(label=label, score=chances[label], rationale=rationale, lens=self.name, family=self.family)

    async def _judged(self, claim: str, passage: str) -> tuple[dict[str, float], int, int]:
        async with self._turn.here():
            if self._late is not None and not self._late.done():
                raise Unavailable(f"{self.name} is asked no more: one of its judgments has not come back")
            work = asyncio.ensure_future(asyncio.to_thread(self._work, claim, passage))
            try:
                async with asyncio.timeout(self._setup.seconds):
                    return await asyncio.shield(work)
            except TimeoutError as problem:
                raise Unavailable(f"{self.name} gave no answer ({self._setup.seconds:g} s)") from problem
            finally:
                if not work.done():
                    self._late = work
                    work.add_done_callback(_seen)

    def _work(self, claim: str, passage: str) -> tuple[dict[str, float], int, int]:
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._checkpoint, self._setup)
        return self._loaded.best(claim, passage)


def _seen(work: asyncio.Future[Any]) -> None:
    if not work.cancelled():
        work.exception()


def _load(checkpoint: Checkpoint, setup: LensSetup) -> _Loaded:
    assert setup.folder is not None
    now = weights_hash(setup.folder)
    if setup.weights not in (None, now):
        raise Unavailable(
            f"{setup.name}: {setup.folder} holds other weights ({now[:12]}) than when the council sat down "
            f"({(setup.weights or '')[:12]})"
        )
    try:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # what goes wrong is raised
        session = onnxruntime.InferenceSession(str(checkpoint.model), options, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(checkpoint.tokenizer))
    except Exception as problem:  # ONNX Runtime and tokenizers raise errors of their own, and plain ones
        raise Unavailable(f"{setup.name}: the model in {setup.folder} cannot be loaded: {_said(problem)}") from problem
    return _Loaded(setup.name, checkpoint, session, tokenizer)


class _Loaded:
    """A model and its tokenizer, at work in one thread at a time."""

    def __init__(self, name: str, checkpoint: Checkpoint, session: Any, tokenizer: Any) -> None:
        self._name, self._checkpoint, self._session, self._tokenizer = name, checkpoint, session, tokenizer
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._own = tokenizer.num_special_tokens_to_add(is_pair=True)
        if self._own < 1:
            raise Unavailable(f"{name}: its tokenizer.json does not part premise and claim (no post_processor)")
        self._feeds = {one.name: one.type for one in session.get_inputs()}
        if unknown := [one for one in self._feeds if one not in FEEDS]:
            raise Unavailable(f"{name}: its model wants {', '.join(unknown)}, which no tokenizer gives")
        if "input_ids" not in self._feeds:
            raise Unavailable(f"{name}: its model takes no input_ids")

    def best(self, claim: str, passage: str) -> tuple[dict[str, float], int, int]:
        """Return the probabilities of the clearest chunk, how many chunks were judged, and how many there are."""
        room = self._checkpoint.window - self._own - self._size(claim)
        if room < LEAST_ROOM:
            raise Unavailable(f"{self._name}: the claim is too long for a window of {self._checkpoint.window} tokens")
        parts = chunks(passage, self._size, room) or [passage]
        asked = nearest(parts, claim)
        found = [self._chances(part, claim) for part in asked]
        return max(found, key=lambda one: max(one["supports"], one.get("refutes", 0.0))), len(asked), len(parts)

    def _size(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def _chances(self, premise: str, claim: str) -> dict[str, float]:
        import numpy as np

        encoded = self._tokenizer.encode(premise, claim)
        given = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask, "token_type_ids": encoded.type_ids}
        types = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
        try:
            fed = {name: np.array([given[name]], dtype=types[kind]) for name, kind in self._feeds.items()}
            logits = np.asarray(self._session.run(None, fed)[0], dtype=np.float64)
        except Exception as problem:  # ONNX Runtime's errors are of many kinds
            raise Unavailable(f"{self._name}: its model failed: {_said(problem)}") from problem
        if logits.shape != (1, len(self._checkpoint.labels)):
            raise Unavailable(
                f"{self._name}: its model gives outputs of the shape {list(logits.shape)}, and id2label names "
                f"{len(self._checkpoint.labels)}"
            )
        return self._summed(logits[0].tolist())

    def _summed(self, logits: Sequence[float]) -> dict[str, float]:
        """Return the probability of each label; several outputs may mean the same."""
        if not all(map(math.isfinite, logits)):
            raise Unavailable(f"{self._name}: the outputs of its model are not finite numbers")
        top = max(logits)
        parts = [math.exp(logit - top) for logit in logits]
        found: dict[str, float] = dict.fromkeys(self._checkpoint.labels, 0.0)
        for label, part in zip(self._checkpoint.labels, parts, strict=True):
            found[label] += round(part / sum(parts), 6)  # the last digits differ between machines
        return {label: min(1.0, chance) for label, chance in found.items()}


def _said(problem: BaseException) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:300]
