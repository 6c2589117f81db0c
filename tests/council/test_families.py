"""One name for each house, however it is written; and nobody is foreign who may be the same (I4)."""

from __future__ import annotations

import itertools

import pytest

from veritas import Judgment
from veritas.claims.envelope import Label
from veritas.council.families import PERSON, UNTOLD, family_of, may_judge, voices
from veritas.council.panel import panel
from veritas.gate import Attribution, Finding, Gate, OracleAnswer, combine
from veritas.policy.gate_policy import CombinationRule, load_gate_policy
from veritas.testing import FakeLens

ALIKE = {
    "openai": ("OpenAI", "openai", " OPENAI ", "gpt", "GPT-4o", "chatgpt", "o1", "o3-mini", "Open AI", "OpenAI, Inc.",
               "azure openai", "azureopenai", "openai/gpt-5.6", "gpt-oss:20b",
               "\uff2f\uff50\uff45\uff4eAI", "\u200bopenai"),
    "google": ("Google", "gemini", "vertex", "Vertex AI", "Google DeepMind", "gemma", "gemma3:4b"),
    "mistral": ("Mistral AI", "mixtral", "ministral", "codestral"),
    "deepseek": ("DeepSeek", "deepseek-ai", "deepseek-v3", "r1", "DeepSeek R1"),
    "cohere": ("Cohere", "command-r", "aya"),
    "moonshot": ("Moonshot AI", "kimi", "k2", "Kimi K2"),
    "tencent": ("Tencent", "hunyuan", "Hunyuan-A13B"),
    "bytedance": ("ByteDance", "doubao", "Seed-OSS"),
    "allenai": ("AllenAI", "olmo", "OLMo-2", "AI2"),
    "tii": ("TII", "falcon", "Falcon3", "tiiuae"),
}  # fmt: skip
NOBODY = (
    "ollama", "Azure", "Microsoft Azure", "Amazon Bedrock", "OpenRouter", "groq", "llama.cpp", "vLLM", "LM Studio",
    "local", "unknown", "None", "gpt+claude", "deepseek-r1-distill-llama", "hermes", "x/some-model", "ollama/mine",
    "model", "mlx", "mlx-community", "perplexity", "sonar", "Sonar Pro",
)  # fmt: skip


@pytest.mark.parametrize("house", ALIKE)
def test_every_way_to_write_a_house_is_one_family(house: str) -> None:
    assert {family_of(name) for name in (house, *ALIKE[house])} == {house}
    assert not any(may_judge(one, other) for one, other in itertools.product(ALIKE[house], repeat=2))


@pytest.mark.parametrize("name", NOBODY)
def test_family_that_cannot_be_told_is_foreign_to_no_language_model(name: str) -> None:
    assert family_of(name) == UNTOLD
    for other in ("openai", "acme", "ollama", name):
        assert not may_judge(name, other)
        assert not may_judge(other, name)
    assert may_judge("embedded:lead", name)
    assert may_judge(name, "embedded:lead")
    assert may_judge(name, PERSON)


def test_judge_of_whom_it_cannot_be_told_is_no_second_voice() -> None:
    assert voices(["openai", "ollama"], author="acme") == 1
    assert voices(["azure", "ollama"], author=PERSON) == 1
    assert voices(["openai", "claude", "ollama"], author="acme") == 2
    assert voices(["openai", "gpt"], author="acme") == 1
    assert voices(["ollama", "embedded:a", "embedded:b"], author="acme") == 2
    assert voices(["embedded:a", "Embedded:B"], author="embedded:c") == 2


def test_no_name_judges_and_is_judged_where_there_is_none() -> None:
    assert not may_judge("", "openai")
    assert not may_judge("openai", " - ")


def judgment(lens: str, family: str, label: Label = "supports") -> Judgment:
    return Judgment(label=label, score=1, rationale="", lens=lens, family=family)


@pytest.mark.parametrize(("author", "judge"), [("OpenAI", "gpt"), ("openai", "ollama"), ("claude", "Anthropic")])
def test_rule_counts_no_judge_of_the_authors_house(author: str, judge: str) -> None:
    assert combine([judgment("a", judge)], CombinationRule(lenses=1), author).label == "unavailable"
    assert panel([FakeLens(name="a", family=judge)], CombinationRule(lenses=1), author) is None


class Confirms:
    name = "confirms"

    async def confirm(self, finding: Finding) -> OracleAnswer:
        return OracleAnswer(oracle=self.name, verdict="confirmed", rationale="it is there")


@pytest.mark.parametrize("family", ["OpenAI", "gpt-5", "azure"])
async def test_gate_halts_where_all_lenses_may_be_of_the_authors_house(family: str) -> None:
    gate = Gate(Confirms(), [FakeLens(name="a", family=family)], policy=load_gate_policy(), rule="dedicated")
    decision = await gate.decide(
        Finding(finding_id="f", kind="citation", claim="Water boils.", passages=("Water boils.",),
                sources=(Attribution(url="https://example.org/"),), family="openai")
    )  # fmt: skip
    assert (decision.action, decision.verdict, decision.judgments) == ("halted", "no-different-family", ())
