"""A review where one family of language models sits: judged by lenses without one, which its note says; exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.loopback.server import Asked, Loopback, Reply, loopback
from tests.loopback.server import fault as http_fault
from tests.reviews.reviewing_model import Claims, council, faithful, model, said
from veritas.cli import main
from veritas.reviews.claim_corpus import Corpus

Local = Callable[..., tuple[int, dict[str, Any], str]]
HONEST: dict[str, Callable[[str], str]] = {
    "one word less": lambda q: q.replace("widely ", "").replace(" also", ""),
    "told as a finding": lambda q: f"The study found that {q[0].lower()}{q[1:]}" if q.startswith("Manometric") else q,
    "word for word": lambda q: q,
}
LIES: dict[str, Callable[[str], str]] = {
    "number": lambda q: q.replace("30%", "55%").replace("1.2%", "4.2%").replace("12%", "21%").replace("8%", "3%"),
    "negation": lambda q: q.replace(" was ", " was not ").replace(" is ", " is not ").replace(" were ", " were not "),
    "opposite": lambda q: q.replace("reduced", "prolonged").replace("increased", "decreased").replace("fell", "rose")
    .replace("low pressure", "high pressure").replace("below", "above").replace("longest", "shortest"),
    "an addition": lambda q: f"{q.rstrip('.')}, and moonlight cures every cold.",
    "a second sentence": lambda q: f"{q} Moonlight cures every cold, as all trials agree.",
    "a cause": lambda q: f"{q.rstrip('.')} because vampires guard the shelf.",
    "name": lambda q: q.replace("sucrose", "mannitol").replace("Sucrose", "Mannitol").replace("Manometric", "Acoustic"),
}  # fmt: skip


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Local:
    """`veritas review` with the ready council for one local model, or another; exit code, review and stderr."""

    def run(server: Loopback, council: str = "llama-cpp", topic: str = "drying") -> tuple[int, dict[str, Any], str]:
        monkeypatch.setenv("VERITAS_LOCAL_URL", server.url)
        with pytest.raises(SystemExit) as ended:
            main(["review", topic, "--corpus", "drying", "--council", council, "--json", "--quiet"])
        told = capsys.readouterr()
        return int(ended.value.code or 0), json.loads(told.out), told.err

    return run


def stands(made: dict[str, Any]) -> set[str]:
    return {s["text"] for s in made["manuscript"]["sentences"] if s["kind"] == "claim"}


def writing(changes: dict[str, Callable[[str], str]], told: dict[str, set[str]]) -> Callable[[Asked], Reply]:
    """A model that writes every quote changed in each of these ways, and gives up no sentence that comes back."""

    def writes(claims: Claims) -> list[dict[str, object]]:
        made = []
        for name, quote in claims.items():
            for kind, change in changes.items():
                text = change(quote)
                if text != quote or kind == "word for word":
                    told.setdefault(kind, set()).add(text)
                    made.append(said(text, name))
        return made or faithful(claims)

    return model(writes, lambda sentence, claims: said(sentence.partition("\n")[0], next(iter(claims))))


def test_what_one_local_model_writes_in_the_words_of_its_quotes_stands(corpus: Corpus, local: Local) -> None:
    told: dict[str, set[str]] = {}
    with loopback(writing(HONEST, told)) as server:
        code, made, _ = local(server)
    assert code == 0
    assert told.keys() == HONEST.keys()
    for kind, sentences in told.items():
        assert len(sentences & stands(made)) >= 0.75 * len(sentences), kind
    assert "one family of language models (local)" in made["manuscript"]["note"]


def test_no_misstatement_of_one_local_model_stands(corpus: Corpus, local: Local) -> None:
    told: dict[str, set[str]] = {}
    with loopback(writing(LIES, told)) as server:
        code, made, _ = local(server)
    assert told.keys() == LIES.keys()
    assert not stands(made) & set().union(*told.values())
    assert code == 1


def test_a_model_never_judges_what_its_own_family_wrote(corpus: Corpus, local: Local) -> None:
    judged: list[str] = []
    inner = model(faithful)

    def script(asked: Asked) -> Reply:
        if "You judge whether a passage" in asked.messages[0]["content"]:
            judged.append(asked.text)
        return inner(asked)

    with loopback(script) as server:
        code, made, _ = local(server)
    assert code == 0
    assert not judged
    decisions = [v["decision"] for v in made["first"]["verdicts"] if v["decision"]]
    assert "local" not in {j["family"] for each in decisions for j in each["judgments"]}


def test_a_judge_of_another_family_that_is_dead_is_not_replaced_by_lenses(
    corpus: Corpus, local: Local, tmp_path: Path
) -> None:
    """An outage halts: the rule for one family is for councils that have no other, not for those that lost it."""
    inner = model(faithful)

    def script(asked: Asked) -> Reply:
        judging = "You judge whether a passage" in asked.messages[0]["content"]
        return http_fault(401) if judging else inner(asked)

    with loopback(script) as server:
        file = council(tmp_path, server)
        file.write_text(
            file.read_text(encoding="utf-8").replace(
                "verifiers: [", "verifiers: [embedded-entailment, embedded-coverage, embedded-numeric, "
            ),
            encoding="utf-8",
        )
        code, made, told = local(server, str(file))
    assert code == 3
    assert "no sentence could be checked" in told
    assert not stands(made)
    assert {v["decision"]["rule"] for v in made["first"]["verdicts"] if v["decision"]} == {"ensemble"}


def test_a_review_that_nobody_could_judge_ends_in_3(corpus: Corpus, local: Local, tmp_path: Path) -> None:
    with loopback(model(faithful)) as server:
        code, made, told = local(server, str(council(tmp_path, server, judges=())))
    assert code == 3
    assert told.startswith("veritas: unavailable: no sentence could be checked (")
    assert "3 judges of another family than crimson are not in the council" in told
    assert "Nobody judged it" in made["manuscript"]["note"]


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        (lambda claims: said("The moon is made of frozen sucrose and trehalose.", *list(claims)[:1]), "none of "),
        (lambda claims: said("The moon is made of sucrose."), "no sentence cites a claim of the corpus drying"),
        (lambda claims: said("everything", kind="gap"), "no sentence cites a claim of the corpus drying"),
    ],
    ids=["refused", "uncited", "gaps"],
)
def test_a_review_in_which_no_sentence_stands_ends_in_1(
    corpus: Corpus, local: Local, sentence: Callable[[Claims], dict[str, object]], why: str
) -> None:
    with loopback(model(lambda claims: [sentence(claims)], lambda s, claims: sentence(claims))) as server:
        code, made, told = local(server)
    assert not stands(made)
    assert code == 1
    assert told.startswith(f"veritas: the review has no text: {why}")


def test_a_review_of_what_its_corpus_does_not_hold_ends_in_1(corpus: Corpus, local: Local) -> None:
    with loopback(model(faithful)) as server:
        code, made, _ = local(server, "embedded", "migration of arctic terns")
    assert (code, {s["kind"] for s in made["manuscript"]["sentences"]}) == (1, {"gap"})
