"""Signs of rigor and of reproducibility in the paper's own words, each with its sentence; denied signs do not count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from veritas.documents.paper_parts import Section, SectionName
from veritas.papers.audit import AuditNode
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.verification.metric_policy import Signal, VerificationPolicy
from veritas.text.sentences import sentences

LOOKED_IN: frozenset[SectionName] = frozenset(
    (
        "abstract", "introduction", "theory", "methods", "data", "results", "discussion", "limitations", "conclusion",
        "other",
    )
)  # fmt: skip
EVERYWHERE: frozenset[SectionName] = LOOKED_IN | {"disclosures", "appendix", "acknowledgements", "background"}
HALF = 0.5
"""Factor on a sign in another section than the statement."""

_NO = re.compile(
    r"\b(?:no(?!\.\s*\d)|not|none|nothing|nobody|never|cannot|without|neither|nor|absence|unable to|fail(?:s|ed)? to"
    r"|lack(?:s|ed|ing)?)\b|\b\w+n['’]t\b",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"\b(?:not (?:only|just|merely|simply|least|all|every|without)|no (?:doubt|matter|less|fewer|more|later|sooner"
    r"|longer) than|no (?:doubt|matter)|nothing (?:but|less)|whether or not|without (?:any )?doubt"
    r"|none of (?:the |our |these |those )?(?=\d))\b|\bno (?:fewer|less)\b",
    re.IGNORECASE,
)
"""Words that begin like a denial and are none; and two denials that cancel each other."""
_CLAUSE_END = re.compile(
    r"[;:()—]|\s–\s|\b(?:but|whereas|while|although|though|however|because|since|unless|yet|instead|except|and|so)\b",
    re.IGNORECASE,
)
_OF_AN_OUTCOME = re.compile(
    r"\b(?:differ|effect|affect|improv|chang|increas|decreas|reduc|benefit|significan|better|worse|superior|inferior"
    r"|outperform|correlat|associat|influenc|higher|lower|greater|exceed|advantage|evidence|rule out|exclude"
    r"|between\b|among\b|in\b|from\b|than\b|during\b|after\b|within\b|across\b|that\b|which\b|who\b|whether\b)",
    re.IGNORECASE,
)
"""Words after a denial that turn it on something else. "No difference from placebo" does have a comparison."""
_FINITE = re.compile(r"\b(?:we|they|it|is|are|was|were|has|have|had|did|do|does|can|could)\b", re.IGNORECASE)
_UNDONE = re.compile(
    r"[^,;:()]{0,40}?\b(?:(?:is|are|was|were|be|been|could|can|has|have|had|will)\s+(?:not|never)\s+(?:be(?:en)?\s+)?"
    r"|(?:is|are|was|were|has|have|could|can)n['’]t\s+(?:be(?:en)?\s+)?|cannot\s+be\s+)(?:\w+ly\s+)?(?:possible|feasible"
    r"|available|done|used|made|given|reported|performed|applied|computed|calculated|conducted|undertaken|carried|planned"
    r"|included|provided|released|published|shared|attempted|fixed|recorded|stated|tried|obtained|collected|described)\b"
    r"|[^,;:()]{0,30}?\b(?:is|are|was|were)\s+(?:lacking|missing|absent|unavailable|impossible|omitted)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Sign:
    """A signal's words as they were found; `[start, end)` is the sentence."""

    signal: Signal
    start: int
    end: int
    section: str


@dataclass(frozen=True)
class Found:
    """A signal for one statement, with its worth there. `evidence` is the id of the passage, set if it is shown."""

    name: str
    worth: float
    near: bool
    start: int
    end: int
    evidence: str = ""


class Signals:
    """All signs of a paper, searched for once."""

    def __init__(self, paper: PaperText, policy: VerificationPolicy) -> None:
        self._paper, self._policy = paper, policy

    @cached_property
    def signs(self) -> dict[str, list[Sign]]:
        """Signs by metric, in the order of the text."""
        text = self._paper.text
        by_section = [(s, s.name) for s in self._paper.sections]
        spans = [(s.start, s.end) for s in sentences(text) if s.kind != "code"]
        return {
            metric: [
                Sign(signal, *_around(spans, match.start(), match.end()), section.id)
                for signal in signals
                for section, name in by_section
                if name in (EVERYWHERE if signal.anywhere else LOOKED_IN)
                for match in _first_three(signal, text, section, spans)
            ]
            for metric, signals in (
                ("method_rigor", self._policy.signals.method_rigor),
                ("reproducibility", self._policy.signals.reproducibility),
            )
        }

    def of(self, node: AuditNode) -> dict[str, tuple[Found, ...]]:
        """Return for each metric the signals that count for a node: each once, the nearest place first."""
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


def denied(sentence: str, start: int, end: int) -> bool:
    """Return whether the words at `[start, end)` of a sentence are denied there: "no code is available", "blinding was
    not possible", "non-randomised". Words said not to differ, or not only to be, are not denied."""
    if re.search(r"\bnon[-\s]?$", sentence[:start], re.IGNORECASE) or _UNDONE.match(sentence, end):
        return True
    before = _NO_DENIAL.sub(lambda m: " " * len(m.group()), sentence)[:start]
    # "No code and data are available" denies both; elsewhere the denial ends at "and".
    before = re.sub(r"^(\W*no (?:[\w-]+ ){1,3})and $", r"\1or ", before, flags=re.IGNORECASE)
    before = before[max((m.end() for m in _CLAUSE_END.finditer(before)), default=0) :]
    for each in _NO.finditer(before):
        between = before[each.end() :]
        _, comma, listed = between.partition(",")
        if comma and (_FINITE.search(between) or not re.search(r"\bn?or\b", listed + sentence[end : end + 60])):
            continue  # a new clause, not the next item of a list of denied things
        if not _OF_AN_OUTCOME.search(between):
            return True
    return False


def _first_three(
    signal: Signal, text: str, section: Section, spans: Sequence[tuple[int, int]]
) -> list[re.Match[str]]:
    pattern = re.compile(signal.words, re.IGNORECASE)
    found: list[re.Match[str]] = []
    for match in pattern.finditer(text, section.place.start, section.place.end):
        start, end = _around(spans, match.start(), match.end())
        if denied(" ".join(text[start:end].splitlines()), match.start() - start, match.end() - start):
            continue
        found.append(match)
        if len(found) == 3:
            break
    return found


def _around(spans: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """Return the sentence that holds `[start, end)`, else that stretch itself."""
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
