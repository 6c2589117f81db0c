"""Reports of what was made: written into a folder, rendered in one form, exported for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.errors import InputError, StoreUnavailable, UnknownRun
from veritas.use_cases.given import Form, given_home, given_text
from veritas.use_cases.run_archive import find_run
from veritas.use_cases.run_states import loaded

if TYPE_CHECKING:
    from veritas.claims.graph import ClaimGraph
    from veritas.documents.document import Document
    from veritas.papers.audit import PaperAudit
    from veritas.reviews.review_document import Review
    from veritas.scoring.score import Scoring

AUDIT_FORMS = ("json", "html", "graphml", "svg", "nodes", "edges", "walks")
"""The forms of an audit that are text."""


def write_report(
    result: ClaimGraph | PaperAudit | Review, folder: str | Path | None = None, *, home: str | Path | None = None
) -> dict[str, Path]:
    """Write the report of a run, an audit or a review into `folder`, by default where such reports lie; return the
    files by name. Each is written whole, all of them or none.

    Raises `InputError` for what has no report, `StoreUnavailable` when the folder cannot be written.
    """
    from veritas.claims.graph import ClaimGraph

    place = Path(folder) if folder is not None else None
    if isinstance(result, ClaimGraph):
        from veritas.report import write_report as write

        place = place or given_home(home) / "reports" / result.run.run_id
        return write(result, place, cited_documents(result, home=home))
    # Papers and reviews take half a second to import, which a question need not wait for.
    from veritas.papers.audit import PaperAudit
    from veritas.reviews.review_document import Review

    if isinstance(result, PaperAudit):
        from veritas.report.paper import write_paper_report
        from veritas.scoring.parameters import read_parameters

        weights = result.settings.get("weights")
        parameters = read_parameters(Path(weights) if weights else None)
        place = place or given_home(home) / "reports" / "papers" / result.audit_id
        return write_paper_report(result, place, parameters)
    if isinstance(result, Review):
        from veritas.report.review import write_review
        from veritas.reviews.claim_corpus import Corpus
        from veritas.reviews.review_store import reviews_folder

        corpus = Corpus.open(result.corpus.name, home_folder=given_home(home))
        return write_review(result, corpus, place or reviews_folder(given_home(home)) / result.review_id)
    raise InputError(
        f"result is of type {type(result).__name__}: give a ClaimGraph, a PaperAudit or a Review, such as load_run() "
        "returns"
    )


def render_report(run: str | ClaimGraph, form: Form = "markdown", *, home: str | Path | None = None) -> str:
    """Return the report of a run in one form: markdown, html, json, terminal, or what an installed plug-in renders.

    `run` is a graph, an id, a beginning of it, or `latest`. Raises `UnknownRun`, `InputError`, `PluginError`.
    """
    from veritas.report.renderer import rendered

    graph = loaded(run, home)
    return rendered(graph, given_text(form, "form"), cited_documents(graph, home=home))


def cited_documents(run: str | ClaimGraph, *, home: str | Path | None = None) -> tuple[Document, ...]:
    """Return the documents that the answer of a stored run cites, as they were read; none of a run that is not stored
    here, or whose file cannot be read now. Raises as `load_run` does for an id."""
    from veritas.documents.document import Document
    from veritas.store import RunStore

    graph = loaded(run, home)
    of_source = {source.source_id: source.document_id for source in graph.sources}
    cited = {of_source.get(reference.source_id) for reference in graph.answer.bibliography} - {None}
    if not cited:
        return ()
    try:
        with RunStore.open(given_home(home), graph.run.run_id, read_only=True) as store:
            stage = store.stage_output("research")
    except (UnknownRun, StoreUnavailable):
        return ()
    found = stage.value()["output"]["documents"] if stage is not None else []
    return tuple(Document.model_validate(each) for each in found if each["document_id"] in cited)


def report_forms() -> tuple[str, ...]:
    """Return the forms in which a run's report can be rendered, plug-ins included."""
    from veritas.report.renderer import renderers

    return renderers()


def export_tables(run: str, folder: str | Path) -> list[Path]:
    """Write the tables of a stored run into `folder` as Parquet, a file a table, and return the files."""
    from veritas.store import export_parquet

    return list(export_parquet(given_home(None), find_run(run), Path(folder)))


def render_audit(audit: PaperAudit, form: str) -> str:
    """Return an audit, or the graph of its argument, in one of `AUDIT_FORMS`.

    Nodes and edges are CSV, walks one a line. Raises `InputError` for another form, and where no argument could be
    scored, so that there is no graph.
    """
    if form == "json":
        from veritas.report.graph_json import json_text

        return json_text(audit.model_dump(mode="json"), indent=2)
    if form == "html":
        from veritas.report.paper import render_paper_html

        return render_paper_html(audit)
    if form not in AUDIT_FORMS:
        raise InputError(f"an audit has no form {form!r}; there are {', '.join(AUDIT_FORMS)}")
    from veritas.papers import audit_exports

    scoring = audit_exports.scoring_of(audit)
    if form == "svg":
        return _drawing(audit)
    if form == "graphml":
        from veritas.scoring.graph_exports import graphml

        return graphml(scoring)
    return _table(audit, scoring, form)


def render_review(review: Review) -> str:
    """Return the report of a review as one HTML document. Raises `CorpusError` where its corpus is gone."""
    from veritas.report.review import render_review_html
    from veritas.reviews.claim_corpus import Corpus

    return render_review_html(review, Corpus.open(review.corpus.name))


def _table(audit: PaperAudit, scoring: Scoring, form: str) -> str:
    from veritas.papers import audit_exports

    if form == "walks":
        return audit_exports.walk_corpus(audit, scoring)
    return (audit_exports.node_table if form == "nodes" else audit_exports.edge_table)(audit, scoring)


def _drawing(audit: PaperAudit) -> str:
    from veritas.report.paper.drawing import draw
    from veritas.report.paper.view import PaperView
    from veritas.scoring.parameters import read_parameters

    return str(draw(PaperView(audit, read_parameters()), alone=True))


def write_matrices(audit: PaperAudit, file: str | Path) -> None:
    """Write the feature matrices of an audit's graph (`.npz`). Raises `InputError` where there is no graph."""
    from veritas.papers import audit_exports

    audit_exports.write_matrices(Path(file), audit_exports.scoring_of(audit))


def export_audit(audit: PaperAudit, folder: str | Path) -> Sequence[Path]:
    """Write everything there is of an audit into a folder, and return the files; of one without a score the report and
    the audit alone. Raises `InputError` for a folder that is a file."""
    from veritas.files import write_together
    from veritas.papers import audit_exports

    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise InputError(f"--out {place} is a file: name a folder")
    files = list(write_report(audit, place).values())
    if audit.scoring() is None:
        return files
    scoring = audit_exports.scoring_of(audit)
    tables = {"nodes.csv": "nodes", "edges.csv": "edges", "walks.txt": "walks"}
    write_together({place / name: _table(audit, scoring, form) for name, form in tables.items()})
    write_matrices(audit, place / "matrices.npz")
    return [*files, place / "nodes.csv", place / "edges.csv", place / "matrices.npz", place / "walks.txt"]


def latest_scored_audit() -> str | None:
    """Return the id of the newest finished audit that has a scored graph; None where there is none."""
    from veritas.use_cases.papers import list_paper_audits

    return next((audit.audit_id for audit in list_paper_audits() if audit.scored), None)
