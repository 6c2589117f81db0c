"""The page that an entry links: whether it is there, and says what the entry says."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

from veritas.citations.author_lists import names_a_body
from veritas.citations.bibliography.entry import Entry
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

State = Literal["says", "silent", "gone", "unread"]


class LinkedPage(Frozen):
    """A linked page: it `says` title and authors, is `silent` about one of them, is `gone`, or could not be read
    (`unread`), which says nothing (I5). `detail` is the reason in words."""

    url: str
    state: State
    detail: str = ""


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
    text = f" {' '.join(words(f'{document.title} {document.text}'))} "
    cited = entry.record
    title = " ".join(title_words(cited.full_title or ""))
    if not title or f" {title} " not in text:
        return LinkedPage(url=url, state="silent", detail="the title is not on it")
    headed = f" {title} " in f" {' '.join(words(document.title))} "
    if not (cited.authors or headed or len(title.split()) >= _TELLING):
        return LinkedPage(url=url, state="silent", detail="it has the words of the title, but not as its own title")
    there = [_named(name, text, url) for name in cited.authors]
    if there and not (there[0] and sum(there) * 2 >= len(there)):
        missing = [str(name) for name, seen in zip(cited.authors, there, strict=True) if not seen]
        return LinkedPage(url=url, state="silent", detail=f"it does not name {', '.join(missing[:3])}")
    return LinkedPage(url=url, state="says", detail=f"it has the title{' and the authors' if cited.authors else ''}")


def _named(name: PersonName, text: str, url: str) -> bool:
    """Return whether a folded text names a person by the family name, or a body by its name or its own address."""
    own = words(name.family)
    if f" {' '.join(own)} " in text:
        return True
    telling = [word for word in own if len(word) >= _SHORTEST_WORD]
    host = (urlsplit(url).hostname or "").split(".")
    return names_a_body(name) and any(word in host[:-1] or f" {word} " in text for word in telling[:1])
