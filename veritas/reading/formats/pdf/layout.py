"""PDF by Docling's models of page layout and tables, where the extra `[layout]` is installed (PyTorch, weights)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any


def available() -> bool:
    """Whether Docling and the models it needs for PDF are installed; says so without importing them."""
    return all(find_spec(name) is not None for name in ("docling", "docling_ibm_models", "torch"))


def read_with_layout(data: bytes) -> tuple[str, tuple[int, ...]]:
    """The text and the page starts of a PDF by Docling's standard pipeline, without text recognition.

    Docling fetches its weights at first use, or takes them from `DOCLING_ARTIFACTS_PATH`. Raises `RuntimeError` or
    `OSError` when it cannot.
    """
    from docling.datamodel.base_models import DocumentStream, InputFormat
    from docling.datamodel.pipeline_options import PdfPipelineOptions
    from docling.document_converter import DocumentConverter, PdfFormatOption

    options = PdfFormatOption(pipeline_options=PdfPipelineOptions(do_ocr=False))
    converter = DocumentConverter(allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: options})
    return flow(converter.convert(DocumentStream(name="document.pdf", stream=io.BytesIO(data))).document)


def flow(document: Any) -> tuple[str, tuple[int, ...]]:
    """The text of a `DoclingDocument`, paragraphs parted by a blank line, and the offset at which each page begins."""
    blocks: list[str] = []
    length = 0
    begins: dict[int, int] = {}
    for page, text in _items(document):
        for number in range(max(begins, default=0) + 1, page + 1):
            begins[number] = length
        blocks.append(text)
        length += len(text) + 2
    return "\n\n".join(blocks), tuple(begins[number] for number in sorted(begins))


def _items(document: Any) -> Iterator[tuple[int, str]]:
    """Each item of the body with its page, from 1; headers and footers are no part of the body."""
    for item, _ in document.iterate_items():
        data = getattr(item, "data", None)
        if data is not None and hasattr(data, "grid"):
            rows = ("\t".join(" ".join(cell.text.split()) for cell in row).rstrip() for row in data.grid)
            text = "\n".join(row for row in rows if row)
        else:
            text = (getattr(item, "text", "") or "").strip()
        if text:
            yield (item.prov[0].page_no if item.prov else 0), text
