"""Every format becomes the same entries, and no file, however broken, breaks the reader."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas import InputError
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form, form_of
from veritas.citations.bibliography.formats.bibtex_entries import parse_bibtex, read_bibtex
from veritas.citations.bibliography.formats.csl import read_csl
from veritas.citations.bibliography.formats.reference_lists import read_references
from veritas.citations.bibliography.formats.tagged_lines import read_ris
from veritas.citations.bibliography.formats.thebibliography import read_latex
from veritas.citations.bibliography.parse import read_bibliography

TITLE = "Deep Residual Learning for Image Recognition"
BIB = r"""% a comment with @article{no, title={No}}
@string{cvpr = "IEEE Conference on Computer Vision" # " and Pattern Recognition"}
@comment{ignored}
@preamble{"\newcommand{\x}{}"}
@inproceedings{he2016,
  title     = {Deep {Residual} Learning for Image Recognition},
  author    = "He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian",
  booktitle = cvpr,
  year      = 2016,
  doi       = {10.1109/CVPR.2016.90},
}
@ARTICLE(par, title = {In (round) brackets}, year = {2001}, month = jan # "~1")
"""
CSL = [
    {
        "id": "he2016",
        "type": "paper-conference",
        "title": TITLE,
        "author": [{"family": "He", "given": "Kaiming"}, {"family": "Zhang", "given": "Xiangyu"}],
        "issued": {"date-parts": [[2016]]},
        "container-title": "CVPR",
        "DOI": "10.1109/CVPR.2016.90",
    }
]
RIS = f"""TY  - CPAPER
TI  - {TITLE}
AU  - He, Kaiming
AU  - Zhang, Xiangyu
PY  - 2016/06/27
T2  - CVPR
DO  - 10.1109/CVPR.2016.90
ER  -
"""


def first(entries: list[Entry]) -> Entry:
    return entries[0]


@pytest.mark.parametrize(
    "entry",
    [first(read_bibtex(BIB, "x.bib")), first(read_csl(json.dumps(CSL), "x.json")), first(read_ris(RIS, "x.ris"))],
    ids=["bibtex", "csl", "ris"],
)
def test_the_formats_say_the_same(entry: Entry) -> None:
    record = entry.record
    assert (record.title, record.year, record.doi) == (TITLE, 2016, "10.1109/cvpr.2016.90")
    assert [str(name) for name in record.authors[:2]] == ["Kaiming He", "Xiangyu Zhang"]
    assert record.venue
    assert form_of(entry) is Form.PAPER


@pytest.mark.parametrize(
    ("written", "years"),
    [
        ("1875 [1998]", (1875, 1998)),
        ("1991-92", (1991, 1992)),
        ("1998/2001", (1998, 1999, 2000, 2001)),
        ("1991-12", (1991,)),
        ("1998-04-05T14:34:00", (1998,)),
        ("1998~", (1998,)),
        ("199X", ()),
    ],
)
def test_every_year_that_a_date_may_mean_is_read(written: str, years: tuple[int, ...]) -> None:
    (entry,) = read_bibtex(f"@article{{a, title={{On moors}}, date={{{written}}}}}", "a.bib")
    assert entry.record.years == years


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (r"Moors, Arne {\{O}}.", r"Moors, Arne {\{O}}."),
        ("C:\\2013\\", "C:\\2013\\"),
        (r"A \} b", r"A \} b"),
        (r"\{a, b\}",) * 2,
    ],
)
def test_a_backslash_before_a_brace_ends_no_value(value: str, read: str) -> None:
    first, second = read_bibtex(f"@misc{{a, note={{{value}}}, title={{T}}}}\n@misc{{b, title={{U}}}}", "a.bib")
    assert (first.fields["note"], first.fields["title"], second.key) == (read, "T", "b")


def test_a_part_of_a_book_has_its_author_and_its_title() -> None:
    book = "@book{b, title={Shapes}, author={Srinivas, Anand}, year={2016}, doi={10.1000/b}}"
    part, _ = read_bibtex(f"@inbook{{p, crossref={{b}}, title={{Registration}}}}\n{book}", "a.bib")
    assert part.fields == {
        "title": "Registration", "booktitle": "Shapes", "author": "Srinivas, Anand", "year": "2016", "crossref": "b",
    }  # fmt: skip


def test_a_record_whose_fields_stand_before_its_type_is_told_and_not_halved() -> None:
    first, second = read_ris("AU  - Roth, P.\nTI  - Moors\nTY  - JOUR\nER  - \nTY  - JOUR\nTI  - Hills\nER  - \n", "a")
    assert first.problem
    assert "AU, TI" in first.problem
    assert second.fields["title"] == "Hills"


def test_an_unclosed_entry_does_not_swallow_the_next() -> None:
    text = "@article{a, title={Unclosed, year={2000}\n\n@article{b, title={Good}, year={2001}}\n@article{c title={x}}\n"
    entries = read_bibtex(text, "x.bib")
    assert [entry.key for entry in entries][:2] == ["a", "b"]
    assert entries[0].problem
    assert (entries[1].record.title, entries[1].problem) == ("Good", None)
    assert len(entries) == 3


REFERENCES = [
    (
        'A. Vaswani, N. Shazeer, N. Parmar, "Attention is all you need," in NeurIPS, 2017, pp. 5998-6008.',
        ("Attention is all you need", "Vaswani", 2017),
    ),
    (
        "Devlin, J., Chang, M.-W., Lee, K., & Toutanova, K. (2019). BERT: Pre-training of deep bidirectional "
        "transformers. In NAACL, pp. 4171-4186. https://doi.org/10.18653/v1/N19-1423",
        ("BERT: Pre-training of deep bidirectional transformers", "Devlin", 2019),
    ),
    (
        "Kaiming He, Xiangyu Zhang, Shaoqing Ren, and Jian Sun. Deep residual learning for image recognition. In CVPR, "
        "2016.",
        ("Deep residual learning for image recognition", "He", 2016),
    ),
    (
        "J. Liang et al. Code as policies: Language model programs for embodied control. arXiv preprint "
        "arXiv:2209.07753, 2022.",
        ("Code as policies: Language model programs for embodied control", "Liang", 2022),
    ),
    (
        "Wakefield AJ, Murch SH, Anthony A. Ileal-lymphoid-nodular hyperplasia in children. Lancet. 1998;351:637-41.",
        ("Ileal-lymphoid-nodular hyperplasia in children", "Wakefield", 1998),
    ),
]


@pytest.mark.parametrize(("text", "expected"), REFERENCES, ids=[expected[1] for _, expected in REFERENCES])
def test_references_in_running_text_are_taken_apart(text: str, expected: tuple[str, str, int]) -> None:
    page = f"Prose with a year 1987.\n\n## References\n\n[1] {text}\n[2] B. Other. Second paper of the list. 2001.\n"
    entry = read_references(page, "x.md")[0]
    record = entry.record
    assert (record.title, record.authors[0].family, record.year) == expected
    assert (entry.guessed, entry.line) == (True, 5)


@pytest.mark.parametrize("mark", ["[{n}] ", "{n}. ", "({n}) ", "- ", ""])
def test_lists_are_cut_at_whatever_marks_them(mark: str) -> None:
    lines = [f"{mark.format(n=n)}{text}" for n, (text, _) in enumerate(REFERENCES, 1)]
    separator = "\n\n" if not mark else "\n"
    assert len(read_references("# References\n\n" + separator.join(lines) + "\n", "x.txt")) == len(REFERENCES)


def test_bibitems_are_read_from_latex(tmp_path: Path) -> None:
    text = r"""\begin{thebibliography}{9}
% \bibitem{gone} G. Gone. Commented out. 1999.
\bibitem[He et al.(2016)]{he} K.~He, X.~Zhang, S.~Ren, and J.~Sun.
\newblock Deep residual learning for image recognition.
\newblock In \emph{CVPR}, 2016.
\bibitem{b} B. M{\"u}ller. \textit{Another paper of some length}. 2001.
\end{thebibliography}
\bibliography{more}
"""
    entries = read_latex(text, "x.tex")
    assert [entry.key for entry in entries] == ["he", "b"]
    assert entries[0].record.title == "Deep residual learning for image recognition"
    (tmp_path / "more.bib").write_text(BIB, encoding="utf-8")
    (tmp_path / "x.tex").write_text(text, encoding="utf-8")
    assert [entry.key for entry in read_bibliography(tmp_path / "x.tex")] == ["he", "b", "he2016", "par"]


def test_docx_is_read(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("References", 1)
    for text, _ in REFERENCES[:3]:
        document.add_paragraph(text)
    document.save(tmp_path / "x.docx")
    found = read_bibliography(tmp_path / "x.docx")
    assert [entry.record.authors[0].family for entry in found] == ["Vaswani", "Devlin", "He"]


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("x.json", b"{", "JSON"),
        ("x.json", b"[1]", "list of items"),
        ("x.bib", b"nothing here", "no bibliography entry"),
        ("x.bib", b"\0\1\2", "no text file"),
        ("x.docx", b"PK not a zip", "x.docx"),
        ("x.pdf", b"%PDF-1.4 broken", "x.pdf"),
        ("x.md", b"", "no bibliography entry"),
    ],
)
def test_files_that_are_none_are_named(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=why):
        read_bibliography(tmp_path / name)


@given(st.text(alphabet='@{}()",=#%\\ \narticle{title', max_size=200))
def test_any_text_is_parsed_and_entries_lie_in_order(text: str) -> None:
    last = 0
    for entry in parse_bibtex(text):
        assert last <= entry.start < entry.end <= len(text)
        last = entry.start
        for field in entry.fields.values():
            assert entry.start < field.start <= field.end <= len(text)


@given(st.text(max_size=300))
def test_any_text_is_a_reference_list_or_none(text: str) -> None:
    for entry in (*read_references(text, "x"), *read_ris(text, "x"), *read_latex(text, "x")):
        assert entry.record.source == "bibtex"


@pytest.mark.parametrize(
    "sign",
    ["{", '"', "@a{", "@article{x,", "\\bibitem{", "[1] ", "A, B. ", "(", "*", "TY  - ", "A B, ", "[1] [2] [3] [9] ",
     "1. 2001\n", "2001\n\n"],
)  # fmt: skip
def test_long_nonsense_takes_no_long_time(sign: str) -> None:
    text = sign * (60_000 // len(sign))
    begun = time.process_time()
    for read in (read_bibtex, read_references, read_latex, read_ris):
        read(text, "x")
        read("@article{a, title={" + text, "x")
    assert time.process_time() - begun < 4


def test_tens_of_thousands_of_entries_are_read_in_seconds_with_their_lines(tmp_path: Path) -> None:
    number = 8_000
    entry = "@article{{k{0},\n title={{Title number {0} of many}},\n author={{Doe, J.}}}}\n"
    texts = {
        "many.bib": "".join(entry.format(n) for n in range(number)),
        "many.ris": "".join(f"TY  - JOUR\nTI  - Title {n}\nER  - \n" for n in range(number)),
        "many.tex": "".join(f"\\bibitem{{k{n}}} J. Doe.\nTitle of number {n}. Journal, 2016.\n" for n in range(number)),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        begun = time.process_time()
        entries = read_bibliography(tmp_path / name)
        assert time.process_time() - begun < 8, name
        assert len(entries) == number
        assert entries[-1].line == text.rstrip("\n").count("\n") - (0 if name == "many.tex" else 1)
