"""Quantities: numbers with their units, as percentages, ranges, counts and dates, and when two of them disagree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from veritas.text.tokens import GENERIC_WORDS, STOP_WORDS, stem, tokenise
from veritas.text.units import BASES, CASED, SCALES, UNITS, known_unit
from veritas.text.wordlist import words


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range, `low` to `high` (equal for a single number), in `unit`, at `text[start:end]`.

    `unit` is the base unit ("s", "g", "m", "byte", "%", "fold", "usd", …), "year" or "day" for dates (a day counts
    from 0001-01-01), the stem of the thing counted ("patient"), or "" when nothing says what is counted. `bound` is
    "=", "<" (at most, under) or ">" (at least, over). `about` marks an approximation. `measure` holds the stems that
    stand near it and say what is measured.
    """

    low: float
    high: float
    unit: str
    start: int
    end: int
    bound: str = "="
    about: bool = False
    measure: frozenset[str] = field(default_factory=frozenset)

    def agrees(self, other: Quantity) -> bool:
        """Whether both can be true of one measure: equal within rounding (2%; 10% where one is approximate),
        overlapping ranges, or a bound that the other keeps to. Units must be equal."""
        if self.unit != other.unit:
            return False
        slack = 0.10 if self.about or other.about else 0.02
        if self.unit in ("year", "day"):
            slack = 0.0

        def reach(quantity: Quantity) -> tuple[float, float]:
            low = float("-inf") if quantity.bound == "<" else quantity.low
            high = float("inf") if quantity.bound == ">" else quantity.high
            return low - slack * abs(quantity.low), high + slack * abs(quantity.high)

        (a, b), (c, d) = reach(self), reach(other)
        return a <= d and c <= b


_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
}  # fmt: skip
_MULTIPLES = {"half": 0.5, "twice": 2.0, "double": 2.0, "doubled": 2.0, "doubles": 2.0, "halved": 0.5, "halves": 0.5,
              "triple": 3.0, "tripled": 3.0, "thrice": 3.0, "quadrupled": 4.0}  # fmt: skip
_MONTHS = {name: i for i, names in enumerate(
    ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
     "september sep sept", "october oct", "november nov", "december dec"), 1) for name in names.split()}  # fmt: skip
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_N = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_RAISED = re.compile(r"(?<=\d)·(?=\d)")
_THOUSANDS = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_DATE = re.compile(
    rf"(?i)\b(?:(?P<y1>[12]\d{{3}})-(?P<m1>\d\d)-(?P<d1>\d\d)|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m2>{_MONTH})\.?,?"
    rf"\s+(?P<y2>[12]\d{{3}})|(?P<m3>{_MONTH})\.?\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y3>[12]\d{{3}}))\b"
)
_NO_YEAR = rf"\s*%|\s+(?!(?:{'|'.join(sorted(STOP_WORDS, key=len, reverse=True))})\b)[a-z]"
_YEAR = re.compile(
    rf"(?i)(?:\b(?:in|since|by|of|from|until|before|after|during|year|to|and|late|early|mid|{_MONTH})[\s-]+|\(|©\s*)"
    rf"(?P<year>1[5-9]\d\d|20\d\d)\b(?![.,]?\d|{_NO_YEAR})|\b(?P<bare>19[5-9]\d|20[0-4]\d)(?=[),;.\s]|$)(?!{_NO_YEAR})"
)
_HEAD = rf"""(?P<money>[$€£]\s?)?
    (?<![\w.,/:#^-])(?P<sign>[-−+](?=\d))?(?P<n>{_N})
    (?:\s?[x×]\s?10\s?\^?\s?(?P<exp>[-−]?\d+))?
    (?:\s*(?:\+/-|±)\s*{_N})?"""
