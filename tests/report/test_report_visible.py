"""Strangers' text cannot hide, reorder or link what it should not."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.text.visible import visible, web_address

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)  # lone surrogates too


@given(ANY_TEXT)
def test_no_control_bidi_or_surrogate_character_survives(text: str) -> None:
    shown = visible(text)
    for character in shown:
        assert character in "\n\t" or unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"}
        assert unicodedata.bidirectional(character) not in {
            "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    shown.encode("utf-8")


@pytest.mark.parametrize(("text", "shown"), [
    ("a\u202eb", "a⟦U+202E⟧b"),
    ("pass\u200bword", "pass⟦U+200B⟧word"),
    ("latin\u200djoiner", "latin⟦U+200D⟧joiner"),
    ("\u200dfirst", "⟦U+200D⟧first"),
    ("\x1b[2J", "⟦U+001B⟧[2J"),
    ("half\ud800", "half⟦U+D800⟧"),
    ("tag\U000e0041", "tag⟦U+E0041⟧"),
    ("one\r\ntwo\rthree", "one\ntwo⟦U+000D⟧three"),
    ("blank\u3164letter", "blank⟦U+3164⟧letter"),
])
def test_hidden_characters_are_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("url", [
    "https://example.org/a?b=c#d", "http://example.org", "https://sub.example.org:8443/ü", "https://[2001:db8::1]/x",
])
def test_web_addresses_are_links(url: str) -> None:
    assert web_address(url) == url


def test_a_look_alike_host_shows_its_registered_name() -> None:
    assert web_address("https://docs.pyth\u043en.org:8443/a?b#c") == "https://docs.xn--pythn-mye.org:8443/a?b#c"
    assert web_address("https://münchen.example/ö") == "https://xn--mnchen-3ya.example/ö"
