"""Registries' knowledge of an entry: records under its identifiers and its title, and sources that failed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from veritas.citations._work_aware import best_title, compare_work_aware
from veritas.citations._works import LinkKind, link
from veritas.citations.bibliography._author_differences import second_field_agrees, stands_for_its_people
from veritas.citations.bibliography._record_differences import told_by_all, unconfirmed, venue_without_record
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form, form_of
from veritas.citations.bibliography.linked_page import LinkedPage
from veritas.citations.retractions import Status, status_of
from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.registries.all_registries import Answer, Registries
from veritas.registries.retraction_watch import notices_about
from veritas.registries.scholarly_source import Found, identifiers_of
from veritas.works.folding import words
from veritas.works.identifiers import arxiv_of_doi
from veritas.works.records import BibRecord, Update
from veritas.works.title_comparison import title_words

_SHORTEST = 4
_SMALL = frozenset(
    "and et al und y e og och en i with others colleagues by eds ed hrsg van von de der den del della di da du la le el"
    " ten ter vom zu zur dos das do bin ibn".split()
)
"""Words in small letters that stand among names."""
_BODY = re.compile(
    r"\b[a-z][\w-]*(?= (?:[Dd]evelop(?:ers|ment)|[Tt]eam|[Cc]ontributors|[Cc]onsortium|[Cc]ommunity|[Gg]roup)\b)"
)
"""The name of a program before what its makers are called: `xarray Developers`."""
_BEHIND = re.compile(r"[\"“”»'’*_)\]]*\s*(?:\Z|[.,;?!\"“”»*_()\[\]/|]|[^\W_a-zß-öø-ÿ])")
"""What follows a title that ends there: a mark, a number or a capital. A colon or a small letter goes on with it."""


def title_behind_names(text: str, titles: Iterable[str]) -> str:
    """Return the longest of several titles that stands whole in a reference, where nothing but names, a year and marks
    is before it and it does not go on behind; empty if none does. However the reference was cut, that is its title."""
    for title in sorted(filter(None, titles), key=len, reverse=True):
        telling = re.findall(r"\w+", title)
        if len(telling) < _SHORTEST:
            continue
        found = re.search(r"(?<!\w)" + r"[\W_]+".join(map(re.escape, telling)) + r"(?![^\W_])", text, re.IGNORECASE)
        if found and _BEHIND.match(text, found.end()) and only_names(text[: found.start()]):
            return title
    return ""


def only_names(said: str) -> bool:
    """Return whether every word may stand among the names of people, as by its capital."""
    found = re.findall(r"[^\W\d_][\w’'-]*", _BODY.sub("", said))
    return all(not word[0].islower() or word.lower() in _SMALL for word in found)


FIRST = ("crossref", "openalex", "semantic_scholar")
"""Indexes of all fields, searched for every entry that its identifiers do not settle."""
SECOND = ("arxiv", "europepmc", "dblp", "datacite")
"""Indexes of some fields, searched if the first have nothing; sources of plug-ins follow them."""

REGISTRANTS = ("crossref", "datacite", "arxiv")
"""Sources that keep what was deposited with an identifier."""
_OF_BODIES = frozenset({"first_author_surname", "authors", "year", "work"})
"""Conflicts that a body as the author explains, and the year, which is compared with all records."""


class Candidate(Frozen):
    """A record that may be the cited work: how it was found, and how it compares with the entry."""

    found: Found
    source: str
    by: str
    same_work: bool
    tied: bool = True
    """True if more than the title says that it is the cited work."""
    conflicts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    ratio: float = 0.0

    @property
    def record(self) -> BibRecord:
        return self.found.record


class Evidence(Frozen):
    """All evidence on an entry.

    `searched` are the sources searched by title, with what kept them from answering; `registered` is True if the
    entry's DOI is registered, None if that is not known.
    """

    entry: Entry
    candidates: tuple[Candidate, ...] = ()
    searched: tuple[Answer, ...] = ()
    problems: tuple[str, ...] = ()
    registered: bool | None = None
    resolved_title: str | None = None
    """Title that the entry's identifiers lead to, if that is another work."""
    status: Status = Status()
    page: LinkedPage | None = None
    """The page that the entry links, if it was read."""


