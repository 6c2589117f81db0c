"""AsciiDoc: sections, lists, programs, tables, admonitions; marks are no text, and what is not known is."""

from __future__ import annotations

from datetime import date
from pathlib import PurePath

import pytest

from veritas.errors import CorpusError
from veritas.reading.formats import convert, kind_of


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
        ("See <<intro,the intro>>, <<other-page.adoc#part>>, xref:a.adoc#b[that page] and {base}/x[this^].",
         "See the intro, part, that page and this."),
        ("Go to https://example.org/a_b_c[the docs,window=_blank] or https://example.org/a_b_c.",
         "Go to the docs or https://example.org/a_b_c."),
        ("Press kbd:[Ctrl+C] in menu:File[Save].footnote:[Twice.] H~2~O, x^2^, ((index)) (((not, seen))).",
         "Press Ctrl+C in File › Save. (Twice.) H2O, x2, index ."),
        ("Write `+{not}+`, pass:[<b>] and \\*this*. tool:x[kept] &amp; -- done.",
         "Write {not}, <b> and *this*. tool:x[kept] & -- done."),
        ("A line +\nbroken, and one\nfilled.", "A line\nbroken, and one filled."),
        ("== One\n\nOld\n---\n\n=== Two ===", "One\n\nOld\n\nTwo"),
        ("* a\ngoes on\n** b\n+\nattached\n* c\n\n. one\n.. sub\n. two\n\n- [x] done",
         "- a goes on\n\n- b\n\nattached\n\n- c\n\n1. one\n\n1. sub\n\n2. two\n\n- done"),
        ("CPU:: The brain\nof it.\nDisk::\nThe memory.", "CPU\nThe brain of it.\n\nDisk\nThe memory."),
        (".Start\n[source,python]\n----\nrun(*args)  # <1>\n\n  x\n----\n<1> Run it.",
         "Start\n\nrun(*args)\n\n  x\n\n1. Run it."),
        ("```sh\n$ a *b*\n```\n\n....\n|kept|\n....\n\n  indented *code*\n", "$ a *b*\n\n|kept|\n\nindented *code*"),
        ("NOTE: Keep it _dry_.\n\n[WARNING]\n====\nNever.\n\n* x\n====\n\n[TIP]\nDo.",
         "Note: Keep it dry.\n\nWarning\n\nNever.\n\n- x\n\nTip: Do."),
        ("|===\n|Name |Value\n\n|a\n|1\n\n|b \\| c |*2*\n|===", "Name\tValue\na\t1\nb | c\t2"),
        ('[cols="1,2*"]\n|===\n|a|b|c\n2+|wide|last\n|===', "a\tb\tc\nwide\tlast"),
        (',===\nx,"1,5"\n,===', "x\t1,5"),
        ("[quote,Ada]\n____\nSaid.\n____\n\n////\nunseen\n////\n\n// unseen\nimage::a.png[A pump,300]",
         "Said.\n\n— Ada\n\nA pump"),
        ("include::part.adoc[]\n\nifdef::x[]\nShown.\nendif::[]", "include::part.adoc\n\nShown."),
        ("----\nnever ended", "never ended"),
    ],
)  # fmt: skip
def test_marks_are_no_text(source: str, said: str) -> None:
    assert text(source) == said


def test_a_signature_is_no_document() -> None:
    assert {kind_of(PurePath(name)) for name in ("a.adoc", "a.asc", "a.asciidoc")} == {"asciidoc"}
    with pytest.raises(CorpusError, match="is a key or a signature"):
        text("-----BEGIN PGP SIGNATURE-----\n\nabc\n")


@pytest.mark.parametrize("sign", ["+a ", "(((a", "a::\n", "* a\n", "pass:[", "[[a", "`*", "|===\n|a"])
def test_marks_that_never_end_are_text_in_the_end(sign: str) -> None:
    assert "End." in text(sign * 2_000 + "\n\nEnd.")
