"""Bibliographies: read from any format, verified entry by entry against the registries, and mended."""
