"""Visible content of a PDF page: stretches of text with their places. Invisible text is left out."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from veritas.reading.formats.pdf._hidden_text import HiddenText, hidden_text

LIGATURES = str.maketrans(
    {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st"}
)
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_HYPHEN = 0x02  # what PDFium says for a hyphen at a line's end
_TINY = 2.0
"""Points; smaller print is not meant to be read."""
_TALL = 15.0
"""Points; a box that is higher is compared with the size of the letters, since some fonts name a far higher one."""
_MAX_CHARS = 200_000
"""Limit of characters of one page that are read."""


@dataclass(slots=True, frozen=True)
class Segment:
    """A stretch of one line without a gap wider than a letter; in points, from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float
    text: str
    bold: bool = False
    size: float = 0.0
    """Size of its first letter's font in points: of a font that names too high a box, the better measure."""

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(slots=True)
class _Glyph:
    character: str
    left: float
    bottom: float
    right: float
    top: float
    baseline: float

    @property
    def height(self) -> float:
        return self.top - self.bottom


@dataclass(slots=True, frozen=True)
class ShownPage:
    """The visible content of a page, its height in points, and the number of invisible characters on it."""

    segments: list[Segment]
    height: float
    unseen: int = 0


def page_segments(page: Any) -> ShownPage:
    """Return the segments of a `pypdfium2` page in the order they were drawn.

    A page whose text is mostly turned by a quarter or a half is turned back; text across the rest, such as a stamp in a
    margin, is dropped. If all text is in an invisible mode, it is that of a scan under its image, and is kept.
    """
    textpage = page.get_textpage()
    try:
        turn = _main_turn(textpage.raw)
        hidden = hidden_text(page)
        found, unseen = _segments(textpage.raw, hidden, turn)
        if hidden.invisible and not found:
            found, unseen = _segments(textpage.raw, hidden, turn, recognised=True)
    finally:
        textpage.close()
    left, bottom, right, top = _turned(page.get_cropbox(), turn)
    seen = [
        replace(s, left=s.left - left, right=s.right - left, bottom=s.bottom - bottom, top=s.top - bottom)
        for s in found
        if left <= (s.left + s.right) / 2 <= right and bottom <= s.middle <= top
    ]
    unseen += sum(len(s.text) for s in found) - sum(len(s.text) for s in seen)
    return ShownPage(seen, top - bottom, unseen)


def _segments(
    text: Any, hidden: HiddenText, turn: int, *, recognised: bool = False
) -> tuple[list[Segment], int]:
    """Return the segments of the text that is turned by `turn` quarters, and the number of its characters that nobody
    sees; with `recognised`, text in an invisible mode is that of a scan."""
    found: list[Segment] = []
    run: list[_Glyph] = []
    unseen = at_first = at_last = 0

    def close() -> None:
        nonlocal run
        segment = _segment(run)
        if segment is not None and _turn(text, at_first) == turn:
            bold = _is_bold(text, at_first) and _is_bold(text, at_last)
            found.append(replace(segment, bold=bold, size=_font_size(text, at_first)))
        run = []

    box, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    for at in range(min(pdfium.FPDFText_CountChars(text), _MAX_CHARS)):
        code = pdfium.FPDFText_GetUnicode(text, at)
        hyphen = code == _HYPHEN and pdfium.FPDFText_IsHyphen(text, at) == 1
        if code < 0x20 and not hyphen and code != 0x09:
            close()
            continue
        if not hyphen and not _is_text(code):
            continue
        if not pdfium.FPDFText_GetLooseCharBox(text, at, box):
            continue
        place = box.left, box.bottom, box.right, box.top
        if box.top - box.bottom > _TALL:
            place = _by_baseline(text, at, place)
        if hidden:
            address = ctypes.cast(pdfium.FPDFText_GetTextObject(text, at), ctypes.c_void_p).value
            if hidden.hides(address, place, recognised=recognised):
                unseen += code > 0x20
                continue
        character = "-" if hyphen else chr(code)
        if character.isspace() and not run:
            continue
        pdfium.FPDFText_GetCharOrigin(text, at, x, y)
        origin = x.value, y.value, x.value, y.value
        baseline = (_turned(origin, turn) if turn else origin)[1]
        left, bottom, right, top = _turned(place, turn) if turn else place
        glyph = _Glyph(character, left, bottom, right, top, baseline)
        if not character.isspace():
            if glyph.height < _TINY and glyph.right - glyph.left < _TINY:
                unseen += 1
                continue
            if not run or not _goes_on(run, glyph):
                close()
                at_first = at
            at_last = at
        run.append(glyph)
        if hyphen:
            close()
    close()
    return found, unseen


