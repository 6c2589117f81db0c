"""Word lists written as one string, so that they can be read and changed as a list."""

from __future__ import annotations


def words(listed: str) -> frozenset[str]:
    """The words of a string, parted by whitespace."""
    return frozenset(listed.split())
