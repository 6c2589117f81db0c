"""The statements of a paper: its whole sentences of prose, each with its place, its words and its subject."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from veritas.documents.abstract_labels import Part
from veritas.documents.paper_parts import Place, SectionName
from veritas.documents.paper_sections import page_of
from veritas.documents.sentence_parts import Chances
from veritas.papers.extraction._abstracts import named_by, pieces
from veritas.papers.reading.paper_text import PaperText
from veritas.text.instructions import is_instruction, is_quoted
from veritas.text.sentences import sentences
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import terms, tokenise

__all__ = ["Statement", "Statements", "Taken", "find_statements", "named_by"]

LEFT_OUT: frozenset[SectionName] = frozenset({"title", "references", "acknowledgements", "appendix"})
SHORTEST, LONGEST = 45, 480
"""Characters of a statement, least and most."""
SHORTEST_IN_ABSTRACT, LONGEST_IN_ABSTRACT = 40, 640
"""The same of an abstract, whose sentences are never joined or cut by mistake."""
WORDS = 7
SMALL = 0.05
"""Least share of small words in a sentence."""

_ENDS = re.compile(r"[.!?][\"'”’)\]]*(?:\[[\d,\s–-]+\])?$")
_LETTERS = re.compile(r"[A-Za-zÀ-ɏ]")
_MARKS = re.compile(r"[\\{}=<>|∈∑∏√→←≤≥𝐀-𝟿ℝρα-ω]")
_VALUE = re.compile(r"[=<>≤≥] ?[-−–]?[\d.]")
"""A number behind its sign ("CI = 0.83"): a figure of prose, not a formula."""
_SHOWS = re.compile(r"^(?:as (?:shown|seen) in |please )?(?:figure|fig\.|table|algorithm|listing|see)\b", re.IGNORECASE)
"""Opens a sentence that sends the reader elsewhere: no statement of the argument."""
ASIDE = re.compile(
    r"https?://|\bwww\.|\b(?:NCT|ISRCTN|ACTRN)\d{6,}|\bfunded by\b|\bregistered (?:with|at|as|in)\b"
    r"|\b(?:is|are) (?:freely |publicly )?available\b",
    re.IGNORECASE,
)
"""Availability, funding and registration of a thing: these are no conclusions."""
_LEANS = re.compile(r"^(?:it|they|he|she|this|these|those|such|both|its|their|here)\b", re.IGNORECASE)
_BRACKETED = re.compile(r"[(\[][^()\[\]]*\d[^()\[\]]*[)\]]")
_FIGURE = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?![\w])")


@dataclass(frozen=True, eq=False)
class Statement:
    """A sentence of the paper as a candidate for a node. `order` counts statements; `paragraph` the paper's blocks."""

    order: int
    text: str
    place: Place
    section: SectionName
    paragraph: int
    first: bool
    last: bool
    marked: bool
    """True if a citation stands in it."""
    bag: Counter[str] = field(repr=False)
    chances: Chances | None = None
    """In an abstract, its chances of each part ("background" to "conclusions")."""
    parts: tuple[Part, ...] = ()
    """In an abstract, the parts that the label or heading above it names."""
    alone: bool = False
    """True if its section, of the body, holds no other sentence."""

    @cached_property
    def figures(self) -> frozenset[str]:
        """The numbers in it, as written, except years, single digits and citations' numbers."""
        bare = re.sub(r"\[[\d,;\s–-]+\]|\([^()]*\b(?:19|20)\d\d[a-z]?\)", " ", self.text)
        found = _FIGURE.findall(bare)
        return frozenset(n.replace(",", "") for n in found if not re.fullmatch(r"(?:19|20)\d\d|[0-9]", n))

    @property
    def leans(self) -> bool:
        """True if it opens with a word that only the sentence before explains."""
        return bool(_LEANS.match(self.text))


class Taken(NamedTuple):
    """A statement in its role (the mode's name for it), with its score for that role."""

    statement: Statement
    role: str
    base: str
    score: float


@dataclass(frozen=True, eq=False)
class Statements:
    """All statements of a paper, with the rarity of their words."""

    found: tuple[Statement, ...]
    rarity: dict[str, float]
    topic: dict[str, float]
    """The paper's subject: words of title, abstract and headings, by weight, at most 1."""
    instructions: tuple[str, ...] = ()
    """Sentences addressed to a machine that reads the paper; they are no statements."""
    quoted: tuple[str, ...] = ()
    """Sentences that quote or report such an address, as a paper about such attacks does; no statements either."""

    def likeness(self, one: Statement, other: Statement) -> float:
        """Return the cosine of the two bags of words weighted by rarity, 0 to 1."""
        shared = sorted(one.bag.keys() & other.bag.keys())  # sums in one order, whatever the hashes of this process
        if not shared:
            return 0.0
        dot = sum(self.rarity[t] ** 2 for t in shared)
        return dot / (self.length(one) * self.length(other))

    def length(self, statement: Statement) -> float:
        """Return the norm of a statement's bag of words."""
        return math.sqrt(sum(self.rarity[t] ** 2 for t in statement.bag)) or 1.0

    def salience(self, statement: Statement) -> float:
        """Return how much of the paper's subject is in a statement, 0 to 1; length is not rewarded."""
        if not statement.bag:
            return 0.0
        weight = sum(self.topic.get(t, 0.0) * self.rarity[t] for t in statement.bag)
        return min(1.0, weight / (3.0 + 0.5 * self.length(statement) ** 2 / max(1, len(statement.bag))) / 4.0)


