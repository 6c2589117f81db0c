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
from veritas.use_cases import living
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
    assert living.memory("pump").run == first.run

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
    said = "\n".join(living.told(changed.entry))
    assert "The answer says, as it did not before: “At full speed the Borealis pump moves 55 litres" in said
    assert said.count("datasheet has another text") == 1
    assert told
    assert all(each.why for each in changed.entry.changes)
    assert [each.id for each in living.entries("pump")] == [changed.entry.id]


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
    assert b"55 litres" in command("watch", "log").stdout
    assert command("watch", "remove", "pump").returncode == 0
    assert command("watch", "run", "pump").returncode == 2
