"""Scope: a sentence with the claim's words says less than the claim, or has its names the other way round."""

from __future__ import annotations

from typing import Literal, NamedTuple

from veritas.meaning.embedded.claim_evidence import Statement
from veritas.text import lexicon

_ALL = frozenset("all every each everyone everybody always".split())
_SOME = frozenset("some most many several few half sometimes often usually".split())
_REACH = 4
"""Most words between a noun and its quantifier, or its verb."""
_SYMMETRIC = frozenset(
    "meet met marry marri border equal resembl match interact correl differ associ neighbor overlap merg and or".split()
)
"""Stems of words that hold both ways."""
_PASSIVE = frozenset(("was", "were", "is", "are", "be", "been", "being", "got"))


class Objection(NamedTuple):
    """A plain objection to `supports`: the label in its stead, and the reason, in one clause."""

    label: Literal["refutes", "silent"]
    why: str


def unsaid(claim: Statement, statement: Statement) -> str:
    """Return why a sentence does not say the claim though it has its words, in one clause; "" if nothing shows that."""
    return _narrower(claim, statement) or _turned(claim, statement)


def _narrower(claim: Statement, statement: Statement) -> str:
    """Return the reason if the claim speaks of all, and the sentence of some of the same; else ""."""
    whole, part = _quantified(claim, _ALL), _quantified(statement, _SOME)
    whole_there = _quantified(statement, _ALL)
    for noun in sorted(whole.keys() & part.keys() - whole_there.keys()):
        return f"the passage speaks of {part[noun]!r} where the claim says {whole[noun]!r}"
    return ""


def _quantified(statement: Statement, quantifiers: frozenset[str]) -> dict[str, str]:
    """Return each quantifier as written, by the stem of the first content word behind it."""
    found: dict[str, str] = {}
    for i, token in enumerate(statement.tokens):
        if token.lower not in quantifiers:
            continue
        for near in statement.tokens[i + 1 : i + 1 + _REACH]:
            if near.stem not in lexicon.STOP and not near.is_number:
                found.setdefault(near.stem, token.text)
                break
    return found


def _turned(claim: Statement, statement: Statement) -> str:
    """Return the reason if two names on either side of a verb are exchanged, as in "Germany invaded Poland"; else
    ""."""
    for verb in sorted(set(claim.stems) & set(statement.stems) - lexicon.STOP - _SYMMETRIC):
        mine, theirs = _roles(claim, verb), _roles(statement, verb)
        if mine is None or theirs is None or mine[2] != theirs[2]:
            continue
        if mine[:2] == (theirs[1], theirs[0]) and mine[0] != mine[1]:
            first, second = theirs[3], mine[3]
            return f"the passage has it the other way round ({first!r}, not {second!r})"
    return ""


def _roles(statement: Statement, verb: str) -> tuple[str, str, bool, str] | None:
    """Return the name before the verb, the name after it, whether it is passive, and the words. None unless a name
    stands on either side, the verb stands once in lower case, and no "of" or possessive makes a noun of it."""
    if statement.stems.count(verb) != 1:
        return None
    at, words = statement.stems.index(verb), statement.tokens
    if not words[at].text.islower() or (at + 1 < len(words) and words[at + 1].lower == "of"):
        return None
    before, after = words[max(0, at - _REACH) : at], words[at + 1 : at + 1 + _REACH]
    left = next((t for t in reversed(before) if t.stem not in lexicon.STOP and not t.lower.endswith("ly")), None)
    right = next((t for t in after if t.stem not in lexicon.STOP), None)
    if left is None or right is None or not left.text[0].isupper() or not right.text[0].isupper():
        return None
    if statement.text[left.end - 2 : left.end] in ("'s", "’s") or "," in statement.text[left.end : right.start]:
        return None
    passive = any(t.lower in _PASSIVE for t in before[-2:]) or any(t.lower == "by" for t in after[:2])
    return left.stem, right.stem, passive, statement.text[left.start : right.end]
