"""The bibliographies that a document names, and those that the settings of its project name for it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from veritas.citations.bibliography.formats.thebibliography import named_files
from veritas.citations.checking._other_markup import named_bibliographies
from veritas.citations.writing.places import Kind, other_markup

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
