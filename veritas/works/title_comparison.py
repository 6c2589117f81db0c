"""Comparing titles word by word: punctuation is ignored, a missing subtitle is noted, other words make another title.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from enum import StrEnum

from veritas.frozen import Frozen
from veritas.text.likeness import ratio, token_set_ratio, token_sort_ratio
from veritas.text.markup import plain_text
from veritas.works.folding import words

MAX_WORDS = 200

_STATUS = re.compile(
    r"^\s*[\[(]?\s*(RETRACTED|WITHDRAWN|REMOVED|TEMPORARY REMOVAL|EXPRESSION OF CONCERN)"
    r"(?:\s+(?:ARTICLE|PAPER|CHAPTER))?\s*[\])]?\s*[:.–—-]\s*"
    r"|^\s*[\[(](RETRACTED|WITHDRAWN|REMOVED)(?:\s+(?:ARTICLE|PAPER|CHAPTER))?[\])]\s*"
    r"|^\s*(RETRACTED|WITHDRAWN)\s+(?:ARTICLE|PAPER|CHAPTER)\s*[:.–—-]?\s*",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"^\s*(?:publisher['’]?s?\s+|author\s+)?(correction|corrigend(?:um|a)|errat(?:um|a)|retraction(?:\s+(?:note|notice))?"
    r"|addendum|expression of concern|statement of retraction|withdrawal(?:\s+notice)?"
    r"|notice of (?:retraction|withdrawal))"
    r"\s*(?:to|of|for|on|[:.–—-])",
    re.IGNORECASE,
)
_VERSION_MARK = re.compile(
    r"[\[(]\s*(?:extended (?:abstract|version)|full version|preliminary (?:version|report)|long version"
    r"|short (?:paper|version)|student abstract"
    r"|invited (?:talk|paper)|abstract|technical report|preprint|poster|demo"
    r"|with (?:a )?(?:discussion|comments?|rejoinder)(?: and (?:a )?rejoinder)?)\s*[\])]",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[:;.?!–—]+(?=\s|$)|\s-{1,3}\s|---?|\(|\[")

_SPELLING = [
    (re.compile(r"is(?=(?:e|es|ed|er|ers|ing|ation|ations|able)$)"), "iz"),
    (re.compile(r"ys(?=(?:e|es|ed|er|ers|ing)$)"), "yz"),
    (re.compile(r"(?<=[a-z]{2})our(?=(?:|s|ed|ing|al|able|hood)$)"), "or"),
    (re.compile(r"(?<=[bt])re(?=s?$)"), "er"),
    (re.compile(r"ogue(?=s?$)"), "og"),
    (re.compile(r"(?<=[a-z]{2}[aeiou])ll(?=(?:ing|ed|er|ers)$)"), "l"),
    (re.compile(r"(?<=[a-z])ence(?=s?$)"), "ense"),
    (re.compile(r"ae(?=[a-z]{2})|oe(?=[a-z]{2})"), "e"),
]


class TitleDifference(StrEnum):
    """The difference between two titles, from none to another work."""

    NONE = "none"
    PUNCTUATION = "punctuation"  # case, punctuation, hyphens, accents, markup
    SUBTITLE = "subtitle"  # one title lacks the part after the colon (or a short name before it)
    VERSION = "version"  # one title is marked "(extended abstract)", "(with discussion)"
    SPELLING = "spelling"  # British and American spelling, an article more or less
    WORDS = "words"  # near miss: a word or two were changed
    OTHER = "other"  # another title


_FORMULAS = {
    "carbon dioxide": "co2", "carbon monoxide": "co", "nitrous oxide": "n2o", "nitric oxide": "no", "methane": "ch4",
    "nitrogen dioxide": "no2", "sulfur dioxide": "so2", "sulphur dioxide": "so2", "water": "h2o", "oxygen": "o2",
    "hydrogen": "h2", "nitrogen": "n2", "ozone": "o3", "ammonia": "nh3", "hydrogen peroxide": "h2o2",
    "titanium dioxide": "tio2", "titania": "tio2", "silicon dioxide": "sio2", "silica": "sio2", "zinc oxide": "zno",
    "alumina": "al2o3", "aluminum oxide": "al2o3", "aluminium oxide": "al2o3", "hydrogen sulfide": "h2s",
    "hydrogen sulphide": "h2s", "sodium chloride": "nacl", "calcium carbonate": "caco3",
}  # fmt: skip
"""Compounds whose names and formulas stand for each other in titles."""


class TitleComparison(Frozen):
    """The result of a comparison of titles. Ratios are 0 to 100: of characters, of words in any order, of the shorter
    title's words."""

    difference: TitleDifference
    ratio: float
    token_sort_ratio: float
    token_set_ratio: float
    changed: tuple[tuple[str, str], ...] = ()
    """Runs of words that differ, `(one, other)`; an empty string where one side has none."""


