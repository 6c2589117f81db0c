"""The page that an entry links: whether it is there, and says what the entry says.

A page as that of one work: its own titles, its by-line, its date, and words by which it takes a work back.

Words anywhere in a page are no evidence of a work: a search page, a reading list and a warning of invented references
have them as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal
from urllib.parse import unquote, urlsplit

from veritas.citations.author_lists import names_a_body
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form, form_of
from veritas.documents.document import Document
from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.reading.reader import Reader
from veritas.works.folding import words
from veritas.works.names import PersonName
from veritas.works.title_comparison import strip_status, title_words

_HEAD = 1_500
"""Characters of a text that may be the head of a page without headings, such as a report's first page."""
_NEAR = 1_200
_LINES = 8
_SHORT = 240
"""Characters of a line that may be a by-line; a longer one is a paragraph."""
_BETWEEN_PARTS = re.compile(r"\s+[|·•–—»‹›:/-]+\s+|\s*::\s*|:\s+|\s[|]|[|]\s|/(?=[\w.-]+(?:\s|:|$))")
_MADE = re.compile(
    r"(?i)^\W*(?:(?:written|posted|published|created|developed|maintained|edited|compiled|prepared)\s+(?:\S+\s+){0,4}?by\b"
    r"|by\b|authors?\b|maintainers?\b|contributors?\b|creators?\b|publisher\b|editors?\b|owner\b"
    r"|copyright\b|©|\(c\)|cite (?:as|this)\b|how to cite\b|autore?\w*\b|von\b|par\b|por\b)"
)
_MADE_HEADING = re.compile(
    r"(?i)^\W*(?:(?:main |core |project )?(?:authors?|maintainers?|contributors?|creators?|credits|team|developers?)"
    r"|citations?|citing\b.*|cite\b.*|how to cite.*|copyright|licen[cs]e|(?:copyright|license) and .*|about"
    r"|about (?:the )?authors?|contact)\W*$"
)
_LIST_HEADING = re.compile(
    r"(?i)^\W*(?:references|bibliography|works cited|literature|further reading|related\b.*|see also|reading list|"
    r"comments?|responses?)\W*$"
)
_ABOUT_ANOTHER = re.compile(
    r"(?i)\b(?:reviews? of|reply to|response to|comments? on|based on|inspired by|translated from|not by|against|"
    r"invented by|attributed to|falsely|wrongly|criticis\w+|named after|cites?|quotes?|quoting)\W+(?:\w+\W+){0,3}$"
)
_TAKEN_BACK = re.compile(r"(?i)\b(retract(?:ed|ion)|withdrawn|withdrawal)\b")
_DENIED = re.compile(
    r"(?i)\bno (?:\w+ ){0,2}(?:results?|match(?:es)?|hits?|records?|entr(?:y|ies)|documents?|items?|such)\b"
    r"|\b0 (?:\w+ )?(?:results?|match(?:es)?|hits?|records?|items?)\b"
    r"|\bsearch results?\b|\bresults? for\b|\byou searched\b|\bsearch(?:ed|ing)? for\b"
    r"|\byour (?:search|query|reference)\b"
    r"|\b(?:not|never|nothing)(?: \w+)? (?:be |been )?(?:found|exist(?:s|ed)?|match(?:ed)?)\b"
    r"|\bnever (?:been )?(?:published|written|appeared)\b"
    r"|\bdoes ?n[o'’]t (?:\w+ )?exist\b|\bdid(?: not|n['’]t) match\b|\bnon-?existent\b"
    r"|\b(?:fake|fictitious|fictional|fabricated|invented|hallucinated|made[- ]up|bogus|phantom|imaginary|spoof(?:ed)?)"
    r"(?: \w+)? (?:references?|citations?|papers?|articles?|works?|titles?|reports?|entr(?:y|ies)|programs?|authors?)\b"
    r"|\b(?:this|it|which|that|reference|citation|paper|article|report|work|title|entry)(?: \w+)?"
    r" (?:is|are|was|were|has been)(?: \w+)? "
    r"(?:a |an )?(?:fake|fictitious|fictional|fabricated|hallucinated|made[- ]up|bogus|hoax|imaginary|removed)\b"
    r"|\bpreview of\b|\b(?:hoax|april fool\w*|lorem ipsum|placeholder)\b|\bpage (?:was )?removed\b"
)
_HEADED_DENIED = re.compile(
    r"(?i)\b(?:fakes?|fictitious|fabricated|invented|hallucinat\w+|bogus|hoax|not found|page removed)\b"
    r"|^\W*(?:(?:site )?search(?: results?)?(?: for)?|results?(?: for)?|preview(?: of.*)?|404\b.*|error\b.*)\W*$"
)
_MENTIONING = 160
_YEAR = re.compile(
    r"(?<![\d.,/-])(?:1[5-9]|20)\d{2}(?![\d,]|\.\d)|(?<=[/-])(?:19|20)\d{2}(?!\d)|(?<!\d)(?:19|20)\d{2}(?=-\d)"
)
_OTHER_DATE = re.compile(
    r"(?i)\b(?:updated?|modified|revised|reviewed|accessed|retrieved|version|release[ds]?|since|copyright|last)\b|©|\(c\)"
)
_SEARCH_PATH = re.compile(r"(?i)/(?:search|find|query|results?|suche|preview|echo|anything)(?:/|$)")


