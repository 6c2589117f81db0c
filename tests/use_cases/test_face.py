"""The public face: every name is there, typed, quick to import; it works in a script, a coroutine and a notebook."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import veritas
from tests.papers.pump_papers import write_paper
from tests.pumps import QUESTION, write_corpus
from veritas import aio
from veritas.use_cases import events


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    return Path(write_corpus(tmp_path))


def test_every_name_of_the_face_is_there_and_nothing_else_is_made_up() -> None:
    for name in veritas.__all__:
        assert getattr(veritas, name) is not None
    with pytest.raises(AttributeError, match="reserch"):
        _ = veritas.reserch  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [n for n in veritas.__all__ if inspect.isfunction(getattr(veritas, n))])
def test_every_function_of_the_face_says_what_it_takes_and_gives(name: str) -> None:
    function = getattr(veritas, name)
    signature = inspect.signature(function)
    assert function.__doc__
    assert " at 0x" not in str(signature), "a default is a value, and no function of ours"
    of_store = ("list_", "load_", "open_", "add_", "write_", "render_", "research", "resume", "replay", "stream")
    assert "home" in signature.parameters or not name.startswith((*of_store, "audit_paper", "cancel", "diff", "why"))
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
        assert parameter.kind is not inspect.Parameter.VAR_KEYWORD, "settings are named, each with its type"


def test_aio_has_every_function_of_the_face_and_no_others() -> None:
    functions = {name for name in veritas.__all__ if inspect.isroutine(getattr(veritas, name))}
    assert set(aio.__all__) == functions
    for name in aio.__all__:
        assert inspect.iscoroutinefunction(getattr(aio, name)) or inspect.isasyncgenfunction(getattr(aio, name))


GOOD = """
import asyncio
import veritas
from veritas import ClaimGraph, aio

