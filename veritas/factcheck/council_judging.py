"""What the embedded judge cannot tell, put before a council's judges: one judgment a statement and source."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from veritas.claims.judgment import Judgment
from veritas.council.context_window import tokens
from veritas.council.families import is_embedded
from veritas.council.seated_council import Council
from veritas.council.succession import connection
from veritas.errors import InputError
from veritas.factcheck.judging import Held
from veritas.factcheck.pages import ReadPage, nearest
from veritas.gate.lens_calls import Ask, Asker, checked
from veritas.judging import Setting
from veritas.judging.floor import Standing, held_to
from veritas.judging.lens import Lens
from veritas.policy.council_policy import Price
from veritas.text.plural import plural

WHOLE = 24_000
"""Characters of a page up to which a judge sees it whole."""
PLACES, BESIDE, HEAD = 6, 3, 1_500
"""Of a longer page: places that share most words with the statement, sentences on each side, and characters of the
beginning."""
AT_ONCE = 8
FRAME = 500
"""Tokens of a judge's prompt beside claim and passage."""
ANSWER = (40, 400)
"""Tokens of a judge's answer, at least and at most, in a forecast."""
LONGEST = 300
"""Characters of a judge's reason that are shown."""


@dataclass(frozen=True)
class Pair:
    """A statement and a page for a judge, with what the embedded judge found."""

    claim: str
    page: ReadPage
    held: Held


class CouncilJudges:
    """The judges of a council that are no embedded rules, asked in their order until one answers."""

    def __init__(self, name: str, council: Council, asker: Asker, *, prices: dict[str, Price] | None = None) -> None:
        """`prices` are those at which a budget counts each model. Raises `InputError` for a council without such a
        judge."""
        bench: dict[str, Lens] = {}
        for lens in (*council.verifiers, *(seat.judge for seat in council.seats)):
            if not is_embedded(lens.family):
                bench.setdefault(lens.name, lens)
        if not bench:
            raise InputError(
                f"the council {name} has no judge beside the embedded ones; name a council with language models, see "
                "`veritas council`"
            )
        self.name, self._bench, self._asker, self._prices = name, tuple(bench.values()), asker, prices or {}
        self._turn = asyncio.Semaphore(AT_ONCE)

    @property
    def who(self) -> str:
        """Names of the judges, in the order in which they are asked."""
        return f"{', '.join(lens.name for lens in self._bench)} of the council {self.name}"

    def forecast(self, pairs: Collection[Pair]) -> str:
        """Return what it takes to judge so many pairs, in a line. Answers that the ledger holds cost nothing."""
        asked = {(pair.claim, shown(pair)[0]) for pair in pairs}
        sent = sum(FRAME + tokens(claim) + tokens(text) for claim, text in asked)
        least, most = (each * len(asked) for each in ANSWER)
        said = f"forecast: {plural(len(asked), 'judgment')} by {self._bench[0].name}, about {sent + most:,} tokens"
        model = connection(self._bench[0])
        price = self._prices.get(model.policy.model) if model is not None else None
        if price is None or not (price.input or price.output):
            return f"{said}, nothing to pay"
        low, high = ((sent * price.input + go * price.output) / 1e6 for go in (least, most))
        return f"{said}, ${low:.4f} to ${high:.4f}; what the ledger holds is not paid again"

    async def judge(self, pair: Pair) -> tuple[Held, str]:
        """Return what a page says of a statement, and the name of the judge who said so, empty if none answered.

        A judge's `supports` counts only if the floor lets it pass, `refutes` only if the page has not the statement's
        own words, and silence is told as "not in the source" only where the judge saw the whole page.
        """
        text, whole = shown(pair)
        if not text.strip():
            return pair.held, ""
        ask = Ask(self._bench[0], pair.claim, text, self._bench[1:])
        async with self._turn:
            (answer,) = await self._asker([ask])
        found = checked(ask, answer)
        if found.label == "unavailable":
            why = f"{pair.held.difference}; no judge of the council {self.name} answered: {_short(found.rationale)}"
            return replace(pair.held, difference=why.removeprefix("; ")), ""
        return await asyncio.to_thread(ruled, pair, found, whole=whole), found.lens


def ruled(pair: Pair, found: Judgment, *, whole: bool) -> Held:
    """Return the verdict for a judge's answer; `whole`: the judge saw all of the page."""
    said = f"{found.lens}: {_short(found.rationale)}"
    setting = Setting(document=pair.page.title, subject=pair.page.title)
    floor = held_to(pair.claim, [Standing(text, setting) for text in _places(pair.page, pair.claim, 3, 2)])
    passage = pair.held.passage
    if found.label == "supports":
        if floor.step == "pass":
            return Held("supported", passage, "", pair.held.calculation, 1.0)
        return Held("cannot_tell", passage, f"{found.lens} finds it in the source, but: {floor.reason}")
    if found.label == "refutes":
        if floor.entailed:
            return Held("cannot_tell", passage, f"{said} (against it; the source has it in the same words)")
        return Held("contradicted", passage, said, "", 1.0)
    if whole:
        return Held("not_in_source", passage, said, "", pair.held.coverage)
    return Held("cannot_tell", passage, f"{said} (in the places of a long page that it was shown)")


def shown(pair: Pair) -> tuple[str, bool]:
    """Return the text of a page that a judge sees, without what is addressed to a judge, and whether that is all."""
    page = pair.page
    text = page.told(0, len(page.sentences))
    if len(text) <= WHOLE:
        return text, True
    head = next((n for n, each in enumerate(page.sentences) if each.end > HEAD), len(page.sentences))
    beginning = page.told(0, head)
    places = _places(page, pair.claim, PLACES, BESIDE)
    if not places or page.language:
        return text[:WHOLE], False
    return "\n[…]\n".join(dict.fromkeys((beginning, *places)))[:WHOLE], False


def _places(page: ReadPage, claim: str, most: int, beside: int) -> Sequence[str]:
    count = len(page.sentences)
    spans: list[tuple[int, int]] = []
    for at in sorted(nearest(page, claim, most)):
        first, last = max(0, at - beside), min(count, at + beside + 1)
        if spans and first <= spans[-1][1]:
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    return [page.told(first, last) for first, last in spans]


def _short(reason: str) -> str:
    said = " ".join(reason.split())
    return said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