def _by_baseline(text: Any, at: int, place: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Return the box of an upright glyph by its size and baseline, if the font's own box is much higher than that."""
    matrix, x, y = pdfium.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
    if not pdfium.FPDFText_GetMatrix(text, at, matrix) or not pdfium.FPDFText_GetCharOrigin(text, at, x, y):
        return place
    size = pdfium.FPDFText_GetFontSize(text, at) * abs(matrix.d)
    left, bottom, right, top = place
    if abs(matrix.c) > 0.3 * abs(matrix.d) or size <= 0 or top - bottom < 1.8 * size:
        return place
    return left, y.value - 0.22 * size, right, y.value + 0.78 * size


def _is_text(code: int) -> bool:
    """Return whether a code is a character's: PDFium gives others for glyphs whose letter it does not know."""
    return code < 0x110000 and not 0xD800 <= code < 0xE000 and code & 0xFFFE != 0xFFFE and code != 0x7F


def _goes_on(run: list[_Glyph], glyph: _Glyph) -> bool:
    """Return whether `glyph` stands on the line of `run`, to its right, without a gap wider than a letter is high."""
    last = next(g for g in reversed(run) if not g.character.isspace())
    overlap = min(last.top, glyph.top) - max(last.bottom, glyph.bottom)
    height = max(last.height, glyph.height)
    return (
        overlap >= 0.4 * min(last.height, glyph.height)
        and glyph.left - last.right <= height
        # The letters of a ligature have one box; an accent may stand a little before its letter.
        and glyph.left >= last.left - 0.3 * height
    )


def _segment(run: list[_Glyph]) -> Segment | None:
    while run and run[-1].character.isspace():
        run.pop()
    if not run:
        return None
    inked = [glyph for glyph in run if not glyph.character.isspace()]
    height = max(glyph.height for glyph in inked)
    tall = [glyph for glyph in inked if glyph.height > 0.8 * height] or inked
    base = Counter(round(glyph.bottom, 1) for glyph in tall).most_common(1)[0][0]
    baseline = Counter(round(glyph.baseline, 1) for glyph in tall).most_common(1)[0][0]
    text = "".join(
        # A raised figure is a power or a note's number: next to its neighbours it would make another number.
        glyph.character.translate(_RAISED)
        if glyph.character.isdecimal() and glyph.height < 0.85 * height and glyph.baseline > baseline + 0.12 * height
        else glyph.character
        for glyph in run
    )
    return Segment(
        left=min(glyph.left for glyph in inked),
        bottom=base,
        right=max(glyph.right for glyph in inked),
        top=base + height,
        text=" ".join(text.translate(LIGATURES).split()),
    )


def _font_size(text: Any, at: int) -> float:
    matrix = pdfium.FS_MATRIX()
    scale = math.hypot(matrix.b, matrix.d) if pdfium.FPDFText_GetMatrix(text, at, matrix) else 1.0
    return float(pdfium.FPDFText_GetFontSize(text, at)) * scale


def _is_bold(text: Any, at: int) -> bool:
    buffer = ctypes.create_string_buffer(128)
    size = pdfium.FPDFText_GetFontInfo(text, at, buffer, 128, None)
    name = buffer.raw[: min(size, 128)].lower()
    return b"bold" in name or b"black" in name or b"-bd" in name or b"cmbx" in name or b"heavy" in name


def _turn(text: Any, at: int) -> int:
    """Return a character's turn to the nearest quarter: 0 to 3, anticlockwise."""
    return round(float(pdfium.FPDFText_GetCharAngle(text, at)) / (math.pi / 2)) % 4


def _main_turn(text: Any) -> int:
    """Return the turn of most of the text, from every seventh character."""
    turns = Counter(
        _turn(text, at)
        for at in range(0, min(pdfium.FPDFText_CountChars(text), _MAX_CHARS), 7)
        if pdfium.FPDFText_IsGenerated(text, at) != 1
    )
    return turns.most_common(1)[0][0] if turns else 0


def _turned(box: tuple[float, float, float, float], turn: int) -> tuple[float, float, float, float]:
    """Return the place of `box` when the page is turned so that its text is level."""
    left, bottom, right, top = box
    for _ in range(turn):
        left, bottom, right, top = -top, left, -bottom, right
    return left, bottom, right, top
