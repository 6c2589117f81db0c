"""Claims drawn by a language model and embeddings from one, over real HTTP: what is checked, paid once, refused."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.loopback.server import Asked, Loopback, Reply, fault, loopback
from tests.reviews.papers import library
from veritas import InputError, Unavailable
from veritas.council.connections import Switchboard
from veritas.council.model_table import facts
from veritas.council.prompt import prompt
from veritas.policy.council_policy import ModelPolicy, Price
from veritas.reviews.add_papers import Addition, add
from veritas.reviews.check_corpus import check
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_file import CorpusLedger
from veritas.reviews.embedded_claim_extractor import EmbeddedExtractor
from veritas.reviews.embedder import load_embedder
from veritas.reviews.model_claim_extractor import ModelExtractor
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.sources.folder_root import offer_folder
from veritas.testing import FakeEmbedder

_PASSAGE = re.compile(r"\[\[begin passage (\S+?)(?:,[^·]*)? · \w+\]\]\n(.*?)\n\[\[end", re.DOTALL)


def extracting(asked: Asked) -> Reply:
    """A model that draws each passage's sentences with a number, one of them misquoted and one miscounted."""
    claims: list[dict[str, Any]] = []
    for passage_id, text in _PASSAGE.findall(asked.messages[-1]["content"]):
        for said in re.split(r"(?<=[.])\s+", " ".join(text.split())):
            if re.search(r"\d", said) and len(said) > 30:
                claims.append({"text": said, "claim_type": "finding", "evidence_type": "experimental",
                               "passage_id": passage_id, "quote": said})  # fmt: skip
    if claims:
        first = claims[0]
        claims.append({**first, "quote": first["quote"].replace("the", "a", 1) + " indeed"})
        claims.append({**first, "text": "It rose by 777%."})
        claims.append({**first, "passage_id": "p-000000000000"})
    return Reply(text=json.dumps({"claims": claims}))


def drawing(server: Loopback, corpus: Corpus, folder: Path) -> Addition:
    price = Price(input=1, output=2)
    policy = ModelPolicy(name="m", model="openai/scripted", family="scripted", base_url=server.url, price=price)

    async def run() -> Addition:
        board = Switchboard()
        board.bind(CorpusLedger(corpus.file))
        try:
            return await add(corpus, offer_folder(folder), ModelExtractor(board.connect(policy)), again=True)
        finally:
            await board.close()

    return asyncio.run(run())


def test_a_models_claims_are_quotes_or_are_none(tmp_path: Path) -> None:
    corpus = Corpus.create("drying")
    with loopback(extracting) as server:
        done = drawing(server, corpus, library(tmp_path / "papers"))
    assert len(done.added) == 2
    assert done.claims == len(corpus.claims()) >= 6
    assert check(corpus).breaches == ()
    assert {claim.extractor for claim in corpus.claims()} == {f"openai/scripted {prompt('extract').id}"}
    assert not [claim for claim in corpus.claims() if "777" in claim.text or "Int J Pharm" in claim.text]
    with corpus.file.reading() as connection:
        reasons = {row[0] for row in connection.execute("SELECT reason FROM left_out").fetchall()}
    assert {"its quote is not in the document", "it names a passage that was not shown"} <= reasons
    assert done.calls >= 2
    assert done.cost_usd is not None
    assert done.cost_usd > 0
    # The model never saw the list of references.
    assert not any("Int J Pharm. 1990" in asked.text for asked in server.asked)


def test_what_was_paid_for_is_not_paid_for_again(tmp_path: Path) -> None:
    corpus = Corpus.create("drying")
    folder = library(tmp_path / "papers")
    with loopback(extracting) as server:
        first = drawing(server, corpus, folder)
        claims = corpus.claims()
        asyncio.run(add(corpus, offer_folder(folder), EmbeddedExtractor(), again=True))
        assert corpus.claims() != claims
        again = drawing(server, corpus, folder)
        assert len(server.asked) == first.calls
    assert (again.calls, again.calls_from_ledger, again.cost_usd) == (0, first.calls, 0)
    assert corpus.claims() == claims


def test_a_model_that_does_not_answer_leaves_the_paper_for_another_time(tmp_path: Path) -> None:
    corpus = Corpus.create("drying")
    folder = library(tmp_path / "papers")
    with loopback(lambda asked: fault(400)) as server:
        done = drawing(server, corpus, folder)
    assert (done.added, corpus.claims()) == ((), ())
    assert {problem.source for problem in done.unavailable} == {"tang.pdf", "patel.pdf"}
    with loopback(extracting) as server:
        assert len(drawing(server, corpus, folder).added) == 2


def test_stretches_fit_the_window_of_a_small_model(tmp_path: Path) -> None:
    small = ModelPolicy(name="m", model="openai/scripted", family="x", base_url="http://127.0.0.1:9/v1", window=4096)
    offer = offer_folder(library(tmp_path / "papers"))
    stretches = list(ModelExtractor(Switchboard().connect(small))._stretches(offer.candidates[0].document))
    assert stretches
    assert all(part[-1].end - part[0].start <= facts(small).input_room + 1500 for part in stretches)


