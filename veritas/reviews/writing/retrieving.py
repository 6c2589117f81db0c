"""Retrieving: for each section of a review the claims its writer is given, and for themes what the claims speak of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from veritas.frozen import Frozen
from veritas.reviews.claim import CorpusClaim
from veritas.reviews.corpus import Corpus
from veritas.reviews.filters import Filters
from veritas.reviews.manuscript import ManuscriptSection
from veritas.reviews.retrieval import Hit
from veritas.reviews.writing.structure import SectionPlan, Structure
from veritas.text.tokens import GENERIC_WORDS, STOP_WORDS, stem, tokenise

RELEVANT = 0.4
"""Share of the words of what was asked that a claim must hold, by weight, to be on the subject at all."""


class Task(Frozen):
    """A section to be written, and all that its writer gets: the section and the claims. `asked` were the queries."""

    section: ManuscriptSection
    asked: tuple[str, ...]
    claims: tuple[CorpusClaim, ...]


class Retrieval(Frozen):
    """Output of the stage."""

    title: str
    tasks: tuple[Task, ...]


async def retrieve(topic: str, structure: Structure, corpus: Corpus, filters: Filters | None = None) -> Retrieval:
    """The sections with their claims. A claim is given to one section only, the first that asks for it.

    Raises `Unavailable` when the corpus has embeddings and its embedder does not answer.
    """
    plans = [(plan, "") for plan in structure.sections if not plan.themes]
    tasks: dict[str, Task] = {}
    taken: set[str] = set()
    order: list[str] = []
    for plan in structure.sections:
        if not plan.themes:
            order.append(plan.id)
            continue
        pool = await _found(plan, topic, "", corpus, filters, taken, most=200)
        themes = themes_of(topic, [hit.claim for hit in pool], plan.themes)
        for number, theme in enumerate(themes, 1):
            plans.append((plan.model_copy(update={"id": f"{plan.id}-{number}"}), theme))
            order.append(f"{plan.id}-{number}")
    for plan, theme in sorted(plans, key=lambda p: order.index(p[0].id)):
        hits = await _found(plan, topic, theme, corpus, filters, taken, most=plan.most)
        taken.update(hit.claim.claim_id for hit in hits)
        title = plan.title.replace("{topic}", topic).replace("{theme}", theme[:1].upper() + theme[1:])
        section = ManuscriptSection(section_id=plan.id, title=title, intent=plan.intent)
        asked = tuple(dict.fromkeys(_query(q, topic, theme) for q in plan.queries))
        tasks[plan.id] = Task(section=section, asked=asked, claims=tuple(hit.claim for hit in hits))
    return Retrieval(
        title=_headline(structure.title, topic), tasks=tuple(tasks[name] for name in order)
    )


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
    most: int,
) -> list[Hit]:
    """The best hits of all queries, in turn from each, on the subject, none of them taken."""
    narrowed = (filters or Filters()).model_copy(
        update={
            name: getattr(plan, name)
            for name in ("claim_types", "evidence_types", "sections")
            if getattr(plan, name)
        }
    )
    subject = frozenset(stem(t) for t in tokenise(topic) if t not in STOP_WORDS)
    spoken_of = frozenset(stem(t) for t in tokenise(theme) if t not in STOP_WORDS)
    lists = []
    for query in dict.fromkeys(_query(q, topic, theme) for q in plan.queries):
        found = await corpus.search(query, narrowed, 4 * most + len(taken))
        lists.append([h for h in found if h.claim.claim_id not in taken and _relevant(h, subject, spoken_of)])
    kept: dict[str, Hit] = {}
    for rank in range(max(map(len, lists), default=0)):
        for hits in lists:
            if rank < len(hits) and len(kept) < most:
                kept.setdefault(hits[rank].claim.claim_id, hits[rank])
    return list(kept.values())


def _relevant(hit: Hit, subject: frozenset[str], theme: frozenset[str]) -> bool:
    """Whether a claim is on the subject, by meaning where there are embeddings, else by its share of the subject's
    words; and on the theme, by all of its words."""
    said = {stem(t) for t in tokenise(f"{hit.claim.text} {hit.claim.verbatim}")}
    if not theme <= said:
        return False
    if hit.semantic is not None and hit.semantic >= 0.5:
        return True
    return len(subject & said) >= RELEVANT * len(subject)


def themes_of(topic: str, claims: Sequence[CorpusClaim], most: int) -> list[str]:
    """What the claims speak of beside the topic: up to `most` pairs or single words that several papers share.

    Words are taken by how many papers have them, then by how many claims; one that stands in nearly every claim tells
    no theme from another. Pairs of words that stand side by side go before single ones, which say little alone.
    """
    known = {stem(t) for t in tokenise(topic)}
    papers: dict[tuple[str, ...], set[str]] = defaultdict(set)
    claims_of: dict[tuple[str, ...], set[str]] = defaultdict(set)
    spelled: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for claim in claims:
        words = [t for t in tokenise(claim.text) if t.isalpha()]
        for size in (1, 2):
            for at in range(len(words) - size + 1):
                run = words[at : at + size]
                if any(w in STOP_WORDS or w in GENERIC_WORDS or len(w) < 4 or stem(w) in known for w in run):
                    continue
                key = tuple(stem(w) for w in run)
                papers[key].add(claim.paper_key)
                claims_of[key].add(claim.claim_id)
                spelled[key][" ".join(run)] += 1
    least = 2 if len({c.paper_key for c in claims}) > 1 else 1
    usable = [k for k in papers if len(papers[k]) >= least and 2 <= len(claims_of[k]) <= max(2, 0.6 * len(claims))]
    usable.sort(key=lambda k: (-len(k), -len(papers[k]), -len(claims_of[k]), k))
    chosen: list[tuple[str, ...]] = []
    covered: set[str] = set()
    for key in usable:
        if len(chosen) == most:
            break
        # A theme whose claims are mostly those of another is the same theme in other words.
        fresh = claims_of[key] - covered
        if any(set(key) & set(other) for other in chosen) or 2 * len(fresh) < len(claims_of[key]):
            continue
        chosen.append(key)
        covered |= claims_of[key]
    return [spelled[key].most_common(1)[0][0] for key in chosen]
