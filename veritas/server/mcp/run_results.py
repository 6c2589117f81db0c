"""Results on runs: the answer sentence by sentence with its verbatim evidence, and the chain behind a thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from veritas.server.mcp.quoting import Part, Result, ordering
from veritas.server.own_words import in_words_of

if TYPE_CHECKING:
    from veritas import Chain, ClaimGraph
    from veritas.claims.envelope import ClaimEnvelope
    from veritas.use_cases.run_states import RunState

Tier = Literal[1, 2, 3, 4, "wikipedia"]
STOPPING = "is stopping: what is under way is finished first. Ask again in a moment, then resume goes on with it"
MOST_LINKED = 30
"""Most things in a result that a chain rests on, or that rest on it."""


class Sentence(Part):
    """A sentence of the answer."""

    text: str
    kind: str = Field(description="claim and dissent cite; gap: no evidence; frame states no fact.")
    references: tuple[int, ...] = ()
    badges: tuple[str, ...] = ()


class Stated(Part):
    """A claim that the answer cites, once for all members that assert it."""

    claim: str
    verifier_judgment: str = Field(description="Of a judge other than its author.")
    badges: tuple[str, ...] = ()


class Cited(Part):
    """Passages, and the claims of the answer that rest on them."""

    quotes: tuple[str, ...] = Field(description="Verbatim, of strangers.")
    references: tuple[int, ...]
    claims: tuple[Stated, ...]


class Reference(Part):
    """An entry of the answer's bibliography."""

    number: int
    url: str
    title: str = ""
    tier: Tier
    year: int | None = None
    doi: str = ""
    paywalled: bool = False


class QuestionPart(Part):
    """A part of a question, and how likely the passage found for it answers it."""

    question: str
    chance: float = Field(description="0 to 1, calibrated; below 0.5 the part is not answered.")


class RunResult(Result):
    """A run with its answer, as far as it is known."""

    run_id: str = Field(default="", description="Its id.")
    state: str = Field(
        description="finished, queued, running, failed, unreadable; cancelled, interrupted: can be resumed"
    )
    question: str = ""
    status: str = Field(
        default="",
        description="answered, closest_passages (shown, and none surely answers), insufficient_evidence "
        "(an answer too) or unavailable (says nothing on the question).",
    )
    chance: float | None = Field(default=None, description="That the question is answered, 0 to 1: its least part.")
    parts: tuple[QuestionPart, ...] = Field(default=(), description="Of a question that asks for several things, each.")
    reason: str = ""
    sentences: tuple[Sentence, ...] = Field(default=(), description="The answer.")
    bibliography: tuple[Reference, ...] = ()
    evidence: tuple[Cited, ...] = ()
    left_out: dict[str, int] = Field(default={}, description="What was left out, by kind; why() tells of each.")
    stage: str = ""
    cost_usd: float | None = None
    resources: tuple[str, ...] = ()


def run_result(graph: ClaimGraph) -> RunResult:
    """Return the result of a finished run."""
    answer, run = graph.answer, graph.run
    numbers = {reference.url: reference.number for reference in answer.bibliography}
    urls = {source.source_id: source.url for source in graph.sources}
    gaps = [sentence.text for sentence in answer.sentences if sentence.kind == "gap"]
    lost = [f"{source.url} could not be read: {source.problem}" for source in graph.sources if source.problem]
    unsure = [" ".join(answer.reason.split())] if answer.status != "answered" and answer.reason else []
    brief = answer.brief
    if answer.status == "closest_passages" and brief and not brief.parts:  # each part has its chance, and a gap
        unsure.append(f"no passage surely answers the question: the chance of the first is {answer.chance:.0%}")
    cited = {identifier for sentence in answer.sentences for identifier in sentence.claim_ids}
    costs = [call.cost_usd for call in graph.calls if not call.from_ledger]
    return RunResult(
        run_id=run.run_id, state="finished", question=run.question, reason=answer.reason or "",
        status=answer.status, chance=answer.chance,
        sentences=[Sentence.of(each) for each in answer.sentences],
        parts=[QuestionPart.of(each) for each in (brief.parts if brief else ())],
        bibliography=[Reference.of(each) for each in answer.bibliography],
        evidence=_evidence([claim for claim in graph.claims if claim.claim_id in cited], numbers),
        left_out=dict(Counter(event.kind for event in graph.events if event.kind not in ("note", "text-cut"))),
        cost_usd=None if None in costs else round(sum(cost or 0 for cost in costs), 6),
        resources=[f"veritas://runs/{run.run_id}/{form}" for form in ("answer", "graph")],
        warnings=[
            ordering(urls.get(event.subject_id, event.subject_id))
            for event in graph.events
            if event.kind == "instruction-ignored"
        ],
        could_not_tell=list(dict.fromkeys([*unsure, *gaps, *answer.missing, *run.degraded, *lost])),
    )  # fmt: skip


def _evidence(claims: Sequence[ClaimEnvelope], numbers: Mapping[str, int]) -> tuple[Cited, ...]:
    """Return the passages behind claims, each once, with what they were cited for."""
    by_passages: dict[tuple[tuple[str, ...], tuple[int, ...]], dict[Stated, None]] = {}
    for claim in claims:
        references = tuple(dict.fromkeys(numbers[each.url] for each in claim.citations if each.url in numbers))
        label = claim.verifier_judgment or "not judged"
        stated = Stated(claim=claim.claim, verifier_judgment=label, badges=claim.badges)
        by_passages.setdefault((claim.source_passages, references), {})[stated] = None
    return tuple(
        Cited(quotes=quotes, references=references, claims=tuple(told))
        for (quotes, references), told in by_passages.items()
    )


def unfinished(run: RunState, plain: Callable[[str], str]) -> RunResult:
    """Return the result of a run that is not finished. `plain` removes details from a problem that a client need not
    see."""
    under_way = run.state in ("queued", "running")
    why = "it is under way: ask again later" if under_way else f"research(resume={run.run_id!r}) goes on with it"
    if run.stopping:
        why = f"it {STOPPING}"
    return RunResult(
        run_id=run.run_id, state=run.state, question=run.question or "", stage=run.stage or "",
        could_not_tell=[
            in_words_of("mcp", plain(run.problem)) if run.problem else f"the run is not finished; {why}"
        ],
    )  # fmt: skip


def not_begun(question: str, reason: str) -> RunResult:
    """Return the result of a run that did not start because no model could answer (I5)."""
    why = " ".join(reason.split()) or "nobody could be asked"
    return RunResult(state="failed", question=question, status="unavailable", reason=why, could_not_tell=(why,))


class Step(Part):
    """A step of a chain."""

    stage: str
    said: str
    outcome: str = Field(description="passed, stopped or noted.")
    rule: str = ""
    by: str = ""
    words: str = Field(default="", description="Verbatim, of a stranger or a model.")


class Linked(Part):
    """Something that a chain rests on, or that rests on it."""

    kind: str
    id: str
    about: str
    let_in: bool
    because: str


class Why(Result):
    """The chain that let a thing into an answer, or left it out."""

    kind: str
    id: str
    about: str
    let_in: bool
    because: str
    steps: tuple[Step, ...] = ()
    rests_on: tuple[Linked, ...] = ()
    led_to: tuple[Linked, ...] = ()


def why_result(chain: Chain) -> Why:
    """Return the result of a chain."""
    return Why.of(
        chain,
        steps=[Step.of(each) for each in chain.links],
        rests_on=[Linked.of(each) for each in chain.behind[:MOST_LINKED]],
        led_to=[Linked.of(each) for each in chain.led_to[:MOST_LINKED]],
    )
