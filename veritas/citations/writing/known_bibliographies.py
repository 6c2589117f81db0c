"""The bibliographies that a document may cite from, each read again only when its file changes."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock, local

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.formats.thebibliography import named_files
from veritas.citations.bibliography.parse import decoded, entries_of, inline_entries
from veritas.citations.checking._tree import walk
from veritas.citations.marks.links import Kind, other_markup
from veritas.citations.marks.other_markup import named_bibliographies
from veritas.citations.writing.known_artifacts import Stamp, stamp_of
from veritas.errors import InputError

_METADATA = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(
    r"^[ \t]*(?:bibliography|bibtex_bibfiles|bib_files?):[ \t]*(.*(?:\n[ \t]*-.*)*)", re.MULTILINE
)
_ASSIGNED = re.compile(r"^bibtex_bibfiles\s*(?::[^=\n]*)?=\s*[\[(]([^\])]*)[\])]", re.MULTILINE)
_FILE = re.compile(r"[\w./\\~ -]+\.(?:bib(?:tex|latex)?|json|ya?ml|ris|nbib|xml)\b")
_ITEM = re.compile(r"^[ \t]*-[ \t]+", re.MULTILINE)
_DIRECTIVE = re.compile(r"^\.\.[ \t]+bibliography::[ \t]*(.*)$", re.MULTILINE)
_SPHINX = ("conf.py", "_config.yml", "_config.yaml")
_SETTINGS: dict[Kind, Sequence[str]] = {
    "markdown": (
        "index.Rmd", "index.qmd", "_metadata.yml", "_metadata.yaml", "_quarto.yml", "_quarto.yaml", "_bookdown.yml",
        *_SPHINX, "myst.yml", "mkdocs.yml", "mkdocs.yaml",
    ),
    "rst": _SPHINX,
}  # fmt: skip
"""The files by which bookdown, Quarto, Sphinx, Jupyter Book, MyST and MkDocs know what belongs to a book."""
_MOST_PAGES = 300
"""Most files of LaTeX in one folder that are looked through for the document that a chapter belongs to."""


def names(text: str, kind: Kind, path: str = "") -> Sequence[str]:
    """Return the bibliographies that a document names, as it names them."""
    if suffix := other_markup(path):
        return named_bibliographies(text, suffix)
    if kind == "latex":
        return [str(name) for name in named_files(text)]
    if kind == "rst":
        return [name for line in _DIRECTIVE.findall(text) for name in line.split()]
    metadata = _METADATA.match(text)
    return _listed(metadata[1], every=False) if metadata else []


def names_in_settings(path: str, text: str) -> Sequence[str]:
    """Return the bibliographies that a file of settings, or the main document of a book, names."""
    if path.endswith(".tex"):
        return names(text, "latex")
    if path.endswith(".py"):
        return [name.strip() for listed in _ASSIGNED.findall(text) for name in _FILE.findall(listed)]
    return _listed(text, every=True) if path.endswith((".yml", ".yaml")) else names(text, "markdown")


def settings_beside(folder: str, kind: Kind) -> Sequence[str]:
    """Return the files of a folder that may name the bibliographies of documents in and below it."""
    if kind != "latex":
        return [os.path.join(folder, name) for name in _SETTINGS.get(kind, ())]
    try:
        pages = sorted(name for name in os.listdir(folder) if name.endswith(".tex"))
    except OSError:
        return []
    return [os.path.join(folder, name) for name in pages[:_MOST_PAGES]]


def _listed(text: str, *, every: bool) -> Sequence[str]:
    found = _NAMED.findall(text)
    return [name.strip() for each in (found if every else found[:1]) for name in _FILE.findall(_ITEM.sub("", each))]


MAX_BYTES = 20_000_000
_PATIENCE = 0.1
"""Seconds for which a thread waits for a file that another reads, if it is to answer at once."""
_LOOKED = 30.0
"""Seconds for which the list of the project's bibliographies counts before the project is looked through again."""
_MOST_FILES, _MOST_BIBLIOGRAPHIES = 30_000, 40
"""Most files of a project that are looked through for bibliographies, and most bibliographies that are read."""
_OWN = frozenset({"citation.bib", "citations.bib"})
"""Names of the file by which a project says how to cite it; it lists nothing that its pages cite."""
OTHER_FORMS = (".json", ".yaml", ".yml", ".ris", ".nbib", ".xml", ".cff")
"""Endings of bibliographies that are not BibTeX's."""


