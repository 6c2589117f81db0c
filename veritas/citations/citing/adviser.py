"""The judgment in citing: the claim, the order of papers to read, the supporting passages. Code checks all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from veritas.citations.citing.attributions import find_attribution
from veritas.errors import Unavailable
from veritas.judging.evidence import weight
from veritas.judging.lens import Lens
from veritas.judging.lenses import strict_lens
from veritas.registries.scholarly_source import Found
from veritas.text.sentences import split_sentences
from veritas.text.tokens import tokens
from veritas.works.title_comparison import title_words

MAX_SENTENCES = 40
"""Limit of a paper's sentences that are judged: those that share most of the claim's weight."""
_HEDGE = re.compile(
    r"^\s*(?:it (?:is|has been) (?:well[- ])?(?:known|shown|demonstrated|reported|established|found|argued) that"
    r"|(?:recent|prior|previous|several|many) (?:work|works|studies|papers|research) (?:has |have )?"
    r"(?:shown?|demonstrated?|reported?|found|suggests?) that|as (?:shown|reported|noted) (?:by|in) [^,]{1,60},"
    r"|(?:we|i) (?:know|believe|note) that|note that|research(?:\([^)]*\))?:)\s*",
    re.IGNORECASE,
)
_MARKS = re.compile(r"\s*(?:\[[\^@]?[\w:,;. -]{1,40}\]|\\cite\w*\{[^{}]*\})")
_SAYING = re.compile(
    r"^(?:show(?:s|ed)?|demonstrate[sd]?|report(?:s|ed)?|found|prove[sd]?|argue[sd]?) that\s+", re.IGNORECASE
)


@runtime_checkable
class Adviser(Protocol):
    """An adviser proposes and never decides. Raises `Unavailable` when it cannot answer."""

    @property
    def name(self) -> str: ...

    @property
    def family(self) -> str:
        """Model family that chose the excerpts: no lens of this family judges them (I4)."""
        ...

    async def distil(self, text: str) -> str:
        """Return the one assertion in a text that needs grounding."""
        ...

    async def rank(self, claim: str, candidates: Sequence[Found]) -> Sequence[int]:
        """Return positions of the candidates that may support the claim, best first; the others are left out."""
        ...

    async def propose(self, claim: str, text: str, *, limit: int) -> Sequence[str]:
        """Return passages of `text`, word for word, that say the claim, best first; none if none does."""
        ...


class EmbeddedAdviser:
    """An adviser without a model: rules, weighted words and the embedded lens in strict mode. It proposes sentences of
    the text."""

    name = "embedded"

    def __init__(self, *, supports: float = 0.55) -> None:
        self._lens: Lens = strict_lens()
        self.family = self._lens.family
        self._supports = supports

    async def distil(self, text: str) -> str:
        plain = _MARKS.sub("", _HEDGE.sub("", " ".join(text.split())))
        spans = split_sentences(plain)
        return (plain[spans[0][0] : spans[0][1]] if spans else plain).strip()

    async def rank(self, claim: str, candidates: Sequence[Found]) -> Sequence[int]:
        wanted = _weights(claim)
        scored = []
        for at, found in enumerate(candidates):
            text = f"{found.record.full_title or ''}. {found.abstract or ''}"
            share = _share(wanted, {token.stem for token in tokens(text)})
            scored.append((-share, at))
        least = 0.2
        return [at for share, at in sorted(scored) if -share >= least]

    async def propose(self, claim: str, text: str, *, limit: int) -> Sequence[str]:
        wanted = _weights(claim)
        scored = []
        for start, end in split_sentences(text):
            sentence = text[start:end]
            if not 20 <= len(sentence) <= 1500:
                continue
            share = _share(wanted, {token.stem for token in tokens(sentence)})
            if share >= 0.3:
                scored.append((-share, start, sentence))
        found = []
        for _, start, sentence in sorted(scored)[:MAX_SENTENCES]:
            judgment = await self._lens.judge(claim, sentence)
            if judgment.label == "unavailable":
                raise Unavailable(f"the lens {self._lens.name} cannot judge: {judgment.rationale}")
            if judgment.label == "supports" and judgment.score >= self._supports:
                found.append((-judgment.score, start, sentence))
        return [sentence for _, _, sentence in sorted(found)[:limit]]


def without_attribution(claim: str) -> str:
    """Return the claim without `Baruch et al. (2019)`; attributions are checked on their own."""
    said = find_attribution(claim)
    bare = claim if said is None else f"{claim[: said.start]} {claim[said.end :]}"
    return _SAYING.sub("", " ".join(bare.split())).strip(" ,")


def attribution(text: str) -> tuple[str, int | None] | None:
    """Return the first author's surname and the year that a text attributes the paper to, if it does."""
    found = find_attribution(text)
    return None if found is None else (found.surname, found.year)


def search_words(claim: str, hint: str | None) -> str:
    """Return the query of a search: the claim's words of most weight, in their order, and the hint's."""
    if hint and len(title_words(hint)) >= 4 and attribution(hint) is None:
        return hint[:300]
    listed = [token for token in tokens(claim) if weight(token.stem) > 2]
    heavy = sorted(listed, key=lambda token: -weight(token.stem))[:8]
    words = list(dict.fromkeys(token.text for token in listed if token in heavy))
    named = attribution(hint) if hint else None
    return " ".join(([named[0]] if named else []) + words)


def _weights(text: str) -> dict[str, float]:
    return {token.stem: weight(token.stem) for token in tokens(text)}


def _share(wanted: dict[str, float], there: set[str]) -> float:
    total = sum(wanted.values())
    return sum(value for stem, value in wanted.items() if stem in there) / total if total else 0.0
