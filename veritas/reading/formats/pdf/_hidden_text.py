"""Text of a PDF page that nobody sees: invisible, transparent, in the colour of its ground, or under something opaque.

What is drawn later lies above. A rectangle that is filled and opaque covers what was drawn before it, be it white or
black; an image does not count, since recognised text may lie under the image of a scan.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

Box = tuple[float, float, float, float]
"""Left, bottom, right and top, in points."""

_INVISIBLE_MODES = frozenset({3, 7})
_LIGHT = 245
"""The least of red, green and blue of what is as good as white."""
_BAND = 36.0
"""Height in points of the bands in which covers are looked up."""
_MAX_BANDS = 500
_EVERYWHERE: Box = (-1e6, -1e6, 1e6, 1e6)


@dataclass
class HiddenText:
    """What is known of a page: the addresses of text objects that are invisible, those of `unpainted` text, the order
    in which all were drawn, and the rectangles that cover what is below them."""

    invisible: set[int] = field(default_factory=set)
    unpainted: set[int] = field(default_factory=set)
    order: dict[int, int] = field(default_factory=dict)
    covers: dict[int, list[tuple[int, Box]]] = field(default_factory=lambda: defaultdict(list))

    def __bool__(self) -> bool:
        return bool(self.invisible or self.unpainted or self.covers)

    def hides(self, address: int | None, box: Box, *, recognised: bool) -> bool:
        """Return whether a character of a text object is not seen at its place; with `recognised`, invisible text is
        that of a scan and counts as seen."""
        if address is None:
            return False
        if address in self.unpainted or (address in self.invisible and not recognised):
            return True
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        drawn = self.order.get(address, 0)
        return any(at > drawn and _inside(x, y, cover) for at, cover in self.covers.get(int(y // _BAND), ()))

    def cover(self, at: int, box: Box) -> None:
        """Note a rectangle that was drawn as number `at`."""
        first, last = int(max(box[1], -1e5) // _BAND), int(min(box[3], 1e5) // _BAND)
        for band in range(first, min(last, first + _MAX_BANDS) + 1):
            self.covers[band].append((at, box))


def hidden_text(page: Any) -> HiddenText:
    """Return what of a `pypdfium2` page's text nobody sees."""
    found = HiddenText()
    grounds: list[tuple[Box, bool]] = []  # what text may lie on, and whether it is white
    for at, item in enumerate(page.get_objects(max_depth=8)):
        if item.type == pdfium.FPDF_PAGEOBJ_TEXT:
            address = ctypes.cast(item.raw, ctypes.c_void_p).value
            if not address:
                continue
            found.order[address] = at
            mode = pdfium.FPDFTextObj_GetTextRenderMode(item.raw)
            painted = _painted(item)
            if mode in _INVISIBLE_MODES:
                found.invisible.add(address)
            elif painted is not None and mode in (0, 4):
                light, alpha = painted
                if alpha < 8 or (light and _on_white(bounds(item), grounds)):
                    found.unpainted.add(address)
        elif item.type in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
            grounds.append((bounds(item), False))
        elif item.type == pdfium.FPDF_PAGEOBJ_PATH:
            painted = _painted(item)
            rectangle = _is_rectangle(item)
            opaque = painted is not None and _is_filled(item) and not pdfium.FPDFPageObj_HasTransparency(item.raw)
            if rectangle and opaque and (box := _on_page(item)) is not None:
                found.cover(at, box)
            if painted is None or not painted[0]:
                grounds.append((bounds(item), False))
            elif rectangle and opaque:
                grounds.append((bounds(item), True))
    return found


def bounds(item: Any) -> Box:
    """Return the box of an object, in the coordinates of what it stands in."""
    sides = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(item.raw, *sides):
        return (0.0, 0.0, 0.0, 0.0)
    left, bottom, right, top = (side.value for side in sides)
    return left, bottom, right, top


def _painted(item: Any) -> tuple[bool, int] | None:
    """Return whether an object is filled with white, and its opacity to 255; None if its colour is not known."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(item.raw, red, green, blue, alpha):
        return None
    return min(red.value, green.value, blue.value) > _LIGHT, alpha.value


def _on_white(box: Box, grounds: list[tuple[Box, bool]]) -> bool:
    """Return whether the middle of `box` lies on white: the last ground that was drawn there, or the paper."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return next((light for ground, light in reversed(grounds) if _inside(x, y, ground)), True)


def _inside(x: float, y: float, box: Box) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _is_filled(item: Any) -> bool:
    mode, stroked = ctypes.c_int(), pdfium.FPDF_BOOL()
    return bool(pdfium.FPDFPath_GetDrawMode(item.raw, mode, stroked)) and mode.value != pdfium.FPDF_FILLMODE_NONE


def _is_rectangle(item: Any) -> bool:
    """Return whether a path is one rectangle with level sides."""
    count = pdfium.FPDFPath_CountSegments(item.raw)
    if not 4 <= count <= 6:
        return False
    segments = [pdfium.FPDFPath_GetPathSegment(item.raw, at) for at in range(count)]
    if any(pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_BEZIERTO for segment in segments):
        return False
    points = list(_points(segments))
    matrix = item.get_matrix()
    level = abs(matrix.b) + abs(matrix.c) < 1e-3 or abs(matrix.a) + abs(matrix.d) < 1e-3
    return level and len({round(x, 1) for x, _ in points}) == len({round(y, 1) for _, y in points}) == 2


def _points(segments: list[Any]) -> Iterator[tuple[float, float]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    for segment in segments:
        if pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            yield x.value, y.value


def _on_page(item: Any) -> Box | None:
    """Return the part of an object's box that is not cut off, in the coordinates of the page; None if nothing is."""
    box = _common(bounds(item), _clip(item))
    within = item.container
    while box is not None and within is not None:
        box = _common(_moved(box, within.get_matrix()), _common(bounds(within), _clip(within)) or (0, 0, 0, 0))
        within = within.container
    return box


def _clip(item: Any) -> Box:
    """Return a box around what the clipping path of an object leaves."""
    path = pdfium.FPDFPageObj_GetClipPath(item.raw)
    box = _EVERYWHERE
    if not path:
        return box
    for number in range(max(0, min(pdfium.FPDFClipPath_CountPaths(path), 100))):
        count = pdfium.FPDFClipPath_CountPathSegments(path, number)
        points = list(_points([pdfium.FPDFClipPath_GetPathSegment(path, number, at) for at in range(min(count, 1000))]))
        if points:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            box = _common(box, (min(xs), min(ys), max(xs), max(ys))) or (0.0, 0.0, 0.0, 0.0)
    return box


def _common(one: Box, other: Box) -> Box | None:
    left, bottom, right, top = (
        max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])
    )  # fmt: skip
    return (left, bottom, right, top) if left < right and bottom < top else None


def _moved(box: Box, matrix: Any) -> Box:
    corners = [
        (matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f)
        for x in (box[0], box[2])
        for y in (box[1], box[3])
    ]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)
