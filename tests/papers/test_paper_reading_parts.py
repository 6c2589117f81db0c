"""A LaTeX paper in several files is read whole; of what is not found, nothing is said to be lacking."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas import InputError, aio
from veritas.documents.document import document_id
from veritas.papers.reading import PaperText, read_file
from veritas.reading.formats.latex.included_files import join_parts
from veritas.report.paper import render_paper_html
from veritas.report.paper.audit_text import show_audit

FILLING = "Dry pumps last longer in clean rooms than others do, as every fitter knows. " * 8
PARTS = {
    "macros.tex": "\\newcommand{\\pump}{dry pump}",
    "parts/intro.tex": "\\section{Introduction}\nWe ask whether a \\pump{} lasts longer in a clean room.\n\n" + FILLING,
    "parts/methods.tex": "\\section{Methods}\nWe ran 40 pumps for a year. \\input{parts/deep/oil}",
    "parts/deep/oil.tex": "The oil was changed twice.\n\\endinput\nNot printed.",
    "parts/results.tex": (
        "\\documentclass[../paper]{subfiles}\\begin{document}\\section{Results}\nThe pumps lasted 12 months longer "
        "\\cite{smith2020}.\\end{document} Not printed."
    ),
    "refs.bib": "@article{smith2020, author={Smith, J.}, title={Pumps in rooms}, year={2020}}\n",
}


def paper(folder: Path, body: str, parts: dict[str, str] = PARTS) -> PaperText:
    for name, text in parts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / "paper.tex"
    path.write_text(
        f"\\documentclass{{article}}\\input{{macros}}\\title{{Pumps}}\\begin{{document}}\\maketitle\n{body}\n"
        "\\bibliography{refs}\\end{document}\n\\input{parts/never}",
        encoding="utf-8",
    )
    return read_file(path)


def missing(read: PaperText) -> str:
    return next((event.reason for event in read.events if event.kind == "parts-missing"), "")


def test_the_parts_stand_in_their_places_and_offsets_are_of_the_joined_text(tmp_path: Path) -> None:
    read = paper(
        tmp_path,
        "\\input parts/intro\n% \\input{parts/old}\n\\begin{verbatim}\n\\input{parts/shown}\n\\end{verbatim}\n"
        "\\iffalse\\input{parts/cut}\\fi\n\\include{parts/methods.tex}\n\\subfile{parts/results}",
    )
    assert missing(read) == ""
    assert "whether a dry pump lasts longer" in read.text
    order = [read.text.index(words) for words in ("We ask", "We ran 40", "The oil was", "12 months longer")]
    assert order == sorted(order)
    assert "Not printed" not in read.text
    assert [s.name for s in read.sections if s.name in ("introduction", "methods", "results")] == [
        "introduction", "methods", "results",
    ]  # fmt: skip
    (marker,) = read.markers
    assert marker.references == ("smith2020",)
    assert read.text[marker.place.start : marker.place.end] == marker.text
    assert read.document.document_id == document_id(read.text)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("parts/lost", "does not lie there"),
        ("../outside", "names no file below"),
        ("{absolute}", "names no file below"),
        ("parts/link", "leads out"),
        (".hidden/key", "is hidden"),
        ("parts/circle", "draws itself in"),
        ("parts/deep", "does not lie there"),
    ],
)
def test_what_lies_elsewhere_or_nowhere_is_not_read_and_that_is_said(tmp_path: Path, written: str, why: str) -> None:
    folder = tmp_path / "paper"
    (folder / ".hidden").mkdir(parents=True)
    (folder / "parts").mkdir()
    for secret in (tmp_path / "outside.tex", folder / ".hidden" / "key.tex"):
        secret.write_text("Nobody may read this.")
    (folder / "parts" / "link.tex").symlink_to(tmp_path / "outside.tex")
    (folder / "parts" / "circle.tex").write_text("Round. \\input{parts/circle}")
    name = written.format(absolute=tmp_path / "outside")
    read = paper(folder, f"\\input{{parts/intro}}\\input{{{name}}}")
    assert "Nobody may read" not in read.text
    assert read.text.count("Round.") == (written == "parts/circle")
    parts = 3 if written == "parts/circle" else 2
    assert f"1 of {parts} parts of the paper was not found: {name} ({why}" in missing(read)


def test_parts_that_draw_in_ever_more_parts_come_to_an_end(tmp_path: Path) -> None:
    bomb = {f"b{n}.tex": f"\\input{{b{n + 1}}}\\input{{b{n + 1}}}" for n in range(15)}
    read = paper(tmp_path, "\\input{parts/intro}\\input{b0}", {**PARTS, **bomb, "b15.tex": "Bang."})
    assert read.text.count("Bang.") < 500
    assert "one of more than" in missing(read)


def test_a_paper_of_lost_parts_alone_is_refused_without_a_word_of_scans(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 of 2 parts of the paper were not found: one ") as refused:
        paper(tmp_path, "\\input{one}\\input{two}")
    assert "OCR" not in str(refused.value)


async def test_of_a_paper_with_a_lost_part_nothing_is_said_to_be_lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    said = {}
    for name, body in (("whole", ""), ("partly", "\\input{parts/methods_and_limits}")):
        (tmp_path / name).mkdir()
        intro = "\\input{parts/intro}\n\n\\section{Conclusion}\nWe conclude that dry pumps last longer in clean rooms."
        read = paper(tmp_path / name, f"{intro} {body}", {k: v for k, v in PARTS.items() if k != "refs.bib"})
        said[name] = await aio.audit_paper(read.identity.asked, graphs=1)
    assert said["whole"].partly_read is None
    assert not any(point.kind == "missing-part" for point in said["partly"].open_points)
    whys = [m.why for node in said["partly"].nodes for m in node.metrics.values()]
    assert not any("looked for is in the paper" in why for why in whys)
    for page, verdict in ((show_audit(said["partly"]), "No score"), (render_paper_html(said["partly"]), 'id="score"')):
        assert page.index("Not the whole paper") < page.index("parts/methods_and_limits") < page.index(verdict)


@pytest.mark.parametrize("piece", ["\\iffalse ", "\\begin{verbatim} ", "\\input{a}", "\\verb1 \\verb2 "])
def test_a_source_of_ends_that_never_come_is_gone_through_once(tmp_path: Path, piece: str) -> None:
    joined = join_parts(piece * 20_000, tmp_path / "paper.tex")
    assert joined.lost == joined.parts == (20_000 if "input" in piece else 0)
