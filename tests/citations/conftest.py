"""Hypothesis without a deadline: on a busy machine an example may take long and still be right."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("citations", deadline=None)
settings.load_profile("citations")
