"""Living questions: asked at the price of what is new, and told of only where something changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import veritas
from tests.in_process import veritas as command
from tests.pumps import QUESTION, ROWS
from veritas import ClaimGraph, InputError
from veritas.report.living_notice import entry_text
from veritas.use_cases import living
from veritas.use_cases._living_changes import changes_between
from veritas.use_cases.run_archive import diff_runs
from veritas.use_cases.runners import Asked, in_process
from veritas.use_cases.runs import Silent

DOI = "10.1000/pump"


def write(folder: Path, rows: list[dict[str, str]]) -> Path:
    path = folder / "pumps.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write(tmp_path, ROWS)


async def nobody(graph: ClaimGraph) -> Mapping[str, str]:
    return {}


async def test_a_question_is_asked_again_only_when_its_inputs_changed(corpus: Path) -> None:
    made = living.add(QUESTION, name="pump", corpus=corpus, tier="quick")
    assert [each.name for each in living.questions()] == ["pump"]
    first = await living.ask_again("pump", standings=nobody)
    assert (first.state, first.entry) == ("first", None)
    assert living.last_run("pump") == first.run

    again = await living.ask_again("pump", standings=nobody)
    assert (again.state, again.run, again.cost_usd) == ("not asked", first.run, 0.0)
    assert [run.run_id for run in veritas.list_runs()] == [first.run]
    assert not living.entries("pump")  # nothing changed: nothing is told

    write(corpus.parent, [*ROWS, {"id": "other", "title": "Cats", "text": "Cats sleep for most of the day."}])
    same = await living.ask_again("pump", standings=nobody)
    assert (same.state, same.entry) == ("same", None)
    replayed = veritas.load_run(same.run or "")
    assert (replayed.run.parent_run_id, replayed.run.replayed_from) == (first.run, "research")
    assert (await living.ask_again("pump", standings=nobody)).state == "not asked"
    assert made.settings["tier"] == "quick"


async def test_what_changed_is_told_with_its_cause_in_an_entry(corpus: Path) -> None:
    living.add(QUESTION, name="pump", corpus=corpus, tier="quick")
    first = await living.ask_again("pump", standings=nobody)
    write(corpus.parent, [{**row, "text": row["text"].replace("40 litres", "55 litres")} for row in ROWS])
    changed = await living.ask_again("pump", standings=nobody)
    assert changed.state == "changed"
    assert changed.entry is not None
    assert (changed.entry.run_before, changed.entry.run) == (first.run, changed.run)
    kinds = {each.kind for each in changed.entry.changes}
    assert kinds >= {"answer", "source"}
    told = [each for each in changed.entry.changes if each.kind == "answer" and "55 litres" in each.what]
    verdicts = {each.what for each in changed.entry.changes if each.kind == "verdict"}
    assert not verdicts & {each.what for each in told}, "a sentence that is in the answer now is told once"
    assert "text " not in "".join(f"{each.before}{each.after}{each.why}" for each in changed.entry.changes), "no hash"
    said = entry_text(changed.entry.model_dump(mode="json")).splitlines()
    line, *_ = said[:-1]
    assert line == "The answer says 55 litres of water per minute; it said 40. Its source datasheet was changed."
    assert told
    assert all(each.why for each in changed.entry.changes)
    assert [each.id for each in living.entries("pump")] == [changed.entry.id]


def test_no_change_is_told_without_a_word_on_its_cause(corpus: Path) -> None:
    graph = veritas.research(QUESTION, corpus=corpus, tier="quick")
    other = graph.model_copy(update={"answer": graph.answer.model_copy(update={"status": "insufficient_evidence"})})
    (change,) = changes_between(graph, other, diff_runs(graph, graph))
    assert (change.what, change.before, change.after) == ("the answer's status", "answered", "insufficient_evidence")
    assert change.why == ("the records of the two runs do not tell the cause",)


async def test_a_new_document_is_named_as_the_cause_of_what_it_changed(tmp_path: Path) -> None:
    (tmp_path / "sheet.md").write_text(f"# Datasheet\n\n{ROWS[0]['text']}", encoding="utf-8")
    living.add(QUESTION, name="pump", corpus=tmp_path, tier="quick")
    await living.ask_again("pump", standings=nobody)
    text = "The Borealis pump moves 55 litres of water per minute."
    (tmp_path / "later.md").write_text(f"# Later measurement\n\n{text}", encoding="utf-8")
    changed = await living.ask_again("pump", standings=nobody)
    assert changed.entry is not None
    (why,) = {each.why for each in changed.entry.changes if each.what == text}
    assert any("Later measurement" in reason and "later.md" in reason for reason in why)
    assert not any("searches" in reason for reason in why), "how many searches there were explains nothing"


async def test_a_retraction_is_told_once_and_an_outage_changes_nothing(tmp_path: Path) -> None:
    corpus = write(tmp_path, [{**row, "doi": DOI} if row["id"] == "datasheet" else row for row in ROWS])
    living.add(QUESTION, name="pump", corpus=corpus, tier="quick")
    known: dict[str, str] = {DOI: "current"}

    async def registries(graph: ClaimGraph) -> Mapping[str, str]:
        return known

    states = [(await living.ask_again("pump", standings=registries)).state]
    known = {}  # the registries do not answer: what was known stays
    states.append((await living.ask_again("pump", standings=registries)).state)
    known = {DOI: "retracted"}
    retracted = await living.ask_again("pump", standings=registries)
    states += [retracted.state, (await living.ask_again("pump", standings=registries)).state]
    assert states == ["first", "not asked", "changed", "not asked"]
    assert retracted.entry is not None
    (change,) = retracted.entry.changes
    assert (change.kind, change.before, change.after) == ("standing", "current", "retracted")
    assert DOI in change.why[0]


async def test_a_run_that_was_cut_off_is_gone_on_with_and_not_begun_anew(corpus: Path) -> None:
    living.add(QUESTION, name="pump", corpus=corpus, tier="quick")
    asked: list[Asked] = []

    class CutOff(Silent):
        def stage_done(self, stage: str, seconds: float, said: str, from_store: bool) -> None:
            if stage == "research":
                raise KeyError("the process is killed")

    async def killed(one: Asked) -> ClaimGraph:
        asked.append(one)
        return await in_process(one, CutOff(), None)

    with pytest.raises(KeyError):
        await living.ask_again("pump", carry=killed, standings=nobody)
    again = await living.ask_again("pump", standings=nobody)
    assert again.run == asked[0].run_id
    assert again.state == "first"
    assert len(veritas.list_runs()) == 1


async def test_a_question_that_cannot_be_asked_stops_no_other_and_tells_no_change(corpus: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone.jsonl"
    gone.write_text(json.dumps(ROWS[0]), encoding="utf-8")
    living.add("Does it need oil?", name="gone", corpus=gone, tier="quick")
    living.add(QUESTION, name="pump", corpus=corpus, tier="quick")
    gone.unlink()
    found = await living.ask_all(standings=nobody)
    assert [(each.name, each.state) for each in found] == [("gone", "unavailable"), ("pump", "first")]
    assert found[0].problem
    assert living.entries() == []


def test_names_are_those_of_files_and_nobody_elses(corpus: Path) -> None:
    assert living.add(QUESTION, corpus=corpus).name.startswith("how-much-water-does-the-borealis")
    for name in ("../up", "A b", "x" * 61, "-"):
        with pytest.raises(InputError, match="is no name"):
            living.add(QUESTION, name=name, corpus=corpus)
    living.add(QUESTION, name="pump", corpus=corpus)
    with pytest.raises(InputError, match="already"):
        living.add(QUESTION, name="pump", corpus=corpus)
    with pytest.raises(InputError, match="no living questions"):
        living.find("nothing")
    assert living.remove("pum").name == "pump"
    assert [each.name for each in living.questions()] != []


def test_the_command_adds_lists_asks_and_removes(corpus: Path) -> None:
    added = command("watch", "add", QUESTION, "--name", "pump", "--corpus", str(corpus), "--tier", "quick")
    assert (added.returncode, added.stdout) == (0, b"pump\n")
    assert b"not asked yet" in command("watch", "list").stdout
    asked = command("watch", "run", "--json")
    assert (asked.returncode, json.loads(asked.stdout)["state"]) == (0, "first")
    write(corpus.parent, [{**row, "text": row["text"].replace("40 litres", "55 litres")} for row in ROWS])
    changed = command("watch", "run", "pump", "--exit-code")
    assert changed.returncode == 1
    assert b"55 litres" in changed.stdout
    assert b"The answer says 55 litres of water per minute; it said 40." in changed.stdout
    assert b"55 litres" in command("watch", "log").stdout
    assert command("watch", "remove", "pump").returncode == 0
    assert command("watch", "run", "pump").returncode == 2


async def test_a_notice_goes_out_once_and_later_where_it_could_not(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERITAS_WEBHOOK", "http://127.0.0.1:9/hook?secret=abc")  # nobody is there
    living.add(QUESTION, name="pump", corpus=corpus, tier="quick")
    first = await living.ask_again("pump", standings=nobody)
    assert first.unsent == ()
    write(corpus.parent, [{**row, "text": row["text"].replace("40 litres", "55 litres")} for row in ROWS])
    changed = await living.ask_again("pump", standings=nobody)
    assert changed.state == "changed"
    (unsent,) = changed.unsent
    assert unsent.startswith("webhook: ")
    assert "abc" not in unsent

    told: list[str] = []
    notices = {"webhook": lambda entry: told.append(entry.id)}
    again = await living.ask_again("pump", standings=nobody, notices=notices)
    assert (again.state, again.unsent) == ("not asked", ())
    assert changed.entry is not None
    assert told == [changed.entry.id]
    await living.ask_again("pump", standings=nobody, notices=notices)
    assert told == [changed.entry.id]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VERITAS_WEBHOOK", "ftp://example.org"),
    ],
)
def test_a_wrong_address_is_told_without_repeating_it(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=name) as told:
        living.configured_notices()
    assert "secret" not in str(told.value)


@pytest.mark.parametrize("unfit", ["\x07", "\x0b", "\ufffe"])
def test_a_question_that_no_entry_can_hold_is_refused(corpus: Path, unfit: str) -> None:
    with pytest.raises(InputError, match="control character U"):
        living.add(f"Does it{unfit} need oil?", corpus=corpus)
    assert living.questions() == []
    assert living.add("Braucht die Pumpe\nÖl – ja?", corpus=corpus).question
