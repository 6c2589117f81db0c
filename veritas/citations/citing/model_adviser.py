"""The adviser that is a language model: it chooses and quotes, and has no field in which it could name a paper (I2)."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from veritas.council.chat import ChatModel
from veritas.council.prompt import Block, prompt
from veritas.council.structured_answer import ask
from veritas.frozen import Frozen
from veritas.registries.scholarly_source import Found

MAX_TEXT = 60_000
"""Limit in characters of a paper that one call sees; a longer one is read in parts."""


class _Claim(Frozen):
    claim: str = Field(min_length=1, max_length=1000)


class _Ranking(Frozen):
    numbers: tuple[int, ...] = Field(max_length=50)


class _Quotes(Frozen):
    quotes: tuple[str, ...] = Field(max_length=20)


class ModelAdviser:
    """An adviser that asks a model (see `Adviser`). Raises `UnreadableAnswer` for an answer that breaks the schema."""

    def __init__(self, model: ChatModel, name: str = "model", family: str = "model") -> None:
        self._model = model
        self.name, self.family = name, family

    async def distil(self, text: str) -> str:
        filled = prompt("citeclaim")
        slots = {"text": Block("text", text[:4000])}
        said = await ask(
            self._model,
            filled.fill(slots),
            _Claim,
            who=self.name,
            turn="distil",
            stage="decompose",
            prompt_id=filled.id,
        )
        return " ".join(said.claim.split())

    async def rank(self, claim: str, candidates: Sequence[Found]) -> Sequence[int]:
        filled = prompt("citerank")
        papers = [
            Block(f"paper {number}", f"{found.record.full_title}\n{(found.abstract or 'no abstract')[:1500]}")
            for number, found in enumerate(candidates, 1)
        ]
        said = await ask(
            self._model,
            filled.fill({"claim": Block("claim", claim), "papers": papers}),
            _Ranking,
            who=self.name,
            turn="rank",
            stage="research",
            prompt_id=filled.id,
        )
        chosen = dict.fromkeys(number - 1 for number in said.numbers if 1 <= number <= len(candidates))
        return list(chosen)

    async def propose(self, claim: str, text: str, *, limit: int) -> Sequence[str]:
        filled = prompt("citequote")
        found: list[str] = []
        for start in range(0, max(1, len(text)), MAX_TEXT - 2000):
            part = text[start : start + MAX_TEXT]
            said = await ask(
                self._model,
                filled.fill({"claim": Block("claim", claim), "paper": Block("paper", part), "limit": limit}),
                _Quotes,
                who=self.name,
                turn="quote",
                stage="extract",
                prompt_id=filled.id,
            )
            found += said.quotes
            if len(found) >= limit:
                break
        return found[: 3 * limit]
