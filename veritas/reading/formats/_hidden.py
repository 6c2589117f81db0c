"""Hidden elements of a web page: their text must never reach a member of the council."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
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
from veritas.reading.formats._sheets import Selector, Selectors, Style, declared, rules, variables

_NUMBER = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))(px|pt|r?em|%|v[hw])?")
_CLEAR = re.compile(r"transparent|(?:rgb|hsl)a?\([^)]*[,/]\s*0*(?:\.0\d*)?%?\s*\)|#(?:[0-9a-f]{3}0|[0-9a-f]{6}0\d)\b")
_CUT_OFF = re.compile(
    r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?|inset\(\s*(?:50|100)%|(?:circle|ellipse)\(\s*0|polygon\((?:[\s,]|0(?:px|%)?)*\)"
)
_SHRUNK = re.compile(r"scale\w*\(\s*0\s*[,)]|translate(?:[xyz]|3d)?\([^;)]{0,40}?-\d{4,}px")
_MASKED = re.compile(r"[\w-]*gradient\((?:(?:to\b|[\d-])[^,()]*,)?\s*transparent[^,()]*(?:,\s*transparent[^,()]*)*\)")
_FADED = re.compile(r"opacity\(([\d.]+)(%?)\)")
_BOX = ("height", "max-height", "width", "max-width")
_OFFSETS = ("text-indent", "left", "top", "right", "bottom", "margin-left", "margin-top")

_LAID = re.compile(r"::?(?:before|after)$", re.IGNORECASE)
"""Pseudo-elements, laid under or over an element."""
_MOVING = ("animation", "transition", "webkit-animation", "webkit-transition", "moz-animation", "moz-transition")
"""Properties that bring an element into sight as the page is read."""
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


def _size(value: str) -> tuple[float, str]:
    """Return the number that begins a value, and its unit; infinity if it begins with none."""
    found = _NUMBER.match(value)
    return (float(found[1]), found[2] or "") if found else (inf, "")


def _gone(style: Style) -> bool:
    """Return whether declarations leave nothing of an element to be seen, wherever a reader scrolls."""
    placed = _placed(style)
    letters = (style.get("-webkit-text-fill-color", ""), style.get("color", ""))
    for name in _OFFSETS:
        number, unit = _size(style.get(name, ""))
        if number <= -1000 or (number <= -100 and (unit in ("em", "rem", "vh", "vw") or (unit == "%" and placed))):
            return True
        if style.get("position") == "fixed" and 100 <= number < inf and unit in ("%", "vh", "vw"):
            return True
    # The size in a `font` is its first value with a unit, or 0; other plain numbers are weights.
    sizes = (_size(part) for part in (style.get("font-size", ""), *style.get("font", "").split()))
    return (
        style.get("display") == "none"
        or style.get("visibility") in ("hidden", "collapse")
        or style.get("content-visibility") == "hidden"
        or any(number == 0 or (unit == "px" and number <= 1) or (unit == "pt" and number < 1) for number, unit in sizes)
        or (
            style.get("background-clip", style.get("-webkit-background-clip")) != "text"
            and any(map(_CLEAR.match, letters))
        )
        or any(_CUT_OFF.match(style.get(name, "")) for name in ("clip", "clip-path"))
        or any(_SHRUNK.search(style.get(name, "")) for name in ("transform", "-webkit-transform"))
        or any(_size(style.get(name, ""))[0] == 0 for name in ("zoom", "scale"))
        or any(
            _MASKED.match(style.get(name, "")) for name in ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image")
        )
        or (placed and _size(style.get("z-index", ""))[0] < 0)
    )


def _folded(style: Style) -> bool:
    """Return whether an element has no height or no colour: either hidden, or shown later by a script or by time."""
    if any(name.lstrip("-").startswith(_MOVING) and value != "none" for name, value in style.items()):
        return False
    opacity, unit = _size(style.get("opacity", ""))
    if filtered := _FADED.match(style.get("filter", "")):
        opacity, unit = float(filtered[1]), filtered[2]
    clipped = any(style.get(name) in ("hidden", "clip") for name in ("overflow", "overflow-x", "overflow-y"))
    sizes = (_size(style.get(name, "")) for name in _BOX)
    return opacity <= (5 if unit else 0.05) or (clipped and any(size[0] == 0 or size == (1, "px") for size in sizes))


def _shown_again(style: Style) -> bool:
    """Return whether declarations give an element a colour or a height."""
    opacity, unit = _size(style.get("opacity", ""))
    heights = [style[name] for name in ("height", "max-height") if name in style]
    return (10 if unit else 0.1) <= opacity < inf or any(
        _size(height)[0] >= 1 and not height.startswith(("inherit", "unset")) for height in heights
    )


def _seen(style: Style) -> bool:
    return style.get("display", "none") != "none" or style.get("visibility") == "visible"


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
        styles = [self._style(rule.body) for rule in found]
        shown = {
            name
            for rule, style in zip(found, styles, strict=True)
            if _shown_again(style)
            for name in _names(rule.selector)
        }
        for order, (rule, style) in enumerate(zip(found, styles, strict=True)):
            hides = True if _gone(style) else False if _seen(style) else None
            folds = False if _shown_again(style) else None
            if _folded(style) and not shown & _names(rule.selector):
                folds = True
            paint = paint_of(style)
            if hides is None and folds is None and paint == NOTHING:
                continue
            if paint.ground != "" and _placed(style) and (host := _LAID.sub("", rule.selector)) != rule.selector:
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
        if element.get("hidden", "false").lower() != "false" or element.get("popover") is not None:
            return True
        if element.get("aria-hidden", "").strip().lower() == "true":
            return True
        style = self._style(element.get("style", ""))
        if style and (_gone(style) or _folded(style)):
            return True
        if not self._rules or _seen(style):
            return False
        fitting = [rule for rule in self._fitting(element) if rule.hides is not None]
        return bool(max(fitting, key=lambda rule: rule.rank).hides) if fitting else False

    def folded(self, element: Any) -> bool:
        """Return whether the page's sheets hide `element` in a way that scripts use temporarily."""
        if not self._rules or _shown_again(self._style(element.get("style", ""))):
            return False
        fitting = [rule for rule in self._fitting(element) if rule.folds is not None]
        return bool(max(fitting, key=lambda rule: rule.rank).folds) if fitting else False

    def _style(self, text: str) -> Style:
        """Return declarations by name, with the page's variables put in."""
        text = _plain(text)
        for _ in range(_MAX_VARIABLES):
            if "var(" not in text or len(text) > MAX_STYLE:
                break
            text = _VARIABLE.sub(lambda said: self._variables.get(said[1], said[0]), text)
        return declared(text)

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
        style = self._style(element.get("style", ""))
        said = paint_of(style).over(said)
        if said.ground == "" and _placed(style) and _beside_picture(element):
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


def _placed(style: Style) -> bool:
    return style.get("position") in ("absolute", "fixed")


def _beside_picture(element: Any) -> bool:
    """Return whether there is a picture in the parent of `element`."""
    box = element.getparent()
    return box is not None and box.tag not in ("body", "article", "main") and box.find(".//img") is not None


def _names(selector: str) -> set[str]:
    """Return the classes, ids and attributes of a selector."""
    return set(re.findall(r"[.#\[][\w-]+", selector))
