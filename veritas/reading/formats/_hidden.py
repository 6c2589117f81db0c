"""Hidden elements of a web page: their text must never reach a member of the council."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from veritas.reading.formats._colours import (
    BLACK,
    LINK,
    MARKED,
    NOTHING,
    WHITE,
    Paint,
    Painted,
    colour_named,
    ground_named,
    paint_of,
)
from veritas.reading.formats._sheets import Selector, Selectors, rules, variables

# An inline style, or the declarations of a rule, that hide an element.
_UNSEEN = re.compile(
    r"""(?:^|[;\s{])(?:
        display\s*:\s*none
      | visibility\s*:\s*(?:hidden|collapse)
      | content-visibility\s*:\s*hidden
      | font-size\s*:\s*(?:0*\.?0+(?:[a-z]+|%)?|0?\.\d+p[xt]|1p[xt])\s*(?:;|!|$)
      | -webkit-text-fill-color\s*:\s*transparent
      | color\s*:\s*(?:transparent|(?:rgb|hsl)a?\([^)]*[,/]\s*0*(?:\.0\d*)?%?\s*\)|\#(?:[0-9a-f]{3}0|[0-9a-f]{6}0\d)\b)
      | (?:text-indent|left|top|right|bottom|margin-left|margin-top)\s*:\s*-(?:\d{4,}|\d{3,}(?:r?em|v[hw]))
      | clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?[\s,]+[01](?:px)?|inset\(\s*(?:50|100)%)
      | transform\s*:[^;]{0,99}?(?:scale\(\s*0\s*[,)]|translate(?:[xyz]|3d)?\([^;)]{0,40}?-\d{4,}px)
      | zoom\s*:\s*0{0,9}\.?0{1,9}%?\s*(?:;|!|$)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_FAR = re.compile(r"(?:^|[;\s{])(?:left|top|right|bottom)\s*:\s*-\d{3,}%", re.IGNORECASE)
_FILLED = re.compile(r"background-clip\s*:\s*text", re.IGNORECASE)
_CLEAR = re.compile(r"(?:-webkit-text-fill-)?color\s*:\s*(?:transparent|rgba?\([^)]{0,40}\))", re.IGNORECASE)
_PLACED = re.compile(r"(?:^|[;\s{])position\s*:\s*(?:absolute|fixed)", re.IGNORECASE)
_FADED = re.compile(
    r"(?:^|[;\s{])(?:opacity\s*:|filter\s*:\s*opacity\()\s*(?:0{0,9}\.?0{1,9}|0{0,9}\.0[0-5]\d{0,9}|[0-5]%|0{1,9}%)\s*(?:[;!)]|$)",
    re.IGNORECASE,
)
_SHOWN_AGAIN = re.compile(
    r"(?:^|[;\s{])(?:opacity\s*:\s*(?:1|0?\.[1-9]|[1-9]\d+%)|(?:max-)?height\s*:\s*(?:[1-9]|none|auto|fit|max|min))",
    re.IGNORECASE,
)
_MOVING = re.compile(r"(?:^|[;\s{])(?:-\w+-)?(?:animation|transition)[\w-]*\s*:\s*(?!none)\w", re.IGNORECASE)
"""Animations and transitions, which bring an element into sight as the page is read."""
_ZERO_BOX = re.compile(
    r"(?:^|[;\s{])(?:max-)?(?:width|height)\s*:\s*(?:0*\.?0+(?:[a-z]+|%)?|1px)\s*(?:;|!|$)", re.IGNORECASE
)
_CLIPPED = re.compile(r"(?:^|[;\s{])overflow(?:-[xy])?\s*:\s*(?:hidden|clip)", re.IGNORECASE)
_SEEN = re.compile(r"(?:^|[;\s{])(?:display\s*:\s*(?!none)\w|visibility\s*:\s*visible)", re.IGNORECASE)

_LAID = re.compile(r"::?(?:before|after)$", re.IGNORECASE)
"""Pseudo-elements, laid under or over an element."""
_MAY_PAINT = re.compile(r"(?:^|[;\s{])(?:-webkit-text-fill-)?color|background|text-shadow", re.IGNORECASE)
_PASSING = re.compile(
    r":(?:hover|focus|active|visited|target|checked|disabled)|::?(?:before|after|selection|placeholder)"
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,4})\s?", re.IGNORECASE)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,[^()]*)?\)")
_MAX_VARIABLES = 5
"""Limit of variables resolved one through the other."""
_DARK_SCHEME = re.compile(r"(?:^|[;\s{])color-scheme\s*:\s*(?:only\s+)?dark\b", re.IGNORECASE)
MAX_RULES = 20_000
MAX_STYLE = 10_000
"""Limit in characters of a style in which variables are resolved."""
MAX_CSS = 1_000_000
"""Limit in characters of a page's own style sheets that are read."""
_LINKED, _MARKED = Paint(LINK), Paint(BLACK, MARKED)
"""Browsers' colours of a link and of marked text."""


def _gone(style: str) -> bool:
    if _FILLED.search(style):  # the ground is seen through the letters
        style = _CLEAR.sub(";", style)
    return bool(_UNSEEN.search(style) or (_FAR.search(style) and _PLACED.search(style)))


def _folded(style: str) -> bool:
    """Return whether an element has no height or no colour: either hidden, or shown later by a script."""
    return bool(_FADED.search(style) or (_ZERO_BOX.search(style) and _CLIPPED.search(style)))


def _plain(style: str) -> str:
    """Return declarations without comments and escapes."""
    if "/*" in style:
        style = _COMMENT.sub(" ", style)
    return _ESCAPE.sub(lambda sign: chr(int(sign[1], 16)), style) if "\\" in style else style


