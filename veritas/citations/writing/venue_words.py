"""Words of the names of journals and meetings, which stand before a year as the names of authors do:
`Nature Ecology & Evolution (2018)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from veritas.works.folding import words
from veritas.works.records import BibRecord

_NOUNS = frozenset(
    "acoustics agronomy algorithms analysis animals anthropology applications archaeology archives astronautics "
    "astronomy astrophysics automation bacteriology behavior behaviour biochemistry biodiversity bioengineering "
    "bioinformatics biology biomechanics biophysics biosystems biotechnology botany bulletin business cardiology "
    "catalysis chemistry climate climatology cognition combinatorics communication communications complexity "
    "computation computers computing conference conservation control crystallography cybernetics dermatology "
    "dynamics earth ecology economics econometrics ecosystems education electronics endocrinology energy engineering "
    "entomology environment environments epidemiology ethics evolution finance fisheries forestry genetics genome "
    "genomics geochemistry geography geology geomorphology geophysics geoscience geosciences health history hydrology "
    "ieee immunology informatics insurance intelligence journal knowledge language languages learning letters "
    "limnology linguistics literature logic machines management materials mathematics mechanics medicine metabolism "
    "metabolomics meteorology methods metrology microbiology mineralogy mycology nanoscience nanotechnology nature "
    "networks neurology neuroscience neurosciences nutrition oceanography oncology ophthalmology optics optimization "
    "ornithology paleontology palaeontology pathology pediatrics petrology pharmacology philosophy photonics physics "
    "physiology planning plants policy politics probability proceedings processing proteins proteomics psychiatry "
    "psychology psychophysics radiology reports reproduction research reviews rheumatology robotics safety science "
    "sciences semantics sensors simulation society sociology software statistics structure studies surgery "
    "sustainability symposium systematics systems taxonomy technologies technology theory therapeutics toxicology "
    "transactions urology virology vision wildlife workshop zoology".split()
)
"""Subjects that journals are called by. None of them is a common family name."""
_ADDED = re.compile(r"\b(?:of|for|on|in|and|the|et|der|und|de)\b|&")


def names_venue(people: Sequence[str], records: Sequence[BibRecord]) -> bool:
    """Return whether all of the words that stand as the names of people are words of the venue of a work, as one of its
    records gives it, and none is of an author."""
    said = {word for each in people for word in words(each)}
    authors = {word for each in records for person in each.authors for word in words(str(person))}
    venues = [_of_venue(name) for each in records for name in (each.venue or "", *each.venue_names) if name]
    if not said or said & authors:
        return False
    return any(all(_begins(word, each) for word in said) for each in venues)


def without_venue(said: str, records: Sequence[BibRecord]) -> str:
    """Return words without the name of the venue of a work, so that who is named before it stands before the year."""
    for name in {name for each in records for name in (each.venue or "", *each.venue_names) if name}:
        form = r"[\W_]+".join("(?:and|&|&amp;)" if word in ("and", "&") else re.escape(word)
                             for word in re.findall(r"[^\W_]+|&", name))  # fmt: skip
        said = re.sub(rf"[\s,]*(?<!\w){form}(?!\w)", "", said, flags=re.IGNORECASE)
    return said


def _begins(word: str, venue: frozenset[str]) -> bool:
    """Return whether a word is one of a venue's name, or a short form of one: `Ecol` of `Ecology`."""
    return word in venue or (len(word) > 2 and any(each.startswith(word) for each in venue))


def is_venue(said: str, records: Sequence[BibRecord]) -> bool:
    """Return whether words are the name of the venue of a work with no more than numbers: `Fly 20 (2019)`."""
    bare = re.sub(r"https?://\S+|\bdoi\b|\W10\.\d{4,}/\S+|[\W\d_]+", " ", _ADDED.sub(" ", said))
    return bool(bare.strip()) and names_venue([bare], records)


@lru_cache(maxsize=1024)
def _of_venue(name: str) -> frozenset[str]:
    return frozenset(words(_ADDED.sub(" ", name)))


def may_be_venue(people: Sequence[str]) -> bool:
    """Return whether a subject that journals are called by is among words: they may name no people."""
    return any(word in _NOUNS for each in people for word in words(each))
