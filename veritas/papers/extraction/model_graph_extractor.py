"""The extractor that is a language model: paper in, proposed graph out, errors returned for repair."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from veritas.council.connections import Connected
from veritas.council.context_window import Shown
from veritas.council.failures import TooLong
from veritas.council.prompt import Block, prompt
from veritas.council.structured_answer import ask
from veritas.council.window_requests import windowed
from veritas.papers.extraction.modes import Mode
from veritas.papers.extraction.proposal import MAX_SHOWN, Proposal
from veritas.papers.reading.paper_text import PaperText

SKIPPED = frozenset({"references", "acknowledgements"})
"""Sections a model is not shown, because no statement is taken from them."""


class ModelExtractor:
    """An extractor that reads as much of the paper as fits the model's window; every cut is in the ledger."""

    def __init__(self, name: str, model: Connected, paper: PaperText, mode: Mode) -> None:
        self.name = name
        self._model, self._paper, self._mode = model, paper, mode

    async def propose(self, limit: int, reading: int) -> Proposal:
        """Return a first graph. `reading` tells one sample from the next. Raises `Unavailable`."""
        return await self._ask(limit, reading, None, (), 1)

    async def repair(
        self, limit: int, reading: int, before: Proposal, errors: Sequence[str], attempt: int
    ) -> Proposal:
        """Return the graph again, after its errors were returned to the model (Algorithm 1). `attempt` counts from 2:
        the same graph with the same errors is asked about anew, and not answered from the ledger. Raises
        `Unavailable`."""
        return await self._ask(limit, reading, before, errors, attempt)

    async def _ask(
        self, limit: int, reading: int, before: Proposal | None, errors: Sequence[str], attempt: int
    ) -> Proposal:
        filled = prompt("argument")
        roles = [Block(f"role {name}", meaning) for name, meaning in self._mode.definitions().items()]
        mode = Block(f"mode {self._mode.name}", "\n".join(f"- {line}" for line in self._mode.instructions) or "(none)")
        earlier = [] if before is None else [Block("your graph", json.dumps(before.model_dump(), ensure_ascii=False))]
        faults = [Block(f"fault {n}", text) for n, text in enumerate(errors[:MAX_SHOWN], 1)]

        async def once(shown: Mapping[str, Sequence[Shown]], cuts: tuple[str, ...]) -> Proposal:
            if not shown["document"]:
                raise TooLong(f"{self.name}: the window of {self._model.policy.model} has no room for the paper")
            return await ask(
                self._model,
                filled.fill(
                    {
                        "roles": roles,
                        "mode": mode,
                        "document": [Block(f"document, {part.name}", part.text) for part in shown["document"]],
                        "before": earlier,
                        "faults": faults,
                        "reading": reading + 1,
                        "attempt": attempt,
                        "limit": limit,
                    }
                ),
                Proposal,
                who=self.name,
                turn="argument",
                stage="extract",
                prompt_id=filled.id,
                cuts=cuts,
            )

        fixed = [block.text for block in (*roles, mode, *earlier, *faults)]
        about = f"{self._paper.identity.title} hypothesis method result conclusion limitation"
        return await windowed(
            self._model.policy, filled.bare, fixed, {"document": self._parts()}, about, Proposal, once
        )

    def _parts(self) -> list[tuple[str, str]]:
        """Return the sections a model is shown, each under its heading; a paper without any as a whole."""
        text = self._paper.text
        parts = [
            (f"section {s.heading or s.name}"[:80], text[s.place.start : s.place.end].strip())
            for s in self._paper.sections
            if s.name not in SKIPPED
        ]
        return [(name, body) for name, body in parts if body] or [("whole", text)]
