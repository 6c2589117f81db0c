"""The words around a number: its bound, and whether it is a label or a statistic and no measure.

The things that a number counts, by the words behind it.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from veritas.text.stems import stem
from veritas.text.stop_words import STOP_WORDS
from veritas.text.units import known_unit
from veritas.text.wordlist import words

_PLURALS = words("people children women men mice bacteria data criteria feet teeth")
_NOT_COUNTED = words(
    """
    versus vs compared respectively corresponding according ok or approximately at maximum minimum despite against along
    alongside amid among amongst around behind beneath beside besides beyond except inside like near outside plus minus
    throughout unlike unless whilst
    """
)
_OR_MORE = re.compile(r"(?i)\+|\s(?:or|and)\s(?:more|fewer|less|above|below)\b")
_NEXT = re.compile(r"[\s-]{1,2}([^\W\d_]{2,})")


def _behind(text: str, end: int) -> list[re.Match[str]]:
    listed: list[re.Match[str]] = []
    skipped = _OR_MORE.match(text, end)
    at = skipped.end() if skipped else end
    while len(listed) < 3 and (match := _NEXT.match(text, at)):
        word = match[1].lower()
        if word in STOP_WORDS or word in _NOT_COUNTED or (listed and known_unit(word)):
            break
        listed.append(match)
        at = match.end()
    return listed


def counted(text: str, end: int) -> tuple[str, int]:
    """Return the stem of the thing that a number ending at `end` counts, and the end of the candidate words.

    Of up to three words before a stop word it is the first plural ("27 young infants were" counts infants), else the
    first word; "" without any.
    """
    listed = _behind(text, end)
    if not listed:
        return "", end
    low = [match[1].lower() for match in listed]
    plural = (word for word in low if word in _PLURALS or re.search(r"[^sui]s$", word))
    return stem(next(plural, low[0])), listed[-1].end()


Bound = Literal["=", "<", "<=", ">", ">="]
_SIGNS: dict[str, Bound] = {"least": ">=", "most": "<=", "less": "<", "more": ">"}
_NOT = r"(?:\b(?:no|not|never|cannot)|n't)\s+(?:(?:to|be|take|last|have)\s+)?"
_BEFORE = re.compile(
    rf"(?i)(?P<least>\bat\s+(?:the\s+very\s+)?least|{_NOT}(?:(?:less|fewer|lower|smaller|shorter)\s+than|under|below)"
    r"|\b(?:a\s+|the\s+)?minimum(?:\s+of)?|\bupwards\s+of|\bas\s+(?:few|little|low)\s+as|≥|>=|⩾)\s*$"
    r"|(?P<most>\bat\s+(?:the\s+very\s+)?most|\bup\s+to|\bas\s+(?:many|much|high|long)\s+as|"
    rf"{_NOT}(?:(?:more|greater|higher|larger|longer|older)\s+than|exceed(?:s|ed|ing)?|over|above)"
    r"|\b(?:a\s+|the\s+)?maximum(?:\s+of)?|\bwithin|\buntil|\bcapped\s+at|≤|<=|⩽)\s*$"
    r"|(?P<less>\b(?:less|fewer|lower|smaller|shorter|younger|cheaper)\s+than|\bunder|\bbelow|<)\s*$"
    r"|(?P<more>\b(?:more|greater|higher|larger|longer|older|better)\s+than|\bover|\babove|\bexceed(?:s|ed|ing)?"
    r"|\bbeyond|>)\s*$"
)
_AFTER = re.compile(
    r"(?i)(?:\s\w+)?\s?(?P<least>(?:\bor|\band)\s+(?:more|above|higher|older|over|greater|longer|upwards?|up)\b)"
    r"|(?:\s\w+)?\s?(?P<most>(?:\bor|\band)\s+(?:less|fewer|below|under|lower|younger|shorter|smaller)\b)"
    r"|(?P<plus>\+(?![\d/]))|(?:\s\w+)?\s(?P<about>or\s+(?:so|thereabouts)|approximately|roughly)\b"
    r"|(?:\s\w+)?\s(?P<cap>(?:at\s+(?:the\s+)?(?P<end>most|least)|(?:maximum|minimum))\b)(?!\s+(?:of|\d))"
)
_BOUND_ENDS = words(
    """
    least most than of minimum maximum from under below over above to exceed exceeds exceeded exceeding within until at
    as beyond about around approximately approx approx. roughly nearly almost some circa ca ca. estimated little
    """
)
_ABOUT = re.compile(
    r"(?i)(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?|close\s+to|an?\s+estimated|"
    r"estimated(?:\s+at)?|(?:on|of)\s+the\s+order\s+of|just\s+(?:over|under|above|below)|a\s+little\s+\w+)|[~≈∼≃])\s*$"
)

# A number after these is a label, not a quantity.
LABELS = words(
    """
    type phase stage grade version figure fig fig. figs figs. table tables section chapter step python part page p. pp
    pp. vol vol. volume no. issue rfc iso pep port line item note appendix equation eq eq. ref ref. class group arm http
    level tier theorem lemma algorithm example ci v top chromosome exon cohort experiment model
    """
)
_MARKED = re.compile(r"[#§]\s*$|\[$|\[\d+,\s*$")
STATISTICS = frozenset("p n r r2 or hr rr auc ph odds_ratio hazard_ratio relative_risk".split())
"""Names that stand for the unit of a statistic."""
_STATISTIC_ENDS = words("p n r r2 or hr rr auc ph ratio risk of")
_STATISTIC = re.compile(
    r"(?i)(?:\(|\b)(p|n|r|r2|or|hr|rr|auc|ph|odds ratio|hazard ratio|relative risk)"
    r"(?:\s*(?:values?\s*)?[=<>≤≥:]\s*|\s+|\s+of\s+)$"
)
INTERVAL = re.compile(r"(?i)^\s*(?:confidence|CIs?\b|credible|prediction\s+interval)")
"""Words that make a percentage before them the level of a confidence interval."""


class Framed(NamedTuple):
    """The bound and approximation that words put on a quantity, and the extent of these words."""

    bound: Bound
    about: bool
    first: int
    last: int


def framed(text: str, start: int, end: int) -> Framed:
    """Return the bound and the approximation that the words around `text[start:end]` put on it."""
    before = text[max(0, start - 40) : start]
    tail, word = last_word(before)
    hinted = bool(tail) and (word in _BOUND_ENDS or tail[-1] in "≥>⩾≤<=⩽~≈∼≃")
    nearly = _ABOUT.search(before) if hinted else None
    said = _BEFORE.search(before[: nearly.start()] if nearly else before) if hinted else None
    marks = [start - len(before) + mark.start() for mark in (nearly, said) if mark]
    first, about = min([start, *marks]), nearly is not None
    after = None if said else _AFTER.match(text, end)
    if after is None:
        return Framed(_SIGNS[said.lastgroup or ""] if said else "=", about, first, end)
    name = "least" if after["least"] or after["plus"] else "most" if after["most"] else after["end"]
    name = name or ("least" if (after["cap"] or "").lower() == "minimum" else "most" if after["cap"] else None)
    return Framed(_SIGNS[name.lower()] if name else "=", about or bool(after["about"]), first, after.end())


def last_word(before: str) -> tuple[str, str]:
    """Return a text without trailing blanks, and its last word in lower case."""
    tail = before.rstrip()
    return tail, tail.rpartition(" ")[2].lower().lstrip("([“\"'")


def labelled(before: str, tail: str, word: str) -> bool:
    """Return whether a number behind this text is a label: "type 2", "Fig. 3", "[12]"."""
    return word in LABELS or (tail[-1:] in ("#", "§", "[", ",") and _MARKED.search(before) is not None)


def statistic(before: str, tail: str, word: str) -> str | None:
    """Return the statistic whose value follows this text: "p" of "p = 0.016"; None if there is none."""
    if not tail or (tail[-1] not in "=<>≤≥:" and word not in _STATISTIC_ENDS):
        return None
    found = _STATISTIC.search(before)
    if found and found[1] == "or" and tail.endswith("or"):
        return None  # "four or 6": no odds ratio
    return found[1].lower().replace(" ", "_") if found else None
