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
        "“Quoted” text, 3–5 mg of $E = mc^2$ (see [smith20, jones21] and Section 1); (x, y), (z, y), a/2, "
        "10.5 kg, https://x.org/a_b%20c.",
        "A note.",
        "Second paragraph with a link, raw_text, red and café.\na + b = c\nwhere $c$ is left.",
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


def test_a_fragment_without_a_preamble_is_read() -> None:
    assert convert(rb"\subsection*{Only} a fragment", "latex").text == "Only\n\na fragment"


@pytest.mark.parametrize(
    "written",
    [
        r"\begin{abstract}Light delays sleep.\end{abstract}",
        r"\begin{abstract}\textbf{Abstract.} Light delays sleep.\end{abstract}",
        "\\begin{abstract}\n{\\bf Abstract}---Light delays sleep.\\end{abstract}",
        r"\begin{abstract}\section*{Abstract} Light delays sleep.\end{abstract}",
        r"\section*{Abstract}\begin{abstract}Light delays sleep.\end{abstract}",
        r"\abstract{Light delays sleep.}",
        r"\abstract{}{Light delays sleep.}",
        r"\newcommand{\ba}{\begin{abstract}}\newcommand{\ea}{\end{abstract}}\ba Light delays sleep. \ea",
    ],
)
def test_an_abstract_has_its_heading_once(written: str) -> None:
    body = rf"\maketitle{written}\section{{Methods}}We slept."
    page = convert(rf"\begin{{document}}{body}\end{{document}}".encode(), "latex")
    assert page.text == "Abstract\n\nLight delays sleep.\n\nMethods\n\nWe slept."


def test_an_abstract_that_begins_with_the_word_keeps_it() -> None:
    page = convert(rb"\begin{abstract}Abstract interpretation is sound.\end{abstract}", "latex")
    assert page.text == "Abstract\n\nAbstract interpretation is sound."


def test_abstract_and_keywords_before_the_document_are_read_first() -> None:
    front = (
        b"\\newcommand{\\abstractsize}{\\small}\n\\abstract{Light delays sleep.}\n\\keywords{light, sleep}\n"
        b"% \\abstract{Not this.}\n"
    )
    page = convert(front + rb"\begin{document}\section{Methods}We slept.\end{document}", "latex")
    assert page.text == "Abstract\n\nLight delays sleep.\n\nKeywords: light, sleep\n\nMethods\n\nWe slept."


@pytest.mark.parametrize(
    "written",
    [
        r"\keywords{light, sleep}", r"\begin{keywords}light, sleep\end{keywords}",
        r"\begin{IEEEkeywords}light, sleep\end{IEEEkeywords}", r"\begin{keyword}light \sep sleep\end{keyword}",
        r"\keywords{\textbf{Keywords:} light, sleep}",
    ],
)  # fmt: skip
def test_keywords_are_a_paragraph_that_says_so(written: str) -> None:
    text = convert(rf"Before. {written} After.".encode(), "latex").text
    assert text.replace("light ,", "light,") == "Before.\n\nKeywords: light, sleep\n\nAfter."


def printed(body: str, preamble: str = "") -> list[str]:
    return convert(f"{preamble}\\begin{{document}}{body}\\end{{document}}".encode(), "latex").text.split("\n\n")


FLOATS = r"""See \ref{fig:a}, \autoref{tab:b},
\cref{tab:a,fig:b}, \eqref{eq:b}, \ref{fig:part}, \ref{nowhere}, \ref{thm}.
\section{One}\label{sec:one}
\begin{figure*}[t]\centering\includegraphics{x.png}\caption[short]{First.\label{fig:a}}\end{figure*}
\begin{table}\caption{Doses.}\label{tab:a}\end{table}
\begin{align} a &= b \label{eq:a} \\ c &= d \nonumber \\ e &= \begin{cases} 1 \\ 2 \end{cases} \label{eq:b} \end{align}
\begin{equation*} n \end{equation*}
\begin{theorem}\label{thm} Sleep. \end{theorem}
\begin{wrapfigure}[9]{r}{0.5\textwidth}\begin{subfigure}{3cm}\caption{left}\label{fig:part}\end{subfigure}
\caption{Second.}\label{fig:b}\end{wrapfigure}
\begin{table}\caption*{No number.}\end{table}
\begin{center}\captionof{table}{Of no float.}\label{tab:b}\end{center}
\subsection{Sub}\label{sec:sub} \autoref{sec:sub} of Section~\ref{sec:one} on \pageref{sec:one}.
"""