_TAIL = r"(?!['′’″ʹ]|[α-ω]|[\w]*\.\d|\d|,\d{3}|\s?/\s?\d|:\d|/[a-z]\d)"
_NUMBER = re.compile(
    rf"""(?xi){_HEAD}
    (?:\s?%?\s?(?:-|–|—|−|\bto\b|\band\b(?=\s*{_N}\s*(?:%|per|fold)))\s?(?P<n2>{_N}))?
    {_TAIL}"""
)
_ALONE = re.compile(rf"(?xi){_HEAD}(?P<n2>(?!))?{_TAIL}")
# "fell from 53% to 23%" names two values; "ranges from 5 to 10 mg" and "5 to 10 mg" name one range.
_FROM = re.compile(r"(?i)(?<!ranging )(?<!ranges )(?<!ranged )(?<!range )\bfrom\s*$")
_WORD_NUMBER = re.compile(rf"(?i)\b(?P<tens>{'|'.join(_WORDS)})(?:[-\s](?P<ones>{'|'.join(list(_WORDS)[1:10])}))?\b")
_HUNDRED = re.compile(r"(?i)[\s-]hundred\b")
_AFTER = re.compile(
    r"(?i)(?P<scale>\s?(?:thousand|million|billion|trillion|bn)\b|(?<=\d)[km](?=\s|$|[.,;)]))?"
    r"(?P<unit>\s?%|[\s-]?percentage[\s-]points?\b|[\s-]?per\s?cent\b|\s?°\s?c\b|[\s-]?fold\b|\s?×|(?<=\d)x\b"
    r"|[\s-]?[a-zμµ]+(?:\s?/\s?[a-zμµ]+\d?)*)?"
)
_BOUND = re.compile(
    r"(?i)(?P<less>\b(?:less|fewer|lower|smaller|shorter|younger)\s+than|\bunder|\bbelow|\bat\s+most|\bup\s+to|"
    r"\bno\s+more\s+than|\bmaximum(?:\s+of)?|<|≤|<=)\s*$"
    r"|(?P<more>\b(?:more|greater|higher|larger|longer|older)\s+than|\bover|\babove|\bat\s+least|\bexceed(?:s|ed|ing)?|"
    r"\bminimum(?:\s+of)?|>|≥|>=)\s*$"
)
_ABOUT = re.compile(
    r"(?i)(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?)|[~≈∼])\s*$"
)
# A number after these is a label, not a quantity.
_LABEL = re.compile(
    r"(?i)(?:\b(?:type|phase|stage|grade|version|figure|fig\.?|figs\.?|table|section|chapter|step|python|part|page|pp?\.|"
    r"vol(?:ume)?\.?|no\.|issue|rfc|iso|pep|port|line|item|note|appendix|equation|eq\.?|ref\.?|class|group|arm|http|"
    r"level|tier|theorem|lemma|algorithm|example|ci|v)|[#§])\s*$|\[$|\[\d+,\s*$"
)
# "p = 0.016", "n = 17", "HR 1.4": the letter is the unit.
_BARE_YEAR = re.compile(r"19\d\d|20[0-4]\d")
_STATISTIC = re.compile(
    r"(?i)(?:\(|\b)(p|n|r|r2|or|hr|rr|auc|odds ratio|hazard ratio|relative risk)(?:\s*[=<>≤≥:]\s*|\s+|\s+of\s+)$"
)
_INTERVAL = re.compile(r"(?i)^\s*(?:confidence|CIs?\b|credible|prediction\s+interval)")


