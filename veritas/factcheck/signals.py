"""What a statement and a place of a page have in common and what differs, as numbers that the judge weighs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veritas.factcheck.arithmetic import Calculated, calculations
from veritas.factcheck.everyday import alike as everyday
from veritas.factcheck.everyday import opposites
from veritas.factcheck.guards import Stop, stops
from veritas.meaning.embedded.claim_evidence import Alignment, Passage, Statement, weight
from veritas.meaning.embedded.entailment import EmbeddedLens, plain
from veritas.meaning.embedded.features import features
from veritas.meaning.embedded.model import fitted
from veritas.text import wordnet
from veritas.text.tokens import Token

_STRONG = re.compile(
    r"(?i)\b(?:all|every|everyone|always|never|only|none|no one|exactly|entirely|completely|solely|alone|fully|first|"
    r"proves?|proved|proven|guarantees?|any time|beyond doubt|without restriction|around the clock|flawless\w*|"
    r"perfect\w*)\b"
)
_CAUSAL = re.compile(
    r"(?i)\b(?:because|cause[sd]?|causing|due to|thanks to|reason|result(?:ed|s)? (?:in|from)|led to|leads to|"
    r"therefore|drove|owing to|responsible for|so that)\b"
)
_PLANNED = re.compile(
    r"(?i)\b(?:will|plan(?:s|ned)?|going to|expects?|expected|forecast\w*|recommend\w*|propos\w*|asked for|wants?|next "
    r"year|would|intend\w*|put off|considering|should|may|might|could)\b"
)
_DENIED = re.compile(
    r"(?i)\b(?:not|no|never|none|nothing|nobody|neither|nor|without|cannot|\w+n['’]t|refused|denied|rejected|against|"
    r"lack\w*|failed|far from|rather than|instead of|unchanged|unlike|only few|hardly|barely|unknown)\b"
)
_MORE = re.compile(
    r"(?i)\b(?:more|higher|larger|greater|longer|above|over|up|rose|grew|increas\w+|gain\w*|climb\w*|faster|better|most|"
    r"largest|surpass\w*|exceed\w*)\b"
)
_LESS = re.compile(
    r"(?i)\b(?:less|lower|smaller|fewer|shorter|below|under|down|fell|shr[aiu]nk\w*|decreas\w+|declin\w+|lost|drop\w*|"
    r"slower|worse|least|smallest|reduc\w+|cheaper)\b"
)


@dataclass(frozen=True)
class Signals:
    """The numbers for a statement at a place of a page, and what they come from. `near` are the sentences that tell
    most of the statement, the best first."""

    values: Mapping[str, float]
    alignment: Alignment
    near: Sequence[Statement]
    stops: Sequence[Stop]
    calculated: Sequence[Calculated]
    covered: float

    @property
    def near_by(self) -> float:
        """How near the place is to the statement: the share of it that is met, less where a number of it is not."""
        return self.covered - 0.2 * self.values["stop_number"]


def signals(claim: Statement, window: str, about: str) -> Signals | None:
    """Return the signals of a claim at a window of a page; `about` is the page's title and the text around. None for a
    window without words."""
    alignment = Alignment(claim, Passage(window, claim))
    if not alignment.order:
        return None
    seen = plain(alignment)
    lens = EmbeddedLens().chances(alignment, seen)
    raw = fitted().chances(features(alignment))
    near = _near(alignment)
    said = " ".join(s.text for s in near)
    calculated = calculations(claim.text, said)
    found = stops(alignment, near, calculated, about)
    met = _met(alignment, near)
    covered = sum(m * w for m, w in zip(met, alignment.weights, strict=True)) / alignment.total
    unmet = [w for m, w in zip(met, alignment.weights, strict=True) if m < 0.5]
    values = dict(features(alignment))
    values |= {f"lens_{name}": value for name, value in lens.items()}
    values |= {f"raw_{name}": value for name, value in raw.items()}
    values |= {f"stop_{kind}": float(any(s.kind == kind for s in found)) for kind in
               ("number", "name", "opposite", "negation", "strength", "owner", "word")}  # fmt: skip
    values |= {f"conflict_{kind}": float(any(s.kind == kind and s.conflict for s in found)) for kind in
               ("number", "opposite", "negation", "word")}  # fmt: skip
    values |= {
        "covered": covered, "unmet_worst": max(unmet, default=0.0) / 7.5, "unmet_count": len(unmet) / 5,
        "unmet_share": len(unmet) / max(1, len(met)), "whole": float(not unmet),
        "calculated_agrees": float(any(c.agrees for c in calculated)),
        "calculated_differs": float(any(not c.agrees for c in calculated)),
        "opposite_words": float(_opposed(claim, near, met, alignment)),
        "said": float(seen.said), "excluded": float(seen.excluded), "elsewhere": float(seen.elsewhere),
        "doubted": float(seen.doubted),
    }  # fmt: skip
    values |= _forms(claim.text, near)
    return Signals(values, alignment, near, found, calculated, covered)


def _near(alignment: Alignment) -> list[Statement]:
    """Return the best sentence, and another two that tell more of the claim."""
    chosen = list(dict.fromkeys([alignment.order[0], *alignment.chain]))[:3]
    return [alignment.passage.statements[i] for i in chosen]


def _met(alignment: Alignment, near: Sequence[Statement]) -> list[float]:
    """Return how far each word of the claim is met near by, with everyday words and the lexicon's relations."""
    row = [0.0] * len(alignment.words)
    places = [s.index for s in near]
    for at, statement in enumerate(alignment.passage.statements):
        if statement.index in places:
            row = list(map(max, row, alignment.per_sentence[at]))
    words = [t for s in near for t in s.content]
    stems = frozenset(t.stem for t in words)
    return [m if m >= 0.5 else _loosely(word, words, stems) for m, word in zip(row, alignment.words, strict=True)]


