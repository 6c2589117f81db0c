"""Reading fields of external records without raising: a value of the wrong type counts as missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from veritas.text.markup import plain_text
from veritas.works.names import PersonName

MAX_ITEMS = 10_000
"""Entries of a list that are read; more than any paper has authors."""

_YEAR = re.compile(r"(?<!\d)(1[4-9]\d{2}|2[01]\d{2})(?!\d)")
_LONGEST = 20
"""Years of the longest range whose years all count."""
_YEARS = re.compile(rf"{_YEAR.pattern}(?:\s*[-–/]+\s*{_YEAR.pattern}|[-–/](\d\d)(?![-–/\d]))?")


def text(value: Any) -> str | None:
    """Return the plain text of a string (or the first string of a list), markup resolved; None if there is none."""
    if isinstance(value, list):
        value = next((item for item in value[:MAX_ITEMS] if isinstance(item, str) and item.strip()), None)
    if not isinstance(value, str):
        return None
    return plain_text(value) or None


def raw(value: Any) -> str | None:
    """Return a string (or a whole number as one) unchanged; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else None
    return value if isinstance(value, str) and value.strip() else None


def printed(value: Any) -> str | None:
    """Return a volume, an issue or pages, plain and short; None if there is none (arXiv's `abs/…` is no volume)."""
    given = plain_text(raw(value) or "").strip(" .,") or None
    return None if given is None or len(given) > 40 or given.lower().startswith("abs/") else given


def mapping(value: Any) -> Mapping[str, Any]:
    """Return `value` if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Any]:
    """Return `value` if it is a list, an object or text as a list of one, else an empty list; at most `MAX_ITEMS`."""
    if isinstance(value, Mapping) or (isinstance(value, str) and value.strip()):
        return [value]
    return value[:MAX_ITEMS] if isinstance(value, list) else []


def objects(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects among `items(value)`."""
    return [item for item in items(value) if isinstance(item, Mapping)]


def year(value: Any) -> int | None:
    """Return a year, 1400 to 2199, in a number or a text such as `2019-02-07` or `c. 2019`; else None."""
    if isinstance(value, float) and value == value and abs(value) < 10_000:
        value = int(value)
    given = raw(value)
    found = _YEAR.search(given[:200]) if given else None
    return int(found[1]) if found else None


def years(value: Any) -> tuple[int, ...]:
    """Return every year that a text gives in ascending order: both of `1875 [1998]`, all of `1991-92` and `1998/2001`.

    Two digits after a hyphen are a month where they can be (`1991-12`)."""
    found: set[int] = set()
    for first, last, short in _YEARS.findall((raw(value) or "")[:200]):
        if short and (int(short) > 12 or f"{first}/{short}" in str(value)) and int(short) > int(first[2:]):
            last = first[:2] + short
        end = int(last or first)
        found |= set(range(int(first), end + 1)) if 0 <= end - int(first) <= _LONGEST else {int(first), end}
    return tuple(sorted(found))


def people(names: Iterable[PersonName | None]) -> tuple[PersonName, ...]:
    """Return the readable names of a list."""
    return tuple(name for name in names if name is not None)


def distinct_years(*values: int | None) -> tuple[int, ...]:
    """Return the years among `values`, each once, in ascending order."""
    return tuple(sorted({value for value in values if value is not None}))
