"""Search a Zotero library: several strategies, one ranking, the best items of all (spec, section 4.1)."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.zotero import items as reading
from veritas.reviews.zotero.items import ZoteroLibrary
from veritas.text.tokens import terms, weigh

FETCHED = 50
"""Items that a strategy finds at most."""
BEST = 20
"""Items kept of those that all strategies find."""
WORDS = 4
"""Words of a topic that are also searched singly, because Zotero requires all words of a query in one item."""
RECENT = 5
"""Years for which a work counts as new."""
TITLE, ABSTRACT, TAG, NEW = 3.0, 1.0, 2.0, 0.5
"""Weight of a topic's word in a title, in an abstract (each time, up to three) and in the tags; and of newness."""

Item = Mapping[str, Any]


class ItemFilters(Frozen):
    """Filters of the items found; an empty field filters nothing."""

    item_types: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    year_from: int | None = None
    year_to: int | None = None

    def admits(self, found: ItemHit) -> bool:
        """Return whether an item passes all of them. An undated one passes no limit of years."""
        year = found.year
        return (
            (not self.item_types or found.item_type in self.item_types)
            and (not self.tags or bool({t.casefold() for t in self.tags} & {t.casefold() for t in found.tags}))
            and (self.year_from is None or (year is not None and year >= self.year_from))
            and (self.year_to is None or (year is not None and year <= self.year_to))
        )


class ItemHit(Frozen):
    """An item of the library. `found_by` names the strategies that found it, `score` is 0 and up."""

    key: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    item_type: str = ""
    tags: tuple[str, ...] = ()
    score: float
    found_by: tuple[str, ...]


async def search_library(
    client: ZoteroLibrary,
    topic: str,
    *,
    filters: ItemFilters | None = None,
    corpus: Corpus | None = None,
    limit: int = BEST,
) -> tuple[ItemHit, ...]:
    """Return the items that match a topic best, best first.

    Strategies: all words in title, creator and year; all words anywhere, full text included; each of the first words
    alone; tags that hold one of the words; and, with a corpus, the papers whose claims answer the topic. Each finds at
    most `FETCHED` items. Raises `Unavailable` if none of the strategies had an answer.
    """
    words = list(dict.fromkeys(re.findall(r"\w[\w'’-]*", topic)))
    content = sorted((w for w in words if terms(w)), key=lambda w: -max(weigh(w).values(), default=0.0))[:WORDS]
    asked: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "keyword": partial(client.items, FETCHED, q=" ".join(words), qmode="titleCreatorYear"),
        "full text": partial(client.items, FETCHED, q=" ".join(words), qmode="everything"),
        "tags": partial(_tagged, client, topic),
    }
    if len(content) > 1:
        for word in content:
            asked[f"word {word}"] = partial(client.items, FETCHED, q=word, qmode="titleCreatorYear")
    if corpus is not None:
        near = await _near(corpus, topic, client.root)
        if near:
            asked["claims"] = partial(client.items, FETCHED, itemKey=",".join(near))
    answers = await asyncio.gather(*(asyncio.to_thread(ask) for ask in asked.values()), return_exceptions=True)
    found: dict[str, Item] = {}
    by: dict[str, list[str]] = {}
    problems: list[BaseException] = []
    for strategy, answer in zip(asked, answers, strict=True):
        if isinstance(answer, BaseException):
            if not isinstance(answer, Unavailable):
                raise answer
            problems.append(answer)
            continue
        for item in answer:
            key = reading.key_of(item)
            if key is not None and reading.is_paper(item):
                found.setdefault(key, item)
                by.setdefault(key, []).append(strategy)
    if len(problems) == len(asked):
        raise Unavailable(str(problems[0]))
    wanted = set(terms(topic))
    hits = [_hit(key, item, wanted, tuple(by[key])) for key, item in found.items()]
    admitted = [hit for hit in hits if filters is None or filters.admits(hit)]
    return tuple(sorted(admitted, key=lambda hit: (-hit.score, hit.key))[:limit])


def _hit(key: str, item: Item, wanted: set[str], found_by: tuple[str, ...]) -> ItemHit:
    known = reading.record(item)
    held = reading.tags(item)
    title = Counter(terms(known.full_title or ""))
    abstract = Counter(terms(str(reading.data_of(item).get("abstractNote") or "")))
    tagged = {term for tag in held for term in terms(tag)}
    score = sum(
        TITLE * (title[term] > 0) + ABSTRACT * min(3, abstract[term]) + TAG * (term in tagged) for term in wanted
    )
    if known.year is not None and known.year >= datetime.now(UTC).year - RECENT:
        score += NEW
    return ItemHit(
        key=key,
        title=known.full_title or "",
        authors=tuple(str(name) for name in known.authors),
        year=known.year,
        doi=known.doi,
        item_type=str(reading.data_of(item).get("itemType") or ""),
        tags=held,
        score=round(score, 3),
        found_by=found_by,
    )


def _tagged(client: ZoteroLibrary, topic: str) -> list[dict[str, Any]]:
    wanted = set(terms(topic))
    near = [tag for tag in client.tags() if wanted & set(terms(tag))]
    # This is the sign for "or" in a query, so a tag that holds it cannot be asked for.
    usable = [tag for tag in near if "||" not in tag and not tag.startswith("-")][:20]
    return client.items(FETCHED, tag=" || ".join(usable)) if usable else []


async def _near(corpus: Corpus, topic: str, root: str) -> Sequence[str]:
    """Return the keys of the items whose claims answer the topic best."""
    own = {paper.paper_key: paper.source for paper in corpus.papers() if paper.root.startswith(root)}
    hits = await corpus.search(topic, limit=200)
    return list(dict.fromkeys(own[h.claim.paper_key] for h in hits if h.claim.paper_key in own))[:FETCHED]
