"""Retrieve, for each section of a review, the claims that its writer is given."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from veritas.frozen import Frozen
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.filters import Filters
from veritas.reviews.manuscript import ManuscriptSection
from veritas.reviews.retrieval import Hit
from veritas.reviews.writing._themes import stands_in, themes_of
from veritas.reviews.writing.outline import SectionPlan, Structure
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import tokenise

RELEVANT = {1: 0.5, 2: 0.5, 3: 0.6}
"""Share of the topic's words, by weight, that a claim must hold to be on the subject, by number of words."""
OF_MANY = 0.33
"""The same share for a topic of more words, a list of things that no claim mentions all of."""
ONE_PAPER = 3
"""A section takes at most 1/ONE_PAPER of its claims (but two) from one paper, as long as other papers have some."""


class Task(Frozen):
    """A section to be written, with all that its writer gets: the section and the claims. `asked` were the queries."""

    section: ManuscriptSection
    asked: tuple[str, ...]
    claims: tuple[CorpusClaim, ...]


class Retrieval(Frozen):
    """Output of the retrieval: the review's title and its sections with their claims."""

    title: str
    tasks: tuple[Task, ...]


async def retrieve(topic: str, structure: Structure, corpus: Corpus, filters: Filters | None = None) -> Retrieval:
    """Return the sections with their claims. A claim is given to one section only, the first that asks for it.

    Raises `Unavailable` if the corpus has embeddings and its embedder does not answer.
    """
    subject = _weights(topic, corpus.claims())
    tasks: list[Task] = []
    taken: set[str] = set()

    async def found(plan: SectionPlan, theme: str = "", most: int = 0) -> list[Hit]:
        return await _found(plan, topic, theme, corpus, filters, taken, subject, most=most or plan.most)

    def take(plan: SectionPlan, number: int, theme: str, hits: Sequence[Hit], named: str) -> None:
        taken.update(hit.claim.claim_id for hit in hits)
        title = plan.title.replace("{topic}", topic).replace("{theme}", named[:1].upper() + named[1:])
        name = f"{plan.id}-{number}" if number else plan.id
        section = ManuscriptSection(section_id=name, title=title[:1].upper() + title[1:], intent=plan.intent)
        asked = tuple(dict.fromkeys(_query(q, topic, theme) for q in plan.queries))
        tasks.append(Task(section=section, asked=asked, claims=tuple(hit.claim for hit in hits)))

    for plan in structure.sections:
        if not plan.themes:
            take(plan, 0, "", await found(plan), "")
            continue
        pool = await found(plan, most=200)
        papers = {hit.claim.paper_key for hit in pool}
        number = 0
        for theme in themes_of(topic, [hit.claim for hit in pool], plan.themes):
            hits = await found(plan, theme)
            # A theme must come from several papers.
            if len(hits) > 1 and len({hit.claim.paper_key for hit in hits}) >= min(2, len(papers)):
                number += 1
                take(plan, number, theme, hits, theme)
        rest = await found(plan)
        if rest or not number:
            take(plan, number + 1, "", rest, "Further findings" if number else "Findings")
    return Retrieval(title=_headline(structure.title, topic), tasks=tuple(tasks))


def _headline(title: str, topic: str) -> str:
    words = title.replace("{topic}", " ".join(topic.split()).rstrip("?.! "))
    return words[:1].upper() + words[1:]


def _query(query: str, topic: str, theme: str) -> str:
    return query.replace("{topic}", topic).replace("{theme}", theme)


async def _found(
    plan: SectionPlan,
    topic: str,
    theme: str,
    corpus: Corpus,
    filters: Filters | None,
    taken: set[str],
    subject: Mapping[str, float],
    most: int,
) -> list[Hit]:
    """Return the best hits of all queries, in turn from each: on the subject, not yet taken, from several papers."""
    narrowed = (filters or Filters()).model_copy(
        update={
            name: getattr(plan, name)
            for name in ("claim_types", "evidence_types", "sections")
            if getattr(plan, name)
        }
    )
    spoken_of = frozenset(stem(t) for t in tokenise(theme) if t not in STOP_WORDS)
    lists = []
    for query in dict.fromkeys(_query(q, topic, theme) for q in plan.queries):
        found = await corpus.search(query, narrowed, 4 * most + len(taken))
        lists.append([h for h in found if h.claim.claim_id not in taken and _relevant(h, subject, spoken_of)])
    ranked: dict[str, Hit] = {}
    for rank in range(max(map(len, lists), default=0)):
        for hits in lists:
            if rank < len(hits):
                ranked.setdefault(hits[rank].claim.claim_id, hits[rank])
    if most <= 3:
        return list(ranked.values())[:most]
    from_one: Counter[str] = Counter()
    first: list[Hit] = []
    later: list[Hit] = []
    for hit in ranked.values():
        from_one[hit.claim.paper_key] += 1
        (first if from_one[hit.claim.paper_key] <= max(2, most // ONE_PAPER) else later).append(hit)
    return [*first, *later][:most]


def _relevant(hit: Hit, subject: Mapping[str, float], theme: frozenset[str]) -> bool:
    """Return whether a claim is on the subject (by meaning if there are embeddings, or by its share of the subject's
    words) and holds all words of the theme."""
    said = _stems(f"{hit.claim.text} {hit.claim.verbatim}")
    if not theme <= said:
        return False
    if hit.semantic is not None and hit.semantic >= 0.5:
        return True
    share = RELEVANT.get(len(subject), OF_MANY)
    return sum(w for word, w in subject.items() if stands_in(word, said)) >= share * sum(subject.values())


def _weights(topic: str, claims: Sequence[CorpusClaim]) -> dict[str, float]:
    """Return the weight of each word of a topic: the fewer claims have it, the more it weighs. In a corpus about breast
    cancer the third word of "breast cancer metastasis" tells the subject."""
    words = {stem(t): t for t in tokenise(topic) if t not in STOP_WORDS}
    asked = [w for w, t in words.items() if t not in GENERIC_WORDS] or list(words)
    held = Counter(w for claim in claims for w in asked if stands_in(w, _stems(claim.text)))
    weights = {w: math.log(1 + len(claims) / held[w]) for w in asked if held[w]}
    # A word that no claim has weighs like the others: it may be the whole subject, or only a qualifier.
    usual = sum(weights.values()) / len(weights) if weights else 1.0
    return {w: weights.get(w, usual) for w in asked}


@lru_cache(maxsize=1 << 15)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(t) for t in tokenise(text))
