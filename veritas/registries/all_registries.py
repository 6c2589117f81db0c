"""All registries together: ask those that can answer a question, and keep each answer, outages included."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, get_args
from urllib.parse import quote

from veritas import plugins
from veritas.errors import InputError, PluginError, Unavailable, VeritasError
from veritas.frozen import Frozen
from veritas.keys import withheld_from_message
from veritas.policy.citation_policy import CitationPolicy, load_citation_policy
from veritas.policy.search_providers import email
from veritas.registries.answers_cache import AnswersCache
from veritas.registries.crossref import Crossref
from veritas.registries.datacite import DataCite
from veritas.registries.http_registry import Network, Service
from veritas.registries.records.fields import mapping, objects, raw
from veritas.registries.retraction_watch import notices_about
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind, LooksAhead, ScholarlySource
from veritas.settings import home
from veritas.works.records import BibRecord, Update

SEAM = "scholarly_source"
_NO_SOURCES = frozenset({"doi_org", "unpaywall"})
"""Services of the policy that hold no records to search; each is asked for one thing only."""


class Answer(Frozen):
    """A source's answer: records, none, or the problem that prevented an answer.

    `source` is its name, with `snapshot:` before it if a snapshot replaces the registry. `telling`: the source was
    searched and would have the paper if it existed, so that an empty answer counts; False for a snapshot, which may be
    incomplete, and for an index of one field.
    """

    source: str
    found: tuple[Found, ...] = ()
    problem: str | None = None
    telling: bool = False


def silence(problems: Sequence[str], asked: int) -> str:
    """Return who of so many did not answer, each cause once. A problem begins with the name of its registry."""
    causes: dict[str, list[str]] = {}
    for registry, _, because in (problem.partition(" ") for problem in dict.fromkeys(problems)):
        causes.setdefault(because, []).append(registry)
    said = "; ".join(f"{', '.join(registries)} {because}" for because, registries in causes.items())
    return f"{'not everybody' if len(problems) < asked else 'nobody'} answered: {said}"


def _made(name: str, service: Service) -> ScholarlySource:
    try:
        source = plugins.make(SEAM, name, ScholarlySource, service)
    except PluginError as error:
        return _Broken(name, str(error))
    if source.name != name:
        raise InputError(f"the {SEAM} plug-in {name!r} calls itself {source.name!r}: the names must agree")
    return source


class _Broken:
    """A replacement for a source that cannot be created: it raises `Unavailable` with the reason for every question
    (I5)."""

    knows: frozenset[IdentifierKind] = frozenset(get_args(IdentifierKind))
    searches = True

    def __init__(self, name: str, problem: str) -> None:
        self.name, self._problem = name, problem

    async def look_up(self, identifier: Identifier) -> Found | None:
        """See `ScholarlySource`."""
        raise Unavailable(self._problem)

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        """See `ScholarlySource`."""
        raise Unavailable(self._problem)


class Registries:
    """The enabled sources of a policy, with one cache and one pace; also a `DoiResolver`."""

    def __init__(
        self,
        policy: CitationPolicy | None = None,
        *,
        offline: bool = False,
        newer_than: float = 0.0,
        local: Sequence[ScholarlySource] = (),
        cached: bool = True,
        told: Callable[[str], None] = lambda said: None,
    ) -> None:
        """`newer_than` (seconds since 1970) ignores older cached answers. `local` are sources on this machine (a
        snapshot's) that replace the registries of the same name; `cached=False` stores no answers; `told` hears of each
        registry that does not answer, within five seconds.

        Raises `InputError` for a source of the policy without an entry point in the group `veritas.scholarly_source`. A
        broken source raises nothing here, and answers every question with the reason.
        """
        self.policy = policy or load_citation_policy()
        cache = AnswersCache(
            home() / "cache" / "registries" if cached else None,
            answers_days=self.policy.answers_days,
            misses_days=self.policy.misses_days,
            newer_than=newer_than,
        )
        self.network = Network(self.policy, cache, offline=offline, told=told)
        self.sources: list[ScholarlySource] = list(local)
        self._local = frozenset(source.name for source in local)
        known = [name for name in self.policy.sources if name not in _NO_SOURCES]
        self.added = tuple(name for name in known if not plugins.is_built_in(SEAM, name))
        """Sources that other packages add; they are asked and searched after the built-in ones."""
        for name in sorted(known, key=lambda name: name in self.added):
            if name not in self._local and (service := self._service(name)) is not None:
                self.sources.append(_made(name, service))
        doi_org, unpaywall = self._service("doi_org"), self._service("unpaywall")
        self._doi_org = DoiOrg(doi_org) if doi_org else None
        self._unpaywall = Unpaywall(unpaywall) if unpaywall else None

    def _service(self, name: str) -> Service | None:
        entry = self.policy.sources.get(name)
        if entry is None or not entry.enabled:
            return None
        key = entry.secret() if name == "semantic_scholar" else None  # the others take their keys elsewhere
        return Service(name, entry, self.network, {"x-api-key": key} if key else None)

    def named(self, name: str) -> ScholarlySource | None:
        """Return the source of that name, if it is enabled."""
        return next((source for source in self.sources if source.name == name), None)

    async def look_up(self, identifier: Identifier, names: Sequence[str] | None = None) -> list[Answer]:
        """Ask all sources (or those of `names`) that know such identifiers for this one, in parallel."""
        asked = [
            source
            for source in self.sources
            if identifier.kind in source.knows and (names is None or source.name in names)
        ]
        return await self._together([self._look_up(source, identifier) for source in asked])

    async def look_ahead(self, identifiers: Sequence[Identifier]) -> None:
        """Ask for many identifiers at once, where a registry allows it, so that `look_up` and `notices` find most
        answers in the cache.

        Does nothing offline or without a cache; failures are ignored, because each identifier is asked for again later.
        """
        if self.network.offline or not self.network.cache.keeps:
            return
        wanted = list(dict.fromkeys(identifiers))
        dois = [each.value for each in wanted if each.kind == "doi"]
        crossref, datacite = self.named("crossref"), self.named("datacite")

        async def ahead(source: ScholarlySource) -> None:
            if isinstance(source, LooksAhead):
                with suppress(Unavailable):
                    await source.look_ahead([each for each in wanted if each.kind in source.knows])

        await asyncio.gather(*(ahead(source) for source in self.sources))
        if isinstance(crossref, Crossref):
            if isinstance(datacite, DataCite):
                for doi in filter(crossref.has, dois):
                    datacite.registered_elsewhere(doi)
            with suppress(Unavailable):
                await crossref.notices_ahead([doi for doi in dois if crossref.has(doi)])

    async def search(
        self, words: str, names: Sequence[str], *, limit: int = 10, anywhere: bool = False
    ) -> list[Answer]:
        """Search the named sources in parallel, for titles, or with `anywhere` for abstracts as well."""
        asked = [source for source in self.sources if source.name in names]
        return await self._together([self._search(source, words, limit, anywhere) for source in asked])

    async def _together(self, questions: Sequence[Coroutine[Any, Any, Answer]]) -> list[Answer]:
        """Return the answers to parallel questions. Offline they are asked one by one, because tasks would take most of
        the time."""
        if self.network.offline:
            return [await question for question in questions]
        return list(await asyncio.gather(*questions))

    def _label(self, source: ScholarlySource) -> str:
        return f"snapshot:{source.name}" if source.name in self._local else source.name

    async def _look_up(self, source: ScholarlySource, identifier: Identifier) -> Answer:
        async def found() -> Answer:
            record = await source.look_up(identifier)
            return Answer(source=self._label(source), found=(record,) if record else ())

        return await self._answer(source, found())

    async def _search(self, source: ScholarlySource, words: str, limit: int, anywhere: bool) -> Answer:
        async def found() -> Answer:
            records = await source.search(words, limit=limit, anywhere=anywhere)
            telling = source.searches and source.name not in self._local
            return Answer(source=self._label(source), found=tuple(records), telling=telling)

        return await self._answer(source, found())

    async def _answer(self, source: ScholarlySource, found: Awaitable[Answer]) -> Answer:
        """Return a source's answer. An undocumented failure counts as unavailable (I5)."""
        try:
            return await plugins.contained(found, f"{source.name} failed")
        except Unavailable as error:
            problem = str(error)
        except VeritasError:
            raise
        except Exception as error:  # noqa: BLE001 (a plug-in's bug is no word of a registry, and costs no other its own)
            said = " ".join(withheld_from_message(plugins.said(error)).split())[:220]
            problem = f"{source.name} failed: {said}"
        return Answer(source=self._label(source), problem=problem)

    @property
    def resolves(self) -> bool:
        """True if doi.org is enabled."""
        return self._doi_org is not None

    async def registered(self, doi: str) -> bool:
        """Return whether a DOI is registered anywhere. Raises `Unavailable` if that cannot be determined."""
        if self._doi_org is None:
            raise Unavailable("doi_org is not enabled, so whether a DOI is registered cannot be known")
        return await self._doi_org.registered(doi)

    async def resolve(self, doi: str) -> BibRecord | None:
        """Return the record of a DOI, None if it is registered nowhere (`DoiResolver`). Raises `Unavailable`."""
        answers = await self.look_up(Identifier(kind="doi", value=doi), ("crossref", "datacite"))
        for answer in answers:
            if answer.found:
                return answer.found[0].record
        problems = [answer.problem for answer in answers if answer.problem]
        if problems:
            raise Unavailable("; ".join(problems))
        if await self.registered(doi):
            raise Unavailable(f"{doi} is registered, but neither Crossref nor DataCite describes it")
        return None

    async def notices(self, doi: str) -> Sequence[Update]:
        """Return the updates that notices state for a DOI: Crossref's, if it is enabled, and those of a local
        Retraction Watch file.

        Raises `Unavailable` if Crossref does not answer and the file has no notice.
        """
        kept = notices_about(doi)
        crossref = self.named("crossref")
        if not isinstance(crossref, Crossref):
            return kept
        try:
            return [*await crossref.notices(doi), *kept]
        except Unavailable:
            if kept:
                return kept
            raise

    async def open_copies(self, doi: str) -> Sequence[str]:
        """Return URLs of open copies; none if Unpaywall cannot say."""
        try:
            return await self._unpaywall.open_copies(doi) if self._unpaywall else ()
        except Unavailable:
            return ()


class DoiOrg:
    """The DOI resolver. It is no `ScholarlySource`, because it knows only whether a DOI exists, and nothing about the
    paper."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def registered(self, doi: str) -> bool:
        """Return whether the DOI is registered. Raises `Unavailable` if that cannot be determined."""
        path = quote(doi, safe="/:;()")
        try:
            answer = await self._service.json(f"/api/handles/{path}", missing=_missing, empty=_absent)
        except Unavailable:
            return await self._followed(path)
        if answer is None or _absent(answer):
            return False
        return mapping(answer).get("responseCode") in (1, 2, 200) or await self._followed(path)

    async def _followed(self, path: str) -> bool:
        """Look a DOI up by its redirect, for a proxy that has no handle interface."""
        status, target, text = await self._service.status(f"/{path}")
        if 300 <= status < 400 and target:
            return True
        if status == 404 and "doi" in text.lower() and "not found" in text.lower():
            return False
        raise Unavailable(f"doi_org answers with an error ({status})")


def _missing(status: int, text: str) -> bool:
    return status == 404 and '"responseCode":100' in text.replace(" ", "")


def _absent(answer: Any) -> bool:
    return bool(mapping(answer).get("responseCode") == 100)


class Unpaywall:
    """The index of open copies. It is no `ScholarlySource`, because it has no records of the works themselves."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def open_copies(self, doi: str) -> Sequence[str]:
        """Return URLs of open copies, best first; none if no address is set. Raises `Unavailable`."""
        address = email()
        if address is None:
            return []
        answer = await self._service.json(
            f"/v2/{quote(doi, safe='/:;()')}", {"email": address}, missing=lambda status, text: status in (404, 422)
        )
        places = [mapping(mapping(answer).get("best_oa_location")), *objects(mapping(answer).get("oa_locations"))]
        links = [raw(place.get("url_for_pdf")) or raw(place.get("url")) for place in places]
        return list(dict.fromkeys(link for link in links if link))[:8]
