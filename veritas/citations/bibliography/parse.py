"""Reading of a bibliography file in any format."""

from __future__ import annotations

import re
from pathlib import Path

from veritas.citations.bibliography.entry import Entry
from veritas.errors import CorpusError, InputError

MAX_BYTES = 50_000_000
_BIBTEX = re.compile(r"^[ \t]*@[A-Za-z]+[ \t]*[{(][^\s,{}=]*,?", re.MULTILINE)
_RIS = re.compile(r"^\ufeff?\s*TY {0,2}- ", re.MULTILINE)


def read_bibliography(path: Path) -> list[Entry]:
    """Return the entries of a file: BibTeX, BibLaTeX, CSL-JSON, RIS, LaTeX, Markdown, plain text, DOCX or PDF.

    Raises `InputError` for a file that cannot be read and for one that holds no entry at all.
    """
    name = str(path)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"{name} is larger than {MAX_BYTES:,} bytes: that is no bibliography")
    suffix = path.suffix.lower()
    entries = _converted(data, suffix, name) if suffix in (".docx", ".pdf") else _parsed(data, suffix, path)
    if not entries:
        raise InputError(f"{name}: there is no bibliography entry or reference list in it")
    return entries


def _converted(data: bytes, suffix: str, name: str) -> list[Entry]:
    from veritas.citations.bibliography.formats.reference_lists import read_references
    from veritas.reading.formats import convert

    try:
        text = convert(data, "pdf" if suffix == ".pdf" else "docx").text
    except CorpusError as error:
        raise InputError(f"{name} {error}") from error
    return read_references(text, name)


def _parsed(data: bytes, suffix: str, path: Path) -> list[Entry]:
    name = str(path)
    text = decoded(data, name)
    if suffix in (".json", ".csljson", ".csl") or (suffix == "" and text.lstrip()[:1] in ("[", "{")):
        from veritas.citations.bibliography.formats.csl import read_csl

        return read_csl(text, name)
    if suffix in (".ris", ".nbib") or (suffix not in (".bib", ".tex", ".md") and _RIS.search(text[:2000])):
        from veritas.citations.bibliography.formats.ris import read_ris

        return read_ris(text, name)
    if suffix in (".tex", ".ltx", ".latex", ".bbl"):
        return _latex(text, path)
    if suffix in (".bib", ".bibtex", ".biblatex") or _BIBTEX.search(text):
        from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex

        return read_bibtex(text, name)
    from veritas.citations.bibliography.formats.reference_lists import read_references

    return read_references(text, name)


def _latex(text: str, path: Path) -> list[Entry]:
    from veritas.citations.bibliography.formats.thebibliography import named_files, read_latex

    entries = read_latex(text, str(path))
    for name in named_files(text):
        beside = path.parent / name
        if beside.is_file():
            entries += read_bibliography(beside)
    return entries


def decoded(data: bytes, name: str) -> str:
    """Decode UTF-8, else Windows' Latin 1 as in old .bib files. Raises `InputError` for binary data."""
    if b"\0" in data[:4096]:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16", "replace")
        raise InputError(f"{name} is no text file and no DOCX or PDF")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
