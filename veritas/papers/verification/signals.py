"""Signs of rigor and of reproducibility in the paper's own words, each with the sentence it was seen in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from veritas.papers.audit import AuditNode
from veritas.papers.audit_parts import Section, SectionName
from veritas.papers.reading.paper import PaperText
from veritas.papers.verification.policy import Signal, VerificationPolicy
from veritas.text.sentences import sentences

LOOKED_IN: frozenset[SectionName] = frozenset(
    (
        "abstract", "introduction", "theory", "methods", "data", "results", "discussion", "limitations", "conclusion",
        "other",
    )
)  # fmt: skip
EVERYWHERE: frozenset[SectionName] = LOOKED_IN | {"disclosures", "appendix", "acknowledgements", "background"}
HALF = 0.5
"""What a sign counts that stands in another section than the statement."""


@dataclass(frozen=True)
class Sign:
    """A signal's words as they were found: `[start, end)` is the sentence."""

    signal: Signal
    start: int
    end: int
    section: str


@dataclass(frozen=True)
class Found:
    """A signal for one statement, with its worth there. `evidence` is the id of the passage, set where it is shown."""

    name: str
    worth: float
    near: bool
    start: int
    end: int
    evidence: str = ""


class Signals:
    """All signs of a paper, looked for once."""

    def __init__(self, paper: PaperText, policy: VerificationPolicy) -> None:
        self._paper, self._policy = paper, policy

    @cached_property
    def signs(self) -> dict[str, list[Sign]]:
        """By metric, in the order of the text."""
        text = self._paper.text
        by_section = [(s, s.name) for s in self._paper.sections]
        spans = [(s.start, s.end) for s in sentences(text) if s.kind != "code"]
        return {
            metric: [
                Sign(signal, *_around(spans, match.start(), match.end()), section.id)
                for signal in signals
                for section, name in by_section
                if name in (EVERYWHERE if signal.anywhere else LOOKED_IN)
                for match in _first_few(signal, text, section)
            ]
            for metric, signals in (
                ("method_rigor", self._policy.signals.method_rigor),
                ("reproducibility", self._policy.signals.reproducibility),
            )
        }

    def of(self, node: AuditNode) -> dict[str, tuple[Found, ...]]:
        """For each metric the signals that count for a node: each once, the nearest place first."""
        if not any(s.name in LOOKED_IN for s in self._paper.sections):
            return {}
        return {metric: tuple(self._counted(signs, node)) for metric, signs in self.signs.items()}

    def _counted(self, signs: Sequence[Sign], node: AuditNode) -> list[Found]:
        best: dict[str, tuple[float, Sign]] = {}
        for sign in signs:
            near = sign.signal.anywhere or sign.section == node.place.section
            worth = sign.signal.worth * (1.0 if near else HALF)
            known = best.get(sign.signal.name)
            away = abs(sign.start - node.place.start)
            if known is None or (worth, -away) > (known[0], -abs(known[1].start - node.place.start)):
                best[sign.signal.name] = (worth, sign)
        return [
            Found(name, worth, worth == sign.signal.worth, sign.start, sign.end) for name, (worth, sign) in best.items()
        ]


def _first_few(signal: Signal, text: str, section: Section, most: int = 3) -> list[re.Match[str]]:
    pattern = re.compile(signal.words, re.IGNORECASE)
    found: list[re.Match[str]] = []
    for match in pattern.finditer(text, section.place.start, section.place.end):
        found.append(match)
        if len(found) == most:
            break
    return found


def _around(spans: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The sentence that holds `[start, end)`, else that stretch itself."""
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle][1] <= start:
            low = middle + 1
        else:
            high = middle
    if low < len(spans) and spans[low][0] <= start and spans[low][1] - spans[low][0] <= 700:
        return spans[low]
    return start, end
