"""A folder that holds an entailment model for ONNX Runtime, as it is exported: model.onnx, tokenizer.json, config.json.

Only the small files are read here. What the folder says is checked before the model is loaded.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veritas.claims.envelope import Label
from veritas.errors import InputError

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
    """A checked folder. `labels` are the meanings of the model's outputs, in their order; `window` is the most tokens
    of premise and claim with the tokenizer's own."""

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
