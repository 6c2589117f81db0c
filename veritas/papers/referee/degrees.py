"""Degrees of freedom against the number of people that the same sentence names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.papers.referee._draft import Draft
from veritas.papers.referee.finding import Check
from veritas.papers.referee.parts import PEOPLE
from veritas.papers.referee.significance import Reported

_ALL = re.compile(r"(?<![\w.])N\s?=\s?(?P<n>\d{1,3}(?:,\d{3})+|\d{1,6})(?![\d.,]*\d)")
_GROUP = re.compile(r"(?<![\w.])n[₁₂12]?\s?=\s?(?P<n>\d{1,3}(?:,\d{3})+|\d{1,6})(?![\d.,]*\d)")
_NAMED = re.compile(
    r"\b(?:[Ii]n|[Aa]mong|[Ff]or) (?:the|all|our|these) (?P<n>\d{1,3}(?:,\d{3})+|\d{1,6}) "
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


_PEOPLE = re.compile(
    rf"(?<![\d.,])(?P<n>\d{{1,3}}(?:,\d{{3}})+|\d{{1,6}})(?![\d.,]*\d)\s(?:[\w-]+\s){{0,5}}?{PEOPLE}\b"
)
_EQUALS = re.compile(r"(?<![\w.])[nN][₁₂\w]?\s?=\s?(?P<n>\d{1,3}(?:,\d{3})+|\d{1,6})(?![\d.,]*\d)")
_MODELLED = re.compile(
    r"\b(?:mixed[- ](?:effects?|models?|linear)|multi-?level|hierarchical(?:ly)?|random[- ](?:effects?|intercepts?)"
    r"|lmer|GEE|generali[sz]ed estimating|panel data|clustered)\b",
    re.IGNORECASE,
)
"""Words of papers whose tests may have more degrees of freedom than people."""
NEAR, LEAST_TESTS = 4, 2
"""Degrees of freedom below the number of people within which a test rests on all of them, and how many such tests show
that the number is that of the paper's tests."""


def degrees_in_paper(text: str, tests: Sequence[Reported]) -> Iterator[Draft | Check]:
    """Yield the one t-test or correlation of a paper that has more degrees of freedom than the most people who are told
    of anywhere in it. At least two other tests must have just fewer than that number, and all others no more."""
    counts = [match for pattern in (_PEOPLE, _EQUALS) for match in pattern.finditer(text)]
    if not counts or _MODELLED.search(text):
        return
    top = max(counts, key=lambda match: _value(match))
    most = _value(top)
    last = [(test, test.df[-1]) for test in tests if test.kind in ("t", "r", "F") and test.df]
    whole = [(test, df.value) for test, df in last if not df.places]
    over = [(test, df) for test, df in whole if df >= most]
    near = {df for _, df in whole if most - NEAR <= df < most}
    if len([df for _, df in whole if df in near]) < LEAST_TESTS:
        return
    yield "degrees"
    if len(over) != 1 or over[0][0].kind == "F" or any(over[0][1] % df == 0 for df in near):
        return
    test, df = over[0]
    yield Draft(
        "degrees", "error", test.start, test.end, f"{df:.0f} degrees of freedom", f"at most {most - 1}",
        f"{most} − 1 = {most - 1} < {df:.0f}", "none: these are counts; the other tests have fewer",
        "the test rested on more people than the paper names, or on more than one value a person",
        (("most people told of", top.start("n"), top.end("n")),),
    )  # fmt: skip


def _value(match: re.Match[str]) -> int:
    return int(match["n"].replace(",", ""))
