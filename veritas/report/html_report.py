"""The report as one HTML file that needs nothing else: the clean answer, and the work behind it (VIII, Fig. 8)."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from veritas.claims.chain import Chains
from veritas.claims.envelope import ClaimEnvelope, SpanRef
from veritas.claims.graph import ClaimGraph
from veritas.documents.document import Document
from veritas.documents.verbatim import fold_whitespace
from veritas.files import write_together
from veritas.report import run_charts, wording
from veritas.report.brief_lines import brief_lines, item_of, tables
from veritas.report.cited_documents import CitedDocuments, kind_of
from veritas.report.decisions import HEADINGS, settled
from veritas.report.graph_index import GraphIndex, anchor
from veritas.report.graph_json import embedded_json, render_json
from veritas.report.markdown_report import render_markdown
from veritas.report.planted_sources import planted
from veritas.report.tally import TIER_NAMES, Tally, expense, expenses, summary, tier_mix, unpriced
from veritas.text.plural import plural
from veritas.text.visible import hidden_characters, visible, web_address


def render_html(graph: ClaimGraph, documents: Iterable[Document] = ()) -> str:
    """Return the report as one HTML document. It loads nothing, and runs one script, which its CSP names by hash. Those
    of `documents` that the answer cites are in it in full."""
    return render_page(
        "report.html",
        styles=("report.css",),
        scripts=("report.js",),
        data=Markup(embedded_json(graph)),
        **page_values(graph, documents),
    )


def page_values(graph: ClaimGraph, documents: Iterable[Document] = ()) -> dict[str, Any]:
    """Return what the templates of an answer and of the work behind it show."""
    index = GraphIndex(graph)
    cases, loose = planted(index)
    return {
        "graph": graph,
        "index": index,
        "cited": CitedDocuments(graph, documents),
        "tally": (tally := Tally.of(index)),
        "summary": summary(tally),
        "tier_mix": tier_mix(graph, index),
        "persons": settled(graph),
        "planted": cases,
        "planted_events": loose,
        "expenses": expenses(graph.calls),
        "total": expense(graph.calls),
        "unpriced": unpriced(graph.calls),
        "content_hash": graph.content_hash(),
        "chains": Chains(graph),
        "claim_rows": claim_rows(index),
    }


def render_page(template: str, *, styles: Sequence[str], scripts: Sequence[str], **context: Any) -> str:
    """Render a template as one document with its styles, `page.js` and scripts inside; its CSP allows that one script
    by its hash."""
    script = "".join(map(package_file, ("page.js", *scripts)))
    return environment().get_template(template).render(
        style=Markup("".join(map(package_file, styles))),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        **context,
    )


@cache
def package_file(name: str) -> str:
    """Return a file of the templates' folder, such as `report.css` or `paper/paper.js`."""
    return files("veritas.report").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def environment() -> jinja2.Environment:
    """Return an environment whose templates escape all they print, refuse unknown names, and mark hidden characters."""
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(package_file),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shown=shown, quoted=quoted, marked=marked, day=_day, plural=plural, percent=_percent)
    environment.globals.update(
        anchor=anchor, charts=run_charts, web_address=web_address, words=wording, tier_names=TIER_NAMES, link=link,
        settled_headings=HEADINGS, item_of=item_of, brief_lines=brief_lines, tables=tables)
    return environment


def _finalize(value: Any) -> Any:
    """Mark hidden characters in anything a template prints, in text or in an attribute."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def shown(text: str) -> Markup:
    """Return a stranger's text for a line: isolated in its direction, with its hidden characters marked."""
    return Markup("<bdi>{}</bdi>").format(marked(text))


def quoted(text: str) -> Markup:
    """Return a stranger's passage as `shown` does: its blank lines are gaps, its single line breaks spaces. The lines
    of program text stand as they are."""
    return Markup('<span class="gap"></span>').join(map(_block, re.split(r"\n\s*\n", text.replace("\r\n", "\n"))))


def _block(text: str) -> Markup:
    program = "\n" in text.strip("\n") and kind_of(text.strip("\n")) == "program"
    return Markup('<code class="program">{}</code>').format(marked(text)) if program else marked(text)


def marked(text: str) -> Markup:
    """Return a stranger's text as it stands, with its hidden characters marked."""
    parts, last = [], 0
    for at, name in hidden_characters(text):
        mark = Markup('<span class="hidden-character" title="{}">U+{:04X}</span>').format(name, ord(text[at]))
        parts += [escape(text[last:at]), mark]
        last = at + 1
    return Markup("").join([*parts, escape(text[last:])])


def link(url: str, label: str | None = None) -> Markup:
    """Return a link for http and https; for any other address its text alone."""
    address = web_address(url)
    text = shown(label or address or url)
    if address is None:
        return text if label else Markup('<span class="address">{}</span>').format(text)
    return Markup('<a class="address" href="{}" rel="noopener noreferrer">{}</a>').format(address, text)


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


@dataclass(frozen=True)
class ClaimRow:
    """A claim that is shown, and those that say the same on the same passages. `outcomes` and `labels` are the keys of
    all of them, for filters."""

    claim: ClaimEnvelope
    alike: tuple[ClaimEnvelope, ...]
    outcomes: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def asserters(self) -> tuple[str, ...]:
        """Everybody who asserts it, each once."""
        return tuple(dict.fromkeys(claim.asserted_by for claim in (self.claim, *self.alike)))


def claim_rows(index: GraphIndex) -> list[ClaimRow]:
    """Return the claims in the order of the graph; of several alike one that is cited is shown, else the first."""
    grouped: dict[tuple[str, tuple[SpanRef, ...]], list[ClaimEnvelope]] = {}
    for claim in index.graph.claims:
        grouped.setdefault((fold_whitespace(claim.claim), claim.spans), []).append(claim)
    rows = []
    for group in grouped.values():
        shown = next((claim for claim in group if index.outcome(claim).key == "cited"), group[0])
        rows.append(
            ClaimRow(
                claim=shown,
                alike=tuple(claim for claim in group if claim is not shown),
                outcomes=tuple(dict.fromkeys(index.outcome(claim).key for claim in group)),
                labels=tuple(dict.fromkeys(claim.verifier_judgment or "none" for claim in group)),
            )
        )
    return rows


def write_report(graph: ClaimGraph, folder: Path, documents: Iterable[Document] = ()) -> dict[str, Path]:
    """Write `answer.md`, `graph.json` and `report.html` into the folder, made if need be; return name -> path. Those
    of `documents` that the answer cites are in the page in full.

    A full disk leaves the earlier report as it was. Raises `StoreUnavailable` when the folder cannot be written.
    """
    page = render_html(graph, documents)
    texts = {"answer.md": render_markdown(graph), "graph.json": render_json(graph), "report.html": page}
    write_together({folder / name: text for name, text in texts.items()})
    return {name: folder / name for name in texts}
