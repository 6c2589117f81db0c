"""Every ready council carries out a research run, a review and an audit, against servers in its houses' own forms."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.loopback.houses import Houses, houses
from tests.loopback.server import Asked, Reply
from tests.papers.pump_papers import CONCLUSION, HYPOTHESIS, METHOD, RESULT, write_paper
from tests.pumps import QUESTION, write_corpus
from tests.reviews.conftest import drying as drying
from tests.reviews.reviewing_model import faithful, model
from veritas.cli import main
from veritas.settings import policy_file, policy_files

# LiteLLM's own: it imports what it needs for Cohere with the first request.
pytestmark = pytest.mark.filterwarnings("ignore:Items? .* on TypedDict class:UserWarning")

ARGUMENT = [
    {"id": 0, "role": "Hypothesis", "text": HYPOTHESIS, "parents": None, "children": [1]},
    {"id": 1, "role": "Method", "text": METHOD, "parents": [0], "children": [2]},
    {"id": 2, "role": "Result", "text": RESULT, "parents": [1], "children": [3]},
    {"id": 3, "role": "Conclusion", "text": CONCLUSION, "parents": [2], "children": None},
]
METRICS = ("credibility", "relevance", "evidence_strength", "method_rigor", "reproducibility", "citation_support")
_OTHERS = model(faithful)
PULLED = ("llama3.1:8b", "qwen3:8b", "gemma3:4b")
"""The models of the ready council of Ollama."""
KEYS = {
    house: f"{house.upper()}_API_KEY"
    for house in ("anthropic", "openai", "gemini", "mistral", "deepseek", "xai", "cohere", "moonshot")
}


def well_behaved(asked: Asked) -> Reply:
    """A model that does in every turn as it is asked."""
    system = asked.messages[0]["content"]
    if "You take a scientific or technical document apart into its argument" in system:
        return Reply(json.dumps({"nodes": ARGUMENT}))
    if "You assess one statement of a paper" in system:
        unknown = {"value": None, "why": "the evidence does not say", "evidence": []}
        return Reply(json.dumps(dict.fromkeys(METRICS, unknown)))
    return _OTHERS(asked)


@pytest.fixture(scope="module")
def served() -> Iterator[Houses]:
    with houses(well_behaved, pulled=PULLED) as server:
        yield server


COUNCILS: dict[str, tuple[str, dict[str, str], set[str], str]] = {
    # name: which file, what is set (HOST is the server's), which houses speak, who judges a review
    "vllm": ("vllm", {"VERITAS_LOCAL_URL": "HOST/local/v1", "VERITAS_LOCAL_MODEL": "small"}, {"local"}, "alone"),
    "llama-cpp": ("llama-cpp", {"VERITAS_LOCAL_URL": "HOST/local/v1"}, {"local"}, "alone"),
    "ollama": ("ollama", {"OLLAMA_API_BASE": "HOST"}, {"ollama"}, "models"),
    "several-keys": ("several-keys", dict.fromkeys(KEYS.values(), "secret"), set(KEYS), "models"),
    **{f"one-key, {h}": ("one-key", {key: "secret"}, {h}, "alone") for h, key in KEYS.items()},
    "embedded": ("embedded", {}, set(), "nobody"),
    "the default": ("", {"VERITAS_LOCAL_URL": "HOST/local/v1", "VERITAS_LOCAL_MODEL": "small"}, {"local"}, "alone"),
}
WHOLE = ("ollama", "several-keys", "one-key, anthropic", "embedded")
"""Those that write reviews and audit papers too: one of each way to judge."""
"""Those that are taken through a research run and an audit too; of the others the review alone, for the wire format."""


class Ready:
    """A ready council in this environment, and the command line."""

    def __init__(self, name: str, served: Houses, capsys: pytest.CaptureFixture[str]) -> None:
        self.file, _, self.speakers, self.judged = COUNCILS[name]
        self.served, self.capsys, self.before = served, capsys, len(served.asked)

    def run(self, *command: str) -> dict[str, Any]:
        named = ["--council", str(policy_file(f"councils/{self.file}.yaml"))] if self.file else []
        with pytest.raises(SystemExit) as ended:
            main([*command, *named, "--json", "--quiet"])
        said = self.capsys.readouterr()
        assert not ended.value.code, said.err
        found: dict[str, Any] = json.loads(said.out)
        return found

    @property
    def spoke(self) -> set[str]:
        return {house for house, _ in self.served.asked[self.before :]}


@pytest.fixture
def ready(
    request: pytest.FixtureRequest, served: Houses, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Ready:
    for name, value in {**served.environment, **COUNCILS[request.param][1]}.items():
        monkeypatch.setenv(name, value.replace("HOST", served.host))
    return Ready(request.param, served, capsys)


def test_no_ready_council_is_missing_here() -> None:
    there = {p.stem for p in policy_files("councils")}
    assert {file for file, *_ in COUNCILS.values() if file} == there


@pytest.mark.parametrize("ready", COUNCILS, indirect=True)
def test_a_research_run(ready: Ready, tmp_path: Path) -> None:
    graph = ready.run("research", QUESTION, "--corpus", str(write_corpus(tmp_path)), "--tier", "quick")
    assert graph["answer"]["status"] == "answered"
    assert [s for s in graph["answer"]["sentences"] if s["kind"] == "claim"]
    assert ready.spoke == ready.speakers, [(c["who"], c["error"]) for c in graph["calls"] if c["error"]]
    assert all(c["verifier_judgment"] is not None for c in graph["claims"])
    assert not [c for c in graph["calls"] if c["error"]]
    (frame,) = [s["text"] for s in graph["answer"]["sentences"] if s["kind"] == "frame"] or [""]
    assert ("one family of language models" in frame) == (ready.judged == "alone")


@pytest.mark.parametrize("ready", WHOLE, indirect=True)
def test_a_review(ready: Ready, own_home: Path, drying: Path) -> None:
    (own_home / "corpora").mkdir(parents=True)
    shutil.copy(drying, own_home / "corpora")
    made = ready.run("review", "drying", "--corpus", "drying")
    stands = [s for s in made["manuscript"]["sentences"] if s["kind"] != "gap"]
    assert len(stands) >= 4
    assert ready.spoke == ready.speakers or ready.file == "several-keys"
    rules = {v["decision"]["rule"] for v in made["first"]["verdicts"] if v["decision"]}
    judges = {j["family"] for v in made["first"]["verdicts"] if v["decision"] for j in v["decision"]["judgments"]}
    if ready.judged == "alone":
        assert rules == {"lenses-alone"}
        assert judges == {"embedded:entailment", "embedded:coverage", "embedded:numeric"}
        assert f"one family of language models ({made['manuscript']['family']})" in made["manuscript"]["note"]
        assert "lenses-alone in gate.yaml" in made["manuscript"]["note"]
    else:
        assert rules == ({"ensemble"} if ready.judged == "models" else set())
        assert "one family" not in made["manuscript"]["note"]
    assert made["manuscript"]["family"] not in judges


@pytest.mark.parametrize("ready", WHOLE, indirect=True)
def test_an_audit_of_a_paper(ready: Ready, tmp_path: Path) -> None:
    audit = ready.run("paper", str(write_paper(tmp_path)), "--graphs", "1", "--samples", "1")
    assert audit["primary"] is not None
    assert {n["base_role"] for n in audit["nodes"]} >= {"Hypothesis", "Result", "Conclusion"}
    assert ready.spoke <= ready.speakers
    assert bool(ready.spoke) == bool(ready.speakers)
    assert not [c for c in audit["calls"] if c["error"]]
    told = [e["reason"] for e in audit["events"] if e["kind"] == "one-family"]
    assert ["one family of language models" in reason for reason in told] == [True] * (ready.judged == "alone")
