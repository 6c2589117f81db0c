"""Text in the colour of its background: the colours of a page's elements, as far as the file itself states them.

An unknown colour or background (a picture, a gradient, a variable) hides nothing: losing visible text is worse than
reading invisible text.
"""

from __future__ import annotations

import colorsys
import re
from dataclasses import dataclass

from veritas.reading.formats._sheets import Style

Colour = tuple[float, float, float]
"""Red, green, blue, each 0 to 255."""

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
LINK: Colour = (0, 0, 238)
MARKED: Colour = (255, 255, 0)
LEAST = 16
"""Least difference in any channel (0 to 255) between text and ground for the text to be visible."""

_NAMES: dict[str, Colour] = {
    name: (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16))
    for name, code in (
        pair.split("=")
        for pair in """
        white=ffffff black=000000 snow=fffafa ivory=fffff0 ghostwhite=f8f8ff whitesmoke=f5f5f5 floralwhite=fffaf0
        mintcream=f5fffa azure=f0ffff aliceblue=f0f8ff seashell=fff5ee honeydew=f0fff0 linen=faf0e6 oldlace=fdf5e6
        lightyellow=ffffe0 lavenderblush=fff0f5 cornsilk=fff8dc beige=f5f5dc gainsboro=dcdcdc lightgray=d3d3d3
        lightgrey=d3d3d3 silver=c0c0c0 darkgray=a9a9a9 darkgrey=a9a9a9 gray=808080 grey=808080 dimgray=696969
        dimgrey=696969 red=ff0000 maroon=800000 yellow=ffff00 olive=808000 lime=00ff00 green=008000 aqua=00ffff
        cyan=00ffff teal=008080 blue=0000ff navy=000080 fuchsia=ff00ff magenta=ff00ff purple=800080 orange=ffa500
        darkblue=00008b midnightblue=191970 darkslategray=2f4f4f darkslategrey=2f4f4f lightblue=add8e6 pink=ffc0cb
        """.split()
    )
}
_HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_RGB = re.compile(
    r"(rgb|hsl)a?\(\s*([\d.]+)(%|deg)?[\s,]+([\d.]+)(%?)[\s,]+([\d.]+)(%?)(?:\s*[,/]\s*([\d.]+)(%?))?\s*\)"
)
_GREY = re.compile(r"(hwb|(?:ok)?l(?:ab|ch))\(\s*([\d.]+)(?:deg)?(%?)\s+(-?[\d.]+%?)\s+(-?[\d.]+(?:%|deg)?)\s*\)")
_GROUNDS = ("background-color", "background", "background-image")
_PART = re.compile(r"(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch))\([^)]*\)|[^\s,]+")


@dataclass(frozen=True, slots=True)
class Paint:
    """An element's declared colours: a colour, "" for none of its own, None for one that cannot be known. `shadow` is
    True if the text has one, which shows it on any ground."""

    text: Colour | str | None = ""
    ground: Colour | str | None = ""
    shadow: bool = False

    def over(self, other: Paint) -> Paint:
        """Return both combined; this one takes precedence."""
        return Paint(
            self.text if self.text != "" else other.text,
            self.ground if self.ground != "" else other.ground,
            self.shadow or other.shadow,
        )


NOTHING = Paint()


@dataclass(frozen=True, slots=True)
class Painted:
    """The final colours of an element's text; None for an unknown one. `sure` is True if the file states the
    background, False if white is assumed."""

    text: Colour | None = BLACK
    ground: Colour | None = WHITE
    shadow: bool = False
    sure: bool = True

    def within(self, paint: Paint) -> Painted:
        """Return the colours of an element within this one that declares `paint` itself."""
        return Painted(
            self.text if isinstance(paint.text, str) else paint.text,
            self.ground if isinstance(paint.ground, str) else paint.ground,
            self.shadow or paint.shadow,
            self.sure or not isinstance(paint.ground, str),
        )

    @property
    def unseen(self) -> bool:
        """True if text in these colours is invisible."""
        if self.text is None or self.ground is None or self.shadow:
            return False
        return all(abs(one - other) < LEAST for one, other in zip(self.text, self.ground, strict=True))


