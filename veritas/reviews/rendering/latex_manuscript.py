r"""The manuscript as LaTeX: `\citet{}` and `\citep{}` over keys that stand in the `.bib`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations.record_exports import tex
from veritas.reviews.manuscript import TABLE_HEAD, Cited, ReviewSentence, numbers_of
from veritas.reviews.review_document import Review

_SAFE_KEY = re.compile(r"[A-Za-z0-9:._+/-]+")

_HEAD = r"""\documentclass[11pt,a4paper]{article}
\usepackage{fontspec}
\IfFontExistsTF{FreeSerif}{\setmainfont{FreeSerif}}{}
\usepackage[margin=28mm]{geometry}
\usepackage[backend=biber,style=authoryear,natbib=true]{biblatex}
\addbibresource{references.bib}
\usepackage{array,longtable}
\usepackage[hidelinks]{hyperref}
\newcommand{\citationneeded}[1]{\textbf{[Citation needed: #1]}}
\setlength{\emergencystretch}{3em}
"""


def latex_text(text: str) -> str:
    """Return plain text as LaTeX in Unicode, on one line, without what cannot be seen."""
    return tex("".join(sign for sign in text if sign.isprintable() or sign.isspace()))


def latex(review: Review) -> str:
    """Return the whole document. It compiles with LuaLaTeX and biber beside `references.bib`."""
    manuscript = review.manuscript
    parts = [
        _HEAD,
        f"\\title{{{latex_text(manuscript.title)}}}",
        "\\author{}",
        f"\\date{{{review.finished_at:%Y-%m-%d}}}",
        "\\begin{document}",
        "\\maketitle",
        f"\\noindent\\emph{{{latex_text(manuscript.note)}}}",
        "",
    ]
    for section in manuscript.sections:
        command = ("section", "subsection", "subsubsection")[section.level - 1]
        parts.append(f"\\{command}{{{latex_text(section.title)}}}\n")
        for paragraph in manuscript.paragraphs(section.section_id):
            quoted = [sentence for sentence in paragraph if sentence.kind == "quotation"]
            said = [_sentence(sentence) for sentence in paragraph if sentence not in quoted]
            parts += [_table(quoted)] if quoted else []
            parts += ["\n".join(said) + "\n"] if said else []
    if manuscript.off_topic:
        parts.append(f"\\section{{Not placed}}\n\n{latex_text(manuscript.not_placed)}\n")
    if manuscript.keys:
        parts.append("\\printbibliography")
    parts.append("\\end{document}\n")
    return "\n".join(parts)


def _table(quoted: Sequence[ReviewSentence]) -> str:
    """Return quotations side by side, with the kind of their papers' evidence and their numbers."""
    columns = "".join(rf">{{\raggedright\arraybackslash}}p{{.{width}\textwidth}}" for width in (2, 13, 15, 38))
    rows = [rf"\begin{{longtable}}{{{columns}}}", " & ".join(TABLE_HEAD) + r" \\ \hline \endhead"]
    for sentence in quoted:
        (cited,) = sentence.cites
        rows.append(
            f"\\citet{_pages(cited)}{{{_key(cited)}}} & {cited.evidence or ''} & {latex_text(numbers_of(sentence))} & "
            f"``{latex_text(sentence.text)}''{_footnote(sentence)} \\\\"
        )
    return "\n".join([*rows, r"\end{longtable}", ""])


def _footnote(sentence: ReviewSentence) -> str:
    return f"\\footnote{{Let in by {latex_text(sentence.let_in)}}}" if sentence.let_in else ""


def _sentence(sentence: ReviewSentence) -> str:
    if sentence.kind == "gap":
        return f"\\citationneeded{{{latex_text(sentence.text[18:-1])}}}"
    footnote = _footnote(sentence)
    body, stop = sentence.text.rstrip(), "."
    if body[-1:] in ".!?":
        body, stop = body[:-1], body[-1]
    if len(sentence.cites) == 1:
        (cited,) = sentence.cites
        return f"{latex_text(body)} \\citep{_pages(cited)}{{{_key(cited)}}}{stop}{footnote}"
    keys = ",".join(_key(cited) for cited in sentence.cites)
    return f"{latex_text(body)} \\citep{{{keys}}}{stop}{footnote}"


def _pages(cited: Cited) -> str:
    if not cited.pages:
        return ""
    return f"[p.~{cited.pages[0]}]" if len(cited.pages) == 1 else f"[pp.~{', '.join(map(str, cited.pages))}]"


def _key(cited: Cited) -> str:
    if not _SAFE_KEY.fullmatch(cited.paper_key):
        raise ValueError(f"the key {cited.paper_key!r} cannot stand in LaTeX")
    return cited.paper_key
