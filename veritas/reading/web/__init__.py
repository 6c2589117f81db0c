"""Reading the live web: safe fetching, page verdicts, paywalls and open copies, and the reader over them."""

from veritas.reading.web.web_reader import WebReader

__all__ = ["WebReader"]
