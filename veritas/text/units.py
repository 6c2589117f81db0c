"""Units: names and symbols of measures, and the unit that an expression of them makes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from veritas.text.stems import stem

Dimensions = tuple[tuple[str, int], ...]
_PREFIXES = {"f": 1e-15, "p": 1e-12, "n": 1e-9, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 0.1, "h": 1e2, "k": 1e3, "M": 1e6,
             "G": 1e9, "T": 1e12}  # fmt: skip
_PREFIX_NAMES = {"femto": "f", "pico": "p", "nano": "n", "micro": "μ", "milli": "m", "centi": "c", "deci": "d",
                 "hecto": "h", "kilo": "k", "mega": "M", "giga": "G", "tera": "T"}  # fmt: skip
# symbol, names, the prefixes in use, base units with their powers, and the factor to them. A month has no fixed
# length in seconds, and a pound has several meanings, so they are base units; a currency is not converted.
_PREFIXED = """
g | gram gramme | fpnμmcdk | g | 1
m | meter metre | fpnμmcdk | m | 1
s sec | second | fpnμm | s | 1
l L | liter litre | fpnμmcdh | m3 | 1e-3
mol | mole | fpnμmk | mol | 1
M | molar | fpnμm | mol m-3 | 1e3
W | watt | nμmkMGT | g m2 s-3 | 1e3
J | joule | nμmkMG | g m2 s-2 | 1e3
N | newton | μmkM | g m s-2 | 1e3
Pa | pascal | μmhkMG | g m-1 s-2 | 1e3
V | volt | nμmkM | V | 1
A | ampere amp | pnμmk | A | 1
Ω ohm | ohm | mkMG | V A-1 | 1
Hz | hertz | mkMGT | hz | 1
T | tesla | μm | T | 1
Bq | becquerel | kMGT | bq | 1
Gy | gray | mc | gy | 1
Sv | sievert | μm | sv | 1
pc | parsec | kMG | m | 3.0856775814913673e16
eV | electronvolt | mkMGT | g m2 s-2 | 1.602176634e-16
Wh | | kMGT | g m2 s-2 | 3.6e6
cal | | k | g m2 s-2 | 4184
bar | bar | mk | g m-1 s-2 | 1e8
Da | dalton | kM | Da | 1
B | byte | kMGT | byte | 1
bit | bit | kMG | bit | 1
bp | | kM | bp | 1
U | | mμk | u | 1
IU | | kM | iu | 1
Ci | curie | μm | bq | 3.7e10
"""
_FIXED = """
min | minute | s | 60
h hr hrs | hour | s | 3600
d | day | s | 86400
wk | week | s | 604800
fortnight | fortnight | s | 1209600
msec | | s | 1e-3
mo | month | month | 1
yr yrs y | year | month | 12
decade | decade | month | 120
century centuries | | month | 1200
t tonne | tonne | g | 1e6
kilo mcg-kilo | | g | 1e3
mcg | | g | 1e-6
lb lbs | | g | 453.59237
oz | ounce | g | 28.349523125
pound | pound | pound | 1
ton | ton | ton | 1
micron | micron | m | 1e-6
Å | angstrom | m | 1e-10
mi mile | mile | m | 1609.344
nmi | | m | 1852
Mm | megametre megameter | m | 1e6
ft feet | foot | m | 0.3048
inch inches | | m | 0.0254
yd | yard | m | 0.9144
ha | hectare | m2 | 1e4
acre | acre | m2 | 4046.8564224
cc ccm | | m3 | 1e-6
gallon | gallon | gallon | 1
calorie | calorie | calorie | 1
mmHg | | g m-1 s-2 | 133322.387415
atm | atmosphere | g m-1 s-2 | 101325000
psi | | g m-1 s-2 | 6894757.293168
mph | | m s-1 | 0.44704
kph kmh | | m s-1 | 0.2777777777777778
KiB kib | kibibyte | byte | 1024
MiB mib | mebibyte | byte | 1048576
GiB gib | gibibyte | byte | 1073741824
TiB tib | tebibyte | byte | 1099511627776
rpm | | rpm | 1
dB | decibel | db | 1
% pct percent percentage | | % | 1
‰ | | % | 0.1
ppm | | % | 1e-4
ppb | | % | 1e-7
pp pps | | pp | 1
bps | | pp | 0.01
fold | fold | fold | 1
times × x | | fold | 1
°C ℃ ºC celsius | | °c | 1
°F ℉ ºF fahrenheit | | °f | 1
K kelvin | | k | 1
° deg | degree | ° | 1
rad | radian | rad | 1
$ USD usd US$ | dollar | usd | 1
cent cents | | usd | 0.01
A$ AUD | | aud | 1
C$ CAD | | cad | 1
€ EUR eur | euro | eur | 1
£ GBP gbp | | gbp | 1
¥ JPY | yen | jpy | 1
₹ INR | rupee | inr | 1
CHF | franc | chf | 1
"""
# Written in small letters or in capitals, these are no other unit.
_ANY_CASE = "kg km cm mm ml dl hz khz mhz ghz kb mb gb tb kw kwh db mmhg kcal mph rpm"
_PLURALS = re.compile(r"(?<=[a-z]{3})s$")


class Unit(NamedTuple):
    """A unit by its `base` ("s", "g m-3", "%"), the `factor` to it, and the end of its name in the text."""

    base: str
    factor: float
    end: int = 0


def _dimensions(written: str) -> Dimensions:
    parts = (re.fullmatch(r"(\D+?)(-?\d+)?", part) for part in written.split())
    return tuple((part[1], int(part[2] or 1)) for part in parts if part)


def _table() -> dict[str, tuple[Dimensions, float]]:
    found: dict[str, tuple[Dimensions, float]] = {}
    for line in _PREFIXED.strip().splitlines():
        symbols, names, prefixes, base, factor = (part.strip() for part in line.split("|"))
        dimensions = _dimensions(base)
        for prefix in ("", *prefixes):
            times = _PREFIXES.get(prefix, 1.0) * float(factor)
            for symbol in symbols.split():
                found[prefix + symbol] = dimensions, times
                if prefix == "μ":
                    found["u" + symbol] = dimensions, times
            for name in names.split():
                word = next((long for long, short in _PREFIX_NAMES.items() if short == prefix), "") if prefix else ""
                found[word + name] = dimensions, times
    for line in _FIXED.strip().splitlines():
        symbols, names, base, factor = (part.strip() for part in line.split("|"))
        for name in (*symbols.split(), *names.split()):
            found[name] = _dimensions(base), float(factor)
    for name in _ANY_CASE.split():
        known = next(value for key, value in found.items() if key.lower() == name and key != "Mm")
        for form in (name, name.upper(), *([name.capitalize()] if name != "mm" else [])):
            found.setdefault(form, known)
    return found


_UNITS = _table()
_SQUARES = {"square": 2, "sq": 2, "sq.": 2, "cubic": 3}
BASES = frozenset(
    base for dimensions, _ in _UNITS.values() for base in [" ".join(f"{n}{p if p != 1 else ''}" for n, p in dimensions)]
)
"""Base units of single names; any other unit is composed of them, or is a thing counted."""
CURRENCIES = {"$": "usd", "US$": "usd", "A$": "aud", "AU$": "aud", "C$": "cad", "CA$": "cad", "€": "eur", "£": "gbp",
              "¥": "jpy", "₹": "inr"}  # fmt: skip
# Single letters that, alone behind a number, are mostly no unit: "5 A", "5 C".
_DOUBTFUL = re.compile(r"[^msghdlLyKVWJNt%‰×°$€£¥₹Ω]")
_BEHIND_AMPERES = re.compile(
    r"\s*(?:[.,;:)]|$)|\s+(?:in|at|of|for|to|and|or|on|from|with|when|while|during|through|is|was)\b"
)
_POWER = r"(?:\s?(?:\^|\*\*)\s?\{?[-−–+]?\d\}?|[⁺⁻]?[¹²³⁴]|[-−–][1-4](?![\d.])|[1-4](?![\w.]))"
_NAME = r"(?:°\s?[CF]\b|º\s?[CF]\b|[µμA-Za-zΩÅ]+|[%‰°℃℉×])"
_RUN = re.compile(
    rf"[\s-]?(?P<first>(?:(?:square|cubic|sq\.?)\s)?{_NAME}{_POWER}?)"
    rf"(?P<rest>(?:(?:\s?[/⁄]\s?|\s?[·⋅*]\s?|\sper\s|[\s·]){_NAME}{_POWER}?){{0,4}})"
)
_PART = re.compile(
    rf"(?P<by>\s?[/⁄]\s?|\s?[·⋅*]\s?|\sper\s|\s)?(?:(?P<square>square|cubic|sq\.?)\s)?(?P<name>{_NAME})(?P<power>{_POWER})?"
)
_RAISED = str.maketrans("¹²³⁴⁻⁺−–", "1234-+--")
_WORDS = (
    (re.compile(r"(?i)[\s-]?(?:percentage[\s-]points?|%[\s-]points?|p\.p\.)"), ("pp", 1.0)),
    (re.compile(r"(?i)[\s-]?basis[\s-]points?\b"), ("pp", 0.01)),
    (re.compile(r"(?i)[\s-]?per[\s-]cent\b"), ("%", 1.0)),
    (re.compile(r"(?i)[\s-]?per[\s-](?:mille|mil)\b"), ("%", 0.1)),
    (re.compile(r"(?i)[\s-]?(?:degrees?|deg\.?)[\s-](?:c\b|celsius|centigrade)"), ("°c", 1.0)),
    (re.compile(r"(?i)[\s-]?(?:degrees?|deg\.?)[\s-](?:f\b|fahrenheit)"), ("°f", 1.0)),
    (re.compile(r"(?i)[\s-]?nautical\smiles?\b"), ("m", 1852.0)),
    (re.compile(r"\s?mm\s?Hg\b"), ("g m-1 s-2", 133322.387415)),
    (re.compile(r"\s?(?:(?:US|U\.S\.)\s)?(?:dollars?)\b"), ("usd", 1.0)),
    (re.compile(r"\s?(?:metric\s)(?:tons?|tonnes?)\b"), ("g", 1e6)),
)
_WORDED = re.compile(r"(?i)[\s-]?(?:perc|per[\s-]|%|p\.p|basis|deg|nautical|mm\s?Hg|u\.?s\.?\s|dollar|metric)")


def known_unit(name: str) -> tuple[str, float] | None:
    """Return base unit and factor of a unit by its name or symbol, singular or plural; None if it is none."""
    found = _known(name.replace("µ", "μ"))
    return None if found is None else (_named(found[0]), found[1])


@lru_cache(maxsize=4096)
def _known(name: str) -> tuple[Dimensions, float] | None:
    name = re.sub(r"\s", "", name)
    found = _UNITS.get(name)
    if found is None and len(name) > 2 and name.endswith("s"):
        found = _UNITS.get(name[:-1])
    low = name.lower()
    if found is None and len(name) > 3 and low != name:
        found = _UNITS.get(low) or _UNITS.get(_PLURALS.sub("", low))
    return found


def _named(dimensions: Dimensions) -> str:
    return " ".join(f"{name}{power if power != 1 else ''}" for name, power in dimensions)


def unit_after(text: str, end: int) -> Unit | None:
    """Return the unit whose name begins at `end`, behind a blank or a hyphen; None if there is none.

    It is a symbol, a name, a power, a product or a quotient ("mol/L", "m s-1", "square kilometres", "mg per kg per
    day").
    """
    if _WORDED.match(text, end):
        for pattern, (base, factor) in _WORDS:
            if match := pattern.match(text, end):
                return Unit(base, factor, match.end())
    run = _RUN.match(text, end)
    if run is None:
        return None
    first, rest = (run[part].replace("µ", "μ") for part in ("first", "rest"))
    found = _expression(first, rest, run.start("first") > run.start())
    if first == "A" and found and found[2] == 1 and not _BEHIND_AMPERES.match(text, run.end("first")):
        return None
    return None if found is None else Unit(found[0], found[1], run.start("first") + found[2])


@lru_cache(maxsize=8192)
def _expression(first: str, rest: str, apart: bool) -> tuple[str, float, int] | None:
    """Return base, factor and length of the unit that a run of names makes: as many of them as belong together."""
    powers: dict[str, int] = {}
    factor, at, each, written = 1.0, 0, "", first + rest
    for part in _PART.finditer(written):
        if part.start() != at and at:
            break
        by = part["by"] or ""
        divides = "/" in by or "⁄" in by or "per" in by
        power = int(part["power"].translate(_RAISED).strip("^*{} ")) if part["power"] else 1
        power = _SQUARES.get((part["square"] or "").lower(), power)
        known = _known(part["name"])
        if at and not divides:
            joined = known is not None and (power < 0 or not by.isspace() or (part["name"] == "h" and at < 4))
            if not joined:
                break
        if known is None:
            if not at or not divides or not part["name"].isalpha():
                break
            each, at = stem(part["name"].lower()), part.end()
            break
        elif not at and not part["power"] and not rest.startswith(("/", " per", "·", "⁄")) and (
            _DOUBTFUL.fullmatch(part["name"]) and (apart or part["name"] != "x") and part["name"] != "A"
        ):
            return None
        sign = -1 if divides else 1
        for name, exponent in known[0]:
            powers[name] = powers.get(name, 0) + sign * power * exponent
        factor *= known[1] ** (sign * power)
        at = part.end()
    # Units that cancel out still name their things: 5 mg/kg is no bare number.
    named = sorted((n, p) if p else (f"{n}/{n}", 1) for n, p in powers.items())
    base = f"{_named(tuple(named))} per {each}" if each else _named(tuple(named))
    return (base, factor, at) if at else None
