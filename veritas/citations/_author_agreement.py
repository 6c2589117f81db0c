"""Agreement of two records' authors: what rejects, what is accepted with a note, what is only noted."""

from __future__ import annotations

from veritas.citations._pairing import Pair, Said
from veritas.citations._works import LinkKind
from veritas.citations.author_lists import AuthorComparison, is_body
from veritas.works.records import BibRecord


def same_people_listed(pair: Pair, people: AuthorComparison | None) -> bool:
    """Return whether the authors are one set of people, in any order; a shared surname alone is too little."""
    if people is None:
        return False
    limits = pair.policy.authors
    complete = pair.one.authors_complete and pair.other.authors_complete
    share = people.shared_of_both if complete and not people.first_family_agrees else people.shared
    needed = limits.some_people if people.first_family_agrees else limits.same_people
    if people.first_family_agrees and not people.first_given_compatible and pair.records_of_one:
        share += 1 / min(len(pair.one.authors), len(pair.other.authors))  # Evangelos, also called Vangelis
    return share > 0 and share >= needed


def reconcile_authors(pair: Pair, said: Said, people: AuthorComparison | None, same_people: bool) -> None:
    """Record the conflicts and notes of two author lists. Only the first author, or other people, can reject."""
    one, other = pair.one, pair.other
    first, second = (str(record.authors[0]) if record.authors else None for record in (one, other))
    if people is None:
        if pair.tie.kind is LinkKind.NONE:
            said.conflict("first_author_surname", first, second)
        elif first or second:
            said.note("authors_missing", f"{(other if first else one).source} names no authors")
        return
    names = f"{first} ({one.source}) and {second} ({other.source})"
    if not people.comparable:
        if pair.tie.kind is LinkKind.IDENTIFIER:
            said.note("authors_script", f"{names} are written in different scripts and were not compared")
        else:
            said.conflict("first_author_surname", first, second)
        return
    limits = pair.policy.authors
    if people.first_family_agrees:
        namesake = not people.first_given_compatible and people.shared_of_both <= limits.some_people
        if not same_people or (namesake and not pair.records_of_one):
            said.conflict("authors", _listed(one), _listed(other))
            return
        if not people.first_given_compatible:
            said.note("given_name", f"{names}: the first author's given names differ")
    elif pair.records_of_one and (is_body(one.authors) or is_body(other.authors)):
        said.note("authors_corporate", f"{names}: a body and its people, under {pair.tie.detail}")
    elif sorted_side := _alphabetised(pair, people):
        said.note("authors_alphabetised", f"{sorted_side} sorts the authors by family name; the people are the same")
    elif not pair.cited and people.first_misspelt >= limits.misspelt and _others_agree(people, one, other):
        said.note("surname_spelling", f"{names}: spelt differently, all other authors agree")
    elif not pair.cited and people.matched > 2 and same_people and (reason := pair.tie.detail or pair.manifestations):
        said.note("author_order", f"the same people in another order: {reason}")
    else:
        said.conflict("first_author_surname", one.authors[0].family, other.authors[0].family)
        return
    _tail(pair, said, people)


def _tail(pair: Pair, said: Said, people: AuthorComparison) -> None:
    """Note differences in count and order beyond the first author, which are never decisive (section 5.3)."""
    one, other = pair.one, pair.other
    if len(one.authors) != len(other.authors):
        said.note("author_count", f"{len(one.authors)} ({one.source}) and {len(other.authors)} ({other.source})")
    elif not people.same_order and people.first_family_agrees:
        said.note("author_order", "the authors beyond the first stand in another order")
    if people.matched < min(len(one.authors), len(other.authors)):
        mine, theirs = ", ".join(people.only_primary) or "none", ", ".join(people.only_secondary) or "none"
        said.note("authors_differ", f"only {one.source}: {mine}; only {other.source}: {theirs}")


def _alphabetised(pair: Pair, people: AuthorComparison) -> str | None:
    """Return the source that alone sorts its list by family name, if the people are the same; else None."""
    limits = pair.policy.authors
    shortest = limits.alphabetised_cited if pair.cited else limits.alphabetised
    if people.sorted_primary == people.sorted_secondary or people.matched < shortest:
        return None
    if people.shared_of_both < limits.same_people:
        return None
    return pair.one.source if people.sorted_primary else pair.other.source


def _others_agree(people: AuthorComparison, one: BibRecord, other: BibRecord) -> bool:
    """Return whether the first authors are the only ones that differ, and there are others."""
    return 0 < people.matched == len(one.authors) - 1 == len(other.authors) - 1


def _listed(record: BibRecord) -> str:
    names = [str(name) for name in record.authors[:8]]
    return "; ".join(names) + ("; …" if len(record.authors) > 8 else "")
