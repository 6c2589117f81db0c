"""Degrees of freedom against the number of people that the same sentence names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.papers.referee._draft import Draft
from veritas.papers.referee.finding import Check
from veritas.papers.referee.significance import Reported

_ALL = re.compile(r"(?<![\w.])N\s?=\s?(?P<n>\d{1,3}(?:,\d{3})+|\d{1,6})(?![\d.,]*\d)")
_GROUP = re.compile(r"(?<![\w.])n[₁₂12]?\s?=\s?(?P<n>\d{1,3}(?:,\d{3})+|\d{1,6})(?![\d.,]*\d)")
_NAMED = re.compile(
    r"\b(?:in|among|for) (?:the|all|our|these) (?P<n>\d{1,3}(?:,\d{3})+|\d{1,6}) "
    r"(?:patients|participants|people|persons|subjects|adults|children|students|women|men|volunteers|respondents)\b"
)
_COMPARED = re.compile(r"\b(?:controls?|healthy|compared|versus|vs|than|groups?|both|pooled|overall|combined)\b", re.I)
"""Words of sentences that speak of more people than those they count."""
_MANY = re.compile(
    r"\b(?:trials?|items?|mixed|multi-?level|hierarchical|observations?|panel|clusters?|repeated|sessions?|stimuli"
    r"|words|ratings|pairs|dyads|cells|neurons|eyes|measurements|sites|per|each|longitudinal|months|weeks|days|years)\b",
    re.IGNORECASE,
)
"""Words of sentences whose tests may rest on more values than people."""


def degrees(sentence: str, at: int, tests: list[Reported]) -> Iterator[Draft | Check]:
    """Yield t-tests and correlations with more degrees of freedom than the people in the sentence allow: N − 1, or of
    two groups n₁ + n₂ − 2. `tests` are those of the sentence, which is passed over if its values may be other than one
    a person, or if it names more than one N. A number of people that is told in words bounds correlations only."""
    totals, sizes = list(_ALL.finditer(sentence)), list(_GROUP.finditer(sentence))
    kinds: tuple[str, ...] = ("t", "r")
    if not totals and not sizes and not _COMPARED.search(sentence):
        totals, kinds = list(_NAMED.finditer(sentence)), ("r",)
    if _MANY.search(sentence) or len(totals) + bool(sizes) != 1 or len(sizes) not in (0, 2):
        return
    named = totals or sizes
    numbers = [int(match["n"].replace(",", "")) for match in named]
    most = sum(numbers) - len(numbers)
    if most < 1:
        return
    for test in tests:
        if test.kind not in kinds or not test.df or test.df[0].places:
            continue
        yield "degrees"
        df = test.df[0]
        if df.value <= most:
            continue
        people = " + ".join(map(str, numbers))
        yield Draft(
            "degrees", "error", test.start, test.end, f"{df.text} degrees of freedom", f"at most {most}",
            f"{people} − {len(numbers)} = {most} < {df.text}", "none: these are counts",
            "the test rested on more people, or on more than one value a person",
            tuple((f"N {i}" if len(named) > 1 else "N", at + m.start("n"), at + m.end("n"))
                  for i, m in enumerate(named, 1)),
        )  # fmt: skip
