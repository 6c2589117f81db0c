"""Retrieve, for each section of a review, the claims that its writer is given.

Themes: words beside the topic that the claims of several papers share.

The structure of a review, from a file a person can edit: sections, their purpose, their queries to the corpus.

`imrad` and `thematic` are shipped in `policies/reviews/`; any other file of the same form works too.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from veritas.council.embedded.alignment import repeats
from veritas.documents.paper_parts import SectionName
from veritas.documents.sentence_parts import OWN
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.judging.evidence import weight
from veritas.policy.yaml_file import read_yaml_model
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import CLAIM_KINDS, ClaimKind, CorpusClaim, EvidenceKind, Filters
from veritas.reviews.manuscript import ManuscriptSection
from veritas.search.ranking import closeness
from veritas.settings import policy_file, policy_files
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import normalise, tokenise

Query = Annotated[str, Field(min_length=1, max_length=500)]


class SectionPlan(Frozen):
    """A section. `queries` are put to the corpus, with `{topic}` (or `{theme}`) in them replaced; the kinds narrow the
    results. `most` is how many claims its writer is given. `themes` above 0 turns it into a section for each theme
    found in the claims, at most so many."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    intent: str = Field(default="", max_length=1_000)
    queries: tuple[Query, ...] = ("{topic}",)
    claim_types: frozenset[ClaimKind] = frozenset()
    evidence_types: frozenset[EvidenceKind] = frozenset()
    sections: frozenset[SectionName] = frozenset()
    most: int = Field(default=12, ge=1, le=200)
    themes: int = Field(default=0, ge=0, le=20)


class Structure(Frozen):
    """The sections in their order. `{topic}` in the title is replaced."""

    title: Annotated[str, Field(min_length=1, max_length=300)] = "{topic}: a review"
    sections: tuple[SectionPlan, ...] = Field(min_length=1, max_length=40)

    @model_validator(mode="after")
    def _distinct(self) -> Structure:
        ids = [section.id for section in self.sections]
        doubled = next((i for i in ids if ids.count(i) > 1), None)
        if doubled:
            raise ValueError(f"two sections have the id {doubled!r}")
        return self


AUTO = "auto"
"""Name of the structure that fits the writer."""


def read_structure(named: str | Path) -> Structure:
    """Return the structure of that name in the policies folder, or in that file; for `auto` that of a model.

    Raises `PolicyError` with file, line and key for a mistake in it, `InputError` if it does not exist.
    """
    path = Path("imrad" if named == AUTO else named)
    if not path.suffix and path.name == str(path):
        path = policy_file(f"reviews/{path}.yaml")
    if not path.is_file():
        names = ", ".join(p.stem for p in policy_files("reviews"))
        raise InputError(f"there is no structure {str(named)!r}: name one of {names}, or a YAML file of your own")
    return read_yaml_model(path, Structure)


_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*|[^\w\s]")
COMMON = 2.9
"""Weight of a stem, by its rarity in abstracts, below which a word is about studies in general and names no theme."""
RARE, LONG = 5.0, 8
"""Weight and letters from which a word that is no name may be a theme alone."""
_NONE = frozenset(map(stem, STOP_WORDS | GENERIC_WORDS))


