"""Render a paper's main aim, test, result and conclusion for the terminal, and their words for every report."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from veritas.documents.paper_parts import MainStatement

NAMES = {"aim": "main aim", "test": "main test", "result": "main result", "conclusion": "main conclusion"}
"""The names that reports use."""


def argument_lines(argument: Sequence[MainStatement], width: int, bold: str, end: str) -> list[str]:
    """Return each main statement with its page, or where it was looked for; nothing for an audit without them."""
    if not argument:
        return []
    lines = ["", f"{bold}What the paper says of itself{end}"]
    for each in argument:
        said = each.why
        if each.place is not None:
            said = f"“{''.join(c if c.isprintable() else '?' for c in each.text)}”"
            said += f" (page {each.place.page})" if each.place.page else ""
        lines += textwrap.wrap(f"{NAMES[each.kind]}: {said}", width, initial_indent="  ", subsequent_indent="    ")
    return lines
