"""Cited authors against every record of the work: invented, omitted, reordered, misspelt, a body for its people."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.citations._works import LinkKind, link, same_venue
from veritas.citations.author_lists import is_alphabetical, is_body, names_a_body
from veritas.citations.bibliography._editions import independent, lists_everybody
from veritas.citations.bibliography.difference import Difference, changed, people
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.text.likeness import ratio
from veritas.works.folding import is_cjk, words
from veritas.works.names import PersonName, compatible_given, given_names_differ, same_family, same_person
from veritas.works.records import BibRecord
from veritas.works.title_comparison import title_words

CUT_AT = 100
"""Authors after which OpenAlex ends a list."""
_SHORTEST_NAME = 4
_LONG_TITLE = 6
"""Words of a title that two works of one year hardly share."""


def author_differences(
    cited: BibRecord, records: Sequence[BibRecord], settings: BibSettings, policy: TriangulationPolicy
) -> list[Difference]:
    """Return the difference of the cited authors from all records of the work, if there is one.

    A record without authors, with a body for its people, or in another script contradicts nobody.
    """
    lists = [record for record in records if _is_list(record) and _same_script(cited, record)]
    if not cited.authors or not lists:
        return []
    if is_body(cited.authors) or all(name.corporate for name in cited.authors) or _body_alone(cited):
        return _of_a_body(cited, records, lists)
    strangers = {
        at: how
        for at, name in enumerate(cited.authors)
        if not names_a_body(name) and (how := _stranger(name, at, lists, settings)) is not None
    }
    for wanted in ("invented", "surname", "misspelt", "given_name"):
        at = [at for at, how in strangers.items() if how == wanted]
        if at:
            return [_of_strangers(cited, lists, at, wanted, policy)]
    if (order := _order(cited, lists, policy)) is not None:
        return [order]
    return _omitted(cited, lists)


def stands_for_its_people(cited: BibRecord, record: BibRecord) -> bool:
    """Return whether a citation names a body as the author where a record lists people, or the other way round."""
    if not cited.authors or not record.authors:
        return False
    mine, theirs = (is_body(each.authors) or names_a_body(each.authors[0]) for each in (cited, record))
    # A person whose given name is missing looks like a body, so it has to be one for certain.
    return mine != theirs and names_a_body((cited if mine else record).authors[0])


def second_field_agrees(cited: BibRecord, record: BibRecord, settings: BibSettings, *, paper: bool) -> bool:
    """Return whether more than a title ties a citation to a record, since other works have that title too.

    That is an identifier, a person's family name, a body that lends the work its name in the same year, venue and
    year, or the year of a long title. A book, a report or a page may well have the title of a `paper` of its year.
    """
    if link(cited, record).kind is not LinkKind.NONE:
        return True
    mine, theirs = ([name for name in each.authors if not names_a_body(name)] for each in (cited, record))
    if any(same_family(one, other) for one in mine for other in theirs):
        return True
    years = [year for year in (record.year, *record.years) if year]
    for name in filter(names_a_body, cited.authors if cited.year in years else ()):
        own = words(str(name))
        if set(own[:-1] or own) <= set(words(record.full_title or "")):  # `Gemma Team`, `xarray Developers`, `OpenAI`
            return True
    dated = cited.year is not None and any(abs(cited.year - year) <= settings.year_slips for year in years)
    if dated and paper and len(title_words(cited.title or "")) >= _LONG_TITLE:
        return True
    venues = [name for name in (record.venue, *record.venue_names) if name and cited.venue and dated]
    return any(same_venue(cited.venue or "", name) for name in venues)


def _body_alone(cited: BibRecord) -> bool:
    """Return whether the only author is a body that is written as a person is: `xarray Developers`."""
    return len(cited.authors) == 1 and names_a_body(cited.authors[0])


def _is_list(record: BibRecord) -> bool:
    if not record.authors or not record.authors_complete or is_body(record.authors):
        return False
    return not (record.source == "openalex" and len(record.authors) >= CUT_AT)


def _same_script(cited: BibRecord, record: BibRecord) -> bool:
    return not cited.authors or is_cjk(cited.authors[0].family) == is_cjk(record.authors[0].family)


def _of_a_body(cited: BibRecord, records: Sequence[BibRecord], lists: Sequence[BibRecord]) -> list[Difference]:
    """Accept a body that a record names or that lends the work its name (`Gemma Team` for `Gemma 3`); note others."""
    first = cited.authors[0]
    if any(same_family(first, name) or same_person(first, name) for record in records for name in record.authors):
        return []
    own = {word for name in cited.authors for word in words(str(name)) if word not in ("team", "the", "group")}
    there = {
        word
        for record in records
        for text in (record.full_title, record.venue, *(str(name) for name in record.authors if name.corporate))
        for word in words(text or "")
    }
    if own & there:
        return []
    return [changed("authors", people(cited), people(lists[0]), True, "body")]


def _stranger(name: PersonName, at: int, lists: Sequence[BibRecord], settings: BibSettings) -> str | None:
    """Return how a cited author differs from everyone that any record lists; None for one who is listed."""
    everyone = [other for record in lists for other in record.authors]
    family = [other for other in everyone if same_family(name, other) or same_person(name, other)]
    if family:
        agree = any(compatible_given(name, other) and not given_names_differ(name, other) for other in family)
        return None if agree or any(same_person(name, other) and other.corporate for other in family) else "given_name"
    folded = "".join(words(name.family))
    for other in everyone:
        alike = ratio(folded, "".join(words(other.family)))
        if alike >= settings.misspelt and compatible_given(name, other):
            return "misspelt"
    given = words(name.given)
    beside = [record.authors[at] for record in lists if at < len(record.authors)]
    if given and len(given[0]) >= _SHORTEST_NAME and any(words(other.given)[:1] == given[:1] for other in beside):
        return "surname"  # the same person under another surname
    return "invented"


def _of_strangers(
    cited: BibRecord, lists: Sequence[BibRecord], at: Sequence[int], code: str, policy: TriangulationPolicy
) -> Difference:
    field = "first author" if at[0] == 0 else "authors"
    best = max(lists, key=lambda record: _found(cited, record))
    theirs = str(best.authors[0]) if at[0] == 0 and len(at) == 1 else people(best)
    mine = "; ".join(str(cited.authors[each]) for each in at[:6])
    minor = code != "invented"
    if code == "invented" and not _whole(cited, lists, policy):
        return changed(field, mine, theirs, True, "unlisted")
    return changed(field, mine, theirs, minor, code)


def _whole(cited: BibRecord, lists: Sequence[BibRecord], policy: TriangulationPolicy) -> bool:
    """Return whether the lists are whole beyond doubt, so that whoever is missing from them is no author."""
    if not any(_found(cited, record) for record in lists):
        return True  # nobody of them is an author
    if any(len(record.authors) >= len(cited.authors) for record in lists):
        return True
    # Another author than any list has room for: one source is too little, unless it lists everybody.
    if any(lists_everybody(cited, record) for record in lists):
        return True
    return independent([record.source for record in lists if len(record.authors) > 1], policy) > 1


def _found(cited: BibRecord, record: BibRecord) -> int:
    return sum(any(same_family(name, other) for other in record.authors) for name in cited.authors)


def _positions(cited: BibRecord, record: BibRecord) -> list[int]:
    """Return where the record lists each cited author; those that it lacks are left out."""
    taken: set[int] = set()
    found = []
    for name in cited.authors:
        fit = [at for at, other in enumerate(record.authors) if at not in taken and same_person(name, other)]
        if fit:
            taken.add(fit[0])
            found.append(fit[0])
    return found


def _order(cited: BibRecord, lists: Sequence[BibRecord], policy: TriangulationPolicy) -> Difference | None:
    """Return an order that no record has. Only two independent sources make another first author an error."""
    orders = [(record, _positions(cited, record)) for record in lists]
    if len(cited.authors) == 1 and all(at and at[0] for _, at in orders):
        return changed("authors", people(cited), people(orders[0][0]), False, "order")
    orders = [(record, at) for record, at in orders if len(at) > 1]
    if not orders or any(at == sorted(at) and at[0] == 0 for _, at in orders):
        return None
    sources = independent([record.source for record, _ in orders], policy)
    first = all(at[0] != 0 for _, at in orders)
    if not first and sources < 2:
        return None
    sorted_by_name = len(cited.authors) > 2 and is_alphabetical(cited.authors)
    if first and sources > 1 and not sorted_by_name:
        return changed("first author", cited.authors[0], orders[0][0].authors[0], False, "order")
    return changed("authors", people(cited), people(orders[0][0]), True, "order")


def _omitted(cited: BibRecord, lists: Sequence[BibRecord]) -> list[Difference]:
    """Return the authors that every record lists and the citation leaves out without `and others`."""
    longer = [record for record in lists if len(record.authors) > len(cited.authors)]
    if not cited.authors_complete or not longer or any(len(each.authors) == len(cited.authors) for each in lists):
        return []
    shortest = min(longer, key=lambda record: len(record.authors))
    missing = [str(name) for name in shortest.authors if not any(same_family(name, mine) for mine in cited.authors)]
    if not missing:
        return []
    return [changed("authors", people(cited), people(shortest), True, "omitted")]
