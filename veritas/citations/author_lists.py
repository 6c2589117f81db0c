"""Two author lists compared: the same people, in the same order, sorted by family name, cut short, or other people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise

from veritas.frozen import Frozen
from veritas.text.likeness import ratio
from veritas.works.folding import fold, is_cjk, words
from veritas.works.names import PersonName, all_tokens, compatible_given, same_family, same_person

MAX_CANDIDATES = 10_000
"""Limit of pairs of names sharing one word that are compared; beyond it the word tells nothing."""

_OF_BODIES = frozenset(
    "ai openai deepmind google meta microsoft nvidia anthropic alibaba tencent baidu huawei bytedance apple amazon ibm "
    "mistral cohere deepseek eleutherai lab labs research laboratory developers contributors consortium collaboration "
    "community".split()
)
"""Words that a person's name does not have, and the name of an organisation may."""


class AuthorComparison(Frozen):
    """A comparison of two non-empty author lists. Shares run 0 to 1."""

    first_family_agrees: bool
    first_given_compatible: bool
    first_misspelt: float
    """Ratio 0 to 100 of the first authors' family names; 100 where they agree, 0 where the given names do not fit."""
    matched: int
    shared_of_primary: float
    shared_of_secondary: float
    same_order: bool
    sorted_primary: bool
    sorted_secondary: bool
    comparable: bool
    """False if one list is in Chinese, Japanese or Korean signs and the other is not."""
    only_primary: tuple[str, ...] = ()
    only_secondary: tuple[str, ...] = ()

    @property
    def shared(self) -> float:
        """Share of the shorter list that is found in the longer."""
        return max(self.shared_of_primary, self.shared_of_secondary)

    @property
    def shared_of_both(self) -> float:
        """Share of the longer list that is found in the shorter."""
        return min(self.shared_of_primary, self.shared_of_secondary)


def compare_authors(primary: Sequence[PersonName], secondary: Sequence[PersonName]) -> AuthorComparison:
    """Compare two non-empty lists. Linear in their length: a collaboration may have thousands of authors."""
    first, other = primary[0], secondary[0]
    pairs = _matched(primary, secondary)
    found = [j for _, j in pairs]
    with_match, matched_theirs = {i for i, _ in pairs}, set(found)
    return AuthorComparison(
        first_family_agrees=same_family(first, other) or same_person(first, other),
        first_given_compatible=compatible_given(first, other) or same_person(first, other),
        first_misspelt=_spelling(first, other),
        matched=len(pairs),
        shared_of_primary=len(pairs) / len(primary),
        shared_of_secondary=len(pairs) / len(secondary),
        same_order=found == sorted(found),
        sorted_primary=is_alphabetical(primary),
        sorted_secondary=is_alphabetical(secondary),
        comparable=_is_cjk(primary) == _is_cjk(secondary),
        only_primary=tuple(str(name) for i, name in enumerate(primary) if i not in with_match)[:5],
        only_secondary=tuple(str(name) for j, name in enumerate(secondary) if j not in matched_theirs)[:5],
    )


def is_body(names: Sequence[PersonName]) -> bool:
    """Return whether one organisation (OpenAI, a collaboration), or one name without a given name, is the author."""
    return len(names) == 1 and (names[0].corporate or not names[0].given)


def names_a_body(name: PersonName) -> bool:
    """Return whether a name is an organisation's, or a part of one (`Google DeepMind`, `AI @ Meta`, `DeepSeek-AI`)."""
    if name.corporate:
        return True
    own = set(words(str(name)))
    return bool(own & _OF_BODIES) or (not name.given and not name.family.istitle())


def is_alphabetical(names: Sequence[PersonName]) -> bool:
    """Return whether a list of two or more is sorted by family name, up to one name in eight out of place."""
    if len(names) < 2:
        return False
    whole = [fold(name.family) for name in names]
    last = [(words(name.family) or ("",))[-1] for name in names]  # `van der Putten` under P
    fewest = min(sum(a > b for a, b in pairwise(keys)) for keys in (whole, last))
    return fewest <= len(names) // 8


def _matched(primary: Sequence[PersonName], secondary: Sequence[PersonName]) -> list[tuple[int, int]]:
    """Return pairs of positions that may be one person, each used once: the same spelling first, then the nearest
    position.

    Symmetric. A token that too many share (the 300 Wangs of a collaboration) pairs only names spelt the same.
    """
    pairs = [pair for both in _grouped(primary, secondary, _spelt) for pair in zip(*both, strict=False)]
    done, done_theirs = {i for i, _ in pairs}, {j for _, j in pairs}
    found: set[tuple[int, int]] = set()
    for mine, theirs in _grouped(primary, secondary, _index_tokens):
        left = [i for i in mine if i not in done]
        right = [j for j in theirs if j not in done_theirs]
        if len(left) * len(right) <= MAX_CANDIDATES:
            found.update((i, j) for i in left for j in right)
    for i, j in sorted(found, key=lambda pair: (abs(pair[0] - pair[1]), sum(pair))):
        if i not in done and j not in done_theirs and same_person(primary[i], secondary[j]):
            pairs.append((i, j))
            done.add(i)
            done_theirs.add(j)
    return sorted(pairs)


def _grouped(
    primary: Sequence[PersonName], secondary: Sequence[PersonName], keys: Callable[[PersonName], set[str]]
) -> list[tuple[list[int], list[int]]]:
    """Return, for each key found in both lists, the positions of the names that have it."""
    groups: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, names in enumerate((primary, secondary)):
        for at, name in enumerate(names):
            for key in keys(name):
                groups[key][side].append(at)
    return [group for group in groups.values() if group[0] and group[1]]


def _spelt(name: PersonName) -> set[str]:
    return {" ".join(words(name.family)) + ", " + " ".join(words(name.given))}


def _index_tokens(name: PersonName) -> set[str]:
    tokens = set(all_tokens(name)) | set(words(name.family, spelt_out=True)) | {"".join(words(name.family))}
    return {token for token in tokens if len(token) > 1} or tokens


def _spelling(one: PersonName, other: PersonName) -> float:
    """Return the ratio 0 to 100 of two family names; 0 unless given names and the family's first letter agree."""
    a, b = "".join(words(one.family)), "".join(words(other.family))
    if not a or not b:
        return 0.0
    if a == b:
        return 100.0
    return ratio(a, b) if a[0] == b[0] and compatible_given(one, other, strict=True) else 0.0


def _is_cjk(names: Sequence[PersonName]) -> bool:
    return is_cjk(names[0].family)