class OwnPage:
    """A document read as the page of one work, whose title is given."""

    def __init__(self, document: Document, title: str) -> None:
        self.document, self.cited = document, title_words(title)
        self._headings = [
            (block.start, block.end, block.level, document.text[block.start : block.end].strip("# ¶\n"))
            for block in document.blocks
            if block.kind == "heading"
        ]
        top = min((level for _, _, level, _ in self._headings), default=0)
        main = [each for each in self._headings if each[2] == top] if top == 1 else self._headings[:1]
        self._main = [(start, end, text) for start, end, _, text in main]
        self._lines = _leading(document.text, self.cited) if not self._headings else None

    def titles(self) -> list[str]:
        """Return the titles that the page gives itself: that of its head, and its main headings."""
        return [self.document.title, *(text for _, _, text in self._main)]

    def _above(self) -> list[str]:
        """Return the title of the head and the main headings down to the cited title's; a paper has its own below."""
        own = [at for at, (_, _, text) in enumerate(self._main) if _is(text, self.cited)]
        return [self.document.title, *(text for _, _, text in self._main[: own[0] + 1 if own else 1])]

    def is_own_title(self) -> bool:
        """Return whether the cited title is one of them, apart from the name of a site."""
        return bool(self.cited) and (any(_is(each, self.cited) for each in self.titles()) or self._lines is not None)

    def taken_back(self) -> Literal["retracted", "withdrawn"] | None:
        """Return `retracted` or `withdrawn` if a title of the page, or a line next to it, says so."""
        for said in (*self._above(), *self._near()):
            status = strip_status(said)[1]
            found = _TAKEN_BACK.search(_without(said, self.cited))
            if found or status in ("retracted", "withdrawn"):
                word = found[1] if found else status or ""
                return "retracted" if word.lower().startswith("retract") else "withdrawn"
        return None

    def denial(self) -> str | None:
        """Return the words by which the page denies that there is such a work, or shows that it answers a search."""
        for said in self._above():
            own = _without(said, self.cited)
            for part in (own, *_BETWEEN_PARTS.split(own)):
                if found := _HEADED_DENIED.search(part) or _DENIED.search(part):
                    return found.group()
        for said in (*self._near(), *self._mentions()):
            if found := _DENIED.search(_without(said, self.cited)):
                return found.group()
        return None

    def by_line(self) -> list[str]:
        """Return the words in which a page names who made it: its metadata, the lines next to its title, and lines and
        sections that say that they do."""
        said = [*self.document.authors, *self._near(), *self._makers()]
        return [_without_others(each) for each in said]

    def years(self) -> set[int]:
        """Return the years by which the page dates the work: its metadata's and its by-line's; none if it has none."""
        found = {self.document.published_at.year} if self.document.published_at else set()
        for line in self._near():
            if not _OTHER_DATE.search(line):
                found |= {int(year) for year in _YEAR.findall(line)}
        return found

    def _near(self) -> list[str]:
        text = self.document.text
        own = [end for _, end, heading in self._main if _is(heading, self.cited)]
        at = own[-1] if own else self._lines if self._lines is not None else 0
        lines: list[str] = []
        before = text[: at if not own else own[0]][-_SHORT:] if self._lines is not None else ""
        for line in (*before.splitlines(), *text[at : at + _NEAR].splitlines()):
            said = line.strip(" #*_\t")
            if not said:
                continue
            if any(said == heading.strip() for _, _, _, heading in self._headings) and not _is(said, self.cited):
                break
            if re.match(r"(?i)(?:abstract|summary|introduction|contents|table of contents)\b", said):
                break
            if len(said) <= _SHORT or _MADE.match(said):
                lines.append(said[: 4 * _SHORT])
            elif lines:
                break
            if len(lines) == _LINES and self.document.blocks:
                break
        return lines

    def _makers(self) -> Iterator[str]:
        """Yield the lines that say who made the page, and the sections that do."""
        text = self.document.text
        for at, (start, end, _, heading) in enumerate(self._headings):
            if _MADE_HEADING.match(heading):
                after = self._headings[at + 1][0] if at + 1 < len(self._headings) else len(text)
                yield text[end : min(after, end + 2 * _NEAR)]
            if _LIST_HEADING.match(heading):
                text = text[:start]
                break
        announced = False
        for line in filter(str.strip, text.splitlines()):
            made = _MADE.match(line) is not None and len(line) <= _SHORT
            if made or announced:
                yield line[: 4 * _SHORT]
            announced = made and line.rstrip().endswith(":")

    def _mentions(self) -> Iterator[str]:
        """Yield the surroundings of the title in the text."""
        wanted = r"\W+".join(map(re.escape, self.cited))
        text = self.document.text[:200_000]
        if len(self.cited) < 3:
            return
        for found in list(re.finditer(wanted, text, re.IGNORECASE))[:5]:
            yield text[max(0, found.start() - _MENTIONING) : found.end() + _MENTIONING]


