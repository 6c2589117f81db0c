"""Marks to addresses: by the lists of the text, the list beside it, and what an export says of its own marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from veritas.factcheck.addresses import host
from veritas.factcheck.mark_forms import Mark
from veritas.factcheck.named_documents import Named
from veritas.factcheck.shapes import Citation, SourceEntry
from veritas.factcheck.source_lists import plain_label

_INTERNAL = frozenset({"dagger", "oai_citation", "content_reference", "turn", "cite", "grok", "web", "cite_index"})
_NUMBERED = frozenset({"number", "footnote", "superscript", "glued", "numbered_link", "double_bracket", "cite"})
_FROM_ZERO = frozenset({"content_reference", "cite_index", "grok"})
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d[a-z]?(?!\d)")
_WORD = re.compile(r"[^\W\d_][\w'’-]+")
_BEYOND, _NOT_IN = "is beyond the list", "the list has no number"
"""What is said of a number where the list itself stands in the text."""
_NO_ADDRESS = "gives no address"
"""What is said of an entry that names its source by words alone."""
NO_BIBLIOGRAPHY = "the bibliography is missing"
"""What is said of a key, as of Pandoc or LaTeX, in a text that has none: it names its source."""
_AUTHORS = 160
"""Characters at the beginning of an entry that may hold its authors' names."""


