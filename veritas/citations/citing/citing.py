"""The five tools put together: extract, search, fetch, match, triangulate, and only then write and cite (section 4)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from veritas.citations.artifacts import Artifact, Excerpt, Trail, write_artifact
from veritas.citations.citing.adviser import Adviser, EmbeddedAdviser, attribution, search_words, without_attribution
from veritas.citations.citing.excerpts import checked, claims_priority, without_pointer, without_pointers
from veritas.citations.citing.identity import Identity, against_hint, establish
from veritas.citations.citing.outcomes import (
    CandidateSeen,
    Citation,
    NoCandidates,
    NoSupportingExcerpts,
    Outcome,
    Refused,
    RetriesExhausted,
    StandsNoMore,
    TriangulationConflict,
    just_written,
)
from veritas.citations.citing.texts import PaperText, fetch_paper_text
from veritas.citations.exports import bibtex, citation_text, landing_page
from veritas.citations.identifiers import arxiv_of_doi
from veritas.citations.records import BibRecord
from veritas.citations.slugs import slug_for
from veritas.citations.sources.registries import Registries
from veritas.citations.sources.source import Found, identifier_in
from veritas.citations.titles import normalise_title
from veritas.citations.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.citations.verdict import Conflict
from veritas.errors import InputError, Unavailable
from veritas.reading.corpus import Corpus
from veritas.reading.reader import Reader

SEARCHED = ("semantic_scholar", "openalex", "crossref", "arxiv", "europepmc")
NO_ABSTRACT = "No source gives an abstract of this paper."


async def verify_and_cite(
    claim: str,
    hint: str | None = None,
    *,
    folder: Path,
    registries: Registries | None = None,
    reader: Reader | None = None,
    corpus: Corpus | None = None,
    adviser: Adviser | None = None,
    policy: TriangulationPolicy | None = None,
    override: bool = False,
    override_reason: str | None = None,
    now: datetime | None = None,
) -> Outcome:
    """A citation for a claim together with its artifact in `folder`, or a refusal that says precisely why not.

    `hint` is an identifier, a title, or an attribution such as `Baruch et al., 2019`. Without a `reader` no text but
    abstracts and the `corpus` is read. `override` writes the artifact of the best candidate in spite of a conflict,
    of missing excerpts or of a retraction, with the reason in it. Raises `InputError` for an empty claim and for an
    override without a reason; an outage is `RetriesExhausted`, never an exception.
    """
    if not claim.strip():
        raise InputError("there is no claim to cite")
    if override and not (override_reason or "").strip():
        raise InputError("an override needs a reason, which is written into the artifact")
    registries = registries or Registries()
    settings = registries.policy.cite
    citing = _Citing(
        folder=folder,
        registries=registries,
        reader=reader,
        corpus=corpus,
        adviser=adviser or EmbeddedAdviser(supports=settings.supports),
        policy=policy or load_triangulation_policy(),
        reason=override_reason if override else None,
        now=now or datetime.now(UTC),
    )
    try:
        return await citing.cite(claim, hint)
    except Unavailable as error:
        return RetriesExhausted(reason=f"{citing.adviser.name} did not answer: {error}", problems=(str(error),))


class _Citing:
    def __init__(
        self,
        *,
        folder: Path,
        registries: Registries,
        reader: Reader | None,
        corpus: Corpus | None,
        adviser: Adviser,
        policy: TriangulationPolicy,
        reason: str | None,
        now: datetime,
    ) -> None:
        self.folder, self.registries, self.reader, self.corpus = folder, registries, reader, corpus
        self.adviser, self.policy, self.reason, self.now = adviser, policy, reason, now
        self.settings = registries.policy.cite

    async def cite(self, text: str, hint: str | None) -> Outcome:
        claim = await self.adviser.distil(text)
        said = without_attribution(claim) or claim
        query, candidates, problems = await self.search_papers(said, hint or _named(claim))
        if not candidates:
            if problems:
                return RetriesExhausted(
                    reason=f"no candidates, and not everybody answered: {problems[0]}", query=query, problems=problems
                )
            return NoCandidates(reason=f"no paper was found for “{query}”", query=query)
        order = list(await self.adviser.rank(said, candidates))
        if hint and identifier_in(hint) is not None:
            order = list(dict.fromkeys([*order, *range(len(candidates))]))  # the caller has chosen already
        ranked = [candidates[at] for at in order]
        if not ranked:
            shown = tuple(_seen(each, "its title and abstract are not about the claim") for each in candidates[:10])
            return NoCandidates(reason="none of the papers found is about the claim", query=query, candidates=shown)
        refusals: list[Refused] = []
        for number, candidate in enumerate(ranked[: self.settings.tries]):
            outcome = await self.consider(candidate, claim, said, hint, may_override=number == 0)
            if isinstance(outcome, Citation):
                return outcome
            refusals.append(outcome)
        return self._gravest(refusals, ranked, query)

    async def search_papers(self, claim: str, hint: str | None) -> tuple[str, list[Found], tuple[str, ...]]:
        """Candidates, one a paper: under the hint's identifier, else by search (section 4.1)."""
        identifier = identifier_in(hint) if hint else None
        if identifier is not None:
            query = str(identifier)
            answers = await self.registries.look_up(identifier)
        else:
            query = search_words(claim, hint)
            names = (*SEARCHED, *self.registries.added)
            answers = await self.registries.search(query, names, limit=self.settings.candidates, anywhere=True)
        found: dict[str, Found] = {}
        for answer in answers:
            for each in answer.found:
                if each.record.title is None:
                    continue
                key = normalise_title(each.record.title)
                known = found.get(key)
                if known is None or (known.abstract is None and each.abstract is not None):
                    found[key] = each
        problems = tuple(answer.problem for answer in answers if answer.problem)
        return query, list(found.values()), problems

    async def consider(
        self, candidate: Found, claim: str, said: str, hint: str | None, *, may_override: bool
    ) -> Outcome:
        """One candidate: its identity, its standing, its text, its excerpts; then the artifact, or why not."""
        identity = await establish(candidate, self.registries, self.policy)
        conflicts = (*identity.conflicts, *against_hint(identity.record, claim, hint))
        reason = self.reason if may_override else None
        if not reason:
            if conflicts:
                seen = (_seen(candidate),)
                return TriangulationConflict(reason=_disagree(conflicts), fields=conflicts, candidates=seen)
            if not identity.verified or (identity.problems and not identity.secondary and not identity.alone):
                return self._undecided(identity, candidate)
            if not identity.status.stands:
                return StandsNoMore(
                    reason=f"the paper was {identity.status.standing}: {'; '.join(identity.status.sentences())}",
                    standing=identity.status.standing,
                    candidates=(_seen(candidate),),
                )
        text = await fetch_paper_text(identity.found, self.registries, self.reader, self.corpus)
        if text is None:
            if not reason:
                return NoSupportingExcerpts(
                    reason="neither its text nor an abstract is to be had", candidates=(_seen(candidate),)
                )
            text = PaperText(text=NO_ABSTRACT, abstract_only=True)
        excerpts, rejected = await self.match_evidence(said, text)
        lacking = without_pointer(said, excerpts) if excerpts else ()
        if (not excerpts or lacking) and not reason:
            where = "its abstract" if text.abstract_only else "its text"
            why = f"nothing in {where} says the claim"
            if lacking:
                why = f"no excerpt that says the claim names {', '.join(lacking)}"
            if text.abstract_only and text.problems:
                why += f" (its full text could not be read: {text.problems[0]})"
            return NoSupportingExcerpts(reason=why, rejected=rejected, candidates=(_seen(candidate),))
        return self.write(identity, conflicts, claim, text, excerpts, reason)

    def _undecided(self, identity: Identity, candidate: Found) -> Refused:
        seen = (_seen(candidate),)
        if identity.problems:
            return RetriesExhausted(
                reason=f"the paper could not be triangulated: {identity.problems[0]}",
                problems=identity.problems,
                candidates=seen,
            )
        return TriangulationConflict(
            reason="no second source knows this paper under its identifiers, so nobody confirms what it is",
            candidates=seen,
        )

    async def match_evidence(self, claim: str, text: PaperText) -> tuple[tuple[Excerpt, ...], tuple[str, ...]]:
        """Excerpts that the adviser proposes and code finds verbatim in the text, and the proposals it does not."""
        proposals = await self.adviser.propose(without_pointers(claim), text.text, limit=self.settings.excerpts)
        return checked(
            proposals,
            text.text,
            page_starts=text.page_starts,
            abstract=text.abstract_only,
            limit=self.settings.excerpts,
        )

    def write(
        self,
        identity: Identity,
        conflicts: Sequence[Conflict],
        claim: str,
        text: PaperText,
        excerpts: tuple[Excerpt, ...],
        reason: str | None,
    ) -> Outcome:
        """The artifact, every field of identity from the sources' records; then the citation read back from it."""
        record = identity.record
        agreed = identity.verified and not conflicts
        overridden = bool(reason) and not (agreed and excerpts and identity.status.stands)
        paper = text.text.encode("utf-8", "replace").decode("utf-8")
        abstract = next((each.abstract for each in identity.found if each.abstract), None)
        try:
            artifact = Artifact(
                title=record.full_title or "",
                authors=tuple(str(name) for name in record.authors),
                year=record.year or 0,
                venue=record.venue,
                arxiv_id=record.arxiv_id or arxiv_of_doi(record.doi),
                doi=record.doi,
                urls=_urls(record),
                sources_consulted=identity.consulted,
                triangulation=Trail(
                    primary_source=identity.primary,
                    secondary_source=identity.secondary,
                    decisive_fields_agreed=agreed and not identity.alone,
                    decisive_fields_checked=identity.checked,
                    notes=identity.notes[:20],
                ),
                single_source_verified=identity.alone,
                text_excerpts_unavailable=text.abstract_only,
                text_url=text.url,
                text_sha256=None if text.abstract_only else hashlib.sha256(paper.encode()).hexdigest(),
                standing=identity.status.standing,
                verified_by=f"veritas ({self.adviser.name})",
                verified_at=self.now,
                human_overridden=overridden,
                override_reason=reason if overridden else None,
                claim_supported=claim,
                review=("who was first is not for an excerpt to show: judge it",) if claims_priority(claim) else (),
                abstract=abstract or NO_ABSTRACT,
                excerpts=excerpts,
                snippet=citation_text(record),
                bibtex=bibtex(record),
            )
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"])) or "identity"
            return TriangulationConflict(
                reason=f"the sources do not give enough to cite it: {field}: {first['msg']}",
                candidates=(_seen_record(record, ""),),
            )
        keep = self.settings.keep_text and not text.abstract_only
        return just_written(write_artifact(artifact, self.folder, slug_for(record), text=paper if keep else None))

    def _gravest(self, refusals: Sequence[Refused], ranked: Sequence[Found], query: str) -> Refused:
        """What to say of several refusals: an outage goes before all, else the best candidate's own."""
        chosen = next((each for each in refusals if isinstance(each, RetriesExhausted)), refusals[0])
        reasons = [each.reason for each in refusals]
        seen = tuple(
            _seen(each, reasons[at] if at < len(reasons) else "not looked at") for at, each in enumerate(ranked[:10])
        )
        return chosen.model_copy(update={"query": query, "candidates": seen})


