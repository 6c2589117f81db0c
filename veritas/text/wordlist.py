"""Word lists written as one string, which is easy to read and edit."""

from __future__ import annotations


def words(listed: str) -> frozenset[str]:
    """Return the words of a string, separated by whitespace."""
    return frozenset(listed.split())
