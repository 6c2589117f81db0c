"""Parts of a total told in words: men and women, the arms that people were assigned to, the places they came from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.papers.referee._draft import Draft
from veritas.papers.referee.finding import Check

_INT = r"\d{1,3}(?:,\d{3})+|\d{1,7}"
_ALONE = r"(?![\d.,·]*\d|\s?(?:%|per ?cent))"
PEOPLE = (
    r"(?:participants|patients|subjects|adults|children|students|individuals|women|men|people|persons|respondents"
    r"|volunteers|rats|mice|animals|infants|undergraduates|adolescents|workers|nurses|physicians|players|athletes"
    r"|males|females|boys|girls|pupils|residents|households|eyes|hips|knees)"
)
_WHOLE = rf"(?<![\d.,·/=–−-])(?P<total>{_INT}){_ALONE}\s(?:[a-z-]+\s){{0,4}}?{PEOPLE}\b"
_SEX = r"(?:men|women|males?|females?|boys|girls)"
_SHARE = r"(?:\s?[\[(]\s?\d[^()\[\]]{0,20}[\])])?"
_SEXES = re.compile(
    rf"{_WHOLE}\s?(?:[,:;]|[\[(])\s?(?P<a>{_INT}){_ALONE}\s(?P<sex1>{_SEX}){_SHARE}\s?(?:,|;|/|and|,\sand)\s?"
    rf"(?P<b>{_INT}){_ALONE}\s(?P<sex2>{_SEX})\b"
)
_MALE = re.compile(r"(?:men|males?|boys)$")
_ASSIGNED = re.compile(r"\b(?:randomi[sz]ed|randomly assigned|assigned|allocated)\b", re.IGNORECASE)
_ARM = re.compile(
    rf"(?<![\d.,·/=–−-])(?P<n>{_INT}){_ALONE}(?:\s[a-z]+)?{_SHARE}(?:\s(?:were\s)?(?:assigned|allocated|randomi[sz]ed))?"
    r"\sto\s(?!\d|be\b|have\b)(?=[a-zA-Z])"
)
_ORIGIN = re.compile(
    rf"(?<![\d.,·/=–−-])(?P<n>{_INT}){_ALONE}(?:\s[a-z]+)?{_SHARE}\s"
    r"(?:(?:were\s|had\s|was\s)?(?:came|recruited|enrolled|met|lived|living|resided|born)\s)?(?P<at>from|in|at)\s(?=[a-zA-Z])"
)
_SETTLED = re.compile(r"\b(?:came|recruited|enrolled|met|lived|living|resided|born)\b")
_OF_ALL = re.compile(rf"\b[Oo]f (?:the |these |all )?(?P<whole>{_WHOLE})")
_OVERLAP = re.compile(
    r"\b(?:cross-?over|both|either|also|each|per|overlap\w*|respectively|screened|excluded|withdr[ae]w|declined|lost"
    r"|more than one|some of|couples?|dyads?|pairs?|total of|years?|months?|weeks?|days?|followed|completed)\b",
    re.IGNORECASE,
)
"""Words of sentences whose parts may share members, or whose numbers may count something else."""


def parts_of_total(sentence: str, at: int) -> Iterator[Draft | Check]:
    """Yield a total of people whose parts add up to more: parts that share nobody, such as the two sexes, the arms of
    a trial, or the places where people were recruited. Parts that add up to less may be not all of them."""
    for match in _SEXES.finditer(sentence):
        if (_MALE.match(match["sex1"]) is None) != (_MALE.match(match["sex2"]) is None):
            spans = [match.span(group) for group in ("a", "b")]
            yield from _against(sentence, at, match.span("total"), spans)
    if _OVERLAP.search(sentence):
        return
    whole = re.search(_WHOLE, sentence)
    if whole is not None and _ASSIGNED.search(sentence):
        yield from _several(sentence, at, whole.span("total"), list(_ARM.finditer(sentence, whole.end())))
    of = _OF_ALL.search(sentence)
    if of is not None and _SETTLED.search(sentence):
        found = list(_ORIGIN.finditer(sentence, of.end()))
        if len({each["at"] == "from" for each in found}) == 1:
            yield from _several(sentence, at, of.span("total"), found)


def _several(
    sentence: str, at: int, total: tuple[int, int], found: Sequence[re.Match[str]]
) -> Iterator[Draft | Check]:
    if len(found) >= 2 and len(re.findall(rf"{_WHOLE}", sentence)) == 1:
        yield from _against(sentence, at, total, [each.span("n") for each in found])


def _against(
    sentence: str, at: int, total: tuple[int, int], parts: Sequence[tuple[int, int]]
) -> Iterator[Draft | Check]:
    said = _number(sentence, total)
    numbers = [_number(sentence, each) for each in parts]
    yield "count"
    if sum(numbers) <= said or any(number >= said for number in numbers):
        return
    start, end = min(total[0], parts[0][0]), parts[-1][1]
    yield Draft(
        "count", "error", at + start, at + end, f"{said} in all", f"{sum(numbers)} in the parts",
        f"{' + '.join(map(str, numbers))} = {sum(numbers)} > {said}", "none: these are counts",
        "the parts shared members",
        (("total", at + total[0], at + total[1]),
         *((f"part {i}", at + first, at + last) for i, (first, last) in enumerate(parts, 1))),
    )  # fmt: skip


def _number(sentence: str, span: tuple[int, int]) -> int:
    return int(sentence[span[0] : span[1]].replace(",", ""))
