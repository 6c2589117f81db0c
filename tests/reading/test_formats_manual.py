"""Manual pages, in the macros of man and of mdoc: their sections, options, programs and tables."""

from __future__ import annotations

import gzip
from datetime import date
from pathlib import Path, PurePath

import pytest

from veritas.errors import CorpusError
from veritas.reading.formats import convert, kind_of
from veritas.reading.loading import load_corpus
from veritas.registries.file_names import is_file_name

MAN = r"""'\" t
.\" A comment.
.if n .ds Q \(lq
.ie t .ds S no
.el \{\
.ds S yes
.\}
.de Vx
.nf
\\$1 \\$2
.fi
..
.TH TARN 1 2024-05-03 "tarn 1.2"
.SH NAME
tarn \- read \fIfolders\fP
.SH SYNOPSIS
.B tarn
[\fIOPTION\fR]...
.SH DESCRIPTION
Reads\~folders; caf\['e], \*Qquoted\(rq, \*S.
It goes on \" unseen
here.
.PP
A second paragraph.
.TP
.BR \-v ", " \-\-verbose
Says what
it does.
.IP \(bu 2
One.
.IP \(bu
Two.
.IP 1.
First.
.SS "Sub section"
.EX
run \-\-all
    \e  indented
.EE
.Vx a "b c"
.TS
tab(|);
l l.
Name|Value
_
alpha|T{
one
two
T}
.TE
.zz kept
.BR tarn (5)
"""
MDOC = r""".Dd May 3, 2024
.Dt TARN 1
.Os
.Sh NAME
.Nm tarn
.Nd read folders
.Sh SYNOPSIS
.Nm
.Op Fl v
.Op Fl o Ar file
.Ar folder ...
.Sh DESCRIPTION
.Nm
reads
.Em folders ,
as
.Xr ls 1
does
.Pq see Dq below .
Written
.Sm off
.Oo Ar user No @ Oc Ar host
.Sm on
for short.
.Bl -tag -width Ds
.It Fl D Xo
.Op Ar bind :
.Ar port
.Xc
Listens.
.It Fl v
Says what it does.
.El
.Bl -bullet
.It
One.
.It
Two.
.El
.Bd -literal -offset indent
run  all
.Ed
.Bl -column a b
.It Name Ta Value
.El
.Sh EXIT STATUS
.Ex -std
"""


def text(page: str) -> str:
    return convert(page.encode(), "man").text


def test_man_is_sections_terms_items_programs_and_tables() -> None:
    converted = convert(MAN.encode(), "man")
    assert converted.text == (
        "NAME\n\ntarn - read folders\n\nSYNOPSIS\n\ntarn [OPTION]...\n\nDESCRIPTION\n\n"
        "Reads\u00a0folders; café, “quoted”, yes. It goes on here.\n\nA second paragraph.\n\n"
        "-v, --verbose\nSays what it does.\n\n- One.\n\n- Two.\n\n1. First.\n\nSub section\n\n"
        "run --all\n    \\  indented\n\na b c\n\nName\tValue\nalpha\tone two\n\nkept tarn(5)"
    )
    assert converted.title == "tarn(1): read folders"
    assert converted.published_at == date(2024, 5, 3)


def test_mdoc_is_sections_terms_items_programs_and_tables() -> None:
    converted = convert(MDOC.encode(), "man")
    assert converted.text == (
        "NAME\n\ntarn – read folders\n\nSYNOPSIS\n\ntarn [-v] [-o file] folder ...\n\nDESCRIPTION\n\n"
        "tarn reads folders, as ls(1) does (see “below”). Written [user@]host for short.\n\n"
        "-D [bind]: port\nListens.\n\n-v\nSays what it does.\n\n- One.\n\n- Two.\n\nrun  all\n\nName\tValue\n\n"
        "EXIT STATUS\n\nThe tarn utility exits 0 on success, and >0 if an error occurs."
    )
    assert converted.title == "tarn(1): read folders"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (r"a\(em\(co\[u00E9]\(*a\[:o]\N'65'\s-1b\s0\f(CWc\fR", "a—©éαöAbc"),
        (r"no\&\|\^thing\%, \\fB and \e and \zz", "nothing, \\fB and \\ and z"),
        (".if t unseen\n.if !n unseen\n.if n seen", "seen"),
        (".nr x 3\n.if \\nx>2 \\{\\\nseen\n.if (\\nx=4):(\\nx<2) unseen\n.\\}", "seen"),
        (".ig\nunseen\n..\nseen", "seen"),
        (".TP\n.B a\n.TQ\nb\nBoth.", "a, b\nBoth."),
        (".gitignore files are text\nas are \\fIothers", ".gitignore files are text as are others"),
        ("half a \\", "half a"),
        (".UR https://example.org\nhere\n.UE .", "here <https://example.org>."),
    ],
)
def test_requests_and_escapes(source: str, said: str) -> None:
    assert text(f".SH A\n{source}") == f"A\n\n{said}"


def test_a_page_that_calls_itself_or_never_ends_is_read_in_the_end() -> None:
    assert len(text(".SH A\n.de X\n.X\n.X\n.X\n..\n.X\nDone.")) < 100
    assert text(".SH A\n.de X\nnever ended").strip() == "A"
    assert text(".SH A\n" + ".ds a \\*a\\*a\n\\*a\n" * 50 + "Done.").endswith("Done.")
    assert text(".SH A\n.TS\na b.\nlast\trow") == "A\n\nlast\trow"


def test_what_only_ends_like_a_page_is_told() -> None:
    for data, told in (
        (b"[12:00] started\n", "is no manual page"),
        (b".so man1/tarn.1\n", "is another name of man1/tarn.1"),
        (b"\x1f\x8bbroken", "cannot be unpacked"),
    ):
        with pytest.raises(CorpusError, match=told):
            convert(data, "man")


def test_pages_are_known_by_their_endings(tmp_path: Path) -> None:
    names = ("tarn.1", "tarn.8", "tarn.3.gz", "TARN.7.GZ", "tarn.man")
    assert {kind_of(PurePath(name)) for name in names} == {"man"}
    assert [kind_of(PurePath(name)) for name in ("tarn.9", "tarn.tar.gz", "1", ".1", "tarn")] == [None] * 5
    (tmp_path / "tarn.1.gz").write_bytes(gzip.compress(MAN.encode()))
    (document,) = load_corpus([tmp_path], name="m").documents
    assert (document.url, document.media_type) == ("corpus://m/tarn.1.gz", "text/troff")
    assert "-v, --verbose" in document.text


def test_a_number_at_the_end_of_words_is_no_ending_of_a_file() -> None:
    assert not is_file_name("what is new in python 3.1")
    assert is_file_name("tarn.adoc")
