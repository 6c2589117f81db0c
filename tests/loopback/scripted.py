"""What a well-behaved language model would answer in each turn of the council, worked out from the prompt alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.loopback.server import Asked, Reply, Script, fault

_BLOCK = re.compile(
    r"\[\[begin (?P<label>.*?) · (?P<mark>[0-9a-f]{10})\]\]\n(?P<text>.*?)\n\[\[end · (?P=mark)\]\]", re.DOTALL
)
_TURNS = {
    "You take questions apart": "decompose",
    "You state what given passages say": "assert",
    "You say which claims your passages speak against": "contest",
    "You defend it, concede it": "respond",
    "You write the answer": "synthesize",
    "You mend one sentence": "repair",
    "You judge whether a passage": "judge",
}


@dataclass(frozen=True)
class Heard:
    """A request as the model understands it: which turn it is, and the blocks of data by their label."""

    turn: str
    blocks: tuple[tuple[str, str], ...]

    def under(self, label: str) -> list[tuple[str, str]]:
        """Id and text of the blocks whose label begins with `label`."""
        found = [(name.split(",")[0].split()[-1], text) for name, text in self.blocks if name.startswith(label)]
        return found

    def text(self, label: str) -> str:
        return self.under(label)[0][1]


def heard(asked: Asked) -> Heard:
    """The request, read as a model would read it. The first user message has the data, a later one a complaint."""
    system = asked.messages[0]["content"]
    turn = next(turn for said, turn in _TURNS.items() if said in system)
    blocks = tuple((m["label"], m["text"]) for m in _BLOCK.finditer(asked.messages[1]["content"]))
    return Heard(turn, blocks)


def sentence(text: str) -> str:
    """The first sentence of a text."""
    return re.split(r"(?<=[.!?])\s", text.strip())[0]


def fold(text: str) -> str:
    return " ".join(text.split())


def honest(asked: Asked) -> Reply:
    """The answer of a model that does as it is asked."""
    return Reply(json.dumps(answer(heard(asked))))


def failing(chatty: str, locked: str) -> Script:
    """Two models that are no use: `chatty` writes prose where claims are wanted, which is paid for and answers nothing;
    `locked` refuses the key. All others are honest."""

    def script(asked: Asked) -> Reply:
        if asked.model == locked:
            return fault(401)
        if asked.model == chatty and heard(asked).turn == "assert":
            return Reply("I would rather talk about it.")
        return honest(asked)

    return script


def answer(to: Heard) -> dict[str, Any]:
    """That answer as JSON values."""
    if to.turn == "decompose":
        return {"sub_queries": [{"text": to.text("question"), "facet": "as asked"}]}
    if to.turn == "assert":
        return {
            "claims": [
                {
                    "claim": fold(sentence(text)),
                    "claim_type": "numerical" if re.search(r"\d", sentence(text)) else "factual",
                    "confidence": 0.9,
                    "quotes": [{"passage_id": name, "quote": sentence(text)}],
                }
                for name, text in to.under("passage")
            ]
        }
    if to.turn == "contest":
        return {"objections": []}
    if to.turn == "respond":
        return {
            "kind": "concession", "statement": "The other source is right.", "claim": None, "claim_type": None,
            "confidence": None, "quotes": [],
        }
    if to.turn == "synthesize":
        return {
            "sentences": [
                {"text": text, "claim_ids": [name], "paragraph": 0, "kind": "claim"} for name, text in to.under("claim")
            ]
        }
    if to.turn == "repair":
        return {"sentence": None}
    return judged(to, verdict)


def verdict(claim: str, passage: str) -> dict[str, Any]:
    """The verdict of a judge who supports what stands there word for word."""
    supported = fold(claim) in fold(passage)
    label = "supports" if supported else "silent"
    return {"rationale": f"The passage {'says' if supported else 'does not say'} so.", "label": label, "score": 0.95}


def judged(to: Heard, verdict: Callable[[str, str], dict[str, Any]]) -> dict[str, Any]:
    """The answer of a judge to one claim, or to several."""
    pairs = zip(to.under("claim"), to.under("passage"), strict=True)
    said = [{"claim": name, **verdict(claim, passage)} for (name, claim), (_, passage) in pairs]
    if len(said) == 1:
        return {key: value for key, value in said[0].items() if key != "claim"}
    return {"verdicts": [{**one, "claim": int(one["claim"])} for one in said]}
