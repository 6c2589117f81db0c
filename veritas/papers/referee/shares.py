"""Counts against percentages: "23 of 51 (45.1 %)", "45.1 % (23/51)", "of 51, 23 (45.1 %)", and sums of groups."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.papers.referee.finding import Check, Draft, Printed, Severity, printed

_INT = r"\d{1,3}(?:,\d{3})+|\d{1,9}"
_SPELT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS = rf"(?<![\w-])(?<!hundred )(?<!hundred and )(?<!thousand )(?<!thousand and )(?i:{'|'.join(_SPELT)})(?![\w-])"
_NOT_MORE = r"(?![\d.,]*\d)"
_PERCENT = r"(?P<percent>\d{1,3}(?:[.·]\d{1,4})?)\s?(?:%|per ?cent\b)"
_AFTER = (
    r"(?!\s?(?:of\b|CI|C\.I|confidence|credible|increase|decrease|reduction|lower|higher|more|less|fewer|greater|larger"
    r"|smaller|improvement|relative|risk|power|accuracy|each|v/v|w/v|vol|w/w|ethanol))"
)
_NOUNS = r"(?:\s(?:the\s)?(?:[a-z][\w-]*\s){0,3}?[a-z][\w-]*)?"
_COUNTED = (
    r"(?:\s(?!of\b|in\b|with\b|from\b|at\b|who\b|that\b|were\b|was\b|had\b|for\b|by\b|and\b|or\b|per\b|each\b)[a-z][\w-]*){0,2}"
)
"""What is counted, in at most two words."""
PEOPLE = (
    r"(?:participants|patients|subjects|adults|children|students|individuals|women|men|people|persons|respondents"
    r"|volunteers|rats|mice|animals|infants|undergraduates|adolescents|workers|nurses|physicians|players|athletes"
    r"|males|females|boys|girls|pupils|residents|households|eyes|hips|knees)"
)
_FORMS = (
    # 23 of 51 (45.1 %), 23/51 (45.1 %), 23 out of the 51 patients (45.1 %)
    re.compile(
        rf"(?<![\w.,/–−-])(?P<part>{_INT}|{_WORDS})(?:\s?(?P<slash>/)\s?|\s(?:out\s)?of\s(?:the\s|all\s|a\stotal\sof\s)?)"
        rf"(?P<whole>{_INT}){_NOT_MORE}(?!\s?/)(?(slash)|{_NOUNS})\s?[\[(,]\s?(?:i\.e\.,?\s)?{_PERCENT}{_AFTER}"
    ),
    # 45.1 % (23/51), 45.1 % (23 of 51), 45.1 % (n = 23/51)
    re.compile(
        rf"(?<![\d.,–−-]){_PERCENT}{_NOUNS}\s?[\[(]\s?(?:n\s?=\s?)?(?P<part>{_INT})(?:\s?/\s?|\s(?:out\s)?of\s(?:the\s)?)"
        rf"(?P<whole>{_INT}){_NOT_MORE}(?!\s?/)"
    ),
    # Of 51 patients, 23 (45.1 %); of the 51, 23 patients (45.1 %)
    re.compile(
        rf"\b[Oo]f\s(?:the\s|these\s|all\s|a\stotal\sof\s)?(?P<whole>{_INT}){_NOT_MORE}(?P<whole_of>[^.,;:()\[\]\d%]{{0,60}}),\s"
        rf"(?P<part>{_INT}){_NOT_MORE}(?P<part_of>{_COUNTED})\s?[\[(]\s?{_PERCENT}{_AFTER}(?![^()]{{0,20}}[\])]\s?(?:out\s)?of\b)"
    ),
    # 23 patients (45.1 %) of 51, 23 (45.1 %) of the 51 patients
    re.compile(
        rf"(?<![\d.,/–−-])(?P<part>{_INT}|{_WORDS}){_NOT_MORE}(?P<part_of>{_COUNTED})\s?[\[(]\s?{_PERCENT}\s?[\])]\s(?:out\s)?of\s"
        rf"(?:the\s|all\s|these\s|a\stotal\sof\s)?(?P<whole>{_INT}){_NOT_MORE}(?!\s?[/%–−-]|\s(?:years?|months?|weeks?|days?|h)\b)"
        r"(?P<whole_of>(?:\s[a-z][\w-]*){0,4})"
    ),
)
_THINGS = re.compile(r"(?!was|is|has|as|this|its|us)\w+(?<!s)s|children|men|women|people|mice|feet|teeth|data")
"""What looks like the name of several things."""
_LOOSE = re.compile(
    r"\b(?:weighted|adjusted|age-standardi[sz]ed|per (?:\d|thousand|person)|mean|average|median|at least"
    r"|more than|less than|over|nearly|about|approximately|roughly|around|almost|under|up to)\b|[~≈<>≤≥]",
    re.I,
)
_WEIGHTED = re.compile(
    r"\b(?:weighted (?:percent|proportion|prevalence|estimate|sample|data|n\b)|survey weights?|sampling weights?"
    r"|imput)",
    re.I,
)
_BEFORE = 24


def shares(text: str) -> Iterator[Draft | Check]:
    """Yield the percentages that are not those of the count and the total beside them. A text that weights its
    percentages is passed over."""
    if _WEIGHTED.search(text):
        return
    seen: set[int] = set()
    for pattern in _FORMS:
        for match in pattern.finditer(text):
            part = _count(match["part"])
            whole, percent = printed(match["whole"]), printed(match["percent"])
            if part is None or whole is None or percent is None or match.start("percent") in seen:
                continue
            if _LOOSE.search(text[max(0, match.start() - _BEFORE) : match.end()].rpartition(". ")[2]):
                continue
            if "part_of" in match.groupdict() and not _of_one_kind(match, part, whole):
                continue
            seen.add(match.start("percent"))
            yield "share"
            found = _share(text, match, part, whole, percent)
            if found is not None:
                yield found


def _count(text: str) -> Printed | None:
    word = text.casefold()
    return Printed(text, float(_SPELT.index(word) + 1), 0) if word in _SPELT else printed(text)


def _of_one_kind(match: re.Match[str], part: Printed, whole: Printed) -> bool:
    """Return whether the count is a part of what the total counts: "45 nurses (80 %) of 60 wards" is none."""
    counted, of = match["part_of"].split(), match["whole_of"].split()
    if part.value > whole.value:
        return False
    if not counted and not of and match.start("whole") < match.start("part") and len(match["part"]) == 3:
        return False  # "568, 239" may be one number, with a blank behind its comma
    if not counted or not of or counted[-1] in of:
        return True
    if match.start("whole") < match.start("part"):
        return False
    return not any(_THINGS.fullmatch(word) for word in of[:2])  # a verb may follow the total


def _share(text: str, match: re.Match[str], part: Printed, whole: Printed, percent: Printed) -> Draft | None:
    if whole.value < 2 or part.value == whole.value == percent.value:
        return None
    end = match.end() + (text[match.end() : match.end() + 1] in (")", "]"))  # the bracket that the quote opened
    inputs = tuple(
        (name, *match.span(group)) for name, group in (("count", "part"), ("total", "whole"), ("share", "percent"))
    )
    if part.value > whole.value:
        if percent.value > 100 or abs(100 * part.value / whole.value - percent.value) <= percent.half * 2.02:
            return None  # a ratio that may pass 100
        right = f"{part.text} would have to be at most {whole.text}"
        calculation = f"{part.text} > {whole.text}"
        says = f"{part.text} of {whole.text}"
        return Draft("share", "error", match.start(), end, says, "more than the total", calculation, "none",
                     right, inputs)  # fmt: skip
    made = 100 * part.value / whole.value
    unit = 2 * percent.half
    off = abs(made - percent.value)
    if off <= unit * 1.001:  # rounding, and cutting off
        return None
    if percent.places > 1 and percent.text.endswith("0") and off <= 5.01 * unit:
        return None  # rounded one digit earlier and filled up with a zero
    if (percent.places == 0 and off <= 1.0) or (percent.value == 0 and made < 1):
        return None
    if abs(100 - made - percent.value) <= unit * 1.001:
        return None  # the share of the others: "20/699 (97.14%)" did not
    low, high = (percent.value - unit) * whole.value / 100, (percent.value + unit) * whole.value / 100
    counts = [n for n in range(max(0, int(low) - 1), int(high) + 2) if low <= n <= high]
    fits = (
        f"the count were {counts[0]}"
        if len(counts) == 1
        else f"the count were {counts[0]} to {counts[-1]}"
        if counts
        else ""
    )
    of = part.value * 100 / percent.value if percent.value else 0
    other = f"the total were about {of:.0f}" if of and round(of) != whole.value else ""
    right = " or ".join(each for each in (fits, other) if each) or f"the share were {made:.{percent.places}f} %"
    severity: Severity = "rounding" if off <= 2 * unit else "error"
    shown = max(percent.places, 1) + (severity == "rounding")  # else both may look one allowed unit apart
    return Draft(
        "share", severity, match.start(), end, f"{percent.text} %", f"{made:.{shown}f} %",
        f"100 × {part.value:.0f} / {whole.text} = {made:.{percent.places + 2}f}",
        f"one unit of the last digit ({unit:g} %)", right, inputs,
    )  # fmt: skip


_GROUPS = re.compile(
    r"\b(?:assigned|allocated|randomi[sz]ed|divided|split|consist(?:ed|ing|s) of|comprised|comprising)\b", re.I
)
_LEFT = re.compile(
    r"\b(?:excluded|withdr[ae]w|dropped|lost|remain(?:ed|ing)?|of whom|of which|discontinued|declined|missing"
    r"|completed|analy[sz]ed|per\b|each)\b",
    re.I,
)
_TOTAL = re.compile(
    rf"(?<![\d.,=–−-])(?P<total>{_INT}){_NOT_MORE}\s(?:[a-z-]+\s){{0,4}}?{PEOPLE}\b"
)
_LISTED = re.compile(r"\bn\s?=\s?\d+(?:\s?,\s\d+)*,?\s(?:and|or)\s\d+")
"""Sizes of several groups at once, "n = 7, 5, and 6"."""
_N = re.compile(rf"[\[(,;]\s?n\s?=\s?(?P<n>{_INT}){_NOT_MORE}")


def group_sums(sentence: str, at: int) -> Iterator[Draft | Check]:
    """Yield the total of a sentence that assigns people to groups if the groups' sizes add up to another number."""
    verb = _GROUPS.search(sentence)
    totals = list(_TOTAL.finditer(sentence))
    sizes = list(_N.finditer(sentence))
    if verb is None or len(totals) != 1 or len(sizes) < 2 or _LEFT.search(sentence) or _LISTED.search(sentence):
        return
    total = totals[0]
    if total.end() > sizes[0].start():
        return
    said, numbers = int(total["total"].replace(",", "")), [int(m["n"].replace(",", "")) for m in sizes]
    made = sum(numbers)
    yield "count"
    if (
        made == said
        or any(number >= said for number in numbers)
        or (len(numbers) > 2 and numbers[0] == sum(numbers[1:]))
    ):
        return
    start, end = total.start(), sizes[-1].end()
    yield Draft(
        "count", "error", at + start, at + end, f"{said} in all", f"{made} in the groups",
        f"{' + '.join(map(str, numbers))} = {made}", "none: these are counts",
        f"{said - made} more were in no group that is named" if made < said else "the groups shared members",
        (("total", at + total.start("total"), at + total.end("total")),
         *((f"group {i}", at + m.start("n"), at + m.end("n")) for i, m in enumerate(sizes, 1))),
    )  # fmt: skip
