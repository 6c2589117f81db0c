"""The main aim, test, result and conclusion of a paper, in its own words, or that it has none.

What a sentence says of its role: the sentence model's chances by its words, weighed by the section it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import get_args

from veritas.documents.abstract_labels import PARTS, Part
from veritas.documents.paper_parts import Main, MainStatement, SectionName
from veritas.documents.sentence_parts import OWN, Chances, fitted
from veritas.papers.extraction.statements import ASIDE, Statement, Statements, find_statements
from veritas.papers.reading.paper_text import PaperText

_EVEN = (0.2, 0.2, 0.2, 0.2, 0.2)
_PRIORS: dict[SectionName, tuple[float, ...]] = {
    "introduction": (0.55, 0.25, 0.06, 0.04, 0.10),
    "background": (0.80, 0.08, 0.05, 0.04, 0.03),
    "theory": (0.40, 0.08, 0.40, 0.05, 0.07),
    "methods": (0.04, 0.04, 0.85, 0.05, 0.02),
    "data": (0.06, 0.04, 0.83, 0.05, 0.02),
    "results": (0.03, 0.03, 0.15, 0.72, 0.07),
    "discussion": (0.20, 0.02, 0.04, 0.15, 0.59),
    "conclusion": (0.06, 0.02, 0.02, 0.08, 0.82),
    "limitations": (0.05, 0.02, 0.08, 0.10, 0.75),
}
"""Chance of each part of an argument, in the order of `PARTS`, for a sentence of a section whatever its words."""

AT_HOME: dict[str, frozenset[SectionName]] = {
    "Counterevidence": frozenset({"results", "discussion", "limitations", "conclusion", "abstract", "other"}),
    "Conclusion": frozenset({"conclusion", "abstract", "discussion", "results", "introduction", "other"}),
    "Hypothesis": frozenset({"abstract", "introduction", "theory", "background", "other"}),
}
"""The only sections in which a statement of one of these roles can stand."""

_WITHIN: dict[str, tuple[float, ...]] = {
    "Hypothesis": (-2.0, 3.0, -1.5, -0.8, -1.5),
    "Context": (3.0, -2.0, -2.5, -2.5, -2.5),
    "Assumption": (-0.5, -0.5, 0.5, -1.0, -0.5),
    "Method": (-2.5, -1.5, 3.0, -2.0, -2.5),
    "Evidence": (1.6, -1.0, -1.5, -0.5, -0.5),
    "Result": (-2.5, -2.5, -2.0, 3.0, -1.0),
    "Claim": (-1.5, -1.5, -2.5, -1.0, 2.0),
    "Counterevidence": (-2.0, -2.5, -2.5, 1.2, -0.5),
    "Limitation": (-2.5, -2.5, -1.5, -1.5, 0.8),
    "Conclusion": (-2.5, -2.5, -2.5, -1.0, 3.2),
}
"""Weight for a role of each part, in the order of `PARTS`."""

_NAMED: dict[str, re.Pattern[str]] = {
    "Assumption": re.compile(r"\bassum(?:e[ds]?|ing|ptions?)\b|\bideali[sz]|\bpresuppos|\bfor simplicity\b", re.I),
    "Counterevidence": re.compile(
        r"\bcontradict(?!ory)|\brefut|\binconsistent with\b|\bat odds with\b|\bcontrary to\b"
        r"|\bno (?:statistically )?significant\b|\bdid not (?:replicate|differ|(?:significantly )?\w+e\b)", re.I
    ),
    "Limitation": re.compile(r"\blimitations?\b|\bmay not (?:generali[sz]e|hold|apply)|\bsmall sample", re.I),
}  # fmt: skip
"""Words of the roles that a sentence must tell itself: authors label no part of an abstract by them, so the model knows
none."""
NAMED = 3.0
"""Score of such words."""

LIKELY = 0.35
"""Least chance of one of its parts that a statement of these roles must have."""
_PARTS_OF: dict[str, tuple[Part, ...]] = {
    "Context": ("background",),
    "Method": ("methods",),
    "Result": ("results",),
    "Evidence": ("background", "results"),
    "Claim": ("conclusions",),
    "Conclusion": ("conclusions",),
}
AT_THE_END = 0.1
"""The least chance for a conclusion at the very end of an abstract, where many stop at a finding."""
CERTAIN = 0.9
"""The chance from which a sentence is an abstract's aim even if it does not mention the paper's own work."""


@lru_cache(maxsize=1 << 14)
def by_words(text: str, section: SectionName) -> Chances:
    """Return the chance of each part for a sentence of a paper's body: that of its words, times its section's."""
    row = [a * b for a, b in zip(fitted().by_words(text), _PRIORS.get(section, _EVEN), strict=True)]
    total = sum(row)
    return dict(zip(PARTS, (value / total for value in row), strict=True))


def says(role: str, text: str) -> float:
    """Return the score of a sentence's own words for a role that it must tell itself, 0 without such words."""
    return NAMED if must_say(role) and _NAMED[role].search(text) else 0.0


