"""Signs: what carries an item of a checklist, as patterns over the sentences of a paper (`checklist_signs.yaml`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

from pydantic import Field, field_validator

from veritas.documents.paper_parts import SectionName
from veritas.frozen import Frozen
from veritas.papers.desk.passages import Passage
from veritas.policy.yaml_file import read_yaml
from veritas.settings import policy_file

MAX_PATTERN = 1_200
"""Characters of one pattern."""
SPEAKING = 3
"""Sentences with a sign's vocabulary that are shown."""


@lru_cache(maxsize=2_048)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _checked(patterns: Sequence[str]) -> Sequence[str]:
    """Return patterns that are regular expressions of a bearable length. Raises `ValueError`."""
    for pattern in patterns:
        if len(pattern) > MAX_PATTERN:
            raise ValueError(f"a pattern is at most {MAX_PATTERN} characters")
        try:
            _compiled(pattern)
        except re.error as error:
            raise ValueError(f"{pattern!r} is no regular expression: {error}") from error
    return patterns


class Way(Frozen):
    """One way in which a sentence carries a sign. It stands in a section of a kind in `sections` (any, if empty) or
    under a heading that matches `under`; one of `any_of` matches it, one of `must` too if there are any, and none of
    `unless`."""

    sections: tuple[SectionName, ...] = Field(default=(), alias="in")
    under: str | None = None
    any_of: tuple[str, ...] = Field(alias="any", min_length=1)
    must: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()

    @field_validator("any_of", "must", "unless", "under")
    @classmethod
    def _compile(cls, given: tuple[str, ...] | str | None) -> tuple[str, ...] | str | None:
        _checked((given,) if isinstance(given, str) else given or ())
        return given

    def accepts(self, passage: Passage, *, headings: bool = False) -> bool:
        """Return whether a sentence, or with `headings` a heading too, carries the sign in this way where it stands."""
        if self.sections and passage.section not in self.sections:
            return False
        if self.under is not None and not any(_compiled(self.under).search(each) for each in passage.headings):
            return False
        return (headings or not passage.heading) and self.matches(passage.words)

    def matches(self, words: str) -> bool:
        """Return whether the words of a sentence carry the sign, wherever it stands."""
        return (
            any(_compiled(each).search(words) for each in self.any_of)
            and (not self.must or any(_compiled(each).search(words) for each in self.must))
            and not any(_compiled(each).search(words) for each in self.unless)
        )


class Sign(Frozen):
    """A sign. `says` ends the sentence "not found: …"; `carries` and `does_not` are sentences for its tests."""

    says: str = Field(min_length=1)
    ways: tuple[Way, ...] = Field(min_length=1)
    least: int = Field(default=1, ge=1, le=10)
    """Sentences or headings that must carry it: 3 of the headings of a structured abstract."""
    in_metadata: bool = False
    """Whether journal files may keep it in metadata only."""
    words: str = ""
    """The vocabulary of what is asked: while a sentence or heading has any of it, the sign is not called "not found".
    Empty if its ways settle it, such as a word in the title."""
    words_in: tuple[SectionName, ...] = ()
    """The kinds of sections in which the vocabulary counts; all, if empty."""
    carries: tuple[str, ...] = ()
    does_not: tuple[str, ...] = ()

    def find(self, passages: Sequence[Passage]) -> Passage | None:
        """Return the first sentence that carries the sign, by the first of its ways that one does; None without."""
        for way in self.ways:
            accepted = (passage for passage in passages if way.accepts(passage, headings=self.least > 1))
            found = list(islice(accepted, self.least))
            if len(found) == self.least:
                return found[0]
        return None

    @field_validator("words")
    @classmethod
    def _vocabulary(cls, given: str) -> str:
        return (_checked((given,)) or ("",))[0]

    def speaking(self, passages: Sequence[Passage], most: int = SPEAKING) -> tuple[Passage, ...]:
        """Return up to `most` sentences or headings that have its vocabulary: sentences first, those where it is looked
        for, those with most of it."""
        if not self.words:
            return ()
        where, pattern = self.looks_in, _compiled(self.words)
        held = [
            passage
            for passage in passages
            if (not self.words_in or passage.section in self.words_in) and pattern.search(passage.words)
        ]

        def rank(passage: Passage) -> tuple[bool, bool, int]:
            aside = passage.heading or passage.aside or passage.others
            found = {match[0].casefold() for match in pattern.finditer(passage.words)}
            return aside, bool(where) and passage.section not in where, -len(found)

        return tuple(sorted(held, key=rank)[:most])

    @property
    def looks_in(self) -> tuple[SectionName, ...]:
        """The kinds of sections that its ways are limited to; empty if one of them looks everywhere."""
        kinds: list[SectionName] = []
        for way in self.ways:
            if not way.sections and way.under is None:
                return ()
            kinds += way.sections
        return tuple(dict.fromkeys(kinds))


class Signs(Frozen):
    """The file of the signs."""

    signs: dict[str, Sign]


def load_signs(path: Path | None = None) -> Mapping[str, Sign]:
    """Return the signs by name. Raises `PolicyError` with file, line and key."""
    return _loaded(path or policy_file("checklist_signs.yaml")).signs


def _loaded(path: Path) -> Signs:
    stamp = path.stat().st_mtime_ns if path.exists() else 0
    return _read(path, stamp)


@lru_cache(maxsize=4)
def _read(path: Path, stamp: int) -> Signs:
    return read_yaml(path).to_model(Signs)

