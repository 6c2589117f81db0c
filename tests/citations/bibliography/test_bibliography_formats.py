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
from veritas.citations.bibliography.formats.reference_lists import read_references, reference_entry
from veritas.citations.bibliography.formats.ris import read_ris
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


def test_bibtex_macros_comments_and_brackets() -> None:
    entries = read_bibtex(BIB, "x.bib")
    assert [(entry.key, entry.line) for entry in entries] == [("he2016", 5), ("par", 12)]
    assert entries[0].record.venue == "IEEE Conference on Computer Vision and Pattern Recognition"
    assert entries[1].fields["month"] == "Jan~1"
    start, end = entries[0].span or (0, 0)
    assert BIB[start:end].startswith("@inproceedings{he2016")
    assert BIB[start:end].endswith("}")


def test_an_unclosed_entry_does_not_swallow_the_next() -> None:
    text = "@article{a, title={Unclosed, year={2000}\n\n@article{b, title={Good}, year={2001}}\n@article{c title={x}}\n"
    entries = read_bibtex(text, "x.bib")
    assert [entry.key for entry in entries][:2] == ["a", "b"]
    assert entries[0].problem
    assert (entries[1].record.title, entries[1].problem) == ("Good", None)
    assert len(entries) == 3


def test_crossref_gives_a_paper_its_volume() -> None:
    text = (
        "@inproceedings{p, title={Paper}, author={A, B}, crossref={V}}\n"
        "@proceedings{V, title={Volume of Papers}, year={1999}, doi={10.1/volume}}"
    )
    paper = read_bibtex(text, "x.bib")[0].record
    assert (paper.title, paper.venue, paper.year, paper.doi) == ("Paper", "Volume of Papers", 1999, None)


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


@pytest.mark.parametrize(
    ("text", "author", "title"),
    [
        ("Donald E. Knuth. Literate programming. Comput. J., 27(2), 1984.", "Knuth, Donald E.", "Literate programming"),
        (
            "Donald E. Knuth and Peter B. Bendix. Simple word problems in universal algebras. Pergamon, 1970.",
            "Knuth, Donald E. and Bendix, Peter B.",
            "Simple word problems in universal algebras",
        ),
        ("Knuth D. Sense and sensibility in type. J Typogr. 1984;3:1-9.", "Knuth, D", "Sense and sensibility in type"),
        (
            "Bran, Andres M. et al. (Oct. 2, 2023). Augmenting models with tools. arXiv: 2304.05376 [physics].",
            "Bran, Andres M. and others",
            "Augmenting models with tools",
        ),
    ],
)  # fmt: skip
def test_an_initial_and_a_date_with_its_month_end_no_name(text: str, author: str, title: str) -> None:
    fields = reference_entry(text, "list.txt", "1", 1).fields
    assert (fields["author"], fields["title"]) == (author, title)


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("A. Lee. A study of pumps. 2010. doi:10.1000/abc. Accessed 3 May 2020", "10.1000/abc"),
        ("A. Lee. A study. 2010. DOI: 10.1038/s41586- 023-06792-0. URL: http://x.y", "10.1038/s41586-023-06792-0"),
        ("A. Lee. A study of pumps. https://doi.org/10.1016/j.x.2010. 05.003.", "10.1016/j.x.2010.05.003"),
        ("A. Lee. A study of pumps (10.1000/a(1)b). Vacuum, 2010.", "10.1000/a(1)b"),
    ],
)  # fmt: skip
def test_a_doi_in_running_text_ends_where_it_ends(text: str, doi: str) -> None:
    assert reference_entry(text, "list.txt", "1", 1).fields["doi"] == doi


@pytest.mark.parametrize("mark", ["[{n}] ", "{n}. ", "({n}) ", "- ", ""])
def test_lists_are_cut_at_whatever_marks_them(mark: str) -> None:
    lines = [f"{mark.format(n=n)}{text}" for n, (text, _) in enumerate(REFERENCES, 1)]
    separator = "\n\n" if not mark else "\n"
    assert len(read_references("# References\n\n" + separator.join(lines) + "\n", "x.txt")) == len(REFERENCES)


