"""References that are printed in a page itself: its lists of them, and those that stand as a note, an item or a
paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.reference_lists import read_references, reference_entry
from veritas.citations.bibliography.formats.thebibliography import read_latex
from veritas.citations.marks.links import Kind
from veritas.citations.marks.other_markup import definitions

CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
WORD = rf"{CAPITAL}[\w’'-]{{1,40}}"
"""A word of a name, in capitals too, as lists of references print them."""
PERSON = rf"(?:(?:van|von|de|der|den|del|della|di|da|du|la|le|el|al|ten|ter)[ ]){{0,3}}{WORD}"
INITIALS = rf"(?:{CAPITAL}\.[ -]?){{1,3}}"

_STRONG = (
    r"references?(?: list)?(?: cited)?(?: and notes)?|(?:selected )?(?:references|bibliography)|works cited"
    r"|literature(?: cited)?|literatur(?:verzeichnis)?|références|referencias|referências|riferimenti|bibliograf[ií]a"
    r"|bibliographie|参考文献|參考文獻"
)
_WEAK = r"sources|further reading|citations|quellen|notes"
"""Headings under which other things stand too: there a reference is one only if author, title and year are sure."""
_NUMBER = r"(?:\d{1,2}(?:\.\d{1,2})*\.?[ \t]+|[IVX]{1,5}\.[ \t]+)?"
_LISTED = re.compile(
    rf"^[ \t]*(?:<h[1-6][^<>]*>|#{{1,6}}[ \t]*)?{_NUMBER}\**{_NUMBER}(?:(?P<strong>{_STRONG})|(?P<weak>{_WEAK}))"
    r"\**[ \t]*:?\**[ \t]*(?:\{[^{}\n]*\})?[ \t]*(?:#*|</h[1-6]>)[ \t]*$(?:\n[-=~^*]{3,}[ \t]*$)?",
    re.IGNORECASE | re.MULTILINE,
)
_MAY_LIST = re.compile(
    rf"\n[ \t]*(?:<h[1-6][^<>]*>|#{{1,6}})?[ \t\divx.*]*(?:{_STRONG.lower()}|{_WEAK})"
)
"""What a heading of a list begins with, in lower case and behind a line end: a pattern that begins with a plain sign
is found many times as fast."""
_HEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+\S|<h[1-6][ >])", re.MULTILINE)
_PRINTED = re.compile(r"\\begin\{thebibliography\}.*?(?:\\end\{thebibliography\}|\Z)", re.DOTALL)
_ALONE = re.compile(
    rf"^[ \t>]*(?:[-*+][ \t]+|\d{{1,3}}[.)][ \t]+|\[\^[^\]\s]+\]:[ \t]*|\[\d+\][ \t]*)?"
    rf"(?P<said>{PERSON}, {CAPITAL}\."
    rf"[^\n()\[\]]{{0,400}}\((?:1[89]|20)\d\d[a-z]?\)\.[^\n]{{10,1500}}"
    rf"(?:\n(?![ \t]*(?:\n|[-*+>#][ \t]|\d{{1,3}}[.)][ \t]|\[\^|\[\d+\]))[^\n]+){{0,6}})",
    re.MULTILINE,
)
"""A reference in the form of the APA: `Author, A., & Other, B. (2020). Title. Journal.`"""
_YEAR = re.compile(r"\((?:1[89]|20)\d\d[a-z]?\)\.")
_UNIT = re.compile(
    r"\n[ \t>]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+|\[\^[^\]\s]+\]:[ \t]*|\[\d+\][ \t]*)"
    r"(?P<said>[^\n]{40,1500}(?:\n[ \t]+[^\s*+>#-][^\n]*){0,6})",
)
"""A note or an item of a list, behind a line end."""
_TITLE = r"[\"“‘'*_][^\n\"”]{12,250}?[,.]?[\"”’'*_]"
_OTHER_STYLES = re.compile(
    # Vancouver: `Smith J, Jones AB. Title. Journal. 2015;12(3):45-67`
    rf"{WORD} [A-Z]{{1,3}}(?:, {WORD} [A-Z]{{1,3}}){{0,9}}(?:, et al)?\. .{{12,400}}\b(?:1[89]|20)\d\d;\s?\d"
    # MLA, Harvard: `Smith, John, and Ann Jones. "Title." Journal 12.3 (2015): 45-67`
    rf"|{WORD}, {CAPITAL}[^\n\"“]{{1,120}}[.)],? {_TITLE}.{{0,200}}(?:\b(?:1[89]|20)\d\d\b|\d(?:[-–]|, ?p)\d)"
    # Chicago, IEEE: `John Smith and Ann Jones, "Title," Journal 12, no. 3 (2015): 45`
    rf"|(?:{INITIALS}|{WORD} ){WORD}[^\n\"“.]{{0,120}}, [\"“][^\n\"”]{{12,250}}[\"”],? "
    r".{0,200}\b(?:1[89]|20)\d\d\b",
    re.DOTALL,
)
"""References in other forms, in a note or an item of a list."""
_FOUND = re.compile(r"https?:|\bdoi\b|\b10\.\d{4}|arxiv|@|\]\(|\\cite|\bISBN\b|\bRFC\b", re.IGNORECASE)
_MARK = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+")
SPOKEN_OF = re.compile(r"\b(?:of|in|by|with|to|from|see|at|and|on|for)\s+(?:doi:?\s?|https?://\S{0,40})?10\.\d{4}")
"""A DOI that a sentence speaks of, and that is another work's."""
_PARTS = {"author", "title", "year"}