graph: ClaimGraph = veritas.research("x?", corpus="docs/", tier="quick", budget=1)
text: str = veritas.render_report("latest", "html", home="store")
veritas.write_report(graph, home="store")
veritas.open_corpus("pumps", home="store")
verdict: veritas.TierVerdict = asyncio.run(aio.tier("https://a.example"))
again: ClaimGraph = asyncio.run(aio.load_run())
"""
BAD = """
import asyncio
import veritas
from veritas import aio
veritas.nope
veritas.research("x?", corpus="docs/", tier="qiuck")
veritas.render_report("latest", "pdf")
veritas.replay("latest", "sinthesize")
veritas.research("x?", home=3)
veritas.load_run(run_id="latest")
text: int = veritas.render_report("latest")
asyncio.run(aio.load_run(5))
aio.nope
"""


def test_a_type_checker_knows_every_name_and_value_of_the_face(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    root = Path(veritas.__file__).parents[1]
    command = [
        sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={root / '.mypy_cache' / 'face'}",
        "--follow-imports=silent", "--no-error-summary", str(tmp_path / "good.py"), str(tmp_path / "bad.py"),
    ]  # fmt: skip
    said = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=600).stdout
    wrong = {line.split(": error:")[0] for line in said.splitlines() if ": error:" in line}
    assert {Path(each.split(":")[0]).name for each in wrong} == {"bad.py"}, said
    expected = range(5, BAD.count("\n") + 1)
    assert sorted(int(each.split(":")[1]) for each in wrong) == list(expected), said


def test_importing_the_package_loads_nothing_that_is_slow() -> None:
    slow = ("pydantic", "duckdb", "litellm", "prefect", "httpx")
    code = f"import sys, veritas; print([name for name in {slow} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert said.stdout.strip() == "[]"


def test_a_question_is_answered_stored_loaded_and_replayed(corpus: Path, tmp_path: Path) -> None:
    graph = veritas.research(QUESTION, corpus=corpus, tier="quick")
    assert graph.answer.status == "answered"
    assert veritas.load_run() == graph
    assert [run.run_id for run in veritas.list_runs()] == [graph.run.run_id]
    again = veritas.replay("latest", "synthesize")
    assert again.run.parent_run_id == graph.run.run_id
    assert veritas.diff_runs(graph, again).same
    files = veritas.write_report(graph, tmp_path / "report")
    assert all(path.is_file() for path in files.values())


def test_no_answer_is_put_under_another_policy_than_it_was_written_under(corpus: Path, tmp_path: Path) -> None:
    veritas.research(QUESTION, corpus=corpus, tier="quick")
    assert veritas.replay("latest", "render").answer.status == "answered"
    other = tmp_path / "other.yaml"
    other.write_text("name: other\ngroups:\n  a:\n    tier: 2\n    why: w\n    sites: {pumps.example: Pumps}\n")
    with pytest.raises(veritas.InputError, match="replay from synthesize or earlier"):
        veritas.replay("latest", "render", policy=other)
    assert veritas.replay("latest", "synthesize", policy=other).answer.status == "answered"


async def test_a_coroutine_and_a_notebook_get_the_same_answer(corpus: Path) -> None:
    """A notebook runs a loop in the thread that calls: the plain function must work there."""
    waited = await aio.research(QUESTION, corpus=[corpus], tier="quick")
    blocked = veritas.research(QUESTION, corpus=corpus, tier="quick")
    assert waited.content_hash() == blocked.content_hash()


async def test_a_stream_tells_every_stage_and_ends_with_the_graph(corpus: Path) -> None:
    heard = [event async for event in aio.stream(QUESTION, corpus=corpus, tier="quick")]
    done = [event.stage for event in heard if isinstance(event, events.StageDone)]
    assert done == ["decompose", "research", "extract", "verify", "debate", "synthesize", "render"]
    assert isinstance(heard[-1], events.RunEnded)
    assert veritas.load_run() == heard[-1].graph


async def test_a_stream_raises_what_the_run_raises(corpus: Path) -> None:
    with pytest.raises(veritas.InputError, match="no cost tier"):
        async for _ in aio.stream(QUESTION, corpus=corpus, tier="nonsense"):
            pass


async def test_who_stops_listening_stops_the_run_and_it_can_be_resumed(corpus: Path) -> None:
    listening: Any = aio.stream(QUESTION, corpus=corpus, tier="quick")
    async for event in listening:
        if isinstance(event, events.StageDone) and event.stage == "extract":
            break
    await listening.aclose()
    (cut,) = await asyncio.to_thread(veritas.list_runs)
    assert cut.status == "interrupted"
    graph = await aio.resume(cut.run_id)
    assert graph.answer.status == "answered"


def test_a_run_an_audit_and_a_report_in_one_form(corpus: Path, tmp_path: Path) -> None:
    graph = veritas.research(QUESTION, corpus=corpus, tier="quick")
    assert veritas.render_report(graph, "markdown") == veritas.render_report("latest", "markdown")
    assert QUESTION in veritas.render_report(graph, "terminal")
    with pytest.raises(veritas.InputError, match="no report renderer 'papyrus'; there are html, json, markdown"):
        veritas.render_report(graph, "papyrus")
    audit = veritas.audit_paper(write_paper(tmp_path), graphs=1)
    assert veritas.resume_paper_audit(audit.audit_id) == veritas.load_paper_audit() == audit
    files = veritas.write_report(audit, tmp_path / "audit")
    assert set(files) >= {"report.html", "audit.json"}
    assert all(path.is_file() for path in files.values())
    assert veritas.write_report(audit)["report.html"].parent.name == audit.audit_id
    assert veritas.list_reviews() == []
    with pytest.raises(veritas.UnknownRun, match="nothing to cancel"):
        veritas.cancel()


def test_results_show_themselves_and_strangers_words_do_nothing_there(corpus: Path) -> None:
    graph = veritas.research(QUESTION, corpus=corpus, tier="quick")
    assert repr(graph).startswith(f"<ClaimGraph {graph.run.run_id}: ")
    assert len(repr(graph)) < 200
    assert QUESTION in str(graph)
    assert "[1]" in str(graph)
    html = graph._repr_html_()
    assert "<ol>" in html
    hostile = graph.model_copy(update={"run": graph.run.model_copy(update={"question": "<script>\x1b[2J</script>"})})
    assert "<script>" not in hostile._repr_html_()
    assert "\x1b" not in str(hostile)


WRONG = {
    "a corpus that is a number": (lambda: veritas.research(QUESTION, corpus=3), "corpus is of type int"),
    "a path that is a number": (lambda: veritas.research(QUESTION, corpus=[3]), "corpus holds something of type int"),
    "an empty path to verify in": (lambda: veritas.verify("Pumps fail.", corpus=""), "corpus is an empty path"),
    "bytes for a question": (lambda: veritas.research(b"What fails?"), "question is of type bytes"),
    "a budget in words": (lambda: veritas.research(QUESTION, budget="much"), "budget is 'much'"),
    "nothing to go on with": (lambda: veritas.resume(None), "run is None"),
    "nothing compared": (lambda: veritas.diff_runs(None, None), "run is None"),
    "an id for a graph": (lambda: veritas.write_report("latest", "folder"), "result is of type str"),
    "a claim that is none": (lambda: veritas.judge(None, "Pumps fail."), "claim is None"),
    "nothing verified": (lambda: veritas.verify(None, corpus="docs"), "claim is None"),
    "an audit that is a number": (lambda: veritas.load_paper_audit(3), "audit is of type int"),
    "a claim to cite that is none": (lambda: veritas.cite(None, offline=True), "claim is None"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_no_function_can_use_is_said_by_its_name(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    call, said = WRONG[wrong]
    with pytest.raises(veritas.InputError, match=said):
        call()
