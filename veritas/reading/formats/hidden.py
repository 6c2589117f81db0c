"""Which elements of a web page its reader does not see: their text must never reach a member of the council."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from veritas.reading.formats.colours import (
    BLACK,
    LINK,
    MARKED,
    NOTHING,
    Paint,
    Painted,
    colour_named,
    ground_named,
    paint_of,
)

# An inline style, or the declarations of a rule, that take an element out of sight.
_UNSEEN = re.compile(
    r"""(?:^|[;\s{])(?:
        display\s*:\s*none
      | visibility\s*:\s*(?:hidden|collapse)
      | content-visibility\s*:\s*hidden
      | opacity\s*:\s*0*\.?0+%?\s*(?:;|!|$)
      | font-size\s*:\s*(?:0*\.?0+(?:[a-z]+|%)?|0?\.\d+p[xt]|1p[xt])\s*(?:;|!|$)
      | color\s*:\s*(?:transparent|(?:rgb|hsl)a?\([^)]*[,/]\s*0*(?:\.0\d*)?%?\s*\)|\#(?:[0-9a-f]{3}0|[0-9a-f]{6}0\d)\b)
      | (?:text-indent|left|top|right|bottom|margin-left|margin-top)\s*:\s*-(?:\d{4,}|\d{3,}r?em)
      | clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?[\s,]+[01](?:px)?|inset\(\s*(?:50|100)%)
      | transform\s*:\s*scale\(\s*0\s*\)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ZERO_BOX = re.compile(
    r"(?:^|[;\s{])(?:max-)?(?:width|height)\s*:\s*(?:0*\.?0+(?:[a-z]+|%)?|1px)\s*(?:;|!|$)", re.IGNORECASE
)
_CLIPPED = re.compile(r"(?:^|[;\s{])overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
_SEEN = re.compile(r"(?:^|[;\s{])(?:display\s*:\s*(?!none)\w|visibility\s*:\s*visible)", re.IGNORECASE)

_MAY_PAINT = re.compile(r"(?:^|[;\s{])(?:-webkit-text-fill-)?color|background|text-shadow", re.IGNORECASE)
_PASSING = re.compile(
    r":(?:hover|focus|active|visited|target|checked|disabled)|::?(?:before|after|selection|placeholder)"
)
_OTHER_MEDIA = re.compile(
    r"@(?:media\b.*(?:\bprint\b|prefers-color-scheme\s*:\s*dark)|keyframes|font-face)", re.IGNORECASE
)
_NOISE = re.compile(r"/\*.*?(?:\*/|\Z)|\"[^\"\n]*\"|'[^'\n]*'", re.DOTALL)
_COMPOUND = re.compile(r"([a-zA-Z][\w-]*|\*)?((?:[.#][\w-]+)*)")
_UNCONDITIONAL = re.compile(r"@(?:layer\b|supports\b|media\s+(?:all|screen)\s*$)", re.IGNORECASE)
MAX_CSS = 1_000_000
"""Characters of a page's own style sheets that are looked at."""
_LINKED, _MARKED = Paint(LINK), Paint(BLACK, MARKED)
"""What browsers make of a link and of marked text."""
_MAX_NESTED = 200
_MAX_ANCESTORS = 60
"""Selectors with an ancestor that are looked at, and how far up the ancestor is looked for."""


def _unseen(style: str) -> bool:
    return bool(_UNSEEN.search(style) or (_ZERO_BOX.search(style) and _CLIPPED.search(style)))


@dataclass(frozen=True, slots=True)
class _Compound:
    tag: str
    identity: str
    classes: frozenset[str]

    def fits(self, element: Any) -> bool:
        return (
            (not self.tag or self.tag == element.tag)
            and (not self.identity or self.identity == element.get("id"))
            and (not self.classes or self.classes <= set((element.get("class") or "").split()))
        )


@dataclass(frozen=True, slots=True)
class _Rule:
    compounds: tuple[_Compound, ...]
    rank: tuple[int, int, int, int]
    hides: bool | None
    """None for a rule that neither hides nor shows."""
    paint: Paint

    def fits(self, element: Any) -> bool:
        if not self.compounds[-1].fits(element):
            return False
        ancestors = islice(element.iterancestors(), _MAX_ANCESTORS)
        return all(any(compound.fits(a) for a in ancestors) for compound in reversed(self.compounds[:-1]))


class Hidden:
    """The rules of one page: attributes, inline styles, and the selectors of its own `<style>` sheets.

    Only what the file itself says is known; a linked sheet is not read. Selectors with a pseudo-class or an attribute
    are passed over, as are rules in a conditional `@media`. `>` counts as a descendant.
    """

    def __init__(self, sheets: Iterable[str] = (), *, linked: bool = False) -> None:
        """`linked` says that there are sheets elsewhere."""
        by_selector: dict[tuple[_Compound, ...], _Rule] = {}
        nested = 0
        self.painted = Painted(sure=not linked)
        """The colours that text has where nothing is said of them."""
        for order, (selector, hides, paint, applies) in enumerate(_rules("\n".join(sheets)[:MAX_CSS])):
            compounds = _compounds(selector) if applies else ()
            if not compounds and paint.ground != "" and not _PASSING.search(selector):
                self.painted = Painted(ground=None)  # it is on that ground, or it is not
            nested += len(compounds) > 1
            if not compounds or (len(compounds) > 1 and nested > _MAX_NESTED):
                continue
            rank = (
                sum(bool(c.identity) for c in compounds),
                sum(len(c.classes) for c in compounds),
                sum(bool(c.tag) for c in compounds),
                order,
            )
            before = by_selector.get(compounds)
            if before is not None:  # of one selector, the last rule counts
                hides = before.hides if hides is None else hides
                paint = paint.over(before.paint)
            by_selector[compounds] = _Rule(compounds, rank, hides, paint)
        self._rules: dict[str, list[_Rule]] = {}
        for rule in by_selector.values():
            last = rule.compounds[-1]
            key = f"#{last.identity}" if last.identity else f".{min(last.classes)}" if last.classes else last.tag
            self._rules.setdefault(key, []).append(rule)
        self.paints = any(rule.paint != NOTHING for rule in by_selector.values())
        """Whether any rule gives text or ground a colour."""
        self._last: tuple[Any, list[_Rule]] = (None, [])

    def __contains__(self, element: Any) -> bool:
        """Whether `element` (an lxml element) is hidden by itself; its ancestors are the caller's to ask about."""
        if element.get("hidden") is not None and element.get("hidden").lower() != "false":
            return True
        if (element.get("aria-hidden") or "").strip().lower() == "true":
            return True
        style = element.get("style")
        if style and _unseen(style):
            return True
        if not self._rules or (style and _SEEN.search(style)):
            return False
        fitting = [rule for rule in self._fitting(element) if rule.hides is not None]
        return bool(max(fitting, key=lambda rule: rule.rank).hides) if fitting else False

    def paint(self, element: Any) -> Paint:
        """What the page says of the colours of `element` itself."""
        said = NOTHING
        if element.tag == "a" and element.get("href") is not None:
            said = _LINKED
        elif element.tag == "mark":
            said = _MARKED
        for name in ("color", "text", "bgcolor"):
            value = element.get(name)
            if value and (name == "bgcolor" or element.tag in ("font", "body")):
                said = (ground_named(value) if name == "bgcolor" else colour_named(value)).over(said)
        if self._rules:
            for rule in sorted(self._fitting(element), key=lambda rule: rule.rank):
                said = rule.paint.over(said)
        style = element.get("style")
        return paint_of(style).over(said) if style and _MAY_PAINT.search(style) else said

    def _fitting(self, element: Any) -> list[_Rule]:
        if self._last[0] is not element:  # asked of each element twice, one after the other
            self._last = (element, self._fit(element))
        return self._last[1]

    def _fit(self, element: Any) -> list[_Rule]:
        classes = (element.get("class") or "").split()
        keys = (element.tag, "", f"#{element.get('id')}", *(f".{name}" for name in classes))
        return [rule for key in keys for rule in self._rules.get(key, ()) if rule.fits(element)]


def _compounds(selector: str) -> tuple[_Compound, ...]:
    found = []
    for part in selector.replace(">", " ").replace(":root", "html").split():
        match = _COMPOUND.fullmatch(part)
        if match is None:
            return ()
        identity = re.search(r"#([\w-]+)", match.group(2))
        found.append(
            _Compound(
                tag=(match.group(1) or "").lower().replace("*", ""),
                identity=identity.group(1) if identity else "",
                classes=frozenset(re.findall(r"\.([\w-]+)", match.group(2))),
            )
        )
    return tuple(found)


def _rules(css: str) -> Iterator[tuple[str, bool | None, Paint, bool]]:
    """The selectors of rules that hide, show or paint: which of the first two, the colours, and whether the rule
    applies without a condition."""
    css = _NOISE.sub(" ", css)
    open_blocks: list[tuple[str, int]] = []
    at = 0
    for brace in re.finditer(r"[{}]", css):
        if brace.group() == "{":
            open_blocks.append((css[at : brace.start()].rpartition(";")[2].strip(), brace.end()))
        elif open_blocks:
            head, start = open_blocks.pop()
            outers = [outer for outer, _ in open_blocks]
            if not head.startswith("@") and not any(_OTHER_MEDIA.match(outer) for outer in outers):
                body = css[start : brace.start()].partition("{")[0]
                hides = True if _unseen(body) else False if _SEEN.search(body) else None
                paint = paint_of(body) if _MAY_PAINT.search(body) else NOTHING
                if hides is not None or paint != NOTHING:
                    applies = all(_UNCONDITIONAL.match(outer) for outer in outers)
                    for selector in head.split(","):
                        yield selector.strip(), hides, paint, applies
        at = brace.end()
