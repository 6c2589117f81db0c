"""Prepare an addition from a person's request: open or create the corpus, read its roots, choose its extractor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from veritas import plugins
from veritas.council.connections import Switchboard
from veritas.council.families import known_family
from veritas.council.select_council import choose_council
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.policy.council_policy import ModelPolicy
from veritas.reviews.add_papers import Addition, add, root_of
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_file import CorpusLedger, corpus_names
from veritas.reviews.drafts import ClaimExtractor, Offer
from veritas.reviews.embedder import Embedder, load_embedder
from veritas.settings import home as default_home

AUTO, EMBEDDED = "auto", "embedded"
SEAM = "claim_extractor"


def model_of(named: str) -> ModelPolicy | None:
    """Return the language model for `named`: `auto`, a plug-in of the group `veritas.claim_extractor` (`embedded` is
    one), the name of a member of the active council, or a model as LiteLLM names it. None stands for no language model.

    Raises `InputError` when there is no such member or model.
    """
    if named in plugins.installed(SEAM):
        return None
    council = choose_council().policy
    models = [model for member in council.members if (model := member.as_model()) is not None]
    if named == AUTO:
        return models[0] if models else None
    judges = [model for judge in council.judges if judge.lens is None and (model := judge.as_model()) is not None]
    for model in (*models, *judges):
        if named in (model.name, model.model):
            return model
    if "/" not in named:
        there = ", ".join(model.name for model in models) or "none: the council that sits is embedded"
        raise InputError(f"no member {named!r} to draw claims with; members with a language model: {there}")
    return ModelPolicy(name="extractor", model=named, family=known_family(named))


@asynccontextmanager
async def chosen_extractor(
    model: ModelPolicy | None, corpus: Corpus, named: str = EMBEDDED
) -> AsyncIterator[ClaimExtractor]:
    """Provide the extractor behind a model, its answers kept in the corpus' ledger (I9); without a model, the plug-in
    `named`, or the embedded one."""
    if model is None:
        yield plugins.make(SEAM, named if named in plugins.installed(SEAM) else EMBEDDED, ClaimExtractor)
        return
    from veritas.reviews.model_claim_extractor import ModelExtractor

    board = Switchboard(choose_council().policy.providers)
    board.bind(CorpusLedger(corpus.file))
    try:
        yield ModelExtractor(board.connect(model))
    finally:
        await board.close()


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
    home: Path | None = None,
) -> tuple[Addition, ...]:
    """Add everything that is named, root by root; the corpus is created if it does not exist.

    Raises `InputError` and `Unavailable` before anything is changed if a root cannot be read at all.
    """
    if not (wanted.paths or wanted.zotero or wanted.zotero_topic or wanted.run):
        raise InputError("say what to add: a PATH, --zotero COLLECTION, --zotero-topic TOPIC or --run RUN")
    model = model_of(wanted.extractor)
    embedder = load_embedder(wanted.embedder) if wanted.embedder else None
    held: Corpus | None = None
    home = home or default_home()
    if wanted.name in corpus_names(home):
        held = await asyncio.to_thread(partial(Corpus.open, wanted.name, embedder=embedder, home_folder=home))
    # Every root is read before anything is created or changed.
    offers = await _offers(wanted, held, home)
    corpus = held if held is not None else await asyncio.to_thread(_made, wanted.name, embedder, home)
    # An extractor that was not named extracts nothing anew: a model's claims stay when its key is gone.
    again = wanted.again or wanted.extractor != AUTO
    additions = []
    async with chosen_extractor(model, corpus, wanted.extractor) as extractor:
        on_corpus(corpus, extractor.name)
        for offer in offers:
            on_offer(offer)
            additions.append(await add(corpus, offer, extractor, again=again, on_paper=on_paper))
    return tuple(additions)


def _made(name: str, embedder: Embedder | None, home: Path) -> Corpus:
    try:
        return Corpus.create(name, embedder=embedder, home_folder=home)
    except InputError:
        if name not in corpus_names(home):
            raise
        # Another addition created it meanwhile.
        return Corpus.open(name, embedder=embedder, home_folder=home)


async def _offers(wanted: Wanted, corpus: Corpus | None, home: Path) -> Sequence[Offer]:
    roots = {paper.root for paper in corpus.papers()} if corpus is not None else set()
    offers = [await asyncio.to_thread(_path_offer, path, wanted.folder, roots) for path in wanted.paths]
    if wanted.run is not None:
        from veritas.reviews.sources.run_root import offer_run

        offers.append(await asyncio.to_thread(offer_run, wanted.run, home))
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
