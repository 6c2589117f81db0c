"""The learned judge: a small cross-encoder, run by ONNX Runtime on one thread, from the package `veritas-judge`.

The package is optional. Without it `learned()` is None, and the judge falls back on words (`lexical.py`) and says so.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from veritas.errors import InputError

WINDOW = 256
"""Tokens of claim and text together that the model reads."""
CLAIM = 96
"""Tokens of a claim that are read."""
BATCH = 2048
"""Tokens that are judged at once; texts of like length go together."""
KEPT = 50_000
"""Number of judged pairs whose chances are kept in memory."""


class Chances(NamedTuple):
    """Probabilities, together 1, that a text supports a claim, refutes it, or is silent on it."""

    supports: float
    refutes: float
    silent: float


class Learned:
    """The model in a folder with `judge.onnx`, `tokenizer.json` and `card.json`. Deterministic; safe in threads."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # sums in one order: the same digits
        options.log_severity_level = 4
        weights = (folder / "judge.onnx").read_bytes()
        self._session: Any = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        self._tokens: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokens.no_padding()
        self._tokens.no_truncation()
        card = _card(folder)
        if hashlib.sha256(weights).hexdigest() != card["sha256"]:
            raise InputError(f"{folder} holds other weights than its card.json is for: install veritas-judge again")
        self._scale: Sequence[float] = card["calibration"]["scale"]
        self._shift: Sequence[float] = card["calibration"]["shift"]
        self._known: dict[tuple[str, str], Chances] = {}

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        return [len(each.ids) for each in self._encoded(texts)]

    def _encoded(self, texts: Sequence[str]) -> Any:
        whole = [text.encode("utf-8", "replace").decode() for text in texts]  # half of a surrogate pair is no text
        return self._tokens.encode_batch(whole, add_special_tokens=False)

    def chances(self, pairs: Sequence[tuple[str, str]]) -> list[Chances]:
        """Return the calibrated chances of each pair of a claim and a text. What is beyond the window is not read."""
        todo = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if len(self._known) + len(todo) > KEPT:
            todo = list(dict.fromkeys(pairs))
            self._known = {}
        made = dict(zip(todo, self._judged(todo), strict=True))
        known = self._known
        known.update(made)
        return [made.get(pair) or known[pair] for pair in pairs]

    def _judged(self, pairs: Sequence[tuple[str, str]]) -> list[Chances]:
        if not pairs:
            return []
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        encoded = self._encoded(texts)
        read = {text: _pieces(text, each) for text, each in zip(texts, encoded, strict=True)}
        rows = []
        for claim, text in pairs:
            first = read[claim][:CLAIM]
            rows.append((first, read[text][: WINDOW - 3 - len(first)]))
        found: list[Chances | None] = [None] * len(rows)
        order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]) + len(rows[i][1]))
        start = 0
        while start < len(order):
            end, widest = start, 0
            while end < len(order):
                width = sum(map(len, rows[order[end]])) + 3
                if end > start and width * (end + 1 - start) > BATCH:
                    break
                end, widest = end + 1, width
            batch = order[start:end]
            for i, logits in zip(batch, self._run([rows[i] for i in batch], widest), strict=True):
                found[i] = self._calibrated(logits)
            start = end
        return [each for each in found if each is not None]

    def _run(self, rows: Sequence[tuple[list[_Piece], list[_Piece]]], width: int) -> Any:
        import numpy as np

        ids = np.zeros((len(rows), width), np.int64)
        mask, types = np.zeros_like(ids), np.zeros_like(ids)
        for row, (claim, text) in enumerate(rows):
            joint, end = len(claim) + 2, len(claim) + len(text) + 3
            whole = [(_CLS, False), *claim, (_SEP, False), *text, (_SEP, False)]
            ids[row, :end] = [number for number, _ in whole]
            mask[row, :end] = 1
            types[row, joint:end] = 1
            types[row, :end] += 2 * np.array([capital for _, capital in whole])
        return self._session.run(None, {"ids": ids, "mask": mask, "types": types})[0].tolist()

    def _calibrated(self, logits: Sequence[float]) -> Chances:
        scaled = [x * scale + shift for x, scale, shift in zip(logits, self._scale, self._shift, strict=False)]
        top = max(scaled)
        parts = [math.exp(x - top) for x in scaled]
        total = sum(parts)
        return Chances(*(round(part / total, 6) for part in parts))  # the last digits differ between machines


_CLS, _SEP = 101, 102
_Piece = tuple[int, bool]
"""The number of a word piece, and whether it has a capital letter, which the vocabulary does not tell."""


def _pieces(text: str, encoded: Any) -> list[_Piece]:
    limit = WINDOW
    parts = ((number, text[a:b]) for number, (a, b) in zip(encoded.ids[:limit], encoded.offsets[:limit], strict=True))
    return [(number, part != part.lower()) for number, part in parts]


def _card(folder: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((folder / "card.json").read_text("utf-8"))
    return made



NEEDED = ("veritas_judge", "onnxruntime", "tokenizers", "numpy")
MISSING = "the learned judge is not installed (veritas-judge): words and exact terms alone decide"


@lru_cache(maxsize=1)
def learned() -> Learned | None:
    """Return the installed model, loaded once; None where it, or what runs it, is not installed."""
    if any(find_spec(name) is None for name in NEEDED):
        return None
    import veritas_judge

    return Learned(Path(veritas_judge.__file__).parent)


def fingerprint() -> str:
    """Return what identifies the judge's mechanism: the hash of the weights, or "words" without them. It is part of
    the input hash of a stage that judges."""
    if any(find_spec(name) is None for name in NEEDED):
        return "words"
    import veritas_judge

    return str(_card(Path(veritas_judge.__file__).parent)["sha256"])
