"""A chain as lines for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from veritas.claims.chain import Chain, Link
from veritas.text.visible import one_line

_MARKS = {"passed": "✓", "stopped": "✗", "noted": "·"}


def render_why(chain: Chain, *, width: int = 100) -> str:
    """Return the chain in full: its subject, what decided, each link, and the chains before and after it."""
    return "\n".join(_lines(chain, width, ""))


def _lines(chain: Chain, width: int, indent: str) -> Iterator[str]:
    yield from _wrapped(f"{chain.kind} {chain.id}  {one_line(chain.about)}", width, indent, indent + "  ")
    if chain.alike:
        others = ", ".join(map(one_line, chain.alike))
        yield from _wrapped(f"said as well by {others}", width, indent + "  ", indent + "  ")
    verdict = "in" if chain.let_in else "out"
    yield from _wrapped(f"{verdict}: {one_line(chain.because)}", width, indent + "  ", indent + "       ")
    for each in chain.behind:
        yield ""
        yield from _lines(each, width, indent + "  ")
    if chain.links:
        yield ""
    for link in chain.links:
        yield from _link(link, width, indent + "  ", one_line(chain.about))
    for each in chain.led_to:
        yield ""
        fate = "in the answer" if each.let_in else one_line(each.because)
        yield from _wrapped(f"→ {each.kind} {each.id}  {one_line(each.about)}", width, indent + "  ", indent + "    ")
        yield from _wrapped(fate, width, indent + "    ", indent + "    ")


def _link(link: Link, width: int, indent: str, about: str) -> Iterator[str]:
    rule = f"  [{one_line(link.rule)}]" if link.rule else ""
    head = f"{_MARKS[link.outcome]} {link.stage:<10} {one_line(link.said)}{rule}"
    yield from _wrapped(head, width, indent, indent + " " * 13)
    if link.words and one_line(link.words) not in (about, link.said):  # its own words stand above
        yield from _wrapped(f"“{one_line(link.words)}”", width, indent + " " * 13, indent + " " * 14)


def _wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text, max(width, len(rest) + 30), initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
