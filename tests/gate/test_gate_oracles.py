"""What the oracles say of sources and passages: stored documents, admitted texts, registries over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.citations.registry_server import BROKEN, RegistryServer, Work
from veritas.citations.work_oracle import RegistryOracle
from veritas.council.families import PERSON
from veritas.gate import AdmittedTexts, Attribution, Finding, Gate, OracleAnswer, Oracles, StoredDocuments
from veritas.testing import FakeLens, document

WATER = document("https://a.example/water", "Water boils at 100 degrees Celsius at sea level.", title="Water")
ICE = document("https://a.example/ice", "Ice melts at  0 degrees\nCelsius. Nothing else.", title="Ice", doi="10.1/Ice")


def finding(*passages: str, at: Attribution | None = None, claim: str = "") -> Finding:
    sources = (at,) if at else ()
    said = claim or " ".join(passages) or "Water boils."
    return Finding(finding_id="f", kind="citation", claim=said, passages=passages, sources=sources, family=PERSON)


async def said(one: Finding) -> OracleAnswer:
    return await StoredDocuments([WATER, ICE]).confirm(one)


@pytest.mark.parametrize(
    ("passages", "at", "verdict"),
    [
        (["Water boils at 100 degrees"], Attribution(document_id=WATER.document_id), "confirmed"),
        (["Ice melts at 0 degrees Celsius."], Attribution(url=ICE.url), "confirmed"),
        (["Ice melts at 0 degrees Celsius."], Attribution(doi="10.1/ICE"), "confirmed"),
        (["Water boils at 100 degrees"], Attribution(url=ICE.url), "misattributed"),
        (["Water boils at 101 degrees"], Attribution(url=WATER.url), "fabricated"),
        (["Water b\u043eils at 100 degrees"], Attribution(url=WATER.url), "fabricated"),
        (["Water boils at 100 degrees", "It never boils, ever."], Attribution(url=WATER.url), "fabricated"),
        (["Water boils at 100 degrees"], Attribution(url="https://elsewhere.example/"), "cannot-confirm"),
        (["Water boils at 100 degrees"], Attribution(document_id="0" * 64, url=WATER.url), "cannot-confirm"),
        (["Water boils at 100 degrees"], Attribution(title="Water"), "cannot-confirm"),
        (["Water boils at 100 degrees"], None, "cannot-confirm"),
        (["Water"], Attribution(url=WATER.url), "cannot-confirm"),
        ([" \n "], Attribution(url=WATER.url), "cannot-confirm"),
        ([], Attribution(url=WATER.url), "cannot-confirm"),
    ],
)
async def test_stored_documents_confirm_what_stands_where_it_is_attributed(
    passages: list[str], at: Attribution | None, verdict: str
) -> None:
    answer = await said(finding(*passages, at=at))
    assert answer.verdict == verdict
    assert answer.rationale


async def test_misattributed_passage_is_corrected_to_the_document_it_stands_in_and_then_admitted() -> None:
    lens = FakeLens(verdict=lambda *_: "supports")
    gate = Gate(StoredDocuments([WATER, ICE]), [lens], rule="dedicated")
    decision = await gate.decide(finding(WATER.text, at=Attribution(url=ICE.url)))
    assert (decision.action, decision.rounds) == ("admitted", 2)
    assert [s.url for s in decision.sources] == [WATER.url]
    assert [s.url for s in decision.corrections[0].before] == [ICE.url]
    assert decision.finding.sources[0].url == ICE.url


async def test_lens_sees_bare_claim_and_passage_and_nothing_of_the_source() -> None:
    lens = FakeLens(verdict=lambda *_: "supports")
    gate = Gate(StoredDocuments([WATER]), [lens], rule="dedicated")
    await gate.decide(finding("Water boils at 100 degrees", at=Attribution(url=WATER.url, title="A trusted journal")))
    assert lens.asked == [("Water boils at 100 degrees", "Water boils at 100 degrees")]


async def test_source_that_is_not_confirmed_costs_no_lens() -> None:
    lens = FakeLens()
    gate = Gate(StoredDocuments([WATER]), [lens], rule="dedicated")
    decision = await gate.decide(finding("Water boils at 7 degrees", at=Attribution(url=WATER.url)))
    assert (decision.action, decision.verdict, decision.needs_person) == ("dropped", "fabricated", False)
    assert lens.asked == []


async def test_all_of_several_oracles_must_confirm() -> None:
    both = Oracles([AdmittedTexts(["Water boils at 100 degrees"]), StoredDocuments([WATER])])
    at = Attribution(url=WATER.url)
    assert (await both.confirm(finding("Water boils at 100 degrees", at=at))).verdict == "confirmed"
    assert (await both.confirm(finding("Water boils", at=at))).oracle == "admitted-texts"
    assert (await both.confirm(finding("Water boils at 100 degrees"))).oracle == "stored-documents"
    with pytest.raises(ValueError, match="no oracle"):
        Oracles([])


# registries -----------------------------------------------------------------------------------------------------------

PAPER = Work(
    "Boiling points of water under pressure in closed vessels", ("Anna Adler", "Ben Berg"), 2015, doi="10.1000/boil"
)
GONE = Work("Cold fusion of kettles in domestic kitchens", doi="10.1000/gone", retracted=True)
CITED = Attribution(title=PAPER.title, authors=("Anna Adler", "Ben Berg"), year=2015, doi="10.1000/boil")


@pytest.fixture
def registries(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[RegistryServer]:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path))
    server = RegistryServer([PAPER, GONE])
    yield server
    server.close()


@pytest.mark.parametrize(
    ("cited", "verdict"),
    [
        (CITED, "confirmed"),
        (CITED.model_copy(update={"doi": None}), "confirmed"),
        (CITED.model_copy(update={"doi": None, "url": "https://doi.org/10.1000/boil"}), "confirmed"),
        (CITED.model_copy(update={"year": 2009}), "misattributed"),
        (CITED.model_copy(update={"authors": ("Zoe Zander", "Yan Young")}), "misattributed"),
        (
            Attribution(title="Steam engines of the moon and their keepers", authors=("No Body",), year=2019),
            "fabricated",
        ),
        (Attribution(title=GONE.title, authors=GONE.authors, year=2020, doi=GONE.doi), "cannot-confirm"),
        (Attribution(title="How to boil water", url="https://blog.example/boil"), "cannot-confirm"),
        (Attribution(), "cannot-confirm"),
    ],
)
async def test_registries_say_whether_a_work_exists_as_cited(
    registries: RegistryServer, cited: Attribution, verdict: str
) -> None:
    answer = await RegistryOracle(registries.registries()).confirm(finding("Water boils at 100.", at=cited))
    assert answer.verdict == verdict, answer.rationale


async def test_misattributed_citation_is_corrected_from_the_registries_and_admitted_after_its_second_look(
    registries: RegistryServer,
) -> None:
    gate = Gate(
        RegistryOracle(registries.registries()), [FakeLens(verdict=lambda *_: "supports")], rule="dedicated"
    )
    wrong = CITED.model_copy(update={"year": 2009, "authors": ("Zoe Zander",)})
    decision = await gate.decide(finding("Water boils at 100.", at=wrong))
    assert (decision.action, decision.rounds) == ("admitted", 2)
    assert (decision.sources[0].year, decision.sources[0].authors) == (2015, ("Anna Adler", "Ben Berg"))


async def test_registries_that_are_down_make_nothing_a_fabrication(registries: RegistryServer) -> None:
    for name in ("crossref", "openalex", "semantic_scholar", "doi_org"):
        registries.faults[name] = BROKEN
    gate = Gate(RegistryOracle(registries.registries()), [FakeLens()], rule="dedicated")
    made_up = Attribution(title="Steam engines of the moon and their keepers", authors=("No Body",), year=2019)
    decision = await gate.decide(finding("Water boils at 100.", at=made_up))
    assert (decision.action, decision.verdict, decision.needs_person) == ("halted", "unavailable", True)


async def test_existing_work_without_a_passage_is_confirmed_by_a_person_alone(registries: RegistryServer) -> None:
    lens = FakeLens(verdict=lambda *_: "supports")
    decision = await Gate(RegistryOracle(registries.registries()), [lens], rule="dedicated").decide(finding(at=CITED))
    assert (decision.action, decision.verdict, lens.asked) == ("left-out", "cannot-confirm", [])
    assert "no passage" in decision.contrast
