"""Works and their manifestations: whether two records are of one work, and the differences that explains."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from veritas.frozen import Frozen
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.works.folding import words
from veritas.works.identifiers import arxiv_of_doi, arxiv_years, doi_stem, is_preprint_doi, preprint_years
from veritas.works.records import BibRecord, Kind

_EDITION = re.compile(
    r"^(?:\d+(?:st|nd|rd|th)?|proceedings|proc|of|the|on|in|and|for|ieee|cvf|acm|aaai|annual|volume|vol|long|short|papers"
    r"|i{1,3}|iv|v|a)$"
)

_SMALL_WORDS = frozenset("a an and the of on in for to de des der die und et".split())


def same_venue(one: str, other: str, aliases: Sequence[Sequence[str]] = ()) -> bool:
    """Return whether two names are one venue: the same words without edition and year, an abbreviation or the beginning
    of the other, or an alias."""
    mine, theirs = _core(one), _core(other)
    if not mine or not theirs:
        return words(one) == words(other)
    if mine == theirs or _abbreviates(mine, theirs) or _abbreviates(theirs, mine):
        return True
    shorter, longer = sorted((mine, theirs), key=len)
    if len(shorter) > 2 and longer[: len(shorter)] == shorter:  # with its country or society, or without
        return True
    if _acronym(one, theirs) or _acronym(other, mine) or _initials(one, other) or _initials(other, one):
        return True
    return any(_is_alias(one, group) and _is_alias(other, group) for group in aliases)


def _core(name: str) -> tuple[str, ...]:
    return tuple("journal" if word == "j" else word for word in words(name) if not _EDITION.match(word))


def _abbreviates(short: Sequence[str], long: Sequence[str]) -> bool:
    """Return whether `Trans Neural Netw Learn` may be `Transactions on Neural Networks and Learning`."""
    return len(short) == len(long) and all(whole.startswith(part) for part, whole in zip(short, long, strict=True))


def _acronym(name: str, core: Sequence[str]) -> bool:
    """Return whether `ICASSP` stands in `ICASSP 2025 - …`; any single word of the other name counts."""
    own = _core(name)
    return len(own) == 1 and len(own[0]) > 2 and own[0] in core


def _initials(name: str, long: str) -> bool:
    """Return whether a name is the initials of another one: `JEEA`, `Journal of the European Economic Association`."""
    if not re.fullmatch(r"[A-Z]{3,8}", name.strip()):
        return False
    telling = [word for word in words(long) if word not in _SMALL_WORDS and not word.isdigit()]
    return "".join(word[0] for word in telling) == name.strip().lower()


def _is_alias(name: str, group: Sequence[str]) -> bool:
    folded = " ".join(words(name))
    for alias in group:
        wanted = " ".join(words(alias))
        if folded == wanted or (len(wanted) > 3 and f" {wanted} " in f" {folded} "):
            return True
    return False


class LinkKind(StrEnum):
    """A kind of tie between two records, strongest first."""

    IDENTIFIER = "identifier"  # the same DOI, arXiv id, PubMed id or DBLP key
    RELATION = "relation"  # one names the other: is-preprint-of, is-version-of, a merged record
    NONE = "none"  # nothing but what they say


class Link(Frozen):
    """The tie between two records, in words."""

    kind: LinkKind
    detail: str = ""


def link(one: BibRecord, other: BibRecord) -> Link:
    """Return the strongest tie between two records by identifiers; titles and authors are not compared."""
    if one.doi and other.doi and doi_stem(one.doi) == doi_stem(other.doi):
        return Link(kind=LinkKind.IDENTIFIER, detail=f"DOI {doi_stem(one.doi)}")
    if one.arxiv_id and one.arxiv_id == other.arxiv_id:
        return Link(kind=LinkKind.IDENTIFIER, detail=f"arXiv {one.arxiv_id}")
    if one.pmid and one.pmid == other.pmid:
        return Link(kind=LinkKind.IDENTIFIER, detail=f"PubMed {one.pmid}")
    if one.dblp_key and one.dblp_key == other.dblp_key:
        return Link(kind=LinkKind.IDENTIFIER, detail=f"DBLP {one.dblp_key}")
    for teller, told in ((one, other), (other, one)):
        for related in teller.related:
            if (related.doi and told.doi and doi_stem(related.doi) == doi_stem(told.doi)) or (
                related.arxiv_id and related.arxiv_id == told.arxiv_id
            ):
                named = related.doi or f"arXiv {related.arxiv_id}"
                return Link(kind=LinkKind.RELATION, detail=f"{teller.source} names {named} ({related.relation})")
    return Link(kind=LinkKind.NONE)


def is_preprint(record: BibRecord) -> bool:
    """Return whether a record describes the preprint alone; never under a published DOI, whatever the venue says."""
    if record.doi and not is_preprint_doi(record.doi):
        return record.source == "arxiv"
    return record.kind is Kind.PREPRINT or is_preprint_doi(record.doi)


def manifestations(record: BibRecord) -> tuple[str, ...]:
    """Return a record's manifestations, each as `kind identifier`: `preprint arXiv 2209.07753`, `journal 10.…`."""
    found: dict[str, None] = {}
    if record.arxiv_id:
        found[f"preprint arXiv {record.arxiv_id}"] = None
    for doi in (record.doi, *(related.doi for related in record.related)):
        if doi and arxiv_of_doi(doi) is None:
            kind = "preprint" if is_preprint_doi(doi) else record.kind.value if doi == record.doi else "published"
            found[f"{kind} {doi}"] = None
    return tuple(found)