def paint_of(style: Style) -> Paint:
    """Return the colours of an inline style, or of a rule's declarations. The last of a kind counts."""
    ground: Colour | str | None = ""
    for name, value in style.items():
        if name in _GROUNDS and not (name == "background-image" and value in ("none", "initial")):
            ground = _ground(name, value)
    letters = style.get("-webkit-text-fill-color", style.get("color"))
    shadow = style.get("text-shadow", "none") not in ("none", "initial", "unset")
    return Paint("" if letters is None else _colour(letters), ground, shadow)


def colour_named(value: str) -> Paint:
    """Return the text colour that an attribute such as `<font color>` states."""
    said = value.strip().lower()
    return Paint(text=_colour(f"#{said}" if re.fullmatch(r"[0-9a-f]{6}", said) else said))


def ground_named(value: str) -> Paint:
    """Return the background that an attribute such as `<table bgcolor>` states."""
    return Paint(ground=colour_named(value).text)


def _ground(name: str, value: str) -> Colour | str | None:
    """Return a background colour; "" for none, None if it is unknown."""
    if name == "background-image" or "url(" in value or "gradient(" in value or "var(" in value or "image(" in value:
        return None
    if name == "background-color":
        return _colour(value, ground=True)
    for part in _PART.findall(value):
        said = _colour(part, ground=True)
        if said is not None:
            return said
    return "" if value in ("none", "0", "0 0", "unset", "initial") else None


def _colour(value: str, *, ground: bool = False) -> Colour | str | None:
    """Return a colour; "" if it is inherited (or a background is transparent)."""
    if value in ("inherit", "currentcolor", "unset", "revert", "initial"):
        return BLACK if value == "initial" and not ground else ""
    if value in _NAMES:
        return _NAMES[value]
    if value == "transparent":
        return "" if ground else None  # transparent text is another rule's
    digits = _HEX.fullmatch(value)
    if digits:
        code = digits[1] if len(digits[1]) > 4 else "".join(2 * digit for digit in digits[1])
        alpha = int(code[6:8], 16) / 255 if len(code) == 8 else 1.0
        return _seen((int(code[:2], 16), int(code[2:4], 16), int(code[4:6], 16)), alpha, ground)
    grey = _GREY.fullmatch(value)
    if grey:
        return _grey(*grey.groups())
    parts = _RGB.fullmatch(value)
    if not parts:
        return None
    alpha = float(parts[8]) / (100 if parts[9] else 1) if parts[8] else 1.0
    try:
        if parts[1] == "hsl":
            made = colorsys.hls_to_rgb(float(parts[2]) / 360 % 1, float(parts[6]) / 100, float(parts[4]) / 100)
            return _seen((made[0] * 255, made[1] * 255, made[2] * 255), alpha, ground)
        red, green, blue = (
            float(number) * (2.55 if percent == "%" else 1)
            for number, percent in ((parts[2], parts[3]), (parts[4], parts[5]), (parts[6], parts[7]))
        )
    except ValueError:  # two points in a number
        return None
    return _seen((red, green, blue), alpha, ground)


def _grey(space: str, first: str, percent: str, second: str, third: str) -> Colour | None:
    """Return a colour of a rare colour space if it is a grey; None for any other."""
    try:
        one, two, three = float(first), float(second.rstrip("%")), float(third.removesuffix("deg").rstrip("%"))
    except ValueError:
        return None
    if space == "hwb":  # a hue, and how much white and black is in it
        level = 255 * two / (two + three) if two + three >= 100 else None
    else:
        neutral = abs(two) < 0.01 and (space.endswith("lch") or abs(three) < 0.01)
        light = one / 100 if percent or not space.startswith("ok") else one
        shine = light**3 if space.startswith("ok") else ((light * 100 + 16) / 116) ** 3
        level = 255 * (12.92 * shine if shine < 0.0031308 else 1.055 * shine ** (1 / 2.4) - 0.055) if neutral else None
    return None if level is None else (level, level, level)


def _seen(colour: Colour, alpha: float, ground: bool) -> Colour | str | None:
    """Return the colour if it is opaque, "" if it is nearly transparent, None otherwise."""
    if alpha >= 0.9:
        return colour
    if ground:
        return "" if alpha <= 0.1 else None
    return None
