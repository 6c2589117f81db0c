"""A mark that cites, as every reader of marks yields it."""

from __future__ import annotations

from typing import NamedTuple


class Mark(NamedTuple):
    """A mark `text[start:end]`. `names` are the labels it gives, `url` is an address it carries itself. Of its
    characters, those of `kept` are words of the sentence (`[start, end)`). `ahead` marks stand before their words."""

    start: int
    end: int
    style: str
    names: tuple[str, ...] = ()
    url: str | None = None
    title: str | None = None
    kept: tuple[int, int] | None = None
    ahead: bool = False
    # Where the words end that the mark encloses; None for a mark that encloses none.
    until: int | None = None