@dataclass(frozen=True, slots=True)
class Bibliography:
    """A bibliography as it is now: its text and its entries by key."""

    path: str
    text: str
    entries: tuple[Entry, ...]
    by_key: dict[str, Entry]

    def at(self, place: int) -> Entry | None:
        """Return the entry at a character of the text."""
        return next((each for each in self.entries if each.span and each.span[0] <= place < each.span[1]), None)


def parsed(path: str, text: str) -> Bibliography:
    """Read a bibliography's text. What is half-written does not hide the entries around it."""
    read = _of_other_form if path.lower().endswith(OTHER_FORMS) else read_bibtex
    entries = tuple(read(text, path))
    by_key: dict[str, Entry] = {}
    for entry in entries:
        if entry.key:
            by_key.setdefault(entry.key, entry)
    for entry in entries:  # the other keys of an entry, as biblatex lists them
        for other in entry.fields.get("ids", "").split(",") if "ids" in entry.fields else ():
            by_key.setdefault(other.strip(), entry)
    return Bibliography(path, text, entries, by_key)


@dataclass(frozen=True, slots=True)
class Listed:
    """The bibliographies of a document. `missing`: it names one that is not there or cannot be read, which may have any
    key. `named`: the document itself names them, and they are all that it cites from."""

    there: tuple[Bibliography, ...] = ()
    missing: bool = False
    named: bool = False

    @property
    def tells(self) -> bool:
        """Whether a key that is in none of them is rather wrong: one of them lists what pages cite."""
        return any(os.path.basename(each.path).lower() not in _OWN for each in self.there)


class _Here(local):
    """What one thread wants: not to wait for a file that another reads, and whether it went without one."""

    at_once = False
    went_without = False


