"""Stages of a review under what happens to them: kills, a second hand, a corpus that changes, windows, full disks."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests import preloaded
from tests.loopback.server import Asked, Reply, fault, loopback
from tests.reviews.papers import library
from tests.reviews.reviewing_model import council, faithful, model, said
from tests.reviews.test_reviews_models import embedding
from veritas import approvals
from veritas.errors import InputError, StoreUnavailable, Unavailable
from veritas.report.review import write_review
from veritas.reviews.check_corpus import remove_papers
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.review_document import REVIEW_STAGES, Review
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_runs import resume, start
from veritas.reviews.review_store import review_ids, reviews_folder
from veritas.store import RunStore

KILLED = """
import asyncio, os, signal, sys
from veritas.reviews.review_runs import resume, start
from veritas.reviews.review_request import ReviewRequest
async def around(stage, work):
    if stage == sys.argv[1]:
        os.kill(os.getpid(), signal.SIGKILL)
    return await work()
asyncio.run(resume(sys.argv[2], around=around) if len(sys.argv) > 2 else
            start(ReviewRequest(topic="drying", corpus="drying"), around=around))
"""


FULL = """
import asyncio, resource, signal, sys
from veritas.reviews.review_runs import resume
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (512, -1))
asyncio.run(resume(sys.argv[1]))
"""


def reviewed(**more: Any) -> Review:
    return asyncio.run(start(ReviewRequest.model_validate({"topic": "drying", "corpus": "drying", **more})))


def stored(review_id: str) -> list[str]:
    """The stages that are stored of a review."""
    with RunStore.open(reviews_folder(), review_id, read_only=True) as store:
        return [row.stage for row in store.stages()]


class Killed(Exception):
    """The process went away, as far as the run can tell."""


def cut(stage: str, **more: Any) -> str:
    """A review that was cut off before a stage; its id."""

    async def around(name: str, work: Callable[[], Awaitable[Any]]) -> Any:
        if name == stage:
            raise Killed
        return await work()

    with pytest.raises(Killed):
        asyncio.run(
            start(ReviewRequest.model_validate({"topic": "drying", "corpus": "drying", **more}), around=around)
        )
    return review_ids()[-1]


def add_a_paper(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "new.md").write_text("# New\n\n## Results\n\nVacuum drying of the cake took 9 hours in all runs.\n")
    thread = threading.Thread(target=lambda: asyncio.run(add_wanted(Wanted(name="drying", paths=(folder,)))))
    thread.start()
    thread.join()


def test_killed_in_every_stage_it_goes_on_and_ends_like_one_that_was_not(corpus: Corpus, own_home: Path) -> None:
    begun: list[str] = []
    for number, stage in enumerate(REVIEW_STAGES):
        done = preloaded.run(["-c", KILLED, stage, *begun], env={**os.environ, "VERITAS_HOME": str(own_home)})
        assert done.returncode == -signal.SIGKILL
        begun = review_ids()
        assert stored(*begun) == list(REVIEW_STAGES[:number])
    made = asyncio.run(resume(begun[0]))
    assert [t.from_store for t in made.timings] == [True, True, True, False]
    assert made.content_hash() == reviewed().content_hash()


def test_who_comes_second_while_another_goes_on_is_refused_and_there_is_one_text(
    corpus: Corpus, tmp_path: Path
) -> None:
    with loopback(model(faithful)) as server:
        review_id = cut("write", council=council(tmp_path, server))

        async def both() -> list[Review | BaseException]:
            return list(await asyncio.gather(resume(review_id), resume(review_id), return_exceptions=True))

        one, other = sorted(asyncio.run(both()), key=lambda each: isinstance(each, BaseException))
        assert isinstance(one, Review)
        assert isinstance(other, StoreUnavailable)
        assert "in use" in str(other)
        assert asyncio.run(resume(review_id)).content_hash() == one.content_hash()


def test_a_corpus_that_changes_between_stages_ends_it(corpus: Corpus, tmp_path: Path) -> None:
    async def around(name: str, work: Callable[[], Awaitable[Any]]) -> Any:
        if name == "write":
            add_a_paper(tmp_path / "more")
        return await work()

    with pytest.raises(InputError, match="was changed while review-"):
        asyncio.run(start(ReviewRequest(topic="drying", corpus="drying"), around=around))


def test_a_finished_review_takes_in_approvals_after_its_corpus_has_grown(corpus: Corpus, tmp_path: Path) -> None:
    made = reviewed()
    add_a_paper(tmp_path / "more")
    for stop in (made.corpus_stop, made.text_stop):
        approvals.settle(stop.approval_id, "approve", "Ada Lovelace", "read")
    done = asyncio.run(resume(made.review_id))
    assert done.approved
    assert done.corpus == made.corpus
    assert done.content_hash() == made.content_hash()
    write_review(done, Corpus.open("drying"), tmp_path / "out")
    remove_papers(corpus, ["patel2005"])
    with pytest.raises(InputError, match="--replay"):
        asyncio.run(resume(made.review_id))


def test_who_approved_another_text_has_not_approved_this_one(corpus: Corpus, tmp_path: Path) -> None:
    lie = "The shelf was heated by moonlight in every cycle."
    writes = lambda claims: [said(lie, next(iter(claims)))] if claims else faithful(claims)  # noqa: E731
    with loopback(model(writes, lambda s, c: said("[Citation needed: heating]", kind="gap"))) as server:
        made = reviewed(council=council(tmp_path, server))
        for key in (made.corpus_stop.approval_id, made.text_stop.approval_id):
            approvals.settle(key, "approve", "Ada Lovelace", "read as it was")
        assert asyncio.run(resume(made.review_id)).approved
        approvals.settle(made.left_out[0].approval_id or "", "approve", "Grace Hopper", "I was there")
        after = asyncio.run(resume(made.review_id))
    assert lie in {s.text for s in after.manuscript.sentences}
    assert not after.approved
    assert "Draft" in after.manuscript.note


def test_a_disk_that_is_full_between_stages_loses_nothing_that_was_stored(corpus: Corpus, own_home: Path) -> None:
    review_id = cut("review")
    full = preloaded.run(["-c", FULL, review_id], env={**os.environ, "VERITAS_HOME": str(own_home)})
    assert "StoreUnavailable" in full.stderr
    assert stored(review_id) == ["retrieve", "write"]
    assert asyncio.run(resume(review_id)).content_hash() == reviewed().content_hash()


def test_an_embedder_that_is_down_ends_it_clearly_and_it_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with loopback(embedding) as server:
        monkeypatch.setenv("VERITAS_EMBEDDINGS_URL", server.url)
        wanted = Wanted(name="drying", paths=(library(tmp_path / "papers"),), embedder="litellm:openai/points")
        asyncio.run(add_wanted(wanted))
        server.script = lambda asked: fault(400)
        with pytest.raises(Unavailable, match="--resume review-") as problem:
            reviewed()
        server.script = embedding
        made = asyncio.run(resume(str(problem.value).rpartition(" ")[2]))
    assert made.layers.passed >= 4


def test_the_reviewer_sees_the_text_and_the_corpus_and_nothing_of_the_writers(corpus: Corpus, tmp_path: Path) -> None:
    with loopback(model(faithful)) as server:
        made = reviewed(council=council(tmp_path, server))
        judging = [a for a in server.asked if "literature review" not in a.messages[0]["content"]]
        writing = [a for a in server.asked if "You write one section" in a.messages[0]["content"]]
    assert judging
    assert writing
    shown = "\n".join(json.dumps(a.body) for a in judging)
    for claim in corpus.claims():
        assert claim.claim_id not in shown
    for section in made.manuscript.sections:
        assert section.intent not in shown
    assert "claim_ids" not in shown
    assert made.manuscript.writer not in shown
    first = next(s.text for s in made.draft.sentences if s.kind == "claim")
    assert json.dumps(first)[1:-1] in shown


def test_claims_beyond_a_models_window_are_cut_and_said_to_be(corpus: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    text = "\n\n".join(f"The drying time of run {n} was {n + 10} hours at 20 Pa in the chamber." for n in range(200))
    (folder / "long.md").write_text(f"# Runs\n\n## Results\n\n{text}\n", encoding="utf-8")
    asyncio.run(add_wanted(Wanted(name="long", paths=(folder,))))
    own = tmp_path / "own.yaml"
    own.write_text("sections:\n  - {id: all, title: All, most: 200}\n", encoding="utf-8")
    with loopback(model(lambda claims: faithful(dict(list(claims.items())[:1])))) as server:
        file = council(tmp_path, server)
        file.write_text(file.read_text().replace("    structured: schema", "    structured: schema\n    window: 5000"))
        made = reviewed(corpus="long", council=file, structure=str(own))
    cuts = [cut for call in made.calls if call.turn == "write" for cut in call.cuts]
    assert cuts
    page = write_review(made, Corpus.open("long"), tmp_path / "out")["report.html"].read_text(encoding="utf-8")
    assert "Shown in part" in page


def test_a_writer_whose_answers_are_no_sections_ends_clearly(corpus: Corpus, tmp_path: Path) -> None:
    with loopback(model(lambda claims: [{"text": "", "key": "tang2005"}])) as server, pytest.raises(
        Exception, match="--resume review-"
    ) as problem:
        reviewed(council=council(tmp_path, server))
    assert problem.type.__name__ != "ValidationError"


def test_review_that_nobody_could_judge_ends_in_3_and_one_that_its_reviewer_read_does_not(
    corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from veritas.cli import main

    writes = model(
        lambda claims: [said(f"It is found that {q}", name) for name, q in claims.items()] or faithful(claims)
    )

    def deaf(asked: Asked) -> Reply:
        return fault(403, "the judge's account is closed") if heard_as_judge(asked) else writes(asked)

    with loopback(deaf) as server:
        made = council(tmp_path, server)
        command = ["review", "drying", "--corpus", "drying", "--council", str(made), "--quiet", "--json"]
        with pytest.raises(SystemExit) as ended:
            main(command)
        printed = capsys.readouterr()
        assert ended.value.code == 3
        assert "no sentence could be checked" in printed.err
        assert "refuses the key (status 403)" in printed.err
        assert json.loads(printed.out)["first"]["verdicts"]
        server.script = writes
        with pytest.raises(SystemExit) as ended:
            main(command)
        assert ended.value.code in (0, None)


def heard_as_judge(asked: Asked) -> bool:
    return "You judge whether a passage" in asked.messages[0]["content"]