def _named(claim: str) -> str | None:
    """An attribution in the claim, as a hint to search by."""
    said = attribution(claim)
    return f"{said[0]} et al." if said else None


def _seen(found: Found, why: str = "") -> CandidateSeen:
    return _seen_record(found.record, why)


def _seen_record(record: BibRecord, why: str) -> CandidateSeen:
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    return CandidateSeen(
        title=record.full_title or "(no title)",
        authors=tuple(str(name) for name in record.authors[:6]),
        year=record.year,
        identifier=f"doi:{record.doi}" if record.doi else f"arXiv:{arxiv_id}" if arxiv_id else None,
        source=record.source,
        why=why,
    )


def _disagree(conflicts: Sequence[Conflict]) -> str:
    said = [f"{each.field}: {each.primary!r} against {each.secondary!r}" for each in conflicts]
    return "the sources disagree: " + "; ".join(said)


def _urls(record: BibRecord) -> dict[str, str]:
    """Where the paper is to be found, made of its identifiers alone (section 6.2)."""
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    urls = {}
    if arxiv_id:
        urls = {
            "abs": f"https://arxiv.org/abs/{arxiv_id}",
            "pdf": f"https://arxiv.org/pdf/{arxiv_id}",
            "html": f"https://arxiv.org/html/{arxiv_id}",
        }
    if record.doi and (page := landing_page(record)) and "doi.org" in page:
        urls["doi"] = page
    return urls