def numbered(pattern: str) -> str:
    return "\n".join(pattern.format(n=n, m=5 * n, y=2000 + n) for n in range(1, 5))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (numbered("https://doi.org/10.5555/crops.{n}"), "1234"),
        (numbered("10.5555/journal.of.crops.{y}").replace("\n", "\n\n"), "1234"),
        (numbered("arXiv:2304.0537{n} [cs.CL]"), "1234"),
        (numbered("r. almeida. fields of barley and rye. crops, {y}"), "1234"),
        (numbered("Almeida et al. {y}, Barley in the fields of method {n}"), "1234"),
        (numbered("[{m}] Almeida, R. ({y}). Barley in method {n}.\nCrops, 1, 2-3."), ["5", "10", "15", "20"]),
        (numbered("1. Almeida, R. ({y}). Barley in method {n}. Crops, 1, 2-3."), "1234"),
        (numbered("[alm{n}] Almeida, R. ({y}). Barley in fields. Crops, 1, 2-3."), ["alm1", "alm2", "alm3", "alm4"]),
        (f"All on barley.\n\n{numbered('- Almeida, R. ({y}). Barley in method {n}. Crops, 1, 2-3.')}", "1234"),
        ("\n\nAnother chapter\n\n".join([numbered("[{n}] Almeida, R. ({y}). Barley in fields. Crops, 2.")] * 2),
         "12341234"),
    ],
)  # fmt: skip
def test_lists_that_somebody_typed_are_a_reference_a_line(text: str, keys: str | list[str]) -> None:
    found = read_references(text, "x.txt")
    assert [entry.key for entry in found] == list(keys)
    assert not any(entry.fields.get("title", "").startswith(("[", "1.", "-")) for entry in found)


def test_what_follows_the_list_is_not_part_of_it() -> None:
    text = (
        "References\n\n[1] "
        + REFERENCES[0][0]
        + "\n[2] "
        + REFERENCES[2][0]
        + "\n\nAppendix A\n\n[3] In 1999 we sat down.\n"
    )
    assert [entry.key for entry in read_references(text, "x")] == ["1", "2"]


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


FORMS = [
    ("@misc{a, title={SPJ Code of Ethics}, howpublished={\\url{https://www.spj.org/x}}}", Form.WEB),
    ("@online{a, title={Something}, url={https://arxiv.org/abs/1706.03762}}", Form.PAPER),
    ("@misc{a, title={torch}, url={https://github.com/pytorch/pytorch}}", Form.SOFTWARE),
    ("@book{a, title={A Book}, author={B, C}, publisher={P}}", Form.BOOK),
    ("@phdthesis{a, title={T}, author={B, C}, school={S}}", Form.THESIS),
    ("@misc{a, title={ISO 26262: Road vehicles}, year={2018}}", Form.STANDARD),
    ("@techreport{a, title={NIST SP 800-53}, institution={NIST}}", Form.STANDARD),
    (
        "@article{a, title={GPT-4 Technical Report}, author={OpenAI}, journal={arXiv preprint arXiv:2303.08774}}",
        Form.PAPER,
    ),
    ("@article{a, title={T}, author={B, C}, journal={Nature}, note={under review}}", Form.UNPUBLISHED),
    ("@inproceedings{a, title={T}, author={B, C}, booktitle={ICML}}", Form.PAPER),
    ("@misc{a, title={T}}", Form.OTHER),
    # what exporters and people make an article of
    ("@article{a, title={T}, author={B, C}, journal={PhD thesis, University of Oxford}}", Form.THESIS),
    ("@article{a, title={T}, author={B, C}, journal={J}, note={Master's thesis}}", Form.THESIS),
    ("@article{a, title={T}, author={B, C}, school={MIT}}", Form.THESIS),
    ("@article{a, title={T}, author={B, C}, journal={Diplomarbeit, TU Wien}}", Form.THESIS),
    ("@article{a, title={A Guide to Gardens}, author={B, C}, publisher={Springer}, year={2011}}", Form.BOOK),
    ("@article{a, title={R: A language}, author={{R Core Team}}, journal={R Foundation for Statistical Computing}}",
     Form.SOFTWARE),
    ("@article{a, title={mgcv}, author={Wood, S}, journal={R package version 1.8}}", Form.SOFTWARE),
    ("@article{a, title={YOLOv5}, author={B, C}, journal={GitHub repository}}", Form.SOFTWARE),
    ("@article{a, title={A Data Set}, author={B, C}, journal={Zenodo}}", Form.DATASET),
    ("@article{a, title={A Method}, author={B, C}, journal={US Patent 9,123,456}}", Form.PATENT),
    ("@article{a, title={T}, author={B, C}, journal={The New York Times}}", Form.NEWS),
    ("@article{a, title={T}, author={B, C}, journal={Medium}, url={https://medium.com/x}}", Form.WEB),
    ("@article{a, title={T}, author={B, C}, journal={Netflix Technology Blog}}", Form.WEB),
    ("@article{a, title={Regulation (EU) 2016/679}, author={{EU}}, journal={OJ}}", Form.LEGAL),
    ("@article{a, title={T}, author={B, C}, journal={Cambridge University Press}}", Form.BOOK),
    ("@online{a, title={torch}, url={https://github.com/pytorch/pytorch}}", Form.SOFTWARE),
    ("@article{a, title={T}, author={B, C}, journal={Journal of Patent Law}}", Form.PAPER),
    ("@article{a, title={T}, author={B, C}, journal={Springer Proceedings in Physics}}", Form.PAPER),
    ("@article{a, title={T}, author={B, C}, journal={Medium Energy Physics}}", Form.PAPER),
    ("@article{a, title={T}, author={B, C}, journal={Journal of Economic Dynamics}, publisher={Elsevier}}", Form.PAPER),
    ("@inproceedings{a, title={T}, author={B, C}, booktitle={The Web Conference}}", Form.PAPER),
]  # fmt: skip


