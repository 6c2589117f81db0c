"""The encoding of a bibliography: what it says itself, else the one in which its words look like words.

Such a file is nearly all ASCII, with a few names and titles in it, so statistics over the whole text decide nothing.
Only the words with other letters are looked at: in a wrong encoding their letters are of mixed script and case, or
rare.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_SAID = re.compile(
    rb"(?:\A\s*<\?xml[^>]{0,100}\bencoding\s*=\s*[\"']|%\s*(?:!\w+\s+)?[Ee]ncoding\s*[:=]\s*)([\w.:-]{2,30})"
)
_INPUTENC = re.compile(rb"\\usepackage\s*\[\s*([\w-]{2,20})\s*\]\s*\{inputenc\}")
_HALF_WIDTH = range(0xFF61, 0xFFA0)
_CANDIDATES = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "koi8_r", "cp932", "euc_jp", "gb18030", "big5", "cp949",
    "mac_roman",
)  # fmt: skip
"""In order of preference where two read equally well."""
_WORD = re.compile(r"[^\s!-/:-@\[-`{-~]+")
_INSIDE = re.compile(r"[a-z][^\x00-\x7f]{1,3}[a-z]")
"""A few letters inside a word of ASCII: accents, not Chinese characters."""
_MAX_WORDS = 3000
_COMMON_WESTERN = frozenset("äöüßéèêëàâáãåçñíìîïóòôõøúùûýÿæœøÄÖÜÉÈÁÀÂÃÅÇÑÍÓÔÕØÚÛŒÆŠšŽž“”„‘’–—…«»©®°·§€¿¡")
_COMMON_CENTRAL = frozenset("ąćęłńóśźżáčďéěíňřšťúůýžäöüőűăâîșțţşđĄĆĘŁŃÓŚŹŻČĎĚŇŘŠŤŮŽÁÉÍÖÜŐŰ“”„‘’–—…«»")
_COMMON_LETTERS = {"CYRILLIC": frozenset("оеаинтсрвлкмдпуыя"), "GREEK": frozenset("αοιετνσςρκπυλμήόίά")}
_COMMON_TURKISH = frozenset("ığşİĞŞçöüÇÖÜâîû")
_LATIN = {
    "cp1252": (_COMMON_WESTERN, 1.0), "cp1250": (_COMMON_CENTRAL, 0.97), "cp1254": (_COMMON_TURKISH, 0.95),
    "mac_roman": (_COMMON_WESTERN, 0.96),
}  # fmt: skip
"""The usual letters of an encoding of Latin letters, and how much a word of them counts."""


def encoding_of(data: bytes) -> str | None:
    """Return Python's name of the encoding of a text file; None for data that no encoding of text reads.

    A byte-order mark decides, then UTF-8, what the file declares (XML, JabRef's `% Encoding:`, LaTeX's `inputenc`), and
    a guess by its words. ISO 8859-1 is read as Windows-1252, of which it is a part in practice.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return name if _reads(data, name) else None
    if b"\0" in data[:4096]:
        even, odd = data[:4096:2].count(0), data[1:4096:2].count(0)
        wide = "utf-16-be" if even > odd else "utf-16-le"
        return wide if min(even, odd) * 10 < max(even, odd) and _reads(data, wide) else None
    if b"\x1b$" in data and _reads(data, "iso2022_jp_2"):
        return "iso2022_jp_2"
    if _reads(data, "utf-8"):
        return "utf-8"
    declared = _SAID.search(data[:4000]) or _INPUTENC.search(data[:20_000])
    if declared and (known := _known(declared[1].decode())) and known != "utf-8" and _reads(data, known):
        return known
    scores = {name: score for name in _CANDIDATES if (score := _score(data, name)) is not None}
    if scores and max(scores.values()) > 0:
        return max(scores, key=lambda name: scores[name])
    return "cp1252" if _reads(data, "cp1252") else "latin-1"


def encoded(text: str, encoding: str, like: bytes) -> tuple[bytes, bool]:
    """Return `text` in an encoding, with the byte-order mark that `like` has, and whether the encoding could be kept;
    with letters that it does not have the text is UTF-8."""
    if encoding in ("utf-16", "utf-32"):
        size, order = (2, 4)[encoding == "utf-32"], "le" if like[:1] == b"\xff" else "be"
        return like[:size] + text.encode(f"{encoding}-{order}", "replace"), True
    if encoding in ("utf-8", "utf-8-sig"):
        return text.encode(encoding, "replace"), True
    try:
        return text.encode(encoding), True
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace"), False


def _known(name: str) -> str | None:
    name = {"ansinew": "cp1252", "applemac": "mac_roman"}.get(name.lower(), name)
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return None
    return {"iso8859-1": "cp1252", "gbk": "gb18030", "gb2312": "gb18030", "shift_jis": "cp932"}.get(found, found)


