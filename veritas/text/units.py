"""Units: the names by which quantities are measured, each with its base unit and factor."""

from __future__ import annotations

SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "k": 1e3, "bn": 1e9, "mn": 1e6}
UNITS: dict[str, tuple[str, float]] = {}
"""Name in lower case to base unit and factor."""


def _unit(base: str, **names: float) -> None:
    for name, factor in names.items():
        UNITS[name] = (base, factor)


_unit("s", ns=1e-9, nanosecond=1e-9, μs=1e-6, us=1e-6, microsecond=1e-6, ms=1e-3, millisecond=1e-3, msec=1e-3, s=1.0,
      sec=1.0, second=1.0, min=60.0, minute=60.0, h=3600.0, hr=3600.0, hour=3600.0, d=86400.0, day=86400.0, wk=604800.0,
      week=604800.0, month=2629800.0, mo=2629800.0, yr=31557600.0, year=31557600.0, decade=315576000.0)  # fmt: skip
_unit("g", pg=1e-12, ng=1e-9, μg=1e-6, ug=1e-6, mcg=1e-6, mg=1e-3, g=1.0, gram=1.0, kg=1e3, kilogram=1e3, kilo=1e3,
      tonne=1e6, ton=1e6, milligram=1e-3, microgram=1e-6)  # fmt: skip
_unit("m", nm=1e-9, nanometer=1e-9, μm=1e-6, um=1e-6, micrometer=1e-6, micron=1e-6, mm=1e-3, millimeter=1e-3, cm=1e-2,
      centimeter=1e-2, m=1.0, meter=1.0, metre=1.0, km=1e3, kilometer=1e3, kilometre=1e3, mile=1609.344)  # fmt: skip
_unit("l", μl=1e-6, ul=1e-6, ml=1e-3, dl=0.1, l=1.0, liter=1.0, litre=1.0, milliliter=1e-3)
_unit("mol", nmol=1e-9, μmol=1e-6, umol=1e-6, mmol=1e-3, mol=1.0)
_unit("byte", byte=1.0, kb=1e3, kib=1024.0, mb=1e6, mib=1048576.0, gb=1e9, gib=1073741824.0, tb=1e12, tib=1024.0**4,
      kilobyte=1e3, megabyte=1e6, gigabyte=1e9, terabyte=1e12)  # fmt: skip
_unit("bit", bit=1.0, kbit=1e3, mbit=1e6)
_unit("%", **{"%": 1.0, "percent": 1.0, "per_cent": 1.0, "pct": 1.0})
_unit("pp", **{"percentage_point": 1.0, "pp": 1.0})
_unit("fold", fold=1.0, times=1.0, x=1.0)
_unit("°c", **{"°c": 1.0, "celsius": 1.0})
_unit("hz", hz=1.0, khz=1e3, mhz=1e6, ghz=1e9)
_unit("mmhg", mmhg=1.0)
_unit("kcal", kcal=1.0, cal=1e-3)
_unit("usd", **{"$": 1.0, "dollar": 1.0, "usd": 1.0, "cent": 0.01})
_unit("eur", **{"€": 1.0, "euro": 1.0, "eur": 1.0})
_unit("gbp", **{"£": 1.0, "pound": 1.0, "gbp": 1.0})
# Units told from others by their case alone.
CASED = {"mM": ("molar", 1e-3), "μM": ("molar", 1e-6), "uM": ("molar", 1e-6), "nM": ("molar", 1e-9)}
BASES = frozenset(base for base, _ in (*UNITS.values(), *CASED.values()))
"""The base units; whatever else stands as a unit is a thing counted."""


def known_unit(name: str) -> tuple[str, float] | None:
    """Base unit and factor of a unit by its name in lower case, singular or plural; None if it is none."""
    return UNITS.get(name) or (UNITS.get(name[:-1]) if len(name) > 2 and name.endswith("s") else None)
