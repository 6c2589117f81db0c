"""Conditions of a statement: its time, setting, population and means; compare those of a sentence and its quote.

"After freezing" is not "during primary drying": sentences that differ only in a condition say different things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from veritas.text.stems import stem
from veritas.text.stop_words import STOP_WORDS
from veritas.text.tokens import tokenise

Sort = Literal["before", "during", "after", "if", "without", "with", "setting", "population"]

_HEAD = r"(?P<head>(?:[\w%°.,/+-]+\s+){0,5}?[\w%°.,/+-]+)"
_STOP = (
    r"(?=\s*(?:[,;:.()]|$|\b(?:and|or|but|which|that|was|were|is|are|has|have|had|should|must|may|can|could|would|will|"
    r"be|the\s+[\w-]+\s+(?:was|were|is|are|should|must))\b))"
)
_MARKERS: tuple[tuple[Sort, str], ...] = (
    ("before", r"before|prior\s+to|preceding|ahead\s+of"),
    ("after", r"after|following|subsequent\s+to|upon|post(?=[\s-])"),
    ("during", r"during|throughout|in\s+the\s+course\s+of|while|amid"),
    ("if", r"if|only\s+if|provided\s+that|unless|as\s+long\s+as|only\s+when|when"),
    ("without", r"without|in\s+the\s+absence\s+of|except\s+(?:for|in)?"),
    ("with", r"in\s+the\s+presence\s+of|in\s+combination\s+with|together\s+with"),
    (
        "setting",
        r"under|at\s+(?:the\s+)?(?=[\w-]+(?:\s+[\w-]+)?\s+(?:scale|level|temperature|pressure|conditions?|dose))",
    ),
)
_COMPILED = tuple((sort, re.compile(rf"(?i)\b(?:{marker})\s+{_HEAD}{_STOP}")) for sort, marker in _MARKERS)
_SETTING = re.compile(
    r"(?i)\b(?P<head>in[\s-]vitro|in[\s-]vivo|ex[\s-]vivo|in[\s-]silico|(?:laboratory|lab|pilot|bench|industrial|"
    r"manufacturing|commercial)[\s-]scale|in\s+simulations?|post[\s-]hoc)\b"
)
_POPULATION = re.compile(
    r"(?i)\b(?:in|among|for|of)\s+(?:(?:the|these|our|healthy|young|older|elderly|adult|male|female|pregnant|obese|"
    r"diabetic|human|\d[\d,]*)\s+){0,3}(?P<head>mice|mouse(?:\s+models?)?|rats?|rodents?|rabbits?|pigs?|dogs?|monkeys?|"
    r"primates|zebrafish|drosophila|flies|yeast|e\.\s?coli|bacteria|cell\s+lines?|cells|cultures?|children|infants|"
    r"neonates|adolescents|adults|women|men|smokers|athletes|volunteers|students|outpatients|inpatients|"
    r"patients(?:\s+with\s+[\w-]+(?:\s+[\w-]+)?)?|a\s+single\s+\w+|one\s+(?:patient|site|centre|center|school|hospital|"
    r"orchard|formulation|cultivar))\b"
)
_EMPTY = frozenset(
    "this these those that it its our their which study trial paper work present current some such same other".split()
)
_TIMES: frozenset[Sort] = frozenset({"before", "during", "after"})


@dataclass(frozen=True)
class Condition:
    """A condition: its sort, the words as written, and the stems that tell it from another of its sort."""

    sort: Sort
    text: str
    stems: frozenset[str]


def conditions(sentence: str) -> list[Condition]:
    """Return the conditions a sentence states, in no particular order."""
    found: list[Condition] = []
    for sort, pattern in _COMPILED:
        for match in pattern.finditer(sentence):
            stems = _stems(match["head"])
            if stems:
                found.append(Condition(sort, " ".join(match[0].split()), stems))
    for match in _SETTING.finditer(sentence):
        found.append(Condition("setting", match[0], frozenset({match["head"].lower().replace("-", " ")})))
    for match in _POPULATION.finditer(sentence):
        found.append(Condition("population", match[0], _stems(match["head"]) or frozenset({match["head"].lower()})))
    return found


def _stems(text: str) -> frozenset[str]:
    return frozenset(
        stem(t) for t in tokenise(text) if t not in STOP_WORDS and t not in _EMPTY and len(t) > 1
    )


def _same(one: Condition, other: Condition) -> bool:
    return one.sort == other.sort and bool(one.stems & other.stems)


def changed(sentence: str, quote: str, beside: str = "") -> str | None:
    """Return why a sentence does not keep to the conditions of its quote, or None. `beside` are the words of its other
    quotes, which support its conditions too.

    A fault is a condition of time, presence or absence that the quote does not state, if the quote states another of
    its sort or lacks the words altogether; and a condition "if" or "without" that the sentence lost.
    """
    mine, theirs = conditions(sentence), conditions(quote)
    known = _stems(f"{quote} {beside}")
    for one in mine:
        if any(_same(one, other) for other in theirs):
            continue
        kin = [o for o in theirs if o.sort == one.sort or (o.sort in _TIMES and one.sort in _TIMES)]
        other = next((o for o in kin if one.stems & o.stems), kin[0] if kin else None)
        if other is not None and one.sort not in ("population", "setting"):
            return f"it says “{one.text}” where the quote says “{other.text}”"
        if one.sort == "without" and one.stems <= known:
            return f"it says “{one.text}” of what the quote does not say it of"
        if one.sort != "population" and not one.stems & known:
            return f"it says “{one.text}”, of which the quote knows nothing"
        if one.sort == "population" and other is not None:
            return f"it says “{one.text}” where the quote says “{other.text}”"
    for other in theirs:
        kept = other.stems & _stems(sentence) or any(_same(one, other) for one in mine)
        if other.sort in ("if", "without") and not kept:
            return f"the quote holds only “{other.text}”, which it leaves away"
    return None


def dropped(sentence: str, quote: str) -> list[Condition]:
    """Return the conditions of the quote that the sentence does not state, for a person to look at."""
    mine, said = conditions(sentence), _stems(sentence)
    return [
        other
        for other in conditions(quote)
        if other.sort not in ("if", "without") and not any(_same(one, other) for one in mine) and not other.stems & said
    ]


_SWEEPING = re.compile(
    r"(?i)\b(?:all|every|any|always|never|universal(?:ly)?|in\s+general|generally|essential|necessary|required|must|"
    r"reliabl[ey]|invariably|consistently|establish(?:es|ed)?|prove[sdn]?|demonstrate[sd]?\s+that|guarantee[sd]?|"
    r"regardless|independent(?:ly)?\s+of|the\s+(?:best|only|optimal|key))\b"
)
_HEDGED = re.compile(
    r"(?i)\b(?:may|might|could|suggest(?:s|ed|ing)?|appears?|seems?|promising|possibl[ey]|likely|some|in\s+this|in\s+one|"
    r"formulation-specific|depends?|depending|varies|tended|preliminary)\b"
)
_AMOUNT = re.compile(
    r"(?i)\b\d+(?:\.\d+)?\s?(?:%|mg|g|kg|ml|mm|µm|nm|mol|mM|µM)[\w/]*\s+(?:\(?w/[wv]\)?\s+)?(?:of\s+)?[a-z]+"
)


def overgeneralised(sentence: str, quotes: list[str]) -> str | None:
    """Return why a sentence may say more than its quotes, or None: it speaks of everything, or without reserve, where
    they speak of one population, setting or formulation. This is for a person: no check of a quote can decide it (spec,
    section 5.5)."""
    if _HEDGED.search(sentence):
        return None
    for quote in quotes:
        narrow = [c for c in dropped(sentence, quote) if c.sort in ("population", "setting", "with")]
        if narrow:
            return f"the quote speaks of “{narrow[0].text}”, the sentence of no such limit"
    sweeping = _SWEEPING.search(sentence)
    if sweeping and not any(re.search(rf"(?i)\b{re.escape(sweeping[0])}\b", quote) for quote in quotes):
        amount = next((m[0] for quote in quotes if (m := _AMOUNT.search(quote))), None)
        if amount and amount.lower() not in sentence.lower():
            return f"it says “{sweeping[0]}” of what was found with “{amount}”"
        return f"it says “{sweeping[0]}”, which no quote does"
    return None
