"""What the check of a text comes to: each statement with its verdict, the sources that were read, and the rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from veritas.claims.sources import Tier
from veritas.factcheck.shapes import Kind, Scope
from veritas.frozen import Frozen
from veritas.text.plural import plural

Verdict = Literal[
    "mark_without_source", "contradicted", "not_in_source", "partly", "unreachable", "cannot_tell", "uncited",
    "supported",
]  # fmt: skip
"""Verdicts on a statement, in the order in which a report tells them."""
ORDER: tuple[Verdict, ...] = (
    "mark_without_source", "contradicted", "not_in_source", "partly", "unreachable", "cannot_tell", "uncited",
    "supported",
)  # fmt: skip
FINDINGS: frozenset[Verdict] = frozenset(("mark_without_source", "contradicted", "not_in_source", "partly"))
"""Verdicts that are faults of the text. A source that could not be read is none, and no proof of one."""
JUDGED: frozenset[Verdict] = frozenset(("contradicted", "not_in_source", "partly", "supported"))
"""Verdicts that rest on a source that was read."""
WORDS: dict[Verdict, str] = {
    "mark_without_source": "mark without a source",
    "contradicted": "contradicted",
    "not_in_source": "not in the source",
    "partly": "partly",
    "unreachable": "unreachable",
    "cannot_tell": "cannot tell",
    "uncited": "uncited",
    "supported": "supported",
}
MEANING: dict[Verdict, str] = {
    "mark_without_source": "A mark stands there, but the text does not say which source it means.",
    "contradicted": "The source says something that cannot hold together with it.",
    "not_in_source": "The source was read and does not say it.",
    "partly": "The source says a part of it, and not the rest.",
    "unreachable": "The source could not be read, which says nothing for or against it.",
    "cannot_tell": "The source was read, and this judge cannot decide.",
    "uncited": "No source is named.",
    "supported": "The source says it.",
}


class Passage(Frozen):
    """Words of a source: `document.text[start:end] == text`."""

    text: str
    start: int
    end: int


class CitedSource(Frozen):
    """A citation of a statement: its mark at `start` to `end` of the text, the address without keys, and `tier`, the
    source policy's, with the words for it (`tier_reason`). `problem`: why there is no address, or no page."""

    label: str
    start: int
    end: int
    style: str
    url: str | None
    title: str | None
    problem: str | None
    tier: Tier | None = None
    tier_reason: str = ""


class SourceVerdict(Frozen):
    """What one source says of a statement. `judged_by` names the judge of a council that said so, empty for the
    embedded judge."""

    url: str
    verdict: Verdict
    passage: Passage | None = None
    difference: str = ""
    calculation: str = ""
    judged_by: str = ""


class PartVerdict(Frozen):
    """A part of a statement, and the verdict on it."""

    part: str
    verdict: Verdict
    url: str | None = None
    passage: str | None = None
    difference: str = ""


class CheckedStatement(Frozen):
    """A statement of the text, `text[start:end]`, with its verdict.

    `passage` is verbatim from the page at `source`, at `passage_start` to `passage_end` of its text; `difference` says
    in words what differs, or why nothing can be said; `calculation` shows arithmetic that the verdict rests on. `found`
    are pages that a search found for a statement without a citation. `judged_by` names the judge of a council that the
    verdict is by, empty for the embedded judge.
    """

    statement: str
    start: int
    end: int
    kind: Kind
    citations: tuple[CitedSource, ...]
    scope: Scope | None
    verdict: Verdict
    passage: str | None = None
    source: str | None = None
    passage_start: int | None = None
    passage_end: int | None = None
    difference: str = ""
    calculation: str = ""
    parts: tuple[PartVerdict, ...] = ()
    sources: tuple[SourceVerdict, ...] = ()
    found: tuple[str, ...] = ()
    judged_by: str = ""


class ReadSource(Frozen):
    """A page that the text cites. `labels` are the marks that mean it; `final_url` is the address that answered;
    `problem` is why it could not be read, None where it was; `archived` is a known archived copy; `partial`: only an
    abstract, or the part before a paywall, could be read. `read_by` says where it came from."""

    url: str
    labels: tuple[str, ...]
    title: str
    final_url: str | None
    problem: str | None
    tier: Tier
    tier_reason: str
    partial: bool = False
    archived: str | None = None
    read_by: Literal["web", "corpus", "recorded", ""] = ""
    characters: int = 0


class Rate(Frozen):
    """A share with what it is a share of, and `coverage`: how many of how many it could be told for."""

    name: str
    share: float | None
    hits: int
    of: int
    covered: int
    whole: int
    rule: str