def find_statements(paper: PaperText) -> Statements:
    """Return the whole sentences of the body's prose: no captions, contents, formulas and instructions."""
    text = paper.text
    captions = sorted((f.place.start, f.place.end) for f in paper.figures)
    starts = [start for start, _ in captions]
    marks = sorted(m.place.start for m in paper.markers)
    heads = {s.place.start for s in paper.sections}
    found: list[Statement] = []
    instructions: list[str] = []
    quoted: list[str] = []
    opening = named_by(paper.identity.title)
    whole = pieces(paper, [s for s in sentences(text) if s.kind in ("prose", "item")])
    lengths = Counter(piece.section.id for piece in whole if piece.section and piece.start not in heads)
    for piece in whole:
        start, end, section = piece.start, piece.end, piece.section
        name: SectionName = section.name if section else "other"
        if name in LEFT_OUT or start in heads or not paper.sections:
            continue
        at = bisect_right(starts, start) - 1
        if at >= 0 and start < captions[at][1]:
            continue
        words = " ".join(text[start:end].split())
        if is_instruction(words):
            (quoted if is_quoted(text, start, end) else instructions).append(words[:200])
            continue
        named = bool(opening) and words.lstrip("`*_").startswith(opening)
        alone = section is not None and piece.chances is None and lengths[section.id] == 1
        if not _is_statement(words, abstract=piece.chances is not None, named=named, alone=alone):
            continue
        found.append(
            Statement(
                order=len(found),
                text=words,
                place=Place(
                    start=start,
                    end=end,
                    page=page_of(paper.document.page_starts, start),
                    section=section.id if section else None,
                ),
                section=name,
                paragraph=piece.block,
                first=piece.first,
                last=piece.last,
                marked=bisect_left(marks, start) < bisect_left(marks, end),
                bag=Counter(t for t in terms(words) if len(t) > 2 and not t.isdigit()),
                chances=piece.chances,
                parts=piece.parts,
                alone=alone,
            )
        )
    rarity = _rarity(found)
    return Statements(tuple(found), rarity, _topic(paper, rarity), tuple(instructions), tuple(quoted))


def _is_statement(words: str, abstract: bool = False, named: bool = False, alone: bool = False) -> bool:
    """`named`: the sentence opens with the name that the paper's title gives its subject, in small letters. `alone`: it
    is all that its section says, however short."""
    shortest, longest = (SHORTEST_IN_ABSTRACT, LONGEST_IN_ABSTRACT) if abstract else (SHORTEST, LONGEST)
    shortest, least = (1, 2) if alone else (shortest, WORDS - abstract)
    if not shortest <= len(words) <= longest or not _ENDS.search(words):
        return False
    # In an abstract there are no lists and tables, so that what begins with a number is a sentence too.
    if not (words[0].isupper() or named or (abstract and (words[0].isdigit() or words[0] in "[(“\"'"))):
        return False
    tokens = tokenise(words)
    if len(tokens) < least or words.endswith("?") or _SHOWS.match(words):
        return False
    outside = _BRACKETED.sub(" ", words)
    lettered = max(len(_LETTERS.findall(each)) / len(each) for each in (words, outside) if each.strip())
    if lettered < 0.5 or len(_MARKS.findall(_VALUE.sub("", words))) > 3:
        return False
    # A sentence has its small words; a row of a table or a list of names has none. What stands in brackets with figures
    # need not count.
    bare = tokenise(outside)
    return alone or _is_spoken(tokens) or (len(bare) >= least and _is_spoken(bare))


def _is_spoken(tokens: Sequence[str]) -> bool:
    small = sum(token in STOP_WORDS for token in tokens)
    return small >= SMALL * len(tokens) and sum(token[0].isdigit() for token in tokens) <= 0.3 * len(tokens)


def _rarity(found: list[Statement]) -> dict[str, float]:
    counts = Counter(t for statement in found for t in statement.bag)
    total = len(found) or 1
    return {t: math.log(1 + total / n) * (0.35 if t in _GENERIC else 1.0) for t, n in counts.items()}


_GENERIC = frozenset(stem(word) for word in GENERIC_WORDS)


def _topic(paper: PaperText, rarity: dict[str, float]) -> dict[str, float]:
    """Return the words of title, abstract and headings that the body uses as well, by weight."""
    weights: Counter[str] = Counter()
    for term in set(terms(paper.identity.title)):
        weights[term] += 3
    for section in paper.sections:
        if section.name == "abstract":
            weights.update(set(terms(paper.text[section.place.start : section.place.end])))
            weights.update(terms(paper.text[section.place.start : section.place.end]))
        elif section.name not in LEFT_OUT:
            for term in set(terms(section.heading)):
                weights[term] += 1
    most = max(weights.values(), default=1)
    return {t: min(1.0, n / min(most, 5)) for t, n in weights.items() if t in rarity}
