"""A paper's audit as one self-contained HTML file: weaknesses first, the graph, and all behind it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from markupsafe import Markup

from veritas.files import write_together
from veritas.papers.audit import PaperAudit
from veritas.report.graph_json import in_a_page, json_text
from veritas.report.html_report import render_page
from veritas.report.paper import drawing, findings_text, paper_wording
from veritas.report.paper.findings_text import NAMES
from veritas.report.paper.view import PaperView, spoken
from veritas.report.tally import expense
from veritas.scoring.graph_exports import graphml
from veritas.scoring.parameters import COMPONENTS, Parameters, read_parameters
from veritas.scoring.roles import METRICS
from veritas.scoring.uncertainty import UncertaintyReport


def write_paper_report(audit: PaperAudit, folder: Path, parameters: Parameters | None = None) -> dict[str, Path]:
    """Write `report.html`, `audit.json`, and of a scored graph `graph.svg` and `graph.graphml`; return them by name.

    `parameters` are those the audit was scored with (default: `policies/scorer.yaml`). All files or none: raises
    `StoreUnavailable` when the folder cannot be written.
    """
    view = PaperView(audit, parameters or read_parameters())
    texts = {
        "report.html": _page(view),
        "audit.json": json_text(audit.model_dump(mode="json"), indent=2) + "\n",
    }
    if view.scoring is not None:
        texts["graph.graphml"] = graphml(view.scoring) + "\n"
        texts["graph.svg"] = str(drawing.draw(view, alone=True)) + "\n"
    write_together({folder / name: text for name, text in texts.items()})
    return {name: folder / name for name in texts}


def render_paper_html(audit: PaperAudit, parameters: Parameters | None = None) -> str:
    """Return the report as one HTML document. It loads nothing, and runs one script, which its CSP names by hash."""
    return _page(PaperView(audit, parameters or read_parameters()))


def _page(view: PaperView) -> str:
    audit = view.audit
    present = {node.node.base_role for node in view.nodes}
    uncertainty = None if audit.uncertainty is None else UncertaintyReport.model_validate(audit.uncertainty)
    exports: dict[str, Any] = {"graphml": graphml(view.scoring) if view.scoring is not None else None}
    return render_page(
        "paper/report.html",
        styles=("report.css", "paper/paper.css"),
        scripts=("paper/scorer.js", "paper/paper.js"),
        audit=audit,
        view=view,
        roles=[role for role in drawing.COLOURS if role in present],
        spoken=spoken,
        swatch=drawing.swatch,
        svg=drawing.draw(view),
        metric_names=METRICS,
        component_names=COMPONENTS,
        paper_words=paper_wording,
        referee_words=findings_text,
        main_names=NAMES,
        uncertainty=uncertainty,
        total=expense(audit.calls),
        content_hash=audit.content_hash(),
        data=Markup(in_a_page(view.for_page() if view.agrees else {})),
        whole=Markup(in_a_page(audit.model_dump(mode="json"))),
        exports=Markup(in_a_page(exports)),
        settings=json.dumps(audit.settings, indent=1, sort_keys=True, ensure_ascii=False, default=str),
    )