def quantities(text: str) -> list[Quantity]:
    """Every quantity of `text`, in order. Version numbers, labels ("type 2", "Fig. 3"), identifiers ("IL-6"),
    citation marks ("[12]") and confidence levels ("95% CI") are not quantities."""
    # Same length, so that offsets hold: "1·3" and "499 000" (thin or no-break space) as "1.3" and "499,000".
    text = _THOUSANDS.sub(",", _RAISED.sub(".", text))
    found: list[Quantity] = []
    taken = bytearray(len(text))

    def free(start: int, end: int) -> bool:
        return not any(taken[start:end])

    def take(quantity: Quantity) -> None:
        taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
        found.append(quantity)

    for match in _DATE.finditer(text):
        day = _day(match)
        if day is not None:
            take(_made(text, day, day, "day", *match.span()))
    for match in _YEAR.finditer(text):
        name = "year" if match["year"] else "bare"
        start, end = match.span(name)
        if free(start, end):
            take(_made(text, float(match[name]), float(match[name]), "year", start, end))
    at = 0
    while number := _NUMBER.search(text, at):
        if number["n2"] and "to" in number[0] and _FROM.search(text[max(0, number.start() - 24) : number.start()]):
            number = _ALONE.match(text, number.start()) or number
        at = max(number.end("n"), number.end("n2"))
        if free(*number.span("n")) and (quantity := _number(text, number)) is not None:
            take(quantity)
            at = max(at, quantity.end)
    for match in _WORD_NUMBER.finditer(text):
        if free(*match.span()) and (quantity := _worded(text, match)) is not None:
            take(quantity)
    for match in re.finditer(r"(?i)\b(?:half|twice|doubled?|doubles|halved|halves|tripled?|thrice|quadrupled)\b", text):
        if free(*match.span()):
            factor = _MULTIPLES[match[0].lower()]
            take(_made(text, factor, factor, "fold", *match.span(), about=True))
    return sorted(found, key=lambda quantity: quantity.start)


def _day(match: re.Match[str]) -> float | None:
    for i in "123":
        if match["y" + i]:
            month = match["m" + i].lower().rstrip(".")
            number = int(month) if month.isdigit() else _MONTHS[month]
            try:
                return float(date(int(match["y" + i]), number, int(match["d" + i])).toordinal())
            except ValueError:
                return None
    return None


def _number(text: str, match: re.Match[str]) -> Quantity | None:
    start, end = match.start("n"), match.end()
    before = text[max(0, start - 24) : match.start()]
    if _LABEL.search(before) or (start and text[start - 1] in "-" and start > 1 and text[start - 2].isalpha()):
        return None
    low = float(match["n"].replace(",", ""))
    high = float(match["n2"].replace(",", "")) if match["n2"] else low
    if high > 1e30 or low > 1e30:
        return None  # digits, no number
    if match["exp"]:
        power = int(match["exp"].replace("−", "-"))
        if abs(power) > 30:
            return None
        low, high = low * 10.0**power, high * 10.0**power
    if match["sign"] and match["sign"] in "-−":
        low, high = -low, (-high if not match["n2"] else high)
    if statistic := _STATISTIC.search(before):
        return _made(text, low, high, statistic[1].lower(), start, end)
    unit, factor, end = _unit_after(text, end)
    if match["money"]:
        unit = UNITS[match["money"].strip()][0]
    if _BARE_YEAR.fullmatch(match["n"]) and before.lower().endswith("the ") and unit not in BASES:
        return _made(text, low, low, "year", start, match.end("n"))
    if unit == "%" and _INTERVAL.match(text[end : end + 40]):
        return None
    if low > high:
        low, high = high, low
    return _made(text, low * factor, high * factor, unit, start, end)


def _worded(text: str, match: re.Match[str]) -> Quantity | None:
    tens, ones = match["tens"].lower(), (match["ones"] or "").lower()
    joined = ones and 20 <= _WORDS[tens] <= 90
    value = float(_WORDS[tens] + (_WORDS[ones] if joined else 0))
    end = match.end() if joined or not ones else match.end("tens")
    if times := _HUNDRED.match(text, end):
        value, end = value * 100, times.end()
    unit, factor, until = _unit_after(text, end)
    # "one" is mostly a pronoun: it counts only before a known unit, and so does any word before nothing.
    if not unit or (value == 1 and unit not in BASES):
        return None
    return _made(text, value * factor, value * factor, unit, match.start(), until)


