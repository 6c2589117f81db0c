"""The contract check: a registry that answers as ever, in another form, with a web page, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.citations.program import veritas
from tests.citations.registry_server import FAULTS, NAMES, RegistryServer, Reply, Work, registry_server
from veritas.policy.citation_policy import CitationPolicy
from veritas.registries.all_registries import Registries
from veritas.registries.contract import HELIX, RESNET, RETRACTED, Checked, Known, check_contracts


def work(known: Known, given: str, **more: object) -> Work:
    return Work(known.title, (f"{given} {known.family}",), known.year, known.doi, known.arxiv_id, **more)  # type: ignore[arg-type]


NOTICE = Work("Retraction", doi="10.1016/notice", updates=({"DOI": RETRACTED.doi, "type": "retraction"},))


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    held = (work(HELIX, "James", pmid="13054692"), work(RESNET, "Kaiming"), work(RETRACTED, "Andrew", retracted=True))
    with registry_server(*held, NOTICE) as running:
        yield running


async def checked(server: RegistryServer, **changes: object) -> dict[tuple[str, str], Checked]:
    policy: CitationPolicy = server.policy(**changes)
    return {(each.source, each.what): each for each in await check_contracts(Registries(policy, cached=False))}


def sources(found: dict[tuple[str, str], Checked], status: str) -> set[str]:
    return {source for (source, _), each in found.items() if each.status == status}


RENAMED = [
    ("crossref", '"title"', '"titles"'),
    ("crossref", '"family"', '"surname"'),
    ("crossref", '"message"', '"result"'),
    ("crossref", '"items"', '"works"'),
    ("crossref", '"update-to"', '"updates"'),
    ("openalex", '"publication_year"', '"year"'),
    ("openalex", '"results"', '"works"'),
    ("openalex", '"is_retracted"', '"retracted"'),
    ("openalex", '"authorships"', '"authors"'),
    ("semantic_scholar", '"externalIds"', '"ids"'),
    ("semantic_scholar", '"data"', '"papers"'),
    ("semantic_scholar", "not found", "unknown"),
    ("arxiv", "published>", "posted>"),
    ("datacite", '"creators"', '"authors"'),
    ("datacite", '"publicationYear"', '"year"'),
    ("europepmc", '"resultList"', '"results"'),
    ("europepmc", '"pubYear"', '"year"'),
    ("dblp", '"hits"', '"found"'),
    ("dblp", '"authors"', '"people"'),
]


def altered(server: RegistryServer, source: str, old: str, new: str) -> Callable[[str], Reply]:
    """The source's own answers with a name changed in them."""
    from urllib.parse import parse_qs, unquote, urlsplit

    def answer(path: str) -> Reply:
        parts = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        reply: Reply = getattr(server, f"_{source}")("/" + unquote(parts.path.split("/", 2)[2]), query)
        return Reply(reply.status, reply.body.replace(old, new), reply.headers)

    return answer


@pytest.mark.parametrize(("source", "old", "new"), RENAMED, ids=[f"{s} {o}" for s, o, _ in RENAMED])
async def test_a_renamed_field_breaks_the_contract_and_no_other(
    server: RegistryServer, source: str, old: str, new: str
) -> None:
    server.faults[source] = altered(server, source, old, new)
    found = await checked(server)
    assert sources(found, "broken") == {source}
    assert sources(found, "unavailable") == set()
    assert all(each.message for each in found.values() if each.status == "broken")


ASKED, WAYS = [name for name in NAMES if name != "unpaywall"], [*FAULTS]


# Each fault at one source, and each source with one: that no source takes a fault for an answer is test_sources's.
@pytest.mark.parametrize(
    ("source", "fault"),
    [(ASKED[at % len(ASKED)], WAYS[at % len(WAYS)]) for at in range(max(len(ASKED), len(WAYS)))],
)
async def test_what_does_not_answer_is_unavailable_and_never_broken(
    server: RegistryServer, source: str, fault: str
) -> None:
    server.faults[source] = FAULTS[fault]
    asked = dict(server.policy().sources)
    if fault == "slow":
        asked[source] = asked[source].model_copy(update={"seconds": 0.05})
    found = await checked(server, attempts=1, sources=asked)
    assert sources(found, "unavailable") == {source}
    assert sources(found, "broken") == set()


def test_the_command_ends_with_what_it_found(server: RegistryServer, tmp_path: Path) -> None:
    done = veritas(server, tmp_path, "audit", "--contract")
    assert done.returncode == 0, done.stdout
    assert "crossref: look-up: ok" in done.stdout
    server.faults["dblp"] = FAULTS["429 for hours"]
    done = veritas(server, tmp_path, "audit", "--contract", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["unavailable"] == ["dblp"]
    server.faults["crossref"] = altered(server, "crossref", '"title"', '"titles\\u001b"')
    done = veritas(server, tmp_path, "audit", "--contract")
    assert done.returncode == 1
    assert "crossref: look-up: broken" in done.stdout
    assert "\x1b" not in done.stdout
