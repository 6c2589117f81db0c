"""Prepare an addition from a person's request: open or create the corpus, read its roots, choose its extractor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.reviews._extractors import AUTO, chosen_extractor, model_of
from veritas.reviews.add_papers import Addition, add, root_of
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_file import corpus_names
from veritas.reviews.embedder import Embedder, load_embedder
from veritas.reviews.offered_papers import Offer
from veritas.settings import home


class Wanted(Frozen):
    """A request for an addition: `paths` of folders, documents and bibliographies, a Zotero collection or a topic to be
    searched in the library, a research run. At least one of them."""

    name: str
    paths: tuple[Path, ...] = ()
    folder: Path | None = None
    """Folder of a bibliography's files; by default the bibliography's own."""
    zotero: str | None = None
    zotero_topic: str | None = None
    item_types: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    year_from: int | None = None
    year_to: int | None = None
    run: str | None = None
    extractor: str = AUTO
    embedder: str | None = None
    again: bool = False


async def add_wanted(
    wanted: Wanted,
    *,
    on_corpus: Callable[[Corpus, str], None] = lambda corpus, extractor: None,
    on_offer: Callable[[Offer], None] = lambda offer: None,
    on_paper: Callable[[str, int], None] = lambda key, claims: None,
) -> tuple[Addition, ...]:
    """Add everything that is named, root by root; the corpus is created if it does not exist.

    Raises `InputError` and `Unavailable` before anything is changed if a root cannot be read at all.
    """
    if not (wanted.paths or wanted.zotero or wanted.zotero_topic or wanted.run):
        raise InputError("say what to add: a PATH, --zotero COLLECTION, --zotero-topic TOPIC or --run RUN")
    model = model_of(wanted.extractor)
    embedder = load_embedder(wanted.embedder) if wanted.embedder else None
    held: Corpus | None = None
    if wanted.name in corpus_names(home()):
        held = await asyncio.to_thread(partial(Corpus.open, wanted.name, embedder=embedder))
    # Every root is read before anything is created or changed.
    offers = await _offers(wanted, held)
    corpus = held if held is not None else await asyncio.to_thread(_made, wanted.name, embedder)
    # An extractor that was not named extracts nothing anew: a model's claims stay when its key is gone.
    again = wanted.again or wanted.extractor != AUTO
    additions = []
    async with chosen_extractor(model, corpus, wanted.extractor) as extractor:
        on_corpus(corpus, extractor.name)
        for offer in offers:
            on_offer(offer)
            additions.append(await add(corpus, offer, extractor, again=again, on_paper=on_paper))
    return tuple(additions)


def _made(name: str, embedder: Embedder | None) -> Corpus:
    try:
        return Corpus.create(name, embedder=embedder)
    except InputError:
        if name not in corpus_names(home()):
            raise
        # Another addition created it meanwhile.
        return Corpus.open(name, embedder=embedder)


async def _offers(wanted: Wanted, corpus: Corpus | None) -> Sequence[Offer]:
    roots = {paper.root for paper in corpus.papers()} if corpus is not None else set()
    offers = [await asyncio.to_thread(_path_offer, path, wanted.folder, roots) for path in wanted.paths]
    if wanted.run is not None:
        from veritas.reviews.sources.run_root import offer_run

        offers.append(await asyncio.to_thread(offer_run, wanted.run, home()))
    if wanted.zotero is not None or wanted.zotero_topic is not None:
        from veritas.reviews.sources.zotero_root import connect, offer_collection, offer_topic
        from veritas.reviews.zotero.library_search import ItemFilters

        client = await asyncio.to_thread(connect)
        if wanted.zotero is not None:
            offers.append(await asyncio.to_thread(offer_collection, client, wanted.zotero))
        if wanted.zotero_topic is not None:
            filters = ItemFilters(
                item_types=wanted.item_types,
                tags=wanted.tags,
                year_from=wanted.year_from,
                year_to=wanted.year_to,
            )
            offers.append(await offer_topic(client, wanted.zotero_topic, filters=filters, corpus=corpus))
    return offers


def _path_offer(path: Path, folder: Path | None, roots: set[str]) -> Offer:
    from veritas.reviews.sources.bibliography_root import BIBLIOGRAPHIES, offer_bibliography
    from veritas.reviews.sources.folder_root import offer_folder

    if path.suffix.lower() in BIBLIOGRAPHIES and path.is_file():
        return offer_bibliography(path, folder)
    return offer_folder(path, known=root_of(path) in roots)
