"""Agreement of lenses beyond chance, measured on their answers.

A panel of lenses with correlated errors admits whatever one of them admits (verification-gate spec: diversity, not
count, is the load-bearing variable). `unavailable` is no answer and is not counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from math import sqrt

from veritas.frozen import Frozen

ENOUGH = 30
"""Items that two lenses must both have judged before anything is said about their likeness."""
ALIKE = 0.8
"""Kappa from which two lenses are suspected to be one, if the interval's lower end is above `SURELY`."""
SURELY = 0.6
TOGETHER = 0.8
"""Share of the dissents of either lens that both make, in the same words, from which they are suspected to be one."""
DISSENTS = 10
"""Dissents needed for that suspicion."""

Answers = Mapping[str, Mapping[Hashable, str]]
"""Labels by lens and item."""


class PairAgreement(Frozen):
    """Two lenses on the `items` that both judged.

    `kappa` is Cohen's, None if chance alone would agree on all; `low` and `high` its 95 % interval: Wilson's for the
    observed agreement, at the observed chance agreement. `dissents` counts items on which at least one of the two
    differs from the majority of the other lenses; `together` those of them on which both agree.
    """

    first: str
    second: str
    items: int
    agreement: float
    kappa: float | None
    low: float | None
    high: float | None
    dissents: int
    together: int
    warning: str | None = None


class LensShare(Frozen):
    """A lens: the items it judged, those it judged beside at least two others, and how often all others agreed against
    it."""

    lens: str
    judged: int
    among: int
    lone_dissents: int
    share: float | None
    """`lone_dissents` / `among`; None where it never judged beside two others."""


class Agreement(Frozen):
    """All lenses together. `fleiss` is Fleiss' kappa over the `items` that two or more judged, by any number of lenses
    each."""

    lenses: tuple[LensShare, ...]
    pairs: tuple[PairAgreement, ...]
    fleiss: float | None
    items: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about pairs that look like one lens."""
        return tuple(p.warning for p in self.pairs if p.warning is not None)


def cohen(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Return Cohen's kappa of two lenses' labels on the same items; None without items, or if there is only one label.
    """
    n = len(first)
    if n == 0 or n != len(second):
        return None
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = _chance(first, second)
    return None if chance >= 1.0 else (observed - chance) / (1.0 - chance)


def _chance(first: Sequence[str], second: Sequence[str]) -> float:
    n, one, other = len(first), Counter(first), Counter(second)
    return sum(one[label] * other[label] for label in one) / (n * n)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a share of `hits` in `n`, which must be positive."""
    share, z = hits / n, 1.959964
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def fleiss(items: Iterable[Sequence[str]]) -> float | None:
    """Return Fleiss' kappa over items with two or more labels each, of any number of lenses.

    None if there are no such items, or only one label. With unequal numbers each item counts by its pairs of labels as
    a share of one item.
    """
    counted = [Counter(labels) for labels in items if len(labels) >= 2]
    if not counted:
        return None
    total = sum(sum(c.values()) for c in counted)
    shares: Counter[str] = Counter()
    observed = 0.0
    for c in counted:
        n = sum(c.values())
        observed += (sum(v * v for v in c.values()) - n) / (n * (n - 1))
        shares.update(c)
    observed /= len(counted)
    chance = sum((v / total) ** 2 for v in shares.values())
    return None if chance >= 1.0 else (observed - chance) / (1.0 - chance)


def measure(answers: Answers) -> Agreement:
    """Return the agreement of all lenses in `answers`; labels `unavailable` are left out."""
    given = {
        lens: {item: label for item, label in labels.items() if label != "unavailable"}
        for lens, labels in answers.items()
    }
    by_item: dict[Hashable, dict[str, str]] = defaultdict(dict)
    for lens, labels in given.items():
        for item, label in labels.items():
            by_item[item][lens] = label
    shared = [labels for labels in by_item.values() if len(labels) >= 2]
    return Agreement(
        lenses=tuple(_share(lens, by_item.values(), len(labels)) for lens, labels in given.items()),
        pairs=tuple(
            pair
            for first, second in combinations(given, 2)
            if (pair := _pair(first, second, [s for s in shared if first in s and second in s])) is not None
        ),
        fleiss=fleiss([list(labels.values()) for labels in shared]),
        items=len(shared),
    )


def _share(lens: str, items: Iterable[Mapping[str, str]], judged: int) -> LensShare:
    among = lone = 0
    for labels in items:
        if lens not in labels or len(labels) < 3:
            continue
        among += 1
        others = {label for name, label in labels.items() if name != lens}
        lone += len(others) == 1 and labels[lens] not in others
    return LensShare(
        lens=lens, judged=judged, among=among, lone_dissents=lone, share=lone / among if among else None
    )


def _pair(first: str, second: str, items: Sequence[Mapping[str, str]]) -> PairAgreement | None:
    if not items:
        return None
    one, other = [i[first] for i in items], [i[second] for i in items]
    n = len(items)
    agreed = sum(a == b for a, b in zip(one, other, strict=True))
    kappa = cohen(one, other)
    low = high = None
    if kappa is not None:
        chance = _chance(one, other)
        low, high = ((share - chance) / (1 - chance) for share in wilson(agreed, n))
    dissents = together = 0
    for labels in items:
        rest = Counter(label for name, label in labels.items() if name not in (first, second))
        most = rest.most_common(1)[0] if rest else ("", 0)
        if most[1] * 2 <= sum(rest.values()):
            continue
        if labels[first] != most[0] or labels[second] != most[0]:
            dissents += 1
            together += labels[first] == labels[second]
    made = PairAgreement(
        first=first, second=second, items=n, agreement=agreed / n, kappa=kappa, low=low, high=high,
        dissents=dissents, together=together,
    )
    return made.model_copy(update={"warning": _warning(made)})


def _warning(pair: PairAgreement) -> str | None:
    """Return a warning that two lenses look like one, where there are enough items to say so."""
    if pair.items < ENOUGH:
        return None
    said = []
    if pair.kappa is not None and pair.low is not None and pair.kappa >= ALIKE and pair.low >= SURELY:
        said.append(f"kappa {pair.kappa:.2f} (95 % interval {pair.low:.2f} to {pair.high:.2f}, n = {pair.items})")
    if pair.dissents >= DISSENTS and pair.together >= TOGETHER * pair.dissents:
        low, high = wilson(pair.together, pair.dissents)
        said.append(
            f"{pair.together} of {pair.dissents} dissents from the others are the same in both "
            f"(95 % interval {low:.0%} to {high:.0%})"
        )
    if not said:
        return None
    return f"{pair.first} and {pair.second} may be one lens in disguise: {'; '.join(said)}"
