"""The `.bib` of a corpus' papers, in a form that both BibTeX and Pandoc take."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import shorten

from veritas.citations.record_exports import bibtex, tex
from veritas.reviews._corpus_paper import CorpusPaper
from veritas.reviews._tex_text import latex_text


def bibliography(papers: Iterable[CorpusPaper]) -> str:
    """Return the `.bib` of some papers. Its fields hold only characters that pdfTeX's fonts have. A paper without
    authors is cited by the beginning of its title, one without a year as n.d."""
    entries = []
    for paper in papers:
        head, _, rest = bibtex(paper.record, paper.paper_key).partition("\n")
        label = shorten(paper.title, 40, placeholder=" …") or paper.paper_key
        missing = "" if paper.record.authors else f"  key={{{tex(label)}}},\n"
        missing += "" if paper.record.year else "  year={n.d.},\n"
        entries.append(f"{head}\n{missing}{rest}")
    return "".join(sign if sign.isascii() else latex_text(sign) for sign in "\n".join(entries))
