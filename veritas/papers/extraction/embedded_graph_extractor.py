"""The extractor without a language model: scores sentences by the sentence model, section and subject.

It does not understand meaning. It picks the paper's own sentences that look most like each role, and links those that
share words, place and order. So its graph shows where to look, and its name says that it is embedded.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from random import Random

from veritas.documents.paper_parts import Main
from veritas.documents.sentence_parts import OWN, Chances
from veritas.papers.audit import AuditEdge
from veritas.papers.extraction._linking import link
from veritas.papers.extraction.main_statements import (
    AT_HOME,
    by_words,
    is_aim,
    likely,
    main_statements,
    must_say,
    says,
    within,
)
from veritas.papers.extraction.modes import Mode
from veritas.papers.extraction.proposal import Checked, Proposal, ProposedNode
from veritas.papers.extraction.statements import ASIDE, Statement, Statements, Taken, find_statements
from veritas.papers.reading.paper_text import PaperText
from veritas.scoring.roles import ROLES

NAME = "embedded"
FULL = 16
"""The graph size that a mode's `wanted` counts refer to."""
ORDER = (
    "Hypothesis", "Conclusion", "Result", "Limitation", "Assumption", "Counterevidence", "Method", "Evidence",
    "Claim", "Context",
)  # fmt: skip
"""The order in which roles choose; first those that few sentences can fill and that the argument needs."""
SALIENCE = 2.2
"""Score that a statement wholly about the paper's subject gains for any role."""
ALIKE = 0.55
"""Likeness above which two statements say the same, so that only the better one is kept."""
NEEDED: dict[str, float] = {
    "Hypothesis": 2.4, "Context": 1.8, "Assumption": 2.2, "Method": 2.2, "Evidence": 1.9, "Result": 2.4, "Claim": 1.0,
    "Counterevidence": 2.8, "Limitation": 2.0, "Conclusion": 2.4,
}  # fmt: skip
"""Least score for a role. Highest where a mistake misleads most: counterevidence lowers a score."""
LEAST = 1.4
"""Least score of the hypothesis and the conclusion that a graph cannot do without; below it there is none."""
LEAST_IN_ABSTRACT = 0.8
"""The same for the hypothesis of an abstract alone, where the place may count against an aim stated in passing ("To see
whether …, we measured …")."""
CORE = 1.6
"""Factor on the subject's weight for these two."""
AIMING = 0.1
"""Least chance of a sentence on the paper's own work to be its aim, for it to be the hypothesis of a paper."""
ABOVE_A_BODY = 0.5
"""Factor on the weight of a part in an abstract above a body, whose sections hold the full argument."""
LEANING = 0.5
"""Score taken from a statement that only the sentence before explains ("It …", "These …")."""


