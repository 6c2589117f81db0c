"""A page as the judge reads it: its sentences with their words, without what is addressed to a judge."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from veritas.documents.document import Document
from veritas.factcheck.rounding import as_much
from veritas.factcheck.rows import clauses_of, whole_rows
from veritas.meaning.embedded.addressed_to_judge import without_instructions
from veritas.meaning.embedded.claim_evidence import weight
from veritas.text.instructions import is_instruction
from veritas.text.languages import foreign_language
from veritas.text.quantities import Quantity, quantities
from veritas.text.quantity_relation import relation
from veritas.text.sentences import statements
from veritas.text.tokens import tokens

_ECHO = re.compile(
    r"(?i)\b(?:statement|claim|assertion|answer|citation|quotation|sentence|text)\b.{0,400}?\b(?:is|are|was|were|"
    r"has been|have been|can be|should be|must be)\s+(?:\w+\s+){0,2}?(?:supported|verified|confirmed|backed|"
    r"substantiated|corroborated|true|correct|accurate)\b"
    r"|\b(?:this|the)\s+(?:source|page|article|document|site|reference)\s+(?:\w+\s+){0,2}?(?:fully\s+)?(?:supports?|"
    r"confirms?|verifies|proves?|backs?|substantiates)\s+(?:\w+\s+){0,2}?(?:statement|claim|answer|assertion|citation|"
    r"every|all|any|it)\b"
    r"|\b(?:fact[- ]?check(?:ers?|ing)?|verif(?:ier|ication)s?|judges?|reviewers?|graders?|evaluators?)\b.{0,120}?\b(?:"
    r"should|must|may|can|shall|please)\b.{0,80}?\b(?:mark|label|rate|treat|consider|count|accept|return|record)\b",
    re.DOTALL,
)
"""Sentences by which a page vouches for a statement in the place of saying it."""
NUMBER = 5.0
"""Weight of a number of the claim in a sentence, on the scale of words' weights."""
LONGEST = 1_500
"""Characters of a sentence that are read; a longer run without an end is no sentence."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a page, at `start` to `end` of its text, with the stems of its words, and its numbers."""

    start: int
    end: int
    stems: frozenset[str]
    numbers: tuple[Quantity, ...] = ()


@dataclass(frozen=True, eq=False)
class ReadPage:
    """A page's text and the sentences of it that count. `language` is the name of the language it is in, empty for
    English and for what cannot be told. `addressed`: some of its sentences speak to a judge, and are left out."""

    text: str
    title: str
    sentences: tuple[Sentence, ...]
    language: str
    addressed: bool


def read_page(document: Document) -> ReadPage:
    """Return a document as the judge reads it. It is read once, however many statements cite it."""
    return _read(document.text, document.title)


@lru_cache(maxsize=64)
def _read(text: str, title: str) -> ReadPage:
    kept, addressed = [], False
    for start, end in clauses_of(text, whole_rows(text, statements(text))):
        said = text[start : min(end, start + LONGEST)]
        if speaks_to_judge(said):
            addressed = True
            continue
        kept.append(Sentence(start, min(end, start + LONGEST), stems_of(said), quantities(said)))
    return ReadPage(text, title, tuple(kept), foreign_language(text[:20_000]) or "", addressed)


def giving(page: ReadPage, figure: str) -> Sentence | None:
    """Return the first sentence of a page that gives a measured figure ("30 seconds"), if any. What it is of may stand
    in its heading."""
    measured = next((q for q in quantities(figure) if q.measured), None)
    if measured is None:
        return None
    return next((each for each in page.sentences if any(relation(measured, q) == "same" for q in each.numbers)), None)


def speaks_to_judge(sentence: str) -> bool:
    """Return whether a sentence tells whoever checks a text what to make of it: it says nothing about the matter."""
    return bool(_ECHO.search(sentence)) or is_instruction(sentence) or not without_instructions(sentence).strip()


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of the words of a text."""
    return frozenset(token.stem for token in tokens(text))


def nearest(page: ReadPage, claim: str, most: int) -> list[int]:
    """Return the places of the sentences that share most words with a claim, by their weight, best first. A number that
    is the claim's counts as a rare word, and a neighbour's words count a little: a fact may stand in two sentences."""
    wanted = stems_of(claim)
    weights = {each: weight(each) for each in wanted}
    numbers = quantities(claim)
    own = [
        sum(weights[s] for s in sentence.stems & wanted)
        + sum(NUMBER for mine in numbers if any(as_much(mine, other, claim) for other in sentence.numbers))
        for sentence in page.sentences
    ]
    scored = []
    for at, score in enumerate(own):
        beside = max(own[at - 1] if at else 0.0, own[at + 1] if at + 1 < len(own) else 0.0)
        if score:
            scored.append((-(score + 0.2 * beside), at))
    return [at for _, at in sorted(scored)[:most]]