def _unit_after(text: str, end: int) -> tuple[str, float, int]:
    """The unit that follows, its factor to the base unit, and where it ends."""
    match = _AFTER.match(text, end)
    factor = 1.0
    if match is None:
        return "", factor, end
    if match["scale"]:
        factor = SCALES.get(match["scale"].strip().lower(), 1e6)
        end = match.end("scale")
    raw = match["unit"]
    if not raw:
        return "", factor, end
    word = raw.strip().strip("-").strip().replace("µ", "μ")
    if not word:
        return "", factor, end
    if cased := CASED.get(word):
        return cased[0], factor * cased[1], match.end("unit")
    parts = [part.strip() for part in word.split("/")]
    low = re.sub(r"[\s-]+", "_", word.lower())
    if word == "×":
        return "fold", factor, match.end("unit")
    known = known_unit(low) or known_unit(re.sub(r"[\s_-]+", "", low))
    if known:
        # A lone letter is a unit only right after the number, in its own case ("5 m", not "5 A").
        if len(word) == 1 and word.isalpha() and word.isupper():
            return "", factor, end
        return known[0], factor * known[1], match.end("unit")
    if len(parts) > 1 and (known := known_unit(parts[0].lower())):
        denominators = [(known_unit(part.lower()) or (part.lower(), 1.0)) for part in parts[1:]]
        for _, per in denominators:
            factor /= per
        return "/".join([known[0], *(base for base, _ in denominators)]), factor * known[1], match.end("unit")
    counted = _counted(text, end)
    return counted, factor, end


_PLURALS = words("people children women men mice bacteria data criteria feet teeth")
_NOT_COUNTED = words("versus vs compared respectively corresponding according ok")
_NEXT = re.compile(r"[\s-]{1,2}([^\W\d_]+)")


def _counted(text: str, end: int) -> str:
    """What is counted, as a stem: of up to three words that follow before a stop word the first that is a plural
    ("27 young infants were" counts infants), else the first of all."""
    listed: list[str] = []
    at = end
    while len(listed) < 3 and (match := _NEXT.match(text, at)):
        word = match[1].lower()
        if word in STOP_WORDS or word in _NOT_COUNTED or (listed and known_unit(word)):
            break
        listed.append(word)
        at = match.end()
    if not listed:
        return ""
    plural = (word for word in listed if word in _PLURALS or re.search(r"[^sui]s$", word))
    return stem(next(plural, listed[0]))


def _made(text: str, low: float, high: float, unit: str, start: int, end: int, about: bool = False) -> Quantity:
    before = text[max(0, start - 32) : start].rstrip("$€£ ") + " "
    bound = _BOUND.search(before)
    sign = "=" if bound is None else "<" if bound["less"] else ">"
    about = about or bool(_ABOUT.search(before))
    return Quantity(low, high, unit, start, end, sign, about, _measure(text, start, end))


def _measure(text: str, start: int, end: int) -> frozenset[str]:
    """Stems of up to eight content words before and five after, within the clause."""
    left = re.split(r"[;:()]|, (?:and|but|while|whereas)\b", text[max(0, start - 120) : start])[-1]
    right = re.split(r"[;:()]|, (?:and|but|while|whereas)\b", text[end : end + 80])[0]
    near = [*_content(left)[-8:], *_content(right)[:5]]
    return frozenset(near)


def _content(text: str) -> list[str]:
    return [
        stem(token)
        for token in tokenise(text)
        if token not in STOP_WORDS and token not in GENERIC_WORDS and not token[0].isdigit() and len(token) > 1
    ]


MEASURE_OVERLAP = 0.5
"""Share of the shorter measure that two quantities must have in common to be about the same thing."""


def conflicts(a: str, b: str) -> list[tuple[Quantity, Quantity]]:
    """Pairs of quantities, one of each text, that speak of the same measure in the same unit and cannot both be true.

    Precision first: a quantity that agrees with any of the other text is no conflict, nor is one whose measure shares
    less than `MEASURE_OVERLAP` with its counterpart, nor one without a unit unless its measure is shared whole.
    """
    ours, theirs = quantities(a), quantities(b)
    found = []
    for one in ours:
        rivals = [other for other in theirs if other.unit == one.unit]
        if not rivals or any(one.agrees(other) for other in rivals):
            continue
        best = max(rivals, key=lambda other: (_overlap(one, other), -other.start))
        if any(best.agrees(mine) for mine in ours):
            continue
        needed = MEASURE_OVERLAP if one.unit else 0.75
        if _overlap(one, best) >= needed:
            found.append((one, best))
    return found


def _overlap(a: Quantity, b: Quantity) -> float:
    shorter = min(len(a.measure), len(b.measure))
    return len(a.measure & b.measure) / shorter if shorter else 0.0
