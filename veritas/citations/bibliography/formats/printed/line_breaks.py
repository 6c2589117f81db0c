"""Repair of words broken over lines: hyphens, and gaps in addresses and identifiers."""

from __future__ import annotations

import re

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])(?:[-‐]\s+|\u00ad\s*)(?!(?:and|or|to|und|oder|et)\b)(?=[a-zß-öø-ÿ])")
_COMPOUND = re.compile(
    r"(?:^|[\s(“\"])(?:self|non|multi|pre|post|semi|co|cross|end|state|large|small|few|zero|one|two|three|real|high|low|long"
    r"|short|data|open|well|ill|quasi|near|fine|coarse|time|domain|human|machine|model|out|in)$",
    re.IGNORECASE,
)
"""Beginnings of compounds: their hyphen is kept, as a word follows and not the rest of one."""
_COMPOUNDED = re.compile(
    r"(?:aware|efficient|based|free|level|driven|wise|specific|dependent|independent|invariant|agnostic|trained|tuned|tuning"
    r"|training|scale|shot|supervised|modal|view|task|agent|label|step|guided|oriented|tailed|order|rank|dimensional|like"
    r"|to|of|the|by|in|up|off|end)\b"
)
"""Ends of compounds, whose hyphen is kept too."""
_BROKEN_ADDRESS = re.compile(
    r"((?:https?://|\bwww\.|\b10\.\d{4,9}/|doi\.org/|\barXiv:)\S*)[ \t]*\n\s*(\S+)", re.IGNORECASE
)
_GAPPED_DOI = re.compile(r"(\b10\.\d{4,9}/\S*[-/_.])[ \t]+([\w(]\S*)")
_GOES_ON = re.compile(r"[\w%~.+()/:?=&#,;-]+")
_OTHER = re.compile(r"https?:|www\.|doi\b|arXiv|accessed|retrieved|[^\W\d_]{2,}\.?$", re.IGNORECASE)
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "\u00a0": " ", "\u200b": "", "\ufeff": ""}
    | dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))
)


def mended(text: str) -> str:
    """Return the words on one line. A DOI or address is left out if it is unclear whether it goes on in the next line:
    half of one leads nowhere and would make the reference look invented."""
    text = re.sub(r"\b10\.\s*\n\s*(?=\d{4,9}/)", "10.", text.translate(_LIGATURES))
    text = re.sub(r"\n[ \t]*\n[ \t]*\d{1,4}[ \t]*\n[ \t]*\n", "\n", text)  # a page's number
    text = re.sub(r"\bhttps?:\s+//", lambda found: "".join(found.group().split()), text)
    for _ in range(6):
        text, changes = _BROKEN_ADDRESS.subn(_address, text)
        if not changes:
            break
    text = _GAPPED_DOI.sub(_address, text)
    whole = text

    def word(broken: re.Match[str]) -> str:
        before = _COMPOUND.search(whole[max(0, broken.start() - 12) : broken.start()])
        kept = before or _COMPOUNDED.match(whole, broken.end())
        return "-" if kept and "\u00ad" not in broken.group() else ""

    text = _BROKEN_WORD.sub(word, text)
    text = re.sub(r"(?<=[^\W\d_])-[ \t]*\n\s*(?=[^\W_a-zß-öø-ÿ])", "-", text)
    return " ".join(text.split())


def _address(broken: re.Match[str]) -> str:
    """Join both halves of an address, or part them by a space if the second belongs to none. If that is unclear, return
    the second half alone."""
    first, second = broken[1], broken[2]
    apart = f"{first} {second}"
    if not _GOES_ON.fullmatch(second) or _OTHER.match(second):
        return apart
    if first[-1] in "-/_=?&%~:#":
        return first + second
    if first[-1] == "." and re.fullmatch(r"(?:1[5-9]|20)\d\d\.?", second):
        return f" {second}"  # the year, or the DOI's next part
    mixed = bool(re.search(r"\d", second)) or "/" in second or "." in second[:-1]
    if first[-1] == ".":
        return first + second if mixed or second[0].islower() else apart
    if "." in second[:-1] and mixed and not second[0].isupper():
        return first + second if second[0] in "./-_?=&#" else f" {second}"
    return apart
