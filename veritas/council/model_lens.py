"""A lens that is a language model: it sees the bare claim and the passage, and nothing else (section VI, I4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veritas.claims.judgment import Judgment
from veritas.council.answer_schemas import Verdict
from veritas.council.connections import Connected
from veritas.council.context_window import Shown
from veritas.council.failures import TooLong
from veritas.council.prompt import Block, prompt
from veritas.council.structured_answer import ask
from veritas.council.window_requests import windowed


class ModelLens:
    """A judge: a language model with the judge's prompt. Its score is the model's own statement, not calibrated."""

    def __init__(self, name: str, family: str, model: Connected) -> None:
        self.name, self.family = name, family
        self.connected = model
        self.model = model.policy.model

    @property
    def out(self) -> str | None:
        """The reason why the model is excluded from the run; None while it is not."""
        return self.connected.out

    async def judge(self, claim: str, passage: str) -> Judgment:
        """See `Lens`. A passage that does not fit the model's window is cut around the sentence that matches the claim
        best, and the rationale says so. Raises `Unavailable` when there is no answer (I5)."""
        filled = prompt("judge")

        async def once(shown: Mapping[str, Sequence[Shown]], cuts: tuple[str, ...]) -> Judgment:
            if not shown["passage"]:
                raise TooLong(f"{self.name}: the window of {self.model} has no room for the passage")
            part = shown["passage"][0]
            said = await ask(
                self.connected,
                filled.fill({"claim": Block("claim", claim), "passage": Block("passage", part.text)}),
                Verdict,
                who=self.name,
                turn="judge",
                stage="verify",
                prompt_id=filled.id,
                cuts=cuts,
                decides=True,
            )
            rationale = " ".join(said.rationale.split())
            if part.cut is not None:
                rationale += f" [{part.cut}]"
            return Judgment(label=said.label, score=said.score, rationale=rationale, lens=self.name, family=self.family)

        texts = {"passage": [("passage", passage)]}
        return await windowed(self.connected.policy, filled.bare, [claim], texts, claim, Verdict, once)