class Sources:
    """The sources that marks can mean."""

    def __init__(self, entries: Sequence[SourceEntry], named: Named | None = None) -> None:
        """`named` finds the document of a corpus that an entry without an address names."""
        if named is not None:
            entries = [e if e.url else e.model_copy(update={"url": named(e.entry)}) for e in entries]
        self.entries = tuple(entries)
        self._labelled: dict[str, list[SourceEntry]] = defaultdict(list)
        self._named: dict[tuple[str, str], list[SourceEntry]] = defaultdict(list)
        self._titled: dict[str, list[SourceEntry]] = defaultdict(list)
        self._sites: dict[str, list[SourceEntry]] = defaultdict(list)
        for entry in entries:
            if entry.label:
                self._labelled[plain_label(entry.label)].append(entry)
            for year in dict.fromkeys(_YEAR.findall(entry.entry)) or ("",):
                for name in dict.fromkeys(word.casefold() for word in _WORD.findall(entry.entry[:_AUTHORS])):
                    self._named[name, year].append(entry)
            for title in {entry.title, entry.entry[:200]} - {None}:
                self._titled[_folded(title or "")].append(entry)
            if entry.url:
                at = host(entry.url)
                for name in {_folded(at), _folded(at.split(".")[-2] if "." in at else at)}:
                    self._sites[name].append(entry)
        self.labels = frozenset(self._labelled)
        self.last = max((int(label) for label in self.labels if label.isdecimal()), default=0)
        self._shifted: frozenset[str] = frozenset()

    def seen(self, marks: Sequence[Mark]) -> None:
        """Note which forms of marks count from 0 while the list counts from 1."""
        numbers: dict[str, set[int]] = defaultdict(set)
        for mark in marks:
            numbers[mark.style].update(int(name) for name in mark.names if name.isdecimal())
        self._shifted = frozenset(
            style for style in _FROM_ZERO
            if 0 in numbers[style] and "0" not in self.labels and max(numbers[style]) < self.last
        )  # fmt: skip

    def knows_name(self, surname: str, year: str) -> bool:
        """Return whether an entry has this surname and this year."""
        return bool(self._of_name(surname, year))

    def citations(self, mark: Mark) -> list[Citation]:
        """Return the citations of a mark: its own address, or one for each label."""
        if mark.url is not None:
            return [self._cited(mark, mark.names[0] if mark.names else host(mark.url), mark.url, mark.title)]
        return [self._resolved(mark, name) for name in mark.names]

    def _cited(
        self, mark: Mark, label: str, url: str | None, title: str | None, problem: str | None = None
    ) -> Citation:
        return Citation(
            label=label, start=mark.start, end=mark.end, style=mark.style, url=url, title=title, problem=problem
        )

    def _resolved(self, mark: Mark, name: str) -> Citation:
        entry, problem = self._entry(mark, name)
        if entry is not None and entry.url:
            return self._cited(mark, name, entry.url, entry.title)
        if entry is not None:
            problem = f"the entry {entry.label or name} of the list {_NO_ADDRESS}: “{entry.entry[:80]}”"
            return self._cited(mark, name, None, entry.title, problem)
        return self._cited(mark, name, None, mark.title, problem or self._why(mark, name))

    def _entry(self, mark: Mark, name: str) -> tuple[SourceEntry | None, str | None]:
        if mark.style == "author_year":
            who, _, year = name.rpartition(" ")
            fitting = self._of_name(who, year)
            if len({entry.url or entry.entry for entry in fitting}) > 1:
                return None, f"several entries of the list are by {who} and of {year}"
            return (fitting[0] if fitting else None), None
        if mark.style == "button":
            return self._of_site(name), None
        label = plain_label(name)
        if mark.style in self._shifted and label.isdecimal():
            label = str(int(label) + 1)
        entry = self._nearest(label, mark.start)
        if entry is None and mark.style == "web":
            entry = self._nearest(label.rpartition(":")[2], mark.start)
        if entry is None and mark.style == "dagger" and ":" in label:
            entry = self._nearest(label.partition(":")[0], mark.start) if label.endswith(":0") else None
        if entry is None and mark.style in ("dagger", "oai_citation") and mark.title:
            fitting = self._titled.get(_folded(mark.title), [])
            entry = fitting[0] if len(fitting) == 1 else self._of_site(mark.title)
        return entry, None

    def _nearest(self, label: str, at: int) -> SourceEntry | None:
        """Return the entry of the next list behind a place, else of the last one before it."""
        found = self._labelled.get(label)
        if not found:
            return None
        placed = [entry for entry in found if entry.start is not None]
        if len(placed) < 2:
            return found[0]
        behind = bisect_right(placed, at, key=lambda entry: entry.start or 0)
        return placed[behind] if behind < len(placed) else placed[-1]

    def _of_name(self, who: str, year: str) -> list[SourceEntry]:
        name = (_WORD.findall(who) or [who])[-1].casefold()
        year = year if year[:1].isdecimal() else ""  # "n.d.": an entry without a year
        fitting = self._named.get((name, year)) or self._named.get((name, year.rstrip("abcdefghij"))) or []
        if len(fitting) > 1:
            first = [entry for entry in fitting if name in entry.entry[: len(who) + 6].casefold()]
            fitting = first or fitting
        return fitting

    def _of_site(self, name: str) -> SourceEntry | None:
        """Return the only source whose title or host is a site's name."""
        folded = _folded(name)
        fitting = self._sites.get(folded) or self._titled.get(folded, [])
        return fitting[0] if len({entry.url for entry in fitting}) == 1 else None

    def _why(self, mark: Mark, name: str) -> str:
        if mark.style == "button":
            return f"what is left of a button, “{name}”: its address was lost when the text was copied"
        if name.isdecimal() and self.last and mark.style in _NUMBERED | {"web"}:
            if int(name) > self.last:
                return f"the number {name} {_BEYOND}, which ends at {self.last}"
            return f"{_NOT_IN} {name}"
        if mark.style in _INTERNAL:
            return (
                "an internal mark of the program that wrote the text: its address was lost when the text was copied; "
                "export the conversation as JSON, or give its list of sources"
            )
        if mark.style in ("pandoc", "latex") and all(label.isdecimal() for label in self.labels):
            return f"{NO_BIBLIOGRAPHY}: it says which source the key {name} means"
        if mark.style in ("author_year", "pandoc", "latex"):
            return f"no list of sources has {name}" if self.entries else "the list of sources is missing"
        return f"the list of sources has no {name}" if self.entries else "the list of sources is missing"


def list_is_lost(problem: str | None) -> bool:
    """Return whether a mark leads nowhere because the list of sources may be lost, by what is said of it. A list that
    stands there and has no such number was not lost."""
    told = (_BEYOND, _NOT_IN, _NO_ADDRESS, NO_BIBLIOGRAPHY)
    return problem is not None and not any(said in problem for said in told)


def is_named_only(problem: str | None) -> bool:
    """Return whether a mark means a source that the text names without an address, by a list's entry or by a key."""
    return problem is not None and (f"of the list {_NO_ADDRESS}" in problem or NO_BIBLIOGRAPHY in problem)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold().removeprefix("www."))
