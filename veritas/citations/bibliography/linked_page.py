"""The page that an entry links: whether it is there, and says what the entry says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal
from urllib.parse import unquote, urlsplit

from veritas.citations.author_lists import names_a_body
from veritas.citations.bibliography._own_page import OwnPage, asks_for
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form, form_of
from veritas.documents.document import Document
from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.reading.reader import Reader
from veritas.works.folding import words
from veritas.works.names import PersonName
from veritas.works.title_comparison import title_words

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
