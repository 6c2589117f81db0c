"""The orders in which two sentences are held against each other, from the plain one on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from veritas.meaning._abbreviations import abbreviated
from veritas.meaning._accounting import like
from veritas.meaning._apposition import participial, reduced, renamed, titled, uncleft
from veritas.meaning._attachment import one_sequel
from veritas.meaning._converse import compared, converses, dative, each_comparison, unechoed
from veritas.meaning._coreference import elliptic, referred
from veritas.meaning._denials import denied_plainly
from veritas.meaning._frames import reported
from veritas.meaning._impersonal import personal
from veritas.meaning._implied import by_default, implied, only_that
from veritas.meaning._inversions import subject_first, turned
from veritas.meaning._listings import compounded, in_one_order, owned
from veritas.meaning._nominalisation import verbal
from veritas.meaning._phrasal import phrasal
from veritas.meaning._rearrangement import Words, active, adverbs_behind, particles_near, unfronted
from veritas.meaning._statements import statements

MOST = 6
"""Number of sentences made of one in each way."""
FOUND = 0.7
"""Least share of the claim's content words that are found anywhere in the source, for other orders to be tried."""


@lru_cache(maxsize=256)
def normal(words: Words, other: Words = ()) -> Words:
    """Return a sentence in the one order that its variants share, to be held against the other."""
    told = denied_plainly(unfronted(subject_first(elliptic(reduced(uncleft(words))))))
    told = phrasal(particles_near(owned(told)), other)
    told = dative(adverbs_behind(active(told, other)))
    return in_one_order(unechoed(compared(told, other)))


def _plain(words: Words, other: Words) -> Words:
    """Return a sentence with its passives active and its fronted phrases last, and its owners as they stand."""
    return dative(adverbs_behind(active(unfronted(reduced(uncleft(words))), other)))


def orders(first: Words, second: Words) -> Iterator[tuple[Words, Words]]:
    """Yield a source's and a claim's words in orders that say the same, or that follow from the source."""
    yield first, second
    first, second = one_sequel(first, only_that(second))
    mine, theirs = normal(first, second), normal(second, first)
    yield mine, theirs
    one, other = by_default(first), by_default(second)
    if one is not first or other is not second:
        yield normal(one, other), normal(other, one)
    one, other = reported(first, of_claim=False), reported(second, of_claim=True)
    if one is not first or other is not second:
        yield one, other
        yield normal(one, other), normal(other, one)


def further(first: Words, second: Words) -> Iterator[tuple[Words, Words]]:
    """Yield further orders, which are worth their time only where the words of the claim are found in the source."""
    first, second = one_sequel(first, only_that(second))
    told = [*statements(first), *titled(first)]
    told += [one for part in (first, *told) for one in implied(part)]
    told += [one for part in (first, *told) for one in each_comparison(part)]
    near = {part: like(first, second, of=part) for part in told}
    held = sorted((part for part, share in near.items() if share >= FOUND), key=lambda part: -near[part])[: MOST + 2]
    for part in held:
        yield part, second
        yield normal(part, second), normal(second, part)
    one, other = referred(first), referred(second)
    if one is not first or other is not second:
        mine, theirs = normal(one, other), normal(other, one)
        yield mine, theirs
        for turn in islice(converses(theirs, mine), MOST):
            yield mine, in_one_order(turn)
    yield from _of_one(first, second)
    for part in held:
        yield from _of_one(part, second)


def _of_one(first: Words, second: Words) -> Iterator[tuple[Words, Words]]:
    mine, theirs = normal(first, second), normal(second, first)
    yield in_one_order(mine, shared=True), in_one_order(theirs, shared=True)
    plain = unfronted(uncleft(first))
    for one in islice(renamed(plain, shorter=True), MOST):
        yield normal(one), theirs
    for other in islice(renamed(unfronted(second), shorter=False), MOST):
        yield mine, normal(other)
    for one, other in ((mine, theirs), (first, second)):
        yield compounded(one, other), compounded(other, one)
        yield abbreviated(one, other), abbreviated(other, one)
        yield participial(one, other), participial(other, one)
    if (other := turned(second)) is not second:
        yield mine, normal(other, first)
        yield in_one_order(first), in_one_order(other)
    for one in personal(first, second):
        yield normal(one, second), theirs
        yield from ((normal(one, other), normal(other, one)) for other in personal(second, first))
    for other in personal(second, first):
        yield mine, normal(other, first)
    for other in islice(converses(theirs, mine), MOST):
        yield mine, in_one_order(other)
    if (other := turned(second)) is not second:
        for one in islice(verbal(_plain(other, first), mine, of_claim=True), MOST):
            yield mine, normal(one)
    for other in islice(verbal(_plain(second, first), mine, of_claim=True), MOST):
        yield mine, normal(other)
        for two in islice(verbal(other, mine, of_claim=True), 2):
            yield mine, normal(two)
    for one in islice(verbal(_plain(first, second), theirs), MOST):
        yield normal(one), theirs
        for two in islice(verbal(one, theirs), 2):
            yield normal(two), theirs
