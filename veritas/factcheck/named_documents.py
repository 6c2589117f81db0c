"""Documents of a corpus by what texts call them: an address, a DOI, a title, a file's name or its relative path."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import unquote, urlsplit

from veritas.documents.document import Document
from veritas.factcheck.addresses import page_key
from veritas.works.identifiers import normalise_doi
from veritas.works.title_comparison import title_words

Named = Callable[[str], str | None]
"""Returns the address of the document that words name, or None."""

LEAST_TITLE = 3
"""Words of a title that tell a document of a corpus from others."""
LONGEST = 400
"""Characters of a source's name that are read."""
_ENDING = (
    r"(?:html?|xhtml|pdf|mdx?|markdown|rst|adoc|asciidoc|org|txt|tex|php|aspx?|docx?|odt|xml|ipynb|epub|pod|man|\d)"
)
_STEM = re.compile(rf"\.{_ENDING}\Z")
_PATH = re.compile(
    rf"(?<![\w/.:])(?:\.{{0,2}}/)*(?:[\w@%+~-][\w.@%+~-]{{0,80}}/)*[\w@%+~-][\w.@%+~-]{{0,120}}\.{_ENDING}(?![\w/])",
    re.IGNORECASE,
)
_CORPUS = re.compile(r"corpus://[^\s<>\"“”|`]+")
_MARKUP = re.compile(r"\\(?=[\\`*_{}\[\]()#+\-.!|>~$^])|[*`“”„\"]")
_PARTS = re.compile(r"\s[-–—|·]\s|[.,;:(\[]\s?|\s\(")
_COMMON = frozenset(
    "index default main home readme install installation quickstart introduction intro overview tutorial usage guide "
    "changelog changes history license contributing faq about docs documentation api reference examples example "
    "configuration config settings features getting-started getting_started start help support security news "
    "basics advanced commands options concepts glossary troubleshooting".split()
)
"""Names of files that many projects have: an address on another host does not mean this one's."""
_NO_NAME = frozenset(("index", "default", "main", "home"))
_ADDRESS = re.compile(r"https?://([\w.-]+)")


class NamedDocuments:
    """The documents of a corpus, found by what a text calls them. What could be two documents is neither."""

    def __init__(self, documents: Sequence[Document], links: Mapping[str, Sequence[str]]) -> None:
        """`links` are the canonical links of files, by the file's name."""
        self._documents = documents
        self._by_key: dict[str, Document] = {}
        self._by_title: dict[str, Document | None] = {}
        self._by_stem: dict[str, list[tuple[tuple[str, ...], Document]]] = defaultdict(list)
        self._hosts: frozenset[str] | None = None
        for document in documents:
            parts = _path_of(document.url)
            self._by_key.setdefault(page_key(document.url), document)
            if document.doi:
                self._by_key.setdefault(page_key(f"https://doi.org/{document.doi}"), document)
            for link in links.get(parts[-1] if parts else "", ()):
                self._by_key.setdefault(page_key(link), document)
            if title := _title(document.title, 1):
                known = self._by_title.setdefault(title, document)
                self._by_title[title] = known if known is document else None
            if parts:
                self._by_stem[_stem(parts[-1])].append((parts, document))

    def at(self, url: str, title: str | None = None) -> Document | None:
        """Return the document that an address means, the `title` beside it told: by its address, canonical link, DOI,
        title or file name, also where the page was made from a file of another format (`page.html` of `page.rst`). A
        file name that many projects have counts only on a host that the corpus itself names."""
        held = self._by_key.get(page_key(url))
        doi = normalise_doi(url) if held is None and "10." in url else None
        if doi:
            held = self._by_key.get(page_key(f"https://doi.org/{doi}"))
        if held is None and title:
            held = self._by_title.get(_title(title))
        if held is not None:
            return held
        parts = _path_of(url)
        stem = _stem(parts[-1]) if parts else ""
        own = self._is_own(url)
        if stem in _NO_NAME or (not own and (len(stem) < 4 or stem in _COMMON)):
            return None
        return self._of_path(parts)

    def called(self, words: str) -> str | None:
        """Return the address of the document that a source's name means: `corpus://…`, a file name or relative path
        with or without words beside it, or a title; None for none, and for several."""
        said = " ".join(_MARKUP.sub("", html.unescape(words[:LONGEST])).split())
        if (address := _CORPUS.search(said)) is not None:
            held = self._by_key.get(page_key(address[0].rstrip(".,;:)]").partition("#")[0]))
            if held is not None:
                return held.url
        found = [self._of_path(_path_of(path[0])) for path in _PATH.finditer(said)]
        if "/" in said and " " not in said and not found:  # a link without an ending
            found = [self._of_path(_path_of(said))]
        told = list({one.document_id: one for one in found if one is not None}.values())
        if told:
            return told[0].url if len(told) == 1 else None
        titled = self._by_title.get(_title(said, 1)) or self._by_title.get(_title(_PARTS.split(said, maxsplit=1)[0], 2))
        return titled.url if titled is not None else None

    def _of_path(self, parts: tuple[str, ...]) -> Document | None:
        """Return the only document whose path ends as one that is given, else the only one of its file's name."""
        if not parts:
            return None
        fitting = self._by_stem.get(_stem(parts[-1]), [])
        exact = [one for one in fitting if one[0][-1] == parts[-1]] or fitting
        for most in range(len(parts), 0, -1):
            wanted = parts[-most:-1]
            ending = [document for path, document in exact if path[-most:-1] == wanted and len(path) >= most]
            if len(ending) == 1:
                return ending[0]
            if ending:
                return None
        return None

    def _is_own(self, url: str) -> bool:
        """Return whether the corpus names the host of an address, or has its name."""
        if self._hosts is None:
            named: set[str] = set()
            for document in self._documents:
                named.update(host.lower() for host in _ADDRESS.findall(document.text[:200_000]))
                place = urlsplit(document.url)
                named.add((place.hostname or "").lower())
            self._hosts = frozenset(name.removeprefix("www.").strip(".") for name in named if name)
        try:
            host = (urlsplit(url).hostname or "").lower().removeprefix("www.")
        except ValueError:
            return False
        return host in self._hosts or host.split(".")[0] in self._hosts


def _path_of(url: str) -> tuple[str, ...]:
    """Return the parts of the path of an address or a file, in lower case, without what only leads up or around."""
    try:
        place = urlsplit(url).path
    except ValueError:
        return ()
    parts = unquote(place).casefold().strip("/").split("/")
    return tuple(part.strip() for part in parts if part.strip() not in ("", ".", ".."))


def _title(title: str, least: int = LEAST_TITLE) -> str:
    found = title_words(title)
    return " ".join(found) if len(found) >= least else ""


def _stem(name: str) -> str:
    return _STEM.sub("", name.casefold())
