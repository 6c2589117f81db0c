"""The encoder: texts as vectors that are close for similar meanings (all-MiniLM-L6-v2, in `veritas-judge`).

The package is optional. Without it `encoder()` is None, and passages are ranked by their words only.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WINDOW = 96
"""Tokens of a text that are read."""
WIDTH = 384
"""Numbers of a vector."""
KEPT = 1 << 16
"""Number of vectors that are held in memory, and in a file before it is begun anew."""
NEEDED = ("veritas_judge", "onnxruntime", "tokenizers", "numpy")
_KEY = 16
_ROW = _KEY + 2 * WIDTH


class Encoder:
    """The model in a folder with `encoder.onnx`, `tokenizer.json` and `card.json`. Deterministic and thread-safe.

    `fingerprint` identifies its vectors: the weights, and how much of a text it reads.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.fingerprint = f"{json.loads((folder / 'card.json').read_text('utf-8'))['encoder']} {WINDOW}"
        self._lock = threading.Lock()
        self._session: Any = None
        self._known: dict[bytes, NDArray[np.float16]] = {}
        self._read: set[Path] = set()

    def vectors(self, texts: Sequence[str], kept: Path | None = None) -> NDArray[np.float32]:
        """Return a vector of length 1 for each text (texts × 384), from its first `WINDOW` tokens.

        Vectors in the file `kept` are reused, and new ones are appended; a file that cannot be written is ignored.
        """
        import numpy as np

        keys = [
            hashlib.blake2b(f"{self.fingerprint}\n{text}".encode("utf-8", "replace"), digest_size=_KEY).digest()
            for text in texts
        ]
        with self._lock:
            if kept is not None and kept not in self._read:
                self._read.add(kept)
                self._known.update(_rows_of(kept))
            new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
            if len(self._known) + len(new) > KEPT:
                self._known, new = {}, dict(zip(keys, texts, strict=True))
            made = {key: self._vector(text) for key, text in new.items()}
            self._known.update(made)
            if kept is not None and made:
                _append(kept, made)
            return np.array([self._known[key] for key in keys], dtype=np.float32).reshape(len(keys), WIDTH)

    def _vector(self, text: str) -> NDArray[np.float16]:
        """Return the vector of one text, encoded alone, because the scale of the int8 sums depends on the whole input.
        """
        import numpy as np

        if self._session is None:
            self._open()
        ids = np.array([self._tokens.encode(text.encode("utf-8", "replace").decode()).ids], dtype=np.int64)
        feeds = {"ids": ids, "mask": np.ones_like(ids), "types": np.zeros_like(ids)}
        found: NDArray[np.float16] = self._session.run(None, feeds)[0][0].astype(np.float16)
        return found

    def _open(self) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # sums in one order: the same digits
        options.log_severity_level = 4
        self._tokens: Any = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        self._tokens.no_padding()
        self._tokens.enable_truncation(WINDOW)
        path = str(self._folder / "encoder.onnx")
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _rows_of(path: Path) -> dict[bytes, NDArray[np.float16]]:
    """Return the vectors of a file by their key, the hash of encoder and text; none of a file that is absent."""
    import numpy as np

    try:
        data = path.read_bytes()
    except OSError:
        return {}
    rows = np.frombuffer(data[: len(data) // _ROW * _ROW], dtype=np.dtype([("key", f"S{_KEY}"), ("at", "<f2", WIDTH)]))
    vectors = rows["at"]
    return {data[at * _ROW : at * _ROW + _KEY]: vectors[at] for at in range(len(rows))}


def _append(path: Path, made: dict[bytes, NDArray[np.float16]]) -> None:
    """Append vectors to a file in one write, so that parallel processes do not split each other's rows."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        full = path.exists() and path.stat().st_size // _ROW > KEPT
        torn = path.exists() and path.stat().st_size % _ROW
        if full or torn:
            path.unlink()
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, b"".join(key + vector.tobytes() for key, vector in made.items()))
        finally:
            os.close(handle)


_MAKING = threading.Lock()


def encoder() -> Encoder | None:
    """Return the installed encoder, one for all threads; None if it or its runtime is not installed."""
    with _MAKING:
        return _encoder()


@lru_cache(maxsize=1)
def _encoder() -> Encoder | None:
    if any(find_spec(name) is None for name in NEEDED):
        return None
    import veritas_judge

    folder = Path(veritas_judge.__file__).parent
    return Encoder(folder) if (folder / "encoder.onnx").is_file() else None