def normalise_title(title: str) -> str:
    """Return a title in its compared form: folded words with single spaces. Idempotent (section 5.2)."""
    return " ".join(title_words(title))


def title_words(title: str, *, spelt_out: bool = False) -> tuple[str, ...]:
    """Return the folded words of a title, without a status such as `RETRACTED:`; at most `MAX_WORDS`."""
    return words(strip_status(plain_text(title))[0], spelt_out=spelt_out)[:MAX_WORDS]


def strip_status(title: str) -> tuple[str, str | None]:
    """Return the title without a publisher's `RETRACTED ARTICLE:` or `WITHDRAWN:`, and that status or None."""
    found = _STATUS.match(title)
    if not found or not title[found.end() :].strip():
        return title, None
    return title[found.end() :], next(group for group in found.groups() if group).lower()


def notice_kind(title: str) -> str | None:
    """Return `correction`, `retraction`, … if the title is that of a notice about another paper, else None."""
    found = _NOTICE.match(title)
    return " ".join(found[1].lower().split()) if found else None


def compare_titles(one: str, other: str, *, near_miss: float = 80.0) -> TitleComparison:
    """Compare two titles, plain or with markup. Changed words at ratios below `near_miss` (0..100) make another one."""
    mine, theirs = title_words(one), title_words(other)
    a, b = " ".join(mine), " ".join(theirs)
    ratios = (ratio(a, b), token_sort_ratio(a, b), token_set_ratio(a, b))
    difference, changed = _difference(one, other, mine, theirs)
    if difference is TitleDifference.WORDS and max(ratios[0], ratios[1]) < near_miss:
        difference = TitleDifference.OTHER
    return TitleComparison(
        difference=difference, ratio=ratios[0], token_sort_ratio=ratios[1], token_set_ratio=ratios[2], changed=changed
    )


def _difference(
    one: str, other: str, mine: tuple[str, ...], theirs: tuple[str, ...]
) -> tuple[TitleDifference, tuple[tuple[str, str], ...]]:
    if not mine or not theirs:
        return (TitleDifference.NONE if one.strip() == other.strip() else TitleDifference.OTHER), ()
    if _same(one, other, mine, theirs):
        return (TitleDifference.NONE if plain_text(one) == plain_text(other) else TitleDifference.PUNCTUATION), ()
    bare, bare_other = _VERSION_MARK.sub(" ", plain_text(one)), _VERSION_MARK.sub(" ", plain_text(other))
    if title_words(bare) == title_words(bare_other):
        return TitleDifference.VERSION, ()
    if _is_part(one, mine, theirs) or _is_part(other, theirs, mine):
        return TitleDifference.SUBTITLE, ()
    changed = _changed_words(mine, theirs)
    if all(_is_spelling(a, b) for a, b in changed):
        return TitleDifference.SPELLING, changed
    return TitleDifference.WORDS, changed


def _same(one: str, other: str, mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Return whether both have the same letters and digits in the same order, regardless of word boundaries."""
    if "".join(mine) == "".join(theirs):
        return True
    spelt, spelt_other = "".join(title_words(one, spelt_out=True)), "".join(title_words(other, spelt_out=True))
    return spelt in ("".join(theirs), spelt_other) or spelt_other == "".join(mine)


def _is_part(longer: str, mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Return whether the other title is `longer` cut at a break: without its subtitle, or without a leading short name.
    """
    if len(theirs) >= len(mine):
        return False
    text, wanted = strip_status(plain_text(longer))[0], "".join(theirs)
    for cut in _BREAK.finditer(text):
        head, tail = words(text[: cut.start()]), words(text[cut.end() :])
        if "".join(head) == wanted and tail and (len(head) > 1 or len(wanted) > 3):
            return True
        if "".join(tail) == wanted and len(head) <= 3 and len(tail) > 2 and notice_kind(text) is None:
            return True
    return False


def _changed_words(mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    return tuple(
        (" ".join(mine[i1:i2]), " ".join(theirs[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    )


def _is_spelling(one: str, other: str) -> bool:
    """Return whether the titles differ only in British or American spelling, an article, a formula for the name of a
    compound, or a word boundary."""
    if not one or not other:
        return (one or other) in {"a", "an", "the"}
    if _FORMULAS.get(one, one).replace(" ", "") == _FORMULAS.get(other, other).replace(" ", ""):
        return True
    return _american(one) == _american(other)


def _american(text: str) -> str:
    parts = []
    for word in text.split():
        for pattern, replacement in _SPELLING:
            word = pattern.sub(replacement, word)
        parts.append(word)
    return "".join(parts)
