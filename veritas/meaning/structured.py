"""What rows of a table and program text may say of a claim. They are not read, so nothing is refused that may stand in
them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from veritas.meaning._reading import read
from veritas.meaning._tokens import Token, tokens_of
from veritas.meaning._word import Word
from veritas.meaning.relation import Difference
from veritas.text.blocks import Block, blocks


def may_stand_apart(passages: Iterable[str], claim: str, difference: Difference | None) -> bool:
    """Return whether a claim that differs from the prose of its passages may rest on a table or on code in them: one
    has as many of the claim's words as any sentence beside it, or half of them with those that differ."""
    wanted = [w for w in read(claim).words if w.content]
    decisive = [w for w in read(difference.second).words if w.content] if difference is not None else []
    beside = 0
    found: list[list[Token]] = []
    for text in dict.fromkeys(passages):
        parts = list(_parts(text))
        found += [held for structured, held in parts if structured]
        beside = max([beside, *(_met(wanted, held) for structured, held in parts if not structured)])
    for held in found:
        met = _met(wanted, held)
        if met and (met >= beside or (decisive and 2 * met >= len(wanted) and _met(decisive, held) == len(decisive))):
            return True
    return False


def _parts(text: str) -> Iterator[tuple[bool, list[Token]]]:
    """Yield the tables, each piece of code and each block of prose of a text, with its tokens."""
    for structured, group in groupby(blocks(text), lambda block: block.kind in ("table", "code")):
        if structured:
            yield True, [token for block in group for line in _lines(text, block) for token in tokens_of(line)]
        else:
            for block in group:
                yield False, list(tokens_of(text[block.start : block.end]))


def _lines(text: str, block: Block) -> list[str]:
    return text[block.start : block.end].splitlines()


def _met(wanted: list[Word], held: list[Token]) -> int:
    """Return how many words stand among tokens: a number with any unit, which a table has in its head."""
    bases = frozenset(base for token in held for base in token.bases)
    numbers = {token.quantity.written for token in held if token.quantity is not None}
    return sum(
        word.quantity.written in numbers if word.quantity is not None else not word.bases.isdisjoint(bases)
        for word in wanted
    )