def test_thanks_have_their_heading_and_a_command_of_a_command_its_space() -> None:
    preamble = r"\newcommand{\package}[1]{\texttt{#1}\xspace}\newcommand{\pumpkit}{\package{pumpkit}}"
    assert printed(r"The \pumpkit core, \pumpkit. \acknowledgments We thank Ada.", preamble) == [
        "The pumpkit core, pumpkit.", "Acknowledgements", "We thank Ada.",
    ]  # fmt: skip
    assert printed(r"It runs. \section*{Acknowledgments}\ack We thank Ada.")[1:] == ["Acknowledgments", "We thank Ada."]
    assert printed(r"\begin{acknowledgements}We thank Ada.\end{acknowledgements}")[0] == "Acknowledgements"


def test_floats_are_numbered_and_references_say_their_numbers() -> None:
    assert printed(FLOATS) == [
        "See 1, Table 2, Table 1 and Figure 2, (2), 2a, nowhere, thm.",
        "One",
        "Figure 1: First.",
        "Table 1: Doses.",
        r"a &= b \\ c &= d \\ e &= \begin{cases} 1 \\ 2 \end{cases}" + "\nn",
        "Sleep.",
        "(a) left",
        "Figure 2: Second.",
        "No number.",
        "Table 2: Of no float.",
        "Sub",
        "Section 1.1 of Section 1 on ??.",
    ]


def test_numbers_are_as_the_author_has_them_written() -> None:
    body = (
        r"\section{A}\begin{equation}x\label{e}\end{equation}\begin{table}\caption{One.}\end{table}\eqref{e} \ref{s}"
        r"\appendix\section{B}\label{s}\setcounter{table}{0}\renewcommand{\thetable}{S\arabic{table}}"
        r"\begin{table}\caption{Two.}\label{t}\end{table}\ref{t}"
    )
    preamble = r"\titleformat{\section}{\large}\numberwithin{equation}{section}\renewcommand{\thefigure}{\thefigure}"
    text = printed(body, preamble)
    assert text == ["A", "x", "Table 1: One.", "(1.1) A", "B", "Table S1: Two.", "S1"]


def test_floats_of_the_authors_own_environments_count_and_those_left_out_do_not() -> None:
    preamble = r"\newenvironment{wide}[1][t]{\begin{figure*}[#1]}{\end{figure*}}\newcommand{\figref}[1]{Fig.~\ref{#1}}"
    body = (
        r"\begin{wide}\caption{One.}\label{a}\end{wide} \iffalse \begin{figure}\caption{Gone.}\end{figure} \fi "
        r"\begin{figure}\caption{Two.}\label{b}\end{figure} \figref{b} after \figref{a}."
    )
    assert printed(body, preamble) == ["Figure 1: One.", "Figure 2: Two.", "Fig. 2 after Fig. 1."]


def test_numbers_of_a_part_of_a_paper_are_said_to_be_its_own() -> None:
    float_ = rb"\begin{table}\caption{One.}\end{table}"
    (remark,) = convert(float_, "latex").remarks
    assert "as if it were the whole" in remark
    assert len(convert(rb"\begin{document}\input{a}" + float_ + rb"\end{document}", "latex").remarks) == 2
    assert convert(rb"\begin{document}" + float_ + rb"\end{document}", "latex").remarks == ()


