"""Papers about freeze-drying, made up for tests: two-page PDFs with headings, a running head, references, a caption."""

from __future__ import annotations

import textwrap
from pathlib import Path

from tests.reading.pdf_writer import Run, write_pdf
from veritas.documents.document import Document, document_id
from veritas.reviews.claim_corpus import Corpus

TANG = {
    "title": "Freeze-drying process design by manometric temperature measurement",
    "Abstract": "Freeze-drying is widely used to stabilise proteins. Manometric temperature measurement reduced "
    "primary "
    "drying time by 30% compared with the conservative cycle.",
    "1. Introduction": "Primary drying is the longest stage of the process. Previous studies have reported that the "
    "product temperature must stay below the collapse temperature (Pikal et al., 1990).",
    "2. Methods": "We measured the product temperature in 36 vials with thermocouples of type T. Sucrose solutions "
    "of 5% "
    "were frozen at -40 °C for two hours.",
    "3. Results": "After freezing, the formulation should be in the solid state. The optimum shelf temperature was "
    "-25 °C "
    "for the sucrose formulation. Residual moisture fell to 1.2% at the end of secondary drying.",
    "4. Discussion": "A limitation of this study is that only one formulation was tested. Further studies with larger "
    "batches are needed before the method can be used at production scale.",
    "References": "Pikal MJ, Shah S. The collapse temperature in freeze drying. Int J Pharm. 1990;62:165-186.",
}
PATEL = {
    "title": "Simulation of primary drying in pharmaceutical lyophilization",
    "Abstract": "A mechanistic model of primary drying was developed. The simulation predicted the drying time "
    "within 8% "
    "of the measured value.",
    "1. Introduction": "Heat transfer in freeze dryers is dominated by gas conduction at low pressure.",
    "2. Results": "The simulated sublimation rate increased by 12% when the chamber pressure was raised to 20 Pa.",
    "References": "Tang X, Pikal MJ. Design of freeze-drying processes. Pharm Res. 2004;21:191-200.",
}
TANG_AUTHORS, PATEL_AUTHORS = "Xiaolin Tang; Michael Pikal", "Sajal Patel"


def pdf(paper: dict[str, str], *, head: str = "J. Drying 12 (2005)", author: str = "", extra: str = "") -> bytes:
    """The paper on two pages: headings bold, text wrapped, a running head and a page number on each."""
    pages: list[list[Run]] = [[], []]
    lines: list[tuple[str, bool, float]] = [(line, True, 16) for line in textwrap.wrap(paper["title"], 50)]
    for heading, text in paper.items():
        if heading == "title":
            continue
        if heading == "3. Results" or (heading == "2. Results"):
            lines.append(("\f", False, 0))
        lines += [("", False, 10), (heading, True, 12), ("", False, 10)]
        lines += [(line, False, 10) for line in textwrap.wrap(text + (extra if heading == "Abstract" else ""), 90)]
    y, page = 720.0, 0
    for text, bold, size in lines:
        if text == "\f":
            page, y = 1, 720.0
            continue
        if text:
            pages[page].append(Run(72, y, text, size=size, bold=bold))
        y -= max(size, 10) * (1.3 if text else 0.9)
    for number, runs in enumerate(pages, 1):
        runs.insert(0, Run(72, 760, head, size=8))
        runs.append(Run(300, 30, str(number), size=8))
    title = paper["title"].replace("(", "\\(").replace(")", "\\)")
    return write_pdf(pages, info=f"/Title ({title}) /Author ({author})")


def library(folder: Path) -> Path:
    """A folder with both papers."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tang.pdf").write_bytes(pdf(TANG, author=TANG_AUTHORS))
    (folder / "patel.pdf").write_bytes(pdf(PATEL, author=PATEL_AUTHORS))
    return folder


def document(text: str, title: str = "A paper", **fields: object) -> Document:
    """A document with that text."""
    from datetime import date

    return Document.model_validate(
        {
            "document_id": document_id(text),
            "url": f"corpus://test/{document_id(text)[:8]}",
            "title": title,
            "text": text,
            "fetched_at": date(2026, 1, 1),
            **fields,
        }
    )


def texts(corpus: Corpus) -> list[str]:
    """What the claims say."""
    return [claim.text for claim in corpus.claims()]
