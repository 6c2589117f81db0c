"""Manual pages: from requests of roff and macros of man and mdoc to text."""

from veritas.reading.formats.manual._manual_page import convert_manual

__all__ = ["convert_manual"]
