"""arXiv's pages for a paper on the loopback web: abstract, HTML or none, PDF or none."""

from __future__ import annotations

from html import escape

from tests.citations.registry_server import Work
from tests.loopback_web.web import Reply, Script, Web, html
from tests.reading.pdf_writer import Run, write_pdf

STUB = html("<html><head><title>No HTML for this paper</title></head><body><h1>No HTML</h1></body></html>")
"""What arXiv answers with status 200 where a paper has no HTML."""


def abstract_page(work: Work) -> Reply:
    authors = "".join(f'<meta name="citation_author" content="{escape(name)}">' for name in work.authors)
    abstract = escape(work.abstract or "")
    return html(
        f'<html><head><title>[{work.arxiv_id}]</title><meta name="citation_title" content="{escape(work.title)}">'
        f'{authors}<meta name="citation_date" content="{work.year}/01/03">'
        f'<meta name="citation_abstract" content="{abstract}"></head><body><main><h1>{escape(work.title)}</h1>'
        f"<blockquote>{abstract}</blockquote><p>Comments and subjects of this paper.</p></main></body></html>"
    )


def html_page(work: Work, body: str) -> Reply:
    paragraphs = "".join(f"<p>{escape(part)}</p>" for part in body.split("\n\n"))
    return html(
        f"<!DOCTYPE html><html><head><title>{escape(work.title)}</title></head>"
        f"<body><main><h1>{escape(work.title)}</h1>{paragraphs}</main></body></html>"
    )


def pdf(work: Work, body: str) -> Reply:
    lines = [work.title, *(line for part in body.split("\n\n") for line in _lines(part))]
    pages = [lines[at : at + 45] for at in range(0, len(lines), 45)]
    runs = [[Run(72, 720 - 14 * row, line) for row, line in enumerate(page)] for page in pages]
    return Reply(write_pdf(runs), headers={"Content-Type": "application/pdf"})


def _lines(text: str) -> list[str]:
    found = [""]
    for word in text.split():
        if len(found[-1]) + len(word) > 80:
            found.append("")
        found[-1] = f"{found[-1]} {word}".strip()
    return found


def pages(work: Work, *, as_html: Reply | None = None, as_pdf: Reply | None = None) -> dict[str, Reply | Script]:
    """What arXiv has of a paper; what it has not is a 404."""
    found: dict[str, Reply | Script] = {f"/arxiv/abs/{work.arxiv_id}": abstract_page(work)}
    if as_html is not None:
        found[f"/arxiv/html/{work.arxiv_id}"] = as_html
    if as_pdf is not None:
        found[f"/arxiv/pdf/{work.arxiv_id}"] = as_pdf
    return found


def environment(served: Web) -> dict[str, str]:
    """The settings under which papers of arXiv are read from this web."""
    return {"VERITAS_ARXIV_SITE_URL": served.url("/arxiv"), "VERITAS_FETCH_ALLOW": f"127.0.0.1:{served.port}"}
