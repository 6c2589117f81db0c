"""Reader's words for the graph's short codes, and a chain of reasons in words."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from veritas.claims.answer import Answer
from veritas.claims.chain import PURPOSES as PURPOSES
from veritas.claims.chain import Chain, Link
from veritas.claims.graph import ClaimGraph
from veritas.claims.judgment import EVEN
from veritas.text.visible import one_line

LABELS = {
    "supports": ("✓", "supported"),
    "refutes": ("✗", "refuted"),
    "silent": ("–", "silent"),
    "unavailable": ("?", "unavailable"),
    None: ("·", "not put to the verifier"),
}
"""Verdict -> sign and words."""
_VERDICTS = {"supports": "Supported", "refutes": "Refuted", "insufficient": "Insufficient evidence"}


def verdict_said(verdict: str, confidence: float) -> tuple[str, str]:
    """Return the label whose sign and colour a verdict is shown with, and its name. One that is more often wrong than
    right, with a confidence below 0.5, has neither the sign nor the plain name of a verdict."""
    label = verdict if verdict in LABELS else "silent"
    name = _VERDICTS.get(verdict) or LABELS[label][1].capitalize()
    if verdict in ("supports", "refutes") and confidence < EVEN:
        return "silent", f"Doubtful: leans to “{name.lower()}”"
    return label, name

RESOLUTIONS = {
    "invalid": "Invalid: does not count",
    "open": "Open: neither answered nor given up",
    "defended": "Defended: the claim stands",
    "conceded": "Conceded: the claim was given up",
    "refined": "Refined: a narrower claim took its place",
}

STATUSES = {
    "read": "Read",
    "rejected": "Rejected",
    "orientation": "Orientation only",
    "unread": "Admitted, not read",
    "unavailable": "Could not be read",
}

STAGE_NAMES = {
    "decompose": "Splitting the question",
    "research": "Searching and reading",
    "extract": "Drafting claims",
    "verify": "Verifying",
    "debate": "Debate",
    "synthesize": "Writing the answer",
    "render": "Report",
}

CAUGHT = {
    "decompose": "when the question was split",
    "research": "by the source policy",
    "extract": "when claims were drafted",
    "verify": "by the verifier",
    "debate": "in the debate",
    "synthesize": "when the answer was written",
    "render": "when the report was made",
}
"""Stage -> where something planted was caught."""

EVENT_KINDS = {
    "source-rejected": "Sources the policy did not admit",
    "source-unavailable": "Sources that could not be read",
    "search-unavailable": "Searches without an answer",
    "draft-rejected": "Drafts that broke the rules",
    "member-unavailable": "Members without a readable answer",
    "claim-refuted": "Claims the verifier refuted",
    "claim-unavailable": "Claims that could not be checked",
    "claim-deferred": "Claims that may differ from their passage",
    "claim-dropped": "Claims dropped",
    "contestation-invalid": "Objections that do not count",
    "defence-invalid": "Defences that do not count",
    "claim-uncorroborated": "Claims without the corroboration they need",
    "claim-redundant": "Claims another cited claim already says",
    "claim-unused": "Claims the writer did not use",
    "sentence-repaired": "Sentences repaired",
    "sentence-removed": "Sentences removed",
    "reference-dropped": "References whose passage does not say the sentence",
    "instruction-ignored": "Instructions found in sources and treated as text",
    "text-cut": "Texts cut to fit a model's window",
    "search-moved": "Searches that another provider carried out",
    "turn-moved": "Turns that another member or judge took",
    "budget-degraded": "Economies forced by the budget",
    "note": "Notes",
}


class Badge(NamedTuple):
    """A badge for a reader: its label, and its meaning in one sentence."""

    label: str
    meaning: str


BADGES = {
    "unverified": Badge("unverified", "The verifier found neither support nor contradiction in the passage."),
    "doubtful": Badge("doubtful", "A judge supports it, and the comparison with its passage leaves a doubt."),
    "not-judged": Badge("not judged", "Of an older run: no verifier judged interpretations and predictions then."),
    "contradicted": Badge("contradicted", "Another sentence of the same answer says otherwise."),
    "paywalled-only": Badge("paywalled only", "It rests on subscription sources alone, without an open corroborator."),
    "abstract-only": Badge("abstract only", "It rests on an abstract; the full text could not be had."),
    "single-source": Badge("single source", "It rests on one voice of tier 3 alone."),
    "planted": Badge("planted", "It rests on a source that was planted for testing."),
    "override": Badge("override", "The gate could not confirm it. A person let it in, by name and with a reason."),
}


def badge(name: str) -> Badge:
    """Return the badge of that name; an unknown one is its own label."""
    return BADGES.get(name) or Badge(name, "No explanation of this badge is on record.")


DECISIONS = {"approve": "Approved", "reject": "Rejected", "withdraw": "Withdrawn"}
"""Decision of a person -> word."""

ROUNDS = {1: "first round", 2: "second round", 3: "third round"}
"""Round of the debate -> plain words."""


def lacking(answer: Answer) -> str:
    """Return why the evidence is insufficient, or who could not speak, as a sentence."""
    reason = (answer.reason or "").strip() or "What could be admitted and verified does not settle the question."
    return reason[0].upper() + reason[1:] + ("" if reason.endswith((".", "!", "?", "…", ".”")) else ".")


def missing(graph: ClaimGraph) -> str:
    """Return who could not speak while others did, in one line; "" if all spoke."""
    said = "; ".join(graph.answer.missing)
    return f"Partly unavailable: {said}" if said else ""


def again(graph: ClaimGraph) -> tuple[str, str]:
    """Return the statement of a run in which nobody could speak, and the command that continues it; where its budget
    was the cause, a replay with more of it."""
    run, start = graph.run, graph.answer.unavailable_at or "decompose"
    said = "This says nothing about the question. Everything that was found and paid for is kept."
    # Not the cuts that were made before a stage, which have the plan as their subject.
    short = {e.subject_id for e in graph.events if e.kind == "budget-degraded" and e.stage == start} - {"plan"}
    more = " ".join(_more(run.settings.get("budget") or {}, short))
    if not more:
        return f"{said} To continue once they are available:", f"veritas research --resume {run.run_id}"
    return f"{said} To continue with a larger budget:", f"veritas replay {run.run_id} --from {start} {more}"


def _more(budget: Mapping[str, float | None], short: Collection[str]) -> Iterator[str]:
    """Yield the options that double the limits that had no room for a call: those named in `short`, all if it names
    none of them (older runs do not)."""
    limits = {name: limit for name, limit in budget.items() if limit is not None}
    for name in [name for name in limits if name in short] or (limits if short else ()):
        yield f"{_OPTIONS[name]} {2 * limits[name]:g}" if limits[name] else f"{_OPTIONS[name]} USD"


_OPTIONS = {"calls": "--max-calls", "seconds": "--max-seconds", "usd": "--budget"}


def cut_back(graph: ClaimGraph) -> tuple[str, ...]:
    """Return the cuts that the budget made."""
    return tuple(reason for reason in graph.run.degraded if reason not in graph.answer.missing)


def authorship(graph: ClaimGraph) -> str:
    """Return the words before the author's name; a member without a language model only arranges."""
    member = next((m for m in graph.council if m.name == graph.answer.written_by), None)
    if member is None:
        return "written by"
    return "arranged by the member" if member.model is None else "written by the member"