def asks_for(url: str, title: str) -> bool:
    """Return whether an address is a question about a title: anybody can write one, and some page will repeat it."""
    parts = urlsplit(url)
    wanted = f" {' '.join(title_words(title))} "
    asked = unquote(parts.query.replace("+", " ")) + " " + (unquote(parts.fragment) if "=" in parts.fragment else "")
    if _SEARCH_PATH.search(parts.path):
        asked += " " + unquote(parts.path.replace("+", " "))
    return wanted.strip() != "" and wanted in f" {' '.join(words(asked))} "


def _is(said: str, cited: tuple[str, ...]) -> bool:
    """Return whether a title is the cited one, apart from the name of a site or an owner, and from a description."""
    parts = [title_words(part) for part in _BETWEEN_PARTS.split(strip_status(said)[0])]
    parts = [part for part in parts if part]
    if title_words(said) == cited:
        return True
    for first in range(len(parts)):
        joined: tuple[str, ...] = ()
        for part in parts[first:]:
            joined += part
            if joined == cited:
                return True
    return False


def _leading(text: str, cited: tuple[str, ...]) -> int | None:
    """Return where a title ends that stands in lines of its own at the beginning of a text without headings."""
    lines, ends, at = [], [], 0
    for line in text[:_HEAD].splitlines(keepends=True):
        at += len(line)
        if line.strip():
            lines.append(words(line.strip("# \n")))
            ends.append(at)
    for first in range(len(lines)):
        joined: tuple[str, ...] = ()
        for last in range(first, min(first + 6, len(lines))):
            joined += lines[last]
            if cited and joined == cited:
                return ends[last]
    return None


def _without(said: str, cited: tuple[str, ...]) -> str:
    return re.sub(r"\W+".join(map(re.escape, cited)), " ", said, flags=re.IGNORECASE) if cited else said


def _without_others(said: str) -> str:
    """Return a by-line up to where it speaks of another's work."""
    for found in re.finditer(r"[^\W\d_]+", said):
        if _ABOUT_ANOTHER.search(said[: found.start()]):
            return said[: found.start()]
    return said


_TELLING = 3
"""Words of a title that stand together on a page by more than chance."""
_SHORTEST_WORD = 3
_URL = re.compile(r"https?://[^\s{}<>\"\\]+")

State = Literal["says", "mentions", "silent", "gone", "unread"]


class LinkedPage(Frozen):
    """A linked page: as the work's own page it `says` title and authors; it only `mentions` them, as a list or a search
    does; it is `silent` about one of them, is `gone`, or could not be read (`unread`), which says nothing (I5).

    `detail` is the reason in words, `standing` that the page says the work was retracted or withdrawn.
    """

    url: str
    state: State
    detail: str = ""
    standing: Literal["retracted", "withdrawn"] | None = None


def link_of(entry: Entry) -> str | None:
    """Return the address of the page that an entry names as itself."""
    for name in ("url", "howpublished", "note", "link"):
        if found := _URL.search(entry.fields.get(name, "").replace("\\_", "_").replace("\\%", "%")):
            return found.group().rstrip(".,;)")
    return None


