"""Keys taken out of text: in every form in which one may come back, and nothing else of a document."""

from __future__ import annotations

import base64
import html
import json
import string
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.leaks import leaks
from veritas.redaction import Redactor, is_secret, secrets_in

KEY = "sk-live-7Qw9+Zr/2Yx=Lm4Np8Tb6Vc1"
ONE = Redactor({KEY: "OPENAI_API_KEY"})
MARK = "OPENAI_API_KEY-withheld"
SIGNS = string.ascii_letters + string.digits + "-_.+/=%&\"\\'~"


def _each(write: str) -> Callable[[str], str]:
    return lambda key: "".join(write.format(ord(sign)) for sign in key)


FORMS: dict[str, Callable[[str], str]] = {
    "plain": lambda key: key,
    "capitals": str.upper,
    "in a query": lambda key: quote(key, safe=""),
    "every sign in a URL": _each("%{:02x}"),
    "twice in a URL": lambda key: quote(quote(key, safe=""), safe=""),
    "HTML": _each("&#{};"),
    "HTML in hexadecimal": _each("&#x{:X};"),
    "HTML twice": lambda key: html.escape("".join(f"&#x{ord(sign):x};" for sign in key)),
    "JSON": _each("\\u{:04x}"),
    "JSON in JSON": lambda key: json.dumps("".join(f"\\u{ord(sign):04x}" for sign in key)),
    "JSON in a URL": lambda key: quote("".join(f"\\u{ord(sign):04x}" for sign in key), safe=""),
    "HTML in a URL": lambda key: quote("".join(f"&#x{ord(sign):x};" for sign in key), safe=""),
    "HTML in JSON": lambda key: "".join(f"\\u0026#x{ord(sign):x};" for sign in key),
    "a string of a program": _each("\\x{:02x}"),
    "quoted-printable": _each("={:02X}"),
    "quoted-printable, wrapped": lambda key: f"{key[:15]}=\r\n{key[15:]}",
    "hexadecimal": lambda key: key.encode().hex().upper(),
    "soft hyphens": "\u00ad".join,
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 for URLs": lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    **{
        f"Basic, {len(user)} before": lambda key, user=user: base64.b64encode(f"{user}{key}".encode()).decode()  # type: ignore[misc]
        for user in ("u:", "me:", "you:")
    },
    "base64 in a URL": lambda key: quote(base64.b64encode(f"user:{key}".encode()).decode(), safe=""),
    "UTF-16 in base64": lambda key: base64.b64encode(key.encode("utf-16-be")).decode(),
    "UTF-16 in hexadecimal": lambda key: key.encode("utf-16-le").hex(),
    "base64 in base64": lambda key: base64.b64encode(base64.b64encode(f"Bearer {key}".encode())).decode(),
    "hexadecimal in base64": lambda key: base64.b64encode(key.encode().hex().encode()).decode(),
    "base64, wrapped": lambda key: base64.encodebytes(f"Authorization: Bearer {key} {key}".encode()).decode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_key_is_withheld_in_whatever_form_it_comes(form: str) -> None:
    text = f"before {FORMS[form](KEY)} after"
    kept = ONE.exact(text)
    assert MARK in kept
    assert kept.startswith("before ")
    assert kept.endswith(" after")
    assert leaks([KEY], texts=[kept]) == []
    assert ONE.exact(kept) == kept


def _cut(width: int, by: str) -> Callable[[str], str]:
    return lambda text: by.join(text[at : at + width] for at in range(0, len(text), width))


