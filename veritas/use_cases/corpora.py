"""Corpora of claims, from which reviews are written: filled, listed, searched, checked, removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.errors import InputError
from veritas.use_cases.given import Paths, given_home, given_paths, given_text, unheard

if TYPE_CHECKING:
    from veritas.reviews.add_papers import Addition as Addition
    from veritas.reviews.check_corpus import Check, Overview
    from veritas.reviews.claim_corpus import Corpus
    from veritas.reviews.drafts import Offer
    from veritas.reviews.retrieval import Hit
    from veritas.reviews.zotero.library_search import ItemHit


async def add_to_corpus(
    name: str,
    paths: Paths = (),
    *,
    zotero: str | None = None,
    zotero_topic: str | None = None,
    run: str | None = None,
    folder: str | Path | None = None,
    item_types: Iterable[str] = (),
    tags: Iterable[str] = (),
    year_from: int | None = None,
    year_to: int | None = None,
    extractor: str = "auto",
    embedder: str | None = None,
    again: bool = False,
    on_corpus: Callable[[Corpus, str], None] | None = None,
    on_offer: Callable[[Offer], None] | None = None,
    on_paper: Callable[[str, int], None] | None = None,
    home: str | Path | None = None,
) -> Sequence[Addition]:
    """Add papers to a corpus, made if there is none of that name, and return what came of each root.

    `paths` are folders, documents, `.jsonl` and bibliographies, whose files lie in `folder` or beside them; `zotero` is
    a collection, `zotero_topic` what a topic brings up in the Zotero library, within `item_types`, `tags` and years;
    `run` is a research run, whose verified claims are taken. Each claim is a quote that stands word for word in its
    document. `extractor` is auto, embedded, a member of the council or a model; `embedder` a plug-in and its model for
    embeddings. What has not changed is left as it is unless `again`. The corpus with the name of its extractor, each
    root, and each paper with the number of its claims are told as they come. Raises `InputError`, `CorpusError`; what
    did not answer is in `Addition.unavailable`.
    """
    from veritas.reviews.prepare_addition import Wanted, add_wanted

    wanted = Wanted(
        name=given_text(name, "name"), paths=tuple(Path(path) for path in given_paths(paths, "paths")),
        folder=Path(folder) if folder is not None else None, zotero=zotero, zotero_topic=zotero_topic, run=run,
        item_types=frozenset(item_types), tags=frozenset(tags), year_from=year_from, year_to=year_to,
        extractor=extractor, embedder=embedder, again=again,
    )  # fmt: skip
    return await add_wanted(
        wanted, on_corpus=on_corpus or unheard, on_offer=on_offer or unheard, on_paper=on_paper or unheard,
        home=given_home(home),
    )  # fmt: skip


def open_corpus(name: str, *, home: str | Path | None = None) -> Corpus:
    """Return a corpus of claims to search in and to list. Raises `CorpusError` where there is none of that name."""
    from veritas.reviews.claim_corpus import Corpus

    return Corpus.open(given_text(name, "name"), home_folder=given_home(home))


def list_corpora() -> list[str]:
    """Return the names of all corpora."""
    from veritas.reviews.corpus_file import corpus_names

    return list(corpus_names(given_home(None)))


def describe_corpus(name: str) -> Overview:
    """Return a corpus at a glance: its papers, its claims by type and evidence, what was left out."""
    from veritas.reviews.check_corpus import overview

    return overview(given_text(name, "name"))


async def search_corpus(
    query: str,
    name: str,
    *,
    claim_types: Iterable[str] = (),
    evidence_types: Iterable[str] = (),
    sections: Iterable[str] = (),
    papers: Iterable[str] = (),
    year_from: int | None = None,
    year_to: int | None = None,
    limit: int = 20,
    lexical_only: bool = False,
) -> list[Hit]:
    """Return the claims of a corpus that speak of `query`, best first, each with its score, quote, page and paper.

    Empty filters narrow nothing. Raises `InputError` for a type or section that there is none of.
    """
    from pydantic import ValidationError

    from veritas.reviews.corpus_claim import Filters

    given = {
        "claim_types": frozenset(claim_types), "evidence_types": frozenset(evidence_types),
        "sections": frozenset(sections), "papers": frozenset(papers), "year_from": year_from, "year_to": year_to,
    }  # fmt: skip
    try:
        filters = Filters.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"--{str(first['loc'][0]).rstrip('s').replace('_', '-')}: {first['msg']}") from error
    return list(await open_corpus(name).search(query, filters, limit, lexical_only=lexical_only))


async def search_zotero(
    topic: str,
    *,
    corpus: str | None = None,
    item_types: Iterable[str] = (),
    tags: Iterable[str] = (),
    year_from: int | None = None,
    year_to: int | None = None,
    limit: int = 20,
) -> list[ItemHit]:
    """Return what a topic brings up in the Zotero library, best first: what `add_to_corpus(zotero_topic=…)` would add.

    `corpus` is asked besides which papers are near. Raises `InputError` without a library, `Unavailable`.
    """
    from veritas.reviews.sources.zotero_root import connect
    from veritas.reviews.zotero.library_search import ItemFilters, search_library

    filters = ItemFilters(
        item_types=frozenset(item_types), tags=frozenset(tags), year_from=year_from, year_to=year_to
    )
    held = open_corpus(corpus) if corpus else None
    return list(await search_library(connect(), topic, filters=filters, corpus=held, limit=limit))


def check_corpus(name: str) -> Check:
    """Look every quote of a corpus up in its document again (I1), and return what was found."""
    from veritas.reviews.check_corpus import check

    return check(open_corpus(name))


def remove_from_corpus(name: str, papers: Sequence[str] = ()) -> int:
    """Remove papers from a corpus by their citation keys, or the whole corpus if none are named; return how many claims
    went with them. Raises `InputError` for a key that is not in it."""
    from veritas.reviews.check_corpus import remove_corpus, remove_papers

    held = open_corpus(name)
    if papers:
        return remove_papers(held, list(papers))
    claims = len(held.claims())
    remove_corpus(held)
    return claims
