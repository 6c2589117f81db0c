"""The main aim, test, result and conclusion of a paper, in its own words, or that it has none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import get_args

from veritas.documents.paper_parts import Main, MainStatement, SectionName
from veritas.papers.extraction._cues import ASIDE
from veritas.papers.extraction._main_cues import (
    AT_AIM,
    BESIDE,
    CONCLUDED,
    CONTRARY,
    DESCRIBED,
    FOUND,
    HERE,
    MEASURED,
    NAMES_TEST,
    NO_AIM,
    NO_TEST,
    PARTICULAR,
    PLANNED,
    PROGRAM,
    RECOMMENDED,
    REPORTED,
    REPORTS,
    SAYS_SO,
    STRONG,
    TOLD,
    concludes_nothing,
    strongest,
)
from veritas.papers.extraction.abstract_labels import Part
from veritas.papers.extraction.statements import Statement, Statements, find_statements, named_by
from veritas.papers.reading.paper_text import PaperText

MAINS: tuple[Main, ...] = get_args(Main)

SURE = 2.0
"""Least score of a main statement; below it none is named."""
NEVER = 100.0
"""What is taken from the score of a sentence that cannot be a main statement of a kind."""
BEARING = 2.0
"""Weight of the words that a result shares with aim and conclusion (cosines, 0 to 1 each)."""
_PROGRAM = re.compile(
    r"^[^:]{2,40}:\s|^[`*]*[\w.-]{2,30}[`*]*\s*[–—-]\s|\b(?:package|library|software|tool(?:box|kit)?|programs?|apps?)\b",
    re.IGNORECASE,
)
"""What the title of a note on a program holds: its name before a colon, or what it is."""
_STATISTICS = re.compile(r"statistic|\bdata analys[ie]s\b", re.IGNORECASE)
_MINE = re.compile(
    r"\b(?:we|our)\b|\b(?:this|present|current|the) (?:\w+ )?(?:study|paper|work|article|review|trial|analysis)\b",
    re.IGNORECASE,
)

_PARTS: dict[Main, dict[Part, float]] = {
    "aim": {"objective": 3.0, "background": 0.2, "methods": 0.0, "results": -1.5, "conclusions": -2.0},
    "test": {"methods": 1.0, "objective": 0.0, "background": -3.0, "results": -0.5, "conclusions": -3.0},
    "result": {"results": 2.5, "methods": -1.0, "objective": -2.0, "background": -3.0, "conclusions": 0.0},
    "conclusion": {"conclusions": 3.0, "results": 0.2, "methods": -3.0, "objective": -3.0, "background": -3.0},
}
_SECTIONS: dict[Main, dict[SectionName, float]] = {
    "aim": {"abstract": 0.8, "introduction": 0.6, "background": 0.4, "theory": 0.0, "other": -0.4},
    "test": {"methods": 1.2, "data": 0.8, "abstract": 0.3, "results": 0.3, "other": 0.0, "theory": 0.0},
    "result": {"abstract": 1.2, "results": 0.8, "discussion": 0.0, "conclusion": 0.0, "other": -0.2},
    "conclusion": {"conclusion": 1.6, "abstract": 1.0, "discussion": 0.2, "other": -0.5, "results": -0.8},
}
LOOKED: dict[Main, str] = {
    "aim": "abstract and introduction",
    "test": "methods, results and abstract",
    "result": "abstract and results",
    "conclusion": "abstract, discussion and conclusion",
}


def main_statements(paper: PaperText, statements: Statements | None = None) -> tuple[MainStatement, ...]:
    """Return the paper's main aim, test, result and conclusion, in this order, one of each. A limitation, and what is
    left to further work, is no conclusion; what others found is no aim and no result."""
    statements = find_statements(paper) if statements is None else statements
    told = _Told.of(paper, statements)
    chosen: dict[Main, MainStatement] = {}
    taken: set[int] = set()
    picked: dict[Main, Statement] = {}
    for main in ("aim", "conclusion", "test", "result"):
        open_to = [s for s in statements.found if s.order not in taken]
        headed = [s for s in open_to if _concludes_under(s)] if main == "conclusion" else []
        if headed:
            # What stands under the abstract's own heading "Conclusions" concludes, whatever its words, the first of it
            # unless another says so.
            scored = [(_headed(s, headed[0]), -s.order, s) for s in headed]
        else:
            # A result bears on what was asked and what was concluded; an aside shares few words with either.
            bears = [aim_or_end for aim_or_end in picked.values() if main == "result"]
            near = {s.order: sum(statements.likeness(s, each) for each in bears) for s in open_to}
            scored = [(_score(main, s, told) + BEARING * near[s.order], -s.order, s) for s in open_to]
        # What stands under "Conclusion" concludes, though its words may not say so.
        bare = SURE - 0.5 if main == "conclusion" else SURE
        scored = [each for each in scored if each[0] >= (bare if each[2].section == "conclusion" else SURE)]
        best = max(scored, key=lambda each: each[:2], default=None)
        if best is None:
            chosen[main] = MainStatement(kind=main, why=f"not found; looked in {LOOKED[main]}")
        else:
            chosen[main] = MainStatement(kind=main, text=best[2].text, place=best[2].place)
            taken.add(best[2].order)
            if main in ("aim", "conclusion"):
                picked[main] = best[2]
    return tuple(chosen[main] for main in MAINS)


@dataclass(frozen=True)
class _Told:
    """What is known of a paper beside the words of one statement."""

    statements: Statements
    left: dict[int, int]
    """Statement's order -> its number in its kind of section, counted from the end, 1 for the last; asides and what
    is left open have none."""
    first_own: int
    """The order of the abstract's first statement that speaks of the paper's own work, -1 if there is none."""
    named: re.Pattern[str] | None
    """How a sentence opens that says what the thing is for that the title names ("bumbl: …"), if it names one."""
    argued: bool
    """Whether it argues from methods to conclusions: false for a note on a program."""
    front: frozenset[int] = frozenset()
    """The orders of statements before the introduction, in a paper whose abstract has no heading."""
    concludes: bool = False
    """Whether a section for conclusions has a statement that may conclude: then a sentence of figures does not."""
    statistics: frozenset[str] = frozenset()
    """The ids of sections on statistics."""
    whole: bool = False
    """Whether there is neither abstract nor discussion nor conclusion, so that any section may conclude."""

    @classmethod
    def of(cls, paper: PaperText, statements: Statements) -> _Told:
        names = {section.name for section in paper.sections}
        opens = next((s.place.start for s in paper.sections if s.name in ("introduction", "background", "methods")), 0)
        front = frozenset(
            s.order for s in statements.found
            if "abstract" not in names and s.section == "other" and s.place.start < opens
        )  # fmt: skip
        ends: dict[SectionName, list[int]] = {}
        for statement in statements.found:
            if not (ASIDE.search(statement.text) or concludes_nothing(statement.text)):
                section: SectionName = "abstract" if statement.order in front else statement.section
                ends.setdefault(section, []).append(statement.order)
        left = {order: len(orders) - at for orders in ends.values() for at, order in enumerate(orders)}
        own = (
            s.order for s in statements.found
            if (s.section == "abstract" or s.order in front) and _MINE.search(s.text) and strongest("aim", s.text)[0]
        )  # fmt: skip
        title = paper.identity.title
        program = bool(_PROGRAM.search(title)) and not names & {"methods", "results", "discussion", "conclusion"}
        needed = any(section.heading.casefold() == "statement of need" for section in paper.sections)
        whole = not front and not names & {"abstract", "discussion", "conclusion"}
        concludes = any(
            s.section == "conclusion" and not (ASIDE.search(s.text) or concludes_nothing(s.text))
            for s in statements.found
        )
        return cls(
            statements, left, next(own, -1), _named(title), not (program or needed), front, concludes,
            frozenset(s.id for s in paper.sections if _STATISTICS.search(s.heading)), whole,
        )  # fmt: skip

    def section(self, statement: Statement) -> SectionName:
        """Return the kind of section of a statement; what stands before an introduction is taken for the abstract."""
        return "abstract" if statement.order in self.front else statement.section


def _named(title: str) -> re.Pattern[str] | None:
    name = named_by(title)
    if not name:
        return None
    does = r"(?:aims?|provides?|offers?|implements?|allows?|enables?|supports?|was (?:designed|developed|created))"
    said = rf"(?:[^.,;]{{0,80}}\()?[`*_]*{re.escape(name)}[`*_]*\)?"
    return re.compile(rf"{said} (?:(?:is|are) (?:an?|the)\b|{does}\b)", re.IGNORECASE)


def _concludes_under(statement: Statement) -> bool:
    """Return whether a statement stands in the abstract under a label or heading for conclusions alone, and is one."""
    inside = "conclusions" in statement.parts and "results" not in statement.parts
    return inside and not (
        concludes_nothing(statement.text) or ASIDE.search(statement.text) or CONTRARY.match(statement.text)
    )


def _headed(statement: Statement, first: Statement) -> float:
    weight, _ = strongest("conclusion", statement.text)
    says = weight >= STRONG and not RECOMMENDED.search(statement.text)
    return 2 * SURE + (weight if says else 0.0) - 0.3 * statement.leans + 0.1 * (statement.order == first.order)


def _score(main: Main, statement: Statement, told: _Told) -> float:
    text, section = statement.text, told.section(statement)
    if section not in _SECTIONS[main] or ASIDE.search(text):
        return 0.0
    cue, cues = strongest(main, text)
    score = (cue + 0.2 * cues if cues else 0.0) + _SECTIONS[main][section]
    chances = statement.chances
    if chances is not None:
        score += sum(chance * _PARTS[main][part] for part, chance in chances.items())
    score -= 1.2 * statement.marked + 0.3 * statement.leans
    left = told.left.get(statement.order, 0)
    if main == "aim":
        score += _as_aim(statement, cue, left, told)
    elif main == "conclusion":
        score += _as_conclusion(statement, cue, left, told)
    elif main == "result":
        method = statement.parts == ("methods",) or (chances is not None and chances["results"] < 0.1)
        headed = "results" in statement.parts
        score -= NEVER * (not (cues or headed) or method)
        score -= 1.5 * bool(CONCLUDED.search(text)) + 2.5 * bool(BESIDE.search(text))
        score += 0.6 * bool(statement.figures) + 0.4 * bool(MEASURED.search(text)) - 1.0 * bool(PARTICULAR.match(text))
        score -= 0.4 * bool(CONTRARY.match(text)) + 1.0 * bool(REPORTED.search(text))
        score -= 1.5 * bool(DESCRIBED.search(text))
    else:
        # The program that computed is no test, and neither is what a test gave.
        other = cue < NAMES_TEST and bool(PROGRAM.search(text) or FOUND.search(text))
        other = other or statement.parts == ("results",)
        other = other or (section not in ("methods", "data") and bool(REPORTS.search(text)))
        score -= NEVER * (not cues or other or bool(NO_TEST.search(text))) + 2.5 * bool(BESIDE.search(text))
        score += 0.6 * (statement.place.section in told.statistics) - 1.5 * bool(FOUND.search(text))
    return score + told.statements.salience(statement)


def _as_aim(statement: Statement, cue: float, left: int, told: _Told) -> float:
    text, section, chances = statement.text, told.section(statement), statement.chances
    named = told.named is not None and bool(told.named.match(text))
    if section == "other" and not (told.whole or named):
        return -NEVER
    stands = chances is not None and chances["objective"] >= 0.5 and bool(AT_AIM.search(text)) and not TOLD.search(text)
    if not (cue or named or stands) or NO_AIM.search(text) or (REPORTED.search(text) and statement.marked):
        return -NEVER
    under = statement.parts == ("objective",)
    return (
        ((2.6 + 0.5 * (" is a" in text[:120])) * (cue < 2.6) if named and not told.argued else 0.0)
        + 2.0 * under
        - (0.8 if HERE.search(text) else 1.5) * (bool(TOLD.search(text)) and not under)
        + 0.8 * (section in ("introduction", "background") and left <= 5)
        + 0.5 * (statement.order == told.first_own)
    )


def _as_conclusion(statement: Statement, cue: float, left: int, told: _Told) -> float:
    text, section, chances = statement.text, told.section(statement), statement.chances
    if concludes_nothing(text) or statement.parts == ("results",):
        return -NEVER
    if section in ("other", "results") and not (told.whole and cue >= STRONG):
        return -NEVER
    if strongest("aim", text)[0] >= 3.0 and not CONCLUDED.search(text):
        return -NEVER
    if told.concludes and cue < SAYS_SO and "conclusions" not in statement.parts and REPORTS.search(text):
        return -NEVER
    last = section == "abstract" and left == 1 and told.argued
    # The last sentence of an abstract concludes whatever its words, unless it looks like a method or an aim.
    ends = last and chances is not None and chances["conclusions"] + chances["results"] >= 0.5
    likely = chances is not None and chances["conclusions"] >= 0.5 and told.argued
    if not (cue or likely or ends) and section != "conclusion":
        return -NEVER
    if not told.argued and cue < STRONG:
        return -NEVER
    sure = cue or chances is None or chances["conclusions"] >= 0.6
    score = (1.4 if sure else 0.5) * last + 0.6 * (last and chances is not None and chances["conclusions"] >= 0.9)
    score += 0.6 * (section == "abstract" and left == 2)
    score += 0.6 * (section == "discussion" and left <= 6) + 0.4 * (section == "conclusion" and left <= 4)
    score -= 0.5 * (not cue and section == "conclusion")
    score -= 0.8 * bool(CONTRARY.match(text)) + 1.0 * bool(PARTICULAR.match(text))
    score += 1.5 * (section == "abstract" and cue >= SAYS_SO) - 0.7 * bool(RECOMMENDED.search(text))
    return score - 1.5 * bool(PLANNED.match(text))
