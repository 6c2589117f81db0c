"""A count with its noun."""

from __future__ import annotations


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return `1 claim`, `2 claims`, `12,000 claims`. `many` is the plural of a noun that does not end in an s then."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
