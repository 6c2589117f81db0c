"""LaTeX: from source to what it prints, near enough."""

from veritas.reading.formats.latex.latex_document import convert_latex

__all__ = ["convert_latex"]