def _reads(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except (UnicodeError, ValueError):
        return False
    return True


def _score(data: bytes, name: str) -> float | None:
    """Return how well the words with letters beyond ASCII read, from -1 to 1 a byte; None if a byte cannot be read."""
    try:
        text = data.decode(name)
    except UnicodeError:
        return None
    total, weight = 0.0, 0
    for count, word in enumerate(found.group() for found in _WORD.finditer(text) if not found.group().isascii()):
        size = len(word.encode(name)) - sum(sign.isascii() for sign in word)
        total += _reading(word, name) * size
        weight += size
        if count >= _MAX_WORDS:
            break
    return total / weight if weight else None


@lru_cache(maxsize=4096)
def _reading(word: str, name: str) -> float:
    """Return how well one word reads in an encoding, from -1 to 1."""
    odd = [sign for sign in word if not sign.isascii()]
    if any(unicodedata.category(sign) in ("Cc", "Co", "Cn") for sign in odd):
        return -1
    if name in _LATIN:
        return _latin(word, odd, name)
    if name in ("cp1251", "koi8_r", "cp1253"):
        return _alphabetic(word, odd, "GREEK" if name == "cp1253" else "CYRILLIC")
    if _INSIDE.search(word):
        return -0.3
    return sum(_east_asian(sign, name) for sign in odd) / len(odd)


def _latin(word: str, odd: list[str], name: str) -> float:
    letters = [sign for sign in word if sign.isalpha()]
    accented = [sign for sign in odd if sign.isalpha()]
    if any(not sign.isalpha() and sign not in "“”„‘’‚–—…«»©®°·§€ªº£¥¿¡\xa0" for sign in odd):
        return -0.5
    if len(letters) > 2 and 2 * len(accented) > len(letters) + 1:
        return 0.2 if len(letters) < 5 and set(accented) <= _COMMON_CENTRAL and name == "cp1250" else -1
    if name == "cp1252" and "ø" in word and set("áíýìùè") & set(word):
        return 0.4  # a Czech ř
    if any(a.islower() and b.isupper() and not b.isascii() for a, b in pairwise(word)):
        return -0.5
    common, weight = _LATIN[name]
    usual = sum(sign in common for sign in odd) / len(odd)
    return usual * weight - (1 - usual) * 0.3


def _alphabetic(word: str, odd: list[str], script: str) -> float:
    letters = [sign for sign in word if sign.isalpha()]
    own = [sign for sign in odd if unicodedata.name(sign, "").startswith(script)]
    quotes = sum(sign in "“”„‘’–—…«»№·\xa0" for sign in odd)
    if len(own) + quotes < len(odd) or (own and len(own) < len(letters)):
        return -0.5
    if not own:
        return 0.3
    changed = any(a.islower() and b.isupper() for a, b in pairwise(word))
    swapped = len(word) > 2 and word[0].islower() and word[1:].isupper()
    if changed or swapped:
        return -0.7
    usual = sum(sign.lower() in _COMMON_LETTERS[script] for sign in own) / len(own)
    return (0.7 + 0.25 * usual) * (0.8 if len(own) > 2 and all(sign.isupper() for sign in own) else 1)


def _east_asian(sign: str, name: str) -> float:
    code = ord(sign)
    if code in _HALF_WIDTH:
        return -0.6
    if 0x3040 <= code < 0x3100:
        return 1.0 if name in ("cp932", "euc_jp") else 0.3
    if 0xAC00 <= code < 0xD7B0:
        return 0.95 if name == "cp949" and len(sign.encode("euc_kr")) == 2 else -0.6
    if 0x3000 <= code < 0x3040 or 0xFF00 <= code < 0xFF61 or sign in "“”‘’—…·":
        return 0.5
    if not 0x4E00 <= code < 0xA000:
        return -0.5
    first = _lead(sign, name)
    usual = {"gb18030": range(0xB0, 0xD8), "big5": range(0xA4, 0xC7), "cp932": range(0x88, 0x98),
             "euc_jp": range(0xB0, 0xD0), "cp949": range(0xCA, 0xFE)}[name]  # fmt: skip
    known = {"gb18030": "gb2312", "big5": "big5", "cp932": "shift_jis", "euc_jp": "euc_jp", "cp949": "euc_kr"}[name]
    if not _writes(sign, known):
        return -0.6
    if name == "cp949":
        return 0.1  # Korean is written in Hangul; the odd name has Chinese characters
    return 0.9 if first in usual else 0.2


def _lead(sign: str, name: str) -> int:
    return sign.encode(name)[0]


def _writes(sign: str, name: str) -> bool:
    try:
        sign.encode(name)
    except UnicodeError:
        return False
    return True
