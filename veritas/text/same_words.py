"""A normal form of sentences: equal for the same words in the same order."""

from __future__ import annotations

import re
from functools import lru_cache

from veritas.text.quantities import quantities
from veritas.text.tokens import normalise

_MARKUP = re.compile(r"[`*\"“”„«»]+|(?<!\w)'|'(?!\w)")
_PRIME = re.compile(r"\d['\"]")
_N_T = re.compile(r"(?i)\b(ca|wo)?(n't)\b|(?<=\w)n't\b|\bcannot\b")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]\w*(?:'\w+)*|\S")
_BY_DEFAULT = re.compile(r"(?i)^by default,?\s+(.+)", re.DOTALL)
_AMOUNT = re.compile(r"(?i)\s+(?:few|little)\b")
"""Before these, "a" says that there are some: "few" and "a few" are not the same."""
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ARTICLES = frozenset({"a", "an", "the"})
_FORMS = {
    "is": "are", "am": "are", "was": "were", "has": "have", "does": "do", "one": "1", "two": "2", "three": "3",
    "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "percent": "%",
}  # fmt: skip
_WHOLE = frozenset({"news", "means", "series", "species", "arms", "customs", "glasses", "always", "its", "less", "yes"})


@lru_cache(maxsize=8192)
def said(text: str) -> tuple[str, ...]:
    """Return the words, numbers and signs of `text` in order.

    Case, articles, quotation marks, the full stop at the end and the endings of plural and third person are folded, and
    "by default" is put last. Tense and every other sign are kept.
    """
    plain = _N_T.sub(_spelled, _unquoted(normalise(text)).strip()).rstrip(".! ")
    plain = _BY_DEFAULT.sub(r"\1 by default", plain)
    found: list[str] = []
    last = 0
    ahead = [q for q in quantities(plain) if q.sure][::-1]
    for at, match in enumerate(_TOKEN.finditer(plain)):
        token = match[0]
        while ahead and ahead[-1].end <= match.start():
            ahead.pop()
        if ahead and ahead[-1].start < match.end():  # a quantity is one word, however it is written
            if ahead[-1].start >= last:
                found.append(ahead[-1].value)
            last = match.end()
            continue
        last = match.end()
        low = token.casefold()
        if low in _ARTICLES and (at == 0 or token != "A") and not (  # "vitamin A" is no article
            low == "a" and _AMOUNT.match(plain, match.end())
        ):
            continue
        found.append(_folded(token, low))
    return tuple(found)


def _unquoted(text: str) -> str:
    """Remove quotation marks and markup, but keep a mark behind a digit that closes nothing: 5" is not 5'."""
    if not _PRIME.search(text):
        return _MARKUP.sub(" ", text)
    kept, last, opened = [], 0, set[str]()
    for match in _MARKUP.finditer(text):
        mark = match[0]
        if mark in opened or mark not in ("'", '"') or not text[match.start() - 1 : match.start()].isdigit():
            (opened.discard if mark in opened else opened.add)(mark)
            kept.append(text[last : match.start()])
            last = match.end()
    return " ".join([*kept, text[last:]])


def _spelled(match: re.Match[str]) -> str:
    short = match[0].casefold()
    return {"can't": "can not", "cannot": "can not", "won't": "will not"}.get(short, " not")


def _folded(token: str, low: str) -> str:
    if _THOUSANDS.fullmatch(token):
        return token.replace(",", "")
    if token[1:] != low[1:]:  # "US" is not "us"
        return token
    if low in _FORMS:
        return _FORMS[low]
    if len(low) < 4 or not low.isalpha() or low in _WHOLE:
        return low
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if re.search(r"(?:x|ch|sh|ss|zz)es$", low):
        return low[:-2]
    return low[:-1] if low.endswith("s") and not low.endswith(("ss", "us", "is")) else low
