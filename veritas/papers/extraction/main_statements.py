"""The main aim, test, result and conclusion of a paper, in its own words, or that it has none.

What a sentence says of its role: the sentence model's chances by its words, weighed by the section it stands in.
"""

from __future__ import annotations

import re
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

_SEEK = r"(?:aim(?:s|ed)?|sought|seeks?|set out|attempt(?:s|ed)?|intend(?:s|ed)?|hypothesi[sz]ed?|ask(?:ed)? whether)"
_OWN = r"(?:this|our|the present|the current) (?:\w+ )?(?:study|paper|work|article|review|trial|report|project)"
_NAMED: dict[str, re.Pattern[str]] = {
    "Hypothesis": re.compile(
        rf"\b(?:aim|objective|purpose|goal)s? (?:of|in) (?:{_OWN}|the (?:study|trial|review|work))\b"
        rf"|\b(?:our|main|primary) (?:aim|objective|purpose|goal)s? (?:was|were|is|are)\b"
        rf"|\b(?:we|{_OWN}) (?:\w+ ){{0,2}}{_SEEK}\b|\bour hypothesis\b|\bhere(?:in)?,? we\b"
        rf"|\bin {_OWN},? we\b|\bwe (?:\w+ )?(?:test|investigate|examine|determine|assess|evaluate)d? (?:whether|if)\b",
        re.I,
    ),
    "Conclusion": re.compile(
        r"\bconclu(?:de[sd]?|sion)\b|\bin summary\b|\btaken together\b|^(?:overall|collectively|altogether|thus)\b"
        r"|\b(?:our|these|this|present) (?:\w+ ){0,2}(?:results?|findings?|data|study|analys[ie]s|evidence) (?:\w+ )?"
        r"(?:show|suggest|demonstrate|indicate|support|establish|confirm|reveal|highlight)s?\b",
        re.I,
    ),
    "Claim": re.compile(
        r"\bthis (?:suggests|implies|means|indicates|shows)\b|\b(?:therefore|thus|hence|consequently)\b"
        r"|\bwe (?:argue|claim|believe|contend)\b", re.I
    ),
    "Assumption": re.compile(r"\bassum(?:e[ds]?|ing|ptions?)\b|\bideali[sz]|\bpresuppos|\bfor simplicity\b", re.I),
    "Counterevidence": re.compile(
        r"\bcontradict(?!ory)|\brefut|\binconsistent with\b|\bat odds with\b|\bcontrary to\b"
        r"|\bno (?:statistically )?significant\b|\bdid not (?:replicate|differ|(?:significantly )?\w+e\b)", re.I
    ),
    "Limitation": re.compile(r"\blimitations?\b|\bmay not (?:generali[sz]e|hold|apply)|\bsmall sample", re.I),
}  # fmt: skip
"""Words by which a sentence tells its role itself."""
_MUST = frozenset({"Assumption", "Counterevidence", "Limitation"})
"""Roles that a sentence must tell itself: authors label no part of an abstract by them, so the model knows none."""
NAMED, HINTED = 3.0, 2.0
"""Score of such words, for those three roles and the others."""

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
    """Return the score of a sentence's own words for a role, 0 without such words."""
    pattern = _NAMED.get(role)
    return (NAMED if role in _MUST else HINTED) if pattern is not None and pattern.search(text) else 0.0


def must_say(role: str) -> bool:
    """Return whether a role is one that a sentence must tell itself."""
    return role in _MUST


def within(role: str, chances: Chances) -> float:
    """Return the weight for a role of the parts that a sentence may belong to."""
    return sum(chances[part] * weight for part, weight in zip(PARTS, _WITHIN[role], strict=True))


def likely(role: str, chances: Chances, last: bool = False) -> bool:
    """Return whether a sentence may be of a role by its part. `last`: it is the last of the abstract."""
    least = AT_THE_END if last and role == "Conclusion" else LIKELY
    return role not in _PARTS_OF or sum(chances[part] for part in _PARTS_OF[role]) >= least


def is_aim(text: str, chances: Chances) -> bool:
    """Return whether a sentence says that it is the aim, or stands where the aim does and mentions the own work."""
    return says("Hypothesis", text) > 0 or chances["objective"] >= (LIKELY if OWN.search(text) else CERTAIN)


MAINS: tuple[Main, ...] = get_args(Main)
SURE = 0.35
"""Least chance of its part that a main statement has; the aim mentions the paper's own work too."""
ENOUGH = 0.8
"""Chance from which more is no reason to prefer a sentence."""
BEARING = 1.0
"""Weight of the words that a test or a result shares with aim and conclusion (cosines, 0 to 1 each)."""

