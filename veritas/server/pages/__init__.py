"""The pages at `/`: templates, static files, and the router that the pages are put on."""

from __future__ import annotations

from veritas.server.pages.frame import page, static_files
from veritas.server.pages.start import router

__all__ = ["page", "router", "static_files"]
