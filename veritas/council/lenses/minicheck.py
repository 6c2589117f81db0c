"""A lens for models trained to check facts against a document: MiniCheck, and others that answer its prompt with Yes or
No.

The prompt is the one that Bespoke-MiniCheck-7B was trained on (Tang, Laban, Durrett: MiniCheck, EMNLP 2024). Such a
model does not distinguish a refuted from an unmentioned claim: its No is `silent`.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

from veritas.claims.judgment import Judgment
from veritas.council.chat import Completion, Message
from veritas.council.connections import Connected
from veritas.council.context_window import tokens
from veritas.council.failures import TooLong
from veritas.council.lenses.calibration import Chances, cooled
from veritas.council.lenses.chunks import chunks, nearest
from veritas.council.lenses.setup import LensSetup
from veritas.council.model_table import facts
from veritas.council.prompt import clean, prompt
from veritas.council.turn_calls import asking
from veritas.council.window_requests import OVERHEAD, SHARES
from veritas.errors import InputError, Unavailable, UnreadableAnswer

PLAIN = 0.75
"""Probability that an answer is right whose server tells none."""
TOLD = 0.2
"""Least probability of Yes and No together: below it, they are not what the model was going to say."""
LEAST_ROOM = 64
"""Tokens below which a chunk is not worth asking about."""

_WORD = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_EITHER = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)
_FORM = re.compile(r"(?i)\b(document|claim)(\s*)[:：]")


@dataclass(frozen=True)
class _Answered:
    """The end of a dialogue with a single question."""

    fits: bool = True


@dataclass(frozen=True)
class _Found:
    """A passage's best chunk: the probability of Yes, whether the server returned it, and which part was judged."""

    yes: float
    told: bool
    judged: int
    of: int


class MiniCheckLens:
    """Judges with a model that answers `Document: … Claim: …` with Yes or No.

    Of a long passage the best chunk counts. The score comes from the probabilities of the first word. If the server
    returns none, it is 0.75 before calibration.
    """

    takes_setup = True
    labels = frozenset({"supports", "silent"})

    def __init__(self, setup: LensSetup) -> None:
        """Raises `InputError` without a model to ask."""
        if setup.model is None:
            raise InputError(f"the judge {setup.name} asks a model: add model: (and base_url:) to its lines")
        self.name, self.family, self._temperature = setup.name, setup.family, setup.temperature
        self.connected: Connected = setup.model
        self.model = self.connected.policy.model

    @property
    def out(self) -> str | None:
        """The reason why the model is excluded from the run; None while it is not."""
        return self.connected.out

    @property
    def weighs(self) -> str:
        """What a calibration of this lens is for."""
        return self.model

    async def chances(self, claim: str, passage: str) -> Chances:
        """Return the probabilities of `supports` and `silent` before calibration. Raises `Unavailable` when there is no
        answer (I5)."""
        found = await self._found(claim, passage)
        return {"supports": found.yes, "silent": 1 - found.yes}

    async def judge(self, claim: str, passage: str) -> Judgment:
        """See `Lens`. Raises `Unavailable` when there is no answer (I5)."""
        found = await self._found(claim, passage)
        chances = cooled({"supports": found.yes, "silent": 1 - found.yes}, self._temperature)
        supports = found.yes > 0.5
        said = "the document bears the claim out" if supports else "the document does not bear the whole claim out"
        rationale = f"{self.model} says {'Yes' if supports else 'No'}: {said}"
        if not found.told:
            rationale += " (its server tells no probabilities of Yes and No)"
        if found.of > 1:
            rationale += f" [{'one of ' if supports else ''}{found.judged} of {found.of} parts of the passage]"
        label = "supports" if supports else "silent"
        return Judgment(label=label, score=chances[label], rationale=rationale, lens=self.name, family=self.family)

    async def _found(self, claim: str, passage: str) -> _Found:
        form = prompt("minicheck")
        claim, whole = _shown(claim), _shown(passage)
        room = facts(self.connected.policy).input_room - tokens(form.bare) - tokens(claim) - OVERHEAD
        for share in SHARES:
            if room * share < LEAST_ROOM:
                raise TooLong(f"{self.name}: the window of {self.model} has no room for the passage beside the claim")
            parts = await asyncio.to_thread(chunks, whole, tokens, int(room * share))
            try:
                return await self._best(claim, parts or [whole])
            except TooLong:
                if share == SHARES[-1]:
                    raise
        raise AssertionError("unreachable")

    async def _best(self, claim: str, parts: list[str]) -> _Found:
        """Return the best chunk. If a chunk has no answer, only a Yes of another one counts, because the missing one
        might have been the best."""
        asked = await asyncio.to_thread(nearest, parts, claim)
        cuts = () if len(asked) == len(parts) else (f"passage: {len(asked)} of {len(parts)} parts",)
        answers = await asyncio.gather(*(self._ask(claim, part, cuts) for part in asked), return_exceptions=True)
        failed = [answer for answer in answers if isinstance(answer, BaseException)]
        given = [answer for answer in answers if not isinstance(answer, BaseException)]
        best = max(given, default=None)
        for problem in failed:
            if isinstance(problem, TooLong) or not isinstance(problem, Unavailable):
                raise problem
        if best is None or (failed and best[0] <= 0.5):
            raise failed[0]
        return _Found(best[0], best[1], len(asked), len(parts))

    async def _ask(self, claim: str, part: str, cuts: tuple[str, ...]) -> tuple[float, bool]:
        form = prompt("minicheck")
        slots = {"document": part, "claim": claim}
        user = re.sub(r"\{\{(\w+)\}\}", lambda slot: slots[slot[1]], form.user)
        messages = (Message(role="system", content=form.system), Message(role="user", content=user))

        def hear(said: Completion) -> _Answered:
            yes_of(said, self.name)
            return _Answered()

        with asking(self.name, "judge", "verify", form.id, cuts, hear):
            said = await self.connected.complete(messages)
        return yes_of(said, self.name)


def yes_of(said: Completion, who: str) -> tuple[float, bool]:
    """Return the probability that the answer is Yes, and whether the server returned it.

    Raises `UnreadableAnswer` for an answer that is neither Yes nor No, is both, was cut off after its first word, or
    contradicts its own probabilities.
    """
    first = _WORD.match(said.text)
    words = {word.casefold() for word in _EITHER.findall(said.text)}
    if first is None or len(words) != 1:
        raise UnreadableAnswer(f"{who} answered neither Yes nor No")
    if said.finish == "length" and any(character.isalnum() for character in said.text[first.end() :]):
        raise UnreadableAnswer(f"{who} was cut off before it was done")
    yes = first[1].casefold() == "yes"
    heard = {"yes": 0.0, "no": 0.0}
    for word, probability in said.first_word:
        plain = "".join(filter(str.isalpha, word)).casefold()
        if plain in heard:
            heard[plain] += probability
    both = heard["yes"] + heard["no"]
    if both < TOLD:
        return (PLAIN if yes else 1 - PLAIN), False
    share = heard["yes"] / both
    if (share > 0.5) != yes and share != 0.5:
        raise UnreadableAnswer(f"{who} answered {first[1]}, and its probabilities say otherwise")
    return share, True


def _shown(text: str) -> str:
    """Return a text for the prompt, changed so that its words cannot begin a document or a claim of their own."""
    return _FORM.sub(r"\1\2 -", clean(text)).strip()
