"""`verify_and_cite` whole: registries over real HTTP, papers from a reader, an adviser with and without a model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from tests.approvers import Team
from tests.citations.registry_server import FAULTS, RegistryServer, Work, registry_server
from veritas import InputError, Unavailable, approvals
from veritas.citations.artifacts import read_artifact
from veritas.citations.checking.check import check
from veritas.citations.citing import (
    Citation,
    NoCandidates,
    NoSupportingExcerpts,
    NotAdmitted,
    Outcome,
    Refusal,
    RetriesExhausted,
    StandsNoMore,
    TriangulationConflict,
    citation_of,
    verify_and_cite,
)
from veritas.citations.citing.model_adviser import ModelAdviser
from veritas.citations.work_oracle import RegistryOracle
from veritas.council.chat import Completion, Message
from veritas.documents.document import Document, document_id
from veritas.gate import Gate
from veritas.reading.corpus import Corpus
from veritas.testing import FakeLens

ALIE = Work(
    title="A Little Is Enough: Circumventing Defenses For Distributed Learning",
    authors=("Moran Baruch", "Gilad Baruch", "Yoav Goldberg"),
    year=2019,
    arxiv_id="1902.06156",
    venue="arXiv",
    abstract="Distributed learning is central for large-scale training. We show that small but well-crafted changes "
    "are sufficient to circumvent all existing defenses. Our attack works with 20 percent of corrupted workers.",
)
FLPOISON = Work(
    title="SoK: Benchmarking Poisoning Attacks and Defenses in Federated Learning",
    authors=("Heyi Zhang", "Yule Liu", "Xinlei He", "Jun Wu"),
    year=2025,
    arxiv_id="2502.03801",
    venue="arXiv",
    abstract="Federated learning is vulnerable. We present FLPoison. We evaluate 15 representative poisoning attacks "
    "and 17 defense strategies in a unified benchmark.",
)
FLPOISON_TEXT = (
    "# SoK: Benchmarking Poisoning Attacks and Defenses in Federated Learning\n\n"
    "Heyi Zhang, Yule Liu\n\n## Introduction\n\n"
    + "Federated learning trains a shared model on data that never leaves its owner. "
    * 20
    + "\n\n## Attacks\n\nThe headliner attack set of FLPoison includes ALIE, Fang and sign-flipping. "
    "The Gaussian attack draws noise with a standard deviation of 0.5. "
    "The inner product manipulation scales the mean of benign gradients by a negative factor.\n"
)
CLAIM = "The headliner attack set of FLPoison includes ALIE, Fang and sign-flipping"


class Papers:
    """A reader that has some papers and says of all else that it cannot be had."""

    def __init__(self, *documents: Document) -> None:
        self.documents = {document.url: document for document in documents}
        self.asked: list[str] = []

    async def read(self, url: str) -> Document:
        self.asked.append(url)
        if url not in self.documents:
            raise Unavailable(f"{url} cannot be had")
        return self.documents[url]


def paper(
    text: str = FLPOISON_TEXT, arxiv_id: str = "2502.03801", title: str = FLPOISON.title, **more: Any
) -> Document:
    return Document(
        document_id=document_id(text),
        url=f"https://arxiv.org/abs/{arxiv_id}",
        title=title,
        text=text,
        fetched_at=date(2026, 1, 1),
        **more,
    )


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(ALIE, FLPOISON) as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "docs" / "citations"


async def cite(
    server: RegistryServer, folder: Path, claim: str = CLAIM, hint: str | None = None, **how: Any
) -> Outcome:
    how.setdefault("reader", Papers(paper()))
    return await verify_and_cite(claim, hint, folder=folder, registries=server.registries(), **how)


def gate(server: RegistryServer, *lenses: FakeLens) -> Gate:
    """A gate with two lenses of two families, by default ones that support what stands word for word."""
    asked = lenses or (FakeLens(name="first", family="house-a"), FakeLens(name="second", family="house-b"))
    return Gate(RegistryOracle(server.registries()), asked)


def nothing_written(folder: Path) -> bool:
    return not list(folder.glob("**/*")) if folder.exists() else True


async def test_a_supported_claim_gets_a_citation_with_its_artifact(server: RegistryServer, folder: Path) -> None:
    found = await cite(server, folder)
    assert isinstance(found, Citation), found
    assert found.path == folder / "2502.03801-zhang-sok.md"
    assert found.text.startswith("Heyi Zhang, Yule Liu")
    artifact = read_artifact(found.path)
    assert artifact.excerpts[0].text == "The headliner attack set of FLPoison includes ALIE, Fang and sign-flipping."
    assert artifact.excerpts[0].location == "Attacks"
    assert artifact.triangulation.decisive_fields_agreed
    assert artifact.triangulation.secondary_source
    assert artifact.abstract == FLPOISON.abstract
    assert found.flags == ()
    report = check([folder.parent.parent], root=folder.parent.parent)
    assert (report.findings, report.artifacts) == ([], 1)


async def test_the_same_again_writes_the_same_file(server: RegistryServer, folder: Path) -> None:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    first = await cite(server, folder, now=now)
    assert isinstance(first, Citation)
    text = first.path.read_text(encoding="utf-8")
    again = await cite(server, folder, now=now)
    assert isinstance(again, Citation)
    assert again.path.read_text(encoding="utf-8") == text


# the failures of section 7.3


async def test_a_wrong_first_author_is_a_conflict(server: RegistryServer, folder: Path) -> None:
    found = await cite(server, folder, hint="Yifei Liu et al., 2025", claim=CLAIM)
    assert isinstance(found, TriangulationConflict)
    assert [(c.field, c.primary, c.secondary) for c in found.fields] == [("cited.first_author_surname", "Zhang", "Liu")]
    assert nothing_written(folder)
    again = await cite(server, folder, claim=f"Liu et al. (2025) show that {CLAIM[0].lower()}{CLAIM[1:]}")
    assert isinstance(again, TriangulationConflict)


async def test_a_number_that_the_paper_does_not_have_finds_no_excerpt(server: RegistryServer, folder: Path) -> None:
    found = await cite(
        server,
        folder,
        "The Gaussian attack of FLPoison draws noise with a standard deviation of 100",
        "arXiv:2502.03801",
    )
    assert isinstance(found, NoSupportingExcerpts)
    assert nothing_written(folder)


# section 9


@pytest.mark.parametrize("fault", ["5xx", "html", "429 for hours"])
async def test_outages_are_exhausted_retries_and_nothing_else(server: RegistryServer, folder: Path, fault: str) -> None:
    for name in ("semantic_scholar", "openalex", "crossref", "arxiv", "europepmc", "datacite"):
        server.faults[name] = FAULTS[fault]
    found = await cite(server, folder)
    assert isinstance(found, RetriesExhausted)
    assert found.problems
    assert nothing_written(folder)


async def test_the_wrong_paper_under_the_right_doi_is_a_conflict(server: RegistryServer, folder: Path) -> None:
    doi = "10.1234/flpoison"
    server.works[1] = Work(**{**vars(FLPOISON), "doi": doi, "arxiv_id": None, "in_": frozenset({"semantic_scholar"})})
    elsewhere = frozenset({"crossref", "openalex", "doi_org", "europepmc"})
    server.works.append(Work("Protein folding in yeast under heat", ("Ann Other",), 1999, doi, in_=elsewhere))
    found = await cite(server, folder, corpus=Corpus([paper()]))
    assert isinstance(found, TriangulationConflict), found
    assert {"title", "year"} & {conflict.field for conflict in found.fields}
    assert nothing_written(folder)


async def test_only_an_outage_in_the_way_of_triangulation_is_no_conflict(server: RegistryServer, folder: Path) -> None:
    server.works[1] = Work(**{**vars(FLPOISON), "in_": frozenset({"semantic_scholar"})})
    for name in ("openalex", "arxiv", "datacite"):
        server.faults[name] = FAULTS["5xx"]
    assert isinstance(await cite(server, folder), RetriesExhausted)
    server.faults.clear()
    assert isinstance(await cite(server, folder), TriangulationConflict)


async def test_without_the_paper_its_abstract_counts_and_says_so(server: RegistryServer, folder: Path) -> None:
    claim = "We evaluate 15 representative poisoning attacks and 17 defense strategies in a unified benchmark"
    found = await cite(server, folder, claim, reader=Papers())
    assert isinstance(found, Citation), found
    assert found.flags == ("abstract_only",)
    assert found.artifact.excerpts[0].location == "Abstract"
    refused = await cite(server, folder, reader=Papers())
    assert isinstance(refused, NoSupportingExcerpts)
    assert "could not be read" in refused.reason


async def test_another_paper_behind_the_link_is_not_read_as_this_one(server: RegistryServer, folder: Path) -> None:
    other = paper("Cooking with lentils. " * 200 + CLAIM + ".", title="Cooking with lentils")
    found = await cite(server, folder, reader=Papers(other))
    assert isinstance(found, NoSupportingExcerpts)


async def test_a_retracted_paper_is_refused(server: RegistryServer, folder: Path) -> None:
    doi = "10.1234/retracted"
    server.works[1] = Work(**{**vars(FLPOISON), "doi": doi, "arxiv_id": None})
    server.works.append(
        Work(title="Retraction note", doi="10.1234/note", updates=({"DOI": doi, "type": "retraction"},))
    )
    found = await cite(server, folder, reader=Papers(paper()), corpus=Corpus([paper()]))
    assert isinstance(found, StandsNoMore), found
    assert "10.1234/note" in found.reason
    assert nothing_written(folder)


# overriding


async def test_an_override_needs_a_reason_and_leaves_it_in_the_artifact(server: RegistryServer, folder: Path) -> None:
    with pytest.raises(InputError, match="reason"):
        await cite(server, folder, override=True)
    found = await cite(
        server,
        folder,
        "Something the paper does not say",
        "arXiv:2502.03801",
        override=True,
        override_reason="read in print",
    )
    assert isinstance(found, Citation), found
    assert "human_overridden" in found.flags
    artifact = read_artifact(found.path)
    assert (artifact.human_overridden, artifact.override_reason) == (True, "(unsigned): read in print")
    assert check([folder.parent.parent], root=folder.parent.parent).findings == []


async def test_with_a_roster_nobody_overrides_without_a_signature(
    server: RegistryServer, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERITAS_APPROVERS", str(Team(tmp_path / "team", "Ada").roster))
    with pytest.raises(InputError, match="settle the case that it names with veritas approve"):
        await cite(server, folder, override=True, override_reason="trust me", override_name="Ada")
    assert server.asked == []


# the gate, and the person behind it


def says(label: Any) -> FakeLens:
    return FakeLens(name="second", family="house-b", verdict=lambda claim, passage: label)


@pytest.mark.parametrize(("label", "waits"), [("refutes", False), ("silent", True)])
async def test_what_the_gate_does_not_admit_is_not_cited(
    server: RegistryServer, folder: Path, label: str, waits: bool
) -> None:
    lenses = [FakeLens(name="first", family="house-a", verdict=lambda claim, passage: label), says(label)]  # type: ignore[arg-type,return-value]
    found = await cite(server, folder, gate=gate(server, *lenses))
    assert isinstance(found, NotAdmitted), found
    assert (found.verdict, found.needs_person) == (label, waits)
    assert nothing_written(folder)
    assert [each.approval_id for each in approvals.pending()] == ([found.approval] if waits else [])


async def test_a_person_lets_a_citation_in_with_name_and_reason(server: RegistryServer, folder: Path) -> None:
    lenses = (FakeLens(name="first", family="house-a", verdict=lambda claim, passage: "silent"), says("silent"))
    asked = gate(server, *lenses)
    found = await cite(server, folder, gate=asked)
    assert isinstance(found, NotAdmitted)
    assert f"override with: veritas approve {found.approval}" in found.contrast
    (waiting,) = approvals.pending()
    assert (waiting.kind, waiting.approval_id, waiting.sentence) == ("citation", found.approval, found.contrast)
    assert waiting.case.passages[0].text == f"{CLAIM}."
    assert FLPOISON.title in waiting.case.passages[0].source
    assert waiting.then.startswith("veritas cite ")
    again = await cite(server, folder, gate=asked)
    assert isinstance(again, NotAdmitted)
    assert again.approval == found.approval, "the same question waits once"
    approvals.settle(waiting.approval_id, "approve", "Ada Lovelace", "Section 3 says so")
    cited = await cite(server, folder, gate=asked)
    assert isinstance(cited, Citation), cited
    assert "human_overridden" in cited.flags
    assert cited.artifact.override_reason == f"Ada Lovelace (unsigned): Section 3 says so ({waiting.approval_id})"
    assert check([folder.parent.parent], root=folder.parent.parent).findings == []
    cited.path.unlink()
    approvals.withdraw(waiting.approval_id, "Ada Lovelace", "I was wrong")
    assert isinstance(await cite(server, folder, gate=asked), NotAdmitted)
    assert not cited.path.exists()


async def test_a_retraction_can_be_cited_on_a_person_s_word_alone(server: RegistryServer, folder: Path) -> None:
    doi = "10.1234/retracted"
    server.works[1] = Work(**{**vars(FLPOISON), "doi": doi, "arxiv_id": None})
    server.works.append(Work(title="Note", doi="10.1234/note", updates=({"DOI": doi, "type": "retraction"},)))
    corpus = Corpus([paper()])
    found = await cite(server, folder, corpus=corpus)
    assert isinstance(found, StandsNoMore)
    assert found.approval is not None
    approvals.settle(found.approval, "approve", "Ada Lovelace", "cited as an example of a retraction")
    cited = await cite(server, folder, corpus=corpus)
    assert isinstance(cited, Citation)
    assert cited.flags == ("human_overridden", "retracted")


async def test_an_outage_halts_and_asks_nobody_whether_it_is_true(server: RegistryServer, folder: Path) -> None:
    lenses = (says("supports"), FakeLens(name="x", family="c", verdict=_down))
    found = await cite(server, folder, gate=gate(server, *lenses))
    assert isinstance(found, RetriesExhausted)
    assert "asleep" in found.reason
    assert nothing_written(folder)
    assert approvals.pending() == []


def _down(claim: str, passage: str) -> Any:
    raise Unavailable("the lens is asleep")


# the boundary


def test_no_refusal_has_a_citation_in_it() -> None:
    for kind in (NoCandidates, TriangulationConflict, RetriesExhausted, NoSupportingExcerpts, StandsNoMore):
        assert issubclass(kind, Refusal)
        assert not {"text", "citation", "bibtex", "snippet"} & set(kind.model_fields)


def test_a_citation_cannot_be_made_without_an_artifact_that_holds(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        Citation(object(), tmp_path / "x.md", None)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        citation_of(tmp_path / "absent.md")


async def test_a_tampered_artifact_supports_no_citation(server: RegistryServer, folder: Path) -> None:
    found = await cite(server, folder)
    assert isinstance(found, Citation)
    found.path.write_text(found.path.read_text(encoding="utf-8").replace("Heyi Zhang", "Yifei Liu"), encoding="utf-8")
    with pytest.raises(InputError, match="changed by hand"):
        citation_of(found.path)


# with a model


class Scripted:
    """A `ChatModel` that answers from a script, by the fields that it is asked for, and keeps what it was shown."""

    def __init__(self, claim: str = CLAIM, numbers: Sequence[int] = (2, 1), quotes: Sequence[str] = ()) -> None:
        self.says = {"claim": claim, "numbers": list(numbers), "quotes": list(quotes)}
        self.seen: list[str] = []

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        self.seen.append("\n".join(message.content for message in messages))
        assert schema is not None
        return Completion(text=json.dumps({name: self.says[name] for name in schema.model_fields}))


async def test_a_model_proposes_and_code_decides(server: RegistryServer, folder: Path) -> None:
    real = "The headliner attack set of FLPoison\nincludes ALIE, Fang and sign-flipping."
    model = Scripted(quotes=["We evaluate everything that was ever published.", real])
    found = await cite(server, folder, adviser=ModelAdviser(model, family="house-c"), gate=gate(server))
    assert isinstance(found, Citation), found
    assert [excerpt.text for excerpt in found.artifact.excerpts] == [" ".join(real.split())]
    assert found.artifact.verified_by == "veritas (model)"


async def test_quotes_that_a_model_made_up_are_rejected_and_shown(server: RegistryServer, folder: Path) -> None:
    model = Scripted(quotes=["FLPoison contains ALIE, Fang and sign-flipping as its headliners."])
    found = await cite(server, folder, adviser=ModelAdviser(model))
    assert isinstance(found, NoSupportingExcerpts)
    assert found.rejected == ("FLPoison contains ALIE, Fang and sign-flipping as its headliners.",)
    assert nothing_written(folder)


@pytest.mark.parametrize("answer", ["", "I cannot help with that.", "{", '{"claim": 5}', "<think>hm</think>"])
async def test_a_model_that_answers_nonsense_is_an_outage(server: RegistryServer, folder: Path, answer: str) -> None:
    class Babbling:
        async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
            return Completion(text=answer)

    assert isinstance(await cite(server, folder, adviser=ModelAdviser(Babbling())), RetriesExhausted)
    assert nothing_written(folder)


async def test_identity_never_comes_from_a_model(server: RegistryServer, folder: Path) -> None:
    lie = "Yifei Liu. Authors: Yifei Liu. Year: 1999. DOI: 10.9999/lie"
    model = Scripted(
        claim=CLAIM, quotes=[lie, "The headliner attack set of FLPoison includes ALIE, Fang and sign-flipping."]
    )
    found = await cite(server, folder, adviser=ModelAdviser(model, family="house-c"), gate=gate(server))
    assert isinstance(found, Citation)
    text = found.path.read_text(encoding="utf-8")
    assert "10.9999" not in text
    assert "Yifei" not in text


# what the adviser without a model does


async def test_two_papers_of_one_title_stay_two(server: RegistryServer, folder: Path) -> None:
    """The other paper comes first in every answer; the one that says the claim is still found."""
    other = Work(
        title=FLPOISON.title, authors=("Olga Other", "Petra Person"), year=1999, doi="10.5555/other",
        abstract="FLPoison has an attack set.",
    )  # fmt: skip
    server.works[:] = [other, FLPOISON]
    found = await cite(server, folder)
    assert isinstance(found, Citation), found
    assert found.text.startswith("Heyi Zhang")
