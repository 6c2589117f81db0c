"""Numerals: a number as a text writes it, in digits or in words, and its value.

In digits: thousands marks, decimals, e-notation ("2.5e6"), powers of ten ("2.5 × 10⁶", "10^-3"), fractions ("1 1/2",
"½") and scale words ("2.5 million"). In words: "two hundred and fifty", "one and a half", "three quarters".
"""

from __future__ import annotations

import re
from typing import NamedTuple

SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "bn": 1e9, "mn": 1e6, "k": 1e3,
    "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
_SMALL = {name: i for i, name in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen".split())} | {
    name: 10 * i for i, name in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}  # fmt: skip
_LARGE = {name: int(SCALES[name]) for name in ("thousand", "million", "billion", "trillion")}
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
          "eighth": 8, "ninth": 9, "tenth": 10}  # fmt: skip
NUMBER_WORDS = frozenset({*_SMALL, *_LARGE, "hundred", "dozen", "half", "twice", "double", "triple"})
"""Words that are numbers, or parts of one."""
_VULGAR = {"½": 0.5, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 0.25, "¾": 0.75, "⅕": 0.2, "⅖": 0.4, "⅗": 0.6, "⅘": 0.8, "⅙": 1 / 6,
           "⅛": 0.125, "⅜": 0.375, "⅝": 0.625, "⅞": 0.875}  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−–", "0123456789-+--")
_MARKS = re.compile(r"[,_'’\s]")
MOST = 1e30
"""Limit of a number's size; anything larger is a row of digits."""

# Repetitions are bounded and groups atomic: a megabyte of digits must not make the search quadratic.
_WHOLE = (
    r"\d{1,3}(?:,\d{3}){1,6}(?!\d)|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3}){1,6}(?!\d)|[1-9]\d{0,2}(?:\x20\d{3}){1,6}(?![\d.])"
    r"|\d{1,3}(?:['’]\d{3}){1,6}(?!\d)|\d{1,3}(?:_\d{3}){1,6}(?!\d)|\d{1,2}(?:,\d\d){1,3},\d{3}(?!\d)|\d{1,18}"
)
_POWER = r"(?:\^|\*\*)\s?\{?\s?[-−–+]?\d{1,3}\}?|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}"
_DIGITS = re.compile(
    rf"""(?xi)
    (?P<whole>(?>{_WHOLE}))?(?P<places>\.\d{{1,18}}|·(?!10(?:\^|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]))\d{{1,18}})?
    (?:(?P<e>e[-−–+]?\d{{1,3}})(?![\w.])
      |(?P<times>\s?(?:[x×*·⋅✕]|\\times|\\cdot)\s?10(?:(?P<power>{_POWER})|(?P<lost>[-−–]?\d{{1,2}}(?![\d.]))))
      |(?P<raised>{_POWER})
      |\s?(?P<vulgar>[{"".join(_VULGAR)}])
      |(?P<slash>(?<![.,])(?:\s(?P<over>\d{{1,2}}))?\s?[/⁄]\s?(?P<under>\d{{1,4}})(?![\d/])(?!\.\d)))?
    (?P<scale>\s?(?:hundred|thousand|million|billion|trillion|lakh|crore)\b|(?-i:\s?(?:bn|mn)\b|k\b(?!\s?[·⋅/])))?"""
)
_WORD = "|".join(sorted(NUMBER_WORDS - {"half", "twice", "double", "triple"}, key=len, reverse=True))
_SCALED = "hundred|thousand|million|billion|trillion|dozen"
_PART = "|".join(sorted(_PARTS, key=len, reverse=True))
WORDED = re.compile(
    rf"(?i)\b(?:(?:an?\s(?=hundred|thousand|million|billion|trillion|dozen))?(?P<number>(?:{_WORD})"
    rf"(?:(?:[\s-]|\sand\s)(?:{_WORD})\b)*)\b(?P<point>\spoint(?:\s(?:{_WORD})\b)+)?"
    rf"(?P<mixed>\sand\s(?:a|one)[\s-](?:half|quarter|third)|\sand\s(?:two[\s-]thirds|three[\s-]quarters))?"
    rf"(?P<parts>[\s-](?:{_PART})s?\b(?!-))?|(?:an?\s)?(?P<part>half|(?<=\ba\s)(?:{_PART}))\b(?!-(?!(?:{_SCALED})\b)))"
)
_OF_A_SCALE = re.compile(rf"(?i)[\s-](?:(?:of\s)?an?\s)?(?P<scale>{_SCALED})\b")


class Numeral(NamedTuple):
    """A number as written, up to `end`: its `value`, the `step` of its last digit, and its decimal `places`.

    It is not `sure` if its digits can be read in more than one way ("2,5", "5 × 106"); `share` marks a fraction,
    `scale` is the factor of "million" and the like.
    """

    value: float
    step: float
    places: int
    end: int
    sure: bool = True
    share: bool = False
    scale: float = 1.0


_OTHER_BASE = re.compile(
    r"0(?:[xX](?P<hex>[0-9a-fA-F]{1,16})|[bB](?P<bits>[01]{1,64})|[oO](?P<octal>[0-7]{1,21}))(?!\w|\.\d)"
)


