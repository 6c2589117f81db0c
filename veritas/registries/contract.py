"""Check that the live registries still answer in the form in which their records are read (section 10.4)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Literal

from veritas.errors import Unavailable, UnreadableAnswer
from veritas.frozen import Frozen
from veritas.registries.all_registries import Registries
from veritas.registries.crossref import Crossref
from veritas.registries.http_registry import Refused
from veritas.registries.scholarly_source import Found, Identifier, ScholarlySource
from veritas.works.identifiers import arxiv_of_doi
from veritas.works.names import PersonName, same_family
from veritas.works.records import BibRecord
from veritas.works.title_comparison import title_words

Status = Literal["ok", "broken", "unavailable"]


class Known(Frozen):
    """A paper that every registry of its field has had for years, with the expected values of its records."""

    title: str
    family: str
    year: int
    doi: str
    arxiv_id: str | None = None


HELIX = Known(
    title="Molecular Structure of Nucleic Acids: A Structure for Deoxyribose Nucleic Acid",
    family="Watson",
    year=1953,
    doi="10.1038/171737a0",
)
RESNET = Known(
    title="Deep Residual Learning for Image Recognition",
    family="He",
    year=2016,
    doi="10.1109/cvpr.2016.90",
    arxiv_id="1512.03385",
)
RETRACTED = Known(
    title="Ileal-lymphoid-nodular hyperplasia, non-specific colitis, and pervasive developmental disorder in children",
    family="Wakefield",
    year=1998,
    doi="10.1016/s0140-6736(97)11096-0",
)
NOBODY = Identifier(kind="doi", value="10.5555/nobody-registered-this-one")
NO_PREPRINT = Identifier(kind="arxiv", value="0706.99999")
_PROBES: dict[str, tuple[Known, Identifier | None]] = {
    "crossref": (HELIX, NOBODY),
    "openalex": (HELIX, NOBODY),
    "semantic_scholar": (RESNET, NOBODY),
    "arxiv": (RESNET, NO_PREPRINT),
    "europepmc": (HELIX, NOBODY),
    "datacite": (RESNET, NO_PREPRINT),
    "dblp": (RESNET, None),
}


class Checked(Frozen):
    """A check of a registry. `broken`: it answered, but not in its documented form; `unavailable`: it did not answer,
    or returned an unrelated page (I5)."""

    source: str
    what: str
    status: Status
    message: str = ""
    seconds: float


async def check_contracts(
    registries: Registries, *, done: Callable[[Checked], None] = lambda checked: None
) -> list[Checked]:
    """Ask each enabled registry some real questions, one after the other. No answer comes from a cache if `registries`
    has none."""
    found = []
    async for each in _all(registries):
        done(each)
        found.append(each)
    return found


async def _all(registries: Registries) -> AsyncIterator[Checked]:
    for source in registries.sources:
        known, absent = _PROBES.get(source.name, (HELIX, NOBODY))
        if source.knows:
            found = await _checked(source.name, "look-up", partial(_look_up, source, known))
            yield found
            if absent is not None and absent.kind in source.knows:
                yield await _checked(source.name, "miss", partial(_miss, source, absent), lives=found.status == "ok")
        if source.name != "datacite":
            yield await _checked(source.name, "search", partial(_search, source, known))
    crossref = registries.named("crossref")
    if isinstance(crossref, Crossref):
        yield await _checked("crossref", "retraction, from the notice", partial(_notices, crossref))
    openalex = registries.named("openalex")
    if openalex is not None:
        yield await _checked("openalex", "retraction", partial(_retracted, openalex))
    if registries.resolves:
        yield await _checked("doi_org", "registered", partial(_registered, registries, HELIX.doi, True))
        yield await _checked("doi_org", "miss", partial(_registered, registries, NOBODY.value, False))


async def _checked(
    source: str, what: str, ask: Callable[[], Awaitable[Sequence[str]]], *, lives: bool = False
) -> Checked:
    """Ask, and measure and grade the answer. `lives`: the registry has just answered, so a 404 is its own."""
    begun = time.perf_counter()

    def said(status: Status, message: str = "") -> Checked:
        return Checked(
            source=source, what=what, status=status, message=message, seconds=round(time.perf_counter() - begun, 3)
        )

    try:
        wrong = await ask()
    except UnreadableAnswer as error:
        return said("broken", str(error))
    except Refused as error:
        return said("broken" if lives and error.status == 404 else "unavailable", str(error))
    except Unavailable as error:
        return said("unavailable", str(error))
    return said("broken", "; ".join(wrong)) if wrong else said("ok")


async def _look_up(source: ScholarlySource, known: Known) -> list[str]:
    identifier = Identifier(kind="doi", value=known.doi)
    if known.arxiv_id and (source.name == "datacite" or "doi" not in source.knows):
        identifier = Identifier(kind="arxiv", value=known.arxiv_id)
    found = await source.look_up(identifier)
    if found is None:
        return [f"{identifier} is not found, and always was"]
    return _differs(found, known, identifier)


def _differs(found: Found, known: Known, identifier: Identifier | None = None) -> list[str]:
    record = found.record
    wrong = []
    words, wanted = set(title_words(record.full_title or "")), set(title_words(known.title))
    if len(wanted & words) < 0.6 * len(wanted):
        wrong.append(f"title is {record.full_title!r} where {known.title!r} was expected")
    if not record.authors or not same_family(record.authors[0], PersonName(family=known.family)):
        first = str(record.authors[0]) if record.authors else None
        wrong.append(f"the first author is {first!r} where {known.family} was expected")
    if record.year is None or abs(record.year - known.year) > 1:
        wrong.append(f"year is {record.year} where {known.year} was expected")
    if identifier is not None and not _names(record, identifier):
        wrong.append(f"{identifier} is not among its identifiers")
    return wrong


def _names(record: BibRecord, identifier: Identifier) -> bool:
    if identifier.kind == "doi":
        return record.doi == identifier.value
    return identifier.value in (record.arxiv_id, arxiv_of_doi(record.doi))


async def _miss(source: ScholarlySource, absent: Identifier) -> list[str]:
    found = await source.look_up(absent)
    return [] if found is None else [f"{absent} has a record, and nobody registered it"]


async def _search(source: ScholarlySource, known: Known) -> list[str]:
    found = await source.search(known.title, limit=10)
    if not found:
        return [f"finds nothing for {known.title!r}"]
    return min((_differs(each, known) for each in found), key=len)


async def _notices(crossref: Crossref) -> list[str]:
    said = await crossref.notices(RETRACTED.doi)
    return [] if any(each.kind == "retraction" for each in said) else [f"no notice retracts {RETRACTED.doi}"]


async def _retracted(source: ScholarlySource) -> list[str]:
    found = await source.look_up(Identifier(kind="doi", value=RETRACTED.doi))
    if found is None:
        return [f"{RETRACTED.doi} is not found, and always was"]
    return [] if found.record.retracted else [f"{RETRACTED.doi} is no longer marked as retracted"]


async def _registered(registries: Registries, doi: str, wanted: bool) -> list[str]:
    registered = await registries.registered(doi)
    return [] if registered is wanted else [f"{doi} is {'' if registered else 'not '}registered"]
