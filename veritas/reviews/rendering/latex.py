r"""The manuscript as LaTeX: `\citet{}` and `\citep{}` of natbib over keys that stand in the `.bib`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from textwrap import shorten

from veritas.citations.exports import bibtex, tex
from veritas.reviews.manuscript import Cited, ReviewSentence
from veritas.reviews.paper import CorpusPaper
from veritas.reviews.review import Review

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "\"": r"\textquotedbl{}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}",
    "\u2013": "--", "\u2014": "---", "\u2018": "`", "\u2019": "'", "\u201c": "``", "\u201d": "''",
    "\u2026": r"\ldots{}",
    "\u00a0": "~", "\u2212": r"$-$", "\u00b1": r"$\pm$", "\u00d7": r"$\times$", "\u2264": r"$\le$", "\u2265": r"$\ge$",
    "\u2248": r"$\approx$", "\u2260": r"$\ne$", "\u2192": r"$\to$", "\u00b0": r"\textdegree{}", "\u00b7": r"$\cdot$",
    "\u2032": "$'$", "\u221e": r"$\infty$", "\u221a": r"$\surd$", "\u2022": r"\textbullet{}", "\u00ad": "",
    "\u2010": "-", "\u2011": "-", "\u2009": r"\,", "\u202f": r"\,", "\ufeff": "", "\u2122": r"\texttrademark{}",
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\u20ac": r"\texteuro{}",
}  # fmt: skip
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρσςτυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma varsigma tau upsilon "
        "phi chi psi omega".split(),
        strict=True,
    )
)
_GREEK_TEX = {letter: rf"$\{name}$" for letter, name in _GREEK.items()} | {
    "ο": "o",
    "Γ": r"$\Gamma$", "Δ": r"$\Delta$", "Θ": r"$\Theta$", "Λ": r"$\Lambda$", "Ξ": r"$\Xi$", "Π": r"$\Pi$",
    "Σ": r"$\Sigma$", "Φ": r"$\Phi$", "Ψ": r"$\Psi$", "Ω": r"$\Omega$", "µ": r"$\mu$",
}  # fmt: skip
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-")
_SAFE_KEY = re.compile(r"[A-Za-z0-9:._+/-]+")

_HEAD = r"""\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage{lmodern}
\usepackage[margin=28mm]{geometry}
\usepackage[round]{natbib}
\usepackage[hidelinks]{hyperref}
\newcommand{\citationneeded}[1]{\textbf{[Citation needed: #1]}}
\setlength{\emergencystretch}{3em}
"""


def latex_text(text: str) -> str:
    """Plain text as LaTeX sets it with pdfTeX's fonts. What no font there has becomes its base letter, or a box."""
    made = []
    for sign in text:
        known = _ESCAPES.get(sign) or _GREEK_TEX.get(sign)
        if known is not None or sign in _ESCAPES:
            made.append(known or "")
        elif sign in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻":
            made.append(f"$^{{{sign.translate(_RAISED)}}}$")
        elif sign in "₀₁₂₃₄₅₆₇₈₉₊₋":
            made.append(f"$_{{{sign.translate(_LOWERED)}}}$")
        elif sign.isascii():
            made.append(sign if sign.isprintable() or sign in "\n\t" else " ")
        elif "\u00c0" <= sign <= "\u017f":
            made.append(sign)
        else:
            plain = unicodedata.normalize("NFKD", sign)
            base = "".join(c for c in plain if c.isascii() and c.isprintable())
            made.append(latex_text(base) if base else r"\rule{0.6em}{0.6em}")
    return "".join(made)


def bibliography(papers: Iterable[CorpusPaper]) -> str:
    """The `.bib` of some papers. Its fields hold no sign that pdfTeX's fonts lack; a paper without authors is cited by
    the beginning of its title, one without a year as n.d."""
    entries = []
    for paper in papers:
        head, _, rest = bibtex(paper.record, paper.paper_key).partition("\n")
        label = shorten(paper.title, 40, placeholder=" …") or paper.paper_key
        missing = "" if paper.record.authors else f"  key={{{tex(label)}}},\n"
        missing += "" if paper.record.year else "  year={n.d.},\n"
        entries.append(f"{head}\n{missing}{rest}")
    return "".join(sign if sign.isascii() else latex_text(sign) for sign in "\n".join(entries))


def latex(review: Review) -> str:
    """The whole document. It compiles with pdfLaTeX and BibTeX beside `references.bib`."""
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
            parts.append("\n".join(_sentence(sentence) for sentence in paragraph) + "\n")
    if manuscript.keys:
        parts += ["\\bibliographystyle{plainnat}", "\\bibliography{references}"]
    parts.append("\\end{document}\n")
    return "\n".join(parts)


def _sentence(sentence: ReviewSentence) -> str:
    if sentence.kind == "gap":
        return f"\\citationneeded{{{latex_text(sentence.text[18:-1])}}}"
    footnote = f"\\footnote{{Let in by {latex_text(sentence.let_in)}}}" if sentence.let_in else ""
    if sentence.kind == "quotation":
        (cited,) = sentence.cites
        return f"\\citet{_pages(cited)}{{{_key(cited)}}}: ``{latex_text(sentence.text)}''{footnote}"
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
