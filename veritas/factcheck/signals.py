"""What a statement and a place of a page have in common and what differs, as numbers that the judge weighs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veritas.factcheck.arithmetic import Calculated, calculations
from veritas.factcheck.everyday import alike as everyday
from veritas.factcheck.everyday import opposites
from veritas.factcheck.guards import Stop, stops
from veritas.factcheck.likeness import Turned, likeness, turned
from veritas.factcheck.rounding import as_much
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


NUMBER = 5.0
"""Weight of a number of the claim, on the scale of words' weights."""


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
    framed: float
    turned: Turned

    @property
    def near_by(self) -> float:
        """How near the place is to the statement: the share of it that is met, less where a number of it is not."""
        return self.framed


def signals(claim: Statement, window: str, about: str) -> Signals | None:
    """Return the signals of a claim at a window of a page; `about` is the page's title and the text around. None for a
    window without words."""
    alignment = Alignment(claim, Passage(window, claim))
    if not alignment.order:
        return None
    seen = plain(alignment)
    lens = EmbeddedLens().chances(alignment, seen)
    raw = fitted().chances(features(alignment))
    near = _near(claim, alignment)
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
    over = turned(claim, near[0])
    values |= _likeness(claim, near, over)
    return Signals(values, alignment, near, found, calculated, covered, framed(claim, near), over)


def _likeness(claim: Statement, near: Sequence[Statement], over: Turned) -> dict[str, float]:
    one, all_of_them = likeness(claim, near[:1]), likeness(claim, near)
    unmet = [word.weight for word in all_of_them.unmet]
    flip = bool(over.flips)
    numbers = [q for q in claim.quantities if q.text.casefold() not in ("one", "a", "an")]
    held = [any(as_much(q, o, claim.text) for s in near for o in s.quantities) for q in numbers]
    there = all(any(as_much(q, o, claim.text) for o in near[0].quantities) for q in numbers)
    return {
        "like_one": one.covered, "like_all": all_of_them.covered, "framed_one": one.framed,
        "framed_all": all_of_them.framed, "like_unmet": len(unmet) / 5, "like_worst": max(unmet, default=0.0) / 7.5,
        "like_weight": sum(unmet) / 15, "turned": float(bool(one.opposed)), "turned_all": float(bool(all_of_them.opposed)),
        "turned_strong": float(bool(one.opposed) and one.framed > 0.6), "flipped": float(flip),
        "flipped_framed": flip * one.framed, "unflipped_covered": (not flip) * all_of_them.covered,
        "numbers": float(bool(numbers)), "numbers_there": float(there), "numbers_held": float(bool(held) and all(held)),
        "numbers_lost": float(not all(held)), "framed_numbers_lost": float(not all(held)) * one.framed,
        "compared": float(bool(_COMPARED.search(claim.text))),
        "timed": float(bool(_TIMED.search(claim.text)) and not any(_TIMED.search(s.text) for s in near)),
        "caused": float(bool(_CAUSAL.search(claim.text)) and not any(_CAUSAL.search(s.text) for s in near)),
        "single": float(len(near) == 1), "even": float(over.even),
    }


_COMPARED = re.compile(r"(?i)\b(?:\w{3,}er|more|less|fewer|worse|as \w+ as)\b.{0,60}?\b(?:than|as)\b|\b\w{3,}est\b|\bmost\b")
_TIMED = re.compile(r"(?i)\b(?:already|still|have been|has been|ever since|yet|no longer|now)\b")


def _near(claim: Statement, alignment: Alignment) -> list[Statement]:
    """Return the sentence that tells most of the claim, with its numbers and names, and up to two that add to it."""
    said = alignment.passage.statements
    alone = {i: framed(claim, [said[i]]) for i in range(len(said))}
    first = max(alone, key=lambda i: (alone[i], alignment.coverage[i], -i))
    chosen = [first]
    while len(chosen) < 3:
        now = framed(claim, [said[i] for i in chosen])
        more = {i: framed(claim, [said[j] for j in chosen] + [said[i]]) for i in alone if i not in chosen}
        if not more:
            break
        best = max(more, key=lambda i: (more[i], alignment.coverage[i], -i))
        if more[best] <= now + 0.01:
            break
        chosen.append(best)
    return [said[i] for i in chosen]


def framed(claim: Statement, sentences: Sequence[Statement]) -> float:
    """Return the share of a claim that sentences speak of, opposites and numbers counted, 0 to 1."""
    words = likeness(claim, sentences).words
    numbers = [q for q in claim.quantities if q.text.casefold() not in ("one", "a", "an")]
    held = sum(any(as_much(q, o, claim.text) for s in sentences for o in s.quantities) for q in numbers)
    total = sum(w.weight for w in words) + NUMBER * len(numbers)
    met = sum(w.weight * max(w.met, 0.8 * bool(w.against)) for w in words) + NUMBER * held
    return met / total if total else 0.0


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
