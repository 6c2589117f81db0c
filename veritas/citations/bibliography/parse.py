"""Reading of a bibliography file in any format."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from veritas.citations.bibliography.encodings import encoding_of
from veritas.citations.bibliography.entry import Entry
from veritas.errors import CorpusError, InputError

MAX_BYTES = 50_000_000
_BIBTEX = re.compile(r"^[ \t]*@[A-Za-z]+[ \t]*[{(][^\s,{}=]*,?", re.MULTILINE)
_RIS = re.compile(r"^\ufeff?\s*TY {0,2}- ", re.MULTILINE)
_YAML = re.compile(r"(?:^\s*(?:- )?references:|^\s*-\s+(?:id|type|title):)", re.MULTILINE)
_NBIB = re.compile(r"^\ufeff?PMID ?- ?\d", re.MULTILINE)
_SHIPPED = frozenset({"ieeeabrv.bib", "ieeefull.bib", "mrabbrev.bib"})
"""Files that come with TeX and hold abbreviations alone."""


_MOST_PARTS = 200
"""Most files that a document of LaTeX is put together of."""


class Format(StrEnum):
    """A format in which a bibliography is kept."""

    BIBTEX = "BibTeX"
    CSL_JSON = "CSL-JSON"
    CSL_YAML = "CSL-YAML"
    RIS = "RIS"
    NBIB = "NBIB"
    XML = "XML"
    LATEX = "LaTeX"
    LIST = "a reference list"


def read_bibliography(path: Path) -> list[Entry]:
    """Return the entries of a file: BibTeX, BibLaTeX, CSL-JSON, CSL-YAML, RIS, NBIB, JATS, LaTeX, Markdown,
    plain text, DOCX or PDF.

    Raises `InputError`, with the line where there is one, for a file that cannot be read, for one that holds no entry
    at all, and for LaTeX that names a bibliography which is not there.
    """
    name = str(path)
    data = read_data(path)
    suffix = path.suffix.lower()
    if suffix in (".docx", ".pdf"):
        entries = _converted(data, suffix[1:], name)
    else:
        entries = _parsed(decoded(data, name), suffix, path)
    if not entries:
        raise InputError(f"{name}: there is no bibliography entry or reference list in it")
    return entries


def read_data(path: Path) -> bytes:
    """Return the bytes of a bibliography. Raises `InputError` for a file that cannot be read or is too large."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"{path} is larger than {MAX_BYTES:,} bytes: that is no bibliography")
    return data


def entries_of(text: str, path: Path) -> list[Entry]:
    """Return the entries of a bibliography's text, which is or will be at `path`; none if it holds none. Raises
    `InputError` for one that cannot be read."""
    return _parsed(text, path.suffix.lower(), path)


def inline_entries(text: str, path: str) -> list[Entry]:
    """Return the entries of a page's own `references:` in its front matter (CSL-YAML); none if they cannot be read."""
    from veritas.citations.bibliography.formats.csl import read_csl_yaml

    ends = [at for mark in ("\n---", "\n...") if text.startswith("---") and (at := text.find(mark)) >= 0]
    front = text[: min(ends) + 1] if ends else ""
    try:
        return read_csl_yaml(front, path) if "\nreferences:" in front else []
    except InputError:
        return []


def form_of_text(text: str, suffix: str) -> Format:
    """Return the format of a text, by the suffix of its file, else by how it begins."""
    head = text[:2000]
    if suffix in (".json", ".csljson", ".csl") or (suffix == "" and text.lstrip()[:1] in ("[", "{")):
        return Format.CSL_JSON
    if suffix in (".yaml", ".yml") or (suffix == "" and _YAML.search(head)):
        return Format.CSL_YAML
    if suffix == ".xml" or text.lstrip("\ufeff \t\r\n").startswith("<?xml"):
        return Format.XML
    if suffix in (".nbib", ".medline", ".ris", ".txt", "") and _NBIB.search(head) and not _RIS.search(head):
        return Format.NBIB
    if suffix in (".ris", ".nbib") or (suffix not in (".bib", ".tex", ".md") and _RIS.search(head)):
        return Format.RIS
    if suffix in (".tex", ".ltx", ".latex", ".bbl"):
        return Format.LATEX
    return Format.BIBTEX if suffix in (".bib", ".bibtex", ".biblatex") or _BIBTEX.search(text) else Format.LIST


