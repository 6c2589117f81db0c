"""Which authors of a reference in running text were read surely enough to be held against a record."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations.bibliography.formats.printed.authors import People, read_people
from veritas.citations.bibliography.formats.printed.reference_parts import bare_text, read_parts
from veritas.works.folding import words
from veritas.works.names import PersonName, same_family
from veritas.works.records import BibRecord

_WITH_INITIALS = ("inverted", "initials-first", "initials-after", "initials-dotted")
_TITLE_OR_DATE = re.compile(r"[\s.,:;]*(?:[(\[]\s*)?(?:(?:1[5-9]|20)\d\d[a-z]?\b|``|[“\"„«‘])")


def surely_no_authors(text: str, cited: BibRecord, author: str, title: str, records: Sequence[BibRecord]) -> bool:
    """Return whether a reference surely names somebody whom no record of the work lists.

    `author` and `title` are the entry's fields. They must be what the reference's style gives, and all names must be in
    one form, either with initials or directly before a date or a quotation mark. Somebody is a stranger only if no
    record has a word of the surname in any name, nor the same initials at that place beside people who agree.
    """
    parts, bare = read_parts(text), bare_text(text)
    people = read_people(bare)
    if people is None or not author or (parts.author, parts.title) != (author, title) or not _one_form(people, bare):
        return False
    everyone = [name for record in records for name in record.authors]
    printed = set(words(bare[: people.end]))
    read = {word for name in cited.authors for word in words(name.family)}
    lost = {word for name in everyone for word in words(name.family) if len(word) > 2} & printed - read
    if lost:  # a listed surname is printed there, and was not read as one
        return False
    known = {word for name in everyone for word in words(str(name))}
    some = any(same_family(name, other) for name in cited.authors for other in everyone)
    return any(
        not known & set(words(name.family)) and not (some and _renamed(name, at, records))
        for at, name in enumerate(cited.authors)
    )


def _one_form(people: People, bare: str) -> bool:
    if not all(", " in name for name in people.names):
        return False  # a surname whose given name was lost, or a name that is not cut in two
    return people.form in _WITH_INITIALS or bool(_TITLE_OR_DATE.match(bare, people.end))


def _renamed(name: PersonName, at: int, records: Sequence[BibRecord]) -> bool:
    """Return whether a record has the same initials at this place: the person may have another surname there."""
    beside = (record.authors[at] for record in records if at < len(record.authors))
    return any(_initials(name) and _initials(name) == _initials(other) for other in beside)


def _initials(name: PersonName) -> str:
    return "".join(word[0] for word in words(name.given))[:1]