@pytest.mark.parametrize(("text", "form"), FORMS, ids=[str(form) for _, form in FORMS])
def test_what_an_entry_is(text: str, form: Form) -> None:
    assert form_of(read_bibtex(text, "x.bib")[0]) is form


def test_an_emphasised_journal_is_not_part_of_the_title() -> None:
    text = "Doe, J., & Roe, R. (2019). How gardens grow. *Journal of Tests*, 3(1). https://example.org"
    assert reference_entry(text, "x.md", "1", 1).fields["title"] == "How gardens grow"


RUNNING = [
    ("Doe, J. Analysis of several things in weather. PhD thesis, MIT, 2011.", Form.THESIS),
    ("R Core Team. R: A language and environment for statistical computing. R Foundation for Statistical Computing, "
     "Vienna, 2018.", Form.SOFTWARE),
    ("Smith, J. A weather station. US Patent 9,123,456, 2015.", Form.PATENT),
    ("Paszke, A. A library of tensors for everyone (2019). https://github.com/pytorch/pytorch", Form.SOFTWARE),
    ("Doe, J., & Roe, R. (2019). A paper with its code. Journal of Tests, 3(1). https://github.com/doe/c", Form.PAPER),
    ("Knuth, D. (1997). The Art of Computer Programming (3rd ed.). Addison-Wesley.", Form.BOOK),
    ("Gelman, A. (2013). Bayesian data analysis for everyone. New York: Chapman & Hall.", Form.BOOK),
    ("Doe, J. (2001). How gardens grow. In R. Roe (Ed.), Handbook of gardens (pp. 1-9). Sage.", Form.BOOK),
    ("Doe, J. (2001). How gardens grow. In R. Roe (Ed.), Proceedings of the Garden Conference.", Form.PAPER),
    ("Doe, J. (2001). How gardens grow at night. Cambridge Journal of Economics, 2(3), 4-9.", Form.PAPER),
    ("ISO/IEC 27001:2013. Information security management systems. Requirements. 2013.", Form.STANDARD),
]  # fmt: skip


@pytest.mark.parametrize(("text", "form"), RUNNING, ids=[str(form) for _, form in RUNNING])
def test_what_a_reference_in_running_text_is(text: str, form: Form) -> None:
    assert form_of(reference_entry(text, "x.txt", "1", 1)) is form


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


def test_old_encodings_are_read(tmp_path: Path) -> None:
    (tmp_path / "x.bib").write_bytes("@article{a, title={Über Müll}, author={Müller, A}}".encode("cp1252"))
    assert read_bibliography(tmp_path / "x.bib")[0].record.title == "Über Müll"


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


def test_comments_between_fields_are_no_fields_and_switch_fields_off() -> None:
    text = (
        "@article{k, % of 2016 = the first\n  title = {100% of it}, % {unbalanced\n  % year = {1999},\n"
        "  year = 2016 % }\n  , author = {Doe, J.}\n  % note = {x}\n}\n@misc{after, title={T}}"
    )
    first, after = read_bibtex(text, "x")
    assert dict(first.fields) == {"title": "100% of it", "year": "2016", "author": "Doe, J."}
    assert (first.problem, after.key) == (None, "after")


@pytest.mark.parametrize(
    ("field", "families", "complete"),
    [
        ("Fong, T., Nourbakhsh, I., Dautenhahn, K.", ["Fong", "Nourbakhsh", "Dautenhahn"], True),
        ("Fong, T., Nourbakhsh, I., \\& van der Berg, K.-P.", ["Fong", "Nourbakhsh", "van der Berg"], True),
        ("Medina, R & Richly, H, et al.", ["Medina", "Richly"], False),
        ("van Rossum, G.", ["van Rossum"], True),
        ("{Johnson & Johnson, A., Bo, C.}", ["Johnson & Johnson, A., Bo, C."], True),
    ],
)
def test_families_and_initials_between_commas_are_people(field: str, families: list[str], complete: bool) -> None:
    (entry,) = read_bibtex(f"@article{{a, title={{Soil}}, author={{{field}}}, year=2020}}", "x.bib")
    assert [name.family for name in entry.record.authors] == families
    assert entry.record.authors_complete is complete
