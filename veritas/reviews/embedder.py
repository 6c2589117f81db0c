"""The embedder seam: texts in, one vector each out. Plug-ins register in the group `veritas.embedder`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from veritas import plugins
from veritas.errors import InputError

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
    embedder: Embedder = plugins.load("embedder", plug_in)(model)
    return embedder