def _converted(data: bytes, kind: str, name: str) -> list[Entry]:
    from veritas.citations.bibliography.formats.reference_lists import read_references
    from veritas.reading.formats import convert

    try:
        text = convert(data, kind).text
    except CorpusError as error:
        raise InputError(f"{name} {error}") from error
    return read_references(text, name)


def _parsed(text: str, suffix: str, path: Path) -> list[Entry]:
    name = str(path)
    if suffix == ".cff":
        from veritas.citations.bibliography.formats.csl import read_cff

        return read_cff(text, name)
    form = form_of_text(text, suffix)
    if form is Format.LATEX:
        return _latex(text, path)
    if form is Format.XML:
        from veritas.citations.bibliography.formats.jats_references import read_jats

        if not re.search(r"<(?:\w+:)?(?:article|ref-list)[\s>]", text[:20_000]):
            raise InputError(f"{name}: of XML, only JATS is read as a bibliography")
        return read_jats(text.lstrip("\ufeff").encode("utf-8", "replace"), name)
    if form in (Format.CSL_JSON, Format.CSL_YAML):
        from veritas.citations.bibliography.formats.csl import read_csl, read_csl_yaml

        return read_csl(text, name) if form is Format.CSL_JSON else read_csl_yaml(text, name)
    if form is Format.RIS:
        from veritas.citations.bibliography.formats.tagged_lines import read_ris

        return read_ris(text, name)
    if form is Format.NBIB:
        from veritas.citations.bibliography.formats.tagged_lines import read_nbib

        return read_nbib(text, name)
    if form is Format.BIBTEX:
        from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex

        return read_bibtex(text, name)
    from veritas.citations.bibliography.formats.reference_lists import read_references

    return inline_entries(text, name) or read_references(text, name)


def _latex(text: str, path: Path) -> list[Entry]:
    from veritas.citations.bibliography.formats.thebibliography import named_files, read_latex

    parts, missing = _parts(text, path)
    entries: list[Entry] = []
    named: dict[Path, str] = {}
    for part, said in parts.items():
        entries += read_latex(said, str(part))
        for name in named_files(said):
            places = (path.parent / name, part.parent / name)
            named.setdefault(next((place for place in places if place.is_file()), places[0]).resolve(), name)
    for beside, name in named.items():
        if beside.is_file():
            entries += read_bibliography(path.parent / name if (path.parent / name).is_file() else beside)
        elif beside.name.lower() not in _SHIPPED:
            missing.append(name)
    if entries or named:
        missing = [name for name in missing if name.endswith(".bib")]  # a part that is not there need have none
    made = path.with_suffix(".bbl")
    if missing and not entries and made.is_file() and made != path:
        entries = read_bibliography(made)
    if missing and not entries:
        raise InputError(f"{path} names {', '.join(missing)}, which is not beside it: put it there or check it alone")
    if missing and not any(entry.guessed for entry in entries):
        raise InputError(f"{path} also names {', '.join(missing)}, which is not beside it: a part would go unchecked")
    return entries


def _parts(text: str, path: Path) -> tuple[dict[Path, str], list[str]]:
    """Return a document with the parts of it that lie in its folder, by file, and the names of parts that do not."""
    from veritas.citations.bibliography.formats.thebibliography import named_parts

    folder, parts, missing = path.parent.resolve(), {path: text}, []
    waiting = [(path, name) for name in named_parts(text)]
    while waiting and len(parts) < _MOST_PARTS:
        whole, name = waiting.pop(0)
        places = [place.resolve() for place in (path.parent / name, whole.parent / name)]
        found = next((place for place in places if place.is_file() and place.is_relative_to(folder)), None)
        if found is None:
            missing.append(name)
        elif found not in parts and found != path.resolve():
            parts[found] = said = decoded(read_data(found), str(found))
            waiting += [(found, each) for each in named_parts(said)]
    return parts, missing


def decoded(data: bytes, name: str) -> str:
    """Decode a bibliography in the encoding that `encoding_of` finds. Raises `InputError` for binary data."""
    encoding = encoding_of(data)
    if encoding is None:
        raise InputError(f"{name} is no text file and no DOCX or PDF")
    return data.decode(encoding)
