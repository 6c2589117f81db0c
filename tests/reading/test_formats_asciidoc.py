"""AsciiDoc: sections, lists, programs, tables, admonitions; marks are no text, and what is not known is."""

from __future__ import annotations

from datetime import date

import pytest

from veritas.reading.formats import convert


def text(source: str) -> str:
    return convert(source.encode(), "asciidoc").text


def test_the_header_is_title_authors_and_date() -> None:
    converted = convert(
        b"// of ours\n= The *Tarn* Guide\nAda Lovelace <ada@example.org>; Bo Diddley\nv1.2, 2024-05-03: first\n"
        b":product: Tarn\n\n{product} reads. {other} stays.\n",
        "asciidoc",
    )
    assert converted.text == "The Tarn Guide\n\nTarn reads. {other} stays."
    assert converted.title == "The Tarn Guide"
    assert converted.authors == ("Ada Lovelace", "Bo Diddley")
    assert converted.published_at == date(2024, 5, 3)
    assert text("= Guide\nthis is no author, but text of it.\n\nMore.").split("\n\n")[1:] == [
        "this is no author, but text of it.", "More."
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("It is *bold*, _slanted_, `mono(*a)` and #marked#, **a**b, snake_case_name and 2 * 3 * 4.",
         "It is bold, slanted, mono(*a) and marked, ab, snake_case_name and 2 * 3 * 4."),
        ("Go to https://example.org/a_b_c[the docs,window=_blank] or https://example.org/a_b_c.",
         "Go to the docs or https://example.org/a_b_c."),
        ("Write `+{not}+`, pass:[<b>] and \\*this*. tool:x[kept] &amp; -- done.",
         "Write {not}, <b> and *this*. tool:x[kept] & -- done."),
        ("== One\n\nOld\n---\n\n=== Two ===", "One\n\nOld\n\nTwo"),
        ("CPU:: The brain\nof it.\nDisk::\nThe memory.", "CPU\nThe brain of it.\n\nDisk\nThe memory."),
        ("```sh\n$ a *b*\n```\n\n....\n|kept|\n....\n\n  indented *code*\n", "$ a *b*\n\n|kept|\n\nindented *code*"),
        ("|===\n|Name |Value\n\n|a\n|1\n\n|b \\| c |*2*\n|===", "Name\tValue\na\t1\nb | c\t2"),
        (',===\nx,"1,5"\n,===', "x\t1,5"),
        ("include::part.adoc[]\n\nifdef::x[]\nShown.\nendif::[]", "include::part.adoc\n\nShown."),
    ],
)  # fmt: skip
def test_marks_are_no_text(source: str, said: str) -> None:
    assert text(source) == said


@pytest.mark.parametrize("sign", ["+a ", "(((a", "a::\n", "* a\n", "pass:[", "[[a", "`*", "|===\n|a"])
def test_marks_that_never_end_are_text_in_the_end(sign: str) -> None:
    assert "End." in text(sign * 2_000 + "\n\nEnd.")
