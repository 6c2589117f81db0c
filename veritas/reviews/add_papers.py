"""Add papers to a corpus: from an offer to claims in the file. Each paper is stored as it is done."""

from __future__ import annotations

import asyncio
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from veritas.claims.graph import Call
from veritas.errors import StoreUnavailable, Unavailable
from veritas.frozen import Frozen
from veritas.reading.corpus_names import kept_name
from veritas.reviews._corpus_changes import (
    drop_moved,
    drop_papers,
    put_paper,
    put_problems,
    rename_paper,
    reserve_keys,
    work_of,
)
from veritas.reviews.check_corpus import ground
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import CorpusClaim, CorpusPaper
from veritas.reviews.drafts import Candidate, ClaimExtractor, Extraction, Offer, Problem
from veritas.works.records import BibRecord
from veritas.works.title_comparison import normalise_title

AT_ONCE = 4
"""Papers processed at the same time; the calls of each are limited by the provider's rates."""
EMBED_AT_ONCE = 128
"""Texts in one request for embeddings."""


class Addition(Frozen):
    """The result of an addition, as citation keys. `claims` is how many claims the corpus gained; `unavailable` are
    papers that wait for something that did not answer and will be tried again at the next addition."""

    corpus: str
    root: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    claims: int = 0
    problems: tuple[Problem, ...] = ()
    unavailable: tuple[Problem, ...] = ()
    calls: int = 0
    calls_from_ledger: int = 0
    cost_usd: float | None = 0.0
    """Cost of the calls in US dollars; None if a model's price is unknown."""


async def add(
    corpus: Corpus,
    offer: Offer,
    extractor: ClaimExtractor,
    *,
    again: bool = False,
    on_paper: Callable[[str, int], None] = lambda key, claims: None,
) -> Addition:
    """Extract the claims of new and changed papers of an offer, and remove papers that it no longer has.

    Papers are stored as they are done, each whole or not at all: after a kill the next addition goes on with what is
    missing. Two additions at once take turns. With `again`, papers that another extractor processed are processed anew;
    without it their claims stay. `on_paper` is called with each key as it is done, and its number of claims.

    Raises `StoreUnavailable` if the file cannot be written; what was stored before stays. Papers for which something
    did not answer are in `Addition.unavailable`.
    """
    return await _Adding(corpus, offer, extractor, again, on_paper).run()


@dataclass
class _Drawn:
    """A paper with its claims, on its way into the file; `stored` is None until storing was tried."""

    candidate: Candidate
    key: str
    claims: tuple[CorpusClaim, ...]
    vectors: list[array[float]] | None
    extractor: str
    left_out: dict[str, int]
    stored: bool | None = None


