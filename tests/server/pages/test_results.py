"""An answer with its evidence, why anything is in it, two runs side by side; the library; checks; cases."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.pumps import QUESTION
from tests.server.pages.conftest import HOSTILE, Opened
from tests.server.pages.pages import Page, check_frame
from veritas import approvals
from veritas.approvals._gate_cases import OPTIONS
from veritas.claims.answer import Answer
from veritas.claims.graph import STAGES
from veritas.claims.judgment import Judgment
from veritas.report.page_parts import environment
from veritas.report.wording import lacking
from veritas.server.pages import answers
from veritas.server.pages.check import VERDICT_WORDS
from veritas.server.pages.frame import rendered, templates
from veritas.server.pages.work import ALIKE, FINDINGS, _folded
from veritas.use_cases import background
from veritas.use_cases.run_archive import load_run

CLAIM = "The Borealis pump needs no oil."


def test_an_answer_has_the_passage_tier_judge_and_day_behind_each_reference(opened: Opened, finished: str) -> None:
    page = opened(f"/runs/{finished}")
    assert page.texts("h1") == [QUESTION]
    shown = {attributes["id"] for _, attributes, _ in page.elements if "id" in attributes}
    marks = page.all("a", class_="cite")
    assert marks
    for attributes, _ in marks:
        claims = attributes["data-evidence"].replace("+", " ").split()
        assert claims
        assert set(claims) <= shown
    assert any("The Borealis pump needs no oil" in text for text in page.texts("mark"))
    assert any("tier 1" in text and "fetched" in text for text in page.texts("figcaption"))
    assert any("by embedded" in text or "(embedded" in text for text in page.texts("span", class_="by"))
    exports = [attributes["href"] for attributes, _ in page.all("a") if "export?" in attributes.get("href", "")]
    assert f"/api/v1/runs/{finished}/export?format=html" in exports


def test_why_shows_the_chain_and_asks_back_where_several_are_meant(opened: Opened, finished: str) -> None:
    page = opened(f"/runs/{finished}/why?about=[1]")
    assert page.texts("p", class_="because")[0].startswith("In: ")
    several = opened(f"/runs/{finished}/why?about=borealis")
    assert "may be meant" in several.texts("p", class_="finding")[0]
    assert [attributes for attributes, _ in several.all("a") if attributes.get("href", "").startswith("?about=")]
    assert "nothing in run" in opened(f"/runs/{finished}/why?about=zeppelin").texts("p", class_="finding")[0]


def test_a_kept_page_is_that_of_the_run_as_it_is_now(
    opened: Opened, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened(f"/runs/{finished}").source
    assert opened(f"/runs/{finished}").source == first
    other = load_run(finished)
    other = other.model_copy(update={"run": other.run.model_copy(update={"question": "Settled since?"})})
    monkeypatch.setattr(answers, "load_run", lambda *given, **named: other)
    assert "Settled since?" in opened(f"/runs/{finished}").source


def test_two_runs_stand_side_by_side(opened: Opened, browse: Callable[..., Any], finished: str) -> None:
    page = opened(f"/runs/{finished}/compare/{finished}")
    assert "The findings are the same." in page.text
    assert len(page.all("section", class_="side")) == 2
    answer = browse().get(f"/compare?first={finished}&second={finished}")
    assert answer.headers["location"] == f"/runs/{finished}/compare/{finished}"
    assert browse().get("/compare?first=//evil.example&second=x").status_code == 422


@pytest.mark.usefixtures("no_process")
def test_a_replay_under_way_shows_its_question(opened: Opened, browse: Callable[..., Any], finished: str) -> None:
    assert len(opened(f"/runs/{finished}/replay").all("input", name="from_stage")) == len(STAGES)
    begun = browse().post(f"/runs/{finished}/replay", data={"from_stage": "decompose"})
    assert begun.status_code == 303, begun.text
    assert opened(begun.headers["location"]).texts("h1") == [QUESTION]


def test_a_run_that_is_not_finished_has_no_reasons_yet(opened: Opened, no_process: None) -> None:
    job = background.begin("What does it weigh?", corpus="package:pytest")
    assert opened(f"/runs/{job.run_id}/why").status == 409
    (row,) = [text for text in opened("/library").texts("li") if "What does it weigh?" in text]
    assert "waits in line" in row


def test_the_library_tells_what_matched(opened: Opened, finished: str) -> None:
    page = opened("/library?q=graphite&within=claim&verdict=supports")
    assert "graphite" in page.texts("p", class_="match")[0]
    assert page.all("a", href=f"/runs/{finished}")
    assert "Nothing is found" in opened("/library?q=zeppelin").text
    source = opened("/sources?url=https://www.reddit.com/r/pumps/comments/1/borealis")
    assert "turned away" in source.texts("p", class_="finding")[0]
    assert "Rejected" in source.texts("span", **{"data-status": "rejected"})
    assert opened("/sources?url=https://nowhere.example/").status == 404


def test_no_template_of_the_pages_hides_one_of_the_report(app: Any) -> None:
    own = set(templates().loader.loaders[0].list_templates())  # type: ignore[union-attr]
    for name in own:
        with pytest.raises(FileNotFoundError):
            environment().get_template(name)


# -- checks


def test_a_text_a_claim_and_a_passage_are_checked(browse: Callable[..., Any], root: Path) -> None:
    client = browse()
    page = Page(client.post("/check", data={"text": f"It is so [@nobody2020]. {HOSTILE}", "name": "a.md"}))
    check_frame(page)
    assert page.text.count("No project was") == 1
    assert page.texts("h2")[-1] == "Citations not checked", "without a project nothing is said against a citation"
    for text, headline in (("\\cite{nobody2020}", "Citations not checked"), ("It is so.", "No citation was found")):
        assert Page(client.post("/check", data={"text": text, "name": "a.tex"})).texts("h2")[-1] == headline
    told = {"text": "It is so [@nobody2020].", "name": "a.md", "project": "library"}
    assert "not checked" in Page(client.post("/check", data=told)).texts("span", class_="verdict")
    (form, _) = page.all("form", class_="form")[0]
    assert form["action"].endswith("#result")
    assert page.all("section", id="result", tabindex="-1")
    assert page.texts("textarea", id="text")[0].startswith("It is so")
    page = Page(client.post("/check/passage", data={"claim": "It needs oil.", "passage": "It needs no oil."}))
    check_frame(page)
    assert "Refuted" in page.texts("h2")[-1]
    page = Page(client.post("/check/claim", data={"claim": CLAIM, "corpus": "library/pumps.jsonl"}))
    check_frame(page)
    assert "Supported" in page.texts("h2")[0]
    assert any("needs no oil" in text for text in page.texts("mark"))
    page = Page(client.post("/check/claim", data={"claim": CLAIM, "corpus": "library"}))
    assert "library has 1 × .jsonl" in page.texts("p", role="alert")[0]
    assert str(root) not in page.source, "no path of this machine is told"
    for path in ("/check", "/check/claim", "/check/passage"):
        assert Page(client.post(path, data={"claim": "It is."})).texts("p", role="alert"), path


@pytest.mark.usefixtures("no_process")
@pytest.mark.parametrize("way", ["files", "pasted", "document"])
def test_a_bibliography_is_begun_and_watched(
    browse: Callable[..., Any], opened: Opened, root: Path, way: str
) -> None:
    entry = "@article{a, title={Attention is all you need}, year={2017}}"
    (root / "refs.bib").write_text(entry)
    if way == "files":
        answer = browse().post("/check/bibliography", files=[("files", ("../r.bib", entry.encode(), "text/plain"))])
    else:
        asked = {way: entry if way == "pasted" else "library/refs.bib", "profile": "strict"}
        answer = browse().post("/check/bibliography", data=asked | ({"pages": "yes"} if way == "pasted" else {}))
    assert answer.status_code == 303, answer.text
    (job,) = background.list_jobs()
    assert job.wanted.work == "bibliography"
    wanted = {"files": (None, None), "pasted": ("strict", True), "document": ("strict", None)}[way]
    assert (job.wanted.settings["profile"], job.wanted.settings["pages"]) == wanted
    page = opened(answer.headers["location"])
    check_frame(page)
    assert page.all("div", **{"data-then": "/work/"})
    assert page.texts("a", **{"aria-current": "true"}) == ["Check"], "the area in which it was begun"
    assert browse().post(f"/work/{job.run_id}/stop").status_code == 303
    assert "stopped" in opened(f"/work/{job.run_id}").texts("p", role="status")[0]


@pytest.mark.usefixtures("no_process")
def test_a_paper_and_a_corpus_are_begun(browse: Callable[..., Any], opened: Opened) -> None:
    answer = browse().post("/papers", files=[("paper", ("p q.md", b"# A paper", "text/plain"))], data={"budget": "1"})
    assert answer.status_code == 303, answer.text
    assert "p q.md" in opened(answer.headers["location"]).text
    assert "p q.md" in opened("/papers").text
    assert Page(browse().post("/papers", data={})).texts("p", role="alert")
    assert opened("/papers").all("input", type="checkbox", name="corpus", value="library")
    paper = ("paper", ("q.md", b"# Another paper", "text/plain"))
    begun = browse().post("/papers", files=[paper], data={"corpus": "library"})
    job = background.find_job(begun.headers["location"].rpartition("/")[2])
    assert [Path(each).name for each in job.wanted.settings["corpus"]] == ["library"]
    answer = browse().post("/reviews/corpora", data={"name": "pumps", "corpus": "library"})
    assert answer.status_code == 303, answer.text
    assert {job.wanted.work for job in background.list_jobs()} == {"paper", "corpus"}
    assert "Nothing was asked yet" in opened("/library").text, "it is no run"
    for fields in ({"name": "../x", "corpus": "library"}, {"name": "pumps"}):
        page = Page(browse().post("/reviews/corpora", data=fields))
        check_frame(page)
        assert page.texts("p", role="alert")


# -- approvals


def case_of_a_claim() -> approvals.Approval:
    said = Judgment(label="unavailable", score=0, rationale=f"timed out {HOSTILE}", lens="judge", family="x")
    case = approvals.Case(
        claim=f"The pump needs oil {HOSTILE}", question="Does it?", judgments=(said,),
        passages=(approvals.CasePassage(text=f"It needs oil. {HOSTILE}", source="Manual", url="javascript:alert(1)"),),
    )  # fmt: skip
    sentence = "You probably expected this claim in the answer; I left it out; override with: veritas approve d-1"
    until = datetime.now(UTC) + timedelta(days=1)
    asked = approvals.ask(
        "citation", "n-1", sentence, case, decision_id="d-1", options=OPTIONS, expires_at=until
    )
    return asyncio.run(asked)


def test_a_case_shows_all_that_a_decision_needs_and_is_decided(browse: Callable[..., Any], opened: Opened) -> None:
    asked = case_of_a_claim()
    inbox = opened("/approvals")
    check_frame(inbox)
    assert "You probably expected" in inbox.text
    page = opened(f"/approvals/{asked.approval_id}")
    check_frame(page)
    assert "You probably expected" in page.texts("p", class_="finding")[0]
    assert page.texts("p", class_="finding")[0].endswith("I left it out."), "buttons settle it here, and no command"
    ways = [option.split(":")[0] for option in page.texts("li") if option in OPTIONS]
    assert [*page.texts("button", name="verdict"), "Do nothing"] == [way.capitalize() for way in ways]
    assert "It needs oil." in page.texts("mark")[0]
    assert "timed out" in page.text
    (seen, _) = page.all("input", name="seen")[0]
    fields = {"name": "Ada Lovelace", "reason": "Page 3 says so.", "verdict": "approve", "seen": seen["value"]}
    lacking = Page(browse().post(f"/approvals/{asked.approval_id}", data={**fields, "name": ""}))
    assert "name" in lacking.texts("p", role="alert")[0]
    assert lacking.texts("textarea", id="reason") == ["Page 3 says so."]
    other = Page(browse().post(f"/approvals/{asked.approval_id}", data={**fields, "seen": "0" * 64}))
    assert "not the one that you read" in other.texts("p", role="alert")[0]
    assert approvals.find(asked.approval_id).state() == "pending"
    assert browse().post(f"/approvals/{asked.approval_id}", data=fields).status_code == 303
    decided = approvals.find(asked.approval_id)
    assert [each.name for each in decided.decisions] == ["Ada Lovelace"]
    assert opened("/approvals").all("li", class_="none")
    assert "Ada Lovelace" in opened(f"/approvals/{asked.approval_id}").text


def test_whoever_may_not_approve_sees_a_case_and_cannot_decide_it(browse: Callable[..., Any], opened: Opened) -> None:
    asked = case_of_a_claim()
    page = opened(f"/approvals/{asked.approval_id}", "run")
    assert "needs a token with the role approve" in page.text
    assert not page.all("form", method="post")
    assert browse("run").post(f"/approvals/{asked.approval_id}", data={"verdict": "approve"}).status_code == 403
    assert approvals.find(asked.approval_id).state() == "pending"


def test_a_bibliography_to_download_names_what_is_still_in_it_although_it_is_doubted() -> None:
    entries = [
        {"key": key, "verdict": verdict, "line": 1, "title": "T", "reason": "r", "differences": [], "match": None,
         "corrected": corrected}
        for key, verdict, corrected in (
            ("nobody2020", "fabricated", None), ("ada1843", "verified", None), ("babbage1837", "minor", "@book{b,}"),
        )
    ]  # fmt: skip
    counts = dict.fromkeys(FINDINGS, 0) | {"fabricated": 1, "verified": 1}
    work = {"id": "w", "asked_at": datetime.now(UTC)}
    values: dict[str, Any] = {"entries": entries, "told": entries, "unanswered": []}
    values |= {"counts": counts, "words": VERDICT_WORDS, "order": FINDINGS, "about": "refs.bib"}
    source = rendered(None, "bibliography.html", work=work, mended=True, **values)
    (said,) = Page(SimpleNamespace(text=source, status_code=200)).texts("p", class_="finding")
    assert "Nothing is taken out" in said
    assert "nobody2020" in said
    assert "ada1843" not in said
    assert "corrected.bib" in source
    values["entries"] = values["told"] = entries[:2]
    plain = rendered(None, "bibliography.html", work=work, mended=True, **values)
    assert "corrected.bib" not in plain, "where nothing is corrected there is nothing to download"


def test_entries_of_which_nobody_said_anything_are_told_together_and_all_others_alone() -> None:
    def entry(key: str, verdict: str, reason: str, differences: tuple[str, ...] = ()) -> dict[str, Any]:
        return {"key": key, "verdict": verdict, "reason": reason, "differences": list(differences)}

    silent = [entry(f"a{number}", "unavailable", "nobody was asked") for number in range(ALIKE)]
    others = [entry("b1", "unavailable", "crossref failed"), entry("c1", "fabricated", "nobody was asked"),
              entry("d1", "unavailable", "nobody was asked", ("year",))]  # fmt: skip
    assert _folded([*others, *silent]) == (others, [("nobody was asked", silent)])
    assert _folded([*others, *silent[1:]]) == ([*others, *silent[1:]], []), "few are told one by one"


def test_what_is_no_address_is_called_so_and_has_no_uses(opened: Opened) -> None:
    for given in ("not an address", "mailto:ada@example.org", "http://"):
        page = opened(f"/check/source?url={given}")
        assert page.texts("h2", id="result-title") == ["That is no address of a web page"], given
        assert "Where it was used" not in page.text
    page = opened("/check/source?url=https://example.org/a")
    assert "Where it was used" in page.text, "an address of which no rule is known is one"


def test_a_fate_is_told_without_the_hash_of_a_text() -> None:
    shown = templates().filters["without_hash"]
    assert shown("read, tier 1, by corpus, text 49a5d4acc5f8: late") == "read, tier 1, by corpus: late"
    assert shown("read, tier 2, by the text deadbeef") == "read, tier 2, by the text deadbeef"


def test_why_nothing_is_answered_ends_like_a_sentence() -> None:
    for reason, said in (("none answers", "None answers."), ("is it?", "Is it?"), ("", "settle the question.")):
        answer = Answer(status="insufficient_evidence", reason=reason)
        assert lacking(answer).endswith(said)
