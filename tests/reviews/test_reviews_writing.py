"""Reviews end to end: with and without a language model, with lies, a dead model, kills, persons, hostile papers."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from pathlib import Path

import duckdb
import pytest

from tests.loopback.server import fault as http_fault
from tests.loopback.server import loopback
from tests.reviews.reviewing_model import Claims, council, faithful, model, said
from veritas import Review, approvals
from veritas.engine.staged_run import Waiting
from veritas.errors import InputError, StoreUnavailable, Unavailable
from veritas.report.review import write_review
from veritas.reviews.check_corpus import remove_papers
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_runs import replay, resume, start
from veritas.reviews.review_store import review_ids, reviews_folder
from veritas.store.open_file import SETTINGS
from veritas.store.packing import pack, unpack

TOPIC = "drying"
NAME = "drying"


def reviewed(**more: object) -> Review:
    return asyncio.run(start(ReviewRequest.model_validate({"topic": TOPIC, "corpus": NAME, **more})))


def states(made: Review) -> dict[str, int]:
    return {k: v for k, v in made.layers.model_dump().items() if v}


def test_without_a_model_every_sentence_is_a_quotation_that_stands_in_its_paper(corpus: Corpus) -> None:
    made = reviewed()
    quoted = [s for s in made.manuscript.sentences if s.kind == "quotation"]
    assert len(quoted) >= 4
    for sentence in quoted:
        (claim,) = [corpus.claim(i) for i in sentence.claim_ids]
        assert claim is not None
        text = corpus.document_text(claim.document_id)
        assert " ".join(text[claim.start : claim.end].split()) == sentence.text
        assert (sentence.cites[0].paper_key, sentence.cites[0].pages) == (claim.paper_key, (claim.page,))
    assert {v.verdict for v in made.first.verdicts} == {"VERIFIED"}
    assert "without a language model" in made.manuscript.note
    assert "Draft" in made.manuscript.note


def test_the_same_corpus_gives_the_same_review(corpus: Corpus) -> None:
    assert reviewed().content_hash() == reviewed().content_hash()


def test_what_the_corpus_does_not_speak_of_is_a_gap(corpus: Corpus) -> None:
    made = reviewed(topic="migration of arctic terns")
    assert {s.kind for s in made.manuscript.sentences} == {"gap"}
    assert all(s.text.startswith("[Citation needed: ") for s in made.manuscript.sentences)


def test_a_model_that_keeps_to_its_quotes_passes(corpus: Corpus, tmp_path: Path) -> None:
    with loopback(model(faithful)) as server:
        made = reviewed(council=council(tmp_path, server))
    assert made.manuscript.family == "crimson"
    assert {v.verdict for v in made.first.verdicts} == {"VERIFIED"}
    assert made.layers.passed >= 4
    lenses = {j.family for v in made.first.verdicts if v.decision for j in v.decision.judgments}
    assert lenses == {"olive", "navy"}
    assert made.calls


LIES = {
    "another number": lambda quote: quote.replace("30%", "55%").replace("1.2%", "4.2%").replace("-25", "-15"),
    "another condition": lambda quote: quote.replace("After freezing", "During primary drying"),
}


LIED_ABOUT = {"another number": "residual moisture", "another condition": "drying after freezing"}


@pytest.mark.parametrize("name", LIES)
def test_an_altered_quote_never_reaches_the_text(corpus: Corpus, tmp_path: Path, name: str) -> None:
    lied: list[str] = []

    def writes(claims: Claims) -> list[dict[str, object]]:
        made = []
        for key, quote in claims.items():
            text = LIES[name](quote)
            lied.extend([text] if text != quote else [])
            made.append(said(text, key))
        return made or faithful(claims)

    with loopback(model(writes)) as server:
        made = reviewed(council=council(tmp_path, server), topic=LIED_ABOUT[name])
    assert lied
    assert not {s.text for s in made.manuscript.sentences} & set(lied)
    assert made.layers.gaps + made.layers.reviewer >= len(set(lied))


def test_a_claim_pinned_on_the_wrong_paper_is_not_verified(corpus: Corpus, tmp_path: Path) -> None:
    def writes(claims: Claims) -> list[dict[str, object]]:
        ids = list(claims)
        turned = zip(ids, ids[1:] + ids[:1], strict=True)
        return [said(claims[a], b) for a, b in turned] if len(ids) > 1 else faithful(claims)

    def stubborn(sentence: str, claims: Claims) -> dict[str, object]:
        return said(sentence.partition("\n")[0], next(iter(claims)))

    with loopback(model(writes, stubborn)) as server:
        made = reviewed(council=council(tmp_path, server))
    for s in made.manuscript.sentences:
        if s.kind == "claim":
            backing = " ".join(c.verbatim for i in s.claim_ids if (c := corpus.claim(i)))
            papers = " ".join(
                corpus.document_text(corpus.paper(k).document_id).replace("\n", " ") for k in s.keys
            )
            assert s.text in backing or s.text in papers


def test_findings_go_back_once_and_what_is_mended_stands_in_the_text(corpus: Corpus, tmp_path: Path) -> None:
    with loopback(model(lambda claims: [said("The moon is made of frozen sucrose and trehalose.", next(iter(claims)))]
                        if claims else faithful(claims))) as server:
        made = reviewed(council=council(tmp_path, server))
        revisions = sum("You correct one sentence" in a.messages[0]["content"] for a in server.asked)
    assert made.layers.reviewer == revisions == len(made.revisions) > 0
    assert made.layers.restored == revisions
    assert "moon" not in " ".join(s.text for s in made.manuscript.sentences)


FALSE = "Moonlight cures every cold within an hour, as all trials agree."


@pytest.mark.parametrize("again", ["claim", "gap", "uncited"])
def test_no_falsehood_stands_in_the_text_in_whatever_form_it_comes(corpus: Corpus, tmp_path: Path, again: str) -> None:
    """Sentence, gap, transition without a claim or quotation: it is in the report and not in the text."""

    def writes(claims: Claims) -> list[dict[str, object]]:
        lies = [
            said(f"[Citation needed: {FALSE}]", kind="gap"),
            said(FALSE, kind="gap"),
            said(f"Turning to the next subject: {FALSE}"),
        ]
        if claims:
            key = next(iter(claims))
            lies += [said(f"{FALSE} ", key), said(f"“{FALSE}”", key, kind="quotation"), said(claims[key], key)]
        return lies

    def revises(sentence: str, claims: Claims) -> dict[str, object]:
        if again == "claim":
            return said(FALSE, next(iter(claims)))
        return said(f"[Citation needed: {FALSE}]", kind="gap") if again == "gap" else said(FALSE)

    with loopback(model(writes, revises)) as server:
        made = reviewed(council=council(tmp_path, server))
    text = made.manuscript.model_dump_json()
    assert "cures" not in text
    assert [s for s in made.manuscript.sentences if s.kind == "claim"]
    gaps = [s.text for s in made.manuscript.sentences if s.kind == "gap"]
    assert any("drafted sentences were left out, see report.html]" in gap for gap in gaps)
    assert len(gaps) == len(set(gaps))
    listed = " ".join((*(c.text for c in made.layer_one), *(e.sentence.text for e in made.left_out)))
    assert listed.count("cures") >= 4
    files = write_review(made, corpus, tmp_path / "out")
    for name in ("manuscript.tex", "manuscript.md"):
        assert "cures" not in files[name].read_text(encoding="utf-8")
    article, _, work = files["report.html"].read_text(encoding="utf-8").partition('<div class="sheet">')
    assert "cures" not in article
    assert "cures" in work


def test_what_is_given_up_is_a_gap_and_before_a_person(corpus: Corpus, tmp_path: Path) -> None:
    lie = "The shelf was heated by moonlight in every cycle."
    writes = lambda claims: [said(lie, next(iter(claims)))] if claims else faithful(claims)  # noqa: E731
    with loopback(model(writes, lambda s, c: said("[Citation needed: heating]", kind="gap"))) as server:
        made = reviewed(council=council(tmp_path, server))
    assert made.left_out
    assert all(e.state == "pending" and e.approval_id for e in made.left_out)
    waiting = {a.approval_id: a for a in approvals.pending()}
    asked = waiting[made.left_out[0].approval_id or ""]
    assert "You probably expected" in asked.sentence
    assert asked.case.passages


def test_a_person_lets_in_by_name_and_withdraws(corpus: Corpus, tmp_path: Path) -> None:
    lie = "The shelf was heated by moonlight in every cycle."
    writes = lambda claims: [said(lie, next(iter(claims)))] if claims else faithful(claims)  # noqa: E731
    with loopback(model(writes, lambda s, c: said("[Citation needed: heating]", kind="gap"))) as server:
        made = reviewed(council=council(tmp_path, server))
        key = made.left_out[0].approval_id or ""
        approvals.settle(key, "approve", "Ada Lovelace", "I was there")
        again = asyncio.run(resume(made.review_id))
        (let_in,) = [s for s in again.manuscript.sentences if s.let_in]
        assert let_in.let_in == "Ada Lovelace (unsigned): I was there"
        assert let_in.claim_ids
        approvals.withdraw(key, "Ada Lovelace", "I was mistaken")
        after = asyncio.run(resume(made.review_id))
    assert not [s for s in after.manuscript.sentences if s.let_in]
    files = write_review(again, corpus, tmp_path / "out")
    for name in ("manuscript.tex", "manuscript.md", "report.html"):
        assert "Ada Lovelace" in files[name].read_text(encoding="utf-8")


def test_what_cites_no_claim_cannot_be_let_in(corpus: Corpus, tmp_path: Path) -> None:
    writes = lambda claims: [said("The moon is made of sucrose.")]  # noqa: E731
    with loopback(model(writes, lambda s, c: said("Still the moon is made of sucrose."))) as server:
        made = reviewed(council=council(tmp_path, server))
    assert made.layers.gaps == made.layers.drafted
    assert {c.problem for c in made.layer_one} == {"no-citation"}
    assert not made.left_out


def test_a_judge_of_the_writers_family_alone_verifies_nothing(corpus: Corpus, tmp_path: Path) -> None:
    with loopback(model(faithful)) as server:
        made = reviewed(council=council(tmp_path, server, judges=()))
    prose = [v for v in made.first.verdicts if v.decision is not None]
    assert prose
    assert {v.verdict for v in prose} == {"UNAVAILABLE"}
    assert {s.kind for s in made.manuscript.sentences} == {"gap"}


def test_a_dead_model_ends_clearly_and_resumes(corpus: Corpus, tmp_path: Path) -> None:
    working = model(faithful)
    alive = False
    with loopback(lambda asked: working(asked) if alive else http_fault(500)) as server:
        file = council(tmp_path, server)
        with pytest.raises(Unavailable, match="--resume review-") as problem:
            reviewed(council=file)
        alive = True
        made = asyncio.run(resume(str(problem.value).rpartition("--resume ")[2].strip()))
    assert made.layers.passed >= 4


def test_an_answered_call_is_not_made_again(corpus: Corpus, tmp_path: Path) -> None:
    with loopback(model(faithful)) as server:
        made = reviewed(council=council(tmp_path, server))
        asked = len(server.asked)
        again = asyncio.run(replay(made.review_id, "write"))
        assert len(server.asked) == asked
    assert again.content_hash() == made.content_hash()
    assert all(call.from_ledger for call in again.calls if call.turn == "write")


def review_file(review_id: str) -> Path:
    return reviews_folder() / "runs" / f"{review_id}.duckdb"


def test_a_replay_is_a_child_and_leaves_its_parent_alone(corpus: Corpus) -> None:
    made = reviewed()
    before = review_file(made.review_id).read_bytes()
    child = asyncio.run(replay(made.review_id, "review"))
    assert child.parent_review_id == made.review_id
    assert child.review_id != made.review_id
    assert child.draft == made.draft
    assert review_file(made.review_id).read_bytes() == before
    assert [t.from_store for t in child.timings] == [True, True, False, False]


def test_a_corpus_that_lost_what_is_cited_is_not_gone_on_with(corpus: Corpus) -> None:
    made = reviewed()
    remove_papers(corpus, ["patel2005"])
    with pytest.raises(InputError, match="--replay"):
        asyncio.run(resume(made.review_id))


def test_a_replay_of_stages_from_another_corpus_is_refused(corpus: Corpus) -> None:
    made = reviewed()
    remove_papers(corpus, ["patel2005"])
    with pytest.raises(InputError, match="--from retrieve"):
        asyncio.run(replay(made.review_id, "review"))
    child = asyncio.run(replay(made.review_id, "retrieve"))
    assert set(child.manuscript.keys) <= {"tang2005"}


def test_a_tampered_stage_is_noticed(corpus: Corpus) -> None:
    made = reviewed()
    with duckdb.connect(str(review_file(made.review_id)), config=SETTINGS) as connection:
        (packed,) = connection.execute("SELECT document FROM outputs WHERE name = 'stage:write'").fetchall()[0]
        stored = json.loads(unpack(packed))
        stored["output"]["draft"]["title"] = "Something else"
        changed = pack(json.dumps(stored))
        connection.execute("UPDATE outputs SET document = ? WHERE name = 'stage:write'", [changed])
    with pytest.raises(StoreUnavailable, match="was changed"):
        asyncio.run(resume(made.review_id))


def test_the_first_stop_waits_until_the_corpus_is_approved(corpus: Corpus) -> None:
    with pytest.raises(Waiting) as stopped:
        reviewed(stop=True)
    approvals.settle(stopped.value.approval_id, "approve", "Grace Hopper", "I chose these papers")
    made = asyncio.run(resume(stopped.value.run_id))
    assert made.corpus_stop.by == "Grace Hopper (unsigned): I chose these papers"
    assert not made.approved
    approvals.settle(made.text_stop.approval_id, "approve", "Grace Hopper", "I read it all")
    done = asyncio.run(resume(made.review_id))
    assert done.approved
    assert "Draft" not in done.manuscript.note


def test_a_rejected_corpus_is_not_written_from(corpus: Corpus) -> None:
    with pytest.raises(Waiting) as stopped:
        reviewed(stop=True)
    approvals.settle(stopped.value.approval_id, "reject", "Grace Hopper", "half of it is missing")
    with pytest.raises(InputError, match="half of it is missing"):
        asyncio.run(resume(stopped.value.run_id))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"topic": " \n"}, "needs a topic"),
        ({"corpus": "nothing"}, "no corpus"),
        ({"structure": "haiku"}, "imrad, thematic"),
    ],
)
def test_bad_requests_are_refused_before_anything_is_made(corpus: Corpus, more: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        reviewed(**more)
    assert not review_ids()


def test_a_structure_of_ones_own_and_a_broken_one(corpus: Corpus, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text('title: "On {topic}"\nsections:\n  - {id: all, title: Everything, most: 3}\n', encoding="utf-8")
    made = reviewed(structure=str(own))
    assert made.manuscript.title == f"On {TOPIC}"
    assert [s.title for s in made.manuscript.sections] == ["Everything"]
    own.write_text("sections:\n  - {id: all, title: Everything, mots: 3}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"own\.yaml:2"):
        reviewed(structure=str(own))


def test_the_files_hold_the_same_keys_and_nothing_else_is_cited(corpus: Corpus, tmp_path: Path) -> None:
    made = reviewed()
    files = write_review(made, corpus, tmp_path / "out")
    tex = files["manuscript.tex"].read_text(encoding="utf-8")
    bib = files["references.bib"].read_text(encoding="utf-8")
    for key in made.manuscript.keys:
        assert f"{{{key}}}" in tex
        assert f"{{{key}," in bib
        assert f"@{key}" in files["manuscript.md"].read_text(encoding="utf-8")
    assert Review.model_validate_json(files["review.json"].read_text(encoding="utf-8")) == made


def test_the_latex_compiles(corpus: Corpus, tmp_path: Path) -> None:
    if shutil.which("lualatex") is None or shutil.which("biber") is None:
        pytest.skip("no TeX here")
    made = reviewed()
    first = made.manuscript.sentences[0]
    hostile = first.model_copy(update={"text": r"\input{/etc/passwd} $x_1$ & 5% #1 {a} ~ ^ β α 中 “q” <b> µm 10⁻³ é"})
    text = made.manuscript.model_copy(update={"sentences": (hostile, *made.manuscript.sentences[1:])})
    made = made.model_copy(update={"manuscript": text})
    folder = tmp_path / "tex"
    write_review(made, corpus, folder)
    for command in ("lualatex", "biber", "lualatex", "lualatex"):
        arguments = ["-interaction=nonstopmode", "-halt-on-error"] if command == "lualatex" else []
        done = subprocess.run([command, *arguments, "manuscript"], cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-800:]
    log = (folder / "manuscript.log").read_text(encoding="utf-8", errors="replace")
    assert "undefined" not in log
    assert (folder / "manuscript.pdf").stat().st_size > 5_000


def test_a_folder_that_cannot_be_written_keeps_what_it_holds(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(StoreUnavailable):
        write_review(reviewed(), corpus, tmp_path / "file")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_hostile_titles_and_quotes_stay_text(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    said = "The drying rate rose by 12% in the chamber of the dryer."
    title = "# <img src=x onerror=alert(1)> \\input{x}"
    (folder / "evil.md").write_text(f"{title}\n\n## Results\n\n{said}\n", encoding="utf-8")
    asyncio.run(add_wanted(Wanted(name="evil", paths=(folder,))))
    made = reviewed(corpus="evil", topic="drying rate <script>alert(1)</script> [@made] \\input{x}")
    files = write_review(made, Corpus.open("evil"), tmp_path / "out")
    page = files["report.html"].read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "<img src" not in page
    assert "\\input{x}" not in files["manuscript.tex"].read_text(encoding="utf-8")
    assert "[@made]" not in files["manuscript.md"].read_text(encoding="utf-8")


def test_two_reviews_at_once_do_not_disturb_each_other(corpus: Corpus) -> None:
    async def both() -> list[Review]:
        request = ReviewRequest(topic=TOPIC, corpus=NAME)
        return list(await asyncio.gather(start(request), start(request)))

    one, other = asyncio.run(both())
    assert one.review_id != other.review_id
    assert one.content_hash() == other.content_hash()
    assert states(one) == states(other)
