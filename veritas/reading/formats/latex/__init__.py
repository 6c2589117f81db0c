"""LaTeX: approximate conversion of source to printed text."""

from veritas.reading.formats.latex._latex_document import convert_latex

__all__ = ["convert_latex"]
