"""`veritas corpus`: the corpora that reviews are written from: made, listed, searched, checked."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._inputs import Quiet
from veritas.errors import InputError

if TYPE_CHECKING:
    from veritas.use_cases.corpora import Addition

corpus = typer.Typer(
    add_completion=False, rich_markup_mode=None, no_args_is_help=True,
    help="Make and search a corpus of claims for reviews.",
)
Name = Annotated[str, typer.Argument(help="The corpus.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout and nothing else.")]


@corpus.command("add")
def add(
    name: Name,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders, documents, .jsonl; .bib, CSL-JSON or RIS whose entries have files."),
    ] = None,
    zotero: Annotated[
        str | None, typer.Option(metavar="COLLECTION", help="A Zotero collection with those below it, or `all`.")
    ] = None,
    zotero_topic: Annotated[
        str | None, typer.Option(metavar="TOPIC", help="The best matches for a topic in the Zotero library.")
    ] = None,
    run: Annotated[
        str | None, typer.Option(help="The verified claims of a research run: its id, `latest`, or exported JSON.")
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Folder of a bibliography's files, if not beside it.")] = None,
    item_type: Annotated[list[str] | None, typer.Option(help="With --zotero-topic: only these types.")] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="With --zotero-topic: only items with one of these tags.")
    ] = None,
    year_from: Annotated[int | None, typer.Option(help="With --zotero-topic: only from this year on.")] = None,
    year_to: Annotated[int | None, typer.Option(help="With --zotero-topic: only up to this year.")] = None,
    extractor: Annotated[
        str, typer.Option(help="auto, embedded, a member of the council, or a model as LiteLLM names it.")
    ] = "auto",
    embedder: Annotated[
        str | None, typer.Option(help="plug-in:model for embeddings; binds a new corpus to it. Default: BM25 only.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Extract again from papers that another extractor read.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Add papers to a corpus and extract their claims; a new name makes a new corpus.

    Each claim is a quote that occurs word for word in its document. Unchanged papers are left as they are; papers gone
    from their folder or collection are removed from the corpus too. The same command resumes an interrupted addition.

    Exit code 3 if something did not answer: those papers wait for the next addition.
    """
    import asyncio

    from veritas.use_cases.corpora import add_to_corpus

    def say(line: str) -> None:
        if not quiet:
            print(line, file=sys.stderr, flush=True)

    additions = asyncio.run(
        add_to_corpus(
            name, paths or (), folder=folder, zotero=zotero, zotero_topic=zotero_topic, run=run,
            item_types=item_type or (), tags=tag or (), year_from=year_from, year_to=year_to,
            extractor=extractor, embedder=embedder, again=again,
            on_corpus=lambda made, drawn_by: say(f"{made.path}: claims are drawn by {drawn_by}"),
            on_offer=lambda offer: say(f"{offer.root}: {len(offer.candidates)} papers"),
            on_paper=lambda key, claims: say(f"  {key}: {claims} claims"),
        )
    )  # fmt: skip
    if as_json:
        print(json.dumps([addition.model_dump(mode="json") for addition in additions], ensure_ascii=False))
    else:
        for addition in additions:
            _tell(addition)
    if any(addition.unavailable for addition in additions):
        raise typer.Exit(3)


def _tell(addition: Addition) -> None:
    counts = [
        f"{len(keys)} {what}"
        for what, keys in (
            ("added", addition.added),
            ("changed", addition.changed),
            ("unchanged", addition.unchanged),
            ("removed", addition.removed),
        )
        if keys or what == "added"
    ]
    cost = "" if not addition.calls else f", {addition.calls} calls, " + (
        "cost unknown" if addition.cost_usd is None else f"{addition.cost_usd:.4f} USD"
    )
    print(f"{addition.corpus} ← {addition.root}: {', '.join(counts)}; {addition.claims:+d} claims{cost}")
    for problem in (*addition.problems, *addition.unavailable):
        print(f"  {problem}")