async def gather(
    entry: Entry, registries: Registries, policy: TriangulationPolicy, *, sure_of_venue: bool = False
) -> Evidence:
    """Look an entry up by its identifiers, and if they do not settle it, by its title. Never raises `Unavailable`.

    With `sure_of_venue`, an entry whose venue no record confirms is not settled.
    """
    hunt = _Hunt(entry, registries, policy, sure_of_venue)
    await hunt.by_identifier()
    if not hunt.settled():
        await hunt.by_title(FIRST)
        if not hunt.settled():
            await hunt.by_title((*SECOND, *registries.added))
            if form_of(entry) is Form.PAPER and not hunt.resembles():
                await hunt.by_halves()
    return await hunt.evidence()


class _Hunt:
    def __init__(
        self, entry: Entry, registries: Registries, policy: TriangulationPolicy, sure_of_venue: bool
    ) -> None:
        self.entry, self.registries, self.policy, self.sure_of_venue = entry, registries, policy, sure_of_venue
        self.hits: list[tuple[str, str, Found]] = []  # source, how, what
        self.searched: list[Answer] = []
        self.problems: list[str] = []
        self.registered: bool | None = None
        self.resolved: dict[str, BibRecord | None] = {}
        self.deposited: list[BibRecord] = []

    @property
    def cited(self) -> BibRecord:
        return self.entry.record

    async def by_identifier(self) -> None:
        for identifier in identifiers_of(self.cited):
            answers = await self.registries.look_up(identifier)
            own = self._deposited(answers)
            for answer in answers:
                self.hits += [(answer.source, str(identifier), found) for found in answer.found]
                if answer.problem:
                    self.problems.append(answer.problem)
            if identifier.kind != "doi":
                continue
            known = [each.record for answer in answers for each in answer.found if answer.source != "semantic_scholar"]
            if known:
                self.registered, self.resolved[identifier.value] = True, own or known[0]
                continue
            try:
                self.registered = await self.registries.registered(identifier.value)
                if not self.registered:
                    self.resolved[identifier.value] = None
            except Unavailable as error:
                self.problems.append(str(error))

    def _deposited(self, answers: Sequence[Answer]) -> BibRecord | None:
        """Return what was deposited with an identifier, and keep it."""
        records = (found.record for answer in answers if answer.source in REGISTRANTS for found in answer.found)
        self.deposited += (own := [record for record in records if record.title][:1])
        return own[0] if own else None

    def _denied(self, record: BibRecord) -> bool:
        """Return whether an index has another title for a work than was deposited with the work's identifier."""
        least = self.registries.policy.bib.resembles
        return any(
            link(own, record).kind is LinkKind.IDENTIFIER and best_title(own, record, self.policy).ratio < least
            for own in self.deposited
        )

    async def by_title(self, names: Sequence[str]) -> None:
        query = self._query()
        if not query:
            return
        answers = await self.registries.search(query, names)
        self.searched += answers
        self.problems += [answer.problem for answer in answers if answer.problem]
        self.hits += [(answer.source, "title", found) for answer in answers for found in answer.found]

    def resembles(self) -> bool:
        """Return whether any record has a title like the entry's."""
        return any(each.ratio >= self.registries.policy.bib.resembles for each in self.compared())

    async def by_halves(self) -> None:
        """Search for either half of the title: indexes that want every word find nothing if one is misspelt."""
        found = self.cited.full_title.split() if self.cited.full_title else []
        if len(found) < 2 * _SHORTEST or self.entry.guessed:
            return
        for half in (found[: len(found) // 2], found[len(found) // 2 :]):
            answers = await self.registries.search(" ".join(half), FIRST)
            self.hits += [(answer.source, "title", hit) for answer in answers for hit in answer.found]

    def _query(self) -> str:
        if self.entry.guessed and len(title_words(self.cited.title or "")) < 3:
            return re.sub(r"https?://\S+", " ", self.entry.text)[:300]
        return self.cited.full_title or ""

    def settled(self) -> bool:
        """Return whether the cited work was found, and the records of it leave nothing in the entry unconfirmed."""
        self._mend_guess()
        same = [each for each in self.compared() if each.same_work]
        if not any(not each.conflicts for each in same):
            return False
        records = [each.record for each in same]
        if not self.entry.guessed and unconfirmed(self.cited, records):
            return False
        if self.sure_of_venue and venue_without_record(self.cited, records, self.policy):
            return False
        return not told_by_all(self.cited, records, self.registries.policy.bib, self.policy)

    def _mend_guess(self) -> None:
        """Replace a wrongly cut title by the longest candidate title that stands in the reference's text.

        If no author was recognised either, the record's first author or its year must stand there too.
        """
        if not self.entry.guessed:
            return
        same = [each.record for each in self.compared() if each.same_work]
        cut = title_behind_names(self.entry.text, [each.full_title or "" for each in same] + [
            each.title or "" for each in same])  # fmt: skip
        if cut and title_words(cut) != title_words(self.cited.full_title or ""):
            self._title(cut)
        if same:
            return
        text = f" {' '.join(words(self.entry.text))} "
        best = max(
            (
                found.record
                for _, _, found in self.hits
                if found.record.title
                and len(title_words(found.record.title)) >= 3
                and f" {' '.join(title_words(found.record.title))} " in text
                and (self.cited.authors or _stands_in(text, found.record))
            ),
            key=lambda record: len(record.title or ""),
            default=None,
        )
        if best is not None and best.title:
            self._title(best.title)

    def _title(self, title: str) -> None:
        self.entry = self.entry.model_copy(update={"fields": {**self.entry.fields, "title": title}})
        for worked_out in ("record", "subject"):
            self.entry.__dict__.pop(worked_out, None)

    def compared(self) -> list[Candidate]:
        """Return every hit compared with the entry, the best first."""
        found = []
        cited, paper = self.cited, form_of(self.entry) is Form.PAPER
        for source, how, hit in self.hits:
            record = hit.record
            if record.title is None or self._denied(record):
                continue
            comparison = compare_work_aware(cited, record, self.policy, self.resolved)
            ratio = best_title(cited, record, self.policy).ratio if cited.title else 0.0
            conflicts = tuple(dict.fromkeys(conflict.field for conflict in comparison.conflicts))
            same_work = comparison.same_work
            tied = how != "title" or second_field_agrees(cited, record, self.registries.policy.bib, paper=paper)
            if not same_work and tied and set(conflicts) <= _OF_BODIES and stands_for_its_people(cited, record):
                same_work, conflicts = True, tuple(field for field in conflicts if field == "year")
            found.append(
                Candidate(
                    found=hit,
                    source=source,
                    by=how,
                    same_work=same_work,
                    tied=tied,
                    conflicts=conflicts,
                    notes=comparison.notes,
                    ratio=ratio,
                )
            )
        return sorted(found, key=lambda c: (not c.same_work, len(c.conflicts), -c.ratio, c.by == "title", len(c.notes)))

    async def evidence(self) -> Evidence:
        candidates = self.compared()
        same = [each for each in candidates if each.same_work]
        by_identifier = [each for each in candidates if each.by != "title"]
        other = next((each.record.full_title for each in by_identifier if not same), None)
        # The standing of another part of the same work says nothing of this one.
        own = [each for each in same if "title" not in each.conflicts] or same[:1]
        status = await self._status([each.record for each in own])
        return Evidence(
            entry=self.entry, candidates=tuple(candidates[:12]), searched=tuple(self.searched),
            problems=tuple(dict.fromkeys(self.problems)), registered=self.registered, resolved_title=other,
            status=status,
        )  # fmt: skip

    async def _status(self, records: Sequence[BibRecord]) -> Status:
        """Return the standing of the cited work, with notices on its DOIs."""
        notices: list[Update] = []
        dois = {record.doi for record in records if record.doi and arxiv_of_doi(record.doi) is None}
        for doi in sorted(dois)[:2]:
            try:
                notices += await self.registries.notices(doi)
            except Unavailable as error:
                self.problems.append(str(error))
        for pmid in sorted({record.pmid for record in records if record.pmid})[:2]:
            notices += notices_about(pmid=pmid)
        return status_of(records, notices)


def _stands_in(text: str, record: BibRecord) -> bool:
    """Return whether the words have the record's first author, or its year if the title has more than three words."""
    dated = record.year is not None and f" {record.year} " in text and len(title_words(record.title or "")) > 3
    return dated or not record.authors or f" {' '.join(words(record.authors[0].family))} " in text