def test_rows_of_a_table_are_those_that_are_printed() -> None:
    table = r"""\begin{longtable}{lrr}
\caption{Latency.}\label{t} \\ \toprule
 & \multicolumn{2}{c}{Minutes} \\ \cmidrule(lr){2-3}
Group & Before & \begin{tabular}[c]{@{}c@{}}After\\eight weeks\end{tabular} \endfirsthead
Group & Before & After \endhead \multicolumn{3}{c}{Goes on} \endfoot \bottomrule \endlastfoot
% Gone & 1 & 2 \\
Dim & 42 & \textbf{27}\tnote{a} \tabularnewline
\addlinespace[2pt]
\rotatebox{90}{Usual} & 41 & 40 \\*[3pt]
\end{longtable} \ref{t}"""
    assert printed(table) == [
        "Table 1: Latency.", "\tMinutes\nGroup\tBefore\tAfter eight weeks\nDim\t42\t27\nUsual\t41\t40", "1"
    ]  # fmt: skip


BOMB = b"".join(b"\\def\\%c{\\%c\\%c}" % (c, c + 1, c + 1) for c in range(97, 122)) + b"\\def\\z{zz}\\a"


@pytest.mark.parametrize(
    "source",
    [
        BOMB,
        rb"\def\a{\a\a}\a",
        rb"\newcommand{\a}[1]{#1#1#1}" + rb"\a{" * 40 + b"x" + b"}" * 40,
        b"{" * 50_000,
        rb"\emph{" * 20_000 + b"x",
        rb"\section{" * 10_000,
        rb"\footnote{" * 5_000 + b"x" + b"}" * 5_000,
        rb"\begin{tabular}{c}" * 1_000,
        b"$a " * 30_000,
        rb"\(" * 20_000,
        b"%" * 100_000,
        rb"\cite[" * 3_000,
        rb"\begin{x}" * 10_000 + rb"\end{y}" * 10_000,
        rb"\begin{abstract}" * 3_000,
        rb"\abstract{" * 3_000 + b"}" * 3_000,
        rb"\begin{abstract}" + rb"\a {} " * 2_000,
        rb"\begin{table}\caption{" * 2_000,
        rb"\begin{longtable}{c}" + rb"\caption[" * 5_000 + rb"\end{longtable}",
        rb"\begin{align}" * 2_000,
        rb"\iffalse" * 5_000,
        rb"\newenvironment{x}[" * 5_000,
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


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        (r"41\arcdeg{}36\arcmin{}05\farcs3", "41°36′05″.3"),
        (r"($>10$\arcdeg) and 5\degr", "($>10$°) and 5°"),
        (r"3~\micron, 5\,\angstrom, 20\,\celsius", "3 µm, 5 Å, 20 °C"),
        (r"\ang{41;36;5} \ang{10} \SI{20}{\celsius}", "41°36′5″ 10° 20 °C"),
        (r"\qty{5}{\kilo\metre\per\square\second}, \unit{\newton\metre}", "5 km/s², N m"),
        (r"\SI{1.5 \pm 0.2}{\micro\gram}, \SIrange{1}{2}{\metre}", "1.5 ± 0.2 µg, 1 to 2 m"),
        (r"41\unknown{}36, 41\unknown 36, 41\unknown{36}", "41 36, 41 36, 41 36"),
        (r"\unknown{12}{34}, 10\textsuperscript{-5}", "12 34, 10^-5"),
        (r"20\textbf{12}, 1{,}000, H\textsubscript{2}O, 12\textsuperscript{th}", "2012, 1,000, H2O, 12th"),
        (r"\newcommand{\deg}{ degrees}41\deg", "41 degrees"),
    ],
)
def test_units_keep_their_signs_and_numbers_do_not_run_into_one(written: str, printed: str) -> None:
    assert convert(rf"\begin{{document}}{written}\end{{document}}".encode(), "latex").text == printed