_PART: dict[Main, Part] = {"aim": "objective", "test": "methods", "result": "results", "conclusion": "conclusions"}
_SECTIONS: dict[Main, dict[SectionName, float]] = {
    "aim": {"abstract": 0.8, "introduction": 0.6, "background": 0.4, "theory": 0.0},
    "test": {"methods": 1.0, "data": 0.8, "abstract": 0.3, "results": 0.3},
    "result": {"abstract": 1.0, "results": 0.6},
    "conclusion": {"abstract": 1.0, "conclusion": 1.0, "discussion": 0.2},
}
LOOKED: dict[Main, str] = {
    "aim": "abstract and introduction",
    "test": "methods, results and abstract",
    "result": "abstract and results",
    "conclusion": "abstract, discussion and conclusion",
}
_ROLE: dict[Main, str] = {"aim": "Hypothesis", "conclusion": "Conclusion"}
_TEST = re.compile(
    r"\b(?:t[- ]?tests?|anova|ancova|manova|chi[- ]squared?|mann[–-]whitney|wilcoxon|kruskal|fisher['’]s exact"
    r"|analys[ie]s of (?:co)?variance|student['’]s|dunnett|newman[–-]keuls|friedman|mcnemar|spearman|pearson['’]s"
    r"|kaplan[–-]meier|odds ratios?|hazard ratios?|(?:relative )?risk ratios?|cohen['’]s|kappa|sensitivity (?:and|,)"
    r"|receiver operating|roc curves?|area under the (?:\w+ )?curve|regression|mixed[- ](?:effects?|models?)"
    r"|log[- ]rank|cox|correlation|tukey|duncan|bonferroni|meta-analysis|bayes factors?|likelihood ratio"
    r"|permutation tests?|bootstrap\w*|cross[- ]validation|χ)\b",
    re.IGNORECASE,
)
"""Names of statistical tests and measures."""
_OPEN = re.compile(
    r"\b(?:further|future|additional|more|larger) (?:[\w-]+ ){0,3}(?:work|stud(?:y|ies)|research|trials?|evidence)\b",
    re.IGNORECASE,
)
"""What is left to further work."""


def main_statements(paper: PaperText, statements: Statements | None = None) -> tuple[MainStatement, ...]:
    """Return the paper's main aim, test, result and conclusion, in this order, one of each. A limitation, and what is
    left to further work, is no conclusion; a sentence that cites others is no aim and no result."""
    statements = find_statements(paper) if statements is None else statements
    chosen: dict[Main, MainStatement] = {}
    picked: dict[Main, Statement] = {}
    for main in ("aim", "conclusion", "test", "result"):
        bears = [picked[each] for each in ("aim", "conclusion") if each in picked and main in ("test", "result")]
        scored = [
            (_score(main, each, statements) + BEARING * sum(statements.likeness(each, one) for one in bears), each)
            for each in statements.found
            if each not in picked.values() and _may_be(main, each)
        ]
        best = max(scored, key=lambda pair: (pair[0], -pair[1].order), default=None)
        if best is None:
            chosen[main] = MainStatement(kind=main, why=f"not found; looked in {LOOKED[main]}")
        else:
            picked[main] = best[1]
            chosen[main] = MainStatement(kind=main, text=best[1].text, place=best[1].place)
    return tuple(chosen[main] for main in MAINS)


def _section(statement: Statement) -> SectionName:
    """Return the kind of a statement's section; one that is read as part of an abstract stands in one."""
    return statement.section if statement.chances is None else "abstract"


def _chance(main: Main, statement: Statement) -> float:
    chances = statement.chances or by_words(statement.text, statement.section)
    return chances[_PART[main]]


def _may_be(main: Main, statement: Statement) -> bool:
    text = statement.text
    if _section(statement) not in _SECTIONS[main] or ASIDE.search(text):
        return False
    if statement.marked and main != "conclusion":
        return False
    if main == "conclusion":
        left = _OPEN.search(text)
        if says("Limitation", text) or (left is not None and left.start() < len(text) / 2):
            return False  # what is concluded before it in the sentence may be one
    if main in _ROLE and says(_ROLE[main], text):
        return True
    return _chance(main, statement) >= SURE and (main != "aim" or bool(OWN.search(text)))


def _score(main: Main, statement: Statement, statements: Statements) -> float:
    score = 3 * min(ENOUGH, _chance(main, statement)) + statements.salience(statement)
    score += _SECTIONS[main][_section(statement)]
    score += says(_ROLE[main], statement.text) if main in _ROLE else 0.0
    score += 1.0 * (main == "test" and bool(_TEST.search(statement.text)))
    return score + 2.0 * (statement.parts == (_PART[main],)) - 0.3 * statement.leans - 0.6 * statement.marked
