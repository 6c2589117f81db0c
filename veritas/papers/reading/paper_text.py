"""A paper as it was read: its text with identity, sections, references, citations and captions, each with its place."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veritas.citations.bibliography.entry import Entry
from veritas.documents.document import Document, document_id
from veritas.documents.paper_parts import Figure, Identity, Marker, Match, Reference, Section
from veritas.documents.paper_sections import find_sections
from veritas.errors import CorpusError, InputError
from veritas.frozen import Frozen
from veritas.papers.audit import PARTS_MISSING, PaperEvent
from veritas.papers.reading._paper_identity import HowFound, identity_of
from veritas.papers.reading.captions import find_figures, find_tables
from veritas.papers.reading.list_doubt import cited_beyond, dangling
from veritas.papers.reading.markers import Link, counted, find_markers
from veritas.papers.reading.reference_list import find_references, with_list
from veritas.text.languages import foreign_language
from veritas.text.line_numbers import without_line_numbers
from veritas.text.structure import Structure

if TYPE_CHECKING:
    from veritas.reading.formats.latex.included_files import Joined

LEAST = 400
"""Characters below which a text without a table is too short for a paper."""

ENGLISH_ONLY = (
    "the embedded members read English only: without language models no argument can be read in it, or little of one"
)

MISSING_NAMED = 8
"""Names of missing parts that a message lists, at most."""

_CITING = re.compile(
    r"\[\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\]|\[@[\w:-]+|\bet al\b|\\cite\w*\{|[A-Z][\w'’-]+,? \(?(?:19|20)\d\d[a-z]?\)"
)
_LISTS = re.compile(r"\\(?:bibliography|printbibliography)(?![A-Za-z@])")
CITED = 3
"""Citations in the text from which a paper has a reference list, whether it was found or not."""


class PaperText(Frozen):
    """Output of the stage `read`. All offsets count characters of `document.text`."""

    document: Document
    identity: Identity
    sections: tuple[Section, ...] = ()
    figures: tuple[Figure, ...] = ()
    references: tuple[Reference, ...] = ()
    markers: tuple[Marker, ...] = ()
    events: tuple[PaperEvent, ...] = ()

    @property
    def text(self) -> str:
        """The stored text."""
        return self.document.text


def read_file(path: Path, *, asked: str | None = None) -> PaperText:
    """Read a paper from a file of any readable kind. Raises `InputError` for one that cannot be used."""
    from veritas.documents.metadata import read_metadata, read_sidecar
    from veritas.reading.converter_pool import Workshop
    from veritas.reading.formats import Converted, convert, kind_of, media_type_of, suffixes
    from veritas.reading.walking import read_bytes
    from veritas.settings import home

    kind = kind_of(path)
    if kind is None:
        raise InputError(f"{path} is of no kind that is read ({', '.join(suffixes())})")
    given: list[Entry] = []
    missing: list[str] = []
    linked: list[Link] = []
    parts: Joined | None = None
    numbered = 0
    try:
        data = read_bytes(path, follow=True)
        if kind in ("text", "markdown", "rst", "latex"):
            from veritas.reading.charset import decode

            text, _ = decode(data)
            text, _, numbered = without_line_numbers(text)
            changed = numbered > 0
            if kind == "latex":
                from veritas.reading.formats.latex.included_files import join_parts

                parts = join_parts(text, path)
                changed, text = changed or parts.text != text, parts.text
                given, missing = _bibliography(text, path)
            converted: Converted = convert(text.encode("utf-8", "surrogatepass") if changed else data, kind)
        else:
            with Workshop(home() / "cache" / "converted", workers=1) as workshop:
                converted = workshop.convert(data, kind)
        if kind == "jats":
            from veritas.citations.bibliography.formats.jats_references import read_by_id

            by_id = read_by_id(data, path.name)
            given = list(by_id.values())
            linked = [(c.start, c.end, [by_id[name].key for name in c.ids if name in by_id]) for c in converted.cited]
        elif kind == "markdown":
            given, missing = _beside(_named_in(converted.front_matter), path)
        owner, remarks = read_metadata({**converted.front_matter, **(read_sidecar(path) or {})})
    except CorpusError as error:
        raise InputError(f"{path} {error}") from error
    body, pages = converted.text, converted.page_starts
    if not numbered:
        body, pages, numbered = without_line_numbers(body, pages)
    said = [*converted.remarks, *(parts.remarks if parts else ()), *remarks]
    if numbered:
        said.append(f"had {numbered} line numbers, which were taken out")
    document = Document(
        document_id=document_id(body),
        url=owner.url or f"corpus://paper/{path.name}",
        title=owner.title or converted.title or "",
        text=body,
        media_type=media_type_of(kind),
        fetched_at=datetime.now(UTC).date(),
        published_at=owner.published_at or converted.published_at,
        authors=owner.authors or converted.authors,
        doi=owner.doi or converted.doi,
        arxiv_id=owner.arxiv_id,
        page_starts=pages,
    )
    events = [PaperEvent(stage="read", kind="note", subject=path.name, reason=reason) for reason in said]
    if missing:
        lost = f"it names {', '.join(missing)}, which does not lie beside it or has no entry: what it cites from there "
        lost += "is not known"
        events.append(_note("references", "no-bibliography", lost))
    if parts is not None and parts.lost:
        events.append(_note("paper", PARTS_MISSING, _said_missing(parts)))
    return paper_of(
        document, asked=asked or str(path), how="file", sha256=hashlib.sha256(data).hexdigest(), given=given,
        events=events, name=path.stem, citations=converted.citations,
        linked=linked if body == converted.text else (), all_known=not missing and not (parts and parts.lost),
        saved_at=converted.saved_at,
        outline=converted.blocks if kind == "jats" and body == converted.text else (),
    )  # fmt: skip


def paper_of(
    document: Document,
    *,
    asked: str,
    how: HowFound,
    match: Match | None = None,
    sha256: str | None = None,
    given: Sequence[Entry] = (),
    events: Sequence[PaperEvent] = (),
    name: str = "",
    citations: Collection[str] = (),
    linked: Sequence[Link] = (),
    all_known: bool = True,
    saved_at: date | None = None,
    outline: Structure = (),
) -> PaperText:
    """Take a document apart as a paper. `given` and `citations` are those of the bibliography beside it, if any;
    `linked` are the citations that the file itself links to `given`; `saved_at` is its file's date, used if the paper
    gives none; `outline` are the blocks of a file that nests its own sections.

    Raises `InputError` for a text too short for a paper.
    """
    text, pages = document.text, document.page_starts
    if len(text.strip()) < LEAST and not any(find_tables(text)):
        short = f"{asked}: there are only {len(text.strip())} characters of text in it, too few for a paper"
        why = next((event.reason for event in events if event.kind == PARTS_MISSING), "")
        if document.media_type == "application/pdf":
            why = "If it is a scan, run text recognition (OCR) on it first"
        raise InputError(f"{short}. {why[:1].upper()}{why[1:]}" if why else short)
    sections = find_sections(text, pages, outline)
    sections = sections if given else with_list(text, sections, pages)
    references = find_references(text, sections, pages, given)
    markers = find_markers(text, references, sections, pages, frozenset(citations), linked, all_known=all_known)
    found = list(events)
    partly = any(event.kind == PARTS_MISSING for event in events)
    unread = "" if references else _why_unread(document, all_known, partly)
    if language := foreign_language(text):
        found.append(_note("paper", "language", f"it is in {language}, and {ENGLISH_ONLY}"))
    if document.abstract_only:
        found.append(_note("paper", "abstract-only", "no more than the abstract could be had"))
    if unread:
        found.append(_note("references", "references-unread", f"{unread}, so no citation can be checked"))
    elif not references:
        found.append(_note("references", "no-references", "no reference list was found, so no citation can be checked"))
    if cut := cited_beyond(text, references, markers):
        found.append(_note("references", "references-cut", cut))
    unresolved = [marker for marker in markers if marker.unresolved]
    if unresolved:
        some = "; ".join(dict.fromkeys(u for m in unresolved for u in m.unresolved))[:200]
        if dangling(markers, references):
            lost = _note("references", "unresolved-citations", f"{len(unresolved)} citations fit no reference: {some}")
        else:
            why = f"{len(unresolved)} citations were not matched with a list that may not be read whole: {some}"
            lost = _note("references", "unmatched-citations", why)
        found.append(lost)
    identity = identity_of(document, sections, asked, how, match, sha256, name)
    if identity.year is None and saved_at is not None and saved_at <= datetime.now(UTC).date():
        identity = identity.model_copy(update={"year": saved_at.year})
        found.append(_note("paper", "year-of-file", f"it gives no date of its own: its file is of {saved_at}"))
    return PaperText(
        document=document,
        identity=identity,
        sections=sections,
        figures=find_figures(text, sections, pages),
        references=counted(references, markers),
        markers=markers,
        events=tuple(found),
    )


def _said_missing(parts: Joined) -> str:
    """Return a message on how many parts could not be had, with the names and reasons of the first."""
    named = [f"{name} ({why})" for name, why in list(parts.missing.items())[:MISSING_NAMED]]
    more = [f"and {len(parts.missing) - MISSING_NAMED} more"] if len(parts.missing) > MISSING_NAMED else []
    were = "was" if parts.lost == 1 else "were"
    said = "".join(c if c.isprintable() else "?" for c in ", ".join([*named, *more]))  # the names are a stranger's
    of = f"{parts.lost} of {parts.parts} parts of the paper {were} not found: {said}"
    return f"{of}. What stands in them is not known, so nothing is said to be lacking"


def _bibliography(text: str, path: Path) -> tuple[list[Entry], list[str]]:
    """Return the entries of the bibliographies, and the names of missing ones. A .bbl beside the paper, of its name or
    the only one, is the output of its own run of BibTeX or Biber, with all works it cites."""
    from veritas.citations.bibliography.formats.thebibliography import named_files, read_biber, read_latex

    entries = read_latex(text, path.name)
    named = named_files(text)
    found, missing = _beside(named, path)
    entries += found
    made = path.with_suffix(".bbl")
    if not made.is_file():
        others = sorted(path.parent.glob("*.bbl"))[:2]
        made = others[0] if len(others) == 1 else made
    if (named or _LISTS.search(text)) and made.is_file() and made.resolve().parent == path.parent.resolve():
        from veritas.reading.charset import decode
        from veritas.reading.walking import read_bytes

        source, _ = decode(read_bytes(made, follow=True))
        printed = read_latex(source, made.name) or read_biber(source, made.name)
        # A .bib may hold far more than the paper cites, and the .bbl be older than the text.
        listed = {entry.key.casefold() for entry in printed}
        entries = [e for e in entries if not printed or e.key.casefold() in listed or e.key in text]
        known = {entry.key for entry in entries}
        entries += [entry for entry in printed if entry.key not in known]
        missing = [] if printed else missing
    return entries, missing


def _beside(names: Sequence[str], path: Path) -> tuple[list[Entry], list[str]]:
    from veritas.citations.bibliography.parse import read_bibliography

    entries: list[Entry] = []
    missing = []
    for name in names:
        beside = (path.parent / name).resolve()
        # A paper is a stranger's: the bibliography it names is read only from its own folder.
        if beside.is_file() and path.parent.resolve() in beside.parents:
            try:
                entries += read_bibliography(beside)
            except InputError:  # an empty one must not keep the paper from being read
                missing.append(name)
        else:
            missing.append(name)
    return entries, missing


def _named_in(front_matter: Mapping[str, Any]) -> list[str]:
    """Return the bibliographies that a Markdown paper names in its front matter, as Pandoc reads them."""
    named = front_matter.get("bibliography")
    return [str(name) for name in (named if isinstance(named, list) else [named]) if name]


def _why_unread(document: Document, all_known: bool, partly: bool) -> str:
    """Return why a reference list may exist although none was found; '' if nothing suggests one."""
    if partly:
        return "it may stand in a part of the paper that was not found"
    if not all_known:
        return "the bibliography that it names does not lie beside it or has no entry"
    if document.abstract_only:
        return "no more than the abstract was read, without the references"
    if document.media_type.endswith("jats+xml"):
        return "the article's list of references is not in what was read"
    if sum(1 for _ in _CITING.finditer(document.text)) >= CITED:
        return "it cites works, but their list could not be told from the text"
    return ""


def _note(subject: str, kind: str, reason: str) -> PaperEvent:
    return PaperEvent(stage="read", kind=kind, subject=subject, reason=reason)
