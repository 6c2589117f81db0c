"""The embedder seam: texts in, one vector each out. Plug-ins register in the group `veritas.embedder`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from veritas import plugins
from veritas.errors import InputError, Unavailable, VeritasError

TextKind = Literal["document", "query"]
"""Some models embed a question otherwise than what is to answer it."""


@runtime_checkable
class Embedder(Protocol):
    """`model` names plug-in and model, `litellm:openai/text-embedding-3-small`: a corpus is locked to it."""

    @property
    def model(self) -> str: ...

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Sequence[Sequence[float]]:
        """A vector for each text, in order, all of one length. Raises `Unavailable` when none can be had."""
        ...


def load_embedder(name: str) -> Embedder:
    """The embedder of that name, `plug-in:model`. Raises `InputError` when there is none."""
    plug_in, colon, model = name.partition(":")
    if not colon or not model:
        raise InputError(
            f"{name!r} names no embedder: write plug-in:model, as in litellm:openai/text-embedding-3-small; "
            f"installed: {', '.join(sorted(plugins.installed('embedder'))) or 'none'}"
        )
    return _Checked(name, plugins.make("embedder", plug_in, Embedder, model))


class _Checked:
    """An embedder whose answers are looked at: whatever it does that its seam does not allow is no answer."""

    def __init__(self, name: str, inner: Embedder) -> None:
        self._name, self._inner = name, inner

    @property
    def model(self) -> str:
        return self._inner.model

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Sequence[Sequence[float]]:
        """See `Embedder`."""
        try:
            answer = await self._inner.embed(texts, kind)
            vectors = [[float(number) for number in vector] for vector in answer]
        except VeritasError:
            raise
        except Exception as error:  # a stranger's code
            raise Unavailable(f"the embedder {self._name} failed: {type(error).__name__}: {error}") from error
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) > 1:
            raise Unavailable(f"the embedder {self._name} did not answer with one vector of one length for each text")
        return vectors