async def read_linked(entry: Entry, reader: Reader) -> LinkedPage | None:
    """Read the page that an entry links and compare it with the entry; None without a link."""
    url = link_of(entry)
    if url is None:
        return None
    try:
        document = await reader.read(url)
    except Unavailable as error:
        said = str(error)
        gone = type(error).__name__ == "Gone"
        return LinkedPage(url=url, state="gone" if gone else "unread", detail=said)
    return _compared(entry, document, url)


def _compared(entry: Entry, document: Document, url: str) -> LinkedPage:
    """Compare an entry with the document at its address: it confirms a work if it is that work's own page."""
    text = f" {' '.join(words(f'{document.title} {document.text}'))} "
    cited = entry.record
    full = cited.full_title or ""
    title = " ".join(title_words(full))
    if not title or f" {title} " not in text:
        return LinkedPage(url=url, state="silent", detail="the title is not on it")
    headed = f" {title} " in f" {' '.join(words(document.title))} "
    if not (cited.authors or headed or len(title.split()) >= _TELLING):
        return LinkedPage(url=url, state="silent", detail="it has the words of the title, but not as its own title")
    everywhere = f"{text}{' '.join(words(' '.join(document.authors)))} "
    owners = _owners(url, code=form_of(entry) in (Form.SOFTWARE, Form.DATASET))
    if missing := _missing(cited.authors, everywhere, url, owners):
        return LinkedPage(url=url, state="silent", detail=f"it does not name {', '.join(missing[:3])}")
    page = OwnPage(document, full)
    standing = page.taken_back() if page.is_own_title() else None
    if (why := _not_its_own(entry, page, (url, document.url), owners)) or standing:
        detail = f"it says that the work was {standing}" if standing else why
        return LinkedPage(url=url, state="mentions", detail=detail, standing=standing)
    return LinkedPage(url=url, state="says", detail=f"it has the title{' and the authors' if cited.authors else ''}")


def _not_its_own(entry: Entry, page: OwnPage, urls: tuple[str, ...], owners: str) -> str:
    """Return why a page that has the title and the authors does not confirm an entry; empty if it does."""
    cited = entry.record
    full = cited.full_title or ""
    if any(asks_for(url, full) for url in urls):
        return "its address asks for the title, and a page that is asked repeats it"
    if not page.is_own_title():
        return "it has the title, but not as its own"
    if denial := page.denial():
        return f"beside the title it says “{' '.join(denial.split())}”"
    made = f" {' '.join(' '.join(words(said)) for said in (*page.by_line(), page.document.title))} "
    if missing := _missing(cited.authors, made, urls[0], owners):
        return f"it does not say that it is by {', '.join(missing[:3])}"
    years = page.years()
    if cited.year and years and min(abs(year - cited.year) for year in years) > 1:
        return f"it is dated {', '.join(map(str, sorted(years)))}, and not {cited.year}"
    return ""


def _missing(authors: Sequence[PersonName], text: str, url: str, owners: str) -> list[str]:
    """Return the authors that a folded text lacks, if it lacks the first or more than half of them."""
    there = [_named(name, text, url) or _owns(name, owners) for name in authors]
    if not there or (there[0] and sum(there) * 2 >= len(there)):
        return []
    return [str(name) for name, seen in zip(authors, there, strict=True) if not seen]


def _owners(url: str, *, code: bool) -> str:
    """Return the names in an address that tell whose page it is: its host, and with `code` the owner of a project."""
    parts = urlsplit(url)
    host = (parts.hostname or "").split(".")[:-1]
    path = [part for part in unquote(parts.path).split("/") if part]
    return " ".join((*host, *(part for part in path[:1] if code or part.startswith("~"))))


def _owns(name: PersonName, owners: str) -> bool:
    family = "".join(words(name.family))
    return len(family) > _SHORTEST_WORD and family in "".join(words(owners))


def _named(name: PersonName, text: str, url: str) -> bool:
    """Return whether a folded text names a person by the family name, or a body by its name or its own address."""
    own = words(name.family)
    if f" {' '.join(own)} " in text:
        return True
    telling = [word for word in own if len(word) >= _SHORTEST_WORD]
    host = (urlsplit(url).hostname or "").split(".")
    return names_a_body(name) and any(word in host[:-1] or f" {word} " in text for word in telling[:1])
