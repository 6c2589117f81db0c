"""Resolve a writer's citations: code turns claim ids into papers and pages, and words the gaps.

This is the first layer of a review's verification: nothing outside the corpus can be cited (spec, section 3.2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from veritas.documents.verbatim import fold_whitespace
from veritas.frozen import Frozen
from veritas.gate.quote_grounding import foreign_address
from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.manuscript import ManuscriptSection, ReviewDraft, ReviewSentence, cites_of, gap_of, sentence_id
from veritas.text.quantities import quantities
from veritas.text.quantity_relation import agree

_CITATION = re.compile(
    r"\\(?:no)?cite[a-z]*\*?(?:\[[^\]]*\])*\{[^}]*\}|\[-?@[^\]]+\]|(?<![\w@])@[A-Za-z][\w:.#$%&+?<>~/-]*\d"
    r"|\((?:[A-Z][\w'’-]+(?: et al\.?| (?:and|&) [A-Z][\w'’-]+)?,? (?:19|20)\d\d[a-z]?(?:; )?)+\)"
    r"|\b[A-Z][\w'’-]+(?: et al\.?| (?:and|&) [A-Z][\w'’-]+)? \((?:19|20)\d\d[a-z]?\)|\[\d{1,3}(?:[,–-] ?\d{1,3})*\]"
)

Problem = Literal["gap", "no-citation", "invented-claim", "own-citation", "own-source", "number", "altered-quotation"]


class LayerOne(Frozen):
    """A finding of the first layer. `text` is the sentence as it was drafted."""

    section: str
    problem: Problem
    text: str
    why: str


def fault(draft: ReviewDraft, claims: Mapping[str, CorpusClaim]) -> tuple[Problem, str] | None:
    """Return the fault of a drafted sentence as far as code alone can tell, or None.

    `claims` are those the writer was given: any other claim counts as invented, wherever it may stand.
    """
    if draft.kind == "gap":
        return None
    unknown = [i for i in draft.claim_ids if i not in claims]
    if unknown:
        return "invented-claim", f"it cites {', '.join(unknown)[:200]}, which is no claim it was given"
    if not draft.claim_ids:
        return "no-citation", "it states something and cites no claim"
    cited = [claims[i] for i in draft.claim_ids]
    if draft.kind == "quotation":
        same = any(fold_whitespace(draft.text) == c.verbatim for c in cited)
        return None if same and len(cited) == 1 else ("altered-quotation", "it is not the words of the claim it quotes")
    written = _CITATION.search(draft.text)
    if written and not any(written[0] in c.verbatim for c in cited):
        return "own-citation", f"it names a citation of its own, {written[0][:80]!r}: citations are set by code"
    backing = " ".join(text for c in cited for text in (c.text, c.verbatim))
    named = foreign_address(draft.text, backing)
    if named is not None:
        return "own-source", f"it names a source of its own ({named[:80]})"
    theirs = quantities(backing)
    for mine in quantities(draft.text):
        if not any(agree(mine, other) for other in theirs):
            shown = draft.text[mine.start : mine.end]
            return "number", f"its number “{shown}” is in none of the claims it cites"
    return None


def resolved(
    draft: ReviewDraft, section: ManuscriptSection, claims: Mapping[str, CorpusClaim], topic: str
) -> ReviewSentence:
    """Return a sound draft as a sentence of the manuscript; a gap gets code's words."""
    if draft.kind == "gap":
        return gap_of(section, topic, paragraph=draft.paragraph)
    text = fold_whitespace(draft.text)
    ids = tuple(dict.fromkeys(draft.claim_ids))
    return ReviewSentence(
        sentence_id=sentence_id(section.section_id, text, ids),
        section=section.section_id,
        paragraph=draft.paragraph,
        kind=draft.kind,
        text=text,
        claim_ids=ids,
        cites=cites_of(tuple(claims[i] for i in ids)),
    )


def without_doubles(sentences: Sequence[ReviewSentence]) -> tuple[ReviewSentence, ...]:
    """Return the sentences, each id once."""
    return tuple({s.sentence_id: s for s in sentences}.values())
