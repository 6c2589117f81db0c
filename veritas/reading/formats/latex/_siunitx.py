"""Numbers with units, as siunitx prints them."""

from __future__ import annotations

import re

from veritas.reading.formats.latex._tex_source import Source
from veritas.text.wordlist import words

UNITS = {
    "metre": "m", "meter": "m", "gram": "g", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol", "hertz": "Hz",
    "newton": "N", "pascal": "Pa", "joule": "J", "watt": "W", "volt": "V", "ohm": "Ω", "tesla": "T", "candela": "cd",
    "litre": "L", "liter": "L", "bar": "bar", "hour": "h", "minute": "min", "day": "d", "percent": "%", "byte": "B",
    "bit": "bit", "electronvolt": "eV", "celsius": "°C", "degreeCelsius": "°C", "degree": "°", "molar": "M",
    "angstrom": "Å", "micron": "µm", "arcminute": "′", "arcsecond": "″", "arcmin": "′", "arcsec": "″", "dalton": "Da",
    "decibel": "dB", "coulomb": "C", "farad": "F", "henry": "H", "weber": "Wb", "siemens": "S", "lumen": "lm",
    "lux": "lx", "becquerel": "Bq", "gray": "Gy", "sievert": "Sv", "radian": "rad", "steradian": "sr", "tonne": "t",
    "hectare": "ha", "parsec": "pc", "gauss": "G", "sun": "☉", "astronomicalunit": "au", "um": "µm", "kg": "kg",
}  # fmt: skip
"""Units by their names in siunitx."""
PREFIXES = {
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "milli": "m", "micro": "µ", "nano": "n",
    "pico": "p", "femto": "f", "centi": "c", "deci": "d", "hecto": "h",
}  # fmt: skip
POWERS = {"squared": "²", "cubed": "³", "square": "²", "cubic": "³"}
"""Powers: the first two follow a unit, the others precede it."""
QUANTITIES: dict[str, tuple[int, bool]] = {
    **dict.fromkeys(words("SI qty SIlist qtylist"), (1, True)),
    **dict.fromkeys(words("si unit"), (0, True)),
    **dict.fromkeys(words("num ang numlist"), (1, False)),
    **dict.fromkeys(words("SIrange qtyrange"), (2, True)),
    "numrange": (2, False),
}
"""Commands of siunitx: how many numbers come first, and whether a unit comes after them."""


def print_quantity(name: str, piece: Source, at: int) -> tuple[str, int]:
    """Return the printed form of the command `name` of `QUANTITIES`, with arguments from `at`, and their end."""
    numbers: list[str] = []
    for _ in range(QUANTITIES[name][0]):
        number, at = piece.argument(at)
        numbers += number.split(";") if "list" in name else [number]
    if name == "ang":
        parts = zip(numbers[0].split(";"), "°′″", strict=False)
        return "".join(_number(part) + sign for part, sign in parts if part.strip()), at
    unit = ""
    if QUANTITIES[name][1]:
        while (optional := piece.bracket(at)) is not None:
            at = optional[1]
        written, at = piece.argument(at)
        unit = _unit(written)
    said = (", " if "list" in name else " to ").join(map(_number, numbers))
    return said + (" " if said and unit and unit not in ("°", "′", "″") else "") + unit, at


def _number(written: str) -> str:
    written = re.sub(r"\\pm(?![A-Za-z])|\+-", "±", re.sub(r"\\(?:times|cdot)(?![A-Za-z])", "×", written))
    return re.sub(r"[{}]", "", written).strip()


def _unit(written: str) -> str:
    """Return a unit given by siunitx' commands or as written: `\\kilo\\metre\\per\\square\\second` is km/s²."""
    found: list[str] = []
    begun = power = ""
    for token in re.finditer(r"\\([A-Za-z]+)|\\.|[{}~\s]|[^\\{}~\s]+", written):
        name = token[1]
        if name == "per":
            begun = "/"
        elif name in PREFIXES:
            begun += PREFIXES[name]
        elif name in ("square", "cubic"):
            power = POWERS[name]
        elif name in POWERS:
            found.append(POWERS[name])
        elif name or (token[0].strip() and token[0][0] not in "\\{}~"):
            apart = found and name and not begun.startswith("/")
            found.append((" " if apart else "") + begun + UNITS.get(name or "", name or token[0]) + power)
            begun = power = ""
    return "".join(found) + begun
