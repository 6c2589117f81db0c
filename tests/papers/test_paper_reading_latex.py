"""Papers in LaTeX: citations by the keys of a bibliography, those that stand in none among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas.papers.reading import PaperText, read_file

REFERENCES = (
    "@article{kirchmann1989, author={Kirchmann, H.}, title={Ammonia from manure}, year={1989}}\n"
    "@article{smith2020, author={Smith, J.}, title={Pumps in rooms}, year={2020}}\n"
)
FILLING = "Dry pumps last longer in clean rooms than others do. " * 12


def paper(folder: Path, body: str, *, front: str = "", bibliography: str | None = REFERENCES) -> PaperText:
    if bibliography is not None:
        (folder / "refs.bib").write_text(bibliography)
    path = folder / "paper.tex"
    path.write_text(
        f"\\documentclass{{article}}{front}\\title{{Pumps}}\\begin{{document}}\\maketitle\n\\section{{Introduction}}\n"
        f"{body}\n\n{FILLING}\n\\bibliography{{refs}}\\end{{document}}"
    )
    return read_file(path)


@pytest.mark.parametrize(
    "written",
    [
        r"\cite{smith2020}", r"\citep[see][p.~3]{smith2020}", r"\citet*{smith2020}", r"\Citep{smith2020}",
        r"\parencites{kirchmann1989}[12]{smith2020}", r"\citeyearpar{smith2020}", "\\cite{ %\n smith2020 }",
    ],
)  # fmt: skip
def test_a_citation_by_key_stands_for_its_reference(written: str, tmp_path: Path) -> None:
    read = paper(tmp_path, f"Oil fouls {written}, as is known.")
    assert {r.key: r.cited for r in read.references}["smith2020"] == 1
    (marker,) = [m for m in read.markers if "smith2020" in m.references]
    assert read.text[marker.place.start : marker.place.end] == marker.text
    assert not any(m.unresolved for m in read.markers)


def test_a_key_of_no_bibliography_is_said(tmp_path: Path) -> None:
    read = paper(tmp_path, r"Oil fouls \citep{smith2020, unknownkey} and \citet{other:2}.")
    assert [(m.references, m.unresolved) for m in read.markers] == [
        (("smith2020",), ("unknownkey",)),
        ((), ("other:2",)),
    ]
    # Two of three keys are lacking: that is a bibliography that was not read rather than two slips.
    (event,) = [e for e in read.events if e.kind == "unmatched-citations"]
    assert "unknownkey" in event.reason
    assert "other:2" in event.reason


def test_a_command_of_the_authors_cites_too(tmp_path: Path) -> None:
    read = paper(tmp_path, r"Oil fouls \seen{kirchmann1989}.", front=r"\newcommand{\seen}[1]{(\citealp{#1})}")
    assert [m.references for m in read.markers] == [("kirchmann1989",)]


def test_other_brackets_are_no_citations_by_key(tmp_path: Path) -> None:
    read = paper(tmp_path, r"Take [smith2020x], [sic], the array [smith] \cite{smith2020}; not \nocite{kirchmann1989}.")
    assert [(m.text, m.unresolved) for m in read.markers] == [("[smith2020]", ())]


def test_a_bibliography_that_is_missing_is_said_and_no_key_accused(tmp_path: Path) -> None:
    read = paper(tmp_path, r"Oil fouls \cite{smith2020}.", bibliography=None)
    assert read.markers == ()
    (event,) = [e for e in read.events if e.kind == "no-bibliography"]
    assert "refs.bib" in event.reason


@pytest.mark.parametrize("content", ["", "% nothing yet\n"])
def test_an_empty_bibliography_does_not_keep_the_paper_from_being_read(tmp_path: Path, content: str) -> None:
    read = paper(tmp_path, r"Oil fouls \cite{smith2020}.", bibliography=content)
    assert "Oil fouls" in read.text
    (event,) = [e for e in read.events if e.kind == "no-bibliography"]
    assert "refs.bib" in event.reason
    assert not [e for e in read.events if e.kind == "dangling"]


def test_keys_are_not_accused_while_one_of_the_bibliographies_is_missing(tmp_path: Path) -> None:
    (tmp_path / "more.bib").write_text("@misc{more, title={More of it}}")
    read = paper(tmp_path, r"Oil fouls \cite{more, smith2020}.\bibliography{more}", bibliography=None)
    assert [(m.references, m.unresolved) for m in read.markers] == [(("more",), ())]


def test_items_of_a_bibliography_within_the_paper_are_cited_by_their_keys(tmp_path: Path) -> None:
    items = r"\begin{thebibliography}{9}\bibitem{1} J. Smith. Pumps in rooms. J. Pumps, 2020.\end{thebibliography}"
    read = paper(tmp_path, rf"Oil fouls \cite{{1}} on [0, 1].{items}", bibliography=None)
    assert [(m.text, m.references) for m in read.markers] == [("[1]", ("1",))]


AUDITED = r"""\documentclass{article}
\title{Evening light and the sleep of shift nurses}
\begin{document}
\maketitle
\begin{abstract}
Evening exposure to bright light delays sleep onset in adults. We conclude that dim evening light shortens sleep onset.
\end{abstract}
\section{Results}
Sleep onset latency was 42 minutes in the dim group and 41 minutes in the usual group (Table~\ref{tab:one}).
\begin{figure}\includegraphics{flow}\caption{Flow of the Nurses}\end{figure}
FILLING
\begin{table}
\caption{Mean sleep onset latency by group.}\label{tab:one}
\begin{tabular}{lrr}
Group & Baseline & Week 8 \\ \hline
% Dim & 99 & 99 \\
Dim & 42 & 27 \\
Usual & 41 & 40 \\
\end{tabular}
\end{table}
\begin{table}
\caption{Nurses by hospital.}
\begin{tabular}{lr}
Hospital & Nurses \\ \hline
North & 61 \\
\end{tabular}
\end{table}
\section{Conclusion}
Dim evening light shortens sleep onset.
\end{document}
"""


def test_the_abstract_of_a_paper_is_its_abstract(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(AUDITED.replace("FILLING", FILLING))
    read = read_file(tmp_path / "paper.tex")
    assert [(s.heading, s.name) for s in read.sections] == [
        ("Abstract", "abstract"), ("Results", "results"), ("Conclusion", "conclusion"),
    ]  # fmt: skip


def test_captions_are_found_with_the_rows_that_stand_below_them(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(AUDITED.replace("FILLING", FILLING))
    read = read_file(tmp_path / "paper.tex")
    bodies = [read.text[f.body.start : f.body.end] if f.body else None for f in read.figures]
    assert [(f.label, f.text) for f in read.figures] == [
        ("Figure 1", "Figure 1: Flow of the Nurses"),
        ("Table 1", "Table 1: Mean sleep onset latency by group."),
        ("Table 2", "Table 2: Nurses by hospital."),
    ]
    assert bodies == [None, "Group\tBaseline\tWeek 8\nDim\t42\t27\nUsual\t41\t40", "Hospital\tNurses\nNorth\t61"]
    assert "in the usual group (Table 1)." in read.text
