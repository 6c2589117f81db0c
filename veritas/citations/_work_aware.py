"""The work-aware rule: two records reconciled as manifestations of one work, every accepted difference noted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from veritas.citations._works import (
    Link,
    LinkKind,
    differ_in_manifestation,
    explain_doi,
    explain_year,
    knows_doi,
    link,
    same_venue,
)
from veritas.citations.author_lists import AuthorComparison, compare_authors, is_body
from veritas.citations.verdict import Comparison, Conflict, Value, strict_title
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.works.identifiers import doi_stem, is_preprint_doi, is_repository_doi
from veritas.works.records import BibRecord, Kind
from veritas.works.released_titles import same_release
from veritas.works.title_comparison import TitleComparison, TitleDifference, compare_titles, notice_kind


class Pair:
    """Two records (`one` is the primary), the tie that identifiers make between them, and the settings."""

    def __init__(self, one: BibRecord, other: BibRecord, policy: TriangulationPolicy) -> None:
        self.one = one
        self.other = other
        self.policy = policy

    @cached_property
    def tie(self) -> Link:
        """Tie that identifiers and stated relations make."""
        return link(self.one, self.other)

    @property
    def cited(self) -> bool:
        """True if one of them is a citation, to which the rules are stricter than to a source."""
        return self.one.is_citation or self.other.is_citation

    @property
    def records_of_one(self) -> bool:
        """True if two sources, neither of them a citation, have an identifier in common."""
        return not self.cited and self.tie.kind is LinkKind.IDENTIFIER

    @cached_property
    def manifestations(self) -> str | None:
        """Description of how they are of different manifestations of a work; None if they are not."""
        return differ_in_manifestation(self.one, self.other, self.policy)


class Said:
    """The conflicts and notes found so far."""

    def __init__(self) -> None:
        self.conflicts: list[Conflict] = []
        self.notes: list[str] = []

    def conflict(self, field: str, one: Value, other: Value) -> None:
        self.conflicts.append(Conflict(field=field, primary=one, secondary=other))

    def note(self, code: str, sentence: str) -> None:
        self.notes.append(f"{code}: {sentence}")


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


Resolved = Mapping[str, BibRecord | None]
"""Records of resolved DOIs: None for a DOI that is registered nowhere. A missing DOI was not asked for."""

_ORDER = list(TitleDifference)
_UNLIKE = (TitleDifference.SUBTITLE, TitleDifference.WORDS, TitleDifference.OTHER)
_RELEASED = (Kind.DATASET, Kind.OTHER)
"""Kinds of works that are released again and again."""
_NUMBERED = re.compile(r"\d|\b(?:part|ii|iii|iv|vi*|revisited|reply|comment)\b")


def compare_work_aware(
    primary: BibRecord, secondary: BibRecord, policy: TriangulationPolicy, resolved: Resolved | None = None
) -> Comparison:
    """Compare two records; either may be a citation (source `bibtex`). Symmetric but for the order of values."""
    said = Said()
    if primary.title is None or secondary.title is None:
        said.conflict("title", primary.title, secondary.title)
        for record in (primary, secondary):
            if record.title is None:
                said.note("title_missing", f"the {record.source} record has no title that can be read")
        return Comparison(same_work=False, conflicts=tuple(said.conflicts), notes=tuple(said.notes))
    pair = Pair(primary, secondary, policy)
    titles = best_title(primary, secondary, policy)
    people = compare_authors(primary.authors, secondary.authors) if primary.authors and secondary.authors else None
    same_people = same_people_listed(pair, people)
    title_agrees, title_close = _title(pair, said, titles, people, same_people)
    reconcile_authors(pair, said, people, same_people)
    _doi(pair, said, resolved or {}, title_agrees and same_people)
    _arxiv(pair, said)
    _year(pair, said, title_close and same_people)
    _venue(pair, said)
    same_work = title_close and (same_people or _tied(pair, people))
    if not title_agrees and titles.difference is TitleDifference.WORDS and _two_publications(pair):
        same_work = False
    if _is_notice(pair, said) or _is_deposit_beside(pair, people):
        same_work = False
    if not same_work and not said.conflicts:
        said.conflict("work", primary.full_title, secondary.full_title)
    if pair.tie.kind is LinkKind.RELATION and same_work:
        said.note("same_work", pair.tie.detail)
    return Comparison(same_work=same_work, conflicts=tuple(said.conflicts), notes=tuple(said.notes))


def best_title(one: BibRecord, other: BibRecord, policy: TriangulationPolicy) -> TitleComparison:
    """Return the closest comparison among two records' titles: with and without subtitle, original title, as given."""
    mine = dict.fromkeys(title for title in (one.title, one.full_title, *one.other_titles) if title)
    theirs = dict.fromkeys(title for title in (other.title, other.full_title, *other.other_titles) if title)
    found = [compare_titles(a, b, near_miss=policy.titles.near_miss) for a in list(mine)[:4] for b in list(theirs)[:4]]
    best = min(found, key=lambda title: (_ORDER.index(title.difference), -title.ratio))
    # A citation's type is its writer's guess, so the records alone say whether the work is of those.
    records = [each for each in (one, other) if not each.is_citation]
    released = bool(records) and all(each.kind in _RELEASED or is_repository_doi(each.doi) for each in records)
    if released and best.difference in _UNLIKE and any(same_release(a, b) for a in mine for b in theirs):
        return best.model_copy(update={"difference": TitleDifference.VERSION})
    return best


