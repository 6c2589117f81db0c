"""PDF by Docling's models of page layout and tables, if the extra `[layout]` is installed (PyTorch, weights)."""

from __future__ import annotations

import io
from importlib.util import find_spec

from veritas.reading.formats.office import flow
from veritas.text.structure import Structure


def available() -> bool:
    """Return whether Docling and the models it needs for PDF are installed, without importing them."""
    return all(find_spec(name) is not None for name in ("docling", "docling_ibm_models", "torch"))


def read_with_layout(data: bytes) -> tuple[str, tuple[int, ...], Structure]:
    """Return the text, the page starts and the structure of a PDF by Docling's standard pipeline, without text
    recognition.

    Docling fetches its weights at first use, or takes them from `DOCLING_ARTIFACTS_PATH`. Raises `RuntimeError` or
    `OSError` when it cannot.
    """
    from docling.datamodel.base_models import DocumentStream, InputFormat
    from docling.datamodel.pipeline_options import PdfPipelineOptions
    from docling.document_converter import DocumentConverter, PdfFormatOption

    options = PdfFormatOption(pipeline_options=PdfPipelineOptions(do_ocr=False))
    converter = DocumentConverter(allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: options})
    return flow(converter.convert(DocumentStream(name="document.pdf", stream=io.BytesIO(data))).document)
