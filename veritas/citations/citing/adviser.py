"""The judgment in citing: what is claimed, which paper to read first, which passages say it. Code checks all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from veritas.errors import Unavailable
from veritas.meaning.embedded import EmbeddedLens
from veritas.meaning.embedded.claim_evidence import weight
from veritas.meaning.lens import Lens
from veritas.registries.scholarly_source import Found
from veritas.text.sentences import split_sentences
from veritas.text.tokens import tokens
from veritas.works.title_comparison import title_words

MAX_SENTENCES = 40
"""Sentences of a paper that are judged: those that share most of the claim's weight."""
_HEDGE = re.compile(
    r"^\s*(?:it (?:is|has been) (?:well[- ])?(?:known|shown|demonstrated|reported|established|found|argued) that"
    r"|(?:recent|prior|previous|several|many) (?:work|works|studies|papers|research) (?:has |have )?"
    r"(?:shown?|demonstrated?|reported?|found|suggests?) that|as (?:shown|reported|noted) (?:by|in) [^,]{1,60},"
    r"|(?:we|i) (?:know|believe|note) that|note that|research(?:\([^)]*\))?:)\s*",
    re.IGNORECASE,
)
_MARKS = re.compile(r"\s*(?:\[[\^@]?[\w:,;. -]{1,40}\]|\\cite\w*\{[^{}]*\})")
_YEAR = r",? \(?((?:19|20)\d\d)[a-z]?\)?"
# Two names need a year: `Loss and Accuracy` is nobody's.
_ATTRIBUTED = re.compile(
    rf"\s*\(?(?:\b[A-Z][\w'’-]+ )?\b([A-Z][\w'’-]+)(?: et al\b\.?(?:{_YEAR})?| (?:and|&) [A-Z][\w'’-]+{_YEAR})\)?"
)
_SAYING = re.compile(
    r"^(?:show(?:s|ed)?|demonstrate[sd]?|report(?:s|ed)?|found|prove[sd]?|argue[sd]?) that\s+", re.IGNORECASE
)


@runtime_checkable
class Adviser(Protocol):
    """Proposes; never decides. Raises `Unavailable` when it cannot answer."""

    @property
    def name(self) -> str: ...

    @property
    def family(self) -> str:
        """Whose choice the excerpts are: no lens of this family judges them (I4)."""
        ...

    async def distil(self, text: str) -> str:
        """The one assertion in a text that needs grounding."""
        ...

    async def rank(self, claim: str, candidates: Sequence[Found]) -> Sequence[int]:
        """Positions of the candidates that may support the claim, best first; those that cannot are left out."""
        ...

    async def propose(self, claim: str, text: str, *, limit: int) -> Sequence[str]:
        """Passages of `text`, word for word, that say the claim, best first; none if none does."""
        ...


class EmbeddedAdviser:
    """Without a model: rules, weighted words and the embedded lens. What it proposes is a sentence of the text."""

    name = "embedded"

    def __init__(self, lens: Lens | None = None, *, supports: float = 0.55) -> None:
        self._lens = lens or EmbeddedLens()
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
    """The claim without `Baruch et al. (2019)`: who said it is checked apart from what was said."""
    bare = " ".join(_ATTRIBUTED.sub(" ", claim).split())
    return _SAYING.sub("", bare).strip(" ,")


def attribution(text: str) -> tuple[str, int | None] | None:
    """The first author's surname and the year that a text attributes the paper to, if it does so."""
    found = _ATTRIBUTED.search(text)
    year = (found[2] or found[3]) if found else None
    return (found[1], int(year) if year else None) if found else None


def search_words(claim: str, hint: str | None) -> str:
    """What is searched for: the words of the claim that weigh most, in their order, and the hint's."""
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
