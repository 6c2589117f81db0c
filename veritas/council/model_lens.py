"""A lens that is a language model: it sees bare claims, their passages, and where these stand (section VI, I4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veritas.claims.judgment import Judgment
from veritas.council.answer_schemas import NumberedVerdict, Verdict, Verdicts
from veritas.council.connections import Connected
from veritas.council.context_window import Shown
from veritas.council.failures import TooLong
from veritas.council.prompt import Block, prompt
from veritas.council.structured_answer import ask
from veritas.council.window_requests import windowed
from veritas.judging.lens import Pair


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
        """See `Lens`. Raises `Unavailable` when there is no answer (I5)."""
        return (await self.judge_pairs([Pair(claim=claim, passage=passage)]))[0]

    async def judge_pairs(self, pairs: Sequence[Pair]) -> Sequence[Judgment]:
        """See `ReadsAround`. A passage that does not fit the model's window is cut around the sentence that matches the
        claims best, and the rationale says so. Raises `Unavailable` when there is no answer (I5)."""
        filled, alone = prompt("judge"), len(pairs) == 1
        shape: type[Verdict] | type[Verdicts] = Verdict if alone else Verdicts
        names = [""] if alone else [f" {n}" for n in range(1, len(pairs) + 1)]

        async def once(shown: Mapping[str, Sequence[Shown]], cuts: tuple[str, ...]) -> list[Judgment]:
            parts = {part.name: part for part in shown["passage"]}
            if len(parts) < len(pairs) or (cuts and not alone):
                raise TooLong(f"{self.name}: the window of {self.model} has no room for the passage")
            blocks = []
            for n, pair in zip(names, pairs, strict=True):
                blocks.append(Block(f"passage{n}", parts[f"passage{n}"].text))
                blocks += [Block(f"context{n}", pair.context)] if pair.context else []
                blocks.append(Block(f"claim{n}", pair.claim))
            found: Verdict | Verdicts = await ask(
                self.connected,
                filled.fill({"pairs": blocks}),
                shape,
                who=self.name,
                turn="judge",
                stage="verify",
                prompt_id=filled.id,
                cuts=cuts,
                check=lambda answer: _fault(answer, len(pairs)),
                decides=True,
            )
            each: Sequence[Verdict | NumberedVerdict] = [found] if isinstance(found, Verdict) else found.verdicts
            each = sorted(each, key=lambda v: v.claim if isinstance(v, NumberedVerdict) else 1)
            return [self._judgment(v, parts[f"passage{n}"].cut) for n, v in zip(names, each, strict=True)]

        fixed = [text for p in pairs for text in (p.claim, p.context) if text]
        texts = {"passage": [(f"passage{n}", p.passage) for n, p in zip(names, pairs, strict=True)]}
        about = "\n".join(p.claim for p in pairs)
        return await windowed(self.connected.policy, filled.bare, fixed, texts, about, shape, once)

    def _judgment(self, said: Verdict | NumberedVerdict, cut: str | None) -> Judgment:
        rationale = " ".join(said.rationale.split()) + (f" [{cut}]" if cut is not None else "")
        return Judgment(label=said.label, score=said.score, rationale=rationale, lens=self.name, family=self.family)


def _fault(answer: Verdict | Verdicts, count: int) -> str | None:
    """Return what is wrong with the answer: each claim gets one verdict."""
    if isinstance(answer, Verdict) or sorted(v.claim for v in answer.verdicts) == list(range(1, count + 1)):
        return None
    return f"each of the {count} claims gets one verdict, by its number from 1 to {count}"
