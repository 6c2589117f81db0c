"""The rules of a page's own style sheets: their selectors, their declarations, and whether they hold on a screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from cssselect import HTMLTranslator, SelectorError, parse
from lxml import etree  # type: ignore[import-untyped]

_OTHER_MEDIA = re.compile(
    r"@(?:media\b.*(?:\bprint\b|prefers-color-scheme\s*:\s*dark)|(?:-\w+-)?keyframes|font-face)", re.IGNORECASE
)
_UNCONDITIONAL = re.compile(r"@(?:layer\b|supports\b(?!\s+not)|media\s+(?:all|screen)\s*$)", re.IGNORECASE)
_MEDIA = re.compile(r"@media\s+((?:only\s+)?(?:all|screen)\s+and\s*)?(?=\()", re.IGNORECASE)
_WIDTH = re.compile(r"\(\s*(min|max)-width\s*:\s*(\d*\.?\d+)(px|r?em)\s*\)", re.IGNORECASE)
SCREEN = 1280
"""Pixels: the assumed width of the reader's screen."""
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_TELLING = re.compile(r"[\"'][\w -]*[\"']")
_VARIABLE = re.compile(r"(--[\w-]+)\s*:\s*([^;}]{1,300})")
_ROOT = re.compile(r"(?::root|html|body|\*|,|:host|\s)+")
_COMMAS = re.compile(r",(?![^(\[]*[)\]])")
_STEPS = re.compile(r"\s*([>+~]|\s)\s*(?![^(\[]*[)\]])")
_COMPOUND = re.compile(r"([a-zA-Z][\w-]*|\*)?((?:[.#][\w-]+)*)")
_STATE = re.compile(r":(?:hover|focus|active|visited|target)|::?(?:before|after)", re.IGNORECASE)
_MAX_STEPS = 12
_MAX_LENGTH = 1_000
"""Limit in characters of one selector, and of a list of selectors with brackets in it."""
_MAX_LOOKED_UP = 200
_MAX_LOOKED_AT = 300_000
"""Limits of compounds with attributes or pseudo-classes that are looked up, and of elements searched for them."""
_MAX_NESTED = 500
_MAX_AWAY = 60
"""Limits of selectors of several compounds, and of the distance at which an ancestor or sibling is looked for."""


Style = dict[str, str]
"""Declarations: the value of each property, both in lower case, the important ones last."""


class Rule(NamedTuple):
    """One selector of a rule, its declarations, and whether it applies on a screen as far as is known."""

    selector: str
    body: str
    applies: bool


@dataclass(eq=False)
class _Compound:
    tag: str = ""
    identity: str = ""
    classes: frozenset[str] = frozenset()
    elements: frozenset[Any] | None = None
    """The elements that fit, if they had to be looked up."""

    asks: tuple[int, int, int] = (0, 0, 0)

    @property
    def weight(self) -> tuple[int, int, int]:
        """Specificity."""
        return self.asks if self.elements is not None else (bool(self.identity), len(self.classes), bool(self.tag))

    def fits(self, element: Any) -> bool:
        if self.elements is not None:
            return element in self.elements
        return (
            (not self.tag or self.tag == element.tag)
            and (not self.identity or self.identity == element.get("id"))
            and (not self.classes or self.classes <= set((element.get("class") or "").split()))
        )


@dataclass(eq=False)
class Selector:
    """A parsed selector: compounds, and the joint of each to the one before it. `weight` is its specificity."""

    compounds: tuple[_Compound, ...]
    joints: tuple[str, ...]
    weight: tuple[int, int, int]
    idle: bool = field(default=False)
    """True if it asks for a state of the page (an attribute, a place) that no element is in."""

    @cached_property
    def key(self) -> str:
        """Id, class or tag that every fitting element has, or ""."""
        last = self.compounds[-1]
        return f"#{last.identity}" if last.identity else f".{min(last.classes)}" if last.classes else last.tag

    def fits(self, element: Any) -> bool:
        """Return whether an element of the page fits."""
        return self.compounds[-1].fits(element) and self._led_to(element, len(self.joints) - 1)

    def _led_to(self, element: Any, at: int) -> bool:
        # Only the nearest of several fitting ancestors is tried.
        for place in range(at, -1, -1):
            joint, compound = self.joints[place], self.compounds[place]
            others = element.iterancestors() if joint in (" ", ">") else element.itersiblings(preceding=True)
            reach = 1 if joint in (">", "+") else _MAX_AWAY
            element = next((other for other in islice(others, reach) if compound.fits(other)), None)
            if element is None:
                return False
        return True