def printed_references(text: str, kind: Kind) -> list[tuple[int, int, Entry]]:
    """Return the references that a text prints, each with its place, in order."""
    if kind == "latex":
        return [each for found in _PRINTED.finditer(text) for each in _placed(found.start(), _bibitems(found.group()))]
    if kind not in ("markdown", "rst"):
        return []
    found = list(_of_lists(text))
    ends = [(start, end) for start, end, _ in found]
    more = _defined(text) if kind == "rst" else _alone(text)
    for each in more:
        if not any(start < each[1] and each[0] < end for start, end in ends):
            found.append(each)
            ends.append(each[:2])
    return sorted(found, key=lambda each: each[:2])


def _of_lists(text: str) -> Iterator[tuple[int, int, Entry]]:
    headings = list(_LISTED.finditer(text)) if _MAY_LIST.search(f"\n{text}".lower()) else []
    for number, heading in enumerate(headings):
        begin = heading.end()
        end = headings[number + 1].start() if number + 1 < len(headings) else len(text)
        if after := _HEADING.search(text, begin, end):
            end = after.start()
        for start, behind, entry in _placed(begin, _listed(text[begin:end])):
            # The only item of a list keeps its mark, which hides the authors.
            if not entry.fields.keys() >= _PARTS and (mark := _MARK.match(text, start, behind)):
                start, entry = mark.end(), _reference(text[mark.end() : behind], entry.key)
            if heading["strong"] or entry.fields.keys() >= _PARTS:
                yield start, behind, entry


def _placed(begin: int, entries: tuple[Entry, ...]) -> Iterator[tuple[int, int, Entry]]:
    yield from ((begin + entry.span[0], begin + entry.span[1], entry) for entry in entries if entry.span is not None)


def _alone(text: str) -> Iterator[tuple[int, int, Entry]]:
    """Yield the notes, items and paragraphs of a page that are references for sure."""
    for found in _ALONE.finditer(text) if _YEAR.search(text) else ():
        entry = _reference(found["said"], "")
        if entry.fields.keys() >= _PARTS and not SPOKEN_OF.search(found["said"]):
            yield found.start("said"), found.end("said"), entry
    for found in _UNIT.finditer(f"\n{text}"):
        # One that names an identifier or a page is judged by that.
        if _OTHER_STYLES.match(found["said"]) and not _FOUND.search(found["said"]):
            yield found.start("said") - 1, found.end("said") - 1, _reference(found["said"], "")


def _defined(text: str) -> Iterator[tuple[int, int, Entry]]:
    """Yield the citations and footnotes that a page of reStructuredText defines and that are references for sure."""
    for label, begin, end in definitions(text):
        entry = _reference(text[begin:end], label)
        if entry.fields.keys() >= _PARTS:
            yield begin, end, entry


@lru_cache(maxsize=1024)
def _reference(text: str, label: str) -> Entry:
    return reference_entry(text, "", label, 1, (0, len(text)))


@lru_cache(maxsize=16)
def _listed(text: str) -> tuple[Entry, ...]:
    return tuple(read_references(text, ""))


@lru_cache(maxsize=16)
def _bibitems(text: str) -> tuple[Entry, ...]:
    return tuple(read_latex(text, ""))