APART: dict[str, Callable[[str], str]] = {
    **{f"wrapped at {width}": _cut(width, "\n") for width in (4, 8, 10, 13, 15, 18)},
    "wrapped, indented": _cut(10, "\r\n\t  "),
    "a blank line within": _cut(15, "\n\n"),
    "quoted": _cut(10, "\n> "),
    "commented": _cut(10, "\n# "),
    "continued": _cut(10, "\\\n"),
    "escaped": _cut(10, "\\n"),
    "escaped twice": _cut(10, "\\\\n"),
    "broken": _cut(10, "<br>"),
    "broken, with attributes": _cut(9, '<wbr class="k"/>'),
    "marked": _cut(1, "</b><b>"),
    "joined": _cut(10, '" + "'),
    "one blank": _cut(15, " "),
    "one nbsp": _cut(15, "\u00a0"),
    "nbsp of HTML": _cut(15, "&nbsp;"),
    "blanks": _cut(1, " "),
    "unseen": _cut(1, "\ufe0f"),
    "left to right": _cut(9, "\u200e"),
    "unseen in JSON": lambda key: json.dumps(_cut(5, "\u200b")(key)),
    "zero": _cut(1, "\0"),
    "coloured": _cut(12, "\x1b[1;31m"),
    "coloured in JSON": lambda key: json.dumps(_cut(12, "\x1b[0m")(key)),
    "a break in a URL": _cut(9, "%0A"),
    "hexadecimal, blanks": lambda key: key.encode().hex(" "),
    "hexadecimal, colons": lambda key: key.encode().hex(":"),
    "hexadecimal of C": lambda key: ", ".join(f"0x{byte:02x}" for byte in key.encode()),
    "base64, wrapped at 10": lambda key: _cut(10, "\n")(base64.b64encode(f"Bearer {key}".encode()).decode()),
    "in a URL, wrapped": lambda key: _cut(10, "\n")(quote(key, safe="")),
}


@pytest.mark.parametrize(
    "key", [KEY, "Qw7zAlphaKey-93fGhT2kLmN_xYz0", "kJdUqRbXe4WmZtYcHvNa", "Ab+9/cdEFgh1=jkLMn&opQ\"r'sT2uv"]
)
@pytest.mark.parametrize("form", APART)
def test_a_key_whose_characters_stand_apart_is_withheld(form: str, key: str) -> None:
    text = f"before {APART[form](key)} after"
    for kept in (Redactor({key: "K"}).exact(text), Redactor({key: "K"}).message(text)):
        assert "K-withheld" in kept
        assert kept.startswith("before ")
        assert kept.endswith(" after")
        assert leaks([key], texts=[kept]) == []
        assert not any(part in kept for part in (key[:6], key[-6:]))


@pytest.mark.parametrize("key", ["P9gNf7Hq2L", "local-llama-3-server", "AbCdEfGhIjKl", "correct-horse-battery-staple"])
def test_a_short_key_or_one_of_words_is_withheld_over_the_end_of_a_line(key: str) -> None:
    for by in ("\n", "\r\n  ", "\n\n> ", "\\n", "<br>", "\u200b"):
        assert Redactor({key: "K"}).exact(f"see {_cut(7, by)(key)}.") == "see K-withheld."


@pytest.mark.parametrize("sign", ["\\", "&amp;", "%25", "<b ", "\x1b[0;", "\n", "\\u{0"])
def test_a_text_of_escapes_alone_is_read_in_a_time_that_grows_with_its_length(sign: str) -> None:
    assert not ONE.holds(sign * 40_000)  # squared, it would be hours for a backslash


def test_json_stays_json_where_its_strings_hold_a_key_in_parts() -> None:
    said = {"a": [[list(KEY)], {"b": KEY[:9]}, KEY[9:]], "c": {KEY[:12]: {"d": "before"}}, "e": _cut(3, "\n")(KEY)}
    kept = ONE.exact(json.dumps(said))
    assert leaks([KEY], texts=[kept]) == []
    assert json.loads(kept)["e"] == MARK
    assert json.loads(kept)["c"] == said["c"]


@given(
    st.text(alphabet=SIGNS, min_size=12, max_size=60).filter(is_secret),
    st.sampled_from(sorted(set(FORMS) - {"base64, wrapped"})),
    st.text(max_size=20),
)
def test_whatever_the_key_nothing_of_it_can_be_read_again(key: str, form: str, around: str) -> None:
    kept = Redactor({key: "K"}).exact(f"{around} {FORMS[form](key)} {around}")
    assert "K-withheld" in kept
    if key.lower() not in around.lower():
        assert leaks([key], texts=[kept]) == []


