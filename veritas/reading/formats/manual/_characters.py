"""Escapes of roff in a line: characters by name, fonts and sizes that are not seen, strings and registers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

JOINED = "\x00"
"""Stands for `\\c`: the next line goes on without a space. No text that is read holds it."""
_MAX_EXPANDED = 100_000
"""Limit in characters of a line whose strings are expanded."""

_NAMED = dict(
    pair.split("=", 1)
    for pair in """
    em=— en=– hy=- bu=• co=© rg=® tm=™ aq=' dq=" lq=“ rq=” oq=‘ cq=’ Bq=„ bq=‚ Fo=« Fc=» fo=‹ fc=› ga=` aa=´ ha=^ ti=~
    rs=\\ sl=/ at=@ sh=# bv=| ba=| br=| or=| ul=_ rn=‾ Do=$ ct=¢ Eu=€ eu=€ Po=£ Ye=¥ Cs=¤ lB=[ rB=] lC={ rC=} la=⟨ ra=⟩
    <== >=≥ !== +-=± mu=× di=÷ -+=∓ pl=+ mi=− eq== ~~=≈ ~==≃ ap=∼ pt=∝ if=∞ sr=√ pd=∂ is=∫ mo=∈ nm=∉ ca=∩ cu=∪ es=∅
    no=¬ an=∧ fa=∀ te=∃ de=° fm=′ sd=″ ->=→ <-=← <>=↔ ua=↑ da=↓ rA=⇒ lA=⇐ hA=⇔ 12=½ 14=¼ 34=¾ S1=¹ S2=² S3=³ mc=µ sc=§
    dg=† dd=‡ ps=¶ pc=· md=⋅ sq=□ ci=○ lh=☜ rh=☞ OK=✓ CR=↵ ss=ß AE=Æ ae=æ OE=Œ oe=œ oa=å oA=Å /o=ø /O=Ø /l=ł -D=Ð Sd=ð
    TP=Þ Tp=þ ff=ff fi=fi fl=fl Fi=ffi Fl=ffl r!=¡ r?=¿ Of=ª Om=º t+-=± tmu=× tdi=÷ tno=¬ dA=⇓ uA=⇑ va=↕ bb=¦ %0=‰
    """.split()
)
_NAMED |= {"<=": "≤", ">=": "≥", "!=": "≠", "==": "≡", "~=": "≃", "=~": "≅", "eq": "=", "rs": "\\"}
_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", ":": "\u0308", ",": "\u0327", "v": "\u030c"}
_GREEK = dict(zip("abgdezyhiklmncoprstufxqw", "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
_ESCAPE = re.compile(
    r"""\\(?:
        (?P<comment>["\#].*)
      | f(?:\[[^\]\n]{0,200}\]|\(..|.)                          # a font
      | s(?:[+-]?\[[^\]\n]{0,200}\]|[+-]?\(..|[+-]?'[^'\n]{0,200}'|[+-]?\d)  # a size
      | [mMFgkVYO](?:\[[^\]\n]{0,200}\]|\(..|.)
      | [hvwlLDXxSHABRZb]'[^'\n]{0,200}'
      | N'(?P<code>\d{1,7})'
      | o'(?P<over>[^'\n]{0,200})'
      | \*(?:\[(?P<string>[^\]\n]{0,200})\]|\((?P<string2>..)|(?P<string1>.))
      | n[+-]?(?:\[(?P<number>[^\]\n]{0,200})\]|\((?P<number2>..)|(?P<number1>.))
      | \[(?P<long>[^\]\n]{0,200})\]
      | \((?P<short>..)
      | (?P<sign>.)
    )""",
    re.VERBOSE,
)
_SIGNS = {"-": "-", "e": "\\", "\\": "\\", " ": " ",
          "~": "\u00a0", "0": " ", "t": "\t", "c": JOINED, "'": "´", "`": "`"}
_NOTHING = frozenset("&%|^)/,:{}!dupraz")


def plain(text: str, strings: Mapping[str, str], registers: Mapping[str, int]) -> str:
    """Return a line as it is read. Escapes that are not known are the character behind the backslash."""
    return _ESCAPE.sub(lambda match: _shown(match, strings, registers, 0), text.replace(JOINED, "")).rstrip("\\")


def _shown(match: re.Match[str], strings: Mapping[str, str], registers: Mapping[str, int], depth: int) -> str:
    group = match.lastgroup
    if group is None or group == "comment":
        return ""
    said = match[group]
    if group in ("long", "short"):
        return _named(said)
    if group == "code":
        return _of_code(int(said))
    if group == "over":
        return said[-1:]
    if group.startswith("string"):
        if depth > 5 or len(strings.get(said, "")) > _MAX_EXPANDED:
            return ""
        return _ESCAPE.sub(lambda inner: _shown(inner, strings, registers, depth + 1), strings.get(said, ""))
    if group.startswith("number"):
        return str(registers.get(said, 0))
    return "" if said in _NOTHING else _SIGNS.get(said, said)


def _named(name: str) -> str:
    """Return the character of a name; the name itself for one that is not known."""
    if name in _NAMED:
        return _NAMED[name]
    if len(name) == 2 and name[0] == "*":
        letter = _GREEK.get(name[1].lower())
        return name if letter is None else letter.upper() if name[1].isupper() else letter
    if len(name) == 2 and name[0] in _ACCENTS and name[1].isalpha():
        return unicodedata.normalize("NFC", name[1] + _ACCENTS[name[0]])
    if re.fullmatch(r"u[0-9A-Fa-f]{4,6}(?:_[0-9A-Fa-f]{4,6})*", name):
        return unicodedata.normalize("NFC", "".join(_of_code(int(each, 16)) for each in name[1:].split("_")))
    if re.fullmatch(r"char\d{1,3}", name):
        return _of_code(int(name[4:]))
    return "" if name == "" or name.startswith(("pc ", "color")) else name


def _of_code(code: int) -> str:
    return chr(code) if 0x20 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
