"""A bibliography as a root: a `.bib`, CSL-JSON or RIS whose entries name files or have them beside it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.parse import read_bibliography
from veritas.citations.file_stems import file_stem
from veritas.citations.record_exports import tex_title
from veritas.documents.metadata import is_web_url
from veritas.errors import CorpusError
from veritas.reading.formats import suffixes
from veritas.reviews._corpus_changes import usable_key
from veritas.reviews.add_papers import root_of
from veritas.reviews.drafts import Offer, Problem
from veritas.reviews.sources.attachments import Attached, Library

BIBLIOGRAPHIES = frozenset({".bib", ".bibtex", ".biblatex", ".json", ".csljson", ".csl", ".ris", ".nbib"})
"""Suffixes of files that are read as a bibliography."""

_LATEX = frozenset({".bib", ".bibtex", ".biblatex"})
_PART = re.compile(r"(?<!\\);")
_COLON = re.compile(r"(?<!\\)(?<!^[A-Za-z]):(?!\\)")
_ESCAPED = re.compile(r"\\([:;,\\{}_&%$# ])")


def offer_bibliography(path: Path, folder: Path | None = None) -> Offer:
    """Return the entries of `path` that have a file. A file is looked for under the entry's `file` field, from the
    bibliography's folder, then in `folder` (by default the bibliography's) under the entry's key or DOI.

    Raises `InputError` for a file that is no bibliography, `CorpusError` if none of its entries has a file.
    """
    base = folder if folder is not None else path.parent
    entries = read_bibliography(path)
    beside = _beside(base)
    library = Library(root_of(path))
    problems: list[Problem] = []
    seen: Counter[str] = Counter()
    readable = 0
    for entry in entries:
        source = entry.key or f"line {entry.line}"
        seen[source] += 1
        if entry.problem is not None:
            problems.append(Problem(source=source, reason=f"cannot be read in line {entry.line}: {entry.problem}"))
            continue
        if seen[source] > 1:
            problems.append(Problem(source=f"{source}, line {entry.line}", reason="has the key of an entry before it"))
            continue
        files = _files(entry, path.parent, base, beside)
        readable += bool(files)
        if usable_key(entry.key) is None and entry.key:
            problems.append(
                Problem(source=source, reason="has a key that LaTeX cannot cite; it is given another", kept=True)
            )
        library.paper(
            source,
            entry.record.model_copy(update={"given": _given(entry, path.suffix.lower() in _LATEX)}),
            files,
            given_key=entry.key,
            item_type=entry.type,
            tags=_tags(entry),
            url=_web(entry.fields.get("url")),
        )
    if not readable:
        raise CorpusError(
            f"none of the {len(entries)} entries of {path} has a file: name them in the field `file`, or put them as "
            f"<key>.pdf into {base}"
        )
    return library.offer(tuple(problems))


def _given(entry: Entry, written: bool) -> tuple[tuple[str, str], ...]:
    """Return the fields of an entry, which are LaTeX; the title as `written`, or with the capitals of names braced."""
    title = {} if written else {"title": tex_title(entry.record.full_title or "")}
    return tuple((name, value) for name, value in ({**entry.fields, **title}).items() if name != "file" and value)


def _beside(folder: Path) -> dict[str, Path]:
    """Return the files of a folder by their stems, folded; of several with one stem a PDF is preferred."""
    found: dict[str, Path] = {}
    try:
        listed = sorted(folder.iterdir(), key=lambda file: (file.suffix.lower() != ".pdf", file.name))
    except OSError:
        return found
    for file in listed:
        if file.suffix.lower() in suffixes() and not file.name.startswith("."):
            found.setdefault(file.stem.casefold(), file)
    return found


def _files(entry: Entry, home: Path, base: Path, beside: dict[str, Path]) -> list[Path | Attached]:
    """Return the existing files of an entry, those that its `file` field names first, PDFs before others."""
    named = [given for part in _PART.split(entry.fields.get("file", "")) if (given := _path_in(part)) is not None]
    found: list[Path] = []
    for name in named:
        for root in dict.fromkeys((home, base)):
            file = root / name
            if file.is_file() and file not in found:
                found.append(file)
    found.sort(key=lambda file: file.suffix.lower() != ".pdf")
    stems = [entry.key.casefold()] if entry.key else []
    if entry.record.doi:
        stems += [file_stem(entry.record.doi).casefold(), entry.record.doi.replace("/", "_").casefold()]
    found += [beside[stem] for stem in stems if stem in beside and beside[stem] not in found]
    return list(found)


def _path_in(part: str) -> str | None:
    """Return the path in a part of a `file` field: bare, or `description:path:type` as JabRef and Zotero write it."""
    part = part.strip()
    if not part:
        return None
    pieces = _COLON.split(part)
    path = pieces[1] if len(pieces) >= 3 else pieces[0]
    return _ESCAPED.sub(r"\1", path).strip() or None


def _tags(entry: Entry) -> tuple[str, ...]:
    said = entry.fields.get("keywords") or entry.fields.get("keyword") or ""
    return tuple(dict.fromkeys(tag for part in re.split(r"[,;]", said) if (tag := " ".join(part.split()))))


def _web(url: str | None) -> str | None:
    return url if url is not None and is_web_url(url) else None
