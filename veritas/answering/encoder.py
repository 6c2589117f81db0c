"""An encoder of words in their context, given as a folder: how closely a text meets a question."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veritas.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SETTING = "VERITAS_ENCODER"
"""The variable that names a folder with an encoder."""
RUNTIME = ("onnxruntime", "tokenizers")
"""What runs one (the extra `onnx`)."""
WINDOW = 256
"""Tokens of a text that are read."""
KEPT = 4096
"""Number of pairs of question and text of which the meeting is kept."""


class Encoder:
    """A model of ONNX Runtime that turns each token of a text into a vector, in its context.

    Raises `InputError` for files that hold no such model.
    """

    def __init__(self, model: Path, tokenizer: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        settings.log_severity_level = 4
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(model), settings, providers=["CPUExecutionProvider"]
            )
            self._tokens: Any = Tokenizer.from_file(str(tokenizer))
            self._tokens.no_padding()
            self._tokens.enable_truncation(WINDOW)
            self._fed = {each.name for each in self._session.get_inputs()}
            self.vectors("a word")
        except Exception as error:  # ONNX Runtime and tokenizers raise classes of their own
            raise InputError(f"{model.parent} holds no encoder that can be run: {error}") from error
        self.meets = lru_cache(maxsize=KEPT)(self._meets)

    def vectors(self, text: str) -> NDArray[np.float32]:
        """Return a vector of length 1 for each token of a text, of the first `WINDOW` ones."""
        import numpy as np

        ids = np.array([self._tokens.encode(text).ids], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        found = self._session.run(None, {name: feeds[name] for name in feeds if name in self._fed})[0][0]
        if found.ndim != 2 or len(found) != ids.shape[1]:
            raise ValueError("its first output is no vector for each token")
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray(found / np.maximum(lengths, 1e-9), dtype=np.float32)

    def _meets(self, question: str, text: str) -> float:
        """Return how closely a text meets a question, -1 to 1: the mean over the tokens of the question of the
        similarity of the most similar token of the text (late interaction)."""
        asked = _asked(self, question)
        return float((asked @ self.vectors(text).T).max(axis=1).mean())


@lru_cache(maxsize=64)
def _asked(encoder: Encoder, question: str) -> NDArray[np.float32]:
    """Return the vectors of a question's tokens without the marks around them."""
    found = encoder.vectors(question)
    return found[1:-1] if len(found) > 2 else found


def encoder() -> Encoder | None:
    """Return the encoder of the folder that `VERITAS_ENCODER` names, None where it names none. Raises `InputError` for
    a folder that holds none, and where what runs it is not installed."""
    named = os.environ.get(SETTING, "").strip()
    return _encoder(named) if named else None


@lru_cache(maxsize=4)
def _encoder(named: str) -> Encoder:
    missing = [name for name in RUNTIME if find_spec(name) is None]
    if missing:
        raise InputError(f"{SETTING} needs {' and '.join(missing)}: pip install 'veritas-research[onnx]'")
    folder = Path(named)
    found = [folder / name for name in _MODELS if (folder / name).is_file()]
    if not found or not (folder / "tokenizer.json").is_file():
        raise InputError(f"{SETTING}: {folder} has no {' or '.join(_MODELS)} with a tokenizer.json beside it")
    return Encoder(found[0], folder / "tokenizer.json")


_MODELS: Sequence[str] = ("model.onnx", "onnx/model_quantized.onnx", "onnx/model.onnx")
