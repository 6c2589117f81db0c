"""The keys that the bibliographies of a project list, read once and only when a page cites a key that leads to no
artifact."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from veritas.citations.checking._tree import walk

_BIBTEX = re.compile(
    r"@\s*(?!string|comment|preamble)[a-z]{1,40}\s*[{(]\s*([^,{}\n]{1,300}?)\s*(?:,|\}|\n)", re.IGNORECASE
)
_OTHER_KEYS = re.compile(r"\bids\s*=\s*[{\"]([^{}\"]{1,2000})[}\"]", re.IGNORECASE)
_ITEM = re.compile(
    r"\\(?:bibitem|harvarditem|entry)(?![A-Za-z@])\s*(?:\[.{0,4000}?\]\s*)?\{([^{}]{1,200})\}", re.DOTALL
)
_PAGES = (".tex", ".ltx", ".latex", ".rnw", ".snw", ".rtex", ".bbl", ".bib")
_OTHERS = (".rst", ".rest", ".org", ".typ", "conf.py")
_NAMED = re.compile(
    r"^\.\.[ \t]+bibliography::([^\n]*)|^bibtex_bibfiles\b([^\])]*)|^#\+bibliography:([^\n]*)|#bibliography\(([^)]*)",
    re.MULTILINE | re.IGNORECASE,
)
_FILE = re.compile(r"[\w./~-]+\.(?:bib|ya?ml|json)\b")
_OWN = frozenset({"citation.bib", "citations.bib"})
"""Names of the file by which a project says how to cite it; it lists nothing that its pages cite."""
_MOST_FILES, _MOST_BYTES = 30_000, 100_000_000
"""Most files of a project that are looked through for bibliographies, and most bytes that are read of them."""


@dataclass(slots=True)
class ListedKeys:
    """The keys of a project's bibliographies. They are read generously: what only looks like an entry counts as one, so
    that a key is called unknown only if it stands in none of them in any form."""

    root: str
    _keys: set[str] = field(default_factory=set)
    _lacking: set[str] = field(default_factory=set)
    """Folders of pages that name a bibliography that is not there."""
    _whole: bool = True
    _lists: bool = False
    _read: bool = False
    _with_bib: dict[str, bool] = field(default_factory=dict)

    @property
    def lists(self) -> bool:
        """Whether some bibliography that was read lists anything."""
        return self._lists

    def has(self, key: str) -> bool:
        """Return whether a bibliography of the project lists a key."""
        if not self._read:
            self._read = True
            self._look_through()
        return key.lower() in self._keys

    def lacks(self, path: str, key: str) -> bool:
        """Return whether a key that a page cites surely stands in no bibliography: the project has some, all
        were read, and neither the page nor one beside or above it names one that is not there."""
        if self.has(key) or not self._lists or not self._whole:
            return False
        return not any(folder in self._lacking for folder in self._above(path))

    def beside(self, path: str) -> bool:
        """Return whether a .bib file stands beside a file, or above it in the project; each folder is listed once."""
        return any(self._has_bib(folder) for folder in self._above(path))

    def _above(self, path: str) -> Iterator[str]:
        at = os.path.dirname(path)
        while True:
            yield at
            if at == self.root or at == os.path.dirname(at):
                return
            at = os.path.dirname(at)

    def _has_bib(self, folder: str) -> bool:
        known = self._with_bib.get(folder)
        if known is None:
            try:
                known = any(name.lower().endswith(".bib") for name in os.listdir(folder))
            except OSError:
                known = False
            self._with_bib[folder] = known
        return known

    def _look_through(self) -> None:
        named: dict[str, list[str]] = {}  # bibliographies that pages name, each with the folders of these pages
        left = _MOST_BYTES
        read: set[str] = set()
        for seen, path in enumerate(walk(self.root, lambda *_: self._incomplete()), 1):
            if seen > _MOST_FILES or left < 0:
                self._whole = False
                break
            if path.lower().endswith(_PAGES):
                read.add(path)
                left -= self._take(path, named)
            elif path.lower().endswith(_OTHERS):
                self._names_of(path, named)
        for path, folders in named.items():
            if path in read:
                continue
            again = os.path.join(self.root, os.path.basename(path)) if not os.path.isfile(path) else path
            if os.path.isfile(again) and again.endswith(".bib"):  # also where git ignores it
                self._take(again, {})
            else:
                self._lacking.update(folders)

    def _names_of(self, path: str, named: dict[str, list[str]]) -> None:
        """Add the bibliographies that a page or a book's settings name."""
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST_BYTES)
        except OSError:
            self._whole = False
            return
        folder = os.path.dirname(path)
        for found in _NAMED.finditer(text):
            for name in _FILE.findall(found[found.lastindex or 0]):
                named.setdefault(os.path.normpath(os.path.join(folder, name)), []).append(folder)

    def _incomplete(self) -> None:
        self._whole = False

    def _take(self, path: str, named: dict[str, list[str]]) -> int:
        """Read the keys of a file; return the number of its characters."""
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST_BYTES)
        except OSError:
            self._whole = False
            return 0
        found = set(_BIBTEX.findall(text)) if path.lower().endswith(".bib") or "filecontents" in text else set()
        for listed in _OTHER_KEYS.findall(text) if found else ():
            found.update(key.strip() for key in listed.split(","))
        found.update(key.strip() for key in _ITEM.findall(text))
        self._keys |= {key.lower() for key in found}  # BibTeX does not tell them apart
        self._lists |= bool(found) and os.path.basename(path).lower() not in _OWN
        if not path.lower().endswith((".bib", ".bbl")):
            # here, because what reads entries is heavy
            from veritas.citations.bibliography.formats.thebibliography import named_files

            folder = os.path.dirname(path)
            for name in named_files(text):
                named.setdefault(os.path.normpath(os.path.join(folder, name)), []).append(folder)
        return len(text)
