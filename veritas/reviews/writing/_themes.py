"""Themes: words beside the topic that the claims of several papers share."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from veritas.reviews.corpus_claim import CorpusClaim
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import normalise, tokenise
from veritas.text.wordlist import words

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*|[^\w\s]")
_ADJECTIVE = re.compile(r"(?:ic|al|ous|ive|ed|ing|able|ible|ant|ent|ary|less|ful)$")
_STUDY_WORDS = words(
    """
    absolute additional adjusted analyses analysis analyzed approach approximately assessed average baseline case cases
    clinical cohort common confirmed control controls current data day days decrease decreased demonstrated derived
    developed early elevated enrolled estimated evaluated examined expected experiment experimental experiments
    expressing failed followed future general group groups high higher hours incidence included increase increased
    increases independent independently individual individuals inhibited large late least less lower mean median
    men month months multiple observed odds overall part participants patient patients percent performed period
    population populations potential potentially predicted predictor predictors present previous previously primary
    conclusion conclusions combination combined background objective hypothesis prevalence association
    site sites disease diseases implications challenge challenges outcome outcomes recruitment
    probably process produced rate rates ratio recent reduced reduction relative remain remained research respectively
    response revealed review risk sample samples second show similar single small specific standard strong subject
    subjects suggest suggested suggesting system test tested third time times total treated treatment trial trials
    univariate multivariate unknown version well woman women worse year years young older cell cells tissue tissues
    """
)
"""Words about studies in general, which are no theme by themselves."""
_NONE = frozenset(stem(w) for w in (*STOP_WORDS, *GENERIC_WORDS, *_STUDY_WORDS))
LONG = 8
"""Least letters of a word that may be a theme alone; shorter words are seldom one subject, unless names."""


def themes_of(topic: str, claims: Sequence[CorpusClaim], most: int) -> list[str]:
    """Return up to `most` words, or pairs of adjacent words, that at least two papers share (one if there is only one).
    Words that tell best which claims belong together come first: many papers, few other claims, pairs before single
    words. Words in most of the claims are left out, since they distinguish no theme."""
    known = {stem(t) for t in tokenise(topic)}
    papers: dict[tuple[str, ...], set[str]] = defaultdict(set)
    claims_of: dict[tuple[str, ...], set[str]] = defaultdict(set)
    spelled: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for claim in claims:
        for run in _runs(claim.text, known):
            key = tuple(stem(word.casefold()) for word in run)
            papers[key].add(claim.paper_key)
            claims_of[key].add(claim.claim_id)
            spelled[key][" ".join(run)] += 1
    least = 2 if len({c.paper_key for c in claims}) > 1 else 1
    usable = [k for k in papers if len(papers[k]) >= least and 2 <= len(claims_of[k]) <= max(2, 0.4 * len(claims))]
    usable.sort(key=lambda k: (-_weight(k, papers, claims_of), k))
    chosen: list[tuple[str, ...]] = []
    covered: set[str] = set()
    for key in usable:
        if len(chosen) == most:
            break
        # A theme whose claims are mostly those of another is the same theme in other words.
        fresh = claims_of[key] - covered
        if any(set(key) & set(other) for other in chosen) or 2 * len(fresh) < len(claims_of[key]):
            continue
        chosen.append(key)
        covered |= claims_of[key]
    return [_spelling(spelled[key]) for key in chosen]


def _weight(
    key: tuple[str, ...], papers: Mapping[tuple[str, ...], set[str]], claims_of: Mapping[tuple[str, ...], set[str]]
) -> float:
    alone = 1.0 if len(key) == 1 else 1.6
    return alone * len(papers[key]) * math.sqrt(len(claims_of[key]))


def _runs(text: str, known: set[str]) -> list[tuple[str, ...]]:
    """Return the words, and pairs of adjacent words, that may name a theme, as they are spelled."""
    found: list[tuple[str, ...]] = []
    before: str | None = None
    for word in _WORD.findall(normalise(text)):
        if not _names(word, known):
            before = None
            continue
        if _alone(word):
            found.append((word,))
        if before is not None and not word.endswith("ed"):
            found.append((before, word))
        before = word
    return found


def _names(word: str, known: set[str]) -> bool:
    low = word.casefold()
    parts = low.split("-")
    if len(low) < 4 and not _is_name(word):
        return False
    if not low[0].isalpha() or low.endswith("ly"):
        return False
    return not any(p.isdigit() or stem(p) in _NONE or stands_in(stem(p), known) for p in parts)


def stands_in(word: str, said: Collection[str]) -> bool:
    """Return whether a stem is there, or one of its family: "metastases", "metastatic" for "metastasis"."""
    if word in said:
        return True
    root = word[: max(6, len(word) - 2)]
    return len(word) > 6 and any(other.startswith(root) for other in said)


def _is_name(word: str) -> bool:
    return len(word) > 2 and sum(c.isupper() or c.isdigit() for c in word) > 1 and any(c.isalpha() for c in word)


def _alone(word: str) -> bool:
    return _is_name(word) or (len(word) >= LONG and not _ADJECTIVE.search(word))


def _spelling(seen: Counter[str]) -> str:
    """Return the most frequent spelling; of equals, one that does not begin with a capital."""
    return max(seen, key=lambda s: (seen[s], s[0].islower(), s))