def themes_of(topic: str, claims: Sequence[CorpusClaim], most: int) -> list[str]:
    """Return up to `most` pairs of adjacent words, names, or rare words, that at least two papers share (one if there
    is only one). Those that tell best which claims belong together come first: many papers, few other claims. Words in
    most of the claims are left out, since they distinguish no theme."""
    known = {stem(t) for t in tokenise(topic)}
    papers: dict[tuple[str, ...], set[str]] = defaultdict(set)
    claims_of: dict[tuple[str, ...], set[str]] = defaultdict(set)
    spelled: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for claim in claims:
        for run in _runs(claim.text, known):
            key = tuple(stem(word.casefold()) for word in run)
            papers[key].add(claim.paper_key)
            claims_of[key].add(claim.claim_id)
            spelled[key][" ".join(run)] += 1
    least = 2 if len({c.paper_key for c in claims}) > 1 else 1
    usable = [k for k in papers if len(papers[k]) >= least and 2 <= len(claims_of[k]) <= max(2, 0.4 * len(claims))]
    usable.sort(key=lambda k: (-len(papers[k]) * math.sqrt(len(claims_of[k])) * (1.0 if len(k) == 1 else 1.6), k))
    chosen: list[tuple[str, ...]] = []
    covered: set[str] = set()
    for key in usable:
        # A theme whose claims are mostly those of another is the same theme in other words.
        fresh = claims_of[key] - covered
        if any(set(key) & set(other) for other in chosen) or 2 * len(fresh) < len(claims_of[key]):
            continue
        chosen.append(key)
        covered |= claims_of[key]
    # The most frequent spelling; of equals, one that does not begin with a capital.
    return [max(seen := spelled[key], key=lambda s: (seen[s], s[0].islower(), s)) for key in chosen[:most]]


def _runs(text: str, known: set[str]) -> list[tuple[str, ...]]:
    """Return the names, rare words, and pairs of adjacent words, that may name a theme, as they are spelled."""
    found: list[tuple[str, ...]] = []
    before: str | None = None
    for word in _WORD.findall(normalise(text)):
        if not _names(word, known):
            before = None
            continue
        if _is_name(word) or (len(word) >= LONG and weight(stem(word.casefold())) >= RARE):
            found.append((word,))
        if before is not None and not word.endswith("ed"):
            found.append((before, word))
        before = word
    return found


def _names(word: str, known: set[str]) -> bool:
    low = word.casefold()
    parts = low.split("-")
    if (len(low) < 4 and not _is_name(word)) or not low[0].isalpha() or low.endswith("ly"):
        return False
    if all(weight(stem(part)) < COMMON for part in parts):
        return False
    return not any(p.isdigit() or stem(p) in _NONE or stands_in(stem(p), known) for p in parts)


def stands_in(word: str, said: Collection[str]) -> bool:
    """Return whether a stem is there, or one of its family: "metastases", "metastatic" for "metastasis"."""
    if word in said:
        return True
    root = word[: max(6, len(word) - 2)]
    return len(word) > 6 and any(other.startswith(root) for other in said)


def _is_name(word: str) -> bool:
    return len(word) > 2 and sum(c.isupper() or c.isdigit() for c in word) > 1 and any(c.isalpha() for c in word)


HALF = 0.5
"""Share of the topic's words, by weight, that a claim must hold to be on the subject: with the title of its paper by
their rarity in the claims, and alone by their rarity in the papers."""
A_TURN = 2
"""Claims that a paper has of the whole review before the other papers have theirs."""
FEW = 4
"""Claims that any paper may have; of more, it has at most twice the even share of a paper on the topic."""
ANY = 200
"""Claims that are looked at to tell which papers are on the topic."""


Weights = tuple[dict[str, float], dict[str, float]]
"""Weights of the topic's words: by their rarity in the claims of a corpus, and in its papers."""


class Task(Frozen):
    """A section to be written, with all that its writer gets: the section and the claims. `asked` were the queries."""

    section: ManuscriptSection
    asked: tuple[str, ...]
    claims: tuple[CorpusClaim, ...]


class Retrieval(Frozen):
    """Output of the retrieval: the review's title and its sections with their claims."""

    title: str
    tasks: tuple[Task, ...]
    off_topic: tuple[str, ...] = ()
    """Keys of the papers without a claim on the topic."""


