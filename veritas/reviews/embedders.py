"""The built-in embedders: hosted models through LiteLLM, and models on this machine in the extra `embeddings`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from veritas.errors import InputError, Unavailable
from veritas.keys import key, withheld_from_message
from veritas.reviews.embedder import TextKind

URL_SETTING = "VERITAS_EMBEDDINGS_URL"
KEY_SETTING = "VERITAS_EMBEDDINGS_KEY"
TIMEOUT = 60.0
"""Seconds for a request, the whole answer included."""
RETRIES = 2
PACKAGED = "l2_supercat_256"
"""The model that the package wordllama contains."""

_ASYMMETRIC = ("voyage/", "cohere/", "jina_ai/")
"""Providers whose models embed a question differently from its answers, and take `input_type`."""


class LiteLLMEmbedder:
    """A hosted model, or one behind one's own server (`VERITAS_EMBEDDINGS_URL`, OpenAI's protocol)."""

    def __init__(self, model: str) -> None:
        if "/" not in model:
            raise InputError(f"{model!r} names no embedding model: write provider/model, as LiteLLM does")
        self._model = model
        self.model = f"litellm:{model}"

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Sequence[Sequence[float]]:
        """See `Embedder`."""
        from veritas.council.litellm_model import _load

        if not texts:
            return []
        litellm = await asyncio.to_thread(_load)
        more: dict[str, Any] = {}
        if self._model.startswith(_ASYMMETRIC):
            cohere = self._model.startswith("cohere/")
            more["input_type"] = f"search_{kind}" if cohere else kind
        url = os.environ.get(URL_SETTING) or None
        secret = key((KEY_SETTING,)) or ("none" if url else None)
        for attempt in range(RETRIES + 1):
            try:
                async with asyncio.timeout(TIMEOUT):
                    response = await litellm.aembedding(
                        model=self._model, input=list(texts), api_base=url, api_key=secret, num_retries=0,
                        max_retries=0, encoding_format="float", **more,
                    )  # fmt: skip
                return _vectors(response, len(texts))
            except Exception as problem:  # LiteLLM lets any error through that a provider's malformed answer causes
                status = getattr(problem, "status_code", None)
                lasting = isinstance(status, int) and status < 500 and status not in (408, 429)
                if lasting or attempt == RETRIES:
                    said = " ".join(withheld_from_message(str(problem)).split())[:300] or type(problem).__name__
                    raise Unavailable(
                        f"{self.model} gave no embeddings: {said}. The corpus can be searched without them (--lexical)"
                    ) from problem
                await asyncio.sleep(0.5 * 2**attempt)
        raise AssertionError("unreachable")


def _vectors(response: Any, count: int) -> list[list[float]]:
    rows = sorted(response.data, key=lambda row: row["index"])
    vectors = [[float(number) for number in row["embedding"]] for row in rows]
    if len(vectors) != count or not all(vectors):
        raise ValueError(f"{len(vectors)} embeddings came for {count} texts")
    return vectors


class _OnThisMachine:
    """A static model of the extra `embeddings`, loaded at its first use: no network, no GPU, thousands of texts a
    second."""

    model: str
    _encode: Callable[[list[str]], Any] | None = None

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Sequence[Sequence[float]]:
        """See `Embedder`."""
        return await asyncio.to_thread(self._embed, list(texts))

    def _embed(self, texts: list[str]) -> list[list[float]]:
        if self._encode is None:
            try:
                self._encode = self._load()
            except ImportError as error:
                raise InputError(
                    f"{self.model} needs the extra: pip install 'veritas-research[embeddings]'"
                ) from error
            except (OSError, ValueError, KeyError) as error:
                raise InputError(f"{self.model} is no usable model: {error}") from error
        found: list[list[float]] = self._encode(texts).tolist()
        return found

    def _load(self) -> Callable[[list[str]], Any]:
        """Return the function that makes an array of vectors of texts."""
        raise NotImplementedError


class LocalEmbedder(_OnThisMachine):
    """A Model2Vec model in a folder of this machine."""

    def __init__(self, model: str) -> None:
        if not os.path.isdir(model):
            raise InputError(f"{model} is no folder: name the folder that a Model2Vec model was saved to")
        self.model = f"local:{model}"
        self._path = model

    def _load(self) -> Callable[[list[str]], Any]:
        from model2vec import StaticModel

        encode: Callable[[list[str]], Any] = StaticModel.from_pretrained(self._path).encode
        return encode


class PackagedEmbedder(_OnThisMachine):
    """A model that its package contains, WordLlama's of 256 numbers a text: nothing to download."""

    def __init__(self, model: str) -> None:
        if model != PACKAGED:
            raise InputError(f"the package wordllama holds one model: write wordllama:{PACKAGED}")
        self.model = f"wordllama:{PACKAGED}"

    def _load(self) -> Callable[[list[str]], Any]:
        import wordllama

        # Its weights lie in the package; without this folder it would look for its tokenizer on the network.
        folder = Path(wordllama.__file__).parent
        return partial(wordllama.WordLlama.load(cache_dir=folder, disable_download=True).embed, norm=True)