class FactCheck(Frozen):
    """The check of a text. Offsets count characters of `text`, in which keys in addresses are masked. `judge` names
    who judged; `notes` are what a reader must know beside the verdicts (languages not read, sources not fetched).
    `cost_usd` is what the judges of a council cost, in US dollars; None where a price is unknown."""

    name: str
    text: str
    format: str
    statements: tuple[CheckedStatement, ...]
    set_aside: dict[str, int]
    sources: tuple[ReadSource, ...]
    rates: tuple[Rate, ...]
    headline: str
    judge: str
    notes: tuple[str, ...] = ()
    cost_usd: float | None = 0.0

    @property
    def counts(self) -> dict[Verdict, int]:
        """Number of statements by verdict, worst first; verdicts that do not occur are left out."""
        found = Counter(each.verdict for each in self.statements)
        return {verdict: found[verdict] for verdict in ORDER if found[verdict]}

    @property
    def worst_first(self) -> tuple[CheckedStatement, ...]:
        """The statements by verdict, in the order of the text within each."""
        return tuple(sorted(self.statements, key=lambda each: (ORDER.index(each.verdict), each.start)))

    @property
    def has_findings(self) -> bool:
        """True if a statement has a fault."""
        return any(each.verdict in FINDINGS for each in self.statements)

    @property
    def was_checked(self) -> bool:
        """True if at least one statement was held against a source that was read."""
        return any(each.verdict in JUDGED for each in self.statements)

    def __str__(self) -> str:
        lines = [self.headline]
        for each in self.worst_first:
            if each.verdict != "supported":
                said = f": {each.difference}" if each.difference else ""
                lines.append(f"{WORDS[each.verdict]}: {each.statement}{said}")
        return "\n".join(lines)


def rates(checked: Sequence[CheckedStatement], read: Sequence[ReadSource]) -> tuple[Rate, ...]:
    """Return the rates of a report: marks resolved, sources read, statements supported by the strict rule, and by the
    rule of FACT (DeepResearch Bench)."""
    marks = {(c.start, c.end, c.label): c.url is not None for each in checked for c in each.citations}
    cited = [each for each in checked if each.citations]
    judged = [each for each in cited if each.verdict in JUDGED]
    supported = sum(each.verdict == "supported" for each in judged)
    pairs = [found.verdict for each in cited for found in each.sources]
    known = [verdict for verdict in pairs if verdict in JUDGED]
    fact = sum(verdict in ("supported", "partly") for verdict in known)
    return (
        _rate("marks resolved", sum(marks.values()), len(marks), len(marks), len(marks),
              "marks of statements whose source the text names"),
        _rate("sources read", sum(each.problem is None for each in read), len(read), len(read), len(read),
              "pages that answered with their text"),
        _rate("supported, strict", supported, len(judged), len(judged), len(cited),
              "cited statements of which every part is in a source, of those whose source was read and judged"),
        _rate("supported, FACT", fact, len(known), len(known), len(pairs),
              "pairs of statement and page where the page says it at least in part; pages not read are left out "
              "(the citation accuracy of DeepResearch Bench)"),
        _rate("statements cited", len(cited), len(checked), len(checked), len(checked),
              "statements with at least one mark"),
    )  # fmt: skip


def _rate(name: str, hits: int, of: int, covered: int, whole: int, rule: str) -> Rate:
    share = round(hits / of, 4) if of else None
    return Rate(name=name, share=share, hits=hits, of=of, covered=covered, whole=whole, rule=rule)


def headline(checked: Sequence[CheckedStatement], read: Sequence[ReadSource]) -> str:
    """Return what a reader must know first, in a line. That there is nothing to distrust is said only where every
    statement was held against a source that was read, and is supported."""
    if not checked:
        return "There is no statement to check."
    found = Counter(each.verdict for each in checked)
    wrong = sum(found[verdict] for verdict in FINDINGS)
    judged = sum(found[verdict] for verdict in JUDGED)
    unread = sum(each.problem is not None for each in read)
    whole = f"{plural(len(checked), 'statement')}"
    open_ = [f"{found[v]} {WORDS[v]}" for v in _OPEN if found[v]]
    if wrong:
        faults = ", ".join(f"{found[v]} {WORDS[v]}" for v in _WORST if found[v])
        rest = f" Not decided: {', '.join(open_)}." if open_ else ""
        return f"{wrong} of {whole} to distrust: {faults}.{rest}"
    if not judged:
        return f"Nothing could be checked: of {whole}, {', '.join(open_)}."
    if open_ or unread:
        missing = f"{', '.join(open_)}" if open_ else f"{plural(unread, 'source')} not read"
        return f"{found['supported']} of {whole} supported; the rest was not decided: {missing}."
    return f"None of {whole} to distrust: every source was read, and supports what rests on it."


_WORST: tuple[Verdict, ...] = ("mark_without_source", "contradicted", "not_in_source", "partly")
_OPEN: tuple[Verdict, ...] = ("unreachable", "cannot_tell", "uncited")
