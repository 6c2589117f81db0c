"""The arithmetic referee of a paper (docs/referee.md): findings whose calculation anybody can redo."""

from veritas.papers.referee.finding import Finding as Finding
from veritas.papers.referee.finding import Input as Input
from veritas.papers.referee.referee import referee as referee
