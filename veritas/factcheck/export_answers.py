"""An answer of an assistant as an export holds it: its text, its list of sources, and the marks that it tells."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from veritas.factcheck.addresses import plain_address
from veritas.factcheck.marks import Mark
from veritas.factcheck.shapes import SourceEntry
from veritas.factcheck.source_lists import plain_label

Told = tuple[tuple[tuple[str, str | None], ...], int | None]
"""The addresses of a mark with their titles, and where the mark stands if the export tells it rightly."""
URL_NAMES = ("url", "uri", "link", "href", "source_url", "sourceUrl", "URL")
TITLE_NAMES = ("title", "name", "source_title", "text")
SIGNS_ONLY = re.compile(r"[\[【(\ue200][^\n]{1,400}[\])】\ue201]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


@dataclass(slots=True)
class Answer:
    """An answer of an assistant as an export holds it. `marks` are those that the export tells, `entries` its list of
    sources. `matched` are the addresses of marks by their words, in the order of the text."""

    text: str
    entries: list[SourceEntry] = field(default_factory=list)
    matched: dict[str, list[Told]] = field(default_factory=lambda: defaultdict(list))
    marks: list[Mark] = field(default_factory=list)

    def place(self) -> Answer:
        """Find the words of the marks in the text. Words that occur more often than they are told mean the same."""
        for words, told in self.matched.items():
            placed = {at: pairs for pairs, at in told if at is not None}
            others = [pairs for pairs, at in told if at is None]
            at = number = 0
            while (at := self.text.find(words, at)) >= 0:
                pairs = placed.get(at, ())
                if not pairs and not others and len(set(placed.values())) == 1:
                    pairs = next(iter(placed.values()))
                if not pairs and others:
                    pairs = others[min(number, len(others) - 1)]
                    number += 1
                self.marks += (mark_of(words, at, url, title) for url, title in pairs)
                at += len(words)
        return self


def mark_of(words: str, at: int, url: str, title: str | None) -> Mark:
    """Return the mark that words are: marks are no words of the sentence, anything else is."""
    end = at + len(words)
    for sign, style in (("oaicite", "content_reference"), ("turn", "turn"), ("‡", "oai_citation"), ("†", "dagger")):
        if (sign in words and not words[:1].isalpha()) or words.startswith(("citeturn", "filecite")):
            return Mark(at, end, style if sign in words else "turn", (), url, title)
    if "](" in words:
        return Mark(at, end, "site_link", (), url, title)
    if SIGNS_ONLY.fullmatch(words):
        return Mark(at, end, "number", (), url, title)
    return span_of(at, end, url, title)


def span_of(start: int, end: int, url: str, title: str | None) -> Mark:
    """Return the mark of words that an export tells as cited."""
    return Mark(start, end, "export", (), plain_address(url), title, (start, end), until=end)


def entry_of(label: str, url: str, title: str | None) -> SourceEntry:
    """Return a source that an export lists."""
    said = " ".join(filter(None, (title, url)))
    return SourceEntry(label=plain_label(label), url=plain_address(url), title=title, entry=said, origin="export")


def url_of(one: Mapping[str, Any]) -> str | None:
    """Return the address that a part of an export names, its own or that of what it wraps."""
    for name in URL_NAMES:
        value = one.get(name)
        if isinstance(value, str) and value.startswith(("http://", "https://", "www.")):
            return value
    inner = one.get("web") or one.get("metadata") or one.get("source")
    return url_of(inner) if isinstance(inner, Mapping) and inner is not one else None


def first_of(one: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the first of some values that is a number or has words, on one line of at most 300 characters."""
    for name in names:
        value = one.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:300]
    return None


def maps_in(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; none for what is no list."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
