"""Reference lists in running text, read into entries."""

from __future__ import annotations

import html
import re

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.printed.cuts import cut_references
from veritas.citations.bibliography.formats.printed.line_breaks import mended
from veritas.citations.bibliography.formats.printed.reference_parts import MAX_REFERENCE, read_parts
from veritas.text.line_index import LineNumbers
from veritas.works.identifiers import arxiv_of_doi, normalise_arxiv_id, normalise_doi

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
_YEAR = re.compile(r"(?<![\d./:-])(?:1[5-9]\d\d|20\d\d)[a-z]?(?![\d/-])")
_URL = re.compile(r"https?://[^\s<>\"“”`]+")
_DOI = re.compile(r"10\.\d{4,9}/\S+(?:(?<=[-/])[ \t]+[\w(]*\d\S*|(?<=\.)[ \t]+\d{2}\.\d{3}\S*)*")
"""A DOI in running text: up to the next space, or over a break that a converter left after a hyphen, slash or point."""
_OWN = re.compile(r"(?:<\d[^<>\s]*>|[^`\"“”«»<>])*")
"""What of it is its own: no mark of code, of an element or of a quotation. Old DOIs have pages in angle brackets."""
_ANCHOR = re.compile(r"<a\s[^<>]*?href\s*=\s*[\"']?([^\"'<>\s]+)[\"']?[^<>]*>(.*?)</a>", re.IGNORECASE)
_LINKED = re.compile(r"\[((?:[^\[\]\s]+ ){3,}[^\[\]\s]+)\]\((https?://[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\)")
_SMALL_LETTERS = re.compile(r"</?su[bp]>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.IGNORECASE)
MIN_REFERENCE = 20


def reference_section(text: str) -> tuple[int, int]:
    """Return the place of the reference list: after the last of its headings; the whole text if there is none."""
    headings = list(_HEADING.finditer(text))
    if not headings:
        return 0, len(text)
    start = headings[-1].end()
    after = _AFTER.search(text, start + 1)
    return start, after.start() if after and after.start() - start > 40 else len(text)


def read_references(text: str, file: str) -> list[Entry]:
    """Return the references of a plain list, a Markdown page or a paper's text."""
    start, end = reference_section(text)
    found, lines = [], LineNumbers(text)
    for number, cut in enumerate(cut_references(text[start:end]), 1):
        at, until = start + cut.start, start + cut.end
        entry = reference_entry(text[at:until], file, cut.key or str(number), lines.at(at), (at, until))
        dated = _YEAR.search(entry.text) or entry.fields.keys() & {"doi", "eprint", "url"}
        if MIN_REFERENCE <= len(entry.text) <= MAX_REFERENCE and dated:
            found.append(entry)
    return found


def _bare(printed: str) -> str:
    """Return a DOI without the marks of Markdown and HTML behind it: the rest of a link, emphasis, code, a tag."""
    own = _OWN.match(printed.partition("](")[0])
    return own.group().rstrip("*_.,;") if own else ""


def _unmarked(text: str) -> str:
    """Return a reference with the words of its links before their addresses, and without the tags of HTML."""
    if "](" in text:
        text = _LINKED.sub(r"\1 \2 ", text)
    if "&" in text:
        text = html.unescape(text)
    if "<" not in text:
        return text
    text = _ANCHOR.sub(lambda found: found[2] if found[1] == found[2] else f"{found[2]} {found[1]} ", text)
    return " ".join(_TAG.sub(" ", _SMALL_LETTERS.sub("", text)).split())


def reference_entry(raw: str, file: str, key: str, line: int, span: tuple[int, int] | None = None) -> Entry:
    """Read a reference in running text, in one line or several: its identifiers, and its authors, title, year and venue
    where they are sure. The entry's `text` is the words on one line."""
    text, fields = mended(raw), {}
    printed = _DOI.search(text)
    before = re.split(r"[`\"“”«»<>]", text[max(0, printed.start() - 30) : printed.start()])[-1] if printed else ""
    doi = normalise_doi(before + _bare(printed.group()) if printed else text)
    arxiv_id = arxiv_of_doi(doi) or (normalise_arxiv_id(text) if re.search(r"arxiv|\babs/", text, re.I) else None)
    if doi:
        fields["doi"] = doi
    if arxiv_id:
        fields |= {"eprint": arxiv_id, "archiveprefix": "arXiv"}
    if url := _URL.search(text):
        fields["url"] = url.group().rstrip(".,;)")
    parts = read_parts(_unmarked(text))
    told = {"author": parts.author, "title": parts.title, "year": parts.year, "journal": parts.venue}
    fields |= {name: value for name, value in told.items() if value}
    return Entry(file=file, key=key, line=line, type=parts.kind, fields=fields, span=span, text=text, guessed=True)
