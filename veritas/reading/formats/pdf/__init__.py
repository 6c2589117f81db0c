"""PDF: from glyphs at places to text in reading order."""

from veritas.reading.formats.pdf._pdf_document import convert_pdf

__all__ = ["convert_pdf"]
