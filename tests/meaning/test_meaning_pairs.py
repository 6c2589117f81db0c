"""The minimal pairs that the comparison of two sentences is measured by, and the benchmark that reads them."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
import yaml

from benchmarks import meaning
from benchmarks.meaning_pairs import pairs as module
from benchmarks.meaning_pairs.pairs import ALTERED, OPEN, PARAPHRASE, Pair, alike, look_alikes, pairs_of, read

PARTS = sorted(folder.name for folder in module.FOLDER.iterdir() if any(folder.glob("*.yaml")))
SCENE = {
    "id": "river", "domain": "geography", "slots": "r | r2 | km", "rows": ["the Orla | the Tisna | 310"],
    "source": "{R} is {km} km long.",
    "claims": ["entity | not-entailed | {R2} is {km} km long.", "pronoun | same | It is {km} km long. | subject={R}"],
}  # fmt: skip


@pytest.fixture(scope="module")
def every() -> list[Pair]:
    return [pair for part in PARTS for pair in read(part)]


def test_there_are_pairs_of_many_kinds_and_domains(every: list[Pair]) -> None:
    assert OPEN in PARTS
    assert len(every) >= 2000
    assert len({pair.kind for pair in every if pair.label in ALTERED}) >= 24
    assert len({pair.kind for pair in every if pair.label in PARAPHRASE}) >= 15
    assert len({pair.domain for pair in every}) >= 9
    assert min(Counter(pair.label for pair in every).values()) >= 100
    assert sum(not pair.filled for pair in every) >= 250


def test_every_pair_is_there_once_and_says_something_else_than_its_source(every: list[Pair]) -> None:
    assert [pair for pair in every if pair.source == pair.claim or "{" in pair.source + pair.claim] == []
    twice = Counter((pair.source, pair.claim, pair.subject) for pair in every)
    assert [pair for pair, times in twice.items() if times > 1] == []


def test_parts_share_no_scene() -> None:
    scenes = [pair.template.split("/")[0] for part in PARTS for pair in {p.template: p for p in read(part)}.values()]
    parts = [{pair.template.split("/")[0] for pair in read(part)} for part in PARTS]
    assert len(set(scenes)) == sum(len(of) for of in parts)


def test_a_row_is_written_into_source_claim_and_subject() -> None:
    first, second = pairs_of(SCENE)
    assert (first.source, first.claim) == ("The Orla is 310 km long.", "The Tisna is 310 km long.")
    assert (second.claim, second.subject, second.label) == ("It is 310 km long.", "The Orla", "same")
    assert first.used == ({"r", "km"}, {"r2", "km"})


@pytest.mark.parametrize(
    ("changed", "named"),
    [({"rows": ["the Orla | 310"]}, "3 slots"), ({"claims": ["entity | wrong | It is."]}, "wrong")],
)
def test_a_scene_that_is_not_well_formed_is_refused(changed: dict[str, list[str]], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        list(pairs_of({**SCENE, **changed}))


def test_look_alikes_have_half_their_words_in_common_and_say_different_things(every: list[Pair]) -> None:
    found = look_alikes(every, 3000)
    assert len(found) == 3000
    assert all(alike(*pair) for pair in found)
    same = {(pair.source, pair.claim) for pair in every if pair.label in PARAPHRASE}
    assert [pair for pair in found if pair in same] == []
    assert not alike("one two three four", "one five six seven")


def test_the_benchmark_counts_what_is_kept_and_what_is_called_supported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scenes = [
        {
            "id": "a", "domain": "law", "source": "The court dismissed the appeal in 1987.",
            "claims": [
                "fronting | same | The court dismissed the appeal in 1987.",
                "fronting | entails | Nobody has ever heard of a purple bicycle.",
                "number | excludes | The court dismissed the appeal in 1987.",
                "other-period | compatible | Nobody has ever heard of a purple bicycle.",
            ],
        }
    ]  # fmt: skip
    (tmp_path / OPEN).mkdir()
    (tmp_path / OPEN / "law.yaml").write_text(yaml.safe_dump(scenes), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["meaning.py", "--folder", str(tmp_path), "--failing"])
    meaning.main()
    told = capsys.readouterr().out
    assert "open: 4 pairs of 4 templates, 4 of them with one sentence only." in told
    assert "| altered claims called supported | 100.0 % of 1 |" in told
    assert "| paraphrases kept | 50.0 % of 2 |" in told
    assert "| compatible claims marked as excluded | 0.0 % of 1 |" in told
    assert "| number | 1 | 100 % | 0 % | 0 % |" in told
    assert told.count("\n- ") == 2, "the altered claim and the paraphrase that was not kept"


def test_the_benchmark_measures_each_part_of_a_folder_or_those_asked_for_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("kept_apart_second", OPEN):
        (tmp_path / part).mkdir()
        (tmp_path / part / "geography.yaml").write_text(yaml.safe_dump([SCENE]), encoding="utf-8")

    def told(*asked: str) -> str:
        monkeypatch.setattr(sys, "argv", ["meaning.py", "--folder", str(tmp_path), "--alike", "0", *asked])
        meaning.main()
        return capsys.readouterr().out

    assert "| | open | kept apart second |" in told()
    assert "| | kept apart second |" in told("--part", "kept_apart_second")
    with pytest.raises(SystemExit):
        told("--part", OPEN, "--part", "kept_apart_third")
    assert "no part 'kept_apart_third', only: open, kept_apart_second" in capsys.readouterr().err
