"""The embedder seam: texts in, a vector for each out. Plug-ins register in the group `veritas.embedder`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from veritas import plugins
from veritas.errors import InputError, Unavailable, VeritasError

TextKind = Literal["document", "query"]
"""The kind of a text to embed; some models embed a question differently from its answers."""


@runtime_checkable
class Embedder(Protocol):
    """An embedder. `model` names plug-in and model, `litellm:openai/text-embedding-3-small`; it locks a corpus."""

    @property
    def model(self) -> str: ...

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Sequence[Sequence[float]]:
        """Return a vector for each text, in order, all of one length. Raises `Unavailable` if none can be had."""
        ...


def load_embedder(name: str) -> Embedder:
    """Return the embedder of that name, `plug-in:model`. Raises `InputError` if there is none."""
    plug_in, colon, model = name.partition(":")
    if not colon or not model:
        raise InputError(
            f"{name!r} names no embedder: write plug-in:model, as in litellm:openai/text-embedding-3-small; "
            f"installed: {', '.join(sorted(plugins.installed('embedder'))) or 'none'}"
        )
    return _Checked(name, plugins.make("embedder", plug_in, Embedder, model))


class _Checked:
    """An embedder whose answers are checked; one that breaks the seam's contract becomes `Unavailable`."""

    def __init__(self, name: str, inner: Embedder) -> None:
        self._name, self._inner = name, inner

    @property
    def model(self) -> str:
        return self._inner.model

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Sequence[Sequence[float]]:
        """See `Embedder`."""
        try:
            answer = await plugins.contained(self._inner.embed(texts, kind), f"the embedder {self._name} failed")
            vectors = [[float(number) for number in vector] for vector in answer]
        except VeritasError:
            raise
        except Exception as error:  # a stranger's code
            raise Unavailable(f"the embedder {self._name} failed: {plugins.said(error)}") from error
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) > 1:
            raise Unavailable(f"the embedder {self._name} did not answer with one vector of one length for each text")
        return vectors