def _title(
    pair: Pair, said: Said, titles: TitleComparison, people: AuthorComparison | None, same_people: bool
) -> tuple[bool, bool]:
    """Return whether the titles agree, and whether they are near. Records conflicts and accepted differences."""
    one, other = pair.one.full_title or "", pair.other.full_title or ""
    both = f"“{pair.one.title}” ({pair.one.source}) and “{pair.other.title}” ({pair.other.source})"
    difference = titles.difference
    known = same_people or pair.tie.kind is not LinkKind.NONE
    if difference in (TitleDifference.NONE, TitleDifference.PUNCTUATION):
        if strict_title(one) != strict_title(other):
            said.note("title_punctuation", f"{both} differ in punctuation, accents or markup alone")
        return True, True
    if difference is TitleDifference.SUBTITLE and known:
        said.note("title_subtitle", f"{both}: one lacks the subtitle or the short name before it")
        return True, True
    if difference is TitleDifference.VERSION and known:
        said.note("title_version", f"{both}: one names its version")
        return True, True
    if difference is TitleDifference.SPELLING and not pair.cited and known:
        said.note("title_spelling", f"{both} differ in spelling: {_words(titles)}")
        return True, True
    if _retitled(pair, titles, people):
        said.note("title_retitled", f"{both}: {pair.manifestations}, {_words(titles)}")
        return True, True
    said.conflict("title", pair.one.full_title, pair.other.full_title)
    if difference is not TitleDifference.OTHER:
        said.note("title_near_miss", f"other words: {_words(titles) or 'a part is missing'}")
    return False, difference is not TitleDifference.OTHER


def _retitled(pair: Pair, titles: TitleComparison, people: AuthorComparison | None) -> bool:
    """Return whether a work was retitled between preprint and publication: only records, by the same people, count.

    A number among the changed words (`2.0`, `Part II`) makes a successor, not a retitled work.
    """
    if pair.cited or people is None or people.shared_of_both < 1 or people.matched < 2:
        return False
    if any(_NUMBERED.search(words) for change in titles.changed for words in change):
        return False
    alike = max(titles.ratio, titles.token_sort_ratio) >= pair.policy.titles.retitled
    return alike and pair.manifestations is not None


def _words(titles: TitleComparison) -> str:
    return "; ".join(f"{one or '(nothing)'} / {other or '(nothing)'}" for one, other in titles.changed[:6])[:200]


def _doi(pair: Pair, said: Said, resolved: Resolved, agrees: bool) -> None:
    one, other = pair.one, pair.other
    for record in (one, other):
        for problem in record.problems:
            if problem.startswith("doi:"):
                said.conflict("doi", *(_raw_doi(each) for each in (one, other)))
                said.note("doi_unreadable", problem[5:])
                return
    if one.doi and other.doi and one.doi == other.doi:
        return
    if reason := (explain_doi(one, other, pair.tie, pair.policy) if agrees else None):
        said.note("doi_manifestation", f"{one.doi} ({one.source}) and {other.doi} ({other.source}): {reason}")
        return
    if one.doi and other.doi and doi_stem(one.doi) != doi_stem(other.doi) and not pair.cited:
        said.conflict("doi", one.doi, other.doi)
        return
    for cited, record in ((one, other), (other, one)):
        if cited.is_citation and cited.doi and not knows_doi(record, cited.doi):
            if not _resolves(cited, resolved, said, pair.policy):
                said.conflict("doi", one.doi, other.doi)
            return
    if bool(one.doi) != bool(other.doi) and not pair.cited:
        holder, lacking = (one, other) if one.doi else (other, one)
        if not knows_doi(lacking, holder.doi or ""):
            said.note("doi_one_side", f"{holder.doi} is in {holder.source} alone; {lacking.source} has no DOI")


