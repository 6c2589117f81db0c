"""The citation labels that the files of a project define: in Sphinx a citation of one page is cited from any other."""

from __future__ import annotations

import re

from veritas.citations.checking._tree import walk

MOST_FILES = 20_000
MOST_BYTES = 2_000_000
"""Limits of what is searched; a label behind them is as unknown as one that nobody defines."""
_SUFFIXES = (".rst", ".rest", ".txt", ".inc", ".md", ".py", ".pyx", ".pyi", ".c", ".cpp", ".h", ".jl", ".f90")
_DEFINED = re.compile(rb"^[ \t>*#/!]*\.\.[ \t]+\[([^\]\n]{1,200})\]", re.MULTILINE)


class KnownLabels:
    """The labels of one project. Its files are read when a label is asked about that its own page does not define."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._defined: frozenset[str] | None = None
        self.waiting = False

    def defined(self, label: str) -> bool:
        """Return whether a file of the project defines a label; False while that is not worked out."""
        self.waiting = self.waiting or self._defined is None
        return self._defined is not None and label.casefold() in self._defined

    def settle(self) -> None:
        """Read the labels of the project's files."""
        found: set[str] = set()
        for number, path in enumerate(walk(self._root)):
            if number > MOST_FILES:
                break
            if not path.endswith(_SUFFIXES):
                continue
            try:
                with open(path, "rb") as file:
                    data = file.read(MOST_BYTES)
            except OSError:
                continue
            if b".. [" in data:
                found |= {each.decode("utf-8", "replace").casefold() for each in _DEFINED.findall(data)}
        self._defined, self.waiting = frozenset(found), False

    def ask_again(self) -> None:
        """Forget what the files define: they changed."""
        self._defined = None