@dataclass(frozen=True)
class Leaning:
    """The difference of a sample from the first: factors on the scores of roles, and on the least scores."""

    cue: float = 1.0
    section: float = 1.0
    salience: float = 1.0
    needed: float = 1.0
    link: float = 1.0
    roles: tuple[tuple[str, float], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()

    def of(self, role: str) -> float:
        """Return the factor on a role's score."""
        return dict(self.roles).get(role, 1.0)


def leaning(seed: int, index: int) -> Leaning:
    """Return the leaning of a sample: none for the first, each further one drawn by seed and index."""
    if index == 0:
        return Leaning()
    random = Random(f"{seed}:{index}")

    def factor(spread: float) -> float:
        return math.exp(random.gauss(0.0, spread))

    return Leaning(
        cue=factor(0.2),
        section=factor(0.2),
        salience=factor(0.35),
        needed=factor(0.08),
        link=factor(0.15),
        roles=tuple((role, factor(0.08)) for role in ROLES),
        counts=tuple((role, random.choice((-1, 0, 0, 1))) for role in ("Method", "Evidence", "Result", "Claim")),
    )


class EmbeddedExtractor:
    """The extractor without a language model. The same paper, mode, seed and index give the same graph."""

    name = NAME

    def __init__(self, paper: PaperText, mode: Mode) -> None:
        self.mode = mode
        self.statements = find_statements(paper)
        self._ends = _ends(self.statements)
        self._closing = _closing(self.statements)
        self._alone = all(statement.chances is not None for statement in self.statements.found)
        self._mains = _mains(paper, self.statements)
        self._scored: dict[tuple[int, str], tuple[float, float, float]] = {}

    def sample(self, limit: int, seed: int, index: int) -> tuple[Proposal, dict[tuple[str, str], AuditEdge]]:
        """Return a graph as a proposal, and for each of its edges the reason for it."""
        lean = leaning(seed, index)
        taken = self._choose(limit, lean)
        taken.sort(key=lambda t: t.statement.order)
        names = {t.statement.order: f"n{number}" for number, t in enumerate(taken, 1)}
        edges = link(taken, names, self.statements, lean.link)
        nodes = tuple(
            ProposedNode(
                id=names[t.statement.order],
                role=t.role,
                text=t.statement.text,
                parents=tuple(e.parent for e in edges if e.child == names[t.statement.order]),
            )
            for t in taken
        )
        return Proposal(nodes=nodes), {(e.parent, e.child): e for e in edges}

    def roles(self) -> list[Taken]:
        """Return every statement in its best role, by score above the role's least, in the order of the paper."""
        found = []
        for statement in self.statements.found:
            each = [self._taken(statement, role, Leaning()) for role in ROLES if self._possible(statement, role)]
            found += [max(each, key=lambda taken: taken.score - NEEDED[taken.base])] if each else []
        return found

    def _choose(self, limit: int, lean: Leaning) -> list[Taken]:
        """Return at most `limit` statements, as many of each role as the mode wants, hardest roles first."""
        changed = dict(lean.counts)
        wanted = {role: self.mode.wanted.get(role, 1) for role in ROLES}
        counts = {role: max(0, count + (changed.get(role, 0) if count > 1 else 0)) for role, count in wanted.items()}
        scale = limit / FULL
        taken = [self._taken(statement, role, lean) for role, statement in self._mains.items()][:limit]
        for role in ORDER:
            want = counts[role] if scale <= 1 else max(counts[role], round(counts[role] * scale))
            want -= sum(t.base == role for t in taken)
            possible = (self._taken(s, role, lean) for s in self.statements.found if self._possible(s, role))
            must = role in ("Hypothesis", "Conclusion") and not any(t.base == role for t in taken)
            for each in sorted(possible, key=lambda t: (-t.score, t.statement.order)):
                least = self._least(role) if must else NEEDED[role] * lean.needed
                if want <= 0 or len(taken) >= limit or each.score < least:
                    break
                if not any(self._same(each, other) for other in taken):
                    taken.append(each)
                    want, must = want - 1, False
        return self._kept(taken, limit)

    def _least(self, role: str) -> float:
        """Return the least score of the first statement of a role that a graph cannot do without."""
        return LEAST_IN_ABSTRACT if role == "Hypothesis" and self._alone else LEAST

    def _kept(self, taken: list[Taken], limit: int) -> list[Taken]:
        """Return at most `limit`: hypothesis, conclusion and main result, and of the others what stands out most."""
        if len(taken) <= limit:
            return taken
        kept = (*self._mains.values(),)
        first = [t for t in taken if t.base in ("Hypothesis", "Conclusion") or t.statement in kept][: max(2, limit)]
        rest = sorted((t for t in taken if t not in first), key=lambda t: NEEDED[t.base] - t.score)
        return [*first, *rest[: limit - len(first)]]

    def _possible(self, statement: Statement, base: str) -> bool:
        """Return whether a statement can be of that role at all."""
        if statement.section not in AT_HOME.get(base, {statement.section}):
            return False
        if base == "Conclusion" and ASIDE.search(statement.text):
            return False
        chances = _chances(statement)
        own_part = likely(base, chances, self._closing[-1:] == (statement.order,))
        if not own_part and (statement.chances is not None or not says(base, statement.text)):
            return False
        if base == "Hypothesis":
            # The only statement that can be the conclusion is not also the hypothesis.
            own = bool(OWN.search(statement.text)) and self._closing != (statement.order,)
            return (own and chances["objective"] >= AIMING) or is_aim(statement.text, chances)
        if base == "Limitation" and statement.section == "limitations":
            return True
        if base == "Evidence":
            return statement.marked
        return not must_say(base) or says(base, statement.text) > 0

    def _same(self, one: Taken, other: Taken) -> bool:
        """Return whether two statements say the same. A conclusion may repeat the hypothesis, for it answers it."""
        if {one.base, other.base} == {"Hypothesis", "Conclusion"}:
            return one.statement.text == other.statement.text
        return one.statement is other.statement or self.statements.likeness(one.statement, other.statement) > ALIKE

    def _taken(self, statement: Statement, base: str, lean: Leaning) -> Taken:
        """Return the statement's score for one of the ten roles, under the best-fitting of the mode's names for it."""
        cue, section, salience = self._parts(statement, base)
        score = (cue * lean.cue + section * lean.section + salience * lean.salience) * lean.of(base)
        best = Taken(statement, base, base, score)
        for name, role in self.mode.roles.items():
            if role.base != base or not any(re.search(c, statement.text, re.IGNORECASE) for c in role.cues):
                continue
            at_home = statement.section in role.sections
            if not at_home and statement.section in ("disclosures", "appendix"):
                continue
            own = (max(cue, 1.4) + 0.6) * lean.cue + (max(section, 1.0) if at_home else section) * lean.section
            own = (own + salience * lean.salience) * lean.of(base)
            if own > best.score and at_home:
                best = Taken(statement, name, base, own)
        return best

    def _parts(self, statement: Statement, base: str) -> tuple[float, float, float]:
        key = (statement.order, base)
        if key not in self._scored:
            above = statement.chances is not None and not self._alone
            placed = 0.6 if base == "Conclusion" and statement.order in self._ends else 0.0
            core = CORE if base in ("Hypothesis", "Conclusion") else 1.0
            self._scored[key] = (
                says(base, statement.text) + _features(statement, base) + placed,
                within(base, _chances(statement)) * (ABOVE_A_BODY if above else 1.0),
                SALIENCE * core * self.statements.salience(statement),
            )
        return self._scored[key]


def _mains(paper: PaperText, statements: Statements) -> dict[str, Statement]:
    """Return the paper's main aim, conclusion and result by the roles that they have in every graph."""
    found = {main.kind: main.place for main in main_statements(paper, statements)}
    by_place = {statement.place: statement for statement in statements.found}
    roles: dict[str, Main] = {"Hypothesis": "aim", "Conclusion": "conclusion", "Result": "result"}
    return {role: by_place[place] for role, kind in roles.items() if (place := found[kind]) is not None}


def _ends(statements: Statements) -> frozenset[int]:
    """Return the places of takeaways: the last statements of the abstract and of the body."""
    abstract = [s.order for s in statements.found if s.section == "abstract"]
    body = [s.order for s in statements.found if s.section not in ("abstract", "disclosures")]
    return frozenset((*abstract[-2:], *body[-3:]))


def _closing(statements: Statements) -> tuple[int, ...]:
    """Return the statements of an abstract that are likely its conclusion, or the last one if there is none."""
    found = [s for s in statements.found if s.chances is not None and not ASIDE.search(s.text)]
    return tuple(s.order for s in found if likely("Conclusion", _chances(s))) or tuple(s.order for s in found[-1:])


def _chances(statement: Statement) -> Chances:
    """Return a statement's chances of each part: in an abstract those of the sequence, else by words and section."""
    return statement.chances if statement.chances is not None else by_words(statement.text, statement.section)


def _features(statement: Statement, base: str) -> float:
    """Return the score for a role apart from cue phrases: numbers, citations, the place in its paragraph."""
    figures, marked = bool(statement.figures), statement.marked
    ours = bool(OWN.search(statement.text))
    score = -LEANING if statement.leans else 0.0
    score -= 0.6 * (len(statement.text) < 80)
    if base == "Result":
        score += 0.8 * figures + 0.3 * (len(statement.figures) > 1) - 1.2 * marked
    elif base == "Evidence":
        score += 1.2 * marked + 0.4 * figures - 1.0 * ours
    elif base == "Context":
        score += 0.3 * marked + 0.4 * statement.first - 0.8 * ours
    elif base == "Hypothesis":
        score += 0.3 * ours - 0.8 * marked - 0.4 * figures
    elif base == "Method":
        score += 0.3 * ours - 0.4 * marked + 0.4 * (figures and statement.section in ("methods", "data"))
    elif base == "Conclusion":
        score += 0.3 * statement.last - 0.8 * marked
    elif base in ("Claim", "Limitation", "Counterevidence"):
        score += -0.8 * marked + (0.3 * ours if base != "Counterevidence" else 0.0)
    return score


def described(checked: Checked, why: dict[tuple[str, str], AuditEdge]) -> Checked:
    """Return a checked graph with the reasons for its edges."""
    return replace(checked, edges=tuple(why.get((e.parent, e.child), e) for e in checked.edges))
