"""Bytes to text: exact, or guessed and said so, or refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.errors import CorpusError
from veritas.reading.charset import decode

plain = st.text(st.characters(blacklist_characters="\x00\r\ufeff", blacklist_categories=("Cs",)))


@given(plain)
def test_utf_8_is_read_as_it_is(text: str) -> None:
    assert decode(text.encode()) == (text, None)


@given(plain, st.sampled_from(["utf-8-sig", "utf-16", "utf-32"]))
def test_a_byte_order_mark_decides(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), declared="latin-1") == (text, None)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("The résumé of Dr. Müller shows a naïve façade.", "cp1252"),
        ("naïve", "latin-1"),
        ("“Quoted” – for 20 €", "cp1252"),
        ("Привет мир, это проверка кодировки и ничего больше.", "cp1251"),
        ("これはテストです。日本語の文章を書きます。", "shift_jis"),
    ],
)
def test_a_guess_is_right_on_ordinary_text_and_is_reported(text: str, encoding: str) -> None:
    found, remark = decode(text.encode(encoding))
    assert found == text
    assert remark is not None
    assert "guess" in remark


def test_nothing_is_ever_replaced() -> None:
    for data in (b"caf\xe9 \x81\x8d\x8f\x90\x9d", bytes(range(128, 256)) * 3, b"\xff\xfe\x00", b"\xef\xbb\xbf\xff"):
        try:
            text, _ = decode(data)
        except CorpusError:
            continue
        assert "\ufffd" not in text


@pytest.mark.parametrize("data", [b"ab\x00cd", b"\x89PNG\r\n\x1a\n\x00\x00\rIHDR\xff\xfe", "a\x00b".encode("utf-16")])
def test_what_holds_nul_is_no_text(data: bytes) -> None:
    with pytest.raises(CorpusError, match=r"NUL|binary"):
        decode(data)


@pytest.mark.parametrize("codec", ["unicode_escape", "utf-7", "rot13", "hex", "idna", "punycode", "undefined", "\x00"])
def test_a_codec_that_is_no_charset_cannot_be_declared(codec: str) -> None:
    assert decode(b"caf\xe9 \\x41 +AEE-", declared=codec)[0] == "café \\x41 +AEE-"