_MARKS = {"passed": "✓", "stopped": "✗", "noted": "·"}


def render_why(chain: Chain, *, width: int = 100) -> str:
    """Return the chain in full: its subject, what decided, each link, and the chains before and after it."""
    return "\n".join(_lines(chain, width, ""))


def _lines(chain: Chain, width: int, indent: str) -> Iterator[str]:
    yield from _wrapped(f"{chain.kind} {chain.id}  {one_line(chain.about)}", width, indent, indent + "  ")
    if chain.alike:
        others = ", ".join(map(one_line, chain.alike))
        yield from _wrapped(f"said as well by {others}", width, indent + "  ", indent + "  ")
    verdict = "in" if chain.let_in else "out"
    yield from _wrapped(f"{verdict}: {one_line(chain.because)}", width, indent + "  ", indent + "       ")
    for each in chain.behind:
        yield ""
        yield from _lines(each, width, indent + "  ")
    if chain.links:
        yield ""
    for link in chain.links:
        yield from _link(link, width, indent + "  ", one_line(chain.about))
    for each in chain.led_to:
        yield ""
        fate = "in the answer" if each.let_in else one_line(each.because)
        yield from _wrapped(f"→ {each.kind} {each.id}  {one_line(each.about)}", width, indent + "  ", indent + "    ")
        yield from _wrapped(fate, width, indent + "    ", indent + "    ")


def _link(link: Link, width: int, indent: str, about: str) -> Iterator[str]:
    rule = f"  [{one_line(link.rule)}]" if link.rule else ""
    head = f"{_MARKS[link.outcome]} {link.stage:<10} {one_line(link.said)}{rule}"
    yield from _wrapped(head, width, indent, indent + " " * 13)
    if link.words and one_line(link.words) not in (about, link.said):  # its own words stand above
        yield from _wrapped(f"“{one_line(link.words)}”", width, indent + " " * 13, indent + " " * 14)


def _wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text, max(width, len(rest) + 30), initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
