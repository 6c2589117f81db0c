"""Find a paper, read it and take it apart."""

from veritas.papers.reading.find_paper import Confirm, Undecided, read_paper
from veritas.papers.reading.paper_text import PaperText, paper_of, read_file

__all__ = ["Confirm", "PaperText", "Undecided", "paper_of", "read_file", "read_paper"]