def must_say(role: str) -> bool:
    """Return whether a role is one that a sentence must tell itself."""
    return role in _NAMED


def within(role: str, chances: Chances) -> float:
    """Return the weight for a role of the parts that a sentence may belong to."""
    return sum(chances[part] * weight for part, weight in zip(PARTS, _WITHIN[role], strict=True))


def likely(role: str, chances: Chances, last: bool = False) -> bool:
    """Return whether a sentence may be of a role by its part. `last`: it is the last of the abstract."""
    least = AT_THE_END if last and role == "Conclusion" else LIKELY
    return role not in _PARTS_OF or sum(chances[part] for part in _PARTS_OF[role]) >= least


def is_aim(text: str, chances: Chances) -> bool:
    """Return whether a sentence stands where the aim does, and mentions the own work or is certain."""
    return chances["objective"] >= (LIKELY if OWN.search(text) else CERTAIN)


MAINS: tuple[Main, ...] = get_args(Main)
SURE, SURE_IN_BODY = 0.5, 0.7
"""Least chance of its part that a main statement has, in an abstract and in the body."""
BY_WORDS = 0.3
"""The same by its words alone, of an abstract's aim, test and result that no label names."""
ON_SUBJECT = 1.05
"""Least sum of chance and salience of a main statement of the body."""
HARDLY = 0.05
"""The same by which an unlabelled sentence of an abstract is hardly a conclusion: a section named so goes before it."""
EARLIER = 20.0
"""Weight of the chance that a sentence of the abstract is of a part that comes before the test or the result."""
BEARING = 1.0
"""Weight of the words that a conclusion shares with the aim, a test or a result with both (cosines, 0 to 1 each)."""

_BEFORE: dict[Main, tuple[Part, ...]] = {
    "test": ("background", "objective"), "result": ("background", "objective", "methods"),
}  # fmt: skip
_PART: dict[Main, Part] = {"aim": "objective", "test": "methods", "result": "results", "conclusion": "conclusions"}
_SECTIONS: dict[Main, frozenset[SectionName]] = {
    "aim": frozenset({"introduction", "background"}),
    "test": frozenset({"methods", "data"}),
    "result": frozenset({"results"}),
    "conclusion": frozenset({"conclusion", "discussion"}),
}
"""Where it is looked for in a paper without an abstract; aim and conclusion also where the abstract has none."""
LOOKED: dict[Main, str] = {
    "aim": "abstract and introduction",
    "test": "abstract and methods",
    "result": "abstract and results",
    "conclusion": "abstract, discussion and conclusion",
}
_OPEN = re.compile(
    r"\b(?:further|future|additional|more|larger) (?:[\w-]+ ){0,3}(?:work|stud(?:y|ies)|research|trials?|evidence)\b",
    re.IGNORECASE,
)
"""What is left to further work."""