async def retrieve(topic: str, structure: Structure, corpus: Corpus, filters: Filters | None = None) -> Retrieval:
    """Return the sections with their claims. A claim is given to one section only, the first that asks for it. Papers
    take turns, and each that has a finding on the topic has its place.

    Raises `Unavailable` if the corpus has embeddings and its embedder does not answer.
    """
    subject, titles = _weights(topic, corpus.claims()), {paper.paper_key: paper.title for paper in corpus.papers()}
    on_topic = [claim for claim in corpus.claims() if _relevant(claim, titles.get(claim.paper_key, ""), subject)]
    room = ANY
    tasks: list[Task] = []
    taken: set[str] = set()
    given: Counter[str] = Counter()

    async def found(plan: SectionPlan, theme: str = "", most: int = 0) -> list[CorpusClaim]:
        return await _found(plan, topic, theme, corpus, filters, taken, given, room, on_topic, most or plan.most)

    def take(plan: SectionPlan, number: int, theme: str, claims: Sequence[CorpusClaim], named: str) -> None:
        taken.update(claim.claim_id for claim in claims)
        title = plan.title.replace("{topic}", topic).replace("{theme}", named[:1].upper() + named[1:])
        name = f"{plan.id}-{number}" if number else plan.id
        section = ManuscriptSection(section_id=name, title=title[:1].upper() + title[1:], intent=plan.intent)
        asked = tuple(dict.fromkeys(_query(q, topic, theme) for q in plan.queries))
        tasks.append(Task(section=section, asked=asked, claims=_merged(claims, tasks)))
        given.update(claim.paper_key for claim in tasks[-1].claims)

    asked = [plan.claim_types or frozenset(CLAIM_KINDS) for plan in structure.sections]
    kinds = frozenset[ClaimKind]().union(*asked)
    whole = SectionPlan(id="others", title="Other papers on the topic", most=ANY, claim_types=kinds)
    planned = sum(plan.most * max(1, plan.themes) for plan in structure.sections)
    room = max(FEW, 2 * planned // max(1, len({claim.paper_key for claim in await found(whole)})))
    for plan in structure.sections:
        if not plan.themes:
            take(plan, 0, "", await found(plan), "")
            continue
        pool = await found(plan, most=200)
        papers = {claim.paper_key for claim in pool}
        number = 0
        for theme in themes_of(topic, pool, plan.themes):
            claims = await found(plan, theme)
            # A theme must come from several papers.
            if len(claims) > 1 and len({claim.paper_key for claim in claims}) >= min(2, len(papers)):
                number += 1
                take(plan, number, theme, claims, theme)
        rest = await found(plan, most=plan.most * (1 if number else 2))
        if rest or not number:
            take(plan, number + 1, "", rest, "Further findings" if number else "Findings")
    first = {claim.paper_key: claim for claim in reversed(await found(whole)) if not given[claim.paper_key]}
    if first:
        take(whole, 0, "", list(first.values()), "")
    off_topic = tuple(paper.paper_key for paper in corpus.papers() if not given[paper.paper_key])
    return Retrieval(title=_headline(structure.title, topic), tasks=tuple(tasks), off_topic=off_topic)


def _merged(claims: Sequence[CorpusClaim], earlier: Sequence[Task]) -> tuple[CorpusClaim, ...]:
    """Return the claims, those of a paper that say the same as one with all their pages; without what an earlier
    section has."""
    kept: list[CorpusClaim] = []
    shown = [claim for task in earlier for claim in task.claims]
    for claim in claims:
        twin = next((n for n, other in enumerate(kept) if _copies(claim, other)), None)
        if twin is not None:
            pages = {*kept[twin].also_on, *((claim.page,) if claim.page else ())} - {kept[twin].page}
            kept[twin] = kept[twin].model_copy(update={"also_on": tuple(sorted(p for p in pages if p))})
        elif not any(_copies(claim, other) for other in shown):
            kept.append(claim)
    return tuple(kept)


def _copies(one: CorpusClaim, other: CorpusClaim) -> bool:
    if one.paper_key != other.paper_key:
        return False
    first, second = one.verbatim, other.verbatim
    return first in second or second in first or (repeats(first, second) and repeats(second, first))


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
    given: Mapping[str, int],
    room: int,
    on_topic: Sequence[CorpusClaim],
    most: int,
) -> list[CorpusClaim]:
    """Return the best claims of all queries, in turn from each: on the topic (by their words, or by meaning if there
    are embeddings), with all words of the theme, not yet taken, and those of papers first that were `given` fewer
    claims of; none of a paper that was given `room`."""
    names = ("claim_types", "evidence_types", "sections")
    narrowed = (filters or Filters()).model_copy(update={n: getattr(plan, n) for n in names if getattr(plan, n)})
    spoken_of = frozenset(stem(t) for t in tokenise(theme) if t not in STOP_WORDS)
    ranked: dict[str, tuple[int, CorpusClaim]] = {}
    for query in dict.fromkeys(_query(q, topic, theme) for q in plan.queries):
        hits = await corpus.search(query, narrowed, ANY) if corpus.embedding_model is not None else ()
        meant = [hit.claim for hit in hits if hit.semantic is not None and hit.semantic >= HALF]
        pool = {claim.claim_id: claim for claim in (*meant, *on_topic) if narrowed.admits(claim)}
        free = [claim for name, claim in pool.items() if name not in taken and spoken_of <= _stems(claim.text)]
        known = {hit.claim.claim_id: hit.score for hit in hits}
        close = [known.get(c.claim_id, 0.0) for c in free] if hits else closeness(query, [c.text for c in free])
        for rank, at in enumerate(sorted(range(len(free)), key=lambda at: (-close[at], at))):
            rank = (rank + 1) * (2 if OWN.search(free[at].text) else 1)  # rather one that stands without its study
            place = min(rank, ranked.get(free[at].claim_id, (rank,))[0])
            ranked[free[at].claim_id] = place, free[at]
    have = Counter(given)
    turns: list[tuple[int, int, CorpusClaim]] = []
    for place, claim in sorted(ranked.values(), key=lambda each: each[0]):
        if have[claim.paper_key] < room:
            turns.append((have[claim.paper_key] // A_TURN, place, claim))
            have[claim.paper_key] += 1
    return [claim for *_, claim in sorted(turns, key=lambda each: each[:2])][:most]


def _relevant(claim: CorpusClaim, title: str, subject: Weights) -> bool:
    """Return whether a claim has the share of the topic's words that makes it one on the topic."""
    said = _stems(f"{claim.text} {claim.verbatim}")
    return all(
        sum(w for word, w in weights.items() if stands_in(word, held)) >= HALF * sum(weights.values())
        for weights, held in zip(subject, (said | _stems(title), said), strict=True)
    )


def _weights(topic: str, claims: Sequence[CorpusClaim]) -> Weights:
    """Return the weight of each word of a topic, the rarer the more: by the claims that have it, and by the papers. In
    a corpus about breast cancer the third word of "breast cancer metastasis" tells the subject, and in "malaria
    prevention" the first."""
    words = {stem(t): t for t in tokenise(topic) if t not in STOP_WORDS}
    asked = [w for w, t in words.items() if t not in GENERIC_WORDS] or list(words)
    held = {w: [c.paper_key for c in claims if stands_in(w, _stems(c.text))] for w in asked}
    return (
        _rarity({w: len(keys) for w, keys in held.items()}, len(claims)),
        _rarity({w: len(set(keys)) for w, keys in held.items()}, len({c.paper_key for c in claims})),
    )


def _rarity(held: Mapping[str, int], of: int) -> dict[str, float]:
    weights = {w: weight(w) * math.log(1 + (of - n + 0.5) / (n + 0.5)) for w, n in held.items() if n}
    # A word that no claim has weighs like the others: it may be the whole subject, or only a qualifier.
    usual = sum(weights.values()) / len(weights) if weights else 1.0
    return {w: weights.get(w, usual) for w in held}


@lru_cache(maxsize=1 << 15)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(t) for t in tokenise(text))
