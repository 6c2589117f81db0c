"""Reading the live web: safe fetching, page verdicts, paywalls and open copies, and the reader over them."""

from veritas.reading.web.reader import WebReader

__all__ = ["WebReader"]