class Selectors:
    """The selectors of one page's sheets."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._translator = HTMLTranslator()
        self._looked_up: dict[str, _Compound | None] = {}
        self._most = min(_MAX_LOOKED_UP, _MAX_LOOKED_AT // max(1, sum(1 for _ in root.iter())))
        self._nested = 0

    def of(self, text: str) -> Selector | None:
        """Return the selector; None if it is not understood, or is of a state that a page is not in by itself."""
        if len(text) > _MAX_LENGTH:
            return None
        parts = _STEPS.split(text.strip())
        names, joints = parts[::2], tuple(parts[1::2])
        if _STATE.search(text) or len(names) > _MAX_STEPS or not all(names):
            return None
        self._nested += len(names) > 1
        if len(names) > 1 and self._nested > _MAX_NESTED:
            return None
        compounds = [self._compound(name) for name in names]
        found = [compound for compound in compounds if compound is not None]
        if len(found) < len(compounds):
            return None
        weights = zip(*(compound.weight for compound in found), strict=True)
        ids, classes, tags = (sum(of_kind) for of_kind in weights)
        idle = any(each.elements is not None and not each.elements for each in found)
        return Selector(tuple(found), tuple(joint.strip() or " " for joint in joints), (ids, classes, tags), idle)

    def _compound(self, text: str) -> _Compound | None:
        simple = _COMPOUND.fullmatch(text)
        if simple is not None:
            identity = re.search(r"#([\w-]+)", simple.group(2))
            return _Compound(
                tag=(simple.group(1) or "").lower().replace("*", ""),
                identity=identity.group(1) if identity else "",
                classes=frozenset(re.findall(r"\.([\w-]+)", simple.group(2))),
            )
        if text not in self._looked_up:
            if len(self._looked_up) >= self._most or ":has" in text:
                return None
            self._looked_up[text] = self._look_up(text)
        return self._looked_up[text]

    def _look_up(self, text: str) -> _Compound | None:
        try:
            (tree,) = parse(text)
            if tree.pseudo_element is not None:
                return None
            found = self._root.xpath(self._translator.selector_to_xpath(tree))
        except (SelectorError, etree.XPathError, RecursionError, ValueError):
            return None
        return _Compound(elements=frozenset(found), asks=tree.specificity())


def declared(style: str) -> Style:
    """Return the declarations of an inline style or of a rule's body; of several of one name, the one that holds."""
    found: Style = {}
    for forced in (False, True):
        for part in style.split(";"):
            name, colon, value = part.partition(":")
            value, important, _ = value.partition("!")
            if colon and bool(important) is forced:
                name = name.strip().lower()
                found.pop(name, None)  # the last of a kind counts: `background` after `background-color`
                found[name] = value.strip().lower()
    return found


def rules(css: str) -> Iterator[Rule]:
    """Yield the rules for screens, one for each selector, nested ones written out."""
    css = _STRING.sub(lambda said: said[0] if _TELLING.fullmatch(said[0]) else '""', _COMMENT.sub(" ", css))
    open_blocks: list[tuple[str, int]] = []
    at = 0
    for brace in re.finditer(r"[{}]", css):
        if brace.group() == "{":
            open_blocks.append((css[at : brace.start()].rpartition(";")[2].strip(), brace.end()))
        elif open_blocks:
            head, start = open_blocks.pop()
            outers = [outer for outer, _ in open_blocks[:_MAX_STEPS]]
            if len(open_blocks) < _MAX_STEPS and not any(_OTHER_MEDIA.match(outer) for outer in (*outers, head)):
                body = css[start : brace.start()].partition("{")[0]
                applies = all(_applies(outer) for outer in (*outers, head) if outer.startswith("@"))
                around = [outer for outer in outers if not outer.startswith("@")]
                if not head.startswith("@"):
                    for selector in _listed(head):
                        yield Rule(_within(around, selector.strip()), body, applies)
        at = brace.end()


def _within(around: list[str], selector: str) -> str:
    for outer in reversed(around):
        first = next(iter(_listed(outer)), "").strip()
        selector = selector.replace("&", first, _MAX_STEPS) if "&" in selector else f"{first} {selector}"
        if len(selector) > _MAX_LENGTH:
            break
    return selector


def _listed(head: str) -> list[str]:
    if "(" not in head and "[" not in head:
        return head.split(",")
    return _COMMAS.split(head) if len(head) <= _MAX_LENGTH else []


def _applies(condition: str) -> bool:
    if _UNCONDITIONAL.match(condition):
        return True
    media = _MEDIA.match(condition)
    asked = re.split(r"\s+and\s+", condition[media.end() :].strip()) if media else []
    widths = [_WIDTH.fullmatch(each.strip()) for each in asked]
    return bool(widths) and all(width is not None and _is_wide(width) for width in widths)


def _is_wide(width: re.Match[str]) -> bool:
    pixels = float(width[2]) * (1 if width[3].lower() == "px" else 16)
    return pixels <= SCREEN if width[1].lower() == "min" else pixels >= SCREEN


def variables(css: str) -> dict[str, str]:
    """Return the variables that have a single value on the whole page."""
    found: dict[str, set[str]] = {}
    for block in _COMMENT.sub(" ", css).split("}") if "--" in css else ():
        outer, _, body = block.rpartition("{")
        head = outer.rpartition("{")[2].rpartition(";")[2].strip()
        for name, value in _VARIABLE.findall(body):
            found.setdefault(name, set()).add(value.strip() if _ROOT.fullmatch(head[:_MAX_LENGTH]) else "")
    return {name: values.pop() for name, values in found.items() if len(values) == 1 and "" not in values}