def main_statements(paper: PaperText, statements: Statements | None = None) -> tuple[MainStatement, ...]:
    """Return the paper's main aim, test, result and conclusion, in this order, one of each: of the abstract, else of
    the section where it belongs, and none where no sentence is sure. A section named Conclusion goes before an abstract
    where neither a label nor words show one. A limitation, and what is left to further work, is no conclusion; a
    sentence that cites others is no aim, test and result."""
    statements = find_statements(paper) if statements is None else statements
    abstract = any(each.chances is not None for each in statements.found)
    named = {part for each in statements.found for part in each.parts}
    picked: dict[Main, Statement] = {}
    for main in ("aim", "conclusion", "result", "test"):
        free = [each for each in statements.found if each not in picked.values() and _may_be(main, each, statements)]
        then = picked.get("conclusion") if main == "result" else picked.get("result") if main == "test" else None
        before = then.order if then is not None and then.chances is not None else len(statements.found)
        pool = [each for each in free if each.chances is not None and each.order < before and _labelled(each, named)]
        body = [each for each in free if each.chances is None]
        if main == "conclusion" and "conclusions" not in named:
            hardly = all(by_words(each.text, "abstract")["conclusions"] < HARDLY for each in pool)
            pool = (hardly and [each for each in body if each.section == "conclusion" or each.alone]) or pool
        if not pool and not (abstract and main in ("test", "result")):
            pool = [e for e in body if e.alone or _chance(main, e) + statements.salience(e) >= ON_SUBJECT]
        bears = [picked[each] for each in ("aim", "conclusion") if each in picked]
        if pool:
            picked[main] = max(pool, key=lambda each: (_score(main, each, statements, bears), -each.order))
    return tuple(
        MainStatement(kind=main, text=picked[main].text, place=picked[main].place)
        if main in picked
        else MainStatement(kind=main, why=f"not found; looked in {LOOKED[main]}")
        for main in MAINS
    )


def _labelled(statement: Statement, named: Collection[Part]) -> bool:
    """Return whether a label stands above a statement, of an abstract that labels its parts."""
    return len(named) < 2 or bool(statement.parts)


def _chance(main: Main, statement: Statement) -> float:
    chances = statement.chances or by_words(statement.text, statement.section)
    return chances[_PART[main]]


def _by_words(main: Main, statement: Statement) -> float:
    """Return the chance of its part by a statement's words alone, 1 for a conclusion, which its place tells."""
    return 1.0 if main == "conclusion" else by_words(statement.text, "abstract")[_PART[main]]


def _may_be(main: Main, statement: Statement, statements: Statements) -> bool:
    text, body = statement.text, statement.chances is None
    if (body and statement.section not in _SECTIONS[main]) or ASIDE.search(text):
        return False
    if main == "conclusion":
        left = _OPEN.search(text)
        if says("Limitation", text) or (left is not None and left.start() < len(text) / 2):
            return False  # what is concluded before it in the sentence may be one
        if body and statement.alone and statements.salience(statement) > 0:
            return True
    elif statement.marked:
        return False
    sure = _chance(main, statement) >= (SURE_IN_BODY if body else SURE)
    sure = sure and (body or statement.parts == (_PART[main],) or _by_words(main, statement) >= BY_WORDS)
    return sure and (main != "aim" or bool(OWN.search(text)))


def _score(main: Main, statement: Statement, statements: Statements, bears: Sequence[Statement]) -> float:
    score = 3 * _chance(main, statement) * _by_words(main, statement) + statements.salience(statement)
    score += BEARING * sum(statements.likeness(statement, one) for one in bears)
    if statement.chances is not None:
        score -= EARLIER * sum(statement.chances[part] for part in _BEFORE.get(main, ()))
    return score + 2.0 * (statement.parts == (_PART[main],)) - 0.3 * statement.leans - 0.6 * statement.marked