@dataclass(slots=True)
class KnownBibliographies:
    """The bibliographies that were read, by path. `open_texts` are the texts of files that are being edited, which
    count before what is on the disk."""

    root: str
    open_texts: dict[str, str] = field(default_factory=dict)
    _inline: dict[str, Bibliography] = field(default_factory=dict)
    _named: dict[str, tuple[Stamp | str, Sequence[str]]] = field(default_factory=dict)
    _read: dict[str, tuple[Stamp | str, Bibliography]] = field(default_factory=dict)
    _locks: dict[str, RLock] = field(default_factory=dict)
    _here: _Here = field(default_factory=_Here)
    _everywhere: tuple[float, Sequence[str], bool] | None = None

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Meanwhile, in this thread, do without a file that another thread is reading, or take it as it was."""
        self._here.at_once, self._here.went_without = True, False
        try:
            yield
        finally:
            self._here.at_once = False

    @property
    def went_without(self) -> bool:
        """Whether a file was not taken as it is now, in this thread's last `at_once`."""
        return self._here.went_without

    def get(self, path: str) -> Bibliography | None:
        """Return the bibliography at a path; None for a file that is not there or holds no text. May be called by
        several threads: one reads a file, and those that want the same one wait for it."""
        opened = self.open_texts.get(path)
        stamp: Stamp | str = stamp_of(path) if opened is None else opened
        if stamp == (0, 0, 0):
            return None
        with self._turn(path) as own:
            known = self._read.get(path)
            if known is not None and (known[0] == stamp or not own):
                return known[1]
            if not own:
                return None
            text = opened if opened is not None else _text(path)
            return self._parsed(path, text, stamp) if text is not None else None

    def read(self, path: str, text: str) -> Bibliography:
        """Return the bibliography that a text is, which is or will be at a path."""
        with self._turn(path) as own:
            known = self._read.get(path)
            if not own:
                return known[1] if known is not None else Bibliography(path, text, (), {})
            return known[1] if known is not None and known[1].text == text else self._parsed(path, text, text)

    @contextmanager
    def _turn(self, path: str) -> Iterator[bool]:
        """Wait until no other thread reads a file, and keep others out; False for one that does not wait so long."""
        lock = self._locks.setdefault(path, RLock())
        own = lock.acquire(timeout=_PATIENCE if self._here.at_once else -1)
        self._here.went_without |= not own
        try:
            yield own
        finally:
            if own:
                lock.release()

    def _parsed(self, path: str, text: str, stamp: Stamp | str) -> Bibliography:
        known = self._read.get(path)
        if known is None or known[1].text != text:
            known = stamp, parsed(path, text)
        self._read[path] = stamp, known[1]
        return known[1]

    def of(self, document: str, text: str, kind: Kind) -> Listed:
        """Return the bibliographies of a document: those that it names; if it names none, those that the settings of
        its book name, every .bib file beside it, in the folders above up to the project's root, and those in open
        windows below that."""
        folder = os.path.dirname(document)
        own = [os.path.normpath(os.path.join(folder, name)) for name in names(text, kind, document)]
        own = [path if os.path.lexists(path) else self._below_root(path, folder) for path in own]
        books = [] if own and kind == "latex" else list(self._of_books(folder, kind))
        found = list(dict.fromkeys([*own, *books, *(() if own else self._near(folder))]))
        read = {path: self.get(path) for path in found}
        there = tuple(bibliography for path in found if (bibliography := read[path]) is not None)
        if kind == "markdown" and (inline := self._inline_in(document, text)).entries:
            there = (inline, *there)
        return Listed(there, any(read[path] is None for path in (own or books)), bool(own))

    def _inline_in(self, document: str, text: str) -> Bibliography:
        """Return the references that a page lists in its own front matter, read again only when that changes."""
        front = text[: end.end()] if (end := _METADATA.match(text)) else ""
        known = self._inline.get(document)
        if known is None or known.text != front:
            entries = tuple(inline_entries(front, document))
            known = Bibliography(document, front, entries, {entry.key: entry for entry in entries})
            self._inline[document] = known
        return known

    def everywhere(self) -> tuple[list[Bibliography], bool]:
        """Return the BibTeX files of the whole project, and whether these are all. The project is looked through again
        after some time."""
        known = self._everywhere
        if known is None or time.monotonic() - known[0] > _LOOKED:
            paths: list[str] = []
            seen = 0
            for seen, path in enumerate(walk(self.root), 1):
                if path.lower().endswith(".bib"):
                    paths.append(path)
                if seen >= _MOST_FILES or len(paths) > _MOST_BIBLIOGRAPHIES:
                    break
            whole = seen < _MOST_FILES and len(paths) <= _MOST_BIBLIOGRAPHIES
            known = self._everywhere = time.monotonic(), paths[:_MOST_BIBLIOGRAPHIES], whole
        paths = [*dict.fromkeys([*known[1], *(path for path in self.open_texts if path.lower().endswith(".bib"))])]
        read = [bibliography for path in paths if (bibliography := self.get(path)) is not None]
        return read, known[2]

    def _below_root(self, path: str, folder: str) -> str:
        """Return a file that a document names from the project's root and not from its own folder."""
        return os.path.normpath(os.path.join(self.root, os.path.relpath(path, folder)))

    def _of_books(self, folder: str, kind: Kind) -> Iterator[str]:
        """Yield the bibliographies that a book names whose chapter a page may be: its first page or its settings stand
        beside the page, or above it."""
        at = folder
        while True:
            for path in settings_beside(at, kind):
                beside = os.path.dirname(path)
                yield from (os.path.normpath(os.path.join(beside, each)) for each in self._named_in(path))
            if at == self.root or not at.startswith(self.root) or at == os.path.dirname(at):
                return
            at = os.path.dirname(at)

    def _named_in(self, path: str) -> Sequence[str]:
        stamp = stamp_of(path)
        if stamp == (0, 0, 0):
            return ()
        known = self._named.get(path)
        if known is None or known[0] != stamp:
            known = self._named[path] = stamp, names_in_settings(path, _text(path) or "")
        return known[1]

    def _near(self, folder: str) -> Iterator[str]:
        at = folder
        while True:
            try:
                names = sorted(name for name in os.listdir(at) if name.lower().endswith(".bib"))
            except OSError:
                names = []
            yield from (os.path.join(at, name) for name in names)
            yield from (path for path in self.open_texts if os.path.dirname(path) == at)
            if at == self.root or not at.startswith(self.root) or at == os.path.dirname(at):
                return
            at = os.path.dirname(at)


def _of_other_form(text: str, path: str) -> list[Entry]:
    try:
        return entries_of(text, Path(path))
    except InputError:
        return []


def _text(path: str) -> str | None:
    try:
        if os.path.getsize(path) > MAX_BYTES:
            return None
        with open(path, "rb") as file:
            return decoded(file.read(), path).replace("\r\n", "\n")
    except (OSError, ValueError, InputError):
        return None