class _Adding:
    def __init__(
        self,
        corpus: Corpus,
        offer: Offer,
        extractor: ClaimExtractor,
        again: bool,
        on_paper: Callable[[str, int], None],
    ) -> None:
        self._corpus, self._offer, self._extractor, self._again = corpus, offer, extractor, again
        self._on_paper = on_paper
        self._added: list[str] = []
        self._changed: list[str] = []
        self._unchanged: list[str] = []
        self._problems = [problem for problem in offer.problems if not problem.waiting]
        self._unavailable = [problem for problem in offer.problems if problem.waiting]
        self._calls: list[Call] = []
        self._claims = 0
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._storing = asyncio.Lock()
        self._ready: list[_Drawn] = []
        self._gone: frozenset[str] = frozenset()

    async def run(self) -> Addition:
        candidates, held, keys = await asyncio.to_thread(self._settle)
        self._gone = self._of_held_gone(held, {c.source for c in candidates})
        tasks = [asyncio.ensure_future(self._one(c, keys[c.source], held.get(c.source))) for c in candidates]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        removed = await asyncio.to_thread(self._finish, held)
        asked = [call for call in self._calls if not call.from_ledger]
        costs = [call.cost_usd for call in asked if call.error is None]
        return Addition(
            corpus=self._corpus.name,
            root=self._offer.root,
            added=tuple(sorted(self._added)),
            changed=tuple(sorted(self._changed)),
            unchanged=tuple(sorted(self._unchanged)),
            removed=removed,
            claims=self._claims,
            problems=tuple(self._problems),
            unavailable=tuple(self._unavailable),
            calls=len(asked),
            calls_from_ledger=len(self._calls) - len(asked),
            cost_usd=None if None in costs else round(sum(c for c in costs if c is not None), 6),
        )

    def _settle(self) -> tuple[list[Candidate], dict[str, CorpusPaper], dict[str, str]]:
        """Return the candidates without duplicates, the papers held of the root, and a key for each candidate."""
        papers = self._corpus.papers()
        root = self._offer.root
        held = {paper.source: paper for paper in papers if paper.root == root}
        others = [paper for paper in papers if paper.root != root]
        texts = {paper.document_id: paper.paper_key for paper in others}
        works = {_work(paper.record, paper.root, paper.source): paper.paper_key for paper in others}
        kept: list[Candidate] = []
        wanted = []
        told_anew: dict[str, str] = {}
        for candidate in self._offer.candidates:
            work = _work(candidate.record, root, candidate.source)
            twin = works.get(work) or texts.get(candidate.document.document_id)
            if twin is not None:
                self._problems.append(Problem(source=candidate.source, reason=f"is the same paper as {twin}"))
                continue
            kept.append(candidate)
            wanted.append((work, candidate.given_key, candidate.record))
            works[work] = texts[candidate.document.document_id] = candidate.source
            before = held.get(candidate.source)
            if before is not None and _same_paper(before, candidate):
                told_anew[work] = _work(before.record, root, before.source)
        told_anew = {work: before for work, before in told_anew.items() if before not in works}
        with self._corpus.file.writing() as connection:
            keys = reserve_keys(connection, wanted, told_anew)
        return kept, held, {c.source: keys[work] for c, (work, _, _) in zip(kept, wanted, strict=True)}

    async def _one(self, candidate: Candidate, key: str, before: CorpusPaper | None) -> None:
        same = before is not None and before.document_id == candidate.document.document_id
        name = candidate.extractor or self._extractor.name
        # A research run that went on gives other claims for the same text, and its extractor's name says so.
        if before is not None and same and (before.extractor == name or not (self._again or candidate.drafts)):
            await self._as_it_is(candidate, key, before)
            return
        try:
            async with self._gate:
                extraction = (
                    Extraction(drafts=candidate.drafts)
                    if candidate.drafts is not None
                    else await self._extractor.extract(candidate.document)
                )
                self._calls += extraction.calls
                claims, dropped = ground(candidate.document, extraction.drafts, key, name)
                vectors = await self._vectors(claims)
        except StoreUnavailable:
            raise
        except Unavailable as problem:
            reason = f"was not drawn on: {problem}"
            self._unavailable.append(Problem(source=candidate.source, reason=reason, waiting=True))
            return
        left_out = dict(Counter(extraction.left_out) + dropped)
        drawn = _Drawn(candidate, key, claims, vectors, name, left_out)
        await self._store(drawn)
        if not drawn.stored:
            self._problems.append(Problem(source=candidate.source, reason="was added by somebody else meanwhile"))
            return
        self._claims += len(claims) - (before.claims if before else 0)
        (self._added if before is None else self._changed).append(key)
        if not claims:
            reason = "has no claim that can be understood alone"
            self._problems.append(Problem(source=candidate.source, reason=reason, kept=True))
        self._on_paper(key, len(claims))

    async def _as_it_is(self, candidate: Candidate, key: str, before: CorpusPaper) -> None:
        """Update the metadata, if changed, of a paper whose text has not changed."""
        told = (before.paper_key, before.record, before.tags, before.item_type, before.title)
        if told != (key, candidate.record, candidate.tags, candidate.item_type, candidate.document.title):

            def write() -> None:
                with self._corpus.file.writing() as connection:
                    rename_paper(connection, self._offer.root, candidate, key, before.extractor)

            await asyncio.to_thread(write)
            self._changed.append(key)
        else:
            self._unchanged.append(key)

    async def _vectors(self, claims: tuple[CorpusClaim, ...]) -> list[array[float]] | None:
        if self._corpus.embedding_model is None:
            return None
        embedder = self._corpus.embedder
        assert embedder is not None
        found: list[array[float]] = []
        for at in range(0, len(claims), EMBED_AT_ONCE):
            batch = [claim.text for claim in claims[at : at + EMBED_AT_ONCE]]
            vectors = await embedder.embed(batch, "document")
            if len(vectors) != len(batch) or len({len(vector) for vector in vectors}) != 1:
                raise Unavailable(f"{embedder.model} did not give one vector of one length for each text")
            found += [array("f", vector) for vector in vectors]
        return found

    async def _store(self, drawn: _Drawn) -> None:
        """Write a paper, and with it all others that became ready while the file was being written."""
        self._ready.append(drawn)
        async with self._storing:
            if drawn.stored is None:
                batch, self._ready = self._ready, []
                await asyncio.to_thread(self._write, batch)

    def _write(self, batch: list[_Drawn]) -> None:
        with self._corpus.file.writing() as connection:
            moved, stored = 0, []
            for d in batch:
                moved += drop_moved(connection, self._offer.root, self._gone, d.key, d.candidate.document.document_id)
                stored.append(
                    put_paper(
                        connection, self._offer.root, d.candidate, d.key, d.claims, d.vectors, d.extractor, d.left_out
                    )
                )
        self._claims -= moved
        for drawn, done in zip(batch, stored, strict=True):
            drawn.stored = done

    def _of_held_gone(self, held: dict[str, CorpusPaper], offered: set[str]) -> frozenset[str]:
        """Return the sources that the corpus holds of the root and the root no longer has."""
        named = {problem.source for problem in self._offer.problems if not problem.kept}
        return frozenset() if self._offer.partial else frozenset(held) - offered - named

    def _finish(self, held: dict[str, CorpusPaper]) -> tuple[str, ...]:
        """Remove the papers that the root no longer holds, and record what was left out."""
        gone = [held[source] for source in self._gone]
        with self._corpus.file.writing() as connection:
            self._claims -= drop_papers(connection, self._offer.root, [paper.source for paper in gone])
            if not self._offer.partial:
                connection.execute("DELETE FROM left_out WHERE root = ? AND claims = 0", [self._offer.root])
            put_problems(connection, self._offer.root, self._problems + self._unavailable)
        # A source that is there under another name was moved, not removed.
        there = {*self._added, *self._changed, *self._unchanged}
        return tuple(sorted({paper.paper_key for paper in gone} - there))


def _same_paper(before: CorpusPaper, candidate: Candidate) -> bool:
    """Return whether a file is still the same paper: it has the same text, or the same title."""
    titles = {normalise_title(before.title), normalise_title(candidate.document.title)}
    return before.document_id == candidate.document.document_id or (len(titles) == 1 and titles != {""})


def _work(record: BibRecord, root: str, source: str) -> str:
    return work_of(record, f"{root} {source}")


def root_of(path: Path) -> str:
    """Return the name of a root that is a folder, a file, a package or a repository."""
    return kept_name(path)
