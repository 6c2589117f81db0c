"""Rates of a checked text, each with what it covers, and the line that sums it up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veritas.factcheck.outcome import FINDINGS, JUDGED, WORDS, CheckedStatement, Rate, ReadSource, Verdict
from veritas.text.plural import plural


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
