"""Reference lists in running text: where each reference begins, and what in it is author, title and year."""

from __future__ import annotations

import re

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.line_numbers import LineNumbers
from veritas.citations.identifiers import arxiv_of_doi, normalise_arxiv_id, normalise_doi

_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*|\d{1,2}\.?[ \t]+|[IVX]{1,5}\.[ \t]+)?\**(?:references?(?: cited)?|bibliography|works cited"
    r"|literature(?: cited)?|literatur(?:verzeichnis)?|références|sources)\**[ \t]*:?[ \t]*#*[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_AFTER = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+\S.*|(?:[A-Z]\.?[ \t]+)?(?:appendix|appendices|supplementary|acknowledge?ments?"
    r"|author contributions|footnotes|notes|about the authors?)\b.{0,60})$",
    re.IGNORECASE | re.MULTILINE,
)
_MARK = re.compile(r"^[ \t]*(?:\[(\w{1,20}(?:[+\w]*)?)\]|\((\d{1,3})\)|(\d{1,3})[.)])[ \t]+(?=\S)", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*[-*+•][ \t]+(?=\S)", re.MULTILINE)
_YEAR = re.compile(r"(?<![\d./:-])(1[5-9]\d\d|20\d\d)[a-z]?(?![\d/-])")
_QUOTED = re.compile(r"[“\"„«]([^“”\"„«»]{8,400}?)[,.]?[”\"“»]")
_ITALIC = re.compile(r"(?<!\*)\*([^*\n]{8,300})\*(?!\*)|(?<!\w)_([^_\n]{8,300})_(?!\w)")
_URL = re.compile(r"https?://[^\s<>\"“”]+")
_SENTENCE = re.compile(
    r"(?<=[.?!])(?<!\b[A-Z]\.)[ \t]+(?=[*_]{0,2}[\"“A-Z0-9À-ÞΑ-ΩА-Я«‘(])|(?<=\)[.:])[ \t]+(?=\S)"
)
_VANCOUVER = re.compile(
    r"(?:[A-ZÀ-Þ][\w'’-]+(?: [A-Za-zÀ-Þ][\w'’-]+){0,2} [A-Z]{1,3}, (?:et al\. )?){0,400}"
    r"(?:[A-ZÀ-Þ][\w'’-]+(?: [A-Za-zÀ-Þ][\w'’-]+){0,2} [A-Z]{1,3}\. |(?<=et al\. ))"
)
_APA_YEAR = re.compile(
    r"\(\s*(?:[A-Z][a-z]{2,8}\.?[ \t]+(?:\d{1,2},[ \t]*)?)?(?:1[5-9]|20)\d\d[a-z]?(?:,[^()]{0,30})?\s*\)[.,:]?[ \t]*"
)
_GIVEN_NAME = re.compile(r"[A-ZÀ-Þ][\w'’-]+ [A-Z]\. ")
"""What Vancouver would take for `Knuth D. ` and is the beginning of `Donald E. Knuth`, if a surname follows."""
_FIRST_NAMES = re.compile(r"(?:[A-Z]\.?[ -]?){1,4}|[A-ZÀ-Þ][\w'’-]+(?: [A-Z]\.)+")
_SURNAME = re.compile(
    r"(?:(?:de|da|del|van|von|der|den|la|le) )*[A-ZÀ-Þ][\w'’-]+(?:\. |, | (?:and|&) [A-ZÀ-Þ][\w'’.-]* [A-ZÀ-Þ])"
)
_NAMED = re.compile(r"\bdoi:?\s*10\.\S+|(?:arXiv preprint )?arXiv:\s*\S+(?:\s*\[[\w.-]+\])?", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S+(?:(?<=[-/])[ \t]+[\w(]*\d\S*|(?<=\.)[ \t]+\d{2}\.\d{3}\S*)*")
"""A DOI in running text: to the next space, over a break that a converter left after a hyphen, slash or point."""
_AUTHORISH = re.compile(
    r"\bet al\b|\band\b|&|^[^,.]{2,30},[ \t]*(?:[A-Z]\.[ -]?)+"
    r"|(?:^|,[ \t]*)(?:[A-Z]\.[ -]?){1,3}[ \t]*[A-Z][\w'’-]+"
)
_VENUE = re.compile(
    r"^(?:in|in:|proc(?:eedings)?\b|journal|arxiv|corr\b|available|retrieved|https?:|doi)", re.IGNORECASE
)
MIN_REFERENCE = 20
MAX_REFERENCE = 2000


def reference_section(text: str) -> tuple[int, int]:
    """Where the reference list stands: after its heading, the last of several; the whole text where there is none."""
    headings = list(_HEADING.finditer(text))
    if not headings:
        return 0, len(text)
    start = headings[-1].end()
    after = _AFTER.search(text, start + 1)
    return start, after.start() if after and after.start() - start > 40 else len(text)


def read_references(text: str, file: str) -> list[Entry]:
    """The references of a plain list, a Markdown page or a paper's text."""
    start, end = reference_section(text)
    found, lines = [], LineNumbers(text)
    for number, (at, until, key) in enumerate(_cut(text, start, end), 1):
        raw = " ".join(text[at:until].split())
        if MIN_REFERENCE <= len(raw) <= MAX_REFERENCE and (_YEAR.search(raw) or normalise_doi(raw) or "http" in raw):
            found.append(reference_entry(raw, file, key or str(number), lines.at(at), (at, until)))
    return found


def _cut(text: str, start: int, end: int) -> list[tuple[int, int, str | None]]:
    """The references: at marks (`[1]`, `1.`), bullets, blank lines, or one a line, whichever the list uses."""
    part = text[start:end]
    for pattern in (_MARK, _BULLET):
        marks = list(pattern.finditer(part))
        if len(marks) >= 2 or (marks and not part[: marks[0].start()].strip()):
            ends = [mark.start() for mark in marks[1:]] + [len(part)]
            return [
                (start + mark.end(), start + until, next(filter(None, mark.groups()), None) if mark.groups() else None)
                for mark, until in zip(marks, ends, strict=True)
            ]
    blocks = list(re.finditer(r"\S(?:.|\n(?![ \t]*\n))*", part))
    if len(blocks) < 2 or sum(block.group().count("\n") for block in blocks) > 3 * len(blocks):
        blocks = list(re.finditer(r"^[^\s].*(?:\n[ \t]+\S.*)*", part, re.MULTILINE))
    return [(start + block.start(), start + block.end(), None) for block in blocks]


def reference_entry(raw: str, file: str, key: str, line: int, span: tuple[int, int] | None = None) -> Entry:
    """One reference in running text as an entry; its fields are guesses."""
    fields: dict[str, str] = {}
    printed = _DOI.search(raw)
    doi = normalise_doi(raw[max(0, printed.start() - 30) : printed.end()] if printed else raw)
    arxiv_id = arxiv_of_doi(doi) or (normalise_arxiv_id(raw) if re.search(r"arxiv|\babs/", raw, re.I) else None)
    if doi:
        fields["doi"] = doi
    if arxiv_id:
        fields |= {"eprint": arxiv_id, "archiveprefix": "arXiv"}
    if url := _URL.search(raw):
        fields["url"] = url.group().rstrip(".,;)")
    bare = _NAMED.sub(" ", _URL.sub(" ", raw))
    years = _YEAR.findall(bare)
    parenthesised = re.search(r"\(\s*((?:1[5-9]|20)\d\d)[a-z]?\b", bare)
    if years:
        fields["year"] = parenthesised[1] if parenthesised else years[-1]
    authors, title, venue = _parts(bare)
    if title:
        fields["title"] = title
    if authors:
        fields["author"] = _authors(authors)
    if venue:
        fields["journal"] = venue
    kind = "online" if url and not doi and not arxiv_id and not venue else "article"
    return Entry(file=file, key=key, line=line, type=kind, fields=fields, span=span, text=raw, guessed=True)


def _parts(text: str) -> tuple[str, str, str]:
    """Authors, title and venue of a reference without its identifiers."""
    quoted = _QUOTED.search(text)
    if quoted:
        return text[: quoted.start()].strip(" ,.;:("), quoted[1].strip(" ,."), _venue(text[quoted.end() :])
    dated = _APA_YEAR.search(text)
    if dated and dated.start() < 0.7 * len(text) and dated.end() < len(text) - 10:
        title, _, rest = _first_sentence(text[dated.end() :])
        return text[: dated.start()].strip(" ,.;:"), title, _venue(rest)
    vancouver = _VANCOUVER.match(text)
    named = _GIVEN_NAME.match(text)
    if named and _SURNAME.match(text, named.end()):
        vancouver = None
    if vancouver and len(vancouver.group()) > 4:
        title, _, rest = _first_sentence(text[vancouver.end() :])
        return vancouver.group().rstrip(" ."), title, _venue(rest)
    emphasised = _ITALIC.search(text)
    pieces = [piece.strip() for piece in _SENTENCE.split(text) if piece.strip()]
    if len(pieces) >= 2:
        authors, title = pieces[0], pieces[1]
        if re.fullmatch(r"\(?\d{4}[a-z]?\)?\.?", title) and len(pieces) > 2:
            title, pieces = pieces[2], [pieces[0], *pieces[2:]]
        if _VENUE.match(title) and not _AUTHORISH.search(authors):
            return "", _plain(authors), _venue(" ".join(pieces[1:]))
        return _plain(authors), _plain(title), _venue(" ".join(pieces[2:]))
    if emphasised:
        title = next(filter(None, emphasised.groups()))
        return text[: emphasised.start()].strip(" ,.;:"), _plain(title), _venue(text[emphasised.end() :])
    return "", _plain(text), ""


def _first_sentence(text: str) -> tuple[str, str, str]:
    pieces = _SENTENCE.split(text, maxsplit=1)
    return _plain(pieces[0]), "", pieces[1] if len(pieces) > 1 else ""


def _plain(text: str) -> str:
    return " ".join(text.replace("*", "").replace("_", " ").split()).strip(" ,.;:")


def _venue(text: str) -> str:
    first = _SENTENCE.split(text.strip(" ,.;:"), maxsplit=1)[0]
    first = re.sub(r"^[Ii]n:?\s+", "", _plain(first))
    return re.split(r",\s*(?:vol|pp|\d|page)|\s\d{1,4}\s*\(|\(?\b(?:1[5-9]|20)\d\d\b", first)[0].strip(" ,.;:(")[:300]


def _authors(text: str) -> str:
    """A list of names joined by `and`, from `A. Lee, B. Cho & C. Roy`, `Lee, A., Cho, B.` or `A Lee and B Cho`."""
    text = re.sub(r"\(?\b(?:1[5-9]|20)\d\d[a-z]?\)?", "", text)
    others = re.search(r"[,;]?\s*(?:and\s+)?(?:et\.?\s*al\.?|and others)\.?", text, re.IGNORECASE)
    text = text[: others.start()] if others else text
    text = re.sub(r"\s*(?:,\s*)?(?:\band\b|&|\bund\b|\bet\b)\s+", "; ", text)
    names: list[str] = []
    for group in text.split(";"):
        parts = [part.strip(" .") + ("." if part.strip().endswith(".") else "") for part in group.split(",")]
        parts = [part for part in parts if part.strip(" .")]
        at = 0
        while at < len(parts):
            inverted = at + 1 < len(parts) and _FIRST_NAMES.fullmatch(parts[at + 1])
            names.append(f"{parts[at]}, {parts[at + 1]}" if inverted else parts[at])
            at += 2 if inverted else 1
    return " and ".join(names + (["others"] if others else []))
