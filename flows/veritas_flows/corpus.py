"""Corpora for reviews: papers added from a form, and a nightly update from a Zotero collection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import flow, get_run_logger
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from veritas.errors import Unavailable
from veritas.reviews.add_papers import Addition
from veritas.reviews.check_corpus import check
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas_flows.nothing_to_do import nothing_to_do
from veritas_flows.run_names import key_part, named


@flow(name="corpus-add", flow_run_name=named("corpus · {name}"), persist_result=False)
async def corpus_add(
    name: str = "corpus",
    paths: list[str] | None = None,
    zotero: str = "",
    zotero_topic: str = "",
    run: str = "",
    extractor: str = "auto",
    embedder: str = "",
) -> list[dict[str, Any]] | Any:
    """Add papers to a corpus and extract their claims; unchanged papers stay as they are.

    Args:
        name: The corpus; it is made if there is none of that name.
        paths: Folders, documents and bibliographies (.bib, CSL-JSON, RIS) on the machine that runs the flow.
        zotero: A collection of the Zotero library with those below it, by name, path or key; `all` for the whole
            library. Empty for none.
        zotero_topic: Search the Zotero library for this and add the twenty best. Empty for none.
        run: Add the verified claims of this research run (its id, or `latest`). Empty for none.
        extractor: The extractor of the claims. `auto` is the council's first language model, or rules if there is none;
            `embedded` always uses rules.
        embedder: Embeddings for a new corpus, as plug-in:model. Empty for word search only.
    """
    if not (paths or zotero or zotero_topic or run):
        return nothing_to_do("nothing is named that could be added: name paths, a Zotero collection or a run", list)
    return await _added(
        Wanted(
            name=name,
            paths=tuple(map(Path, paths or ())),
            zotero=zotero or None,
            zotero_topic=zotero_topic or None,
            run=run or None,
            extractor=extractor,
            embedder=embedder or None,
        )
    )


@flow(name="corpus-topup", flow_run_name=named("top up · {name}"), persist_result=False)
async def corpus_topup(name: str = "corpus", collection: str = "all", extractor: str = "auto") -> list[dict[str, Any]]:
    """Update a corpus from its Zotero collection: add new papers, read changed ones again, remove deleted ones.

    Args:
        name: The corpus; it is made if there is none of that name.
        collection: The Zotero collection, by name, path or key; its sub-collections belong to it. `all` for the
            library. If empty, there is nothing to do.
        extractor: The extractor of the claims of new papers; see `corpus-add`.
    """
    if not collection:
        return nothing_to_do("no Zotero collection is named; `all` is the whole library", list)
    return await _added(Wanted(name=name, zotero=collection, extractor=extractor))


async def _added(wanted: Wanted) -> list[dict[str, Any]]:
    """Make the additions and show them in the UI.

    The run fails when a quote no longer stands in its document, or when something did not answer: started again, it
    adds what is missing.
    """
    logger = get_run_logger()
    additions = await add_wanted(
        wanted,
        on_corpus=lambda corpus, drawn_by: logger.info("%s: claims are drawn by %s", corpus.path, drawn_by),
        on_offer=lambda offer: logger.info("%s: %d papers", offer.root, len(offer.candidates)),
        on_paper=lambda key, claims: logger.info("%s: %d claims", key, claims),
    )
    checked = check(Corpus.open(wanted.name))
    of_this = key_part(wanted.name)
    await acreate_markdown_artifact(
        _shown(additions, checked.claims, len(checked.breaches)),
        key=f"corpus-addition-{of_this}",
        description=f"Corpus · {wanted.name}",
    )
    problems = [
        {"from": addition.root, "paper": problem.source, "what": problem.reason, "kept": problem.kept}
        for addition in additions
        for problem in (*addition.problems, *addition.unavailable)
    ]
    if problems:
        await acreate_table_artifact(
            problems, key=f"corpus-left-out-{of_this}", description=f"Left out · {wanted.name}"
        )
    if checked.breaches:
        raise RuntimeError(f"{len(checked.breaches)} quotes of {wanted.name} do not stand in their documents")
    waiting = [problem for addition in additions for problem in addition.unavailable]
    if waiting:
        raise Unavailable(f"{len(waiting)} papers wait for something that did not answer: {waiting[0]}")
    return [addition.model_dump(mode="json") for addition in additions]


def _shown(additions: tuple[Addition, ...], claims: int, breaches: int) -> str:
    rows = "\n".join(
        f"| {a.root} | {len(a.added)} | {len(a.changed)} | {len(a.unchanged)} | {len(a.removed)} | {a.claims:+d} | "
        f"{'unknown' if a.cost_usd is None else f'{a.cost_usd:.4f}'} |"
        for a in additions
    )
    return (
        "| from | added | changed | unchanged | removed | claims | USD |\n|---|---|---|---|---|---|---|\n"
        f"{rows}\n\n{claims} claims, {breaches} of whose quotes are not in their documents.\n"
    )
