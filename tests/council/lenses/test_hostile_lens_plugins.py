"""Lens plug-ins that are set up in a council file and do not keep to it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from veritas import plugins
from veritas.claims.judgment import Judgment
from veritas.council.lenses.setup import LensSetup
from veritas.council.seated_council import Council, build_council
from veritas.council.select_council import choose_council
from veritas.errors import InputError, PluginError, Unavailable
from veritas.use_cases.lens_benchmark import Pair, calibrate_lens, measure_lenses

PAIRS = [Pair(claim="a", passage="a b", label="supports"), Pair(claim="c", passage="a b", label="silent")]


class Settled:
    """A lens that keeps to its lines, and is told by a test what else to be."""

    takes_setup = True
    name_, family_ = "", ""
    said: Any = None

    def __init__(self, setup: LensSetup) -> None:
        self.name, self.family = self.name_ or setup.name, self.family_ or setup.family
        self.setup, self.weighs = setup, setup.weights or ""

    async def judge(self, claim: str, passage: str) -> Judgment:
        label = "supports" if claim in passage else "silent"
        return Judgment(label=label, score=0.9, rationale="", lens=self.name, family=self.family)

    async def chances(self, claim: str, passage: str) -> Mapping[str, float]:
        if isinstance(self.said, BaseException):
            raise self.said
        return self.said  # type: ignore[no-any-return]


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> type[Settled]:
    made = type("Careful", (Settled,), {"__module__": "careful_lenses"})
    module = ModuleType("careful_lenses")
    module.Careful = made  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "careful_lenses", module)
    there = dict(plugins.installed("lens"))
    point = EntryPoint("careful", "careful_lenses:Careful", "veritas.lens")
    real = plugins.installed
    monkeypatch.setattr(plugins, "installed", lambda g: there | {"careful": point} if g == "lens" else real(g))
    return made


def council_file(tmp_path: Path, line: str = "") -> Path:
    (tmp_path / "held").mkdir(exist_ok=True)
    (tmp_path / "held" / "weights").write_text("7")
    file = tmp_path / "council.yaml"
    file.write_text(
        "members:\n  - {name: a, member: embedded-lead, judge: embedded-coverage}\n"
        f"judges:\n  - {line or '{name: mine, lens: careful, family: house, folder: held, limits: {timeout: 1}}'}\n"
        "verifiers: [mine, embedded]\nwriter: a\n",
        encoding="utf-8",
    )
    return file


def seated(tmp_path: Path, line: str = "") -> Council:
    return build_council(choose_council(council_file(tmp_path, line), {}).policy)


@pytest.mark.parametrize("taken", [{"name_": "embedded"}, {"family_": "anthropic"}, {"family_": "person"}])
def test_a_plugin_that_takes_another_name_or_family_is_refused(
    tmp_path: Path, kind: type[Settled], taken: dict[str, str]
) -> None:
    for name, value in taken.items():
        setattr(kind, name, value)
    with pytest.raises(PluginError, match="the council file says mine of the family"):
        seated(tmp_path)


def test_a_judge_cannot_take_the_name_of_another_lens(tmp_path: Path, kind: type[Settled]) -> None:
    file = council_file(tmp_path, "{name: embedded, lens: careful, family: house}")
    file.write_text(file.read_text().replace("[mine, embedded]", "[embedded, embedded-entailment]"))
    with pytest.raises(InputError, match="call themselves 'embedded'"):
        build_council(choose_council(file, {}).policy)


@pytest.mark.parametrize("error", [SystemExit(3), RuntimeError("no"), KeyError("x")])
def test_a_plugin_that_fails_while_it_is_made_is_an_error_that_names_it(
    tmp_path: Path, kind: type[Settled], monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(self: Settled, setup: LensSetup) -> None:
        raise error

    monkeypatch.setattr(kind, "__init__", fail)
    with pytest.raises(PluginError, match="careful"):
        seated(tmp_path)


@pytest.mark.parametrize(
    "said",
    [
        {"supports": float("nan"), "silent": 0.5},
        {"supports": 7.0, "silent": -6.0},
        {"supports": float("inf"), "silent": 0.0},
        {"surely": 1.0, "silent": 0.0},
        {"supports": 1.0},
        "supports",
        None,
        Unavailable("busy"),
        RuntimeError("broken"),
        SystemExit(0),
    ],
)
async def test_what_are_no_probabilities_calibrate_nothing(tmp_path: Path, kind: type[Settled], said: Any) -> None:
    kind.said = said
    kept = tmp_path / "kept.json"
    with pytest.raises(Unavailable):
        await calibrate_lens(PAIRS, "mine", kept, council=council_file(tmp_path))
    assert not kept.exists()


async def test_a_plugin_that_hangs_is_named_and_not_scored(
    tmp_path: Path, kind: type[Settled], monkeypatch: pytest.MonkeyPatch
) -> None:
    from veritas.use_cases import claims

    async def judge(self: Settled, claim: str, passage: str) -> Judgment:
        if claim == "a":
            return await asyncio.Event().wait()  # type: ignore[return-value]
        return Judgment(label="silent", score=1, rationale="", lens=self.name, family=self.family)

    monkeypatch.setattr(kind, "judge", judge)
    real = claims.judge_with

    async def hurried(lens: Any, claim: str, passage: str) -> Judgment:
        from veritas.gate.lens_calls import judged

        return await (judged(lens, claim, passage, 0.3) if lens.name == "mine" else real(lens, claim, passage))

    monkeypatch.setattr(claims, "judge_with", hurried)
    mine = (await measure_lenses(PAIRS, ["mine"], council=council_file(tmp_path)))[1]
    assert (mine.unavailable, mine.all.items, mine.all.accuracy) == (1, 1, 1.0)
    assert "no answer" in (mine.why or "")


async def test_judgments_in_anothers_name_or_off_the_scale_are_not_scored(
    tmp_path: Path, kind: type[Settled], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def judge(self: Settled, claim: str, passage: str) -> Judgment:
        if claim == "a":
            return Judgment(label="supports", score=1, rationale="", lens="embedded", family="embedded:entailment")
        return Judgment.model_construct(
            label="silent", score=float("nan"), rationale="", lens=self.name, family=self.family
        )

    monkeypatch.setattr(kind, "judge", judge)
    mine = (await measure_lenses(PAIRS, ["mine"], council=council_file(tmp_path)))[1]
    assert (mine.unavailable, mine.all.items) == (2, 0)