@corpus.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the corpora."""
    from veritas.settings import home
    from veritas.use_cases.corpora import list_corpora, open_corpus

    rows = []
    for name in list_corpora():
        held = open_corpus(name)
        rows.append(
            {
                "corpus": name,
                "papers": len(held.papers()),
                "claims": len(held.claims()),
                "embedding_model": held.embedding_model,
                "path": str(held.path),
            }
        )
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    if not rows:
        print(f"no corpora in {home() / 'corpora'}: make one with veritas corpus add NAME PATH")
    for row in rows:
        model = row["embedding_model"] or "BM25 alone"
        print(f"{row['corpus']:<24} {row['papers']:>5} papers {row['claims']:>7} claims  {model}")


@corpus.command("show")
def show(name: Name, as_json: AsJson = False) -> None:
    """Show a corpus: its papers, its claims by type and evidence, what was left out."""
    from veritas.use_cases.corpora import describe_corpus

    seen = describe_corpus(name)
    if as_json:
        print(seen.model_dump_json())
        return
    print(f"{seen.corpus}: {len(seen.papers)} papers, {seen.claims} claims, {seen.embedding_model or 'BM25 alone'}")
    for kind, row in seen.kinds.items():
        print(f"  {kind:<11} {sum(row.values()):>6}  " + ", ".join(f"{n} {what}" for what, n in row.items() if n))
    for paper in seen.papers:
        who = f"{paper.authors[0]}{' et al.' if len(paper.authors) > 1 else ''}, " if paper.authors else ""
        print(f"  {paper.paper_key:<24} {paper.claims:>5} claims  {who}{paper.year or 'n.d.'}: {paper.title[:80]}")
    for problem in seen.left_out:
        print(f"  left out: {problem}" if not problem.kept else f"  note: {problem}")


@corpus.command("search")
def search(
    query: Annotated[str, typer.Argument(help="The search words.")],
    name: Annotated[
        str | None, typer.Option("--corpus", "-c", metavar="NAME", help="The corpus; not needed if there is only one.")
    ] = None,
    claim_type: Annotated[list[str] | None, typer.Option(help="finding, method, background, limitation.")] = None,
    evidence_type: Annotated[
        list[str] | None, typer.Option(help="experimental, computational, review, theoretical.")
    ] = None,
    section: Annotated[list[str] | None, typer.Option(help="abstract, methods, results, …")] = None,
    paper: Annotated[list[str] | None, typer.Option(help="Citation keys.")] = None,
    year_from: Annotated[int | None, typer.Option(help="Only from this year on.")] = None,
    year_to: Annotated[int | None, typer.Option(help="Only up to this year.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Number of results.")] = 20,
    lexical: Annotated[bool, typer.Option("--lexical", help="BM25 only, even if the corpus has embeddings.")] = False,
    as_json: AsJson = False,
) -> None:
    """Search the claims of a corpus: each with its score, its quote, its page and its paper's key."""
    import asyncio

    from veritas.use_cases.corpora import search_corpus

    held = name or _only_one()
    asked = search_corpus(
        query, held, claim_types=claim_type or (), evidence_types=evidence_type or (), sections=section or (),
        papers=paper or (), year_from=year_from, year_to=year_to, limit=limit, lexical_only=lexical,
    )  # fmt: skip
    hits = asyncio.run(asked)
    if as_json:
        found = [hit.claim.model_dump(mode="json") | hit.model_dump(mode="json", exclude={"claim"}) for hit in hits]
        print(json.dumps({"corpus": held, "query": query, "hits": found}, ensure_ascii=False))
        return
    for hit in hits:
        claim = hit.claim
        page = f", p. {claim.page}" if claim.page else ""
        print(f"{hit.score:.3f}  [{claim.paper_key}{page}] {claim.claim_type}, {claim.evidence_type}, {claim.section}")
        print(f"       {claim.text}")
        if claim.verbatim != claim.text:
            print(f"       “{claim.verbatim}”")
    if not hits:
        print("no claim of the corpus matches")


def _only_one() -> str:
    from veritas.use_cases.corpora import list_corpora

    names = list_corpora()
    if len(names) != 1:
        raise InputError(f"name the corpus with --corpus; there are {', '.join(names) or 'none'}")
    return names[0]


@corpus.command("zotero")
def zotero(
    topic: Annotated[str, typer.Argument(help="The search words.")],
    name: Annotated[
        str | None,
        typer.Option("--corpus", "-c", metavar="NAME", help="Also find papers with similar claims in this corpus."),
    ] = None,
    item_type: Annotated[list[str] | None, typer.Option(help="journalArticle, conferencePaper, …")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only items with one of these tags.")] = None,
    year_from: Annotated[int | None, typer.Option(help="Only from this year on.")] = None,
    year_to: Annotated[int | None, typer.Option(help="Only up to this year.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=50, help="Number of results.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Search the Zotero library: what `corpus add --zotero-topic` would add."""
    import asyncio

    from veritas.use_cases.corpora import search_zotero

    asked = search_zotero(
        topic, corpus=name, item_types=item_type or (), tags=tag or (), year_from=year_from, year_to=year_to,
        limit=limit,
    )  # fmt: skip
    hits = asyncio.run(asked)
    if as_json:
        print(json.dumps([hit.model_dump(mode="json") for hit in hits], ensure_ascii=False))
        return
    for hit in hits:
        who = f"{hit.authors[0]}{' et al.' if len(hit.authors) > 1 else ''}, " if hit.authors else ""
        print(f"{hit.score:>6.1f}  {hit.key}  {who}{hit.year or 'n.d.'}: {hit.title}  ({', '.join(hit.found_by)})")


@corpus.command("check")
def check(name: Name, as_json: AsJson = False) -> None:
    """Look every quote of a corpus up in its document again. Exit code 1 if one does not stand there."""
    from veritas.use_cases.corpora import check_corpus

    found = check_corpus(name)
    if as_json:
        print(found.model_dump_json())
    else:
        print(f"{found.corpus}: {found.claims} claims of {found.papers} papers, {len(found.breaches)} breaches")
        for breach in found.breaches:
            print(f"  {breach.subject} {breach.paper_key or ''}: {breach.what}")
    if found.breaches:
        raise typer.Exit(1)


@corpus.command("remove")
def remove(
    name: Name,
    paper: Annotated[
        list[str] | None, typer.Option(help="Remove only these papers (citation keys), not the whole corpus.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Remove a corpus with all it holds, or papers from it."""
    from veritas.use_cases.corpora import remove_from_corpus

    claims = remove_from_corpus(name, paper or ())
    if paper:
        said = f"{len(paper)} papers with {claims} claims were taken out of {name}"
    else:
        said = f"{name} with {claims} claims was removed"
    print(json.dumps({"corpus": name, "papers": paper or [], "claims": claims}) if as_json else said)
