"""Strangers' text cannot hide, reorder or link what it should not."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.report._html_report import quoted
from veritas.text.visible import hidden_characters, one_line, visible, web_address

PASSAGE = "The task is\nretried:\n\n@task(retries=3)\ndef fetch(url: str) -> str:\n    return get(url) + '<b>'"
ANY_TEXT = st.text(st.characters(codec=None), max_size=200)  # lone surrogates too


@given(ANY_TEXT)
def test_no_control_bidi_or_surrogate_character_survives(text: str) -> None:
    shown = visible(text)
    for character in shown:
        assert character in "\n\t" or unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"}
        assert unicodedata.bidirectional(character) not in {
            "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    shown.encode("utf-8")


@given(ANY_TEXT)
def test_what_is_visible_is_left_alone(text: str) -> None:
    if not hidden_characters(text) and "\r" not in text:
        assert visible(text) == text


@pytest.mark.parametrize("text", [
    "plain text", "Ünïcödé ß 漢字", "می‌خواهم", "👩‍👩‍👧 family", "क्‍ष", "tab\tand\nnewline", "עברית and English",
])
def test_ordinary_writing_is_ordinary(text: str) -> None:
    assert hidden_characters(text) == []
    assert visible(text) == text


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


def test_one_line_has_no_line_break_of_any_kind() -> None:
    assert one_line(" a\n\n b\u2028c\tdé\u00a0f ") == "a b⟦U+2028⟧c dé f"


@pytest.mark.parametrize("url", [
    "https://example.org/a?b=c#d", "http://example.org", "https://sub.example.org:8443/ü", "https://[2001:db8::1]/x",
])
def test_web_addresses_are_links(url: str) -> None:
    assert web_address(url) == url


def test_a_look_alike_host_shows_its_registered_name() -> None:
    assert web_address("https://docs.pyth\u043en.org:8443/a?b#c") == "https://docs.xn--pythn-mye.org:8443/a?b#c"
    assert web_address("https://münchen.example/ö") == "https://xn--mnchen-3ya.example/ö"


@pytest.mark.parametrize("url", [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<script>", "corpus://demo/a", "file:///etc/passwd",
    "", "//example.org/x", "https://", "https:///x", "https://user:pass@example.org/", "https://example.org/ a",
    'https://example.org/"onmouseover="x', "https://example.org/\u202e", "\x01https://example.org",
    " https://example.org",
    "https://ü..example/", "https://ü:99999/",
    "https://[::1", "https://good.example\\@evil.example/", "vbscript:x", "java\nscript:alert(1)",
])
def test_everything_else_is_text(url: str) -> None:
    assert web_address(url) is None


def test_the_lines_of_a_program_stand_as_they_are_in_a_passage_and_prose_runs_on() -> None:
    shown = quoted(PASSAGE)
    prose, program = str(shown).split('<span class="gap"></span>')
    assert "<code" not in prose
    assert program.startswith('<code class="program">@task(retries=3)\ndef fetch')
    assert "\n    return get(url) + &#39;&lt;b&gt;&#39;</code>" in program