def _loosely(word: Token, others: Sequence[Token], stems: frozenset[str]) -> float:
    if word.is_number:
        return 0.0
    if everyday(word.stem) & stems:
        return 0.8
    if word.text[0].isupper() and weight(word.stem) >= 7:
        return 0.0
    for other in others:
        if other.is_number:
            continue
        if wordnet.synonyms(word.text, other.text) or wordnet.derived(word.text, other.text):
            return 0.8
        if wordnet.broader(other.text, word.text):
            return 0.6
    return 0.0


def _opposed(claim: Statement, near: Sequence[Statement], met: Sequence[float], alignment: Alignment) -> int:
    """Return how many words of the claim that are not met have an opposite near by."""
    stems = frozenset(t.stem for s in near for t in s.tokens)
    loose = frozenset(w.stem for w, m in zip(alignment.words, met, strict=True) if m >= 0.95)
    count = 0
    for token in claim.tokens:
        if token.stem in loose or token.stem in stems:
            continue
        if opposites(token.stem) & stems:
            count += 1
    return count


def _forms(claim: str, near: Sequence[Statement]) -> dict[str, float]:
    best, said = near[0].text, " ".join(s.text for s in near)
    found: dict[str, float] = {}
    for name, pattern in (("strong", _STRONG), ("causal", _CAUSAL), ("planned", _PLANNED), ("denied", _DENIED)):
        mine, theirs, around = (bool(pattern.search(text)) for text in (claim, best, said))
        found |= {f"{name}_claim_alone": float(mine and not around), f"{name}_source_alone": float(theirs and not mine)}
        found[f"{name}_both"] = float(mine and theirs)
    lean = [len(_MORE.findall(text)) - len(_LESS.findall(text)) for text in (claim, best)]
    found["lean_against"] = float(lean[0] * lean[1] < 0)
    found["lean_with"] = float(lean[0] * lean[1] > 0)
    return found