def differ_in_manifestation(one: BibRecord, other: BibRecord, policy: TriangulationPolicy) -> str | None:
    """Describe how two records of one work are of different manifestations; None if nothing says that they are."""
    if is_preprint(one) != is_preprint(other):
        preprint, published = (one, other) if is_preprint(one) else (other, one)
        if published.kind is Kind.UNKNOWN and not published.doi and not published.venue:
            return None
        return f"preprint ({preprint.source}) and published version ({published.source})"
    if is_preprint(one) and one.doi and other.doi and one.doi != other.doi:
        return "preprints on two servers"
    if _proceedings_and_journal(one, other, policy):
        return "proceedings and journal version"
    return None


def _proceedings_and_journal(one: BibRecord, other: BibRecord, policy: TriangulationPolicy) -> bool:
    """Return whether one record is the journal version of the other. An unknown kind may count, if venues differ."""
    kinds = {Kind.PROCEEDINGS if record.kind is Kind.CHAPTER else record.kind for record in (one, other)}
    if kinds == {Kind.PROCEEDINGS, Kind.JOURNAL}:
        return True
    if one.is_citation or other.is_citation or Kind.UNKNOWN not in kinds:
        return False
    if not kinds & {Kind.JOURNAL, Kind.PROCEEDINGS} or not one.venue or not other.venue:
        return False
    return not same_venue(one.venue, other.venue, policy.venue_aliases)


def explain_year(one: BibRecord, other: BibRecord, tie: Link, policy: TriangulationPolicy) -> str | None:
    """Explain why two records of one work state different years; None if the manifestations do not explain it."""
    years, limits = sorted((one, other), key=lambda record: record.year or 0), policy.years
    earlier, later = years
    if earlier.year is None or later.year is None:
        return None
    gap = later.year - earlier.year
    cited = one.is_citation or other.is_citation
    for stating, dating in ((one, other), (other, one)):
        if stating.year in dating.years:
            return f"{dating.source} dates the work by {stating.year} too"
    known = arxiv_years(earlier.arxiv_id) | arxiv_years(later.arxiv_id)
    known |= preprint_years(earlier.doi) | preprint_years(later.doi)
    for related in (*earlier.related, *later.related):
        known |= preprint_years(related.doi)
    if earlier.year in known and gap <= limits.preprint_to_published and _has_publication(later, earlier):
        return f"{earlier.year} is the preprint's year"
    if later.year in known and gap <= limits.published_to_preprint:
        return f"{later.year} is the preprint's year"
    if is_preprint(earlier) and not is_preprint(later) and gap <= limits.preprint_to_published:
        return f"{earlier.source} dates the preprint"
    if is_preprint(later) and not is_preprint(earlier) and gap <= limits.published_to_preprint:
        return f"{later.source} dates the preprint"
    if _proceedings_and_journal(one, other, policy) and _different_dois(one, other):
        return "proceedings and journal version" if gap <= limits.proceedings_to_journal else None
    if cited or tie.kind is LinkKind.NONE:
        return None
    if gap <= limits.same_doi:
        return f"one publication ({tie.detail}) dated twice"
    if Kind.JOURNAL in (one.kind, other.kind) and gap <= limits.early_access:
        return f"early access and issue of one article ({tie.detail})"
    return None


def _has_publication(later: BibRecord, earlier: BibRecord) -> bool:
    """Return whether a later year can be a publication's: one of the records names something beyond the preprint."""
    return any(not is_preprint(record) for record in (later, earlier)) or bool(later.venue)


def _different_dois(one: BibRecord, other: BibRecord) -> bool:
    return not (one.doi and other.doi and doi_stem(one.doi) == doi_stem(other.doi))


def knows_doi(record: BibRecord, doi: str) -> bool:
    """Return whether a source's record names this DOI as its own or another manifestation's."""
    if record.is_citation:
        return record.doi is not None and doi_stem(record.doi) == doi_stem(doi)
    named = [record.doi, *(related.doi for related in record.related)]
    if any(other and doi_stem(other) == doi_stem(doi) for other in named):
        return True
    arxiv_id = arxiv_of_doi(doi)
    return arxiv_id is not None and arxiv_id in (record.arxiv_id, *(related.arxiv_id for related in record.related))


def explain_doi(one: BibRecord, other: BibRecord, tie: Link, policy: TriangulationPolicy) -> str | None:
    """Explain why two DOIs differ although the work is one (title and authors agree); None if nothing explains it.

    In a citation a DOI must resolve: only an identifier or a relation that a source states explains it.
    """
    if one.doi is None or other.doi is None:
        return None
    if doi_stem(one.doi) == doi_stem(other.doi):
        return f"versions of {doi_stem(one.doi)}"
    if one.is_citation or other.is_citation:
        for cited, record in ((one, other), (other, one)):
            if cited.is_citation and cited.doi and knows_doi(record, cited.doi):
                return f"{record.source} names {cited.doi} as the same work"
        return None
    if tie.kind is not LinkKind.NONE:
        return tie.detail
    if different := differ_in_manifestation(one, other, policy):
        return different
    if one.year == other.year and _second_doi(one.doi, other.doi, policy):
        return "two registrants, one publication"
    return None


def _second_doi(one: str, other: str, policy: TriangulationPolicy) -> bool:
    prefixes = {one.partition("/")[0], other.partition("/")[0]}
    return any(
        group[0] in prefixes if len(group) == 1 else len(prefixes) == 2 and prefixes <= set(group)
        for group in policy.second_dois
    )
