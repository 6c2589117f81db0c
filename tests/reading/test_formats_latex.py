"""LaTeX: what it prints, with formulas as their source."""

from __future__ import annotations

import time
from datetime import date

import pytest

from veritas.reading.formats import convert

PAPER = rb"""
\documentclass{article}  % a comment
\usepackage[utf8]{inputenc}
\newcommand{\method}{\textsc{Veri}\xspace}
\newcommand{\pair}[2][x]{(#1, #2)}
\def\half#1{#1/2}
\title{On \emph{Tests}\thanks{Funded.}: A Study}
\author{Ada Byron\thanks{A} \and Max Born$^{1}$, Emmy Noether\\ G\"ottingen}
\date{2021-05-06}
\begin{document}
\maketitle
\begin{abstract}
We test---briefly---na\"{\i}ve \method methods; cost is 5\% of \$10.% gone
\end{abstract}
\section{Introduction}\label{sec:intro}
``Quoted'' text, 3--5~mg\footnote{A \emph{note}.} of $E = mc^2$ (see \cite[p.~2]{smith20, jones21} and
Section~\ref{sec:intro}); \pair{y}, \pair[z]{y}, \half{a}, \SI{10.5}{\kilo\gram}, \url{https://x.org/a_b%20c}.

Second paragraph with \href{https://x.org}{a link}, \verb|raw_text|, \textcolor{red}{red} and caf\'e.
\begin{equation}\label{eq:1} a + b = c \end{equation}
where $c$ is left.
\begin{itemize}
  \item First item.
  \item[Key] Second item.
\end{itemize}
\begin{table}[h]
\caption{The doses.}
\begin{tabular}{l|rr}
\hline
Drug & Dose & \textbf{n} \\ \hline
A \& B & 1.5 & \multicolumn{1}{c}{20} \\
\end{tabular}
\end{table}
\begin{verbatim}
x = {1}  % kept
\end{verbatim}
\begin{tikzpicture} \node {never}; \end{tikzpicture}
\begin{thebibliography}{9} \bibitem{a} Never printed here. \end{thebibliography}
\end{document}
Never.
"""


def test_a_paper_is_read_as_it_is_printed() -> None:
    page = convert(PAPER, "latex")
    assert (page.title, page.published_at) == ("On Tests: A Study", date(2021, 5, 6))
    assert page.authors == ("Ada Byron", "Max Born", "Emmy Noether")
    assert page.text.split("\n\n") == [
        "Abstract",
        "We test—briefly—naïve Veri methods; cost is 5% of $10.",
        "Introduction",
        "“Quoted” text, 3–5 mg of E = mc² (see [smith20, jones21] and Section 1); (x, y), (z, y), a/2, "
        "10.5 kg, https://x.org/a_b%20c.",
        "A note.",
        "Second paragraph with a link, raw_text, red and café.\na + b = c\nwhere c is left.",
        "First item.",
        "Key Second item.",
        "Table 1: The doses.",
        "Drug\tDose\tn\nA & B\t1.5\t20",
        "x = {1}  % kept",
    ]


def test_files_drawn_in_are_not_followed_and_that_is_said() -> None:
    page = convert(rb"\begin{document}Text. \input{/etc/passwd}" b"\n% \\input{no}\n\\end{document}", "latex")
    assert page.text == "Text."
    assert page.remarks == ("draws in 1 other files, which count only if they are in the corpus themselves",)


def printed(body: str, preamble: str = "") -> list[str]:
    return convert(f"{preamble}\\begin{{document}}{body}\\end{{document}}".encode(), "latex").text.split("\n\n")


BOMB = b"".join(b"\\def\\%c{\\%c\\%c}" % (c, c + 1, c + 1) for c in range(97, 122)) + b"\\def\\z{zz}\\a"


@pytest.mark.parametrize(
    "source",
    [
        BOMB,
        rb"\def\a{\a\a}\a",
        rb"\newcommand{\a}[1]{#1#1#1}" + rb"\a{" * 40 + b"x" + b"}" * 40,
        b"{" * 25_000,
        rb"\emph{" * 10_000 + b"x",
        rb"\section{" * 10_000,
        rb"\footnote{" * 5_000 + b"x" + b"}" * 5_000,
        rb"\begin{tabular}{c}" * 1_000,
        b"$a " * 30_000,
        rb"\(" * 20_000,
        b"%" * 100_000,
        rb"\cite[" * 1_500,
        rb"\begin{x}" * 10_000 + rb"\end{y}" * 10_000,
        rb"\begin{abstract}" * 3_000,
        rb"\abstract{" * 3_000 + b"}" * 3_000,
        rb"\begin{abstract}" + rb"\a {} " * 2_000,
        rb"\begin{table}\caption{" * 2_000,
        rb"\begin{longtable}{c}" + rb"\caption[" * 2_000 + rb"\end{longtable}",
        rb"\begin{align}" * 2_000,
        rb"\iffalse" * 5_000,
        rb"\newenvironment{x}[" * 2_500,
        rb"\renewcommand{\thetable}{\thefigure\thefigure}\renewcommand{\thefigure}{\thetable\thetable}"
        rb"\begin{table}\caption{x}\end{table}",
        rb"\counterwithin{table}{figure}\counterwithin{figure}{table}\begin{table}\caption{x}\end{table}",
        rb"\setcounter{table}{999999999}\renewcommand{\thetable}{\roman{table}}\begin{table}\caption{x}\end{table}",
    ],
)
def test_a_source_that_never_ends_comes_to_an_end(source: bytes) -> None:
    begun = time.perf_counter()
    convert(source, "latex")
    assert time.perf_counter() - begun < 10