@dataclass(frozen=True, slots=True)
class _Rule:
    selector: Selector
    rank: tuple[int, int, int, int]
    hides: bool | None
    """None for a rule that neither hides nor shows."""
    folds: bool | None
    paint: Paint


class Hidden:
    """The rules of one page: attributes, inline styles, and the selectors of its own `<style>` sheets.

    Only the file itself is read, no linked sheet. Rules with a condition that may not hold on a screen, and rules for
    states such as `:hover`, are skipped.
    """

    def __init__(self, sheets: Iterable[str] = (), *, root: Any, linked: bool = False) -> None:
        """Read a page's rules. `root` is the page's; `linked` is True if there are sheets elsewhere."""
        css = "\n".join(sheets)[:MAX_CSS]
        selectors = Selectors(root)
        by_selector: dict[str, _Rule] = {}
        self.painted = Painted(sure=not linked)
        """Colours of text for which nothing is stated."""
        if _DARK_SCHEME.search(css) or root.xpath("//meta[@name='color-scheme'][starts-with(@content, 'dark')]"):
            self.painted = Painted(WHITE, None)
        self._variables = {} if linked else variables(css)
        found = list(islice(rules(css), MAX_RULES))
        shown = {name for rule in found if _SHOWN_AGAIN.search(rule.body) for name in _names(rule.selector)}
        for order, rule in enumerate(found):
            body = _plain(rule.body)
            hides = True if _gone(body) else False if _SEEN.search(body) else None
            folds = False if _SHOWN_AGAIN.search(body) else None
            if _folded(body) and not _MOVING.search(body) and not shown & _names(rule.selector):
                folds = True
            paint = paint_of(self._filled(body)) if _MAY_PAINT.search(body) else NOTHING
            if hides is None and folds is None and paint == NOTHING:
                continue
            if paint.ground != "" and _PLACED.search(body) and (host := _LAID.sub("", rule.selector)) != rule.selector:
                rule, paint, hides, folds = rule._replace(selector=host), Paint(ground=None), None, None
            selector = selectors.of(rule.selector) if rule.applies else None
            if paint.ground != "" and not _PASSING.search(rule.selector) and (selector is None or selector.idle):
                self.painted = replace(self.painted, ground=None)  # it is on that ground, or it is not
            if selector is None:
                continue
            before = by_selector.get(rule.selector)
            if before is not None:  # of one selector, the last rule counts
                hides = before.hides if hides is None else hides
                folds = before.folds if folds is None else folds
                paint = paint.over(before.paint)
            by_selector[rule.selector] = _Rule(selector, (*selector.weight, order), hides, folds, paint)
        self._rules: dict[str, list[_Rule]] = {}
        for each in by_selector.values():
            self._rules.setdefault(each.selector.key, []).append(each)
        self.paints = any(each.paint != NOTHING for each in by_selector.values())
        """True if any rule gives text or ground a colour."""
        self._last: tuple[Any, list[_Rule]] = (None, [])

    def __contains__(self, element: Any) -> bool:
        """Return whether `element` (an lxml element) is hidden by itself; callers ask about its ancestors."""
        if element.get("hidden") is not None and element.get("hidden").lower() != "false":
            return True
        if (element.get("aria-hidden") or "").strip().lower() == "true":
            return True
        style = _plain(element.get("style") or "")
        if style and (_gone(style) or (_folded(style) and not _MOVING.search(style))):
            return True
        if not self._rules or (style and _SEEN.search(style)):
            return False
        fitting = [rule for rule in self._fitting(element) if rule.hides is not None]
        return bool(max(fitting, key=lambda rule: rule.rank).hides) if fitting else False

    def folded(self, element: Any) -> bool:
        """Return whether the page's sheets hide `element` in a way that scripts use temporarily."""
        if not self._rules or _SHOWN_AGAIN.search(element.get("style") or ""):
            return False
        fitting = [rule for rule in self._fitting(element) if rule.folds is not None]
        return bool(max(fitting, key=lambda rule: rule.rank).folds) if fitting else False

    def _filled(self, style: str) -> str:
        for _ in range(_MAX_VARIABLES):
            if "var(" not in style or len(style) > MAX_STYLE:
                break
            style = _VARIABLE.sub(lambda said: self._variables.get(said[1], said[0]), style)
        return style

    def paint(self, element: Any) -> Paint:
        """Return the colours that the page states for `element` itself."""
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
        style = _plain(element.get("style") or "")
        if style and _MAY_PAINT.search(style):
            said = paint_of(self._filled(style)).over(said)
        if style and said.ground == "" and _PLACED.search(style) and _beside_picture(element):
            said = replace(said, ground=None)  # it may stand on the picture
        return said

    def _fitting(self, element: Any) -> list[_Rule]:
        if self._last[0] is not element:  # asked of each element twice, one after the other
            self._last = (element, self._fit(element))
        return self._last[1]

    def _fit(self, element: Any) -> list[_Rule]:
        classes = (element.get("class") or "").split()
        keys = (element.tag, "", f"#{element.get('id')}", *(f".{name}" for name in classes))
        return [rule for key in keys for rule in self._rules.get(key, ()) if rule.selector.fits(element)]


def _beside_picture(element: Any) -> bool:
    """Return whether there is a picture in the parent of `element`."""
    box = element.getparent()
    return box is not None and box.tag not in ("body", "article", "main") and box.find(".//img") is not None


def _names(selector: str) -> set[str]:
    """Return the classes, ids and attributes of a selector."""
    return set(re.findall(r"[.#\[][\w-]+", selector))