def _raw_doi(record: BibRecord) -> str | None:
    return record.doi or next((problem[5:] for problem in record.problems if problem.startswith("doi:")), None)


def _resolves(cited: BibRecord, resolved: Resolved, said: Said, policy: TriangulationPolicy) -> bool:
    """Return whether a cited DOI was resolved, and to the cited work. An unconfirmed DOI is not good (default-deny)."""
    doi = cited.doi or ""
    if doi not in resolved:
        said.note("doi_unresolved", f"no record confirms the cited DOI {doi}; it has to be resolved")
        return False
    found = resolved[doi]
    if found is None:
        said.note("doi_not_registered", f"the cited DOI {doi} is registered nowhere")
        return False
    if not compare_work_aware(cited, found, policy).same_work:
        said.note("doi_other_work", f"the cited DOI {doi} resolves to “{found.title}”")
        return False
    said.note("doi_resolved", f"the cited DOI {doi} resolves to this work")
    return True


def _arxiv(pair: Pair, said: Said) -> None:
    one, other = pair.one, pair.other
    if one.arxiv_id and other.arxiv_id and one.arxiv_id != other.arxiv_id:
        said.conflict("arxiv_id", one.arxiv_id, other.arxiv_id)
    for cited, record in ((one, other), (other, one)):
        if cited.is_citation and cited.arxiv_id and not record.arxiv_id and not is_preprint_doi(cited.doi):
            said.note("arxiv_unconfirmed", f"{record.source} does not name the cited arXiv id {cited.arxiv_id}")


def _year(pair: Pair, said: Said, agrees: bool) -> None:
    one, other = pair.one, pair.other
    if one.year is None or other.year is None:
        if one.year != other.year:
            said.note("year_missing", f"{(one if one.year is None else other).source} has no year")
        return
    if one.year == other.year:
        return
    tied = agrees or pair.tie.kind is not LinkKind.NONE
    if reason := (explain_year(one, other, pair.tie, pair.policy) if tied else None):
        said.note("year_manifestation", f"{one.year} ({one.source}) and {other.year} ({other.source}): {reason}")
    else:
        said.conflict("year", one.year, other.year)


def _venue(pair: Pair, said: Said) -> None:
    """Note venue names that no alias or abbreviation makes one; never decisive (section 5.3)."""
    one, other = pair.one, pair.other
    mine = [name for name in (one.venue, *one.venue_names) if name]
    theirs = [name for name in (other.venue, *other.venue_names) if name]
    if not mine or not theirs:
        return
    if not any(same_venue(a, b, pair.policy.venue_aliases) for a in mine[:20] for b in theirs[:20]):
        said.note("venue", f"“{mine[0]}” ({one.source}) and “{theirs[0]}” ({other.source})")


def _tied(pair: Pair, people: AuthorComparison | None) -> bool:
    """Return whether identifiers tie two records although their authors differ: a citation with wrong authors."""
    if pair.tie.kind is LinkKind.RELATION:
        return people is None or people.matched > 0
    return pair.tie.kind is LinkKind.IDENTIFIER


def _two_publications(pair: Pair) -> bool:
    """Return whether both records have different identifiers of the same sort: parts I and II are two works."""
    one, other = pair.one, pair.other
    if pair.tie.kind is not LinkKind.NONE or pair.manifestations:
        return False
    return bool(one.doi and other.doi) or bool(one.arxiv_id and other.arxiv_id)


def _is_deposit_beside(pair: Pair, people: AuthorComparison | None) -> bool:
    """Return whether one record is of files that a few of the paper's authors put into a repository under its title."""
    if pair.tie.kind is not LinkKind.NONE or people is None or people.shared_of_both >= pair.policy.authors.some_people:
        return False
    kept = [is_repository_doi(record.doi) for record in (pair.one, pair.other)]
    return any(kept) and not all(kept)


def _is_notice(pair: Pair, said: Said) -> bool:
    """Return whether one record is a notice (retraction, correction) about the other, which is another publication."""
    for notice, paper in ((pair.one, pair.other), (pair.other, pair.one)):
        about = [update for update in notice.updates if not update.of_this]
        if update := next((update for update in about if update.doi and update.doi == paper.doi), None):
            said.note("notice", f"the {notice.source} record is a notice of {update.kind.value} about {paper.doi}")
            return True
        kind = notice_kind(notice.title or "")
        if kind and not notice_kind(paper.title or ""):
            said.note("notice", f"the {notice.source} record is a notice of {kind}, not the paper")
            return True
    return False