# --- embeddings -------------------------------------------------------------------------------------------------

WORDS = ("drying", "temperature", "vials", "model", "moisture", "pressure", "formulation", "protein")
SAME = {"lyophilisation": "drying", "humidity": "moisture", "warmth": "temperature"}


def vector(text: str) -> list[float]:
    """A text as a point: how often it speaks of eight things, whatever it calls them."""
    folded = text.casefold()
    for one, other in SAME.items():
        folded = folded.replace(one, other)
    raw = [folded.count(word) + 0.01 for word in WORDS]
    norm = math.sqrt(sum(x * x for x in raw))
    return [x / norm for x in raw]


def embedding(asked: Asked) -> Reply:
    texts = asked.body["input"]
    data = [{"object": "embedding", "index": i, "embedding": vector(t)} for i, t in enumerate(texts)]
    answer = {"object": "list", "model": asked.model, "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    return Reply(raw=json.dumps(answer).encode())


@pytest.fixture
def embeddings(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with loopback(embedding) as server:
        monkeypatch.setenv("VERITAS_EMBEDDINGS_URL", server.url)
        yield server


def embedded(folder: Path, model: str = "litellm:openai/points") -> Addition:
    return asyncio.run(add_wanted(Wanted(name="drying", paths=(folder,), embedder=model)))[0]


def test_meaning_finds_what_words_do_not(embeddings: Loopback, tmp_path: Path) -> None:
    embedded(library(tmp_path / "papers"))
    corpus = Corpus.open("drying")

    def best(lexical_only: bool) -> list[Any]:
        return list(asyncio.run(corpus.search("humidity", limit=3, lexical_only=lexical_only)))

    assert best(lexical_only=True) == []
    hits = best(lexical_only=False)
    assert "moisture" in hits[0].claim.text
    assert hits[0].lexical is None
    assert hits[0].semantic > 0.7
    both = asyncio.run(corpus.search("residual moisture"))
    assert both[0].score == 1.0
    assert both[0].lexical is not None
    assert check(corpus).breaches == ()


def test_a_corpus_takes_no_vectors_of_another_model(embeddings: Loopback, tmp_path: Path) -> None:
    embedded(library(tmp_path / "papers"))
    with pytest.raises(InputError, match="was made with the embeddings of litellm:openai/points"):
        embedded(library(tmp_path / "papers"), "litellm:openai/others")
    asyncio.run(add_wanted(Wanted(name="plain", paths=(tmp_path / "papers",))))
    with pytest.raises(InputError, match="was made without embeddings"):
        Corpus.open("plain", embedder=load_embedder("litellm:openai/points"))


def test_a_model_that_changes_its_length_is_refused(embeddings: Loopback, tmp_path: Path) -> None:
    embedded(library(tmp_path / "papers"))
    more = tmp_path / "more"
    more.mkdir()
    (more / "a.txt").write_text("Report\n\nThe chamber pressure was 10 Pa in all of the runs.")

    def longer(asked: Asked) -> Reply:
        answer = json.loads(embedding(asked).raw or b"")
        for row in answer["data"]:
            row["embedding"].append(0.5)
        return Reply(raw=json.dumps(answer).encode())

    embeddings.script = longer
    with pytest.raises(InputError, match="another model under the same name"):
        asyncio.run(add_wanted(Wanted(name="drying", paths=(more,))))
    assert len(Corpus.open("drying").papers()) == 2


def test_a_dead_embedder_stores_no_claim_without_its_vector(embeddings: Loopback, tmp_path: Path) -> None:
    embeddings.script = lambda asked: fault(400)
    done = embedded(library(tmp_path / "papers"))
    assert len(done.unavailable) == 2
    assert Corpus.open("drying").claims() == ()
    embeddings.script = embedding
    assert len(embedded(tmp_path / "papers").added) == 2
    embeddings.script = lambda asked: fault(400)
    corpus = Corpus.open("drying")
    with pytest.raises(Unavailable, match="--lexical"):
        asyncio.run(corpus.search("moisture"))
    assert asyncio.run(corpus.search("moisture", lexical_only=True))


@pytest.mark.parametrize("named", ["nothing", "nobody:x", "litellm:", "litellm:points", "local:/no/such/folder"])
def test_embedders_that_are_none_are_refused(named: str) -> None:
    with pytest.raises(InputError):
        load_embedder(named)


def test_the_fake_embedder_finds_the_nearest(tmp_path: Path) -> None:
    corpus = Corpus.create("drying", embedder=FakeEmbedder())
    asyncio.run(add(corpus, offer_folder(library(tmp_path / "papers")), EmbeddedExtractor()))
    (hit,) = asyncio.run(corpus.search("the optimum shelf temperature", limit=1))
    assert hit.claim.text.startswith("The optimum shelf temperature")
    assert hit.semantic is not None
    assert hit.semantic > 0.5
