"""Decoding of bytes, without guesses that could silently put wrong letters into a document."""

from __future__ import annotations

import codecs
import re

from veritas.errors import CorpusError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NO_CHARSET = frozenset({"unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode", "undefined"})
"""Python's codecs that a page could declare but that are no character encoding of the web."""
_WESTERN = re.compile(r"[^\W\d_]|[ -~\s‘’‚“”„–—…•·€£§©®°«»¿¡ªº¼½¾±×÷µ\xa0]")
_OTHERS = (
    "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r", "cp932", "euc_jp", "gb18030",
    "big5", "cp949",
)  # fmt: skip
_SAMPLE = 200_000
"""Bytes examined to guess an encoding; the guess must then decode the whole."""


def decode(data: bytes, *, declared: str | None = None) -> tuple[str, str | None]:
    """Return the text of `data`, newlines as `\\n`, and a remark if the encoding had to be guessed.

    A byte-order mark decides; then UTF-8, `declared` (from a web page's head) and a guess, each only if it decodes
    every byte. Raises `CorpusError` if none does, and for NUL characters, which no text has.
    """
    text, remark = _decoded(data, declared)
    if "\x00" in text:
        raise CorpusError("holds NUL characters, so it is no text")
    return text.replace("\r\n", "\n").replace("\r", "\n"), remark


def _decoded(data: bytes, declared: str | None) -> tuple[str, str | None]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            text = _try(data[len(bom) :], encoding)
            if text is None:
                raise CorpusError(f"begins with the mark of {encoding.upper()} but is not valid {encoding.upper()}")
            return text, None
    named = (declared or "").strip().lower().replace("_", "-")
    # A stateful encoding such as ISO-2022-JP is valid UTF-8 in plain ASCII, so the declaration comes first.
    order = [named, "utf-8"] if named.startswith(("iso-2022", "hz")) else ["utf-8", named]
    for candidate in order:
        if candidate and candidate not in _NO_CHARSET and (text := _try(data, candidate)) is not None:
            return text, None
    if b"\x00" in data[:_SAMPLE]:
        raise CorpusError("is a binary file, not text")
    guess = _guess(data)
    if guess and (text := _try(data, guess)) is not None:
        return text, f"is not UTF-8; read as {guess}, which is a guess: save it as UTF-8 to be sure"
    raise CorpusError("is in no encoding that decodes it wholly: save it as UTF-8")


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError, ValueError):
        return None


def _guess(data: bytes) -> str | None:
    """Return Windows-1252 if the result looks like a Western text (few accents, all letters), else the statistical
    guess, which is worse on Western text."""
    sample = data[:_SAMPLE]
    western = _try(sample, "cp1252")
    if western is not None:
        odd = sum(character > "~" for character in western)
        if odd <= max(1, len(western) // 6) and len(_WESTERN.findall(western)) == len(western):
            return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=list(_OTHERS)).best()
    return best.encoding if best is not None else None