def in_digits(text: str, start: int) -> Numeral | None:
    """Return the number in digits, without its sign, that begins at `start`; None for digits that are no number."""
    if text.startswith("0", start) and (coded := _OTHER_BASE.match(text, start)):
        base = 16 if coded["hex"] else 2 if coded["bits"] else 8
        return Numeral(float(int(coded[0][2:], base)), 1.0, 0, coded.end())
    match = _DIGITS.match(text, start)
    if match is None or not (match["whole"] or match["places"] or match["vulgar"]):
        return None
    whole, places, end = _MARKS.sub("", match["whole"] or ""), len(match["places"] or ".") - 1, match.end()
    value = float(f"{whole or 0}.{(match['places'] or '.0')[1:]}")
    zeros = len(whole) - len(whole.rstrip("0")) if whole.strip("0") and not places and "," not in whole else 0
    step, sure, share = 10.0**-places, (match["whole"] or "").count(" ") != 1 or whole.endswith("000"), False
    power = 0
    if match["e"]:
        power = int(match["e"][1:].translate(_RAISED))
    elif match["times"]:
        power = int((match["power"] or match["lost"]).translate(_RAISED).strip("^*{} "))
        sure = sure and (match["power"] is not None or power < 0)  # "5 × 106": its superscript may be lost, or not
    elif match["raised"] and whole == "10" and not places:
        value, power, step = 1.0, int(match["raised"].translate(_RAISED).strip("^*{} ")), 1.0
    elif match["raised"]:
        sure = False  # a power, or a note
    elif match["vulgar"]:
        value, step, share = value + _VULGAR[match["vulgar"]], 0.0, True
    elif match["slash"]:
        over, under = float(match["over"] or value), float(match["under"])
        if 0 < over < under <= 100 and not places and "," not in (match["whole"] or ""):
            value, step, share = (value if match["over"] else 0.0) + over / under, 0.0, True
        else:
            end = match.start("slash")  # "120/80", "12/2000"
    if abs(power) > 30:
        return None
    scale = SCALES[match["scale"].strip().lower()] if match["scale"] else 1.0
    value, step = value * 10.0**power * scale, step * 10.0**power * scale
    if zeros and not power and scale == 1.0:
        step = max(step, min(10.0**zeros, 0.02 * value))
    return Numeral(value, step, places, end, sure, share, scale) if abs(value) <= MOST else None


def in_words(match: re.Match[str]) -> Numeral | None:
    """Return the number that a match of `WORDED` spells out; None if the words make none."""
    if match["part"]:
        return _scaled(match.string, Numeral(1 / _PARTS[match["part"].lower()], 0.0, 0, match.end(), share=True))
    total, current, last, end = 0.0, 0.0, 0, match.start("number")
    for word in re.finditer(r"[A-Za-z]+", match["number"]):
        low = word[0].lower()
        if low == "and":
            if not (total or current >= 100):
                break
            continue
        small = _SMALL.get(low)
        if small is not None:
            room = current % 100
            if last and (room if small >= 10 else room % 10 or 0 < room < 20):
                break  # "one two", "twenty thirty"
            current += small
        elif low == "hundred":
            current = (current or 1) * 100
        else:
            total, current = total + (current or 1) * (12 if low == "dozen" else _LARGE[low]), 0.0
        if max(total, current) > MOST:
            return None
        last, end = 1, match.start("number") + word.end()
    value, whole = total + current, end == match.end("number")
    if not whole:
        return Numeral(value, 1.0, 0, end, sure=False)
    if match["point"]:
        digits = [_SMALL[word] for word in match["point"].lower().split()[1:] if _SMALL.get(word, 10) < 10]
        value, end = value + float("0." + "".join(map(str, digits)) if digits else 0), match.end("point")
        return Numeral(value, 10.0 ** -len(digits), len(digits), end)
    if match["mixed"]:
        mixed = match["mixed"].lower()
        part = 2 / 3 if "thirds" in mixed else 0.75 if "quarters" in mixed else 0.5 if "half" in mixed else 0.25
        value += 1 / 3 if mixed.endswith("third") else part
        return _scaled(match.string, Numeral(value, 0.0, 1, match.end("mixed")))
    if match["parts"]:
        name = match["parts"].lower().strip(" -")
        under = _PARTS.get(name) or _PARTS.get(name.removesuffix("s"), 0)
        if under and value < under and (value > 1 or not name.endswith("s")):
            return _scaled(match.string, Numeral(value / under, 0.0, 0, match.end("parts"), share=True))
    return Numeral(value, 1.0, 0, end)


def _scaled(text: str, part: Numeral) -> Numeral:
    """Multiply a fraction by the number behind it, if there is one: "half a million"."""
    of = _OF_A_SCALE.match(text, part.end)
    if of is None:
        return part
    times = 12.0 if of["scale"].lower() == "dozen" else SCALES[of["scale"].lower()]
    return part._replace(value=part.value * times, end=of.end(), share=False, scale=times)