def test_the_mark_breaks_neither_json_nor_html_nor_a_url() -> None:
    from urllib.parse import urlsplit

    said = json.dumps({"url": f"https://{KEY}@example.org:80/{KEY}?k={KEY}#{KEY}", KEY: [KEY]})
    kept = json.loads(ONE.exact(said))
    assert kept[MARK] == [MARK]
    assert urlsplit(kept["url"]).hostname == "example.org"
    assert quote(MARK, safe="") == html.escape(MARK) == MARK


@pytest.mark.parametrize(
    "value",
    [
        "EMPTY", "none", "ollama", "lm-studio", "not-needed", "sk-xxx", "sk-xxxxxxxxxxxxxxxxxxxx", "sk-1234567890",
        "test-key", "your-api-key", "sk-no-key-required", "anything", "xxxxxxxxxxxx", "00000000", "changeme", "dummy",
        "", "hunter2", "<your key here>", "${OPENAI_API_KEY}", "sk-test-key", "localhost",
    ],
)  # fmt: skip
def test_a_placeholder_is_no_key_and_stays_in_documents(value: str) -> None:
    assert not is_secret(value)
    text = f"Set OPENAI_API_KEY={value} for a server of your own; {value} will do."
    assert Redactor({value: "OPENAI_API_KEY"}).exact(text) is text


@pytest.mark.parametrize(
    "value",
    ["sk-proj-abc123def456", "c0ffee1234deadbeef", "P9gNf7Hq2L", "correct-horse-battery-staple", "AbCdEfGhIjKl"],
)
def test_a_value_that_is_no_word_is_a_key(value: str) -> None:
    assert is_secret(value)


PAGE = (
    "OpenAI keys begin with sk-, as in sk-proj-9f8Gh2Jk4Lm6Np8Qr0StUv. Send Authorization: Bearer sk-1234abcd5678efgh "
    "or https://user:secret99@example.org/?key=abcdef123456, and never print OPENAI_API_KEY."
)


def test_a_message_loses_what_looks_like_a_key() -> None:
    said = Redactor({}).message(PAGE)
    for part in ("9f8Gh2", "1234abcd", "secret99", "abcdef123456"):
        assert part not in said
    assert "never print OPENAI_API_KEY" in said
    assert Redactor({}).message(said) == said


@pytest.mark.parametrize(
    "said",
    [
        "x refuses the key (401): check TAVILY_API_KEY or set VERITAS_ZOTERO_KEY",
        "corpus://sk-learn/index.md [70:144], request 5f3a9c1e2b7d4f60, run 20261122-113605-37974c, a-042882e551a0",
        "Basic authentication is wanted; bearer tokens are not taken",
        "the claim says 1084.62 degrees, its passage https://example.org/a?page=12345678",
    ],
)
def test_an_ordinary_message_stays(said: str) -> None:
    assert ONE.message(said) == said


def test_what_is_left_of_a_key_that_was_cut_off_is_withheld_in_a_message() -> None:
    assert ONE.message(f"Incorrect API key provided: {KEY[:20]}") == f"Incorrect API key provided: {MARK}"


@given(st.lists(st.sampled_from(["text ", KEY, quote(KEY, safe=""), "more\n"]), max_size=12), st.data())
def test_offsets_move_with_the_text(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    starts, at = [], 0
    for part in parts:
        starts.append(at)
        at += len(part)
    kept, moved = ONE.exact(text), ONE.moved(text, tuple(starts))
    for part, start in zip(parts, moved, strict=True):
        assert kept[start:].startswith(ONE.exact(part))


def test_secrets_stand_in_urls_and_behind_bearer_too() -> None:
    found = {value for _, value in secrets_in("X_URL", "https://me:p%40ss-word1@host/?api_key=k1234567")}
    assert found == {"p%40ss-word1", "p@ss-word1", "k1234567"}
    assert "abc12345" in {value for _, value in secrets_in("X_API_KEY", "Bearer abc12345")}
    assert "pass1234" in {value for _, value in secrets_in("PREFECT_API_AUTH_STRING", "admin:pass1234")}
